"""Classes whose objects keep others: through the constructor, in a field, weakly, in what they cannot show."""

from __future__ import annotations

import functools
import threading
import time
import weakref
from pathlib import Path
from types import FunctionType
from typing import NamedTuple

KNOWN_BY_NAME = FunctionType  # whose `__defaults__` is a descriptor


class Bolt:
    """A size."""

    def __init__(self, size: int) -> None:
        self.size = size


class Frame:
    """Keeps the bolt it is made with."""

    def __init__(self, bolt: Bolt) -> None:
        self.bolt = bolt

    def swap(self, bolt: Bolt) -> None:
        self.bolt = bolt

    def first(self) -> Bolt:
        return self.bolt


class Chain:
    """A list made by its constructor alone."""

    def __init__(self, tail: Chain | None = None) -> None:
        self.tail = tail


class Clock:
    """Changed by those who keep it."""

    def __init__(self) -> None:
        self.time = 0


class Limiter:
    """Remembers when it was asked, and turns the clock."""

    def __init__(self, clock: Clock) -> None:
        self.clock = clock
        self.last = -1

    def wait(self) -> None:
        self.clock.time = min(self.clock.time + 1, 2)

    def allow(self) -> bool:
        before, self.last = self.last, self.clock.time
        return before != self.last


class Twig:
    """Knows its parent weakly."""

    def __init__(self, name: bool) -> None:
        self.name = name
        self.parent: weakref.ref[Twig] | None = None
        self.kids: list[Twig] = []

    def adopt(self, kid: Twig) -> None:
        if kid is self or kid.parent is not None:
            raise ValueError("has a parent")
        kid.parent = weakref.ref(self)
        self.kids.append(kid)


class Basket:
    """Nobody can supply what it takes."""

    def __init__(self) -> None:
        self.things: list[object] = []

    def put(self, thing: weakref.ref[object]) -> None:
        self.things.append(thing)


class Locked:
    """A counter behind a lock, which shows nothing."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self.number = 0

    def add(self) -> None:
        with self._lock:
            self.number = min(self.number + 1, 2)

    def stay(self) -> None:
        if self.number == 2:
            time.sleep(60)


class Pair(NamedTuple):
    """A value with named parts."""

    left: int
    right: int = 0

    def flipped(self) -> Pair:
        return Pair(self.right, self.left)


class Area:
    """Forgets to drop what it has computed."""

    def __init__(self) -> None:
        self.side = 1

    @functools.cached_property
    def square(self) -> int:
        return self.side * self.side

    def widen(self) -> None:
        self.side = 2

    def is_sound(self) -> bool:
        return vars(self).get("square", self.side * self.side) == self.side * self.side


class Turns:
    """Numbers what it takes in; it must give something away before it can take more."""

    def __init__(self) -> None:
        self.waiting: list[int] = []
        self.taken = 0

    def push(self) -> None:
        self.waiting.append(self.taken)
        self.taken += 1

    def pop(self) -> int:
        return self.waiting.pop(0)


class LockFile:
    """Takes a file that may be there only once: made again by its calls, it is refused."""

    def __init__(self) -> None:
        self.file: object = None

    def take(self) -> None:
        if self.file is None:
            self.file = Path("lock").open("x")  # noqa: SIM115  # an open file cannot be made again but by calls

    def is_taken(self) -> bool:
        return self.file is not None
