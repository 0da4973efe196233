"""Every transition of an exploration as plain data, what a set of operations reaches in it, and the smallest that do.

A state is a number. An operation leads from one state, from several together (a call with objects as arguments) or from
none (a constructor) to others. What a set of operations reaches is graph search: no code under test runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from unlike.core import FOREVER, Deadline
from unlike.progress import report

Joint = tuple[tuple[int, ...], tuple[int, ...]]
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

    Best is smallest, then simplest in its parameters, then first in the order of the API. More operations never reach
    less. So whatever set falls short, let it grow until any further operation would make it sufficient: one of the
    operations left out must be in every sufficient set. Collect such demands, take the best set that meets them all,
    and see whether it suffices; if not, it gives the next demand.
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
            reached = reach.extend(grown, one)
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
        if self.best is not None and self.least_cost(len(chosen), cost, demands, banned) > self.best[:2]:
            return
        tried: set[int] = set()
        for one in sorted(demands[0] - banned, key=lambda each: (self.costs[each], each)):
            left = [demand for demand in demands if one not in demand]
            self.extend((*chosen, one), cost + self.costs[one], left, banned | tried)
            tried.add(one)  # sets with it have been seen

    def least_cost(
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


def complete_set(
    reach: Reach, chosen: Sequence[int], candidates: Sequence[int], goals: Sequence[int]
) -> tuple[int, ...]:
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


@dataclass(frozen=True, slots=True)
class Move:
    """What one operation does: the states it makes from nothing, from one state, and from several together."""

    first: tuple[int, ...] = ()
    unary: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    joint: tuple[Joint, ...] = ()


@dataclass(frozen=True, slots=True)
class Graph:
    """All states and moves. `goals` are the states of the target class; `values` are their field values, as bits."""

    size: int
    moves: tuple[Move, ...]
    costs: tuple[int, ...]  # how complex the parameters of each operation are
    goals: tuple[int, ...]
    values: Mapping[int, int]

    @property
    def candidates(self) -> tuple[int, ...]:
        """The operations that can be builders at all: they lead to a state other than those they start from."""
        return tuple(index for index, move in enumerate(self.moves) if move.first or move.unary or move.joint)


def move_of(edges: Mapping[tuple[int, ...], Iterable[int]]) -> Move:
    """Return the move that has these edges, each from the states of a call to those it led to."""
    first: dict[int, None] = {}
    unary: dict[int, dict[int, None]] = {}
    joint: dict[tuple[int, ...], dict[int, None]] = {}
    for inputs, outputs in edges.items():
        needed = tuple(sorted(set(inputs)))  # two objects in one state need that state only
        new = dict.fromkeys(each for each in outputs if each not in needed)
        if not needed:
            first.update(new)
        elif new and len(needed) == 1:
            unary.setdefault(needed[0], {}).update(new)
        elif new:
            joint.setdefault(needed, {}).update(new)
    return Move(
        tuple(first),
        {state: tuple(states) for state, states in unary.items()},
        tuple((needed, tuple(states)) for needed, states in joint.items()),
    )


class Reach:
    """What sets of operations reach; each set is worked out once. `steps` counts how often that was needed."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph
        self.steps = 0
        self._known: dict[frozenset[int], bytearray] = {}
        self._partners: list[dict[int, list[Joint]]] = [_by_state(move.joint) for move in graph.moves]

    def __reduce__(self) -> tuple[type[Reach], tuple[Graph]]:
        return Reach, (self.graph,)  # what was worked out here need not travel

    def states(self, operations: Iterable[int]) -> bytearray:
        """Return a flag for every state: whether these operations reach it."""
        chosen = frozenset(operations)
        if chosen not in self._known:
            reached = bytearray(self.graph.size)
            starts = [state for index in sorted(chosen) for state in self.graph.moves[index].first]
            self._known[chosen] = self._mark_reached(reached, sorted(chosen), starts)
        return self._known[chosen]

    def extend(self, operations: Iterable[int], one: int) -> bytearray:
        """Return what the operations reach together with one more."""
        chosen = frozenset(operations)
        larger = chosen | {one}
        if larger not in self._known:
            before = self.states(chosen)
            self._known[larger] = self._mark_reached(bytearray(before), sorted(larger), self._starts(before, one))
        return self._known[larger]

    def covers(self, operations: Iterable[int], goals: Sequence[int]) -> bool:
        """Tell whether the operations reach all goals."""
        reached = self.states(operations)
        return all(reached[goal] for goal in goals)

    def reached_goals(self, operations: Iterable[int]) -> list[int]:
        """Return the states of the target class that the operations reach."""
        reached = self.states(operations)
        return [goal for goal in self.graph.goals if reached[goal]]

    def field_values(self, operations: Iterable[int]) -> int:
        """Return how many field values occur in the states of the target class that the operations reach."""
        bits = 0
        for goal in self.reached_goals(operations):
            bits |= self.graph.values[goal]
        return bits.bit_count()

    def _starts(self, reached: bytearray, one: int) -> list[int]:
        move = self.graph.moves[one]
        starts = list(move.first)
        for state, states in move.unary.items():
            if reached[state]:
                starts.extend(states)
        for needed, states in move.joint:
            if all(reached[state] for state in needed):
                starts.extend(states)
        return starts

    def _mark_reached(self, reached: bytearray, chosen: Sequence[int], starts: Iterable[int]) -> bytearray:
        """Mark everything that follows from the starts."""
        self.steps += 1
        unary = [self.graph.moves[index].unary for index in chosen]
        partners = [self._partners[index] for index in chosen if self._partners[index]]
        waiting = list(starts)
        while waiting:
            state = waiting.pop()
            if reached[state]:
                continue
            reached[state] = 1
            for move in unary:
                if state in move:
                    waiting.extend(move[state])
            for joint in partners:
                for needed, states in joint.get(state, ()):
                    if all(reached[each] for each in needed):
                        waiting.extend(states)
        return reached


def _by_state(joint: Iterable[Joint]) -> dict[int, list[Joint]]:
    found: dict[int, list[Joint]] = {}
    for needed, states in joint:
        for state in needed:
            found.setdefault(state, []).append((needed, states))
    return found
