"""The whole numbers in a zone, or in zones that overlap: counted, reached by index, drawn, streamed, never stored.

    points([zone, …]) -> Points      every point of any of the zones, once

Counting multiplies over slots that have nothing to do with each other and sums inside those that do. Only where neither
applies are points listed, and `Points.how` says so. A compiled twin (`unlike._native`) gives the same answers in the
same order; where it meets numbers beyond 64 bits it leaves the work to the Python code.
"""

from __future__ import annotations

import enum
import importlib
import itertools
import math
import random
from collections.abc import Iterator, Sequence
from typing import Any, Literal, Protocol, TypeAlias

from unlike.errors import ScopeError
from unlike.indexed import Listed, Sum
from unlike.points.counting import MOST_LISTED, Counted
from unlike.points.normal import normal
from unlike.points.union import disjoint
from unlike.points.zone import Piece, Zone, holds

__all__ = ["How", "Piece", "Point", "Points", "Zone", "count_all", "points", "sampled"]

Point: TypeAlias = tuple[int, ...]
Implementation: TypeAlias = Literal["auto", "python", "native"]


class How(enum.StrEnum):
    """How points are counted and reached, from the cheapest to the dearest."""

    PRODUCT = "product"
    SUMS = "dynamic programming"
    LISTED = "listed"


class Digits(Protocol):
    """Points as rows of digits, each with its radix."""

    radices: tuple[int, ...]

    @property
    def summed(self) -> bool:
        """Whether some slots depend on each other."""
        ...

    @property
    def listed(self) -> bool:
        """Whether some points had to be listed."""
        ...

    def point(self, digits: Sequence[int]) -> Point:
        """Return the point of the digits."""
        ...


class Points:
    """Every point of any of the zones, once, in an order that stays the same."""

    def __init__(self, zones: Sequence[Zone], parts: Sequence[_ZonePoints | Listed[Point]], how: How) -> None:
        self.zones = zones
        self.how = how
        self._sum: Sum[Point] = Sum(parts)
        self._parts = parts

    def count(self) -> int:
        """Return how many points there are."""
        return self._sum.count()

    def at(self, index: int) -> Point:
        """Return the point at the index."""
        if not 0 <= index < self.count():
            raise IndexError(f"point {index} of {self.count()}")
        return self._sum.at(index)

    def has(self, point: Point) -> bool:
        """Tell whether the point lies in any of the zones."""
        return any(holds(zone, point) for zone in self.zones)

    def stream(self, start: int = 0, stop: int | None = None) -> Iterator[Point]:
        """Yield the points from one index up to another, one after the other, none of them stored."""
        stop = self.count() if stop is None else min(stop, self.count())
        for part in self._parts:
            count = part.count()
            if start < count and stop > 0:
                yield from _stream(part, max(start, 0), min(stop, count))
            start, stop = start - count, stop - count

    def __iter__(self) -> Iterator[Point]:
        return self.stream()

    def sample(self, n: int, seed: int = 0) -> list[Point]:
        """Return n different points (all, if there are fewer), each set of n as likely as any other."""
        return [self.at(index) for index in sampled(self.count(), n, seed=seed)]


def sampled(count: int, n: int, *, seed: int = 0) -> list[int]:
    """Return n different indices below count, drawn uniformly; the same ones for the same seed.

    >>> sampled(10**30, 2, seed=1) == sampled(10**30, 2, seed=1)
    True
    """
    if n < 0:
        raise ScopeError(f"n={n!r} must be at least 0")
    chance = random.Random(seed)
    if n >= count:
        return list(range(count))
    swapped: dict[int, int] = {}  # a shuffle that remembers only the places it touched
    drawn = []
    for place in range(n):
        other = chance.randrange(place, count)
        drawn.append(swapped.get(other, other))
        swapped[other] = swapped.get(place, place)
    return drawn


def _stream(part: _ZonePoints | Listed[Point], start: int, stop: int) -> Iterator[Point]:
    if isinstance(part, _ZonePoints):
        return part.stream(start, stop)
    return iter(part.members[start:stop])


class _ZonePoints:
    """The points of one zone."""

    def __init__(self, digits: Digits) -> None:
        self.digits = digits
        self._count = math.prod(digits.radices)

    def count(self) -> int:
        """Return how many points there are."""
        return self._count

    def at(self, index: int) -> Point:
        """Return the point at the index."""
        return self.digits.point(self.split(index))

    def split(self, index: int) -> list[int]:
        """Return the digits of an index; the last one counts singly."""
        digits = []
        for radix in reversed(self.digits.radices):
            index, digit = divmod(index, radix)
            digits.append(digit)
        return digits[::-1]

    def stream(self, start: int, stop: int) -> Iterator[Point]:
        """Yield the points between two indices."""
        if isinstance(self.digits, Counted):
            return map(self.at, range(start, stop))
        return self.digits.stream(self.split(start), stop - start)  # type: ignore[attr-defined, no-any-return]


def points(zones: Sequence[Zone], implementation: Implementation = "auto") -> Points:
    """Return the points of zones over the same slots, each once."""
    if len({len(zone.bounds) for zone in zones}) > 1:
        raise ScopeError(f"zones over {sorted({len(zone.bounds) - 1 for zone in zones})!r} slots are not of one shape")
    native = _native(implementation)
    pieces = zones if len(zones) < 2 else _pieces(zones, native)
    if pieces is None:
        return Points(zones, [Listed(_listed(zones, native))], How.LISTED)
    parts = [part for piece in pieces if (part := _points(piece, native)) is not None]
    return Points(zones, parts, _how(parts))


def _points(zone: Zone, native: Any) -> _ZonePoints | None:
    """Return the points of a zone, or None if it has none."""
    digits: Digits | None = None if native is None else native.digits(zone)
    if digits is None:
        reduced = normal(zone)
        if reduced is None:
            return None
        digits = Counted(reduced)
    found = _ZonePoints(digits)
    return found if found.count() else None


def _pieces(zones: Sequence[Zone], native: Any) -> list[Piece] | None:
    """Return disjoint zones with the same points, or None if there would be too many."""
    pairs = None if native is None else native.disjoint(zones)
    return disjoint(zones) if pairs is None else [Piece(*pair) for pair in pairs]


def _how(parts: Sequence[_ZonePoints]) -> How:
    if any(part.digits.listed for part in parts):
        return How.LISTED
    return How.SUMS if any(part.digits.summed for part in parts) else How.PRODUCT


def _listed(zones: Sequence[Zone], native: Any) -> list[Point]:
    """Return every point of zones that are too many to be taken apart."""
    each = [part for zone in zones if (part := _points(zone, native)) is not None]
    total = sum(part.count() for part in each)
    if total > MOST_LISTED:
        raise ScopeError(
            f"{len(zones):,} zones of one shape overlap, and their {total:,} points would have to be listed; "
            "use a smaller scope, or one representative per shape"
        )
    return sorted(set(itertools.chain.from_iterable(part.stream(0, part.count()) for part in each)))


def count_all(groups: Sequence[Sequence[Zone]], implementation: Implementation = "auto") -> list[int]:
    """Return for each group of zones over the same slots how many points it has."""
    native = _native(implementation)
    counts = [None if native is None else native.count_points(zones) for zones in groups]
    return [
        points(zones, implementation).count() if count is None else count
        for zones, count in zip(groups, counts, strict=True)
    ]


def _native(implementation: Implementation) -> Any:
    """Return the compiled module, or None where Python is to do the work."""
    if implementation == "python":
        return None
    try:
        return importlib.import_module("unlike._native")
    except ImportError:
        if implementation == "native":
            raise ScopeError("the compiled module is not there; pass implementation='auto'") from None
        return None
