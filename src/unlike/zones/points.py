"""The whole numbers in a zone, or in zones that overlap: counted, reached by index, drawn, streamed, never stored.

    Points([zone, …])      every point of any of the zones, once

Counting multiplies over slots that have nothing to do with each other and sums inside those that do. Only where neither
applies are points listed, and `Points.how` says so. A compiled twin (`unlike._native`) gives the same answers in the
same order; where it meets numbers beyond 64 bits it leaves the work to the Python code.
"""

from __future__ import annotations

import enum
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from typing import Any, Literal, Protocol, TypeAlias

from unlike.errors import ScopeError
from unlike.heap.walkers import native_module
from unlike.indexed import Listed, Sum, draw_indices
from unlike.zones.counting import MOST_LISTED, Counted
from unlike.zones.zone import Bounds, Unequal, Zone, find_free, settle, tighten, tighten_to

Point: TypeAlias = tuple[int, ...]
Fill: TypeAlias = Callable[[bytes, tuple[int, ...], Point], bytes]
Implementation: TypeAlias = Literal["auto", "python"]  # auto: the compiled twin, where it was built
MOST_PARTS = 5_000  # of the zones of one shape; beyond, their points are listed (native/points.h has the same)

Part: TypeAlias = tuple[Bounds, Unequal]  # closed bounds and disequalities, not settled: it may have no point


class How(enum.StrEnum):
    """How points are counted and reached, from the cheapest to the dearest."""

    PRODUCT = "product"
    SUMS = "dynamic programming"
    LISTED = "listed"


class Digits(Protocol):
    """Points as rows of digits, each with its radix, counted by the compiled twin; it never lists them."""

    radices: tuple[int, ...]
    summed: bool

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

    def __init__(self, zones: Sequence[Zone], implementation: Implementation = "auto") -> None:
        if len(sizes := {zone.slots for zone in zones}) > 1:
            raise ScopeError(f"zones over {sorted(sizes)!r} slots are not of one shape")
        self.zones = zones
        self._native = None if implementation == "python" else native_module()
        self._parted: _Parted | None = None  # made when somebody wants more than the count
        self._count: int = self._find_count()

    def _find_count(self) -> int:
        if self._native is not None:
            wide, single = _split(self.zones)
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
            self._parted = _take_apart(self.zones, self._native)
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
        return [self.at(index) for index in draw_indices(self.count(), n, seed=seed)]


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


def _split(zones: Sequence[Zone]) -> tuple[Sequence[Zone], list[Point]]:
    return split_single_points(zones) if len(zones) > 1 else (zones, [])


def _take_apart(zones: Sequence[Zone], native: Any) -> _Parted:
    """Return the points of the zones in parts without common points."""
    wide, single = _split(zones)
    alone = [Listed(single)] if single else []
    parts = _find_parts(wide, native)
    if parts is None:
        return _Parted([Listed(_list_points(wide, native)), *alone], How.LISTED)
    if any(isinstance(part.digits, Counted) and part.digits.listed for part in parts):
        how = How.LISTED
    else:
        how = How.SUMS if any(part.digits.summed for part in parts) else How.PRODUCT
    return _Parted([*parts, *alone], how)


def _find_parts(zones: Sequence[Zone], native: Any) -> list[_ZonePoints] | None:
    """Return the points of the zones in parts that have some, each once, or None if they would be too many parts."""
    digits: Sequence[Digits] | bool | None = None if native is None else native.digits(zones)
    if digits is False:
        return None
    counted: Sequence[Counted | Digits]
    if isinstance(digits, Sequence):
        counted = digits
    else:  # there is no compiled twin, or the numbers are too large for it
        parts = make_disjoint(zones) if len(zones) > 1 else [(zone.bounds, zone.unequal) for zone in zones]
        if parts is None:
            return None
        counted = [Counted(find_free(*settled)) for part in parts if (settled := settle(*part)) is not None]
    return [found for each in counted if (found := _ZonePoints(each)).count()]


def _list_points(zones: Sequence[Zone], native: Any) -> list[Point]:
    """Return every point of zones that are too many to be taken apart."""
    each = [part for zone in zones for part in _find_parts([zone], native) or ()]
    total = sum(part.count() for part in each)
    if total > MOST_LISTED:
        raise ScopeError(
            f"{len(zones):,} zones of one shape overlap, and their {total:,} points would have to be listed; "
            "use a smaller scope, or one representative per shape"
        )
    return sorted(set(itertools.chain.from_iterable(part.stream(0, part.count()) for part in each)))


def make_disjoint(zones: Sequence[Zone]) -> list[Part] | None:
    """Return parts without common points that have the points of the zones, or None if there would be too many.

    A zone is cut along the bounds of another: what lies beyond one bound is a part outside, what is left goes on to the
    next bound. Zones that one bound of each keeps apart, the usual case, are never cut.
    """
    whole: list[Zone] = []
    found: list[Part] = []
    for zone in sorted(zones, key=_width, reverse=True):  # a wide one first: it swallows others whole
        parts: list[Part] = [(zone.bounds, zone.unequal)]
        for other in whole:
            parts = [left for part in parts for left in _cut(part, other)]
            if len(found) + len(parts) > MOST_PARTS:
                return None
        if parts:
            whole.append(zone)
            found += parts
    return found


def split_single_points(zones: Sequence[Zone]) -> tuple[list[Zone], list[tuple[int, ...]]]:
    """Return the zones that have several points, and the points of the others that those do not have, in order."""
    wide: list[Zone] = []
    single: set[tuple[int, ...]] = set()
    for zone in zones:
        point = tuple(row[0] for row in zone.bounds[1:])
        if all(low == -high for low, high in zip(zone.bounds[0][1:], point, strict=True)):
            single.add(point)
        else:
            wide.append(zone)
    return wide, sorted(point for point in single if not any(point in zone for zone in wide))


def _width(zone: Zone) -> int:
    return sum(map(sum, zone.bounds))


def _cut(part: Part, other: Zone) -> list[Part]:
    """Return parts without common points that have the points of the part which the zone does not have."""
    rest, unequal = part
    size = range(len(rest))
    if any(rest[i][j] + other.bounds[j][i] < 0 for i in size for j in size):
        return [part]
    found: list[Part] = []
    for i, row in enumerate(other.bounds):
        for j, most in enumerate(row):
            if most < rest[i][j]:
                found.append((tighten(rest, j, i, -most - 1), unequal))
                if rest[j][i] + most < 0:
                    return [part]  # they have no point in common
                rest = tighten(rest, i, j, most)
    for each in other.unequal:
        if each not in part[1]:
            if (inside := tighten_to(rest, *each)) is not None:
                found.append((inside, unequal))
            unequal = (*unequal, each)
    return found
