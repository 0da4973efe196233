"""A zone: integers under bounds on their differences, some of them known to be different.

`bounds[i][j]` is the largest value of x_i - x_j. Row and column 0 stand for the constant 0, so `bounds[i][0]` is the
largest value of x_i, and `-bounds[0][i]` the smallest. A closed matrix holds the tightest bounds that follow from all
others; everything here works on closed ones.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Protocol, TypeAlias

Matrix: TypeAlias = list[list[int]]
Difference: TypeAlias = tuple[int, int, int]  # (i, j, c): about x_i - x_j and c


class Zone(Protocol):
    """Slots 1 … n, bounds on the difference of any two, and differences that do not occur."""

    @property
    def bounds(self) -> tuple[tuple[int, ...], ...]:
        """The largest value of every x_i - x_j."""
        ...

    @property
    def unequal(self) -> Collection[Difference]:
        """Triples (i, j, c): x_i - x_j is not c."""
        ...


@dataclass(frozen=True, slots=True)
class Piece:
    """A zone as plain data."""

    bounds: tuple[tuple[int, ...], ...]
    unequal: frozenset[Difference] = frozenset()


def holds(zone: Zone, point: Sequence[int]) -> bool:
    """Tell whether the point lies in the zone, by its definition."""
    x = (0, *point)
    return all(
        x[i] - x[j] <= most for i, row in enumerate(zone.bounds) for j, most in enumerate(row) if i != j
    ) and all(x[i] - x[j] != c for i, j, c in zone.unequal)


def frozen(bounds: Matrix, unequal: Iterable[Difference]) -> Piece:
    """Return the zone of a matrix."""
    return Piece(tuple(map(tuple, bounds)), frozenset(unequal))


def close(bounds: Sequence[Sequence[int]]) -> Matrix | None:
    """Return the tightest bounds that follow from the given ones, or None if no point satisfies them."""
    matrix = [list(row) for row in bounds]
    size = len(matrix)
    for middle in range(size):
        through = matrix[middle]
        for row in matrix:
            first = row[middle]
            for j in range(size):
                if first + through[j] < row[j]:
                    row[j] = first + through[j]
    return None if any(matrix[i][i] < 0 for i in range(size)) else matrix


def tighten(matrix: Matrix, i: int, j: int, most: int) -> bool:
    """Add x_i - x_j <= most to a closed matrix, which stays closed; False if no point is left."""
    if matrix[j][i] + most < 0:
        return False
    if most < matrix[i][j]:
        through = matrix[j][:]
        for row in matrix:
            first = row[i] + most
            for k, rest in enumerate(through):
                if first + rest < row[k]:
                    row[k] = first + rest
    return True


def apart(one: Zone, other: Zone) -> bool:
    """Tell whether one bound of each already keeps the two zones apart; False does not say that they meet."""
    size = len(one.bounds)
    return any(one.bounds[i][j] + other.bounds[j][i] < 0 for i in range(size) for j in range(size))
