"""Bounds on the differences of integers, as plain tuples: made tighter, brought into normal form, searched for a point.

`bounds[i][j]` is the largest value of x_i - x_j, where x_0 is the number zero. All bounds here are closed: each is as
small as the others make it. Bounds alone always have a point. Disequalities may leave none (four values, all different,
out of three), and finding that out is a search; values that all differ and have too few numbers between them are
noticed before it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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
