"""Classes to explore: with a rule that is broken, an invariant, a peculiar process, a view."""

from __future__ import annotations

import os
import random


class Item:
    """Something to buy."""

    def __init__(self, price: int) -> None:
        self.price = price


class Cart:
    """Items, at most two; the total is wrong after the second is taken out again."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.total = 0

    def add(self, item: Item) -> None:
        if len(self.items) == 2:
            raise ValueError("full")
        self.items.append(item)
        self.total += item.price

    def take(self) -> Item:
        item = self.items.pop()
        if not self.items:
            self.total = 0
        return item

    def rep_ok(self) -> bool:
        return self.total == sum(item.price for item in self.items)

    def first(self) -> Item | None:
        return self.items[0] if self.items else None

    def label(self, printer) -> None:  # type: ignore[no-untyped-def]
        printer(self.total)


class Leaving:
    """Ends its process in one state, and prints before it fails in another."""

    def __init__(self) -> None:
        self.count = 0

    def grow(self) -> None:
        if self.count == 3:
            raise ValueError("large enough")
        self.count += 1

    def leave(self) -> None:
        if self.count == 2:
            os._exit(7)

    def fail(self) -> None:
        if self.count == 3:
            print("so far, so good")
            raise RuntimeError("too far")


class Dice:
    """Does something else each time."""

    def __init__(self) -> None:
        self.value = 0

    def roll(self) -> None:
        self.value = random.randrange(1000)


class Link:
    """One of a chain."""

    def __init__(self, value: bool, following: Link | None) -> None:
        self.value = value
        self.following = following


class Chain:
    """A chain that alternates; for searches by its invariant."""

    def __init__(self) -> None:
        self.first: Link | None = None
        self.length: int = 0

    def put(self, value: bool) -> None:
        if self.first is not None and self.first.value == value:
            raise ValueError("twice the same")
        self.first = Link(value, self.first)
        self.length += 1

    def rep_ok(self) -> bool:
        count, seen, at = 0, set(), self.first
        while at is not None:
            if id(at) in seen or (at.following is not None and at.following.value == at.value):
                return False
            seen.add(id(at))
            count, at = count + 1, at.following
        return count == self.length


class Twisted(Chain):
    """Whose invariant is broken by one method, and raises for long chains."""

    def shorten(self) -> None:
        self.length = max(self.length - 1, 0)

    def rep_ok(self) -> bool:
        if self.length > 2:
            raise RuntimeError("too long to look at")
        return super().rep_ok()


def chains() -> list[Chain]:
    """Return a few chains, to be measured."""
    made = [Chain(), Chain()]
    made[1].put(True)
    made[1].put(False)
    return made
