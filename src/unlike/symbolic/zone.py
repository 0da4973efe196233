"""What is known about values that are not chosen yet: bounds on them and on their differences, and what they are not.

A zone has slots 1 … n; slot 0 always is the number zero, so that a bound on one value is a bound on a difference, too.
`bounds[i][j]` is the largest value of x_i - x_j, and `unequal` holds (i, j, c) where x_i - x_j is not c. A zone is
kept in a normal form: every bound is as small as the other bounds make it, a disequality says something the bounds
do not, is written in the first slot of those that move together, and there is at least one point.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

from unlike.symbolic.satisfying import Bounds, Unequal, has_point

__all__ = ["Term", "Zone"]

Term: TypeAlias = tuple[int, int]  # (slot, offset): the value of the slot plus the offset; (0, c) is the number c
Rows: TypeAlias = list[list[int]]


@dataclass(frozen=True, slots=True)
class Zone:
    """A non-empty set of integer points, as bounds on differences and disequalities.

    Make one by `Zone.box`, `Zone.of` or from another one; the constructor trusts its arguments to be in normal form.
    """

    bounds: Bounds
    unequal: Unequal = ()

    @classmethod
    def box(cls, *ranges: tuple[int, int]) -> Zone:
        """Return the zone with a slot per (low, high), all independent of each other."""
        lows, highs = (0, *(low for low, _ in ranges)), (0, *(high for _, high in ranges))
        for low, high in ranges:
            if low > high:
                raise ValueError(f"the range {low!r} to {high!r} is empty")
        size = range(len(lows))
        return cls(tuple(tuple(0 if i == j else highs[i] - lows[j] for j in size) for i in size))

    @classmethod
    def of(cls, bounds: Iterable[Iterable[int]], unequal: Iterable[tuple[int, int, int]] = ()) -> Zone | None:
        """Return the zone of all points within the bounds, or nothing if there are none; bounds need not be closed."""
        rows = [list(row) for row in bounds]
        if not close(rows):
            return None
        return _settled(rows, unequal)

    @property
    def slots(self) -> int:
        """How many values are open."""
        return len(self.bounds) - 1

    def low(self, slot: int) -> int:
        """Return the smallest value of the slot that the bounds allow."""
        return -self.bounds[0][slot]

    def high(self, slot: int) -> int:
        """Return the largest value of the slot that the bounds allow."""
        return self.bounds[slot][0]

    def at_most(self, i: int, j: int, c: int) -> Zone | None:
        """Return the part with x_i - x_j <= c, or nothing if there is none."""
        bounds = self.bounds
        if bounds[i][j] <= c:
            return self
        if bounds[j][i] + c < 0:
            return None
        if not self.unequal:
            return Zone(tightened(bounds, i, j, c))
        return _settled([list(row) for row in tightened(bounds, i, j, c)], self.unequal)

    def equal(self, i: int, j: int, c: int) -> Zone | None:
        """Return the part with x_i - x_j == c, or nothing if there is none."""
        bounds = self.bounds
        if bounds[i][j] < c or bounds[j][i] < -c:
            return None
        exact = tightened(tightened(bounds, i, j, c), j, i, -c)
        return _settled([list(row) for row in exact], self.unequal) if self.unequal else Zone(exact)

    def not_equal(self, i: int, j: int, c: int) -> Zone | None:
        """Return the part with x_i - x_j != c, or nothing if there is none."""
        if self.bounds[i][j] < c or self.bounds[j][i] < -c:
            return self
        return _settled([list(row) for row in self.bounds], (*self.unequal, (i, j, c)))

    def intersect(self, other: Zone) -> Zone | None:
        """Return the points of both zones, or nothing if there are none."""
        rows = [[min(pair) for pair in zip(*two, strict=True)] for two in zip(self.bounds, other.bounds, strict=True)]
        if not close(rows):
            return None
        return _settled(rows, (*self.unequal, *other.unequal))

    def includes(self, other: Zone) -> bool:
        """Tell whether every point of the other zone is in this one."""
        size = range(len(self.bounds))
        for i in size:
            mine, theirs = self.bounds[i], other.bounds[i]
            for j in size:
                # the bounds are tight for points without disequalities only; with them the corner may be missing
                if theirs[j] > mine[j] and (not other.unequal or other.at_most(j, i, -mine[j] - 1) is not None):
                    return False
        return all(other.equal(i, j, c) is None for i, j, c in self.unequal)

    def extend(self, *ranges: tuple[int, int]) -> Zone:
        """Return the zone with further slots, independent of the others."""
        bounds = self.bounds
        for low, high in ranges:
            own = (*[high + below for below in bounds[0]], 0)
            bounds = (*[(*row, row[0] - low) for row in bounds], own)
        return Zone(bounds, self.unequal)

    def beside(self, other: Zone) -> Zone:
        """Return the zone of both, the slots of the other one after these."""
        old = len(self.bounds)
        grown = self.extend(*[(other.low(slot), other.high(slot)) for slot in range(1, other.slots + 1)])

        def moved(slot: int) -> int:
            return slot + old - 1 if slot else 0

        rows = [list(row) for row in grown.bounds]
        for i, row in enumerate(other.bounds):
            for j, bound in enumerate(row):
                rows[moved(i)][moved(j)] = bound
        unequal = sorted((*self.unequal, *((moved(i), moved(j), c) for i, j, c in other.unequal)))
        return Zone(_frozen(rows), tuple(unequal))

    def hull(self, terms: Sequence[Term]) -> Zone:
        """Return a zone with every point of the projection, and perhaps more: it forgets that slots which go differ."""
        kept = {slot for slot, _ in terms}
        zone, unequal, troubled = self._moved(kept)
        gone = set(troubled)
        return zone._chosen(terms, [each for each in unequal if each[0] not in gone and each[1] not in gone])

    def project(self, terms: Sequence[Term]) -> list[Zone]:
        """Return the zones, together exact and without common points before projection, of the terms' values."""
        kept = {slot for slot, _ in terms}
        if not self.unequal:
            return [self._chosen(terms, ())]
        done, todo = [], [self]
        while todo:
            zone = todo.pop()
            zone, unequal, troubled = zone._moved(kept)
            split = zone._split(unequal, troubled)
            if split is None:
                gone = set(troubled)
                left = [each for each in unequal if each[0] not in gone and each[1] not in gone]
                done.append(zone._chosen(terms, left))
            else:
                todo.extend(reversed([part for part in split if part is not None]))
        return done

    def _moved(self, kept: set[int]) -> tuple[Zone, list[tuple[int, int, int]], list[int]]:
        """Return the disequalities in slots that stay where possible, and the slots among them that do not stay."""
        moved = []
        for i, j, c in self.unequal:
            (a, x), (b, y) = self._stand_in(i, kept), self._stand_in(j, kept)
            moved.append((a, b, c - x + y) if a > b else (b, a, x - y - c))
        troubled = sorted({slot for i, j, _ in moved for slot in (i, j) if slot and slot not in kept})
        return self, moved, troubled

    def _stand_in(self, slot: int, kept: set[int]) -> Term:
        """Return a slot that stays and always has the value of this one plus an offset, or the slot itself."""
        for other in (0, *sorted(kept)):
            if self.bounds[slot][other] == -self.bounds[other][slot]:
                return other, self.bounds[slot][other]
        return slot, 0

    def _split(self, unequal: Sequence[tuple[int, int, int]], troubled: list[int]) -> list[Zone | None] | None:
        """Return two halves if a slot that goes might have no value left for some point, else nothing.

        One that is bound to no other slot, and has more values than disequalities, always has one left.
        """
        for slot in troubled:
            against = [each for each in unequal if slot in each[:2]]
            width = self.high(slot) - self.low(slot) + 1
            if self._is_free(slot) and width > len(against):
                continue
            i, j, c = against[0]
            return [self.at_most(i, j, c - 1), self.at_most(j, i, -c - 1)]
        return None

    def _is_free(self, slot: int) -> bool:
        high, low, bounds = self.bounds[slot][0], self.bounds[0][slot], self.bounds
        return all(
            bounds[slot][j] == high + bounds[0][j] and bounds[j][slot] == bounds[j][0] + low
            for j in range(1, len(bounds))
            if j != slot
        )

    def _chosen(self, terms: Sequence[Term], unequal: Iterable[tuple[int, int, int]]) -> Zone:
        every = ((0, 0), *terms)
        bounds = self.bounds
        rows = tuple(tuple(bounds[i][j] + x - y for j, y in every) for i, x in every)
        first: dict[int, Term] = {}
        for position, (slot, offset) in enumerate(every):
            first.setdefault(slot, (position, offset))
        if not unequal:
            return Zone(rows)
        renamed = []
        for i, j, c in unequal:
            (a, x), (b, y) = first[i], first[j]
            renamed.append((a, b, c + x - y))
        zone = _settled([list(row) for row in rows], renamed)
        assert zone is not None, "a projection of a zone has a point"
        return zone

    def __contains__(self, point: Sequence[int]) -> bool:
        values = (0, *point)
        size = range(len(values))
        within = all(values[i] - values[j] <= self.bounds[i][j] for i in size for j in size)
        return within and all(values[i] - values[j] != c for i, j, c in self.unequal)


def close(rows: Rows) -> bool:
    """Make every bound as small as the others make it, in place; tell whether there is a point."""
    size = range(len(rows))
    for via in size:
        through = rows[via]
        for i in size:
            step, row = rows[i][via], rows[i]
            for j in size:
                if step + through[j] < row[j]:
                    row[j] = step + through[j]
    for i in size:
        if rows[i][i] < 0:
            return False
        rows[i][i] = 0
    return True


def tighten(rows: Rows, i: int, j: int, c: int) -> None:
    """Add x_i - x_j <= c to closed bounds that allow it, in place; they are closed afterwards."""
    if rows[i][j] <= c:
        return
    last = list(rows[j])
    for row in rows:
        step = row[i] + c
        for b, bound in enumerate(last):
            if step + bound < row[b]:
                row[b] = step + bound


def tightened(bounds: Bounds, i: int, j: int, c: int) -> Bounds:
    """Return closed bounds that allow it with x_i - x_j <= c added, closed; rows that stay are shared."""
    if bounds[i][j] <= c:
        return bounds
    last = bounds[j]

    def tight(row: tuple[int, ...]) -> tuple[int, ...]:
        step = row[i] + c
        if step >= row[j]:  # then no other bound of the row can be smaller by way of j
            return row
        return tuple([old if old <= step + rest else step + rest for old, rest in zip(row, last, strict=True)])

    return tuple(map(tight, bounds))


def _settled(rows: Rows, unequal: Iterable[tuple[int, int, int]]) -> Zone | None:
    """Return the zone of closed bounds and disequalities in normal form, or nothing if it has no point."""
    left = list(unequal)
    again = True
    while again:
        again, written = False, set()
        for i, j, c in left:
            least, most = -rows[j][i], rows[i][j]
            if c < least or c > most:
                continue
            if least == most:
                return None
            if c == most:
                tighten(rows, i, j, c - 1)
                again = True
            elif c == least:
                tighten(rows, j, i, -c - 1)
                again = True
            else:
                written.add(_in_first_slots(rows, i, j, c))
        left = sorted(written)
    if left and not has_point(rows, left):
        return None
    return Zone(_frozen(rows), tuple(left))


def _in_first_slots(rows: Rows, i: int, j: int, c: int) -> tuple[int, int, int]:
    (a, x), (b, y) = _first(rows, i), _first(rows, j)
    return (a, b, c - x + y) if a > b else (b, a, x - y - c)


def _first(rows: Rows, slot: int) -> Term:
    """Return the first slot that this one differs from by a fixed offset, and the offset."""
    for other in range(slot):
        if rows[slot][other] == -rows[other][slot]:
            return other, rows[slot][other]
    return slot, 0


def _frozen(rows: Rows) -> Bounds:
    return tuple(map(tuple, rows))
