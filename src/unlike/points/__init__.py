"""The whole numbers in a zone, or in zones that overlap: counted, reached by index, drawn, streamed, never stored.

    points([zone, …]) -> Points      every point of any of the zones, once

Counting multiplies over slots that have nothing to do with each other and sums inside those that do. Only where neither
applies are points listed, and `Points.how` says so. A compiled twin (`unlike._native`) gives the same answers in the
same order; where it meets numbers beyond 64 bits it leaves the work to the Python code.
"""

from __future__ import annotations

import enum
import functools
import importlib
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, Protocol, TypeAlias

from unlike.errors import ScopeError
from unlike.indexed import Listed, Sum, sampled
from unlike.points.counting import MOST_LISTED, Counted
from unlike.points.normal import normal
from unlike.points.union import disjoint, parted
from unlike.points.zone import Piece, Zone, holds

__all__ = ["How", "Piece", "Point", "Points", "Zone", "count_all", "points"]

Point: TypeAlias = tuple[int, ...]
Fill: TypeAlias = Callable[[bytes, tuple[int, ...], Point], bytes]
Implementation: TypeAlias = Literal["auto", "python", "native"]


class How(enum.StrEnum):
    """How points are counted and reached, from the cheapest to the dearest."""

    PRODUCT = "product"
    SUMS = "dynamic programming"
    LISTED = "listed"


class Digits(Protocol):
    """Points as rows of digits, each with its radix, counted by the compiled twin."""

    radices: tuple[int, ...]
    summed: bool
    listed: bool

    def point(self, digits: Sequence[int]) -> Point:
        """Return the point of the digits."""
        ...

    def stream(self, digits: Sequence[int], wanted: int) -> Iterator[Point]:
        """Yield so many points from the digits on."""
        ...

    def states(self, digits: Sequence[int], wanted: int, shape: bytes, positions: tuple[int, ...]) -> Iterator[bytes]:
        """Yield the same, put into the bytes of a shape."""
        ...


class Points:
    """Every point of any of the zones, once, in an order that stays the same."""

    __slots__ = ("_count", "_native", "_parted", "zones")

    def __init__(self, zones: Sequence[Zone], native: Any) -> None:
        self.zones = zones
        self._native = native
        self._parted: _Parted | None = None  # made when somebody wants more than the count
        self._count: int = self._counted()

    def _counted(self) -> int:
        if self._native is not None:
            wide, single = parted(self.zones) if len(self.zones) > 1 else (self.zones, [])
            count: int | None = self._native.count_points(wide)
            if count is not None:
                return count + len(single)
        return self._parts.count()

    @property
    def listed(self) -> bool:
        """Whether points had to be listed to be counted."""
        return self._parted is not None and self._parted.how is How.LISTED

    @property
    def _parts(self) -> _Parted:
        if self._parted is None:
            self._parted = _parted(self.zones, self._native)
        return self._parted

    @property
    def how(self) -> How:
        """How the points are counted and reached."""
        return self._parts.how

    def count(self) -> int:
        """Return how many points there are."""
        return self._count

    def at(self, index: int) -> Point:
        """Return the point at the index."""
        if not 0 <= index < self.count():
            raise IndexError(f"point {index} of {self.count()}")
        return self._parts.at(index)

    def has(self, point: Point) -> bool:
        """Tell whether the point lies in any of the zones."""
        return any(holds(zone, point) for zone in self.zones)

    def stream(self, start: int = 0, stop: int | None = None) -> Iterator[Point]:
        """Yield the points from one index up to another, one after the other, none of them stored."""
        for part, first, last in self._between(start, stop):
            yield from part.stream(first, last) if isinstance(part, _ZonePoints) else part.members[first:last]

    def states(
        self, shape: bytes, positions: tuple[int, ...], fill: Fill, start: int = 0, stop: int | None = None
    ) -> Iterator[bytes]:
        """Yield the same points put into the canonical bytes of a shape, where the positions say; `fill` does one."""
        for part, first, last in self._between(start, stop):
            if isinstance(part, _ZonePoints) and not isinstance(part.digits, Counted):
                yield from part.digits.states(part.split(first), last - first, shape, positions)
            else:
                members = part.stream(first, last) if isinstance(part, _ZonePoints) else part.members[first:last]
                yield from (fill(shape, positions, point) for point in members)

    def _between(self, start: int, stop: int | None) -> Iterator[tuple[_ZonePoints | Listed[Point], int, int]]:
        """Yield the parts that have points between two indices, each with the first and the last in it."""
        stop = self.count() if stop is None else min(stop, self.count())
        for part in self._parts.parts:
            count = part.count()
            if start < count and stop > 0:
                yield part, max(start, 0), min(stop, count)
            start, stop = start - count, stop - count

    def __iter__(self) -> Iterator[Point]:
        return self.stream()

    def sample(self, n: int, seed: int = 0) -> list[Point]:
        """Return n different points (all, if there are fewer), each set of n as likely as any other."""
        return [self.at(index) for index in sampled(self.count(), n, seed=seed)]


class _Parted(Sum[Point]):
    """Parts without common points, each counted and reached in its own way."""

    __slots__ = ("how",)

    def __init__(self, parts: Sequence[_ZonePoints | Listed[Point]], how: How) -> None:
        super().__init__(parts)
        self.parts: Sequence[_ZonePoints | Listed[Point]] = parts
        self.how = how


class _ZonePoints:
    """The points of one zone."""

    def __init__(self, digits: Counted | Digits) -> None:
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
        return self.digits.stream(self.split(start), stop - start)


def points(zones: Sequence[Zone], implementation: Implementation = "auto") -> Points:
    """Return the points of zones over the same slots, each once."""
    if len(zones) > 1 and len({len(zone.bounds) for zone in zones}) > 1:
        raise ScopeError(f"zones over {sorted({len(zone.bounds) - 1 for zone in zones})!r} slots are not of one shape")
    return Points(zones, _native(implementation))


def _parted(zones: Sequence[Zone], native: Any) -> _Parted:
    """Return the points of the zones in parts without common points."""
    wide, single = parted(zones) if len(zones) > 1 else (zones, [])
    alone = [Listed(single)] if single else []
    pieces = wide if len(wide) < 2 else _pieces(wide, native)
    if pieces is None:
        return _Parted([Listed(_listed(wide, native)), *alone], How.LISTED)
    parts = [part for piece in pieces if (part := _points(piece, native)) is not None]
    return _Parted([*parts, *alone], _how(parts))


def _points(zone: Zone, native: Any) -> _ZonePoints | None:
    """Return the points of a zone, or None if it has none."""
    digits: Counted | Digits | None = None if native is None else native.digits(zone)
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
    if pairs is False:
        return None
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
    return [Points(zones, native).count() for zones in groups]


@functools.cache  # asked once per shape
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
