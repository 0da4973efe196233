"""What stands for functions, iterators and what is awaited: objects that give what is asked, and can be told again.

They are no dataclasses: `model_dump` would take those apart, and its class refuse what is left of a function.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Generator, Iterator
from typing import Any


class HoldingValue:
    """An object that holds a value; two of one class are equal if their values are."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and self.value == other.value

    def __hash__(self) -> int:
        return hash((type(self), self.value))

    def __repr__(self) -> str:
        return f"{type(self).__name__}(value={self.value!r})"


class Returning(HoldingValue):
    """A function of any arguments that returns a value.

    >>> Returning(3)("any", argument=True)
    3
    """

    def __call__(self, *_: object, **__: object) -> Any:
        """Return the value."""
        return self.value


class Awaited(HoldingValue):
    """What gives a value when it is awaited, as often as one likes."""

    def __await__(self) -> Generator[None, None, Any]:
        """Give the value without waiting."""
        yield from ()
        return self.value


class Iterating:
    """An iterator over given items, which shows them."""

    def __init__(self, items: list[Any]) -> None:
        self.items = items
        self.position = 0

    def __iter__(self) -> Iterator[Any]:
        """Return itself, as iterators do."""
        return self

    def __next__(self) -> Any:
        """Return the next item."""
        if self.position == len(self.items):
            raise StopIteration
        self.position += 1
        return self.items[self.position - 1]

    def __eq__(self, other: object) -> bool:
        return type(other) is type(self) and (self.items, self.position) == (other.items, other.position)

    __hash__ = None  # type: ignore[assignment]

    def __repr__(self) -> str:
        return f"{type(self).__name__}(items={self.items!r})"


class AsyncIterating(Iterating):
    """The same for `async for`."""

    def __aiter__(self) -> AsyncIterator[Any]:
        """Return itself, as iterators do."""
        return self

    async def __anext__(self) -> Any:
        """Return the next item without waiting."""
        for item in self:
            return item
        raise StopAsyncIteration
