"""Values that are made when they are first asked for."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from typing import TypeAlias

from unlike.structure.mentioned import Mentioned

Narrow: TypeAlias = Callable[[Mentioned], Iterator[object]]
HUGE = 10**40  # how many texts there are at most, where nobody will count them


class Stream:
    """Values in readable order, made when first asked for and kept.

    `size` tells how many there are at most, HUGE where some are left out that nobody could list. `narrow` gives those
    of them that a validator mentions.
    """

    __slots__ = ("_rest", "_values", "narrow", "size")

    def __init__(
        self, values: Iterator[object], size: Callable[[], int] = lambda: HUGE, narrow: Narrow | None = None
    ) -> None:
        self._rest, self.size, self.narrow = values, size, narrow
        self._values: list[object] = []

    def at(self, index: int) -> object:
        """Return the value at the index; past the end begin again."""
        self._reach(index)
        return self._values[index % len(self._values)]

    def is_empty(self) -> bool:
        """Tell whether there is no value at all."""
        return not self._reach(0)

    def all(self) -> Iterator[object]:
        """Yield every value once."""
        index = 0
        while self._reach(index):
            yield self._values[index]
            index += 1

    def _reach(self, index: int) -> bool:
        """Read on up to the index; tell whether there is a value."""
        if len(self._values) <= index:
            self._values += itertools.islice(self._rest, index + 1 - len(self._values))
        return index < len(self._values)
