"""Every transition of an exploration as plain data, and what a set of operations reaches in it.

A state is a number. An operation leads from one state, from several together (a call with objects as arguments) or from
none (a constructor) to others. What a set of operations reaches is graph search: no code under test runs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

Joint = tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True, slots=True)
class Move:
    """What one operation does: the states it makes from nothing, from one state, and from several together."""

    first: tuple[int, ...] = ()
    unary: Mapping[int, tuple[int, ...]] = field(default_factory=dict)
    joint: tuple[Joint, ...] = ()

    @property
    def leads_anywhere(self) -> bool:
        """Whether the operation leads to a state other than those it starts from."""
        return bool(self.first or self.unary or self.joint)


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
        """The operations that can be builders at all."""
        return tuple(index for index, move in enumerate(self.moves) if move.leads_anywhere)


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

    def states(self, operations: Iterable[int]) -> bytearray:
        """Return a flag for every state: whether these operations reach it."""
        chosen = frozenset(operations)
        if chosen not in self._known:
            reached = bytearray(self.graph.size)
            starts = [state for index in sorted(chosen) for state in self.graph.moves[index].first]
            self._known[chosen] = self._spread(reached, sorted(chosen), starts)
        return self._known[chosen]

    def extended(self, operations: Iterable[int], one: int) -> bytearray:
        """Return what the operations reach together with one more."""
        chosen = frozenset(operations)
        larger = chosen | {one}
        if larger not in self._known:
            before = self.states(chosen)
            self._known[larger] = self._spread(bytearray(before), sorted(larger), self._starts(before, one))
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

    def _spread(self, reached: bytearray, chosen: Sequence[int], starts: Iterable[int]) -> bytearray:
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
