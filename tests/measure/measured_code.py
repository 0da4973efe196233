"""Code that is measured in tests: small, and with every construct that a switch has to go around."""

from __future__ import annotations

import ast

CART = '''"""A cart."""

LIMIT = 2


def price(count: int, each: int = 3) -> int:
    if count > LIMIT:
        return LIMIT * each
    return count * each


class Cart:
    most = 2

    def __init__(self) -> None:
        self._items: list[int] = []

    def add(self, item: int) -> int:
        if len(self._items) >= self.most:
            raise ValueError("full")
        self._items.append(item)
        return len(self._items)

    def clear(self) -> None:
        while self._items:
            self._items.pop()

    def first(self) -> int | None:
        return self._items[0] if self._items else None

    def sorted(self) -> bool:
        return self._items == sorted(self._items) or not self._items
'''

ODD = '''"""Constructs that a switch has to go around."""

import asyncio
import functools

calls = 0
TABLE = {"a": 1, "b": 2}


def twice(function):
    @functools.wraps(function)
    def inner(*args):
        return function(*args) * 2
    return inner


def count(step: int = 1) -> int:
    """Count the calls."""
    global calls
    before = calls
    calls = before + step
    result = calls - before
    calls = 0
    return result


def counter(start: int):
    at = start

    def go() -> int:
        nonlocal at
        at += 1
        return at

    return [go(), go()]


def evens(limit: int):
    for number in range(limit):
        if number % 2:
            continue
        yield number
        if number > 3:
            break


@twice
def length(text: str, *more: str) -> int:
    return len(text[1:]) + len(more)


async def later(number: int) -> int:
    await asyncio.sleep(0)
    return number + 1


def lookup(name: str) -> int:
    try:
        return TABLE[name]
    except KeyError:
        return -1
    finally:
        pass


def kind(value: int | str) -> str:
    match value:
        case 0:
            return "nothing"
        case int() if value > 2:
            return f"many {value + 1}"
        case _:
            return "other"


class Base:
    def __init__(self, size: int) -> None:
        self.size = size

    def grow(self) -> int:
        self.size += 1
        return self.size


class Derived(Base):
    def grow(self) -> int:
        return super().grow() if self.size < 2 else max(self.size, 2)

    @staticmethod
    def pair(one: int, other: int) -> tuple[int, int]:
        return divmod(one, other) if other else (0, 0)

    @property
    def double(self) -> int:
        return -self.size if self.size > 3 else self.size * 2
'''


def inputs_of(odd: str) -> list[str]:
    """Return calls of the odd constructs, as expressions."""
    assert ast.parse(odd)
    return [
        *("count()", "count(4)", "counter(2)", "list(evens(0))", "list(evens(9))", "length('abc')", "length('', 'b')"),
        *("asyncio.run(later(3))", "lookup('a')", "lookup('z')", "kind(0)", "kind(5)", "kind(2)", "kind('x')"),
        *("Derived(1).grow()", "Derived(3).grow()", "Derived.pair(5, 2)", "Derived.pair(5, 0)"),
        *("Derived(4).double", "Derived(2).double"),
    ]
