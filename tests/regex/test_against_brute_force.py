"""Random patterns: automaton, independent matcher and Python's `re` must say the same of every short text."""

import itertools
import random

import pytest
from tests.regex.random_patterns import ALPHABET, random_pattern

from unlike.regex.automaton import Automaton, Undecided
from unlike.regex.match import matches
from unlike.regex.tree import Pattern, parse

SHORT = ["".join(text) for length in range(5) for text in itertools.product(ALPHABET, repeat=length)]
MORE = [*SHORT, "A", "aB", "\n", "a\n", "\na", "a\nb", "b\n"]


def matching(pattern: Pattern, texts: list[str]) -> list[str]:
    return [text for text in texts if pattern.matches(text)]


@pytest.mark.parametrize("seed", range(8))
def test_automaton_and_matcher_accept_exactly_what_python_accepts(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(60):
        pattern = parse(random_pattern(rng, references=True))

        expected = matching(pattern, MORE)

        assert [text for text in MORE if matches(pattern, text)] == expected, pattern.text
        try:
            automaton = Automaton.of(pattern)
        except Undecided:
            assert not pattern.exact, pattern.text
            continue
        assert [text for text in MORE if automaton.accepts(text)] == expected, pattern.text
