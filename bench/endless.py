"""Things that take far too long for every verb, in a module of their own, so that commands can name them."""

from __future__ import annotations

import dataclasses
import time
from typing import Annotated, Literal

from annotated_types import Ge, Le, Predicate

from unlike import Int, OneOf, Spec, predicate

PRODUCT = 600_851_475_143 * 1_000_003


def _slow(x: int) -> bool:
    time.sleep(0.05)
    return x >= 0


def _seldom(x: int) -> bool:
    time.sleep(0.01)
    return x % 9_973 == 9_972


specs = [
    Spec({"x": Int(), "y": Int()}, where=lambda x, y: x * y == PRODUCT, name="one"),
    Spec({"x": Int(), "y": Int()}, where=lambda x, y: x * y == PRODUCT + 2, name="two"),
    Spec({"x": Int(), "y": Int()}, where=lambda x, y: x * y == PRODUCT + 6, name="three"),
]
quick_spec = Spec({"x": Int(), "y": Int()}, name="quick")
slow_spec = Spec({"x": Int(0, 1_000_000)}, where=predicate(_slow), n=10_000, name="slow")


Letter = Literal["a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l"]
Number = Annotated[int, Ge(0), Le(10**9)]


@dataclasses.dataclass
class Wide:
    """Many fields of many choices, and a constructor that takes its time."""

    a: Letter
    b: Letter
    c: Letter
    d: Letter
    e: Letter
    f: Letter
    g: list[Number]
    h: dict[str, Number]

    def __post_init__(self) -> None:
        time.sleep(0.01)


@dataclasses.dataclass
class Picky:
    """A rule that nearly nothing keeps."""

    first: Annotated[int, Predicate(_seldom)]
    second: Annotated[int, Predicate(_seldom)]


class Heap:
    """Grows without end, by many calls."""

    def __init__(self) -> None:
        self.items: list[int] = []
        self.last: int = 0

    def put(self, item: int, other: int) -> None:
        """Add two."""
        self.items += [item, other]
        self.last = item

    def swap(self, one: int, two: int) -> None:
        """Exchange two."""
        if max(one, two) < len(self.items):
            self.items[one], self.items[two] = self.items[two], self.items[one]

    def mix(self, other: Heap) -> None:
        """Take those of another."""
        self.items = self.items[::2] + other.items[1::2]

    def rep_ok(self) -> bool:
        """Tell whether it is sound."""
        return all(isinstance(each, int) for each in self.items)


class Slow(Heap):
    """The same, and every call takes its time."""

    def put(self, item: int, other: int) -> None:
        """Add two."""
        time.sleep(0.01)
        super().put(item, other)

    def rep_ok(self) -> bool:
        """Tell whether it is sound."""
        time.sleep(0.01)
        return super().rep_ok()


class Stuck:
    """A call that does not return."""

    def __init__(self) -> None:
        self.number: int = 0

    def add(self, number: int) -> None:
        """Add, or wait for long."""
        if self.number > 2:
            time.sleep(60)
        self.number += number

    def rep_ok(self) -> bool:
        """Tell whether it is sound, or wait for long."""
        if self.number > 2:
            time.sleep(60)
        return self.number >= 0


class Node:
    """A binary tree."""

    def __init__(self) -> None:
        self.key: int = 0
        self.left: Node | None = None
        self.right: Node | None = None

    def add(self, key: int) -> None:
        """Add a key."""
        at = self
        while key != at.key:
            below = at.left if key < at.key else at.right
            if below is None:
                below = Node()
                below.key = key
                if key < at.key:
                    at.left = below
                else:
                    at.right = below
            at = below

    def rep_ok(self) -> bool:
        """Tell whether it is a search tree."""
        seen: list[Node] = []
        todo: list[tuple[Node, int, int]] = [(self, -1, 1_000)]
        while todo:
            node, low, high = todo.pop()
            if any(node is each for each in seen) or not low < node.key < high:
                return False
            seen.append(node)
            if node.left is not None:
                todo.append((node.left, low, node.key))
            if node.right is not None:
                todo.append((node.right, node.key, high))
        return True


many = Spec({"a": OneOf(*range(1_000)), "b": OneOf(*range(1_000)), "c": Int(0, 10**6)})
