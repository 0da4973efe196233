"""From a zone to its free variables: what is constant or tied to another variable is taken out.

Every slot becomes a free variable plus an offset, or a constant. A difference that does not occur is dropped where the
bounds already say so; where it stands at the end of a range it moves the bound. Of bounds, those remain that no others
imply.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from unlike.points.zone import Difference, Matrix, Zone, close, tighten


@dataclass(frozen=True, slots=True)
class Normal:
    """A zone over free variables 1 … m; slot i is variable `which[i]` plus `offset[i]`, and variable 0 is 0."""

    which: tuple[int, ...]
    offset: tuple[int, ...]
    bounds: Matrix
    unequal: frozenset[Difference]  # (a, b, c) with a > b: x_a - x_b is not c

    @property
    def free(self) -> int:
        """How many free variables there are."""
        return len(self.bounds) - 1

    def edges(self) -> list[Difference]:
        """Return the bounds between free variables that follow neither from single ranges nor through a third one."""
        bounds, names = self.bounds, range(1, len(self.bounds))
        return [
            (a, b, bounds[a][b])
            for a in names
            for b in names
            if a != b
            and bounds[a][0] + bounds[0][b] > bounds[a][b]
            and all(k in (a, b) or bounds[a][k] + bounds[k][b] > bounds[a][b] for k in names)
        ]


def normal(zone: Zone) -> Normal | None:
    """Return the zone over its free variables, or None if it is seen to be empty."""
    matrix = close(zone.bounds)
    unequal: Iterable[Difference] = zone.unequal
    while matrix is not None:
        which, offset = _tied(matrix)
        moved = _translated(unequal, which, offset)
        if moved is None:
            return None
        kept = _kept(matrix, moved)
        if kept is None:
            return None
        if kept == moved:
            return _over_free(matrix, which, offset, kept)
        unequal = kept
    return None


def _tied(matrix: Matrix) -> tuple[list[int], list[int]]:
    """Return for every slot the first one at a fixed distance from it, and the distance; slot 0 for constants."""
    which, offset = [0], [0]
    for i in range(1, len(matrix)):
        tied = next((j for j in range(i) if which[j] == j and matrix[i][j] + matrix[j][i] == 0), i)
        which.append(tied)
        offset.append(matrix[i][tied])
    return which, offset


def _translated(unequal: Iterable[Difference], which: list[int], offset: list[int]) -> set[Difference] | None:
    """Return what must not occur between the first slots of each tied group, or None if it always occurs."""
    found: set[Difference] = set()
    for i, j, c in unequal:
        a, b, c = which[i], which[j], c - offset[i] + offset[j]
        if a == b:
            if c == 0:
                return None
        else:
            found.add((a, b, c) if a > b else (b, a, -c))
    return found


def _kept(matrix: Matrix, unequal: set[Difference]) -> set[Difference] | None:
    """Return what the bounds do not say already; one that stands at the end of a range moves the bound instead."""
    kept = set()
    for a, b, c in sorted(unequal):
        if -matrix[b][a] < c < matrix[a][b]:
            kept.add((a, b, c))
        elif c == matrix[a][b]:
            if not tighten(matrix, a, b, c - 1):
                return None
        elif c == -matrix[b][a] and not tighten(matrix, b, a, -c - 1):
            return None
    return kept


def _over_free(matrix: Matrix, which: list[int], offset: list[int], unequal: set[Difference]) -> Normal:
    free = [i for i in range(len(matrix)) if which[i] == i]
    number = {slot: position for position, slot in enumerate(free)}
    return Normal(
        which=tuple(number[slot] for slot in which[1:]),
        offset=tuple(offset[1:]),
        bounds=[[matrix[i][j] for j in free] for i in free],
        unequal=frozenset((number[a], number[b], c) for a, b, c in unequal),
    )
