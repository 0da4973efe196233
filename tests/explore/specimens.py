"""Small classes under test, each with one peculiarity."""

from __future__ import annotations

import abc
import enum
import itertools
import random
import threading
from collections.abc import Iterator
from typing import Any, ClassVar, Literal


class Pile:
    """At most two ints, taken from the top."""

    def __init__(self) -> None:
        self.items: list[int] = []

    def put(self, value: int) -> None:
        if len(self.items) == 2:
            raise ValueError("full")
        self.items.append(value)

    def take(self) -> int:
        return self.items.pop()

    def peek(self) -> int | None:
        return self.items[-1] if self.items else None

    def __len__(self) -> int:
        return len(self.items)


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


class Everything:
    """Every kind of parameter and operation."""

    total = 0

    def __init__(self, colour: Colour, *, loud: bool = False) -> None:
        self.colour = colour
        self.loud = loud
        self._size = 0

    @classmethod
    def green(cls) -> Everything:
        return cls(Colour.GREEN)

    @staticmethod
    def of(name: str) -> Everything:
        return Everything(Colour.RED if name == "a" else Colour.GREEN)

    @property
    def size(self) -> int:
        return self._size

    @size.setter
    def size(self, size: int) -> None:
        self._size = size

    @size.deleter
    def size(self) -> None:
        self._size = 0

    def many(self, *values: int) -> int:
        return len(values)

    def named(self, *, low: int, high: int = 1) -> int:
        return low + high

    def optional(self, first: int = 0, second: str = "x") -> str:
        return second * first

    def untyped(self, value) -> None:  # type: ignore[no-untyped-def]
        del value

    def unknown(self, lock: threading.Lock) -> None:
        del lock

    def untyped_default(self, value=2) -> int:  # type: ignore[no-untyped-def]
        return value * 2

    def __setitem__(self, key: int, value: bool) -> None:
        self._size = key if value else 0

    def __iadd__(self, other: int) -> Everything:
        self._size = other
        return self

    def _private(self) -> None: ...


class Inherited(Pile):
    def double(self) -> None:
        for value in list(self.items):
            self.put(value)


class Bag:
    """Takes and returns objects of its own class."""

    def __init__(self) -> None:
        self.members: set[int] = set()

    def add(self, value: int) -> None:
        self.members.add(value)

    def union(self, other: Bag) -> Bag:
        made = Bag()
        made.members = self.members | other.members
        return made

    def drain(self, other: Bag) -> None:
        self.members |= other.members
        other.members.clear()


def merged(first: Bag, second: Bag) -> Bag:
    return first.union(second)


def singleton(value: int) -> Bag:
    bag = Bag()
    bag.add(value)
    return bag


class Counter:
    """Grows without end in a field that no one needs."""

    def __init__(self) -> None:
        self.flag = False
        self.version = 0

    def flip(self) -> None:
        self.flag = not self.flag
        self.version += 1


class Failing:
    """One way of going wrong per method."""

    def __init__(self) -> None:
        self.value = 0
        self.log: list[int] = []

    def set(self, value: int) -> None:
        self.value = value

    def refuse(self, value: int) -> None:
        if value == 1:
            raise ValueError("not 1")

    def check_elsewhere(self, value: int) -> None:
        self._checked(value)

    def _checked(self, value: int) -> None:
        if value == 1:
            raise ValueError("not 1")

    def stumble_below(self, value: int) -> None:
        self._look(value)

    def _look(self, value: int) -> int:
        return {0: 0}[value]

    def change_and_refuse(self, value: int) -> None:
        self.log.append(value)
        if value == 1:
            raise ValueError("too late")
        self.log.pop()

    def divide(self, value: int) -> float:
        return 1 / (self.value - value + 1)

    def assert_it(self, value: int) -> None:
        assert value != self.value + 1, "one"  # of the object, too: of arguments alone it would be a refusal

    def leave(self) -> None:
        raise SystemExit(3)

    def recurse(self) -> None:
        self.recurse()


class Broken:
    """Breaks its invariant at 2."""

    def __init__(self) -> None:
        self.value = 0

    def grow(self) -> None:
        self.value += 1

    def rep_ok(self) -> bool:
        return self.value < 2


class Dice:
    def __init__(self) -> None:
        self.value = 0

    def roll(self) -> None:
        self.value = random.randrange(1000)


class Registered:
    """Keeps state outside its objects."""

    made = 0
    names: ClassVar[list[int]] = []

    def __init__(self) -> None:
        self.flag = False

    def note(self, value: int) -> None:
        Registered.made += 1
        self.flag = True
        Registered.names.append(value)


class Nil:
    """A sentinel known by identity, as leaves of trees are."""

    def __init__(self) -> None:
        self.next: Any = None


NIL = Nil()


class Chain:
    def __init__(self) -> None:
        self.first: Any = NIL

    def add(self, value: int) -> None:
        link = Link(value)
        link.next = self.first
        self.first = link

    def length(self) -> int:
        count, node = 0, self.first
        while node is not NIL:
            count, node = count + 1, node.next
        return count


class Link:
    def __init__(self, value: int) -> None:
        self.value = value
        self.next: Any = NIL


class Tape:
    """Gives out a view into itself."""

    def __init__(self) -> None:
        self.cells = [0, 0]

    def head(self) -> Head:
        return Head(self)

    def __iter__(self) -> Iterator[int]:
        yield from self.cells


class Head:
    def __init__(self, tape: Tape) -> None:
        self.tape = tape
        self.place = 0

    def move(self) -> None:
        self.place = 1 - self.place

    def write(self, value: bool) -> None:
        self.tape.cells[self.place] = int(value)


class Halfway:
    """Holds a computation half done: nothing of it can be seen."""

    def __init__(self) -> None:
        self.steps = iter_steps()
        self.count = 0

    def step(self) -> None:
        self.count = 1


class LaterHalfway:
    """Holds such a computation only after one of its calls."""

    def __init__(self) -> None:
        self.count = 0

    def step(self) -> None:
        self.count = min(self.count + 1, 3)

    def begin(self) -> None:
        self.steps = iter_steps()


def iter_steps() -> Iterator[int]:
    yield 1


class Locked:
    """Holds an object that shows nothing."""

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.on = False

    def switch(self) -> None:
        self.on = not self.on


class Slow:
    """Never comes back from one of its calls."""

    def __init__(self) -> None:
        self.value = 0

    def set(self, value: int) -> None:
        self.value = value

    def wait(self) -> None:
        if self.value == 2:
            for _ in itertools.count():
                pass


class Abstract(abc.ABC):
    @abc.abstractmethod
    def area(self) -> float: ...


class Unmakeable:
    def __init__(self, lock: threading.Lock) -> None:
        self.lock = lock


class Picky:
    def __init__(self, value: int) -> None:
        raise ValueError(f"{value} will not do")


class Wide:
    def __init__(self) -> None:
        self.cells = [0] * 9


class Loud:
    def __init__(self) -> None:
        print("made")
        self.hoarse = False

    def shout(self) -> None:
        print("loud")
        self.hoarse = True


class Wheels:
    """As many states as three wheels have places."""

    def __init__(self) -> None:
        self.places = [0, 0, 0]

    def first(self, place: int) -> None:
        self.places[0] = place

    def second(self, place: int) -> None:
        self.places[1] = place

    def third(self, place: int) -> None:
        self.places[2] = place


class Once:
    """Fails the first time, and never again."""

    failed = False

    def __init__(self) -> None:
        self.value = 0

    def set(self, value: int) -> None:
        if not Once.failed:
            Once.failed = True
            raise RuntimeError("only once")
        self.value = value


GUARD = Nil()


class Guarded:
    """Writes into the sentinel that all its objects share."""

    def __init__(self) -> None:
        self.first: Any = GUARD

    def add(self, value: int) -> None:
        link = Link(value)
        link.next = self.first
        self.first = GUARD.next = link


class Words:
    """A set of strings: its order differs from run to run."""

    def __init__(self) -> None:
        self.words: set[str] = set()

    def add(self, word: str) -> None:
        self.words.add(word)

    def all(self) -> list[str]:
        return sorted(self.words)


class Switches:
    """Sixteen switches that may be left out: 65,536 ways to make one."""

    def __init__(
        self,
        a: Literal[True] | None = None, b: Literal[True] | None = None, c: Literal[True] | None = None, d: Literal[True] | None = None,
        e: Literal[True] | None = None, f: Literal[True] | None = None, g: Literal[True] | None = None, h: Literal[True] | None = None,
        i: Literal[True] | None = None, j: Literal[True] | None = None, k: Literal[True] | None = None, l: Literal[True] | None = None,  # noqa: E741
        m: Literal[True] | None = None, n: Literal[True] | None = None, o: Literal[True] | None = None, p: Literal[True] | None = None,
    ) -> None:  # fmt: skip
        self.on = sum(each is not None for each in (a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p))
