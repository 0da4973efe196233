"""The fewest of many: from things that each show some pairs to a few that show them all."""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Collection, Hashable, Iterable, Sequence
from typing import TypeVar

T = TypeVar("T", bound=Hashable)


def choose_few(shown: Sequence[Iterable[T]]) -> list[int]:
    """Return the places of a few that together show what all of them show: most news first, then needless ones out.

    >>> choose_few([{1}, {1, 2}, {3}])
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
    return sorted(taken[place] for place in drop_needless([sets[place] for place in taken]))


def drop_needless(shown: Sequence[Collection[T]]) -> list[int]:
    """Return the places of those that are left when each that shows nothing of its own is dropped, the first first."""
    times = Counter(pair for pairs in shown for pair in pairs)
    kept = []
    for place, pairs in enumerate(shown):
        if all(times[pair] > 1 for pair in pairs):
            times.subtract(pairs)
        else:
            kept.append(place)
    return kept


def count_needed(shown: Sequence[Iterable[T]]) -> int:
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
