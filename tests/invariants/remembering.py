"""Invariants that remember what they said, each in its own way; and some that do so without harm."""

from __future__ import annotations

import functools
from typing import ClassVar


class Link:
    key: int
    after: Link | None

    def __init__(self, key: int) -> None:
        self.key, self.after = key, None


class Chain:
    first: Link | None
    size: int

    def __init__(self) -> None:
        self.first, self.size = None, 0

    def add(self, key: int) -> None:
        link = Link(key)
        link.after, self.first, self.size = self.first, link, self.size + 1

    def rep_ok(self) -> bool:
        met: set[int] = set()
        link = self.first
        while link is not None:
            if id(link) in met:
                return False
            met.add(id(link))
            link = link.after
        return len(met) == self.size


@functools.cache
def cached_length(link: Link | None) -> int:
    return 0 if link is None else 1 + cached_length(link.after)


class Cached(Chain):
    def rep_ok(self) -> bool:
        return cached_length(self.first) == self.size


class CachedMethod(Chain):
    @functools.lru_cache(maxsize=100)  # noqa: B019
    def length(self) -> int:
        return sum(1 for _ in self.links())

    def links(self) -> list[Link]:
        found: list[Link] = []
        link = self.first
        while link is not None and link not in found:
            found.append(link)
            link = link.after
        return found

    def rep_ok(self) -> bool:
        return self.length() == self.size


SEEN: set[int] = set()


class Crowded(Chain):
    def rep_ok(self) -> bool:
        SEEN.add(self.size)
        return self.first is None and len(SEEN) < 3


class Tired(Chain):
    asked: ClassVar[list[int]] = []

    def rep_ok(self) -> bool:
        self.asked.append(1)
        return self.first is None and len(self.asked) < 6


class Once(Chain):
    said: ClassVar[dict[int, bool]] = {}

    def rep_ok(self) -> bool:
        return self.said.setdefault(self.size, self.first is None)


def _verdict(size: int, first: Link | None, known: dict[int, bool] = {}) -> bool:  # noqa: B006
    if size not in known:
        known[size] = first is None or first.after is None
    return known[size]


class ByDefault(Chain):
    def rep_ok(self) -> bool:
        return _verdict(self.size, self.first)


class LastOne(Chain):
    last: ClassVar[list[Chain]] = []

    def rep_ok(self) -> bool:
        self.last[:] = [*self.last[-1:], self]
        return self.last[0].size <= self.size and self.first is None


REMEMBERING = [Cached, CachedMethod, Crowded, Tired, Once, ByDefault, LastOne]


# -- without harm ------------------------------------------------------------------------------------------------


@functools.cache
def triangle(number: int) -> int:
    return 0 if number <= 0 else number + triangle(number - 1)


class Counted(Chain):
    def rep_ok(self) -> bool:
        return super().rep_ok() and triangle(self.size) < 4


class Counting(Chain):
    runs: ClassVar[list[int]] = []

    def rep_ok(self) -> bool:
        self.runs.append(1)
        return super().rep_ok()


HARMLESS = [Chain, Counted, Counting]
