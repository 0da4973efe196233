"""Coverage by derivation: the counts of the paper's examples, and what a cover promises."""

import itertools

import pytest
from bench.regex_texts import strings

from unlike.errors import SpecError
from unlike.regex.automaton import NotRegular, TooLarge
from unlike.regex.cover import PRESETS, Cover, Heuristics, find_heuristics
from unlike.regex.cover.builder import Combine
from unlike.suite import Ending

USERNAME = "[a-zA-Z0-9_]+"
BLACK_BOX = r"(([0-1]\d)|(2[0-3])):[0-5]\d"
WHITE_BOX = r"(0|[1-2]|[3-9]|X)(0|[1-3]|[4-9]):(0|[1-5]|[6-9])(0|[1-9])"
TIME_24 = r"(([0-1]?\d)|2[0-3]):[0-5]\d"
TIME_12 = r"(1[0-2]|[1-9]):[0-5]\d(\s)?(AM|PM)"
TIME = f"({TIME_24})|({TIME_12})"
NAME = r"((Ms|Mr|Mrs|Dr)\s+)?[A-Z][a-z]+\s+([A-Z][a-z]+\s+)?[A-Z][a-z]+\s+(Jr|Sr)?"
TABLE_4 = "[_a-zA-Z][_a-zA-Z0-9]+"


def texts(cover: Cover) -> list[str]:
    return [cover.at(index).text for index in range(cover.count())]


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (USERNAME, 8),  # section 5.1: four pieces, short and long
        (BLACK_BOX, 2),  # section 7.2: "at most two inputs"
        (WHITE_BOX, 4 * 3 * 3 * 2),
        (TIME, 3 + 8),  # the calendar's time
        (NAME, 30 + 7),  # section 5.2: 5 prefixes, 2 middles, 3 suffixes; 7 repetitions
    ],
)
def test_the_examples_of_the_paper_have_as_many_strings_as_expected(pattern: str, expected: int) -> None:
    cover = Cover(pattern)

    assert cover.count() == expected
    assert len(set(texts(cover))) == expected
    assert cover.complete
    assert all(cover.pattern.matches(text) for text in texts(cover))


def test_the_username_shows_each_piece_short_and_long() -> None:
    assert texts(Cover(USERNAME)) == ["a", "A", "0", "_", "aB2_", "A1_d", "0_cD", "_bC3"]


def test_names_are_readable() -> None:
    assert texts(Cover(NAME))[:6] == ["Aa Cc ", "Aa Cc Jr", "Aa Cc Sr", "Aa Bb Cc ", "Aa Bb Cc Jr", "Aa Bb Cc Sr"]


def test_labels_say_which_branches_are_taken_and_are_all_different() -> None:
    cover = Cover(TIME_12)
    labels = [cover.at(index).label for index in range(cover.count())]

    assert labels[:3] == ["1[0-2], no \\s, AM", "1[0-2], no \\s, PM", "1[0-2], \\s, AM"]
    assert len(set(labels)) == len(labels)


@pytest.mark.parametrize(
    ("heuristic", "expected"),
    [
        ("class-as-one", 2),
        ("every-character", 63 * 2),
        ("each-position", 4 + 4**4),
        ("shortest", 4),
        ("more-lengths", 12),
        ("concatenation", sum(4**rounds for rounds in range(1, 9))),
    ],
)
def test_other_heuristics_count_other_differences(heuristic: str, expected: int) -> None:
    cover = Cover(USERNAME, find_heuristics(heuristic))

    assert cover.count() == expected
    sample = [cover.at(index) for index in range(0, expected, max(1, expected // 50))]
    assert len({each.text for each in sample}) == len(sample)
    assert all(cover.derives(each.choice, each.text) for each in sample)


def test_an_unknown_heuristic_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(SpecError, match="did you mean 'shortest'"):
        find_heuristics("shortes")


def test_pluses_as_concatenation_tell_every_length_apart() -> None:
    cover = Cover(TABLE_4, find_heuristics("concatenation"))

    assert cover.count() == 3 * sum(4**rounds for rounds in range(1, 9))
    first = [cover.at(index).text for index in range(4)]
    assert first == ["__", "_b", "_B", "_1"]


@pytest.mark.parametrize(
    ("pattern", "lengths"),
    [
        ("a+", [1, 4]),
        ("a*", [0, 3]),
        ("a{2,3}", [2, 3]),
        ("a{1,3}", [1, 2, 3]),
        ("a{2,9}", [2, 5, 9]),
        ("a{3}", [3]),
        ("a?", [0, 1]),
        ("a{1,255}", [1, 4, 255]),
    ],
)
def test_a_repetition_appears_short_several_times_and_at_its_upper_bound(pattern: str, lengths: list[int]) -> None:
    assert [len(text) for text in texts(Cover(pattern))] == lengths


def test_an_upper_bound_that_is_too_long_is_left_out_and_said() -> None:
    cover = Cover("a{1,60000}b")

    assert [len(text) for text in texts(cover)] == [2, 5]
    assert cover.too_long == ["a{1,60000} longest"]
    assert not cover.complete


def test_a_repetition_inside_others_is_lengthened_once_per_choice_of_its_own_body() -> None:
    cover = Cover("((a|b)+c)*")

    # nothing; (a|b)+ several with a and b; the whole several times with a and b
    assert cover.count() == 1 + 2 + 2


def test_each_covers_every_choice_and_pairs_every_pair() -> None:
    each, pairs = (Cover(WHITE_BOX, Heuristics(combine=combine)) for combine in ("each", "pairs"))

    assert each.count() == 4
    assert 12 <= pairs.count() <= 16  # the two widest columns alone need 4 × 3
    keys = [pairs.derivation(pairs.at(index).choice).key for index in range(pairs.count())]
    flat = [[part[0] for part in key if isinstance(part, tuple)] for key in keys]  # type: ignore[attr-defined]
    for first, second in itertools.combinations(range(4), 2):
        sizes = (4, 3, 3, 2)
        assert len({(row[first], row[second]) for row in flat}) == sizes[first] * sizes[second]


def test_choices_that_derive_the_same_strings_are_reported_not_repeated() -> None:
    cover = Cover("(a|a|ab)(c|bc)?")

    assert texts(cover) == ["a", "ac", "abc", "ab", "abbc"]
    assert cover.choices == 9
    assert len(cover.settled.same) == 4


def test_a_choice_gives_way_when_another_has_only_that_string() -> None:
    cover = Cover("[a-c]|a|b")  # [a-c] shows a first, but a and b have nothing else

    assert sorted(texts(cover)) == ["a", "b", "c"]
    assert cover.complete


def test_a_choice_that_a_lookaround_forbids_is_proved_impossible() -> None:
    cover = Cover(r"(?!a)(a|b|[ac])\b")

    assert sorted(texts(cover)) == ["b", "c"]
    assert [each.label for each in cover.settled.impossible] == ["a", "[ac] with a"]
    assert cover.complete


def test_the_derivation_counts_not_the_text_alone() -> None:
    cover = Cover("(?!a)[a-z]|a")  # "a" matches, but not by the first branch

    assert texts(cover) == ["b", "a"]
    assert cover.labels_of("a") == ["a"]


def test_a_back_reference_is_generated_for_and_checked() -> None:
    cover = Cover(r"(['\"]).*?\1")

    assert set(texts(cover)[:2]) == {"''", '""'}
    assert all(cover.pattern.matches(text) for text in texts(cover))
    with pytest.raises(NotRegular, match="back-reference"):
        cover.within(0)


def test_what_remains_undecided_is_not_called_complete() -> None:
    # the group must hold one a and two: no automaton over single texts can see that
    cover = Cover(r"(a+)x\1b(?<=aaxab)")

    assert not cover.complete
    assert cover.settled.undecided


@pytest.mark.parametrize("pattern", ["(a+)+b", "([ab]+)+", "(a{1,3})+", "((a{2})+){2,}", "(a+b?)+", "((a|b)+c?)*"])
def test_a_loop_within_a_loop_gives_no_text_twice(pattern: str) -> None:
    for heuristic in ("default", "more-lengths", "each-position"):
        texts = [each.text for each in Cover(pattern, find_heuristics(heuristic)).first(50)]

        assert len(set(texts)) == len(texts)


def test_spreading_starts_plain_and_repeats_nothing() -> None:
    cover = Cover(TABLE_4, find_heuristics("concatenation"))

    few = [each.text for each in cover.first(500)]
    other = [each.text for each in cover.first(500, seed=7)]

    assert few[0] == other[0] == cover.at(0).text
    assert len(set(few)) == len(set(other)) == 500
    assert few != other
    assert other == [each.text for each in cover.first(500, seed=7)]


def test_a_cover_of_any_size_is_counted_and_reached_at_once() -> None:
    cover = Cover(NAME, find_heuristics("every-character"))

    # what listed them would not end
    assert cover.count() > 10**15
    assert cover.pattern.matches(cover.find(cover.count() - 1).text)  # type: ignore[union-attr]


@pytest.mark.parametrize(
    "pattern", ["(a{1000}){1000}", "((a*)*)*b", "(a|aa)+$", "(x+x+)+y", "(.*)*(.*)*(.*)*x", "(a?){50}a{50}"]
)
def test_huge_and_catastrophic_patterns_are_answered(pattern: str) -> None:
    cover = Cover(pattern)
    found, status = strings(cover, 5)

    assert found
    assert status.ending in (Ending.FOUND, Ending.COMPLETE, Ending.UNKNOWN)


def test_a_long_word_is_one_part() -> None:
    word = "xy" * 5_000

    assert [each.text for each in Cover(word).first()] == [word]
    assert [each.text for each in Cover(f"{word}(a|b)?{word}").first()] == [
        word * 2,
        f"{word}a{word}",
        f"{word}b{word}",
    ]


def test_a_text_beyond_all_measure_is_refused() -> None:
    with pytest.raises(TooLarge, match="1,000,000,000 characters"):
        Cover("((a{1000}){1000}){1000}")


def test_strings_beyond_the_representatives_follow_until_there_are_no_more() -> None:
    found, status = strings(Cover("[a-c]{1,2}"), 20)

    assert status.ending is Ending.COMPLETE
    assert len({each.text for each in found}) == 12


def test_a_pattern_without_strings_is_proved_to_have_none() -> None:
    found, status = strings(Cover("a(?=b)"), 20)

    assert found == []
    assert status.ending is Ending.UNSATISFIABLE


def test_presets_are_all_usable_on_one_pattern() -> None:
    for name in PRESETS:
        cover = Cover(TIME_12, find_heuristics(name))
        assert all(cover.pattern.matches(each.text) for each in cover.first(20)), name


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        (r"[^\s\S]|a", ["a"]),
        (r"x[^\s\S]?", ["x"]),
        (r"[^\s\S]*y", ["y"]),
        (r"[^\s\S]+y", []),
        ("[^\x00-\U0010ffff]", []),
    ],
)
@pytest.mark.parametrize("combine", ["each", "pairs", "all"])
def test_a_class_without_characters_offers_no_choice(pattern: str, texts: list[str], combine: Combine) -> None:
    cover = Cover(pattern, find_heuristics("default", combine=combine))

    assert [each.text for each in cover.first()] == texts
    assert cover.complete


def test_a_repetition_whose_first_round_is_nothing_shows_nothing() -> None:
    shown = {each.label: each.text for each in Cover("(a?){3}").first()}

    assert shown == {"no a": "", "a": "aa"}
