"""What stands for functions, iterators and what is awaited: objects that give what is asked, and can be told again."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Returning:
    """A function of any arguments that returns a value.

    >>> Returning(3)("any", argument=True)
    3
    """

    value: Any

    def __call__(self, *_: object, **__: object) -> Any:
        """Return the value."""
        return self.value


@dataclass(frozen=True)
class Awaited:
    """What gives a value when it is awaited, as often as one likes."""

    value: Any

    def __await__(self) -> Generator[None, None, Any]:
        """Give the value without waiting."""
        yield from ()
        return self.value


@dataclass
class Iterating:
    """An iterator over given items, which shows them."""

    items: list[Any]
    position: int = field(default=0, init=False, repr=False)

    def __iter__(self) -> Iterator[Any]:
        """Return itself, as iterators do."""
        return self

    def __next__(self) -> Any:
        """Return the next item."""
        if self.position == len(self.items):
            raise StopIteration
        self.position += 1
        return self.items[self.position - 1]
