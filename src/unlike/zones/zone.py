"""What is known about values that are not chosen yet: bounds on them and on their differences, and what they are not.

A zone has slots 1 … n; slot 0 always is the number zero, so that a bound on one value is a bound on a difference, too.
`bounds[i][j]` is the largest value of x_i - x_j, and `unequal` holds (i, j, c) where x_i - x_j is not c. A zone is
kept in a normal form: every bound is as small as the other bounds make it, a disequality says something the bounds
do not, is written in the first slot of those that move together, and there is at least one point.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Bounds: TypeAlias = tuple[tuple[int, ...], ...]
Term: TypeAlias = tuple[int, int]  # (slot, offset): the value of the slot plus the offset; (0, c) is the number c
Difference: TypeAlias = tuple[int, int, int]  # (i, j, c): about x_i - x_j and c; of disequalities, that it is not c
Unequal: TypeAlias = tuple[Difference, ...]


def tighten(bounds: Bounds, i: int, j: int, c: int) -> Bounds:
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


def tighten_to(bounds: Bounds, i: int, j: int, c: int) -> Bounds | None:
    """Return the bounds with x_i - x_j == c added, or nothing if they do not allow it."""
    if bounds[i][j] < c or bounds[j][i] < -c:
        return None
    return tighten(tighten(bounds, i, j, c), j, i, -c)


def settle(bounds: Bounds, unequal: Iterable[Difference]) -> tuple[Bounds, Unequal] | None:
    """Return both in normal form, or nothing where the bounds show that no point is left.

    A disequality at the end of a range moves the bound; one that the bounds imply is dropped; the others are written
    in the first of the slots that move together, sorted.
    """
    slots = range(len(bounds))
    again = True
    while again:
        again, written = False, set()
        for i, j, c in unequal:
            least, most = -bounds[j][i], bounds[i][j]
            if c < least or c > most:
                continue
            if least == most:
                return None
            if least < c < most:
                written.add(rewrite(bounds, (i, j, c), slots))
                continue
            bounds = tighten(bounds, i, j, c - 1) if c == most else tighten(bounds, j, i, -c - 1)
            again = True
        unequal = sorted(written)
    return bounds, tuple(unequal)


def rewrite(bounds: Bounds, difference: Difference, slots: Iterable[int]) -> Difference:
    """Return the same said of the first of the slots that move together with its own, the later slot first."""
    i, j, c = difference
    (a, x), (b, y) = find_tied(bounds, i, slots), find_tied(bounds, j, slots)
    return (a, b, c - x + y) if a > b else (b, a, x - y - c)


def find_tied(bounds: Bounds, slot: int, among: Iterable[int]) -> Term:
    """Return the first slot among some that this one differs from by a fixed offset, and the offset; or itself."""
    for other in among:
        if bounds[slot][other] == -bounds[other][slot]:
            return other, bounds[slot][other]
    return slot, 0


# -- points --------------------------------------------------------------------------------------------


def iterate_points(bounds: Bounds, unequal: Iterable[Difference]) -> Iterator[tuple[int, ...]]:
    """Yield the points of closed bounds and disequalities in lexicographic order."""
    forbidden: dict[int, list[Term]] = {}  # for every slot which earlier slots, plus what, it must not equal
    for i, j, c in unequal:
        forbidden.setdefault(max(i, j), []).append((j, c) if i > j else (i, -c))
    values = [0]

    def choose() -> Iterator[tuple[int, ...]]:
        slot = len(values)
        if slot == len(bounds):
            yield tuple(values[1:])
            return
        low = max(value - bounds[j][slot] for j, value in enumerate(values))
        high = min(value + bounds[slot][j] for j, value in enumerate(values))
        taken = {values[j] + c for j, c in forbidden.get(slot, ())}
        for value in range(low, high + 1):
            if value not in taken:
                values.append(value)
                yield from choose()
                values.pop()

    return choose()


def has_point(bounds: Bounds, unequal: Unequal) -> bool:
    """Tell whether bounds and disequalities in normal form have a point."""
    if len(unequal) <= 1:
        return True  # it lies strictly between the bounds, so there is another difference
    slots = sorted({slot for i, j, _ in unequal for slot in (i, j) if slot})
    if all(always_has_room(bounds, slot, unequal) for slot in slots):
        return True
    if _are_crowded(bounds, slots, unequal):
        return False
    # closed bounds can be completed whatever was chosen for some slots, so the others do not matter
    order = [0, *slots]
    rank = {slot: position for position, slot in enumerate(order)}
    rows = tuple(tuple(bounds[i][j] for j in order) for i in order)
    return next(iterate_points(rows, [(rank[i], rank[j], c) for i, j, c in unequal]), None) is not None


def always_has_room(bounds: Bounds, slot: int, unequal: Sequence[Difference]) -> bool:
    """Tell whether the slot is bound to no other one and has more values than disequalities."""
    high, low = bounds[slot][0], bounds[0][slot]
    against = sum(slot in (i, j) for i, j, _ in unequal)
    return high + low + 1 > against and all(
        bounds[slot][j] == high + bounds[0][j] and bounds[j][slot] == bounds[j][0] + low
        for j in range(1, len(bounds))
        if j != slot
    )


def _are_crowded(bounds: Bounds, slots: list[int], unequal: Unequal) -> bool:
    """Tell whether some slots that all differ from each other have fewer numbers between them than they are."""
    differ = {(i, j) for i, j, c in unequal if c == 0 and j}
    for start in range(len(slots)):
        clique: list[int] = []
        for slot in slots[start:] + slots[:start]:
            if all((max(slot, other), min(slot, other)) in differ for other in clique):
                clique.append(slot)
        ranges = [(-bounds[0][slot], bounds[slot][0]) for slot in clique]
        for low in {low for low, _ in ranges}:
            for high in {high for _, high in ranges}:
                inside = sum(low <= a and b <= high for a, b in ranges)
                if inside > high - low + 1 >= 0 and inside:
                    return True
    return False


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


@dataclass(frozen=True, slots=True)
class FreeZone:
    """A zone over free variables 1 … m: what is constant or tied to another variable is taken out.

    Slot i is variable `which[i]` plus `offset[i]`, and variable 0 is 0.
    """

    which: tuple[int, ...]
    offset: tuple[int, ...]
    bounds: Bounds
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


def find_free(bounds: Bounds, unequal: Unequal) -> FreeZone:
    """Return what is free in bounds and disequalities in normal form."""
    slots = range(len(bounds))
    tied = [find_tied(bounds, slot, slots) for slot in slots]
    free = [slot for slot in slots if tied[slot][0] == slot]
    number = {slot: position for position, slot in enumerate(free)}
    return FreeZone(
        which=tuple(number[first] for first, _ in tied[1:]),
        offset=tuple(offset for _, offset in tied[1:]),
        bounds=tuple(tuple(bounds[i][j] for j in free) for i in free),
        unequal=frozenset((number[a], number[b], c) for a, b, c in unequal),
    )
