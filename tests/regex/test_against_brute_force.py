"""Random patterns: automaton, independent matcher and Python's `re` must say the same of every short text."""

import dataclasses
import itertools
import random

import pytest
from tests.corpora import few_of
from tests.regex.random_patterns import ALPHABET, random_pattern

from unlike.indexed import spread_indices
from unlike.regex.automaton import Automaton, Undecided
from unlike.regex.cover import PRESETS, Cover, Heuristics
from unlike.regex.match import matches
from unlike.regex.near_miss import near_misses
from unlike.regex.tree import Pattern, parse

SHORT = ["".join(text) for length in range(5) for text in itertools.product(ALPHABET, repeat=length)]
MORE = [*SHORT, "A", "aB", "\n", "a\n", "\na", "a\nb", "b\n"]


def matching(pattern: Pattern, texts: list[str]) -> list[str]:
    return [text for text in texts if pattern.matches(text)]


@pytest.mark.parametrize("seed", few_of(range(6), 1))
def test_automaton_and_matcher_accept_exactly_what_python_accepts(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(50):
        pattern = parse(random_pattern(rng))
        expected = matching(pattern, MORE)
        if not pattern.exact:
            continue

        automaton = Automaton.of(pattern)
        by_automaton = [text for text in MORE if automaton.accepts(text)]
        by_matcher = [text for text in MORE if matches(pattern, text)]

        assert by_automaton == expected, pattern.text
        assert by_matcher == expected, pattern.text


def with_references(rng: random.Random, depth: int) -> Pattern:
    """A random pattern with a conditional or a back-reference."""
    while True:
        text = random_pattern(rng, depth=depth, references=True)
        if "(?(" in text or "(?:\\" in text:
            return parse(text)


def said_by_python(pattern: Pattern) -> list[str] | None:
    """The short texts that match, or nothing where Python's matcher loses its way among its groups."""
    try:
        return [text for text in MORE if pattern.compiled.fullmatch(text)]
    except SystemError:
        return None


@pytest.mark.parametrize("seed", few_of(range(4), 1))
def test_conditionals_that_are_decided_mean_what_python_means(seed: int) -> None:
    rng, seen = random.Random(300 + seed), 0
    while seen < 20:
        pattern = with_references(rng, 2)
        if not pattern.exact or (expected := said_by_python(pattern)) is None:
            continue
        seen += 1

        automaton = Automaton.of(pattern)

        assert [text for text in MORE if automaton.accepts(text)] == expected, pattern.text
        assert [text for text in MORE if matches(pattern, text)] == expected, pattern.text


@pytest.mark.corpus
@pytest.mark.parametrize("seed", few_of(range(2), 1))
def test_back_references_and_conditionals_are_generated_checked_and_never_called_complete_wrongly(seed: int) -> None:
    rng, disagreed = random.Random(400 + seed), []
    for _ in range(25):
        pattern = with_references(rng, 2)
        expected = said_by_python(pattern)
        cover = Cover(pattern)
        if expected is None or cover.choices > 40:
            continue

        texts = [each.text for each in cover.first(20)]

        assert all(pattern.compiled.fullmatch(text) for text in texts), pattern.text
        if cover.complete and not texts:
            assert not expected, pattern.text
        if [text for text in MORE if matches(pattern, text)] != expected:
            disagreed.append(pattern.text)
    # Python keeps what a group captured on a way that it gave up; the independent matcher does not
    assert len(disagreed) <= 1, disagreed


@pytest.mark.parametrize("seed", few_of(range(3), 1))
def test_the_language_of_a_pattern_is_exactly_its_matching_strings_in_order_of_length(seed: int) -> None:
    rng = random.Random(seed)
    alphabet = Automaton.of(parse("[ab-]*"))
    for _ in range(50):
        pattern = parse(random_pattern(rng))
        if not pattern.exact:
            continue
        automaton = Automaton.of(pattern).intersect(alphabet)

        for length in range(4):
            texts = [automaton.at(length, index) for index in range(automaton.count(length))]

            assert sorted(texts) == sorted(matching(pattern, [text for text in SHORT if len(text) == length]))


def some_heuristics(rng: random.Random, pattern: str) -> Heuristics:
    heuristics = PRESETS[rng.choice(sorted(PRESETS))]
    if heuristics.classes == "characters" and any(char in pattern for char in ".^wW"):
        heuristics = PRESETS["default"]  # a million characters are too many for this test
    return dataclasses.replace(heuristics, most=2, combine=rng.choice(["all", "all", "each", "pairs"]))


def small_covers(seed: int, wanted: int) -> list[Cover]:
    rng = random.Random(seed)
    covers: list[Cover] = []
    while len(covers) < wanted:
        text = random_pattern(rng, depth=2)
        pattern = parse(text)
        try:
            cover = Cover(pattern, some_heuristics(rng, text))
        except Undecided:
            continue
        if pattern.exact and cover.choices <= 100:
            covers.append(cover)
    return covers


@pytest.mark.parametrize("seed", few_of(range(4), 1))
def test_automaton_and_matcher_agree_on_which_choices_derive_a_text(seed: int) -> None:
    for cover in small_covers(seed, 25):
        texts = matching(cover.pattern, SHORT)
        for choice in itertools.islice(spread_indices(cover.choices), 16):
            language = cover.within(choice)

            derived = [text for text in SHORT if language.accepts(text)]

            assert derived == [text for text in texts if cover.derives(choice, text)], (cover.pattern.text, choice)


@pytest.mark.parametrize("seed", few_of(range(4), 1))
def test_every_matching_text_is_derived_by_a_combination(seed: int) -> None:
    for cover in small_covers(100 + seed, 10):
        full = Cover(cover.pattern)
        for text in matching(full.pattern, SHORT):
            assert full.labels_of(text), (full.pattern.text, text)


@pytest.mark.parametrize("seed", few_of(range(4), 1))
def test_every_choice_has_a_string_of_its_own_or_provably_none(seed: int) -> None:
    for cover in small_covers(200 + seed, 40):
        settled = cover.settled
        texts = [each.text for each in settled.found]

        assert len(set(texts)) == len(texts)
        assert [each.text for each in cover.first()] == texts  # also where that is had without settling
        assert all(cover.pattern.matches(each.text) for each in settled.found)
        assert all(cover.derives(each.choice, each.text) for each in settled.found)
        assert not settled.undecided
        assert len(texts) + len(settled.impossible) + len(settled.same) == cover.choices
        for each in settled.impossible:
            assert not any(cover.derives(each.choice, text) for text in matching(cover.pattern, SHORT))
        for each in settled.same:  # all its texts stand for other choices
            language = cover.within(each.choice)
            assert language.total() is not None
            assert set(language.texts()) <= set(texts), (cover.pattern.text, each)


@pytest.mark.parametrize("seed", few_of(range(2), 1))
def test_a_near_miss_fails_and_no_two_are_the_same(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(25):
        pattern = parse(random_pattern(rng, depth=2))

        found = near_misses(pattern).found

        assert len({each.text for each in found}) == len(found)
        assert not any(pattern.matches(each.text) for each in found)
