"""Calls along every path that open values can take, and the objects they are tried on.

The same calls as with concrete values (`unlike.classes.caller`), with two differences. What a path comes to is kept
with the shape it started from, and holds for every zone of that shape. And a state is a zone: one that lies within a
known one is not new.
"""

from __future__ import annotations

import gc
import itertools
import sys
from collections.abc import Iterator, Sequence
from typing import Any

from unlike.classes.api import Api
from unlike.classes.caller import ObjectCaller
from unlike.classes.evidence import Evidence, Failure, HangError, Options, Outcome
from unlike.classes.frontier import WorkUnit
from unlike.classes.open.cost_model import Cost, TooCloseError
from unlike.classes.open.states import CODES, CompiledStates, FoundShape, Leaf, Origin, ZoneStates, ranges_of
from unlike.classes.open.templates import OpenValue, fill_template, tokens_in
from unlike.classes.open.zone_frontier import OpenCode, ZoneFrontier
from unlike.classes.policy import SearchPolicy
from unlike.classes.recipes import RESULT
from unlike.classes.run import SearchRun, SearchSpec
from unlike.classes.soundness import soundness_of
from unlike.classes.workbench import ReadyCall, Roles, Workbench, strongest_outcome
from unlike.core import CutShort
from unlike.errors import UnlikeError
from unlike.foreign import describe_error, is_of
from unlike.heap.numbered_names import knows_weak
from unlike.heap.store import OUTSIDE, Snapshot
from unlike.isolation.copy import mark
from unlike.scope import Outside, Scope
from unlike.zones.open_values import NoRunError, Token
from unlike.zones.paths import Path, PathTrie, TooManyPathsError, UnsteadyError
from unlike.zones.walking import CannotStayOpenError, OpenedError, Places, rebuild_open, walk_open
from unlike.zones.zone import Zone

AT_ONCE = 1_024  # states given to the compiled module at once
# on which shapes every call is made twice: of a call that leads elsewhere without end many shapes come
FIRST_TWICE, THEN_EACH, LAST_TWICE = 8, 32, 1_000
AFTERWARDS = 60e-6  # seconds a state takes when the search is over, to be sent and counted: they belong to its time


class OpenWorkbench(Workbench):
    """The objects that calls are tried on, with tokens for their open values."""

    caller: PathCaller
    known_change: bool | None = None  # whether the objects have changed, found out by somebody else

    def __init__(self, caller: PathCaller, shapes: tuple[int, ...]) -> None:
        self.shapes = shapes
        super().__init__(caller, list(range(len(shapes))), apart=True)

    def fill(self) -> None:
        """Make the objects anew and remember what they hold."""
        super().fill()
        self.usual = count_references(self.tokens)

    def make_roots(self) -> list[list[Any]]:
        """Return fresh objects of each of the shapes."""
        self.tokens: list[OpenValue] = []
        return [self.caller.obtain_open(shape, first, self.tokens) for shape, first in self.first_slots()]

    def first_slots(self) -> Iterator[tuple[int, int]]:
        """Yield the shapes, each with the slot of its first value."""
        slots = map(self.caller.states.shape_slots, self.shapes)
        return zip(self.shapes, itertools.accumulate(slots, initial=1), strict=False)

    def was_changed(self) -> bool:
        """Tell whether any object holds something else than before the call."""
        return super().was_changed() if self.known_change is None else self.known_change

    def shares(self, one: object, other: object) -> bool:
        """Tell whether two objects have a part in common."""
        try:
            return not self.find_reached(one).isdisjoint(self.find_reached(other))
        except UnlikeError:
            return True

    def find_reached(self, root: object) -> set[int]:
        """Return the identities of all objects that one leads to."""
        return {id(thing) for thing in Snapshot(self.caller.table, (root,)).things()}

    def keys(self) -> list[Any]:
        """Return whether the objects are in another state now: their shapes, and the values that moved."""
        shapes = zip(self.first_slots(), self.roots, strict=True)
        return [self._is_same(shape, roots, first) for (shape, first), roots in shapes]

    def keys_before(self) -> list[Any]:
        """Return what `keys` gives for objects in the state they had before the call."""
        return [True] * len(self.shapes)

    def _is_same(self, shape: int, roots: Sequence[object], first: int) -> bool:
        """Tell whether the objects are in the state they had, asking where values have moved."""
        walked = walk_open(self.caller.table, self.caller.places, roots)
        if isinstance(walked, Outside) or walked[0] != self.caller.states.shape_bytes(shape):
            return False
        before = [Token(first + n) for n in range(len(walked[1]))]
        return all(Token(*term) == token for term, token in zip(walked[1], before, strict=True))


def confirm_type_error(caller: PathCaller, path: Path[Leaf], numbers: Sequence[int], call: ReadyCall) -> None:
    """Make a call that raised a TypeError again with chosen values; only if it raises one again, it was its own."""
    point, first = path.zone.first_point(), 0
    objects = []
    for number in numbers:
        after = first + caller.states.zone(number).slots
        objects.append(caller.frontier.objects_at(caller.states.shape(number), point[first:after])[0])
        first = after
    template = fill_template(call.template, lambda n: point[first + n])
    words = path.result.type_error
    caller.marks.begin_call(call.number)
    try:
        ReadyCall(call.number, template, fresh=True).run(objects)
    except TypeError:
        return
    except Exception as error:  # the code under test may raise anything
        words = f"{words}; {type(error).__name__} with chosen values"
    raise CannotStayOpenError(f"compiled code was given an open value: {words}")


def count_references(tokens: Sequence[OpenValue]) -> list[int]:
    """Return how many references there are to each token."""
    return [sys.getrefcount(token) for token in tokens]


def tokens_escaped(tokens: Sequence[OpenValue], usual: list[int]) -> bool:
    """Tell whether somebody holds a token who did not hold it before; what is in cycles is collected first."""
    for generation in (None, 0, 1, 2):  # what the call left in a cycle is young, and to collect everything takes long
        if generation is not None:
            gc.collect(generation)
        if not any(now > before for now, before in zip(count_references(tokens), usual, strict=True)):
            return False
    return True


class DeadlyError(BaseException):
    """A call ended or blocked its process."""


SIGNALS = (CannotStayOpenError, DeadlyError, NoRunError, OpenedError, TooCloseError, TooManyPathsError, UnsteadyError)


class OpenRun(SearchRun):
    """One search with values left open, in this process."""

    frontier: ZoneFrontier  # type: ignore[assignment]  # states of another kind
    caller: PathCaller
    code: OpenCode

    def __init__(self, api: Api, spec: SearchSpec, places: Places, cost: Cost) -> None:
        self.policy = SearchPolicy().begin(spec.options)
        self.code = code = OpenCode(api, spec.scope, spec.limits, spec.options.exploring.implementation)
        self.scope, self.options = spec.scope, spec.options
        self.caller = PathCaller(code, spec.scope, spec.options, self.policy, places, cost)
        self.frontier = self.caller.frontier
        self.begin()


class PathCaller(ObjectCaller):
    """Makes calls on objects with tokens for their open values, once along each path."""

    tries_orders = False
    frontier: ZoneFrontier  # type: ignore[assignment]
    code: OpenCode

    def __init__(
        self, code: OpenCode, scope: Scope, options: Options, policy: SearchPolicy, places: Places, cost: Cost
    ) -> None:
        self.table, self.places, self.cost = code.table, places, cost
        self.quick = [each for each in code.calls if each.is_quick]
        self.compiled: CompiledStates | None = None
        if code.is_compiled:
            sound = soundness_of(options.states.invariant, code.api.classes)
            asked = self.judge_quick, self.enter_quick, self.check_time, sound and sound.for_walker
            self.compiled = CompiledStates(code.walker, places, self.quick, *asked)
        self.states: ZoneStates = ZoneStates() if self.compiled is None else self.compiled
        self.calls_here = 0
        super().__init__(code, ZoneFrontier(code, scope, self.states, places), options, policy)  # type: ignore[arg-type]
        self.forks: dict[tuple[tuple[int, ...], int], PathTrie[Leaf]] = {}
        self.expanded: set[tuple[int, ...]] = set()  # the first shapes on which calls were made
        self.leaf = Leaf()
        self.bench: OpenWorkbench | None = None

    @property
    def calls(self) -> int:
        """How many calls were made: runs are what counts, and what the watchdog looks at."""
        return self.calls_here + (0 if self.compiled is None else self.compiled.atlas.runs)

    @calls.setter
    def calls(self, calls: int) -> None:
        self.calls_here = calls - (0 if self.compiled is None else self.compiled.atlas.runs)

    def hand_on(self) -> Evidence:
        """Return the evidence of all calls, with what the compiled module counted; the search is over then."""
        self.bench = None
        self.forks.clear()
        self.frontier.catch_up()
        evidence = super().hand_on()
        if self.compiled is None:
            return evidence
        atlas = self.compiled.atlas
        for number, call in enumerate(self.quick):
            counts, answered, changed = atlas.counts(number)
            tally = evidence.tallies[call.template.operation]
            tally.outcomes.update({code: times for code, times in zip(CODES, counts, strict=True) if times})
            tally.answers |= answered
            tally.changes |= changed
        for reason, times in atlas.reasons():
            evidence.outside[self.walker.reason(OUTSIDE - reason)] += times
        return evidence

    # -- the calls on states --------------------------------------------------------------------------

    def call(self, unit: WorkUnit) -> None:
        """Make the calls of a unit along every path."""
        if unit.calls is not None:
            self.call_each(list(unit.numbers), unit.calls)
        else:
            self.expand_alike(list(unit.numbers))
        self.frontier.catch_up()

    def expand_alike(self, numbers: list[int]) -> None:
        """Make every call that needs one object, on states of one class."""
        calls = self.frontier.calls_on(numbers[0])
        quick, rest = [each for each in calls if each.is_quick], [each for each in calls if not each.is_quick]
        if self.frontier.roots[numbers[0]] > 1:
            quick, rest = [], calls
        self.expand_quick(numbers, quick)
        if rest:
            for number in numbers:
                self.call_each([number], rest)

    def expand_quick(self, numbers: list[int], calls: list[ReadyCall]) -> None:
        """Make calls that the compiled module can make by itself, where it is used."""
        if not calls:
            return
        which, quickly = [self.quick.index(each) for each in calls], []
        while numbers:
            some, done = numbers[:AT_ONCE], 0
            if self.compiled is not None:
                self.cost.begin_many(self.states, some, [each.template for each in calls])
                self.running = True
                try:
                    done = self.compiled.atlas.expand(some, which)  # states before one that cannot be expanded there
                finally:
                    self.running = False
            if done < len(some):
                self.call_each([some[done]], calls)
            quickly += some[:done]
            numbers = numbers[done + (done < len(some)) :]
        self.watch(calls)
        for number in quickly:
            self.make_twice([number], calls)

    def call_each(self, numbers: list[int], calls: Sequence[ReadyCall]) -> None:
        """Make the calls on the objects, each from the same state, along every path."""
        if numbers:
            self.check_time()
        shapes = tuple(self.states.shape(number) for number in numbers)
        zone = self.states.zone_beside(numbers)
        for call in calls:
            self.cost.begin(self.states, [numbers], [call.template])
            for path in self.forks_of(shapes, call).paths(zone.extend(*ranges_of(call))):
                self.cost.paths += 1
                self.enter(path, numbers, call)
                if self.cost.paths % 64 == 0:
                    self.check_time()
        self.watch(calls)
        self.make_twice(numbers, calls)

    def make_twice(self, numbers: list[int], calls: Sequence[ReadyCall]) -> None:
        """Make calls on some of the shapes once more: one that leads elsewhere then would do so without end."""
        shapes = tuple(self.states.shape(number) for number in numbers)
        number = len(self.expanded)
        if number > LAST_TWICE or shapes in self.expanded:
            return
        self.expanded.add(shapes)
        if number >= FIRST_TWICE and number % THEN_EACH:
            return
        made, zone = self.calls_here, self.states.zone_beside(numbers)
        for call in calls:
            inputs = zone.extend(*ranges_of(call))
            known = self.forks.get((shapes, call.number)) or self.new_forks(shapes, call)
            before = [each.result.states for each in known.paths(inputs)]
            if any(before):
                self.bench = None  # other objects, at other addresses
                again = [each.result.states for each in self.new_forks(shapes, call).paths(inputs)]
                if again != before:
                    title = call.template.operation.title
                    raise UnsteadyError(f"{title} led to another state when it was called again")
        self.calls_here = made  # the search itself makes each once

    def forks_of(self, shapes: tuple[int, ...], call: ReadyCall) -> PathTrie[Leaf]:
        """Return the known paths of a call on objects of these shapes."""
        known = self.forks.get((shapes, call.number))
        if known is None:
            known = self.forks[shapes, call.number] = self.new_forks(shapes, call)
        return known

    def new_forks(self, shapes: tuple[int, ...], call: ReadyCall) -> PathTrie[Leaf]:
        """Return the paths of a call on objects of these shapes, of which none is known yet."""
        slots = sum(self.states.shape_slots(shape) for shape in shapes)
        template = fill_template(call.template, lambda n: Token(slots + 1 + n))
        ready = ReadyCall(call.number, template, call.fresh)
        return PathTrie(lambda: self.attempt_open(shapes, ready))

    def watch(self, calls: Sequence[ReadyCall]) -> None:
        """Notice what the calls changed outside the objects."""
        self.parents += 1
        if self.parents > 100 and self.parents % 50:
            return
        for place in self.code.watch.changes():
            self.evidence.leaks.setdefault(place, calls[0].template.operation.title)

    def check_time(self) -> float:
        """End the search where its time, its number of states or of runs is used up; tell how far it is."""
        mark()
        self.cost.check(self.calls_here, self.calls - self.calls_here)
        if self.options.deadline.is_over(by=-AFTERWARDS * len(self.frontier)):
            raise CutShort(self.policy.out_of_time(self.frontier, self.options))
        seconds = super().check_time()
        self.report_progress(seconds)
        return seconds

    # -- calls that the compiled module makes ---------------------------------------------------------

    def judge_quick(
        self, shape: int, call: int, result: object, error: BaseException | None, changed: bool, roots: list[Any]
    ) -> object:
        """Judge what a call came to that the compiled module cannot judge: a number if it need only be counted."""
        if error is not None and is_of(error, SIGNALS):
            raise error
        self.cost.judged += 1
        bench = OpenWorkbench.around(self, 0, roots)
        bench.shapes, bench.known_change = (shape,), changed
        leaf = self.judge(bench, self.quick[call], result, error)
        if leaf.found or leaf.failures or leaf.outside or leaf.type_error:
            return leaf
        return CODES.index(leaf.outcome)

    def enter_quick(self, number: int, leaf: int, bounds: Any, unequal: Any) -> None:
        """Take in what a path came to that the compiled module cannot take in."""
        assert self.compiled is not None
        self.cost.paths += 1
        call, came = self.compiled.atlas.leaf(leaf)
        self.enter(Path(Zone(bounds, unequal), came), [number], self.quick[call])

    # -- one run --------------------------------------------------------------------------------------

    def attempt_open(self, shapes: tuple[int, ...], call: ReadyCall) -> Leaf:
        """Make one call along one path and judge it."""
        bench = self.bench_for(shapes)
        tokens = tokens_in(call.template)
        usual = count_references(tokens)
        self.calls_here += 1
        mark()
        self.marks.begin_call(call.number)
        self.running = True
        error: BaseException | None = None
        result: object = None
        try:
            result = call.run(bench.objects)
        except (KeyboardInterrupt, *SIGNALS):
            raise
        except BaseException as raised:  # the code under test may raise anything
            error = raised
        finally:
            self.running = False
        leaf = self.judge(bench, call, result, error)
        bench.was_changed()  # judging may run code under test, too
        bench.reset()
        del result, error
        if tokens_escaped(tokens, usual) or tokens_escaped(bench.tokens, bench.usual):
            raise CannotStayOpenError("something outside the objects keeps a value that was passed to a call")
        return leaf

    def judge(self, bench: OpenWorkbench, call: ReadyCall, result: object, error: BaseException | None) -> Leaf:
        """Return what a call came to."""
        leaf = self.leaf = Leaf()
        bench.begin(call)
        if error is None:
            tally = self.evidence.tallies[call.template.operation]
            leaf.outcome = self.judge_success(bench, result, tally)
        else:
            if is_of(error, HangError):
                self.check_time()
            leaf.outcome = self.judge_failure(bench, error)
            leaf.type_error = describe_error(error) if is_of(error, TypeError) else ""
        return leaf

    def bench_for(self, shapes: tuple[int, ...]) -> OpenWorkbench:
        """Return the objects that calls on these shapes are tried on; those used last are kept."""
        if self.bench is None or self.bench.shapes != shapes:
            self.bench = OpenWorkbench(self, shapes)
        return self.bench

    def obtain_open(self, shape: int, first: int, tokens: list[OpenValue]) -> list[Any]:
        """Return fresh objects of the shape, with tokens from the given slot on, which are added to the list."""
        state = self.states.shape_bytes(shape)
        try:
            made = rebuild_open(self.table, state, lambda number: Token(first + number - 1), tokens)
        except Exception as error:  # a `__hash__` or `__setstate__` of the user's may refuse
            raise CannotStayOpenError(f"a state cannot be made again: {type(error).__name__}: {error}") from None
        terms = tuple((first + n, 0) for n in range(self.states.shape_slots(shape)))
        if walk_open(self.table, self.places, made) != (state, terms):
            raise CannotStayOpenError("a state that is made again from its parts is not the same")
        return made

    def discover(self, bench: Workbench, roots: Sequence[object], roles: Roles) -> Outcome:
        """Walk an object and note its shape if its invariant holds; whether it is new depends on the zone."""
        walked = walk_open(self.table, self.places, roots)
        if knows_weak(self.walker):
            raise CannotStayOpenError("what is built holds weak references")
        if isinstance(walked, Outside):
            self.leaf.outside.append(walked.reason)
            return Outcome.OUTSIDE
        failures = len(self.leaf.failures)
        if not self.holds(bench.call, bench.numbers, roots[0]):
            is_result = any(index == RESULT for index, _ in roles)
            if is_result or not bench.roots or bench.keys() != bench.keys_before():
                return Outcome.ERROR
            del self.leaf.failures[failures:]  # the values are those it had: it was broken before
            return Outcome.KNOWN
        shape, terms = walked
        number = self.states.shape_number(shape, len(terms))
        self.leaf.found.append(FoundShape(number, terms, roles, type(roots[0]), len(roots)))
        return Outcome.NEW

    def note_error(self, call: ReadyCall, numbers: Sequence[int], failure: Failure, *cls: Any) -> None:
        """Note an error; the sequence that shows it depends on the zone."""
        del call, numbers
        self.leaf.failures.append((failure, cls[0] if cls else None))

    # -- one path -------------------------------------------------------------------------------------

    def enter(self, path: Path[Leaf], numbers: list[int], call: ReadyCall) -> None:
        """Take in what a call came to along a path, for the values that take it."""
        leaf, outcomes = path.result, []
        if leaf.type_error:
            confirm_type_error(self, path, numbers, call)
            leaf.type_error = ""
        for reason in leaf.outside:
            self.evidence.outside[reason] += 1
        for failure, cls in leaf.failures:
            point = path.zone.first_point()
            super().note_error(call, numbers, failure, cls, None, point)
        for found in leaf.found:
            new = self.keep_open(path.zone, numbers, call, found)
            new = new and self.code.is_found_alone(found.cls, found.roots)
            outcomes.append(Outcome.NEW if new else Outcome.KNOWN)
        if leaf.failures:
            outcomes.append(Outcome.ERROR)
        outcomes += [Outcome.OUTSIDE] * bool(leaf.outside)
        outcome = leaf.outcome if leaf.outcome is Outcome.PRECONDITION else strongest_outcome(outcomes)
        self.evidence.tallies[call.template.operation].outcomes[outcome] += 1

    def keep_open(self, zone: Zone, numbers: list[int], call: ReadyCall, found: FoundShape) -> bool:
        """Add the states found, and tell whether any has new points."""
        if zone.unequal and self.states.covers(found.shape, zone.hull(found.terms)):
            return False  # known without cutting the zone into pieces
        length = self.frontier.length_after(numbers)
        origin = Origin(tuple(numbers), call.number, found.roles, zone, found.terms)
        added = [self.states.add(found.shape, part, length, origin) for part in zone.project(found.terms)]
        return max(added) >= 0
