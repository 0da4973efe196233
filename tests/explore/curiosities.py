"""Classes whose constructors and annotations are hard to read, or that do not do the same again."""

from __future__ import annotations

import enum
import os
import random
from typing import TYPE_CHECKING, Annotated, NamedTuple, NewType, Protocol, Self, TypedDict

if TYPE_CHECKING:
    from collections.abc import Iterator
    from decimal import Decimal

Code = NewType("Code", int)


class Checked:
    """Some of its annotations are known to type checkers only."""

    def __init__(self) -> None:
        self.items: list[int] = []

    def add(self, value: int) -> Iterator[int]:
        self.items.append(value)
        return iter(self.items)

    def pay(self, value: int, price: Decimal) -> None: ...

    def list(self) -> list[int]:
        return self.items

    def put(self, values: list[bool]) -> None: ...

    def code(self, code: Code, plain: Annotated[bool, "on"]) -> None: ...


class Row(TypedDict):
    key: int


class Ordered(Protocol):
    def first(self) -> int: ...


class Asking:
    """Wants what nobody can make."""

    def row(self, row: Row) -> None: ...

    def order(self, order: Ordered) -> None: ...

    def either(self, order: Ordered | int) -> None: ...


class Made:
    """Is made by `__new__`."""

    def __new__(cls, number: int) -> Self:
        made = super().__new__(cls)
        made.number = number
        return made

    number: int

    def absorb(self, other: Self) -> None:
        self.number = max(self.number, other.number)


class Passing(Made):
    """Passes on all it gets."""

    def __new__(cls, *args: object, **kwargs: object) -> Self:
        return super().__new__(cls, 0)

    def __init__(self, flag: bool) -> None:
        self.flag = flag


class Strict(type):
    def __call__(cls, *args: object, **kwargs: object) -> object:
        return super().__call__(*args, **kwargs)


class Ruled(metaclass=Strict):
    def __init__(self, flag: bool) -> None:
        self.flag = flag

    def absorb(self, other: Self) -> None:
        self.flag |= other.flag


class Point(NamedTuple):
    x: int
    name: str = "p"

    def moved(self) -> Point:
        return Point(1, self.name)


class Outer:
    class Inner:
        def __init__(self, number: int) -> None:
            self.number = number

    def __init__(self) -> None:
        self.inner: object = None

    def hold(self, inner: Inner) -> None:
        self.inner = inner


class Door:
    """Is open, closed, or was never opened."""

    def __init__(self) -> None:
        self.open, self.times = False, 0

    def __enter__(self) -> Self:
        self.open = True
        return self

    def __exit__(self, *args: object) -> None:
        self.open, self.times = False, 1

    async def knock(self) -> None: ...


class Refusing:
    def __init__(self, number: int) -> None:
        raise ValueError(number)


class Addressed:
    """Remembers where it lies: another place each time it is built."""

    def __init__(self) -> None:
        self.place = 0

    def look(self) -> None:
        self.place = id(self)


class Oracle:
    """Says something else each time, and stays as it is."""

    def ask(self) -> float:
        return random.random()


class Only:
    """There is only one."""

    _one = None
    number: int

    def __new__(cls) -> Only:
        if cls._one is None:
            cls._one = super().__new__(cls)
            cls._one.number = 0
        return cls._one

    def step(self) -> None:
        self.number = 1


class Steps:
    """Can be walked over by an iterator that has nothing but its operators."""

    def __init__(self) -> None:
        self.items = [1, 2]

    def __iter__(self) -> Walk:
        return Walk(self)

    def drop(self) -> None:
        self.items.pop()


class Walk:
    def __init__(self, steps: Steps) -> None:
        self.steps, self.at = steps, 0

    def __next__(self) -> int:
        if self.at == len(self.steps.items):
            raise StopIteration
        self.at += 1
        return self.steps.items[self.at - 1]


class Mood(enum.Enum):
    CALM = 1
    CROSS = 2


class Cat:
    """Shows what it is by enums and sets."""

    def __init__(self, mood: Mood) -> None:
        self.mood = mood
        self.names: set[str] = set()

    def call(self, name: str) -> None:
        self.names.add(name)

    def state(self) -> Mood:
        return self.mood

    @property
    def other(self) -> Mood:
        return Mood.CROSS if self.mood is Mood.CALM else Mood.CALM

    def known(self) -> frozenset[str]:
        return frozenset(self.names)


class Piercing:
    """Writes past `sys.stdout`."""

    def __init__(self) -> None:
        self.hoarse = False

    def shout(self) -> None:
        os.write(1, b"loud")
        os.write(2, b"louder")
        self.hoarse = True


class Pages:
    """Can be changed through an iterator alone."""

    def __init__(self) -> None:
        self.pages = [1, 2]

    def __iter__(self) -> Turning:
        return Turning(self)

    def count(self) -> int:
        return len(self.pages)


class Turning:
    def __init__(self, book: Pages) -> None:
        self.book, self.at = book, 0

    def __next__(self) -> int:
        if self.at == len(self.book.pages):
            raise StopIteration
        self.at += 1
        return self.book.pages[self.at - 1]

    def skip(self) -> None:
        if self.at == 1:
            self.book.pages = self.book.pages[1:]
            self.at = 0


class Power:
    """Has operators in place: one gives itself, one another object."""

    def __init__(self) -> None:
        self.number = 1

    def __ipow__(self, other: int) -> Self:
        self.number = min(self.number + other, 3)
        return self

    def __ifloordiv__(self, other: int) -> Power:
        self.number = 0
        return Power()


class Present:
    """Is given away by a class that does not name it."""

    def __init__(self) -> None:
        self.opened = False

    def open(self) -> None:
        self.opened = True


class Fickle:
    """Gives nothing the first time it is asked, something the second time, and so on."""

    times = 0

    def __init__(self) -> None:
        self.number = 0

    def bump(self) -> None:
        self.number = 1

    def give(self):  # type: ignore[no-untyped-def]  # an annotation would name the class
        Fickle.times += 1
        return Present() if Fickle.times % 2 == 0 else None
