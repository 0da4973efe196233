"""An exploration that writes down where every call leads, and what each operation was seen to do."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from unlike import heap
from unlike.building.graph import Graph, move_of
from unlike.errors import with_article
from unlike.explore import Result
from unlike.explore.api import Api, Kind, Operation, Parameter
from unlike.explore.bench import PLAIN, Bench, Prepared, Tally, plain_data
from unlike.explore.outcomes import Options, Outcome, Stop
from unlike.explore.search import Search
from unlike.explore.tracing import Invocation, sequence_text
from unlike.heap import Outside
from unlike.scope import Limits, Scope
from unlike.suite import Ending, Status

REFERENCE = 2  # w3 of the fitness: how much more a parameter costs that is not a plain value

Make = Callable[[Api, Scope, Limits, Options], Search]


@dataclass(slots=True)
class Evidence:
    """What an operation was seen to do, with the first sequence that shows it; empty for what it never did."""

    changes: str = ""
    returns: str = ""
    answers: bool = False  # it returned something, and not NotImplemented

    @property
    def observes(self) -> bool:
        """Whether it never changed an argument and never returned an object."""
        return not self.changes and not self.returns


class Recording(Search):
    """A search that keeps every transition. It makes each call itself, and ends after a counted number of calls."""

    carried = ("distinct", "edges", "evidence", "leads", "parts")

    def __init__(self, api: Api, scope: Scope, limits: Limits, options: Options, *, budget: int) -> None:
        super().__init__(api, scope, limits, options)
        self.budget = budget
        self.edges: dict[Operation, dict[tuple[int, ...], dict[int, None]]] = {each: {} for each in api.operations}
        self.evidence: dict[Operation, Evidence] = {each: Evidence() for each in api.operations}
        self.leads: dict[Operation, set[int]] = {each: set() for each in api.operations}  # states it made, in truth
        self.parts: dict[tuple[int, int], object] = {}

    def expand(self, number: int) -> None:
        """Make every call that needs this object alone, and see where each leads."""
        calls = self.calls_on(number)
        if calls:
            self.expand_with([number], calls)

    def check_bounds(self) -> None:
        """End the search where its calls, its time or its number of states is used up."""
        super().check_bounds()
        if self.calls > self.budget:
            raise Stop(Status(Ending.UNKNOWN, f"{self.budget:,} calls were made and states are left"))

    def judge_success(
        self, bench: Bench, prepared: Prepared, result: object, tally: Tally, silent: bool
    ) -> tuple[Outcome, object]:
        """Judge the call, and note a result that shares parts with an argument."""
        judged = super().judge_success(bench, prepared, result, tally, silent)
        evidence = self.evidence[prepared.template.operation]
        evidence.answers |= result is not NotImplemented
        if not evidence.returns and type(result) not in PLAIN and not any(result is each for each in bench.objects):
            others = (other for roots in bench.roots for other in roots)
            if any(bench.shares(result, other) for other in others):
                shown = f"{with_article(type(result).__name__)} that shares parts with an argument, or shows nothing"
                evidence.returns = f"{self.shown(bench, prepared)} returned {shown}"
        return judged

    def judge_failure(
        self, bench: Bench, prepared: Prepared, error: BaseException, silent: bool
    ) -> tuple[Outcome, object]:
        """Judge the failure, and note one that left an argument changed."""
        outcome, seen = super().judge_failure(bench, prepared, error, silent)
        evidence = self.evidence[prepared.template.operation]
        if not evidence.changes and isinstance(seen, tuple) and seen[-1]:
            evidence.changes = f"{self.shown(bench, prepared)} raised {type(error).__name__} and left it changed"
        return outcome, seen

    def discover(
        self,
        bench: Bench,
        prepared: Prepared,
        roots: Sequence[object],
        roles: tuple[tuple[int, int], ...],
        seen: list[object],
        silent: bool,
    ) -> Outcome:
        """Walk an object, and write down the state it is in."""
        outcome = super().discover(bench, prepared, roots, roles, seen, silent)
        key = seen[-1]
        if silent or outcome is Outcome.ERROR:
            return outcome
        number = -1 if isinstance(key, Outside) else self.store.find(_bytes(key))
        operation = prepared.template.operation
        if number >= 0:
            self.edges[operation].setdefault(tuple(bench.numbers), {})[number] = None
            if number not in bench.numbers and not self.was_there(bench, roles[0], key):
                self.leads[operation].add(number)
        self.note(bench, prepared, roots, roles[0], number)
        return outcome

    def was_there(self, bench: Bench, role: tuple[int, int], key: object) -> bool:
        """Tell whether an object that came along (the list behind an iterator) is as it was before the call."""
        index, position = role
        if index < 0 or position == 0:
            return False
        place = bench.numbers[index], position
        if place not in self.parts:
            self.parts[place] = self.walker.walk(self.obtain(place[0])[position])
        return self.parts[place] == key

    def note(
        self, bench: Bench, prepared: Prepared, roots: Sequence[object], role: tuple[int, int], number: int
    ) -> None:
        """Keep the first sequence that shows a change, or a new object."""
        evidence = self.evidence[prepared.template.operation]
        index, position = role
        if index < 0:
            if not evidence.returns:
                evidence.returns = f"{self.shown(bench, prepared)} returned {with_article(type(roots[0]).__name__)}"
        elif not evidence.changes and position == 0 and number != bench.numbers[index]:
            evidence.changes = f"{self.shown(bench, prepared)} changed it"

    def shown(self, bench: Bench, prepared: Prepared) -> str:
        """Return the calls up to this one."""
        numbers = bench.numbers
        invocation = Invocation(prepared.number, tuple(numbers[1:]), ())
        return sequence_text(self.trace.failing(numbers[0] if numbers else -1, invocation))

    def graph(self, result: Result) -> Graph:
        """Return the transitions as plain data; the goals are the states that the result counts."""
        operations = self.api.operations
        numbers = tuple(result.numbers)
        return Graph(
            size=len(self.store),
            moves=tuple(move_of(self.edges[each]) for each in operations),
            costs=tuple(map(complexity, operations)),
            goals=numbers,
            values=self.field_values(numbers),
        )

    def field_values(self, numbers: Sequence[int]) -> dict[int, int]:
        """Return the field values of each state, one bit each."""
        bits: dict[Any, int] = {}
        found = {}
        for number in numbers:
            pairs = heap.extensions([plain_data(self, number)]).pairs
            found[number] = sum(
                1 << bits.setdefault((name, pair), len(bits)) for name, each in pairs.items() for pair in each
            )
        return found


def _bytes(key: object) -> bytes:
    assert isinstance(key, bytes)
    return key


def complexity(operation: Operation) -> int:
    """Return how complex the parameters of an operation are: 1 for a plain value, 2 for an object or container."""
    return sum(map(_complexity, operation.parameters))


def _complexity(parameter: Parameter) -> int:
    plain = all(type(value) in PLAIN or hasattr(type(value), "_member_map_") for value in parameter.pool.literals)
    return 1 if plain and not parameter.pool.classes and not parameter.star else REFERENCE


def name_of(operation: Operation) -> str:
    """Return a name no other operation of an Api has: `Cart.add`, `Cart`, `Cart.size =`, `del Cart.size`."""
    if operation.kind is Kind.SETTER:
        return f"{operation.title} ="
    return f"del {operation.title}" if operation.kind is Kind.DELETER else operation.title


def restricted(api: Api, names: Collection[str]) -> Api:
    """Return the Api with the operations of these names only."""
    kept = tuple(each for each in api.operations if name_of(each) in names)
    return replace(api, operations=kept, templates=tuple(each for each in api.templates if each.operation in kept))


def only(names: Collection[str], make: Make = Search) -> Make:
    """Return a maker of searches that call the operations of these names only."""
    return lambda api, scope, limits, options: make(restricted(api, names), scope, limits, options)


def uninterrupted(result: Result) -> Result:
    """Return the result; a search that Ctrl-C ended ends whatever it was made for."""
    if result.status.ending is Ending.INTERRUPTED:
        raise KeyboardInterrupt
    return result
