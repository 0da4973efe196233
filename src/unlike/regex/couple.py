"""Pairs of strings from two languages that stand in given relations, found exactly.

Where one string is a part of the other, the language of the longer one is narrowed to those that have such a
part: if nothing is left, no pair exists. Its strings are then taken shortest first, and their parts are
looked at one by one. Relations that forbid are checked on the way. "No pair" is said only when everything
was looked at or the narrowed language is empty.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from unlike.regex.automaton import Automaton, TooLarge

Tie: TypeAlias = Literal["equal", "different", "prefix", "suffix", "part", "not prefix", "not suffix", "not part"]

MAX_PAIRS = 20_000  # of strings that are looked at before the question stays open

HOLDS: dict[Tie, Callable[[str, str], bool]] = {
    "equal": lambda x, y: x == y,
    "different": lambda x, y: x != y,
    "prefix": lambda x, y: y.startswith(x),
    "suffix": lambda x, y: y.endswith(x),
    "part": lambda x, y: x in y,
    "not prefix": lambda x, y: not y.startswith(x),
    "not suffix": lambda x, y: not y.endswith(x),
    "not part": lambda x, y: x not in y,
}
_POSITIVE: tuple[Tie, ...] = ("equal", "prefix", "suffix", "part")


@dataclass(frozen=True, slots=True)
class Lengths:
    """By how much the second string is longer than the first: least and most; negative means shorter."""

    least: int | None = None
    most: int | None = None

    def hold(self, x: str, y: str) -> bool:
        """Say whether the lengths of the two strings are as asked."""
        longer = len(y) - len(x)
        return (self.least is None or self.least <= longer) and (self.most is None or longer <= self.most)


ANY_LENGTHS = Lengths()


def pairs(
    first: Automaton,
    second: Automaton,
    ties: Sequence[Tie],
    *,
    lengths: Lengths = ANY_LENGTHS,
    sizes: tuple[int, int | None] = (0, None),
    limit: int = MAX_PAIRS,
) -> Iterator[tuple[str, str]]:
    """Yield every pair (x, y) in which each tie holds, as "x is a prefix of y"; none twice.

    `sizes` are the least and the most characters of y: cheaper than a language that counts them itself. The end of
    the iteration is a proof that no more exist. After so many pairs that do not hold in a row TooLarge is raised, which
    proves nothing.
    """
    missed = 0
    for x, y in _candidates(first, second, ties, sizes):
        if lengths.hold(x, y) and all(HOLDS[tie](x, y) for tie in ties):
            missed = 0
            yield x, y
            continue
        missed += 1
        if missed >= limit:
            raise TooLarge(f"{limit:,} pairs in a row do not hold, and there are more")


def _candidates(
    first: Automaton, second: Automaton, ties: Sequence[Tie], sizes: tuple[int, int | None]
) -> Iterator[tuple[str, str]]:
    """Yield pairs among which are all that hold, short ones first."""
    positive = [tie for tie in ties if tie in _POSITIVE]
    if not positive:
        yield from _all_pairs(first.texts(), second.texts(*sizes))
        return
    narrowed = second
    for tie in positive:
        narrowed = narrowed.intersect(wholes_of(first, tie))
    for y in narrowed.texts_readily(*sizes):
        for x in _parts(y, positive[0]):
            if first.accepts(x):
                yield x, y


@functools.lru_cache(maxsize=256)
def wholes_of(language: Automaton, tie: Tie) -> Automaton:
    """Return the texts that have a text of the language in the given place."""
    anything = Automaton.everything()
    match tie:
        case "equal":
            return language
        case "prefix":
            return language.concatenate(anything)
        case "suffix":
            return anything.concatenate(language)
        case _:
            return anything.concatenate(language).concatenate(anything)


def _parts(text: str, tie: Tie) -> Iterator[str]:
    """Yield the texts that stand in the relation to the text, each once."""
    size = len(text)
    match tie:
        case "equal":
            return iter((text,))
        case "prefix":
            return (text[:end] for end in range(size + 1))
        case "suffix":
            return (text[start:] for start in range(size, -1, -1))
        case _:
            every = (text[start : start + width] for width in range(size + 1) for start in range(size - width + 1))
            return iter(dict.fromkeys(every))


def _all_pairs(first: Iterator[str], second: Iterator[str]) -> Iterator[tuple[str, str]]:
    """Yield every pair, walking both at the same pace."""
    ours, theirs = list[str](), list[str]()
    for x, y in itertools.zip_longest(first, second):
        if x is not None:
            yield from ((x, other) for other in theirs)
            ours.append(x)
        if y is not None:
            yield from ((other, y) for other in ours)
            theirs.append(y)
        if (not ours and x is None) or (not theirs and y is None):
            return
