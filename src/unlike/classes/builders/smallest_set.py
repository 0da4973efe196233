"""From a graph of all transitions to a smallest set of operations that reaches every goal.

More operations never reach less. So whatever set falls short, let it grow until any further operation would make it
sufficient: one of the operations left out must be in every sufficient set. Collect such demands, take the best set that
meets them all, and see whether it suffices; if not, it gives the next demand. The first set that suffices is the best
of all, because every sufficient set meets every demand.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from unlike.classes.builders.graph import Graph, Reach
from unlike.core import FOREVER, Deadline
from unlike.progress import report

Cost = tuple[int, int, tuple[int, ...]]  # how many, how complex, and which: the order in which sets are preferred


class BudgetError(Exception):
    """The counted steps of a search are used up."""


@dataclass(slots=True)
class Budget:
    """Steps that may still be taken."""

    steps: int
    deadline: Deadline = FOREVER
    spent: int = 0

    def spend(self, steps: int = 1) -> None:
        """Take steps, or end the search."""
        self.steps -= steps
        self.spent += steps
        report("choosing", self.spent)
        if self.steps < 0:
            raise BudgetError
        self.deadline.check()


def smallest(reach: Reach, candidates: Sequence[int], goals: Sequence[int], budget: Budget) -> tuple[int, ...]:
    """Return the best set of candidates that reaches all goals; all candidates together must reach them.

    Best is smallest, then simplest in its parameters, then first in the order of the API.
    """
    demands: list[frozenset[int]] = []
    while True:
        chosen = best_meeting(demands, reach.graph.costs, budget)
        if reach.covers(chosen, goals):
            return chosen
        demands.append(_demand(reach, candidates, goals, chosen, budget))


def _demand(
    reach: Reach, candidates: Sequence[int], goals: Sequence[int], chosen: Sequence[int], budget: Budget
) -> frozenset[int]:
    """Return candidates of which every sufficient set has one, and the chosen set none."""
    grown = set(chosen)
    for one in candidates:
        if one not in grown:
            before = reach.steps
            reached = reach.extended(grown, one)
            budget.spend(1 + reach.steps - before)
            if not all(reached[goal] for goal in goals):
                grown.add(one)
    return frozenset(candidates) - grown


def best_meeting(demands: Sequence[frozenset[int]], costs: Sequence[int], budget: Budget) -> tuple[int, ...]:
    """Return the best set that has a member of every demand."""
    search = _Meeting(costs, budget)
    search.extend((), 0, sorted(demands, key=lambda each: (len(each), sorted(each))), frozenset())
    assert search.best is not None  # no demand is empty
    return search.best[2]


@dataclass(slots=True)
class _Meeting:
    """Branch and bound over the members of the demands."""

    costs: Sequence[int]
    budget: Budget
    best: Cost | None = field(default=None)

    def extend(
        self, chosen: tuple[int, ...], cost: int, demands: Sequence[frozenset[int]], banned: frozenset[int]
    ) -> None:
        """Try every way to meet the demands that are left."""
        self.budget.spend()
        if not demands:
            found = (len(chosen), cost, tuple(sorted(chosen)))
            self.best = found if self.best is None else min(self.best, found)
            return
        if self.best is not None and self.bound(len(chosen), cost, demands, banned) > self.best[:2]:
            return
        tried: set[int] = set()
        for one in sorted(demands[0] - banned, key=lambda each: (self.costs[each], each)):
            left = [demand for demand in demands if one not in demand]
            self.extend((*chosen, one), cost + self.costs[one], left, banned | tried)
            tried.add(one)  # sets with it have been seen

    def bound(
        self, count: int, cost: int, demands: Sequence[frozenset[int]], banned: frozenset[int]
    ) -> tuple[int, int]:
        """Return what meeting the demands takes at least: demands without a common member need one each."""
        used: set[int] = set()
        for demand in demands:
            if used.isdisjoint(demand):
                used |= demand
                count += 1
                cost += min((self.costs[each] for each in demand - banned), default=0)
        return count, cost


def completed(reach: Reach, chosen: Sequence[int], candidates: Sequence[int], goals: Sequence[int]) -> tuple[int, ...]:
    """Return a set that reaches all goals, none of which can be dropped, with little beside the chosen.

    All candidates together must reach the goals.
    """
    costs = reach.graph.costs
    kept = list(candidates)
    for one in sorted(candidates, key=lambda each: (each in chosen, -costs[each], -each)):
        rest = [each for each in kept if each != one]
        if reach.covers(rest, goals):
            kept = rest
    return tuple(sorted(kept))


def is_minimal(reach: Reach, chosen: Sequence[int], goals: Sequence[int], candidates: Sequence[int]) -> bool:
    """Tell whether no operation of a sufficient set can be dropped, and none replaced by a simpler one."""
    return not any(reach.covers(each, goals) for each in variations(reach.graph, chosen, candidates))


def variations(graph: Graph, chosen: Sequence[int], candidates: Sequence[int]) -> Iterator[list[int]]:
    """Yield the set without each of its operations, and with each replaced by each simpler one."""
    for one in chosen:
        rest = [each for each in chosen if each != one]
        yield rest
        for other in candidates:
            if graph.costs[other] < graph.costs[one] and other not in rest:
                yield [*rest, other]
