"""Classes whose objects need more than the scope has on the way: more room, or another value."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any


class History:
    """What was done, and what was undone."""

    past: list[int]
    future: list[int]

    def __init__(self) -> None:
        self.past, self.future = [], []

    def do(self, what: int) -> None:
        self.past.append(what)
        self.future.clear()

    def undo(self) -> None:
        if self.past:
            self.future.append(self.past.pop())

    def redo(self) -> None:
        if self.future:
            self.past.append(self.future.pop())

    def rep_ok(self) -> bool:
        return True


class Halved:
    """It drops half of what it holds once that is six, and remembers it."""

    items: list[bool]
    was_halved: bool

    def __init__(self) -> None:
        self.items, self.was_halved = [], False

    def add(self, item: bool) -> None:
        self.items.append(item)
        if len(self.items) == 6:
            del self.items[3:]
            self.was_halved = True

    def clear(self) -> None:
        self.items.clear()

    def rep_ok(self) -> bool:
        return len(self.items) < 6


class Words:
    """A set of words in which the empty one is a flag."""

    words: set[str]
    has_empty: bool

    def __init__(self) -> None:
        self.words, self.has_empty = set(), False

    def add(self, word: str) -> None:
        if word:
            self.words.add(word)
        else:
            self.has_empty = True

    def rep_ok(self) -> bool:
        return "" not in self.words


class Magic:
    """It opens at a number that stands in its source."""

    level: int
    is_open: bool

    def __init__(self) -> None:
        self.level, self.is_open = 0, False

    def turn(self, level: int) -> None:
        if level == 42:
            self.is_open = True
        elif 0 <= level < 3:
            self.level = level

    def rep_ok(self) -> bool:
        return self.level < 3


class Never:
    """Nothing opens it: a gap, however far one looks."""

    level: int
    is_open: bool

    def __init__(self) -> None:
        self.level, self.is_open = 0, False

    def turn(self, level: int) -> None:
        if 0 <= level < 3:
            self.level = level

    def rep_ok(self) -> bool:
        return self.level < 3


class Sealed:
    """It grows without end, and is sealed only while it is long; then it may be cut off."""

    items: list[bool]
    is_sealed: bool

    def __init__(self) -> None:
        self.items, self.is_sealed = [], False

    def add(self, item: bool) -> None:
        self.items.append(item)

    def seal(self) -> None:
        self.is_sealed = self.is_sealed or len(self.items) > 3

    def cut(self) -> None:
        del self.items[3:]

    def rep_ok(self) -> bool:
        return True


class Unsealed(Sealed):
    """Nothing cuts it off: short ones that are sealed are a gap, and it grows without end."""

    def cut(self) -> None:
        self.items[3:] = []
        self.is_sealed = False


def brute(cls: type, calls: Iterable[tuple[str, tuple[Any, ...]]], state: Callable[[Any], Any], most: int) -> set[Any]:
    """Return every state that calls lead to, of objects none of whose lists is longer than that: plain breadth-first."""
    calls, found, waiting = list(calls), dict[Any, list[Any]](), list[list[Any]]()

    def visit(steps: list[Any]) -> None:
        thing = cls()
        for name, arguments in steps:
            getattr(thing, name)(*arguments)
        held = [value for value in vars(thing).values() if isinstance(value, list | set)]
        if all(len(value) <= most for value in held) and state(thing) not in found:
            found[state(thing)] = steps
            waiting.append(steps)

    visit([])
    while waiting:
        steps = waiting.pop(0)
        for call in calls:
            visit([*steps, call])
    return set(found)
