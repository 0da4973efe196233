"""All texts of a language within bounds of their length: how many, which one at an index, and in which order.

Counting waits until it is asked for: whether there is a text at all, and the first one, are had without it.
"""

from __future__ import annotations

import bisect
import contextlib
import functools
import itertools
from collections.abc import Callable, Iterable, Iterator

from unlike.core import FOREVER, Deadline
from unlike.indexed import in_growing_turns, spread_indices
from unlike.regex import chars
from unlike.regex.automaton import Automaton, Undecided
from unlike.regex.tree import Pattern

WORD = 5  # the first text of so many characters is read as it stands: "aaaaa"; of more, nobody counts them
LONG = 32  # a longest text of so many characters is read at a glance, and comes second


class Language:
    """All texts of bounded length, counted and reached by index: shortest first, readable first, none twice."""

    __slots__ = ("_counted", "automaton", "lengths")

    def __init__(
        self, source: Pattern | Automaton, min_length: int, max_length: int, *, deadline: Deadline = FOREVER
    ) -> None:
        self.automaton = source if isinstance(source, Automaton) else Automaton.of(source, deadline=deadline)
        self.lengths = [length for length in self.automaton.lengths(max_length) if length >= min_length]
        self._counted: list[int] | None = None

    @property
    def _ends(self) -> list[int]:
        """How many texts there are up to each length: counted when it is first asked for."""
        if self._counted is None:
            self._counted = list(itertools.accumulate(self.automaton.count(length) for length in self.lengths))
        return self._counted

    def first(self) -> str | None:
        """Return the first text, without counting; None if there is none."""
        return self.automaton.first(self.lengths[0]) if self.lengths else None

    def first_of_each_length(self) -> Iterator[str]:
        """Yield the first text of each length, without counting."""
        return _firsts(self.automaton, self.lengths)

    def count(self) -> int:
        """Return how many texts there are."""
        return self._ends[-1] if self._ends else 0

    def accepts(self, text: str) -> bool:
        """Say whether the text is one of them."""
        at = bisect.bisect_left(self.lengths, len(text))
        return at < len(self.lengths) and self.lengths[at] == len(text) and self.automaton.accepts(text)

    def at(self, index: int) -> str:
        """Return the text at the index."""
        if not 0 <= index < self.count():
            raise IndexError(f"text {index} of {self.count()}")
        which = bisect.bisect_right(self._ends, index)
        return self.automaton.at(self.lengths[which], index - (self._ends[which - 1] if which else 0))

    def spread_texts(self, start: int = 0, *, unicode: bool = False) -> Iterator[str]:
        """Yield all texts, readable ones first: a shortest and a longest one, then of all lengths in turns, spread.

        Another start begins elsewhere. With `unicode` all characters are as good as each other.
        """
        plain = self.automaton.intersect(Automaton.everything(chars.WRITABLE)) if unicode else self.automaton.readable()
        yield from self._take_turns(plain, start)
        if plain is not self.automaton:
            others = self.automaton.deadline.each(self._take_turns(self.automaton, start))
            yield from (text for text in others if not plain.accepts(text))

    def _take_turns(self, automaton: Automaton, start: int) -> Iterator[str]:
        lengths = _counts(automaton, self.lengths)
        if not lengths:
            return _firsts(automaton, self.lengths)
        streams = (
            map(functools.partial(automaton.at, length), spread_indices(count, _begin(length, start)))
            for length, count in lengths.items()
        )
        longest = next((length for length in reversed(lengths) if lengths[length]), None)
        if longest is None or longest > LONG or len(lengths) == 1:
            return in_growing_turns(streams)
        text = automaton.at(longest, next(spread_indices(lengths[longest], _begin(longest, start))))
        rest = (each for each in in_growing_turns(streams) if each != text)
        return itertools.chain(itertools.islice(rest, 1), [text], rest)

    def in_turns(self, order: Callable[[int], Iterable[int]] = range) -> Iterator[str]:
        """Yield the texts: one of each length so far, then one more length joins; of a count of texts in this order."""
        counts = _counts(self.automaton, self.lengths)
        if not counts:
            return _firsts(self.automaton, self.lengths)
        return in_growing_turns(
            map(functools.partial(self.automaton.at, length), order(count)) for length, count in counts.items()
        )


def _counts(automaton: Automaton, lengths: Iterable[int]) -> dict[int, int]:
    """Return how many texts there are of each length, up to where they are too many to count."""
    found: dict[int, int] = {}
    with contextlib.suppress(Undecided):
        for length in lengths:
            found[length] = automaton.count(length)
    return found


def _firsts(automaton: Automaton, lengths: Iterable[int]) -> Iterator[str]:
    """Yield the first text of each length, without counting."""
    return (text for length in lengths if (text := automaton.first(length)) is not None)


def _begin(length: int, start: int) -> int:
    """Return where texts of one length begin: long ones within the language, for the first would be one letter."""
    return start + length if length > WORD else start


def printable(min_length: int, max_length: int) -> Language:
    """Return all texts of printable ASCII characters within the bounds: the default space of strings."""
    return Language(Automaton.everything(chars.PRINTABLE), min_length, max_length)
