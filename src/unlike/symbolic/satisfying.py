"""From closed bounds and disequalities to their points: whether there is one, and all of them in order.

Bounds alone always have a point. Disequalities may leave none (four values, all different, out of three), and
finding that out is a search; values that all differ and have too few numbers between them are noticed before it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypeAlias

Bounds: TypeAlias = tuple[tuple[int, ...], ...]
Unequal: TypeAlias = tuple[tuple[int, int, int], ...]

__all__ = ["Bounds", "Unequal", "has_point", "points"]


def points(bounds: Sequence[Sequence[int]], unequal: Sequence[tuple[int, int, int]]) -> Iterator[tuple[int, ...]]:
    """Yield the points of closed bounds and disequalities in lexicographic order."""
    return _chosen(bounds, _by_slot(unequal), [0])


def has_point(bounds: Sequence[Sequence[int]], unequal: Sequence[tuple[int, int, int]]) -> bool:
    """Tell whether closed bounds and disequalities, none of which is at a bound, have a point."""
    if len(unequal) <= 1:
        return True  # it lies strictly between the bounds, so there is another difference
    slots = sorted({slot for i, j, _ in unequal for slot in (i, j) if slot})
    if all(_always_has_room(bounds, slot, unequal) for slot in slots):
        return True
    if _crowded(bounds, slots, unequal):
        return False
    # closed bounds can be completed whatever was chosen for some slots, so the others do not matter
    order = [0, *slots]
    rank = {slot: position for position, slot in enumerate(order)}
    rows = [[bounds[i][j] for j in order] for i in order]
    renamed = [(rank[i], rank[j], c) for i, j, c in unequal]
    return next(_chosen(rows, _by_slot(renamed), [0]), None) is not None


def _by_slot(unequal: Sequence[tuple[int, int, int]]) -> dict[int, list[tuple[int, int]]]:
    """Return for every slot which earlier slots, plus what, it must not equal."""
    forbidden: dict[int, list[tuple[int, int]]] = {}
    for i, j, c in unequal:
        forbidden.setdefault(max(i, j), []).append((j, c) if i > j else (i, -c))
    return forbidden


def _chosen(
    bounds: Sequence[Sequence[int]],
    forbidden: dict[int, list[tuple[int, int]]],
    values: list[int],
) -> Iterator[tuple[int, ...]]:
    if len(values) == len(bounds):
        yield tuple(values[1:])
        return
    slot = len(values)
    low = max(value - bounds[j][slot] for j, value in enumerate(values))
    high = min(value + bounds[slot][j] for j, value in enumerate(values))
    taken = {values[j] + c for j, c in forbidden.get(slot, ())}
    for value in range(low, high + 1):
        if value not in taken:
            values.append(value)
            yield from _chosen(bounds, forbidden, values)
            values.pop()


def _always_has_room(bounds: Sequence[Sequence[int]], slot: int, unequal: Sequence[tuple[int, int, int]]) -> bool:
    """Tell whether the slot is bound to no other one and has more values than disequalities."""
    high, low = bounds[slot][0], bounds[0][slot]
    against = sum(slot in (i, j) for i, j, _ in unequal)
    return high + low + 1 > against and all(
        bounds[slot][j] == high + bounds[0][j] and bounds[j][slot] == bounds[j][0] + low
        for j in range(1, len(bounds))
        if j != slot
    )


def _crowded(bounds: Sequence[Sequence[int]], slots: list[int], unequal: Sequence[tuple[int, int, int]]) -> bool:
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
