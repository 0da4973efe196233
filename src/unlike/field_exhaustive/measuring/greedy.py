"""The fewest of many: from things that each show some pairs to a few that show them all."""

from __future__ import annotations

import heapq
from collections.abc import Hashable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def few_that_show_all(shown: Sequence[Iterable[T]]) -> list[int]:
    """Return the places of a few that together show what all of them show: most news first, then needless ones out.

    >>> few_that_show_all([{1}, {1, 2}, {3}])
    [1, 2]
    """
    sets = [frozenset(each) for each in shown]
    open_ = set[T]().union(*sets)
    waiting = [(-len(each), place) for place, each in enumerate(sets)]
    heapq.heapify(waiting)
    taken: list[int] = []
    while open_:
        news, place = heapq.heappop(waiting)
        now = len(sets[place] & open_)
        if now < -news:  # others have shown some of it meanwhile
            if now:
                heapq.heappush(waiting, (-now, place))
            continue
        taken.append(place)
        open_ -= sets[place]
    return sorted(_without_needless(taken, sets))


def _without_needless(taken: list[int], sets: Sequence[frozenset[T]]) -> list[int]:
    counts: dict[T, int] = {}
    for place in taken:
        for pair in sets[place]:
            counts[pair] = counts.get(pair, 0) + 1
    kept = []
    for place in taken:
        if all(counts[pair] > 1 for pair in sets[place]):
            for pair in sets[place]:
                counts[pair] -= 1
        else:
            kept.append(place)
    return kept


def needed_at_least(shown: Sequence[Iterable[T]]) -> int:
    """Return a number of things of which fewer cannot show all: pairs of which nothing shows two."""
    sets = [frozenset(each) for each in shown]
    where: dict[T, set[int]] = {}
    for place, each in enumerate(sets):
        for pair in each:
            where.setdefault(pair, set()).add(place)
    used: set[int] = set()
    count = 0
    for _, _, places in sorted((len(places), min(places), sorted(places)) for places in where.values()):
        if used.isdisjoint(places):
            used.update(places)
            count += 1
    return count
