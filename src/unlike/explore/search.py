"""From an Api and a scope to every state its operations can build, breadth-first, each with its shortest sequence.

A state is made once per parent; each call runs on it, and is undone in place. An object that did not change needs no
walk. The state of a new object is its canonical bytes; the calls that led to it are kept as (parent, call) and become
a recipe only when somebody asks.

Level n holds the states whose shortest sequence has n calls. A call with several objects belongs to the level of all
their calls together, so the first sequence found is a shortest one, whatever is passed to what.
"""

from __future__ import annotations

import collections
import contextlib
import io
import itertools
import time
from array import array
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from unlike import heap
from unlike.errors import UnlikeError
from unlike.explore import api as api_module
from unlike.explore import bench as bench_module
from unlike.explore.api import Api, Operation, Template
from unlike.explore.bench import PLAIN, Batch, Bench, Plan, Prepared, Tally, needs_copies
from unlike.explore.outcomes import (
    OWN_FILES,
    PRECONDITIONS,
    Failure,
    Outcome,
    Revealed,
    failure_of,
    is_precondition,
)
from unlike.explore.surroundings import Growth, HangError, Surroundings, Watchdog
from unlike.explore.tracing import Invocation, Trace
from unlike.heap import Outside, Walker
from unlike.scope import Limits, Scope
from unlike.suite import Ending, Status

OWN_FILES.update({__file__, api_module.__file__, bench_module.__file__})
MOST_STATES = 5_000_000
MOST_IN_FIXTURE = 100  # objects reached from a sentinel or registry; a larger thing is no part of a small object
CHECKED_TWICE = 40  # parents on which every call is run twice, to see whether it does the same again


@dataclass(frozen=True, slots=True)
class Options:
    """How to search: everything that is not the space itself."""

    preconditions: tuple[type[BaseException], ...] = PRECONDITIONS
    invariant: str | None = None
    timeout: float | None = None
    matching: bool = True
    most_states: int = MOST_STATES
    seconds_per_call: int = 5
    implementation: heap.Implementation = "auto"
    on_progress: Callable[[Progress], None] | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a search stands."""

    states: int
    frontier: int
    calls: int
    errors: int
    seconds: float


class FoundClass(Exception):  # noqa: N818  # news, not an error
    """A call returned an object of a class that has operations of its own and is not explored yet."""

    def __init__(self, cls: type) -> None:
        super().__init__(cls.__qualname__)
        self.cls = cls


class _Stop(Exception):  # noqa: N818  # an ending, not an error
    """The search ends here, with this status."""

    def __init__(self, status: Status) -> None:
        super().__init__(str(status))
        self.status = status


class Search:
    """One search; `run` does it, the attributes hold what was found."""

    def __init__(self, api: Api, scope: Scope, limits: Limits, options: Options) -> None:
        self.api = api
        self.scope = scope
        self.options = options
        self.surroundings = Surroundings(api.classes)
        self.walker: Walker = heap.walker(limits, self.surroundings.pinned(), options.implementation)
        self.fixtures = self.remember_fixtures()
        self.faithful = limits.faithful
        self.store = heap.store(options.implementation)
        self.captured: dict[int, bytes | None] = {}
        self.prepared = [Prepared(number, each, needs_copies(each)) for number, each in enumerate(api.templates)]
        self.trace = Trace(self.prepared_templates(), self.store)
        self.lengths = array("I")
        self.classes: list[type] = []
        self.roots = array("B")
        self.by_class: dict[type, list[array[int]]] = {}  # class -> calls -> states; small, there are millions
        self.unary: dict[type, list[Prepared]] = {}
        self.plans: dict[type, Plan] = {}
        self.errors: dict[object, Revealed] = {}
        self.tallies: dict[Operation, Tally] = {operation: Tally() for operation in api.operations}
        self.outside: collections.Counter[str] = collections.Counter()
        self.notes: list[str] = []
        self.unsteady: set[str] = set()
        self.leaks: dict[str, str] = {}
        self.distinct: set[bytes] = set()
        self.growth = Growth(scope, limits.omits)
        self.calls = 0
        self.parents = 0
        self.began = time.monotonic()
        self.seconds = 0.0
        self.in_place = options.matching  # without it every sequence runs from its start
        self.running = False  # code under test is running
        self.timeout = options.timeout
        self.seconds_per_call = options.seconds_per_call
        self.status = Status(Ending.COMPLETE)

    def prepared_templates(self) -> list[Template]:
        """Return the templates in the order of their numbers."""
        return [each.template for each in self.prepared]

    # -- the levels -----------------------------------------------------------------------------------

    def run(self) -> None:
        """Search to the end, or until time, Ctrl-C or a bound ends it; what was found stays."""
        sink = io.StringIO()
        try:
            with contextlib.redirect_stdout(sink), contextlib.redirect_stderr(sink), Watchdog(self):
                self.search_levels()
        except _Stop as stop:
            self.status = stop.status
        except KeyboardInterrupt:
            self.status = Status(Ending.INTERRUPTED, self.growth.hint())
        self.seconds = time.monotonic() - self.began
        self.restore_fixtures()
        for plan in self.plans.values():
            plan.report(self.tallies, self.outside, self.walker.reason)

    def search_levels(self) -> None:
        """Go through the levels until none is left."""
        self.expand_with([], [each for each in self.prepared if not each.template.wanted])
        level = 1
        while self.has_more(level):
            level += 1
            if self.scope.calls is not None and level > self.scope.calls:
                detail = f"all sequences of at most {self.scope.calls} calls"
                raise _Stop(Status(Ending.COMPLETE, detail))
            first = len(self.store)
            for number in self.states_of(object, level - 1):
                self.expand(number)
            for each in self.prepared:
                if len(each.template.wanted) > 1:
                    self.expand_joint(each, level - 1)
            self.end_level(first)

    def has_more(self, level: int) -> bool:
        """Tell whether a call of the next level, or of a later one, can still be made."""
        longest = max((len(levels) - 1 for levels in self.by_class.values()), default=0)
        width = max((len(each.template.wanted) for each in self.prepared), default=1)
        return level <= longest * max(width, 1)

    def end_level(self, first: int) -> None:
        """Look for fields that grow without end in a few of the level's new states."""
        count = len(self.store) - first
        if not count or not self.options.matching:
            return
        step = max(1, count // 8)
        for number in range(first, len(self.store), step):
            captured = self.store.state(number) if self.faithful else self.captured[number]
            if captured is not None:
                self.growth.see(self.walker.heap(captured))
        endless = self.growth.end_level()
        if endless:
            raise _Stop(Status(Ending.UNKNOWN, endless))

    def states_of(self, cls: type, length: int) -> list[int]:
        """Return the states of the class (and its subclasses) whose shortest sequence has so many calls."""
        return sorted(
            number
            for known, levels in self.by_class.items()
            if issubclass(known, cls) and length < len(levels)
            for number in levels[length]
        )

    def expand(self, number: int) -> None:
        """Make every call that needs this object alone."""
        cls = self.classes[number]
        plain = self.options.matching and self.roots[number] == 1 and len(self.store) > CHECKED_TWICE
        if plain and (plan := self.plan(cls)).calls and Batch(self, number, plan).run():
            if plan.rest:
                self.expand_with([number], plan.rest)
        elif calls := self.unary_calls(cls):
            self.expand_with([number], calls)

    def plan(self, cls: type) -> Plan:
        """Return which calls on a class the walker makes by itself, and which it does not."""
        if cls not in self.plans:
            self.plans[cls] = Plan(self.unary_calls(cls))
        return self.plans[cls]

    def unary_calls(self, cls: type) -> list[Prepared]:
        """Return the calls that need one object of the class and no other."""
        if cls not in self.unary:
            self.unary[cls] = [
                each
                for each in self.prepared
                if len(each.template.wanted) == 1 and issubclass(cls, each.template.wanted[0])
            ]
        return self.unary[cls]

    def expand_joint(self, prepared: Prepared, total: int) -> None:
        """Make a call that needs several objects, for all objects that took so many calls together."""
        wanted = prepared.template.wanted
        for lengths in _compositions(total, len(wanted)):
            pools = [self.states_of(cls, length) for cls, length in zip(wanted, lengths, strict=True)]
            if all(pools):
                for numbers in itertools.product(*pools):
                    self.expand_with(list(numbers), [prepared])

    def expand_with(self, numbers: list[int], calls: Sequence[Prepared]) -> None:
        """Make the calls on the objects, each from the same state."""
        if numbers:
            self.check_time()
        bench = Bench(self, numbers)
        twice = len(self.store) <= CHECKED_TWICE and self.options.matching
        for prepared in calls:
            self.check_bounds()
            first = self.attempt(bench, prepared)
            bench.reset()
            if twice and self.attempt(bench, prepared, silent=True) != first:
                self.unsteady.add(prepared.template.operation.title)
            if twice:
                bench.reset()
        self.watch_surroundings(bench, calls)

    def check_bounds(self) -> None:
        """End the search where its time or its number of states is used up; look at the clock now and then."""
        if self.calls % 64 == 63:
            self.count_calls(1, self.check_time())
        else:
            self.calls += 1

    def count_calls(self, calls: int, seconds: float) -> None:
        """Count calls, and report where the search stands every thousand."""
        before, self.calls = self.calls, self.calls + calls
        if self.options.on_progress is not None and before // 1024 != self.calls // 1024:
            self.options.on_progress(self.progress(seconds))

    def check_time(self) -> float:
        """End the search where its time or its number of states is used up; return the seconds it took so far."""
        seconds = time.monotonic() - self.began
        if self.options.timeout is not None and seconds > self.options.timeout:
            raise _Stop(Status(Ending.TIMEOUT, f"{self.options.timeout:g} s; {self.growth.hint()}".rstrip("; ")))
        if len(self.store) > self.options.most_states:
            raise _Stop(Status(Ending.UNKNOWN, f"{len(self.store):,} states; {self.growth.hint()}".rstrip("; ")))
        return seconds

    def progress(self, seconds: float) -> Progress:
        """Return where the search stands."""
        frontier = max((len(levels[-1]) for levels in self.by_class.values() if levels), default=0)
        return Progress(len(self.store), frontier, self.calls, len(self.errors), seconds)

    # -- one call -------------------------------------------------------------------------------------

    def attempt(self, bench: Bench, prepared: Prepared, *, silent: bool = False) -> object:
        """Make one call and judge it; return what can be compared with a second attempt."""
        tally = Tally() if silent else self.tallies[prepared.template.operation]
        self.running = True
        try:
            result = prepared.run(bench.objects)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # the code under test may raise anything
            self.running = False
            if isinstance(error, HangError):
                self.check_time()
            outcome, seen = self.judge_failure(bench, prepared, error, silent)
        else:
            self.running = False
            outcome, seen = self.judge_success(bench, prepared, result, tally, silent)
        tally.outcomes[outcome] += 1
        return seen

    def judge_failure(
        self, bench: Bench, prepared: Prepared, error: BaseException, silent: bool
    ) -> tuple[Outcome, object]:
        """Tell a precondition that was not met from an error."""
        changed = bench.changed() and bench.keys() != bench.keys_before()
        receiver = bench.objects[0] if bench.objects else None
        return self.judge_exception(prepared, bench.numbers, receiver, error, changed=changed, silent=silent)

    def judge_exception(
        self,
        prepared: Prepared,
        numbers: Sequence[int],
        receiver: object,
        error: BaseException,
        *,
        changed: bool,
        silent: bool = False,
    ) -> tuple[Outcome, object]:
        """Judge an exception, given whether the objects are in another state."""
        template = prepared.template
        seen = (type(error), changed)
        if not changed and is_precondition(error, template.operation, receiver, self.options.preconditions):
            return Outcome.PRECONDITION, seen
        reason = "raised and left the object changed" if changed else "raised"
        if not silent:
            self.reveal(prepared, numbers, failure_of(error, reason), type(error))
        return Outcome.ERROR, seen

    def judge_success(
        self, bench: Bench, prepared: Prepared, result: object, tally: Tally, silent: bool
    ) -> tuple[Outcome, object]:
        """Look at receiver, arguments and result, and keep every one that is in a new state."""
        changed = bench.changed()
        cls = type(result)
        tally.answers = True
        tally.changes |= changed
        seen: list[object] = [result if cls in PLAIN else cls]
        outcomes = []
        if changed:
            for roots, roles in bench.found():
                outcomes.append(self.discover(bench, prepared, roots, roles, seen, silent))
        if cls not in PLAIN and self.counts_as_object(cls) and not any(result is each for each in bench.objects):
            roots, roles = bench.with_result(result)
            outcomes.append(self.discover(bench, prepared, roots, roles, seen, silent))
        return _best(outcomes), seen

    def counts_as_object(self, cls: type) -> bool:
        """Tell whether objects of the class are found objects; a class met for the first time restarts the search."""
        if any(issubclass(cls, known) for known in (*self.api.classes, *self.api.extra)):
            return True
        if self.surroundings.is_neighbour(cls):
            raise FoundClass(cls)
        return False

    def discover(
        self,
        bench: Bench,
        prepared: Prepared,
        roots: Sequence[object],
        roles: tuple[tuple[int, int], ...],
        seen: list[object],
        silent: bool,
    ) -> Outcome:
        """Walk an object and keep its state if it is new and its invariant holds."""
        key = self.walker.walk(*roots)
        seen.append(key)
        if isinstance(key, Outside):
            self.outside[key.reason] += not silent
            return Outcome.OUTSIDE
        if silent:
            return Outcome.KNOWN
        known = key in self.distinct if not self.options.matching else self.store.find(key) >= 0
        if known and self.options.matching:
            return Outcome.KNOWN
        if not known and not self.holds(prepared, bench.numbers, roots[0]):
            return Outcome.ERROR
        self.keep(key, bench.numbers, Invocation(prepared.number, tuple(bench.numbers[1:]), roles), roots)
        return Outcome.KNOWN if known else Outcome.NEW

    def keep(self, key: bytes, numbers: Sequence[int], invocation: Invocation, roots: Sequence[object]) -> int:
        """Add a state, with the call that led to it, and return its number."""
        if not self.options.matching:
            self.distinct.add(key)
        stored = key if self.options.matching else key + len(self.store).to_bytes(8, "big")
        parent = numbers[0] if numbers else -1
        number = self.store.add(stored, parent, self.trace.call_number(invocation))
        length = 1 + sum(self.lengths[each] for each in numbers)
        self.lengths.append(length)
        self.classes.append(type(roots[0]))
        self.roots.append(len(roots))
        levels = self.by_class.setdefault(type(roots[0]), [])
        while len(levels) <= length:
            levels.append(array("I"))
        levels[length].append(number)
        if not self.faithful:
            self.captured[number] = self.capture(roots)
        return number

    def capture(self, roots: Sequence[object]) -> bytes | None:
        """Return what is needed to make the state again, or nothing where only its calls can do that."""
        try:
            return self.walker.capture(*roots)
        except UnlikeError:
            return None

    def holds(self, prepared: Prepared, numbers: Sequence[int], thing: object) -> bool:
        """Tell whether the object's invariant holds; an invariant that raises is broken."""
        name = self.options.invariant
        if name is None or not hasattr(type(thing), name):
            return True
        reason = f"invariant {name} is broken"
        try:
            if getattr(thing, name)():
                return True
            failure = Failure(reason)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # an invariant is code under test, too
            failure = failure_of(error, reason)
        self.reveal(prepared, numbers, failure, None)
        return False

    def reveal(
        self, prepared: Prepared, numbers: Sequence[int], failure: Failure, cls: type[BaseException] | None
    ) -> None:
        """Keep the first sequence for each different error: sequences come shortest first."""
        operation = prepared.template.operation
        key = (operation.title, failure.reason, failure.exception, failure.place)
        if key in self.errors:
            self.errors[key].times += 1
            return
        invocation = Invocation(prepared.number, tuple(numbers[1:]), ())
        recipe = self.trace.failing(numbers[0] if numbers else -1, invocation)
        calls = 1 + sum(self.lengths[each] for each in numbers)
        self.errors[key] = Revealed(operation.title, failure, recipe, calls, cls)

    # -- making objects again -------------------------------------------------------------------------

    def obtain(self, number: int) -> list[Any]:
        """Return fresh objects in the state, by its bytes where they say all, else by its calls."""
        if self.options.matching:
            captured = self.store.state(number) if self.faithful else self.captured[number]
            if captured is not None:
                with contextlib.suppress(Exception):  # a `__hash__` or `__setstate__` of the user's may refuse
                    made = self.walker.rebuild(captured)
                    if self.walker.walk(*made) == self.store.state(number):
                        return made
        return self.replay(number)

    def replay(self, number: int) -> list[Any]:
        """Return fresh objects in the state, made by its calls, with sentinels and registries as they were at first."""
        self.restore_fixtures()
        return self.trace.replay(number)

    def remember_fixtures(self) -> list[heap.Remembered]:
        """Remember what the objects hold that the code knows by identity: states write into them."""
        remembered = []
        for thing in self.surroundings.pinned():
            with contextlib.suppress(UnlikeError):  # one that cannot be seen is in no state
                if len(self.walker.heap(self.walker.capture(thing)).nodes) <= MOST_IN_FIXTURE:
                    remembered.append(self.walker.snapshot(thing))
        return remembered

    def restore_fixtures(self) -> None:
        """Put the objects that the code knows by identity back into the state they had before the search."""
        for remembered in self.fixtures:
            remembered.restore()

    def key(self, number: int) -> bytes:
        """Return the canonical bytes of a state; without state matching they carry the number of their sequence."""
        state = self.store.state(number)
        return state if self.options.matching else state[:-8]

    def watch_surroundings(self, bench: Bench, calls: Sequence[Prepared]) -> None:
        """Find out which call changed something outside the objects, if any did."""
        self.parents += 1
        if (self.parents > 100 and self.parents % 50) or not self.surroundings.changes():
            return
        for prepared in calls:
            self.attempt(bench, prepared, silent=True)
            bench.reset()
            for place in self.surroundings.changes():
                self.leaks.setdefault(place, prepared.template.operation.title)
        for place in self.surroundings.changes():
            self.leaks.setdefault(place, calls[0].template.operation.title)


def _compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """Yield the ways to write the total as so many numbers of at least 1."""
    if parts == 1:
        if total >= 1:
            yield (total,)
        return
    for first in range(1, total - parts + 2):
        for rest in _compositions(total - first, parts - 1):
            yield (first, *rest)


def _best(outcomes: Sequence[Outcome]) -> Outcome:
    """Return what a call came to, given what its objects came to."""
    for outcome in (Outcome.ERROR, Outcome.NEW, Outcome.KNOWN, Outcome.OUTSIDE):
        if outcome in outcomes:
            return outcome
    return Outcome.KNOWN
