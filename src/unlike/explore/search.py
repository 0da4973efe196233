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
import functools
import itertools
import time
from array import array
from collections.abc import Callable, Iterator, Sequence, Sized
from typing import Any, ClassVar

from unlike import heap
from unlike.errors import UnlikeError
from unlike.explore.api import Api, Operation
from unlike.explore.bench import PLAIN, Batch, Bench, Plan, Prepared, Roles, Tally, best, joint_numbers, needs_copies
from unlike.explore.outcomes import (
    Failure,
    Fault,
    FoundClass,
    HasOutput,
    Options,
    Outcome,
    Pace,
    Revealed,
    Stop,
    broken,
    concluded,
    failure_of,
    is_precondition,
    progress_of,
)
from unlike.explore.surroundings import Fixtures, Growth, Guard, HangError, Here, Surroundings
from unlike.explore.tracing import Invocation, Trace
from unlike.heap import Outside, Walker
from unlike.progress import Progress
from unlike.scope import Limits, Scope
from unlike.suite import Ending, Status

MOST_MET = 1_000  # occurrences of one error that are kept with their calls
MANY, MAKING = -1, -2  # instead of a call: many at once, the making of its objects
CHECKED_TWICE = 40  # parents on which every call is run twice, to see whether it does the same again


class Search:
    """One search; `run` does it, the attributes hold what was found."""

    carried: ClassVar[tuple[str, ...]] = ("distinct",)  # what a kind of search finds beyond states and errors

    def __init__(self, api: Api, scope: Scope, limits: Limits, options: Options) -> None:
        self.api, self.scope, self.options = api, scope, options
        self.surroundings = Surroundings(api.classes)
        self.walker: Walker = heap.walker(limits, self.surroundings.pinned(), options.exploring.implementation)
        self.fixtures = Fixtures(self.walker, self.surroundings.pinned())
        self.faithful = limits.faithful
        self.store = heap.store(options.exploring.implementation)
        self.counted: Sized = self.store  # as progress counts states
        self.pace = Pace()
        self.captured: dict[int, bytes | None] = {}
        self.prepared = [Prepared(number, each, needs_copies(each)) for number, each in enumerate(api.templates)]
        self.trace = Trace(api.templates, self.store)
        self.lengths = array("I")
        self.classes: list[type] = []
        self.roots = array("B")
        self.by_class: dict[type, list[array[int]]] = {}  # class -> calls -> states; small, there are millions
        self.unary: dict[type, list[Prepared]] = {}
        self.plans: dict[type, Plan] = {}
        self.errors: dict[object, Revealed] = {}
        self.tallies: dict[Operation, Tally] = {operation: Tally() for operation in api.operations}
        self.outside: collections.Counter[str] = collections.Counter()
        self.unsteady: dict[str, bool] = {}  # operations that did not do the same again: whether states differed, too
        self.leaks: dict[str, str] = {}
        self.ties: dict[str, None] = {}  # operations after which several objects share parts
        self.distinct: set[bytes] = set()
        self.growth = Growth(scope, limits.omits)
        self.calls = self.parents = 0
        self.level = self.done = 0  # levels that are done, and units of work of this level
        self.first = 0  # states there were when it began
        self.guard: Guard = Here()
        self.faults: dict[tuple[int, int, int], Fault] = {}  # calls that a process did not survive
        self.lost: list[Fault] = []  # objects that no process survived to make again
        self.batching = self.batched = False  # the walker makes the calls by itself; it made those of this unit
        self.unheard: list[tuple[HasOutput, Prepared, list[int]]] = []  # errors whose output is not known yet
        self.began = time.monotonic()
        self.seconds = 0.0
        self.in_place = options.matching  # without it every sequence runs from its start
        self.isolated, self.remark = False, ""  # whether the calls are made in another process; why not
        self.running = False  # code under test is running
        self.status = Status(Ending.COMPLETE)

    # -- the levels -----------------------------------------------------------------------------------

    def run(self) -> None:
        """Search to the end, or until time, Ctrl-C or a bound ends it; what was found stays."""
        try:
            with self.guard.around(self):
                self.search_levels()
        except Stop as stop:
            self.status = stop.status
        except KeyboardInterrupt:
            self.status = Status(Ending.INTERRUPTED, self.growth.hint())
        self.seconds = time.monotonic() - self.began
        self.restore_fixtures()
        self.sum_up()
        self.status = concluded(self.status, self)

    def sum_up(self) -> None:
        """Add what the plans counted to the tallies."""
        for plan in self.plans.values():
            plan.report(self.tallies, self.outside, self.walker.reason)

    def search_levels(self) -> None:
        """Go through the levels until none is left, from wherever the search stands."""
        while self.level == 0 or self.has_more(self.level):
            if self.scope.calls is not None and self.level >= self.scope.calls:
                raise Stop(Status(Ending.COMPLETE, f"all sequences of at most {self.scope.calls} calls"))
            self.guard.begin_level(self)
            for unit in itertools.islice(self.units(), self.done, None):
                unit()
                self.end_unit()
            if self.level:
                self.end_level(self.first)
            self.level, self.done, self.first = self.level + 1, 0, len(self.store)

    def units(self) -> Iterator[Callable[[], None]]:
        """Yield the work of the level; what it finds belongs to the next, so the units stay the same."""
        if self.level == 0:
            yield lambda: self.expand_with([], [each for each in self.prepared if not each.template.wanted])
            return
        for number in self.states_of(object, self.level):
            yield functools.partial(self.expand, number)
        for each in self.prepared:
            if len(each.template.wanted) > 1:
                yield from self.joint_units(each, self.level)

    def end_unit(self) -> None:
        """Count a piece of work that is done."""
        self.done += 1
        self.guard.end_unit(self)
        self.batched = False

    def has_more(self, level: int) -> bool:
        """Tell whether a call of the next level, or of a later one, can still be made."""
        longest = max((len(levels) - 1 for levels in self.by_class.values()), default=0)
        width = max((len(each.template.wanted) for each in self.prepared), default=1)
        return level <= longest * max(width, 1)

    def end_level(self, first: int) -> None:
        """Look for fields that grow without end in a few of the level's new states."""
        if first == len(self.store) or not self.options.matching:
            return
        self.growth.look_at(self, first)
        endless = self.growth.end_level()
        if endless:
            raise Stop(Status(Ending.UNKNOWN, endless))

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
        plain = self.options.matching and self.roots[number] == 1 and not self.checks_twice()
        at_once = plain and not self.guard.is_careful(self) and bool(self.plan(cls).calls)
        if at_once and Batch(self, number, self.plan(cls)).run():
            if rest := self.plan(cls).rest:
                self.expand_with([number], rest)
        elif calls := self.calls_on(number):
            self.expand_with([number], calls)

    def plan(self, cls: type) -> Plan:
        """Return which calls on a class the walker makes by itself, and which it does not."""
        if cls not in self.plans:
            self.plans[cls] = Plan(self.unary_calls(cls))
        return self.plans[cls]

    def unary_calls(self, cls: type) -> list[Prepared]:
        """Return the calls that need one object of the class and no other."""
        if cls not in self.unary:
            single = [each for each in self.prepared if len(each.template.wanted) == 1]
            self.unary[cls] = [each for each in single if issubclass(cls, each.template.wanted[0])]
        return self.unary[cls]

    def calls_on(self, number: int) -> list[Prepared]:
        """Return the calls that need this object alone; one that came with others is passed where it is alone."""
        calls = self.unary_calls(self.classes[number])
        if self.counts(self.classes[number], self.roots[number]):
            return calls
        return [each for each in calls if each.template.operation.has_receiver]

    def counts(self, cls: type, roots: int) -> bool:
        """Tell whether so many objects are a find of their own; where they are not, the first of them alone is."""
        return roots == 1 or not issubclass(cls, self.api.classes)

    def joint_units(self, prepared: Prepared, total: int) -> Iterator[Callable[[], None]]:
        """Yield a call that needs several objects, for all objects that took so many calls together."""
        for numbers in joint_numbers(self, prepared.template, total):
            yield functools.partial(self.expand_with, numbers, [prepared])

    def expand_with(self, numbers: list[int], calls: Sequence[Prepared]) -> None:
        """Make the calls on the objects, each from the same state."""
        if numbers:
            self.check_time()
        fault = self.guard.begin_call(self, MAKING)
        if fault is not None:
            self.lost.append(fault)
            return
        bench = Bench(self, numbers)
        seen = []
        for prepared in calls:
            self.check_bounds()
            seen.append(self.attempt(bench, prepared))
            bench.reset()
        if self.checks_twice() and self.options.matching:
            bench = bench.tried_again(self, calls, seen)
        self.watch_surroundings(bench, calls)

    def checks_twice(self) -> bool:
        """Tell whether each call is made twice, to see whether it does the same again."""
        return len(self.store) <= CHECKED_TWICE

    def check_bounds(self) -> None:
        """End the search where its time or its number of states is used up; look at the clock now and then."""
        if self.calls % 64 == 63:
            self.count_calls(1, self.check_time())
        else:
            self.calls += 1

    def count_calls(self, calls: int, seconds: float) -> None:
        """Count calls, and report where the search stands now and then."""
        self.calls += calls
        if self.options.on_progress is not None and self.pace.is_due(self.calls, seconds):
            self.options.on_progress(self.progress(seconds))

    def check_time(self) -> float:
        """End the search where its time or its number of states is used up; return the seconds it took so far."""
        if self.options.deadline.is_over():
            raise Stop(self.out_of_time())
        if len(self.store) > self.options.exploring.most_states:
            raise Stop(Status(Ending.UNKNOWN, f"{len(self.store):,} states; {self.growth.hint()}".rstrip("; ")))
        return time.monotonic() - self.began

    def out_of_time(self) -> Status:
        """Return the status of a search whose time is used up."""
        deadline = self.options.deadline
        return deadline.status(f"{deadline.seconds or 0:g} s; {self.growth.hint()}".rstrip("; "))

    def progress(self, seconds: float) -> Progress:
        """Return where the search stands."""
        frontier = max((len(levels[-1]) for levels in self.by_class.values() if levels), default=0)
        return progress_of(len(self.counted), self.level, frontier, self.calls, len(self.errors), seconds)

    # -- one call -------------------------------------------------------------------------------------

    def attempt(self, bench: Bench, prepared: Prepared, *, silent: bool = False) -> object:
        """Make one call and judge it; return what can be compared with a second attempt."""
        tally = Tally() if silent else self.tallies[prepared.template.operation]
        fault = self.guard.begin_call(self, prepared.number)
        if fault is not None:
            tally.outcomes[Outcome.ERROR] += 1
            if not silent:
                self.reveal(prepared, bench.numbers, fault.failure(self.options.invariant), None, fault.output)
            return fault
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
            self.note_ties(prepared, bench.are_tied())
            for roots, roles in bench.found():
                outcomes.append(self.discover_with(bench, prepared, roots, roles, seen, silent))
        if cls not in PLAIN and self.counts_as_object(cls) and not any(result is each for each in bench.objects):
            roots, roles = bench.with_result(result)
            self.note_ties(prepared, len(roots) > 1)
            outcomes.append(self.discover_with(bench, prepared, roots, roles, seen, silent))
        return best(outcomes), seen

    def note_ties(self, prepared: Prepared, tied: bool) -> None:
        """Note a call that makes several objects share parts: from then on only one of them is called."""
        if tied:
            self.ties.setdefault(prepared.template.operation.title)

    def counts_as_object(self, cls: type) -> bool:
        """Tell whether objects of the class are found objects; a class met for the first time restarts the search."""
        if any(issubclass(cls, known) for known in (*self.api.classes, *self.api.extra)):
            return True
        if self.surroundings.is_neighbour(cls):
            raise FoundClass(cls)
        return False

    def discover_with(
        self, bench: Bench, prepared: Prepared, roots: list[Any], roles: Roles, seen: list[object], silent: bool
    ) -> Outcome:
        """Look at an object and those it shares parts with; one of a class explored is found alone, first of all."""
        if self.counts(type(roots[0]), len(roots)):
            return self.discover(bench, prepared, roots, roles, seen, silent)
        outcome = self.discover(bench, prepared, roots[:1], roles[:1], seen, silent)
        roots, roles = bench.still_tied(roots, roles)
        if outcome in (Outcome.NEW, Outcome.KNOWN) and len(roots) > 1:
            self.discover(bench, prepared, roots, roles, seen, silent)  # the object itself is known already
        return outcome

    def discover(
        self,
        bench: Bench,
        prepared: Prepared,
        roots: Sequence[object],
        roles: Roles,
        seen: list[object],
        silent: bool,
    ) -> Outcome:
        """Walk an object and keep its state if it is new and its invariant holds."""
        key, kept = bench.walked(roots)
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
        self.keep(key, bench.numbers, Invocation(prepared.number, tuple(bench.numbers[1:]), roles), kept)
        return Outcome.KNOWN if known else Outcome.NEW

    def keep(self, key: bytes, numbers: Sequence[int], invocation: Invocation, roots: Sequence[object]) -> int:
        """Add a state, with the call that led to it, and return its number."""
        if not self.options.matching:
            self.distinct.add(key)
        stored = key if self.options.matching else key + len(self.store).to_bytes(8, "big")
        number = self.store.add(stored, numbers[0] if numbers else -1, self.trace.call_number(invocation))
        self.note_state(number, 1 + sum(self.lengths[each] for each in numbers), type(roots[0]), len(roots))
        if not self.faithful:
            self.captured[number] = self.capture(roots)
        return number

    def note_state(self, number: int, length: int, cls: type, roots: int) -> None:
        """Note what is to be known of a state that was added."""
        self.lengths.append(length)
        self.classes.append(cls)
        self.roots.append(roots)
        levels = self.by_class.setdefault(cls, [])
        while len(levels) <= length:
            levels.append(array("I"))
        levels[length].append(number)

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
        self.guard.begin_invariant()
        try:
            if getattr(thing, name)():
                return True
            failure = Failure(broken(name))
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # an invariant is code under test, too
            failure = failure_of(error, broken(name))
        self.reveal(prepared, numbers, failure, None)
        return False

    def reveal(
        self,
        prepared: Prepared,
        numbers: Sequence[int],
        failure: Failure,
        cls: type[BaseException] | None,
        output: str | None = None,
    ) -> None:
        """Keep the first sequence for each different error: sequences come shortest first."""
        operation = prepared.template.operation
        key = (operation.title, *failure.kind)
        known = self.errors.get(key)
        if known is None:
            invocation = Invocation(prepared.number, tuple(numbers[1:]), ())
            recipe = self.trace.failing(numbers[0] if numbers else -1, invocation)
            calls = 1 + sum(self.lengths[each] for each in numbers)
            known = self.errors[key] = Revealed(operation.title, failure, recipe, calls, cls, times=0)
            if output is not None or not self.batching:
                known.output = self.guard.printed() if output is None else output
            else:
                self.unheard.append((known, prepared, list(numbers)))
        known.times += 1
        if len(known.met) < MOST_MET:
            known.met.append((tuple(numbers), prepared.number))

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

    def restore_fixtures(self) -> None:
        """Put the objects that the code knows by identity back into the state they had before the search."""
        self.fixtures.restore()

    def key(self, number: int) -> bytes:
        """Return the canonical bytes of a state; without state matching they carry the number of their sequence."""
        return self.store.state(number)[: None if self.options.matching else -8]

    def watch_surroundings(self, bench: Bench, calls: Sequence[Prepared]) -> None:
        """Find out which call changed something outside the objects, if any did."""
        self.parents += 1
        if (self.parents <= 100 or not self.parents % 50) and (changes := self.surroundings.changes()):
            bench.find_culprits(self, calls, changes)
