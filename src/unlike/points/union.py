"""From zones that may overlap to zones that do not, with the same points.

A zone is cut along the bounds of another: what lies beyond one bound is a piece outside, what is left goes on to the
next bound. Zones that one bound of each keeps apart, the usual case, are never cut.
"""

from __future__ import annotations

from collections.abc import Sequence

from unlike.points.zone import Difference, Matrix, Piece, Zone, apart, close, frozen, holds, tighten

MOST_PIECES = 5_000


def disjoint(zones: Sequence[Zone]) -> list[Piece] | None:
    """Return zones without common points that have the same points together, or None if there would be too many."""
    closed = [frozen(matrix, zone.unequal) for zone in zones if (matrix := close(zone.bounds)) is not None]
    whole: list[Piece] = []
    pieces: list[Piece] = []
    for zone in sorted(closed, key=_width, reverse=True):  # a wide one first: it swallows others whole
        parts = [zone]
        for other in whole:
            parts = [piece for part in parts for piece in without(part, other)]
            if len(pieces) + len(parts) > MOST_PIECES:
                return None
        if parts:
            whole.append(zone)
            pieces += parts
    return pieces


def parted(zones: Sequence[Zone]) -> tuple[list[Zone], list[tuple[int, ...]]]:
    """Return the zones that have several points, and the points of the others that those do not have, in order."""
    wide: list[Zone] = []
    single: set[tuple[int, ...]] = set()
    for zone in zones:
        bounds = zone.bounds
        point = tuple(row[0] for row in bounds[1:])
        if all(low == -high for low, high in zip(bounds[0][1:], point, strict=True)):
            single.update([point] if holds(zone, point) else [])
        else:
            wide.append(zone)
    return wide, sorted(point for point in single if not any(holds(zone, point) for zone in wide))


def _width(zone: Piece) -> int:
    return sum(map(sum, zone.bounds))


def without(zone: Piece, other: Piece) -> list[Piece]:
    """Return disjoint zones with the points of the first closed zone that the second one does not have."""
    if apart(zone, other):
        return [zone]
    pieces: list[Piece] = []
    rest: Matrix = [list(row) for row in zone.bounds]
    for i, row in enumerate(other.bounds):
        for j, most in enumerate(row):
            if i != j and most < rest[i][j]:
                _add(pieces, rest, (j, i, -most - 1), zone.unequal)
                if not tighten(rest, i, j, most):
                    return [zone]  # they have no point in common
    apart_from = set(zone.unequal)
    for i, j, c in sorted(other.unequal - zone.unequal):
        _add(pieces, rest, (i, j, c), apart_from, equal=True)
        apart_from.add((i, j, c))
    return pieces


def _add(
    pieces: list[Piece],
    matrix: Matrix,
    bound: Difference,
    unequal: set[Difference] | frozenset[Difference],
    *,
    equal: bool = False,
) -> None:
    """Add the part of the matrix within the bound, or on it, unless it is empty."""
    i, j, c = bound
    part = [row[:] for row in matrix]
    if tighten(part, i, j, c) and (not equal or tighten(part, j, i, -c)):
        pieces.append(frozen(part, unequal))
