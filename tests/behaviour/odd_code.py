"""Code that is hard to look at: it hangs, recurses, mutates, remembers, patches, reads itself, ends its process …"""

from __future__ import annotations

import asyncio
import builtins
import contextlib
import functools
import inspect
import os
import sys
import threading
import typing
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Any

COUNT = 0
TEXTS: list[str] = []


def hangs(n: int) -> int:
    while n == 3:
        pass
    return 1 if n > 3 else 0


def recurses(n: int) -> int:
    return recurses(n + 1) if n > 2 else n


def mutates(items: list[int]) -> bool:
    while items:
        items.pop()
    return len(items) == 0


def uses_globals(n: int) -> object:
    global COUNT
    COUNT += 1
    TEXTS.append("x")
    return "even" if COUNT % 2 else n


def generates(n: int) -> Iterator[int]:
    for each in range(n):
        if each == 2:
            yield -1
        yield each


def endless(n: int) -> Iterator[int]:
    while True:
        yield 1 if n > 3 else 0


async def waits(n: int) -> str:
    await asyncio.sleep(0)
    return "large" if n > 3 else "small"


async def generates_later(n: int) -> AsyncIterator[int]:
    if n > 3:
        yield 1
    yield 0


@contextlib.contextmanager
def manages(n: int) -> Iterator[int]:
    yield 1 if n > 3 else 0


def unwrapped(function: Callable[[int], int]) -> Callable[[int], int]:
    def inner(n: int) -> int:
        return function(n)

    return inner


@unwrapped
def decorated(n: int) -> int:
    return 1 if n > 3 else 0


@functools.lru_cache
def cached(n: int) -> int:
    return 1 if n > 3 else 0


def nested(n: int) -> int:
    def inner(m: int) -> int:
        return 1 if m > 3 else 0

    return inner(n)


@typing.overload
def overloaded(n: int) -> int: ...
@typing.overload
def overloaded(n: str) -> str: ...
def overloaded(n: Any) -> Any:
    return 1 if n > 3 else 0


@functools.singledispatch
def dispatched(n: object) -> int:
    return 0


@dispatched.register
def _(n: int) -> int:
    return 1 if n > 3 else 0


def reads_itself(n: int) -> int:
    return 1 if "def reads_itself" in inspect.getsource(reads_itself) and n > 3 else 0


def looks_at_its_code(n: int) -> object:
    return looks_at_its_code.__code__.co_name if n > 3 else looks_at_its_code.__code__.co_varnames


def leaves(n: int) -> int:
    if n > 3:
        sys.exit(3)
    return n


def ends(n: int) -> int:
    if n == 5:
        os._exit(4)
    return 1 if n > 3 else 0


def starts_threads(n: int) -> int:
    thread = threading.Thread(target=lambda: None)
    thread.start()
    thread.join()
    return 1 if n > 3 else 0


def closes_output(n: int) -> int:
    print("x" * n)
    sys.stdout = None  # type: ignore[assignment]
    return 1 if n > 3 else 0


def patches(n: int) -> int:
    builtins.len = lambda _: 3  # type: ignore[assignment, arg-type]
    return 1 if n > 3 else 0


def traces(n: int) -> int:
    sys.settrace(lambda *_: None)
    return 1 if n > 3 else 0


def removes_itself(n: int) -> int:
    globals().pop("removes_itself", None)
    return 1 if n > 3 else 0


def replaces_itself(n: int) -> int:
    replaces_itself.__code__ = nested.__code__
    return 1 if n > 3 else 0


def asks_for_all_memory(n: int) -> object:
    return [0] * 10**12 if n > 3 else 0


def is_starred(*ns: int) -> int:
    return 1 if ns[0] > 3 else 0


def takes_any_name(**ns: int) -> int:
    return 1 if ns["n"] > 3 else 0


class Machine:
    """Called in every way that a class can be."""

    def __init__(self, n: int = 0) -> None:
        if n > 3:
            raise ValueError(n)

    def __call__(self, n: int) -> int:
        return 1 if n > 3 else 0

    def method(self, n: int) -> int:
        return 1 if n > 3 else 0

    @classmethod
    def of_class(cls, n: int) -> int:
        return 1 if n > 3 else 0

    @staticmethod
    def static(n: int) -> int:
        return 1 if n > 3 else 0


class Shy:
    """Lies about itself."""

    __name__ = property(lambda self: 1 / 0)

    def __getattr__(self, name: str) -> object:
        raise AttributeError(name)

    def __call__(self, n: int) -> int:
        return 1 if n > 3 else 0


made_later: dict[str, Callable[[int], int]] = {}
exec("def made(n):\n    return 1 if n > 3 else 0", made_later)
