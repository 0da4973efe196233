"""Every beginning of the texts of a pattern keeps the promises: against brute force, and against `re`."""

from __future__ import annotations

import collections
import itertools
import json
import math
import random
import re
from fractions import Fraction
from typing import Annotated

import pytest
from tests.regex.test_command_line import lines, run

from unlike import Matching, Spec, Str, cover, generate, invalid
from unlike.errors import ScopeError
from unlike.regex.cover import PRESETS, Cover
from unlike.regex.order import Mix, OrderedTexts, draw_texts, ordered_misses
from unlike.regex.order.check_digits import CHECKS, OF_DIGITS, looks_like_code, make_pass
from unlike.regex.order.numbers import numbers_of
from unlike.regex.order.spell import kinds_of
from unlike.suite import Ending

PARTS = [
    "a",
    "b?",
    "[ab]",
    "(a|bc)",
    "c{0,2}",
    "(?:ab)?",
    "[abc]{1,2}",
    "[a-c]+",
    "(?:a|[bc]d){2,4}",
    r"(?=.*b)[a-c]{2}",
]


def patterns(seed: int) -> str:
    draw = random.Random(seed)
    pattern = "".join(draw.choices(PARTS, k=draw.randint(1, 4)))
    return f"{pattern}|{draw.choice(PARTS)}x" if draw.random() < 0.4 else pattern


@pytest.mark.parametrize("seed", range(40))
def test_the_first_texts_show_each_choice_once_whatever_the_seed(seed: int) -> None:
    pattern = patterns(seed)
    cover = Cover(pattern, PRESETS[random.Random(seed).choice(sorted({*PRESETS} - {"every-character"}))])

    shown = list(OrderedTexts(cover, seed).of_choices())

    assert len({each.text for each in shown}) == len(shown) == cover.count()
    assert len({each.choice for each in shown}) == len(shown)
    assert all(re.fullmatch(pattern, each.text) for each in shown)
    assert all(cover.derives(each.choice, each.text) for each in shown), "asked of the independent matcher"
    assert {each.label for each in shown} == {each.label for each in cover.first()}


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("mix", [(), ("--mix",), ("--mix", "0.3"), ("--invalid",)])
def test_a_larger_number_keeps_the_smaller_suite_as_its_beginning(seed: int, mix: tuple[str, ...]) -> None:
    asked = ("--regex", patterns(seed), "--seed", str(seed), *mix)
    small, large = lines(run(*asked, "-n", "7")), lines(run(*asked, "-n", "33"))

    assert large[: len(small)] == small
    assert len({each["value"] for each in large}) == len(large)
    for each in large:
        assert bool(re.fullmatch(patterns(seed), each["value"])) == each.get("legal", True)


def test_a_mix_has_its_share_in_every_beginning() -> None:
    usual = [Mix().fails(position) for position in range(400)]
    assert [sum(usual[:n]) for n in (10, 20, 24, 100, 400)] == [0, 5, 6, 25, 100]
    for share in ("0", "0.1", "0.25", "1/3", "0.5", "0.9", "1"):
        failing = [Mix.of(share).fails(position) for position in range(300)]
        assert all(sum(failing[:n]) == math.floor(Fraction(share) * n) for n in range(301))


@pytest.mark.parametrize("n", [1, 10, 11, 20, 57, 100])
def test_a_mix_has_exactly_as_many_as_were_asked_for(n: int) -> None:
    found = lines(run("--regex", "[a-z]{2,5}-[0-9]+", "-n", str(n), "--mix"))

    assert len(found) == n
    assert [not each.get("legal", True) for each in found] == [Mix().fails(position) for position in range(n)]


def test_where_no_more_strings_match_those_that_fail_make_up_the_number() -> None:
    result = run("--regex", "[ab]", "-n", "40", "--mix")

    assert len(lines(result)) == 40
    assert sum(each.get("legal", True) for each in lines(result)) == 2
    assert "2 match, 38 just fail; no more match (proved)" in result.stderr


@pytest.mark.parametrize("said", ["1.5", "-0.1", "x", "nan", "1/0"])
def test_a_share_that_is_none_is_refused(said: str) -> None:
    with pytest.raises(ScopeError, match=r"must be a share from 0 to 1"):
        Mix.of(said)


@pytest.mark.parametrize("other", ["--invalid", "--all", "--count"])
def test_a_mix_and_what_it_contradicts_are_refused(other: str) -> None:
    assert "contradict each other" in str(run("--regex", "a+", "--mix", other).exception)


@pytest.mark.parametrize("seed", range(12))
def test_a_near_miss_does_not_match_and_no_text_comes_twice(seed: int) -> None:
    pattern = patterns(seed)
    misses = list(itertools.islice(ordered_misses(Cover(pattern), seed), 60))

    assert len({each.text for each in misses}) == len(misses) == 60
    assert not any(re.fullmatch(pattern, each.text) for each in misses)


def test_near_misses_are_of_all_kinds_before_one_comes_often() -> None:
    misses = itertools.islice(ordered_misses(Cover(r"[a-z]{2,9}-[0-9]{3}\.[A-Z]{2}")), 1, 79, 2)
    kinds = collections.Counter(each.rule for each in misses if " is " not in each.rule and "round" not in each.rule)

    assert max(kinds.values()) <= 6


def test_places_are_balanced_and_no_two_go_together() -> None:
    order = OrderedTexts(Cover("[ab][cd]-[efgh]_[ijkl]", PRESETS["class-as-one"]))
    texts = [each.text for each in order.of_choices()] + list(itertools.islice(order.further(), 60))

    for place in (0, 1, 3, 5):
        often = collections.Counter(text[place] for text in texts)
        assert max(often.values()) <= 2.5 * min(often.values())
    for one, other in itertools.combinations((0, 1, 3, 5), 2):
        pairs = collections.Counter((text[one], text[other]) for text in texts)
        assert len(pairs) == len({text[one] for text in texts}) * len({text[other] for text in texts})


def cramers_v(pairs: list[tuple[object, object]]) -> float:
    """Return how far two places go together: 0 not at all, 1 always."""
    both = collections.Counter(pairs)
    ones, others = (collections.Counter(pair[at] for pair in pairs) for at in (0, 1))
    expected = {(a, b): ones[a] * others[b] / len(pairs) for a in ones for b in others}
    chi = sum((both[each] - wanted) ** 2 / wanted for each, wanted in expected.items())
    return math.sqrt(chi / len(pairs) / (min(len(ones), len(others)) - 1))


@pytest.mark.parametrize("seed", range(3))
def test_no_place_tells_what_stands_at_another(seed: int) -> None:
    order = OrderedTexts(Cover("[ab][cd]-[efgh]_[ijkl]", PRESETS["class-as-one"]), seed)
    texts = [each.text for each in order.of_choices()] + list(itertools.islice(order.further(), 60))

    for one, other in itertools.combinations((0, 1, 3, 5), 2):
        assert cramers_v([(text[one], text[other]) for text in texts]) < 0.45, (one, other)


@pytest.mark.parametrize("seed", range(3))
@pytest.mark.parametrize("pattern", ["[+-][0-9]{1,9}", "[+-](a|bc)[0-9]*x?[0-9]*", "(x|y)?[+-][0-9]+([.,][0-9]+)?"])
def test_signs_that_are_choices_come_in_turn(pattern: str, seed: int) -> None:
    order = OrderedTexts(Cover(pattern), seed)
    texts = itertools.chain((each.text for each in order.of_choices()), order.further())
    some = list(itertools.islice(texts, 30))

    for n in (10, 20, 30):
        often = collections.Counter("+" in text for text in some[:n])
        assert abs(often[True] - often[False]) <= 4


SHARED = "[+-]?P((a1|b2)?(c3|d4)?(e5|f6)?(g7|h8)?(i9|j0)?|[0-9]{4}-[0-9]{2})"  # 732 choices, 3 of them of dates


def test_a_branch_of_few_choices_keeps_its_share_beside_one_of_very_many() -> None:
    texts = [each["value"] for each in lines(run("--regex", SHARED, "-n", "100"))]

    dates = [at for at, text in enumerate(texts) if re.fullmatch(r"[+-]?P[0-9]{4}-[0-9]{2}", text)]
    assert len(dates) >= 15
    assert len([at for at in dates if at < 20]) >= 3


def test_shared_texts_never_stand_for_a_proof_that_every_choice_is_shown() -> None:
    cover = Cover(SHARED)
    everything = list(OrderedTexts(cover, shares=True).of_choices())
    exactly = run("--regex", SHARED, "-n", str(cover.count())).stderr
    enough = run("--regex", SHARED, "-n", str(len(everything))).stderr

    assert {each.choice for each in everything} == set(range(cover.count()))
    assert len({each.text for each in everything}) == len(everything) > cover.count()
    assert "every choice" not in exactly
    assert "of 732 representatives" in exactly
    assert "732 choices shown first" in enough


@pytest.mark.parametrize(
    ("pattern", "example"),
    [
        (r"(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)\.(0|[1-9][0-9]*)(-[a-z]+)?", r"1\.2\.3.*"),
        ("[0-9]{2}:[0-9]{2}(:[0-9]{2})?", "12:34.*"),
        ("[a-z]{3,40}-[0-9]{1,6}", "abc-1"),
    ],
)
def test_among_the_first_is_a_short_one_that_counts_as_people_do(pattern: str, example: str) -> None:
    texts = [each["value"] for seed in "012" for each in lines(run("--regex", pattern, "-n", "20", "--seed", seed))]

    assert any(re.fullmatch(example, text) for text in texts)


def test_codes_of_digits_pass_several_checks_at_once() -> None:
    """By chance one of 1,100 passes these three."""
    texts = [each["value"] for each in lines(run("--regex", "4[0-9]{15}|62[0-9]{14}", "-n", "40"))]

    assert sum(all(check(text) for check in OF_DIGITS) for text in texts) >= 5


def test_every_top_level_alternative_has_its_share() -> None:
    order = OrderedTexts(Cover("[0-9]{4}|[a-z]+@(x|y|z|u|v|w)(k|l|m)(o|p|q)|#[0-9A-F]{6}"))
    texts = list(itertools.islice((each.text for each in order.of_choices()), 8))

    assert any(text.isdigit() for text in texts)
    assert any(text.startswith("#") for text in texts)


def test_runs_of_digits_are_numbers_that_people_write_in_about_half_of_the_texts() -> None:
    order = OrderedTexts(Cover("[0-9]{4}"))
    texts = [each.text for each in order.of_choices()] + list(itertools.islice(order.further(), 99))

    written = sum(text in numbers_of(4) for text in texts)
    assert 35 <= written <= 80
    assert {"0000", "9999"} <= set(texts)


@pytest.mark.parametrize("check", CHECKS)
def test_a_code_gets_each_check_right(check: object) -> None:
    allowed = ["0123456789"] * 12 + ["ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"]
    made = make_pass("1234567890123", allowed, (check,), random.Random(0))  # type: ignore[arg-type]

    assert looks_like_code("1234567890123")
    assert made is not None
    assert check(made)  # type: ignore[operator]
    assert made[2:11] == "345678901"


def test_codes_pass_common_checks_far_more_often_than_by_chance() -> None:
    """By chance one in ten passes each of the checks by ten, one in eleven that by eleven."""
    order = OrderedTexts(Cover("[0-9]{12,16}"))
    texts = [each.text for each in order.of_choices()] + list(itertools.islice(order.further(), 97))

    passed = [sum(map(check, texts)) for check in CHECKS[:3]]
    assert min(passed) >= 16


def test_characters_of_a_class_are_of_all_kinds_and_within_it() -> None:
    assert kinds_of(((48, 57), (65, 70), (97, 99), (45, 46))) == ("0123456789", "abc", "ABCDEF", "-", ".")
    assert kinds_of(((9, 10), (32, 32))) == ("     \t\n ",)
    assert kinds_of(((0x410, 0x412),)) == ("АБВ",)


def test_the_same_seed_gives_the_same_texts_and_another_seed_others() -> None:
    first, again, other = (run("--regex", "[a-z]+[0-9]{2}", "-n", "30", "--mix", "--seed", seed) for seed in "112")

    assert first.stdout == again.stdout
    assert first.stdout != other.stdout


def test_python_source_of_a_mix_says_of_each_input_whether_it_is_legal() -> None:
    source = run("--regex", "[a-z]+", "-n", "12", "--mix", "--format", "python").stdout
    pairs = eval(source.partition("=")[2])  # our own source: a list of literals

    assert [legal for _, legal in pairs] == [bool(re.fullmatch("[a-z]+", text)) for text, _ in pairs]
    assert json.dumps(pairs)


@pytest.mark.parametrize("seed", range(8))
def test_texts_of_one_choice_are_derived_by_it_and_come_once(seed: int) -> None:
    cover = Cover(patterns(seed))
    for choice in range(min(cover.combinations, 6)):
        texts = list(itertools.islice(draw_texts(cover, choice, seed=seed), 12))

        assert len(set(texts)) == len(texts)
        assert all(re.fullmatch(patterns(seed), text) and cover.derives(choice, text) for text in texts)


def test_strings_of_a_value_are_all_there_are_whether_drawn_or_listed() -> None:
    for seed in range(6):
        pattern = "".join(random.Random(seed).choices(PARTS[:7], k=2))
        texts = ("".join(each) for size in range(6) for each in itertools.product("abc", repeat=size))
        brute_force = {text for text in texts if re.fullmatch(pattern, text)}

        suite = generate(Spec({"text": Str(pattern)}), "all", seed=seed)

        found = [each["text"] for each in suite.values]
        assert len(found) == len(set(found))
        assert set(found) == brute_force


PHONE = r"(\+\d{1,3} )?\(?\d{3}\)?[ -]\d{3}-\d{4}"


@pytest.mark.parametrize("asked", [("--mix",), ("--mix", "0.3"), ()])
@pytest.mark.parametrize("seed", [0, 3])
def test_python_gives_the_same_texts_as_the_command_line(asked: tuple[str, ...], seed: int) -> None:
    told = lines(run("--regex", PHONE, "-n", "30", "--seed", str(seed), *asked))
    mix: bool | float = float(asked[1]) if len(asked) > 1 else bool(asked)
    spaces = [Matching(PHONE)]
    spaces += [Annotated[str, Matching(PHONE)], Spec({"phone": Str(PHONE)})] if asked else []

    for space in spaces:
        found = [(case.value, case.legal) for case in generate(space, 30, seed=seed, mix=mix)]
        texts = [(each["phone"] if isinstance(each, dict) else each, legal) for each, legal in found]
        assert texts == [(each["value"], each.get("legal", True)) for each in told]


def test_texts_that_just_fail_can_be_had_alone() -> None:
    found = invalid(Matching(PHONE), 12)

    assert len(found) == 12
    assert not any(case.legal or re.fullmatch(PHONE, case.value) for case in found)
    assert len({case.label for case in invalid(Matching("ab[0-9]"))}) > 2


def test_a_spec_that_covers_a_pattern_is_spread_like_its_texts() -> None:
    spec = Spec({"phone": Str()}, different=cover.regex("phone", PHONE))
    suites = [[each["phone"] for each in generate(spec, 20, seed=seed).values] for seed in (0, 1)]

    for texts in suites:
        assert len(set(texts)) == 18  # a choice each
        assert all(re.fullmatch(PHONE, each) and each.isascii() for each in texts)
        assert len({each[-4:] for each in texts}) > 9
        assert len({each.partition(" ")[0] for each in texts if each[0] == "+"}) > 5
    assert not set(suites[0]) & set(suites[1]) - {each for each in suites[0] if set(each) <= set("09 ()+-")}


@pytest.mark.parametrize("seed", range(12))
def test_every_choice_of_a_random_pattern_has_its_string_in_a_spec(seed: int) -> None:
    pattern = patterns(seed)
    whole = Cover(pattern)
    suite = generate(Spec({"text": Str(pattern)}, different=cover.regex("text", pattern)), 500, seed=seed)
    texts = [each["text"] for each in suite.values]

    assert len(set(texts)) == len(texts)
    assert all(re.fullmatch(pattern, each) for each in texts)
    if suite.status.ending is Ending.COMPLETE:
        labels = {case.label for case in suite}
        for choice in range(whole.choices):
            own = whole.represent(choice)
            assert own.label in labels or own.text in texts or not re.fullmatch(pattern, own.text), own


def test_as_many_as_were_asked_for_are_given_where_they_exist() -> None:
    """The choices are 64; each has ten strings."""
    texts = {each["value"] for each in lines(run("--regex", "[ab]-[cd]-[ef]-[gh]-[ij]-[kl]-[0-9]", "-n", "100"))}

    assert len(texts) == 100


def test_the_longest_of_a_run_is_among_the_first_texts() -> None:
    for pattern, longest in (("[a-z]{2,40}", 40), ("#[0-9a-f]{3,8}(-[a-z]{1,20})?", 30), ("(ab){1,9}", 18)):
        texts = [each["value"] for each in lines(run("--regex", pattern, "-n", "20"))]
        assert max(map(len, texts)) >= longest - 8 * pattern.startswith("#"), pattern
