"""From a pattern to further texts, beyond those that show its choices: readable ones first, spread over its lengths."""

from __future__ import annotations

import functools
from collections.abc import Iterator

from unlike.core import FOREVER, Deadline
from unlike.indexed import spread_indices
from unlike.regex import chars
from unlike.regex.automaton import Automaton
from unlike.regex.language import Language
from unlike.regex.tree import Pattern

AHEAD = 64  # characters beyond the shortest text that come first; where these texts are used up, four times as many


def further_texts(
    pattern: Pattern, seed: int = 0, deadline: Deadline = FOREVER, *, unicode: bool = False
) -> Iterator[str]:
    """Yield all texts of a pattern, readable ones first; `Undecided` if they cannot be had exactly.

    A text comes once among the readable ones, again among those of printable ASCII, and again among all.
    """
    everything = Automaton.of(pattern, deadline=deadline)
    if not unicode:
        yield from _by_length(everything.readable(), seed)
        yield from _by_length(everything.intersect(Automaton.everything(chars.PRINTABLE)), seed)
    yield from _by_length(everything.intersect(Automaton.everything(chars.WRITABLE)), seed)
    yield from _by_length(everything, seed)


def count_texts(pattern: Pattern, deadline: Deadline = FOREVER) -> int | None:
    """Return how many texts a pattern has, or nothing if there is no end of them."""
    return Automaton.of(pattern, deadline=deadline).total()


def _by_length(automaton: Automaton, seed: int) -> Iterator[str]:
    """Yield the texts of growing lengths, those of one length spread."""
    shortest = automaton.shortest()
    if shortest is None:
        return
    longest = automaton.longest_length()
    least, most = 0, len(shortest) + AHEAD
    while longest is None or least <= longest:
        yield from Language(automaton, least, most).in_turns(functools.partial(_spread_from, seed))
        least, most = most + 1, most * 4


def _spread_from(seed: int, count: int) -> Iterator[int]:
    start = seed * 2654435761 % count if count else 0  # a multiplier that scatters small seeds
    return ((start + index) % count for index in spread_indices(count))
