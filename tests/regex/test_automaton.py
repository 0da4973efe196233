"""Exact languages: operations against sets of short texts, counting, unranking, budgets."""

import itertools
import random

import pytest
from tests.regex.random_patterns import random_pattern

from unlike.regex.automaton import Automaton, TooLarge
from unlike.regex.language import Language, printable
from unlike.regex.tree import parse

SHORT = ["".join(text) for length in range(5) for text in itertools.product("ab", repeat=length)]
PATTERNS = ["a*b", "(a|b){2,3}", "(ab|ba)*", "a?b?a?", "(?=.*b)a.*", "b+(?<!bb)", "", "[ab]*aa[ab]*"]


def automaton(pattern: str) -> Automaton:
    return Automaton.of(parse(pattern))


def short_texts(of: Automaton) -> set[str]:
    return {text for text in SHORT if of.accepts(text)}


@pytest.mark.parametrize(("first", "second"), list(itertools.combinations(PATTERNS, 2)))
def test_operations_are_those_of_sets(first: str, second: str) -> None:
    a, b = automaton(first), automaton(second)
    ours, theirs = short_texts(a), short_texts(b)

    assert short_texts(a.intersect(b)) == ours & theirs
    assert short_texts(a.unite(b)) == ours | theirs
    assert short_texts(a.difference(b)) == ours - theirs
    assert short_texts(Automaton.everything().difference(a)) == set(SHORT) - ours
    both = {x + y for x in ours for y in theirs}
    assert short_texts(a.concatenate(b)) == {text for text in both if len(text) <= 4}


def test_unranking_gives_every_text_of_a_length_once_in_readable_order() -> None:
    language = automaton("[a-c0-9]x?")

    texts = [language.at(2, index) for index in range(language.count(2))]

    assert texts == [f"{char}x" for char in "abc0123456789"]


def test_a_language_is_counted_and_reached_by_index_shortest_first() -> None:
    language = Language(parse("(ab|c)*"), 1, 4)

    texts = [language.at(index) for index in range(language.count())]

    assert texts == sorted(set(texts), key=lambda text: (len(text), texts.index(text)))
    every = {"".join(parts) for rounds in range(1, 5) for parts in itertools.product(["ab", "c"], repeat=rounds)}
    assert set(texts) == {text for text in every if len(text) <= 4}


def test_the_default_space_of_strings_is_printable_ascii() -> None:
    space = printable(0, 2)

    assert space.count() == 1 + 95 + 95**2
    assert [space.at(index) for index in (0, 1, 27, 53, 95)] == ["", "a", "A", "0", " "]
    assert all(space.at(index).isprintable() for index in range(0, space.count(), 97))


def test_readable_characters_come_first() -> None:
    assert automaton(".").shortest() == "a"
    assert automaton(r"\s").shortest() == " "
    assert automaton(r"[\x00-\x7f]").shortest() == "a"
    assert automaton(r"[^\w]").shortest() == "-"
    assert automaton(r"[\x00-\x1f\x85é]").shortest() == "é"


def test_lengths_and_their_bounds_are_exact() -> None:
    assert automaton("(aaa|aaaaa)*").lengths(12) == [0, 3, 5, 6, 8, 9, 10, 11, 12]
    assert automaton("a{2,5}").longest_length() == 5
    assert automaton("a{2,5}").total() == 4
    assert automaton("a*").longest_length() is None
    assert automaton("a*").total() is None
    assert automaton("a(?=b)").total() == 0
    assert automaton("a(?=b)").is_empty()
    assert automaton("[a-z]*").count(200) == 26**200


def test_texts_of_a_finite_language_end() -> None:
    assert list(automaton("(a|b)?c").texts()) == ["c", "ac", "bc"]


def test_texts_can_be_asked_for_between_two_lengths() -> None:
    automaton = Automaton.of(parse("a*|b{2}"))

    assert list(automaton.texts(2, 3)) == ["aa", "bb", "aaa"]
    assert list(itertools.islice(automaton.texts(4), 2)) == ["aaaa", "aaaaa"]
    assert list(Automaton.of(parse("a{1,2}")).texts(3)) == []


def test_a_budget_that_is_exceeded_says_so() -> None:
    with pytest.raises(TooLarge, match="more than 100 states"):
        Automaton.of(parse("[ab]*a[ab]{12}"), max_states=100)
    with pytest.raises(TooLarge, match="places"):
        automaton("(a{1000}){1000}")
    with pytest.raises(TooLarge):
        Automaton.of_lengths(0, 10**6)


def test_texts_and_sizes_are_automata_too() -> None:
    assert list(Automaton.of_text("ab").texts()) == ["ab"]
    assert list(Automaton.of_text("").texts()) == [""]
    assert Automaton.of_lengths(2, 3).intersect(automaton("a*")).lengths(9) == [2, 3]
    assert Automaton.of_lengths(2, None).intersect(automaton("a*")).lengths(5) == [2, 3, 4, 5]


def test_the_same_pattern_gives_the_same_automaton() -> None:
    rng = random.Random(5)
    for _ in range(20):
        pattern = parse(random_pattern(rng))
        if pattern.exact:
            first, second = Automaton.of(pattern), Automaton.of(pattern)
            assert (first.letters, first.moves) == (second.letters, second.moves)
