"""What the validators of a field mention: values that may be the ones they want."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from unlike.indexed import in_growing_turns
from unlike.regex.automaton import Automaton, Undecided
from unlike.regex.language import Language
from unlike.regex.tree import PatternError, parse


@dataclass(frozen=True, slots=True)
class Mentioned:
    """Patterns that texts may be held against, and numbers, in the order in which validators mention them."""

    patterns: tuple[str, ...] = ()
    numbers: tuple[int | float, ...] = ()

    def texts(self, every: Automaton, least: int, most: int) -> Iterator[str]:
        """Yield texts of a language: first those that match as many patterns as can be, then those that match one."""
        together, alone = Language(every, least, most), list[Language]()
        for pattern in self.patterns:
            try:
                wanted = _automaton_of(pattern)
                alone.append(Language(every.intersect(wanted), least, most))
                both = Language(together.automaton.intersect(wanted), least, most)
            except (Undecided, PatternError):
                continue
            together = both if both.count() else together
        yield from itertools.chain(
            itertools.islice(together.spread_texts(), 1),
            in_growing_turns(each.spread_texts() for each in [together, *alone] if each.count()),
        )


@functools.lru_cache(maxsize=256)
def _automaton_of(pattern: str) -> Automaton:
    return Automaton.of(parse(pattern))
