"""From an Api and a scope to every abstract state its operations can build, breadth-first.

The same search as with concrete values (module `unlike.explore.search`), with two differences. A call is made along
every path that open values can take; what a path comes to is kept with the shape it started from, and holds for every
zone of that shape. And a state is a zone: one that lies within a known one is not new.
"""

from __future__ import annotations

import itertools
import time
from array import array
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from unlike import heap
from unlike.explore.api import Api
from unlike.explore.bench import Bench, Prepared, best, needs_copies
from unlike.explore.open_values.objects import OpenBench, confirm, kept, references
from unlike.explore.open_values.states import Origin, PythonStates, Roles, States
from unlike.explore.open_values.states.compiled import CODES, CompiledStates
from unlike.explore.open_values.states.leaves import Found, Leaf
from unlike.explore.open_values.states.paying import Balance, TooCloseError
from unlike.explore.open_values.states.recipes import Recipes
from unlike.explore.open_values.templates import (
    TOKEN_KINDS,
    OpenValue,
    filled,
    has_large,
    nests,
    open_arguments,
    opened,
    scales_in,
    tokens_in,
)
from unlike.explore.outcomes import OWN_FILES, Failure, Options, Outcome, Revealed, Stop
from unlike.explore.search import MOST_MET, Search
from unlike.explore.surroundings import Fixtures, HangError
from unlike.explore.tracing import RESULT
from unlike.heap import PythonWalker
from unlike.heap.rebuild import StateReader
from unlike.isolation import mark
from unlike.scope import Limits, Outside, Scope
from unlike.suite import Ending, Status
from unlike.zones import (
    CannotStayOpenError,
    NoRunError,
    OpenedError,
    Path,
    PathTrie,
    Places,
    Token,
    TooManyPathsError,
    UnsteadyError,
    Zone,
    rebuild_open,
    register_tokens,
    walk_open,
)

OWN_FILES.add(__file__)
AT_ONCE = 1_024  # states given to the compiled module at once


class DeadlyError(BaseException):
    """A call ended or blocked its process."""


SIGNALS = (CannotStayOpenError, DeadlyError, NoRunError, OpenedError, TooCloseError, TooManyPathsError, UnsteadyError)


class OpenSearch(Search):
    """One search with values left open; `run` does it, the attributes hold what was found."""

    def __init__(self, api: Api, scope: Scope, limits: Limits, options: Options, places: Places | None = None) -> None:
        self.compiled: CompiledStates | None = None
        self.calls_here = 0
        super().__init__(replace(api, templates=opened(api, scope)), scope, limits, options)
        self.given = api  # with values chosen
        twin = PythonWalker(limits, self.surroundings.pinned())
        self.table = twin._keys
        register_tokens(self.table)
        self.table.scales = scales_in(self.api.templates)
        # the compiled module leaves integers open, nothing else, and not very large ones
        slow = options.exploring.implementation == "python" or self.table.scales or has_large(self.api.templates)
        native = None if slow else heap.native_module()
        self.walker = twin if native is None else native.Walker(twin)
        self.places = places or Places()
        self.fixtures = Fixtures(self.walker, self.surroundings.pinned())
        self.prepared = [
            Prepared(number, each, needs_copies(filled(each, lambda _: 0)) or nests(each))
            for number, each in enumerate(self.api.templates)
        ]
        self.quick = [each for each in self.prepared if each.is_quick]
        self.states = self.counted = self.new_states(native is not None)
        self.recipes = Recipes(self.states, self.prepared)
        self.kinds: dict[int, tuple[type, int]] = {}  # of shapes: the class of the first root, and how many roots
        self.forks: dict[tuple[tuple[int, ...], int], PathTrie[Leaf]] = {}
        self.leaf = Leaf()
        self.bench: OpenBench | None = None
        self.met: dict[int, list[tuple[tuple[int, ...], int, tuple[int, ...]]]] = {}  # by identity of the error
        self.runs_here = 0
        self.balance = Balance()
        self.deadline = options.deadline
        self.looks, self.last_look = 0, -1  # at the clock; at which of them a rehearsal ran out of time

    def new_states(self, compiled: bool) -> States:
        """Return where abstract states are kept."""
        if not compiled:
            return PythonStates()
        self.compiled = CompiledStates(
            self.walker,
            self.places,
            self.quick,
            judge=self.judge_quick,
            enter=self.enter_quick,
            check=self.check_time,
            invariant=self.options.invariant,
        )
        return self.compiled

    @property
    def runs(self) -> int:
        """How often code under test ran."""
        return self.runs_here + (0 if self.compiled is None else self.compiled.atlas.runs)

    @property
    def calls(self) -> int:
        """How many calls were made: runs are what counts, and what the watchdog looks at."""
        return self.calls_here + (0 if self.compiled is None else self.compiled.atlas.runs)

    @calls.setter
    def calls(self, calls: int) -> None:
        self.calls_here = calls - (0 if self.compiled is None else self.compiled.atlas.runs)

    # -- the levels -----------------------------------------------------------------------------------

    def search_levels(self) -> None:
        """Go through the levels until none is left."""
        self.expand_with([], [each for each in self.prepared if not each.template.wanted])
        self.catch_up()
        level = 1
        while self.has_more(level):
            level += 1
            if self.scope.calls is not None and level > self.scope.calls:
                raise Stop(Status(Ending.COMPLETE, f"all sequences of at most {self.scope.calls} calls"))
            first = len(self.states)
            self.expand_level(level - 1)
            for each in self.prepared:
                if len(each.template.wanted) > 1:
                    for unit in self.joint_units(each, level - 1):
                        unit()
                    self.catch_up()
            self.end_level(first)

    def expand_level(self, length: int) -> None:
        """Make every call that needs one object, on all states of so many calls."""
        numbers = self.states_of(object, length)
        for (_, roots), group in itertools.groupby(numbers, lambda each: (self.classes[each], self.roots[each])):
            alike = list(group)
            calls = self.calls_on(alike[0])
            quick, rest = [each for each in calls if each.is_quick], [each for each in calls if not each.is_quick]
            if roots > 1:
                quick, rest = [], calls
            self.expand_quick(alike, quick)
            if rest:
                for number in alike:
                    self.expand_with([number], rest)
            self.catch_up()

    def expand_quick(self, numbers: list[int], calls: list[Prepared]) -> None:
        """Make calls that the compiled module can make by itself, where it is used."""
        if not calls:
            return
        which = [self.quick.index(each) for each in calls]
        while numbers:
            some, done = numbers[:AT_ONCE], 0
            if self.compiled is not None:
                self.balance.begin_many(self.states, some, [each.template for each in calls])
                self.running = True
                try:
                    done = self.compiled.expand(some, which)
                finally:
                    self.running = False
            if done < len(some):
                self.expand_with([some[done]], calls)
            numbers = numbers[done + (done < len(some)) :]
        self.watch(calls)

    def catch_up(self) -> None:
        """Take in the states that were added since the last time."""
        first = len(self.classes)
        lengths = self.states.lengths_from(first)
        for number, (shape, length) in enumerate(
            zip(self.states.shapes_from(first), lengths, strict=True), start=first
        ):
            if (kind := self.kinds.get(shape)) is None:
                kind = self.kinds[shape] = self.kind_of(shape)
            self.classes.append(kind[0])
            self.roots.append(kind[1])
            self.lengths.append(length)
            levels = self.by_class.setdefault(kind[0], [])
            while len(levels) <= length:
                levels.append(array("I"))
            levels[length].append(number)

    def kind_of(self, shape: int) -> tuple[type, int]:
        """Return the class of the first root of a shape, and how many roots it has."""
        state = self.states.shape_bytes(shape)
        nodes = state[0]
        if not nodes:
            raise CannotStayOpenError("what is built is a plain value, such as a tuple")
        if max(state[: nodes + 2]) < 128:  # the usual case: one byte each
            return self.table.layouts[state[1]].cls, state[nodes + 1]
        reader = StateReader(self.table, state)
        first = reader.numbers()[0]
        return self.table.layouts[first].cls, reader.number()

    def end_level(self, first: int) -> None:
        """Look for fields that grow without end in a few of the level's new states."""
        count = len(self.states) - first
        for number in range(first, len(self.states), max(1, count // 8)):
            zone = self.states.zone(number)
            point = zone.first_point()
            objects = self.objects_at(self.states.shape(number), point)
            self.growth.see(self.walker.heap(self.walker.capture(*objects)))
        if count and (endless := self.growth.end_level()):
            raise Stop(Status(Ending.UNKNOWN, endless))

    def states_of(self, cls: type, length: int) -> list[int]:
        """Return the states of the class whose shortest sequence has so many calls."""
        return [each for each in super().states_of(cls, length) if not self.states.is_covered(each)]

    def expand_with(self, numbers: list[int], calls: Sequence[Prepared]) -> None:
        """Make the calls on the objects, each from the same state, along every path."""
        if numbers:
            self.check_time()
        shapes = tuple(self.states.shape(number) for number in numbers)
        zone = Zone.box()
        for number in numbers:
            zone = zone.beside(self.states.zone(number))
        for prepared in calls:
            self.balance.begin(self.states, [numbers], [prepared.template])
            ranges = [(each.low, each.high) for each in open_arguments(prepared.template)]
            forks = self.forks_of(shapes, prepared)
            for path in forks.paths(zone.extend(*ranges)):
                self.balance.paths += 1
                self.enter(path, numbers, prepared)
                if self.balance.paths % 64 == 0:
                    self.check_time()
        self.watch(calls)

    def forks_of(self, shapes: tuple[int, ...], prepared: Prepared) -> PathTrie[Leaf]:
        """Return the known paths of a call on objects of these shapes."""
        known = self.forks.get((shapes, prepared.number))
        if known is None:
            slots = sum(self.states.shape_slots(shape) for shape in shapes)
            template = filled(prepared.template, lambda n: Token(slots + 1 + n))
            ready = Prepared(prepared.number, template, prepared.fresh)
            known = PathTrie(lambda: self.attempt_open(shapes, ready))
            self.forks[shapes, prepared.number] = known
        return known

    def watch(self, calls: Sequence[Prepared]) -> None:
        """Notice what the calls changed outside the objects."""
        self.parents += 1
        if self.parents > 100 and self.parents % 50:
            return
        for place in self.surroundings.changes():
            self.leaks.setdefault(place, calls[0].template.operation.title)

    def check_time(self) -> float:
        """End the search where its time, its number of states or of runs is used up; tell how far it is."""
        mark()
        self.balance.check(self.runs_here, self.runs - self.runs_here)
        now, count = time.monotonic(), len(self.states)
        self.looks += 1
        if self.deadline.is_over() or self.looks == self.last_look:
            raise Stop(self.out_of_time())
        if count > self.options.exploring.most_states:
            raise Stop(Status(Ending.UNKNOWN, f"{count:,} abstract states; {self.growth.hint()}".rstrip("; ")))
        self.tell(now - self.began)
        return now - self.began

    def tell(self, seconds: float) -> None:
        """Tell how far the search is, every thousand runs, or where they take long."""
        if self.options.on_progress is not None and self.pace.is_due(self.runs, seconds):
            self.options.on_progress(self.progress(seconds))

    # -- calls that the compiled module makes ---------------------------------------------------------

    def judge_quick(
        self, shape: int, call: int, result: object, error: BaseException | None, changed: bool, roots: list[Any]
    ) -> object:
        """Judge what a call came to that the compiled module cannot judge: a number if it need only be counted."""
        bench = OpenBench.around_roots(self, shape, roots, changed)
        leaf = self.judge(bench, self.quick[call], result, error)
        if leaf.found or leaf.failures or leaf.outside or leaf.doubt:
            return leaf
        return CODES.index(leaf.outcome)

    def enter_quick(self, number: int, leaf: int, bounds: Any, unequal: Any) -> None:
        """Take in what a path came to that the compiled module cannot take in."""
        assert self.compiled is not None
        call, came = self.compiled.atlas.leaf(leaf)
        self.enter(Path(Zone(bounds, unequal), came), [number], self.quick[call])

    # -- one run --------------------------------------------------------------------------------------

    def attempt_open(self, shapes: tuple[int, ...], prepared: Prepared) -> Leaf:
        """Make one call along one path and judge it."""
        bench = self.bench_for(shapes)
        tokens = tokens_in(prepared.template)
        usual = references(tokens)
        self.runs_here += 1
        self.calls_here += 1
        mark()
        self.guard.begin_call(self, prepared.number)
        self.running = True
        error: BaseException | None = None
        result: object = None
        try:
            result = prepared.run(bench.objects)
        except (KeyboardInterrupt, *SIGNALS):
            raise
        except BaseException as raised:  # the code under test may raise anything
            error = raised
        finally:
            self.running = False
        leaf = self.judge(bench, prepared, result, error)
        bench.changed()  # judging may run code under test, too
        bench.reset()
        del result, error
        if kept(tokens, usual) or kept(bench.tokens, bench.usual):
            raise CannotStayOpenError("something outside the objects keeps a value that was passed to a call")
        return leaf

    def judge(self, bench: OpenBench, prepared: Prepared, result: object, error: BaseException | None) -> Leaf:
        """Return what a call came to."""
        leaf = self.leaf = Leaf()
        if error is None:
            tally = self.tallies[prepared.template.operation]
            leaf.outcome, _ = self.judge_success(bench, prepared, result, tally, silent=False)
        else:
            if isinstance(error, HangError):
                self.check_time()
            leaf.outcome, _ = self.judge_failure(bench, prepared, error, silent=False)
            leaf.doubt = f"{type(error).__name__}: {error}" if isinstance(error, TypeError) else ""
        return leaf

    def bench_for(self, shapes: tuple[int, ...]) -> OpenBench:
        """Return the objects that calls on these shapes are tried on; those used last are kept."""
        if self.bench is None or self.bench.shapes != shapes:
            self.bench = OpenBench(self, shapes)
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

    def discover(
        self,
        bench: Bench,
        prepared: Prepared,
        roots: Sequence[object],
        roles: Roles,
        seen: list[object],
        silent: bool,
    ) -> Outcome:
        """Walk an object and note its shape if its invariant holds; whether it is new depends on the zone."""
        del seen, silent
        walked = walk_open(self.table, self.places, roots)
        if heap.knows_weak(self.walker):
            raise CannotStayOpenError("what is built holds weak references")
        if isinstance(walked, Outside):
            self.leaf.outside.append(walked.reason)
            return Outcome.OUTSIDE
        failures = len(self.leaf.failures)
        if not self.holds(prepared, bench.numbers, roots[0]):
            is_result = any(index == RESULT for index, _ in roles)
            if is_result or not bench.roots or bench.keys() != bench.keys_before():
                return Outcome.ERROR
            del self.leaf.failures[failures:]  # the values are those it had: it was broken before
            return Outcome.KNOWN
        shape, terms = walked
        number = self.states.shape_number(shape, len(terms))
        self.leaf.found.append(Found(number, terms, roles, type(roots[0]), len(roots)))
        return Outcome.NEW

    def reveal(
        self,
        prepared: Prepared,
        numbers: Sequence[int],
        failure: Failure,
        cls: type[BaseException] | None,
        output: str | None = None,
    ) -> None:
        """Note an error; the sequence that shows it depends on the zone."""
        del prepared, numbers, output
        self.leaf.failures.append((failure, cls))

    # -- one path -------------------------------------------------------------------------------------

    def enter(self, path: Path[Leaf], numbers: list[int], prepared: Prepared) -> None:
        """Take in what a call came to along a path, for the values that take it."""
        leaf, outcomes = path.result, []
        if leaf.doubt:
            confirm(self, path, numbers, prepared)
            leaf.doubt = ""
        for reason in leaf.outside:
            self.outside[reason] += 1
        for failure, cls in leaf.failures:
            self.reveal_at(path.zone, numbers, prepared, failure, cls)
        for found in leaf.found:
            new = self.keep_open(path.zone, numbers, prepared, found)
            new = new and self.counts(found.cls, found.roots)
            outcomes.append(Outcome.NEW if new else Outcome.KNOWN)
        if leaf.failures:
            outcomes.append(Outcome.ERROR)
        outcomes += [Outcome.OUTSIDE] * bool(leaf.outside)
        outcome = leaf.outcome if leaf.outcome is Outcome.PRECONDITION else best(outcomes)
        self.tallies[prepared.template.operation].outcomes[outcome] += 1

    def keep_open(self, zone: Zone, numbers: list[int], prepared: Prepared, found: Found) -> bool:
        """Add the states found, and tell whether any has new points."""
        if zone.unequal and self.states.covers(found.shape, zone.hull(found.terms)):
            return False  # known without cutting the zone into pieces
        length = 1 + sum(self.lengths[each] for each in numbers)
        origin = Origin(tuple(numbers), prepared.number, found.roles, zone, found.terms)
        added = [self.states.add(found.shape, part, length, origin) for part in zone.project(found.terms)]
        return max(added) >= 0

    def reveal_at(
        self,
        zone: Zone,
        numbers: Sequence[int],
        prepared: Prepared,
        failure: Failure,
        cls: type[BaseException] | None,
    ) -> None:
        """Keep the first sequence for each different error: sequences come shortest first."""
        operation = prepared.template.operation
        key = (operation.title, failure.reason, failure.exception, failure.place)
        point = zone.first_point()
        known = self.errors.get(key)
        if known is None:
            recipe = self.recipes.failing(tuple(numbers), prepared.number, point)
            calls = 1 + sum(self.lengths[each] for each in numbers)
            known = self.errors[key] = Revealed(operation.title, failure, recipe, calls, cls, times=0)
            known.output = self.guard.printed()
        known.times += 1
        if len(met := self.met.setdefault(id(known), [])) < MOST_MET:
            met.append((tuple(numbers), prepared.number, point))

    # -- objects with chosen values -------------------------------------------------------------------

    def objects_at(self, shape: int, point: Sequence[int]) -> list[Any]:
        """Return fresh objects of the shape with the values of the point."""
        return rebuild_open(self.table, self.states.shape_bytes(shape), lambda n: point[n - 1])

    def take_back_tokens(self) -> None:
        """Put back what modules and classes held at first, where calls left open values: they mean nothing later on."""
        self.fixtures.restore()
        self.surroundings.put_back(lambda value: type(value) in TOKEN_KINDS)

    def run(self) -> None:
        """Search to the end, or until time, Ctrl-C or a bound ends it; what was found stays."""
        super().run()
        self.bench = None
        self.forks.clear()
        self.catch_up()
        if self.compiled is not None:
            self.count_quick(self.compiled)

    def count_quick(self, compiled: CompiledStates) -> None:
        """Add what the compiled module counted to the tallies."""
        for number, prepared in enumerate(self.quick):
            counts, answered, changed = compiled.atlas.counts(number)
            tally = self.tallies[prepared.template.operation]
            tally.outcomes.update({code: times for code, times in zip(CODES, counts, strict=True) if times})
            tally.answers |= answered
            tally.changes |= changed
        for reason, times in compiled.atlas.reasons():
            self.outside[self.walker.reason(heap.OUTSIDE - reason)] += times
