"""From what candidates show to an order: most that is new comes first, and what was shown before is worth less.

    [{("branches", "a")}, {("branches", "a"), ("branches", "b")}]  ->  1, 0

The order is greedy, the same for every number of inputs, and made of whole numbers alone: the same on every machine. A
candidate's worth only falls while others are taken, so most of them are never looked at again (a heap of old worths).
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import TypeAlias

from unlike.observe.run import Feature

Admits: TypeAlias = Callable[[int, Sequence[int]], bool]  # whether a candidate may come next, after those chosen

WEIGHTS: Mapping[str, int] = {  # of families, in thousandths; measured in a study of mutants
    "branches": 8_000,
    "paths": 2_000,
    "boundaries": 2_000,
    "results": 1_000,
    "values": 1_000,
    "look": 30,  # of the input itself: spreads those that do the same
}
UNIT = 10**9  # a weight is so many of the parts that it fades in: enough for a dozen times
FADES = (2, 5)  # of a feature's worth is left whenever it is shown again
PER_LETTER = 2  # thousandths that each letter of an input costs: among those that show the same the short one is taken


def order_by_news(
    shown: Sequence[Collection[Feature]],
    sizes: Sequence[int],
    *,
    admits: Admits | None = None,
    differs: Callable[[int, int], bool] | None = None,
    first: Sequence[int] = (),
) -> Iterator[int]:
    """Yield the candidates, the one with most that is new first, then the smallest, then the earliest.

    `admits` may put one off until others have come; one that does not differ from all that came before is left out.
    What the candidates in `first` show counts as shown, and they are not yielded.
    """
    yield from _Order(shown, sizes, FADES).each(admits, differs, first)


def choose_fewest(
    shown: Sequence[Collection[Feature]],
    sizes: Sequence[int],
    *,
    differs: Callable[[int, int], bool] | None = None,
    first: Sequence[int] = (),
) -> list[int]:
    """Return few candidates that show everything any of them shows, none of them needless; found greedily."""
    order = _Order(shown, sizes, (0, 1))
    chosen: list[int] = []
    missing = {feature for each in shown for feature in each} - {feature for at in first for feature in shown[at]}
    for index in order.each(None, differs, first):
        if not missing:
            break
        if not missing.isdisjoint(shown[index]):
            missing.difference_update(shown[index])
            chosen.append(index)
    times = Counter(feature for at in (*first, *chosen) for feature in set(shown[at]))
    for index in reversed(chosen):
        if all(times[feature] > 1 for feature in shown[index]):
            chosen.remove(index)
            times.subtract(set(shown[index]))
    return chosen


class _Order:
    """Candidates in a heap by what they were worth when they were last looked at."""

    def __init__(self, shown: Sequence[Collection[Feature]], sizes: Sequence[int], fades: tuple[int, int]) -> None:
        numbers: dict[Feature, int] = {}
        self.features = [[numbers.setdefault(feature, len(numbers)) for feature in set(each)] for each in shown]
        self.worth = [WEIGHTS[str(feature[0])] * UNIT for feature in numbers]  # of each feature now
        self.costs = [PER_LETTER * UNIT * size for size in sizes]
        self.fades = fades
        self.chosen: list[int] = []

    def each(
        self, admits: Admits | None, differs: Callable[[int, int], bool] | None, first: Sequence[int]
    ) -> Iterator[int]:
        """Yield the candidates in order."""
        for index in first:
            self._take(index)
        heap = [self._entry(index) for index in sorted(set(range(len(self.features))) - set(first))]
        heapq.heapify(heap)
        put_off: list[tuple[int, int, int]] = []
        while heap:
            old = heapq.heappop(heap)
            index = old[2]
            now = self._entry(index)
            if now != old:
                heapq.heappush(heap, now)
                continue
            if differs is not None and not all(differs(index, other) for other in self.chosen):
                continue
            if admits is not None and not admits(index, self.chosen):
                put_off.append(now)
                continue
            self._take(index)
            yield index
            for each in put_off:
                heapq.heappush(heap, each)
            put_off.clear()

    def _entry(self, index: int) -> tuple[int, int, int]:
        news = sum(self.worth[feature] for feature in self.features[index])
        return self.costs[index] - news, self.costs[index], index

    def _take(self, index: int) -> None:
        left, of = self.fades
        for feature in self.features[index]:
            self.worth[feature] = self.worth[feature] * left // of
        self.chosen.append(index)
