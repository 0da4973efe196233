"""An exploration that writes down where every call leads, and what each operation was seen to do."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from unlike import heap
from unlike.classes.api import Api, Operation, Parameter
from unlike.classes.builders.graph import Graph, move_of
from unlike.classes.caller import ObjectCaller
from unlike.classes.evidence import Evidence
from unlike.classes.frontier import StateFrontier
from unlike.classes.policy import SearchPolicy
from unlike.classes.recipes import sequence_text
from unlike.classes.result import Result
from unlike.classes.workbench import PLAIN, ReadyCall, Workbench
from unlike.errors import with_article
from unlike.suite import Ending

REFERENCE = 2  # w3 of the fitness: how much more a parameter costs that is not a plain value


@dataclass(slots=True)
class OperationUse:
    """What an operation was seen to do, with the first sequence that shows it; empty for what it never did."""

    changes: str = ""
    returns: str = ""
    answers: bool = False  # it returned something, and not NotImplemented

    @property
    def observes(self) -> bool:
        """Whether it never changed an argument and never returned an object."""
        return not self.changes and not self.returns


@dataclass(slots=True)
class Transitions:
    """Where calls led: for each operation the states they were made on, the states of their objects afterwards."""

    edges: dict[Operation, dict[tuple[int, ...], dict[int, None]]]
    uses: dict[Operation, OperationUse]
    leads: dict[Operation, set[int]]  # states it made, in truth

    @classmethod
    def of(cls, operations: Sequence[Operation]) -> Self:
        """Return what is known before any call."""
        return cls(
            {each: {} for each in operations},
            {each: OperationUse() for each in operations},
            {each: set() for each in operations},
        )

    def merge(self, later: Transitions) -> None:
        """Add what was seen later."""
        for operation, use in self.uses.items():
            more = later.uses[operation]
            use.changes, use.returns = use.changes or more.changes, use.returns or more.returns
            use.answers |= more.answers
            self.leads[operation] |= later.leads[operation]
            for numbers, reached in later.edges[operation].items():
                self.edges[operation].setdefault(numbers, {}).update(reached)


@dataclass(slots=True)
class Recorded(SearchPolicy):
    """Writes down where every call leads, and ends after a counted number of calls."""

    sees_calls: ClassVar[bool] = True
    _parts: dict[tuple[int, int], object] = field(init=False, repr=False, default_factory=dict)

    def new_notes(self, api: Api) -> Transitions:
        """Return where transitions are written down."""
        return Transitions.of(api.operations)

    def note(self, caller: ObjectCaller, bench: Workbench, call: ReadyCall, *came_to: Any) -> None:
        """Write down where a call led, and keep the first sequence that shows what its operation does."""
        notes, operation = transitions_of(caller.evidence), call.template.operation
        use, sequence = notes.uses[operation], functools.partial(_calls_up_to, caller, bench, call)
        match came_to:
            case "returned", result:
                use.answers |= result is not NotImplemented
                if not use.returns and _shares_parts(bench, result):
                    shown = (
                        f"{with_article(type(result).__name__)} that shares parts with an argument, or shows nothing"
                    )
                    use.returns = f"{sequence()} returned {shown}"
            case "raised", error, True if not use.changes:
                use.changes = f"{sequence()} raised {type(error).__name__} and left it changed"
            case "found", roots, roles, key:
                number = caller.frontier.store.find(key) if isinstance(key, bytes) else -1
                if number >= 0:
                    notes.edges[operation].setdefault(tuple(bench.numbers), {})[number] = None
                    if number not in bench.numbers and not self.was_there(caller, bench, roles[0], key):
                        notes.leads[operation].add(number)
                index, position = roles[0]
                if index < 0 and not use.returns:
                    use.returns = f"{sequence()} returned {with_article(type(roots[0]).__name__)}"
                elif index >= 0 and not use.changes and position == 0 and number != bench.numbers[index]:
                    use.changes = f"{sequence()} changed it"

    def was_there(self, caller: ObjectCaller, bench: Workbench, role: tuple[int, int], key: object) -> bool:
        """Tell whether an object that came along (the list behind an iterator) is as it was before the call."""
        index, position = role
        if index < 0 or position == 0:
            return False
        place = bench.numbers[index], position
        if place not in self._parts:
            self._parts[place] = caller.walker.walk(caller.make_objects(place[0])[position])
        return self._parts[place] == key


def transitions_of(evidence: Evidence) -> Transitions:
    """Return the transitions that a recorded search wrote down."""
    assert isinstance(evidence.notes, Transitions)
    return evidence.notes


def _shares_parts(bench: Workbench, result: object) -> bool:
    """Tell whether a result is no argument, and yet has a part of one."""
    if type(result) in PLAIN or any(result is each for each in bench.objects):
        return False
    return any(bench.shares(result, other) for roots in bench.roots for other in roots)


def _calls_up_to(caller: ObjectCaller, bench: Workbench, call: ReadyCall) -> str:
    return sequence_text(caller.frontier.failing(bench.numbers, call.number))


def graph_of(result: Result) -> Graph:
    """Return the transitions of a recorded search as plain data; the goals are the states that the result counts."""
    search, numbers = result.search, tuple(result.numbers)
    edges = transitions_of(search.evidence).edges
    return Graph(
        size=len(search.frontier),
        moves=tuple(move_of(edges[each]) for each in search.api.operations),
        costs=tuple(map(complexity, search.api.operations)),
        goals=numbers,
        values=_field_values(search.frontier, numbers),
    )


def _field_values(frontier: StateFrontier, numbers: Sequence[int]) -> dict[int, int]:
    """Return the field values of each state, one bit each."""
    bits: dict[Any, int] = {}
    found = {}
    for number in numbers:
        pairs = heap.extensions([frontier.heap_of(number)]).pairs
        found[number] = sum(
            1 << bits.setdefault((name, pair), len(bits)) for name, each in pairs.items() for pair in each
        )
    return found


def complexity(operation: Operation) -> int:
    """Return how complex the parameters of an operation are: 1 for a plain value, 2 for an object or container."""
    return sum(map(_complexity, operation.parameters))


def _complexity(parameter: Parameter) -> int:
    plain = all(type(value) in PLAIN or hasattr(type(value), "_member_map_") for value in parameter.pool.literals)
    return 1 if plain and not parameter.pool.classes and not parameter.star else REFERENCE


def raise_if_interrupted(result: Result) -> Result:
    """Return the result; a search that Ctrl-C ended ends whatever it was made for."""
    if result.status.ending is Ending.INTERRUPTED:
        raise KeyboardInterrupt
    return result
