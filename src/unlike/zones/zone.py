"""What is known about values that are not chosen yet: bounds on them and on their differences, and what they are not.

A zone has slots 1 … n; slot 0 always is the number zero, so that a bound on one value is a bound on a difference, too.
`bounds[i][j]` is the largest value of x_i - x_j, and `unequal` holds (i, j, c) where x_i - x_j is not c. A zone is
kept in a normal form: every bound is as small as the other bounds make it, a disequality says something the bounds
do not, is written in the first slot of those that move together, and there is at least one point.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from unlike.zones.bounds import (
    Bounds,
    Difference,
    Term,
    Unequal,
    always_has_room,
    has_point,
    iterate_points,
    rewrite,
    settle,
    tighten,
    tighten_to,
)


@dataclass(frozen=True, slots=True)
class Zone:
    """A non-empty set of integer points, as bounds on differences and disequalities.

    Make one by `Zone.box`, or from another one; the constructor trusts its arguments to be in normal form.
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

    def first_point(self) -> tuple[int, ...]:
        """Return the first of its points in lexicographic order."""
        return next(iterate_points(self.bounds, self.unequal))

    def at_most(self, i: int, j: int, c: int) -> Zone | None:
        """Return the part with x_i - x_j <= c, or nothing if there is none."""
        bounds = self.bounds
        if bounds[i][j] <= c:
            return self
        if bounds[j][i] + c < 0:
            return None
        return _find_zone(tighten(bounds, i, j, c), self.unequal)

    def equal(self, i: int, j: int, c: int) -> Zone | None:
        """Return the part with x_i - x_j == c, or nothing if there is none."""
        bounds = tighten_to(self.bounds, i, j, c)
        return None if bounds is None else _find_zone(bounds, self.unequal)

    def not_equal(self, i: int, j: int, c: int) -> Zone | None:
        """Return the part with x_i - x_j != c, or nothing if there is none."""
        if self.bounds[i][j] < c or self.bounds[j][i] < -c:
            return self
        return _find_zone(self.bounds, (*self.unequal, (i, j, c)))

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
        old = self.slots
        grown = self.extend(*[(other.low(slot), other.high(slot)) for slot in range(1, other.slots + 1)])
        rows = (
            (*row[: old + 1], *theirs[1:])
            for row, theirs in zip(grown.bounds[old + 1 :], other.bounds[1:], strict=True)
        )
        moved = ((i + old, j + old if j else 0, c) for i, j, c in other.unequal)
        return Zone((*grown.bounds[: old + 1], *rows), tuple(sorted((*self.unequal, *moved))))

    # -- dropping slots --------------------------------------------------------------------------------

    def hull(self, terms: Sequence[Term]) -> Zone:
        """Return a zone with every point of the projection, and perhaps more: it forgets that slots which go differ."""
        return self._select(terms, self._rewrite(_kept_slots(terms)))

    def project(self, terms: Sequence[Term]) -> list[Zone]:
        """Return the zones, together exact and without common points before projection, of the terms' values."""
        kept = _kept_slots(terms)
        done, todo = [], [self]
        while todo:
            zone = todo.pop()
            unequal = zone._rewrite(kept)
            if halves := zone._split(unequal, kept):
                todo.extend(reversed(halves))
            else:
                done.append(zone._select(terms, unequal))
        return done

    def _rewrite(self, kept: Sequence[int]) -> list[Difference]:
        """Return the disequalities in slots that stay, where possible."""
        return [rewrite(self.bounds, each, kept) for each in self.unequal]

    def _split(self, unequal: Sequence[Difference], kept: Sequence[int]) -> list[Zone]:
        """Return two halves if a slot that goes might have no value left for some point, else nothing.

        One that is bound to no other slot, and has more values than disequalities, always has one left.
        """
        for slot in sorted({slot for i, j, _ in unequal for slot in (i, j) if slot not in kept}):
            if not always_has_room(self.bounds, slot, unequal):
                i, j, c = next(each for each in unequal if slot in each[:2])
                halves = self.at_most(i, j, c - 1), self.at_most(j, i, -c - 1)
                return [half for half in halves if half is not None]
        return []

    def _select(self, terms: Sequence[Term], unequal: Iterable[Difference]) -> Zone:
        """Return the zone of the terms, with those of the disequalities that are about them."""
        every = ((0, 0), *terms)
        rows = tuple(tuple(self.bounds[i][j] + x - y for j, y in every) for i, x in every)
        first: dict[int, Term] = {}
        for position, (slot, offset) in enumerate(every):
            first.setdefault(slot, (position, offset))
        renamed = [
            (first[i][0], first[j][0], c + first[i][1] - first[j][1])
            for i, j, c in unequal
            if i in first and j in first
        ]
        zone = _find_zone(rows, renamed)
        assert zone is not None, "a projection of a zone has a point"
        return zone

    def __contains__(self, point: Sequence[int]) -> bool:
        values = (0, *point)
        size = range(len(values))
        within = all(values[i] - values[j] <= self.bounds[i][j] for i in size for j in size)
        return within and all(values[i] - values[j] != c for i, j, c in self.unequal)


def _find_zone(bounds: Bounds, unequal: Sequence[Difference]) -> Zone | None:
    """Return the zone of closed bounds and disequalities, or nothing if it has no point."""
    if not unequal:
        return Zone(bounds)
    settled = settle(bounds, unequal)
    return Zone(*settled) if settled is not None and has_point(*settled) else None


def _kept_slots(terms: Sequence[Term]) -> list[int]:
    return sorted({0, *(slot for slot, _ in terms)})
