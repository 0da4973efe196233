"""Code of many kinds, to be watched."""

from __future__ import annotations

import functools
import inspect
import os
import time
from collections.abc import AsyncIterator, Callable, Iterator

LIMIT = 5
MEMORY: list[int] = []


def grade(points: int) -> str:
    if points > 50 and points != 99:
        return "passed"
    return "failed"


def pass_on(number: int) -> str:
    """Be no constant: 12345."""
    print("a message", 12345)
    return "a result"


def within_limit(number: int) -> bool:
    return 0 < number <= LIMIT


def hang(number: int) -> int:
    while number == 3:
        time.sleep(0.01)
    return number


def end(number: int) -> int:
    if number == 2:
        os._exit(3)
    if number == 4:
        raise SystemExit(3)
    return end(number) if number == 5 else number


def fill(items: list[int], number: int) -> list[int]:
    items.append(number)
    if len(items) > 1:
        items.clear()
    return items


def remember(number: int) -> bool:
    MEMORY.append(number)
    return len(MEMORY) > 1


@functools.lru_cache
def cached(number: int) -> int:
    if number > 3:
        return 1
    return 0


def count_up(end: int) -> Iterator[int]:
    for number in range(end):
        if number == 2:
            yield -1
        yield number


async def wait(number: int) -> str:
    if number > 3:
        return "long"
    return "short"


async def ask(number: int) -> AsyncIterator[int]:
    if number > 3:
        yield 1


def plain_decorator(function: Callable[[int], int]) -> Callable[[int], int]:
    def inner(number: int) -> int:
        if number < 0:
            return 0
        return function(number)

    return inner


@plain_decorator
def decorated(number: int) -> int:
    return 1 if number == 7 else 2


@functools.singledispatch
def overloaded(value: object) -> str:
    return "else"


@overloaded.register
def _(value: int) -> str:
    return "small" if value < 10 else "large"


@overloaded.register
def _(value: str) -> str:
    return "empty" if not value else "text"


REGISTRY = {"twice": lambda number: number * 2 if number > 4 else 0}


def looked_up(name: str, number: int) -> int:
    return REGISTRY[name](number)


def outer(number: int) -> int:
    bound = number * 2

    def inner(other: int) -> int:
        if other < bound:
            return other
        return bound

    return inner(10)


def read_itself(number: int) -> bool:
    text = inspect.getsource(read_itself)
    return "def read_itself" in text and number > 3


class Counter:
    """Methods, properties, and operators of all kinds."""

    def __init__(self, number: int) -> None:
        self.number = number

    @property
    def is_large(self) -> bool:
        return self.number > 10

    @classmethod
    def made(cls, number: int) -> Counter:
        return cls(-number) if number < 0 else cls(number)

    @staticmethod
    def double(number: int) -> int:
        return number * 2 if number != 4 else 9

    def __eq__(self, other: object) -> bool:
        MEMORY.append(self.number)
        return isinstance(other, Counter) and self.number == other.number

    __hash__ = None  # type: ignore[assignment]

    def __lt__(self, other: Counter) -> bool:
        return self.number < other.number

    def __call__(self, number: int) -> bool:
        return self.number > number


class Sub(Counter):
    """Calls what is above it."""

    def __init__(self, number: int) -> None:
        if number > 100:
            number = 100
        super().__init__(number)


made_while_running: dict[str, Callable[[int], int]] = {}
exec("def made(number):\n    return 1 if number > 2 else 0", made_while_running)


class Span:
    """With defaults that its objects may keep."""

    years: object = 0
    days: object = 0

    def __init__(self, years: object = None, days: object = None, hours: object = 0) -> None:
        if years is not None:
            self.years = years
        if days is not None:
            self.days = days
        self.hours = hours


class SlottedSpan:
    """The same with slots."""

    __slots__ = ("days", "hours", "years")

    def __init__(self, years: object = 0, days: object = 0, hours: object = 0) -> None:
        self.years, self.days, self.hours = years, days, hours


class Touchy:
    """Does not want to be asked for its truth."""

    def __bool__(self) -> bool:
        raise AssertionError("nobody should ask")
