"""Small classes with invariants, good and bad, for the tests of searching structures."""

from __future__ import annotations

import abc
import dataclasses
import enum
import functools
import random
import time
from typing import ClassVar, Literal

import attrs

from unlike.invariants import acyclic, all_of, ordered, reachable, tree


class Link:
    def __init__(self, value: int, after: Link | None) -> None:
        self.value = value
        self.after = after


class Chain:
    """No annotation on its fields: everything is read from the constructors."""

    def __init__(self) -> None:
        self.size = 0
        self.first = None

    def push(self, value: int) -> None:
        self.first = Link(value, self.first)
        self.size += 1

    def rep_ok(self) -> bool:
        seen, link = [], self.first
        while link is not None:
            if link in seen:
                return False
            seen.append(link)
            link = link.after
        return self.size == len(seen)


class Spoken:
    """The same structure, its invariant in the words of the vocabulary."""

    first: Link | None
    size: int

    def __init__(self) -> None:
        self.first, self.size = None, 0

    def rep_ok(self) -> bool:
        links = reachable(self.first, "after")
        return (
            acyclic(self.first, "after")
            and tree(self.first, "after")
            and self.size == len(links)
            and ordered(link.value for link in links)
            and all_of(links, lambda link: link.value > 0)
        )


class Colour(enum.Enum):
    RED = 1
    GREEN = 2


@dataclasses.dataclass(eq=False)
class Card:
    colour: Colour
    rank: int
    name: str
    faces: Literal["up", "down"] = "up"
    count: int = 0
    table: ClassVar[int] = 7


@dataclasses.dataclass(frozen=True)
class Frozen:
    low: int
    high: int

    def rep_ok(self) -> bool:
        return self.low <= self.high


@attrs.define(eq=False)
class Box:
    card: Card | None
    lids: int = 0

    def rep_ok(self) -> bool:
        return self.card is None or self.card.colour is Colour.RED


class Slotted:
    __slots__ = ("left", "right")

    def __init__(self) -> None:
        self.left = 0
        self.right = 1

    def rep_ok(self) -> bool:
        return self.left < self.right


class Untold:
    __slots__ = ("mystery", "size")

    def __init__(self, mystery) -> None:
        self.mystery = mystery
        self.other = None
        self.size = 0

    def rep_ok(self) -> bool:
        return True


class Shelf:
    """Containers of every kind."""

    numbers: list[int]
    pair: tuple[int, bool]
    some: set[int]
    by_name: dict[str, int]
    links: list[Link | None]

    def rep_ok(self) -> bool:
        return (
            ordered(self.numbers, strictly=True)
            and self.pair[0] == len(self.numbers)
            and self.some == set(self.numbers)
            and len(self.by_name) == len(self.links)
            and all(link is None or link.after is None for link in self.links)
        )


class Club:
    """A set of objects, which have no order."""

    members: set[Person]

    def rep_ok(self) -> bool:
        return all(member.friend in self.members for member in self.members)


class Person:
    friend: Person

    def __init__(self, friend: Person) -> None:
        self.friend = friend


class Shape(abc.ABC):
    @abc.abstractmethod
    def area(self) -> int: ...


class Square(Shape):
    side: int

    def area(self) -> int:
        return self.side * self.side


class Plane(Shape):
    parts: tuple[Shape, ...]

    def area(self) -> int:
        return sum(part.area() for part in self.parts)


class Drawing:
    shape: Shape | None

    def rep_ok(self) -> bool:
        return self.shape is None or (isinstance(self.shape, Square) and self.shape.area() > 0)


# -- bad ones --------------------------------------------------------------------------------------------------


class Bad:
    number: int
    other: Bad | None
    numbers: list[int]

    def raises(self) -> bool:
        raise RuntimeError(f"no such {self.number > 0}")

    def raises_at_once(self) -> bool:
        raise LookupError("nothing here")

    def loops(self) -> bool:
        while self.other is not self:
            pass
        return True

    def loops_in_circles(self) -> bool:
        node = self
        while node.other is not None:
            node = node.other
        return True

    def writes(self) -> bool:
        if self.number > 1:
            self.number = 0
        return True

    def writes_a_list(self) -> bool:
        self.numbers.append(1)
        return True

    @functools.cached_property
    def cached(self) -> int:
        return self.number + 1

    def writes_past_us(self) -> bool:
        return self.cached > 1

    def is_random(self) -> bool:
        return self.number > 0 and random.random() < 0.5

    def is_false(self) -> bool:
        return False

    def forgets_to_return(self) -> None:
        self.number > 1  # noqa: B015

    def is_true(self) -> bool:
        return True

    def asks_for_type(self) -> bool:
        return type(self.number) is int and self.number > 0

    def exits(self) -> bool:
        raise SystemExit(3)

    def dies(self) -> bool:
        if self.number == 2 and self.other is None:
            import os

            os._exit(7)
        return self.number > 0 and self.other is None

    def hoards(self) -> bool:
        if self.number == 1:
            return len(bytearray(600 * 2**20)) > 0
        return self.number > 0 and self.other is None

    def sleeps(self) -> bool:
        if self.number == 1 and self.other is None:
            time.sleep(1000)
        return self.number > 0 and self.other is None
