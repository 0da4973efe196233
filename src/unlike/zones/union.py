"""From zones that may overlap to parts that do not, with the same points.

A zone is cut along the bounds of another: what lies beyond one bound is a part outside, what is left goes on to the
next bound. Zones that one bound of each keeps apart, the usual case, are never cut.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from unlike.zones.bounds import Bounds, Unequal, tighten, tighten_to
from unlike.zones.zone import Zone

MOST_PARTS = 5_000  # of the zones of one shape; beyond, their points are listed (native/points.h has the same)

Part: TypeAlias = tuple[Bounds, Unequal]  # closed bounds and disequalities, not settled: it may have no point


def make_disjoint(zones: Sequence[Zone]) -> list[Part] | None:
    """Return parts without common points that have the points of the zones, or None if there would be too many."""
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
