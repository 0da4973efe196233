"""Explorations for builders: one writes down where every call leads and what operations do, one calls at random.

At random, for scopes that exhaustion cannot reach: pick an operation, its arguments and objects it can be called on,
among all found so far; keep what is in a new state within the scope. All else is as in the exhaustive search.
"""

from __future__ import annotations

import functools
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Self

from unlike.classes.api import Api, Operation
from unlike.classes.builders.graph import Graph, move_of
from unlike.classes.caller import ObjectCaller
from unlike.classes.evidence import Options
from unlike.classes.frontier import Levels, StateFrontier, WorkUnit
from unlike.classes.parameters import Parameter
from unlike.classes.policy import SearchPolicy
from unlike.classes.recipes import sequence_text
from unlike.classes.result import Result
from unlike.classes.workbench import PLAIN, ReadyCall, Workbench
from unlike.core import CutShort
from unlike.errors import ScopeError, with_article
from unlike.heap.field_values import extensions
from unlike.suite import Ending, Status

REFERENCE = 2  # w3 of the fitness: how much more a parameter costs that is not a plain value


@dataclass(slots=True)
class AtRandom(SearchPolicy):
    """Calls at random: the same calls for the same seed, until time or so many attempts are used up."""

    seed: int = 0
    attempts: int | None = None
    _random: random.Random = field(init=False, repr=False)
    _known: dict[type, list[int]] = field(init=False, repr=False)  # states, by the class of their first object

    def __post_init__(self) -> None:
        self._random = random.Random(self.seed)
        self._known = {}

    def begin(self, options: Options) -> Self:
        """Return the policy of one search, which has to end."""
        if self.attempts is None and options.deadline.ends is None:
            raise ScopeError("a random exploration never ends by itself; give it --timeout S or --attempts N")
        if self.attempts is not None and self.attempts < 1:
            raise ScopeError(f"attempts={self.attempts!r} must be at least 1")
        return super(AtRandom, self).begin(options)

    def has_level(self, frontier: Levels) -> bool:
        """Tell whether there is work: objects that need no other come first, then calls at random."""
        return frontier.level < 2

    def units(self, frontier: StateFrontier) -> Iterator[WorkUnit]:
        """Yield calls at random, each on objects that were found before."""
        if frontier.level == 0:
            yield from super(AtRandom, self).units(frontier)
            return
        ways: dict[object, list[ReadyCall]] = {}
        for each in frontier.code.calls:
            if each.template.wanted:
                ways.setdefault(each.template.operation, []).append(each)
        operations = list(ways.values())
        while len(frontier) and operations:
            if frontier.done == self.attempts:
                raise CutShort(self.used_up(f"{frontier.done:,} attempts"))
            call = self._random.choice(self._random.choice(operations))
            numbers = self.objects_for(call, frontier)
            yield WorkUnit(numbers, [call] if numbers else [])

    def objects_for(self, call: ReadyCall, frontier: StateFrontier) -> list[int]:
        """Return objects for a call, or none if one of them is still to be found."""
        for number in range(sum(map(len, self._known.values())), len(frontier)):
            self._known.setdefault(frontier.classes[number], []).append(number)
        numbers = []
        for wanted in call.template.wanted:
            pools = [pool for cls, pool in self._known.items() if issubclass(cls, wanted)]
            if not pools:
                return []
            position = self._random.randrange(sum(map(len, pools)))
            for pool in pools:
                if position < len(pool):
                    numbers.append(pool[position])
                    break
                position -= len(pool)
        return numbers

    def end_level(self, frontier: StateFrontier) -> None:
        """Do nothing: what grows without end is not gone through level by level."""

    @property
    def position(self) -> Any:
        """Where the draws stand."""
        return self._random.getstate()

    @position.setter
    def position(self, position: Any) -> None:
        self._random.setstate(position)

    def out_of_time(self, frontier: Levels, options: Options) -> Status:
        """Return the status of a search whose time is used up: that is how it was meant to end."""
        del frontier
        return self.used_up(f"{options.deadline.seconds or 0:g} s")

    def used_up(self, what: str) -> Status:
        """Return the status of a search that did all it was asked to."""
        return Status(Ending.FOUND, f"{what} of random exploration, seed {self.seed}; more objects may exist")


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
        every = api.operations
        return Transitions(
            {each: {} for each in every}, {each: OperationUse() for each in every}, {each: set() for each in every}
        )

    def note(self, caller: ObjectCaller, bench: Workbench, *came_to: Any) -> None:
        """Write down where a call led, and keep the first sequence that shows what its operation does."""
        notes: Transitions = caller.evidence.notes
        operation = bench.call.template.operation
        use, sequence = notes.uses[operation], functools.partial(_calls_up_to, caller, bench)
        match came_to:
            case "returned", result:
                use.answers |= result is not NotImplemented
                if not use.returns and _shares_parts(bench, result):
                    kind = with_article(type(result).__name__)
                    use.returns = f"{sequence()} returned {kind} that shares parts with an argument, or shows nothing"
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


def _shares_parts(bench: Workbench, result: object) -> bool:
    """Tell whether a result is no argument, and yet has a part of one."""
    if type(result) in PLAIN or any(result is each for each in bench.objects):
        return False
    return any(bench.shares(result, other) for roots in bench.roots for other in roots)


def _calls_up_to(caller: ObjectCaller, bench: Workbench) -> str:
    return sequence_text(caller.frontier.failing(bench.numbers, bench.call.number))


def graph_of(result: Result) -> Graph:
    """Return the transitions of a recorded search as plain data; the goals are the states that the result counts."""
    search, numbers = result.search, tuple(result.numbers)
    edges = search.evidence.notes.edges
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
        pairs = extensions([frontier.heap_of(number)]).pairs
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
