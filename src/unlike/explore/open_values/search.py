"""From an Api and a scope to every abstract state its operations can build, breadth-first.

The same search as with concrete values (module `unlike.explore.search`), with two differences. A call is made along
every path that open values can take; what a path comes to is kept with the shape it started from, and holds for every
zone of that shape. And a state is a zone: one that lies within a known one is not new.
"""

from __future__ import annotations

import contextlib
from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from unlike.explore.api import Api, Template
from unlike.explore.bench import Bench, Prepared, needs_copies
from unlike.explore.open_values.recipes import Recipes
from unlike.explore.open_values.states import Origin, Roles, States
from unlike.explore.open_values.templates import filled, open_arguments, opened
from unlike.explore.outcomes import OWN_FILES, Failure, Outcome, Revealed
from unlike.explore.search import Options, Search, _best
from unlike.explore.surroundings import HangError
from unlike.heap import PythonWalker
from unlike.scope import Limits, Outside, Scope
from unlike.symbolic import (
    CannotStayOpenError,
    Forks,
    NoRunError,
    OpenedError,
    Path,
    Places,
    Term,
    Token,
    TooManyPathsError,
    UnsteadyError,
    Zone,
    adopt,
    points,
    rebuild_open,
    walk_open,
)

SIGNALS = (CannotStayOpenError, NoRunError, OpenedError, TooManyPathsError, UnsteadyError)
OWN_FILES.add(__file__)


@dataclass(frozen=True, slots=True)
class Found:
    """An object in a state of this shape, with these values."""

    shape: int
    terms: tuple[Term, ...]
    roles: Roles
    cls: type
    roots: int


@dataclass(slots=True)
class Leaf:
    """What a call came to along one path."""

    outcome: Outcome = Outcome.KNOWN
    found: list[Found] = field(default_factory=list)
    failures: list[tuple[Failure, type[BaseException] | None]] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)


class OpenSearch(Search):
    """One search with values left open; `run` does it, the attributes hold what was found."""

    def __init__(self, api: Api, scope: Scope, limits: Limits, options: Options, places: Places | None = None) -> None:
        super().__init__(replace(api, templates=opened(api, scope)), scope, limits, options)
        pinned = self.surroundings.pinned()
        self.walker = PythonWalker(limits, pinned)
        self.table = self.walker._keys
        self.places = places or Places()
        adopt(self.table)
        self.fixtures = self.remember_fixtures()
        self.prepared = [
            Prepared(number, each, needs_copies(filled(each, lambda _: 0)))
            for number, each in enumerate(api_templates(self))
        ]
        self.states = States()
        self.recipes = Recipes(self.states, self.prepared)
        self.forks: dict[tuple[tuple[int, ...], int], Forks[Leaf]] = {}
        self.leaf = Leaf()
        self.bench: OpenBench | None = None
        self.runs = 0

    # -- the levels -----------------------------------------------------------------------------------

    def expand(self, number: int) -> None:
        """Make every call that needs this object alone."""
        if calls := self.unary_calls(self.classes[number]):
            self.expand_with([number], calls)

    def states_of(self, cls: type, length: int) -> list[int]:
        """Return the states of the class whose shortest sequence has so many calls."""
        return [each for each in super().states_of(cls, length) if not self.states.covered[each]]

    def end_level(self, first: int) -> None:
        """Look for fields that grow without end in a few of the level's new states."""

    def expand_with(self, numbers: list[int], calls: Sequence[Prepared]) -> None:
        """Make the calls on the objects, each from the same state, along every path."""
        if numbers:
            self.check_time()
        shapes = tuple(self.states.shape[number] for number in numbers)
        zone = Zone.box()
        for number in numbers:
            zone = zone.beside(self.states.zone[number])
        for prepared in calls:
            self.check_bounds()
            ranges = [(each.low, each.high) for each in open_arguments(prepared.template)]
            forks = self.forks_of(shapes, prepared)
            before = forks.runs
            for path in forks.paths(zone.extend(*ranges)):
                self.enter(path, numbers, prepared)
            self.runs += forks.runs - before
        self.watch(calls)

    def forks_of(self, shapes: tuple[int, ...], prepared: Prepared) -> Forks[Leaf]:
        """Return the known paths of a call on objects of these shapes."""
        known = self.forks.get((shapes, prepared.number))
        if known is None:
            slots = sum(self.states.shapes.slots[shape] for shape in shapes)
            template = filled(prepared.template, lambda n: Token(slots + 1 + n))
            ready = Prepared(prepared.number, template, prepared.fresh)
            known = Forks(lambda: self.attempt_open(shapes, ready))
            self.forks[shapes, prepared.number] = known
        return known

    def watch(self, calls: Sequence[Prepared]) -> None:
        """Notice what the calls changed outside the objects."""
        self.parents += 1
        if self.parents > 100 and self.parents % 50:
            return
        for place in self.surroundings.changes():
            self.leaks.setdefault(place, calls[0].template.operation.title)

    # -- one run --------------------------------------------------------------------------------------

    def attempt_open(self, shapes: tuple[int, ...], prepared: Prepared) -> Leaf:
        """Make one call along one path and judge it."""
        bench = self.bench_for(shapes)
        leaf = self.leaf = Leaf()
        tally = self.tallies[prepared.template.operation]
        self.running = True
        try:
            result = prepared.run(bench.objects)
        except (KeyboardInterrupt, *SIGNALS):
            raise
        except BaseException as error:  # the code under test may raise anything
            self.running = False
            if isinstance(error, HangError):
                self.check_time()
            leaf.outcome, _ = self.judge_failure(bench, prepared, error, silent=False)
        else:
            self.running = False
            leaf.outcome, _ = self.judge_success(bench, prepared, result, tally, silent=False)
        finally:
            self.running = False
        bench.dirty = True  # judging may run code under test, too
        bench.changed()
        bench.reset()
        return leaf

    def bench_for(self, shapes: tuple[int, ...]) -> OpenBench:
        """Return the objects that calls on these shapes are tried on; those used last are kept."""
        if self.bench is None or self.bench.shapes != shapes:
            self.bench = OpenBench(self, shapes)
        return self.bench

    def obtain_open(self, shape: int, first: int) -> list[Any]:
        """Return fresh objects of the shape, with tokens from the given slot on."""
        state = self.states.shapes.bytes_of[shape]
        try:
            made = rebuild_open(self.table, state, lambda n: Token(first + n - 1))
        except Exception as error:  # a `__hash__` or `__setstate__` of the user's may refuse
            raise CannotStayOpenError(f"a state cannot be made again: {type(error).__name__}: {error}") from None
        terms = tuple((first + n, 0) for n in range(self.states.shapes.slots[shape]))
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
        if isinstance(walked, Outside):
            self.leaf.outside.append(walked.reason)
            return Outcome.OUTSIDE
        if not self.holds(prepared, bench.numbers, roots[0]):
            return Outcome.ERROR
        shape, terms = walked
        number = self.states.shapes.number(shape, len(terms))
        self.leaf.found.append(Found(number, terms, roles, type(roots[0]), len(roots)))
        return Outcome.NEW

    def reveal(
        self, prepared: Prepared, numbers: Sequence[int], failure: Failure, cls: type[BaseException] | None
    ) -> None:
        """Note an error; the sequence that shows it depends on the zone."""
        del prepared, numbers
        self.leaf.failures.append((failure, cls))

    # -- one path -------------------------------------------------------------------------------------

    def enter(self, path: Path[Leaf], numbers: list[int], prepared: Prepared) -> None:
        """Take in what a call came to along a path, for the values that take it."""
        leaf, outcomes = path.result, []
        for reason in leaf.outside:
            self.outside[reason] += 1
        for failure, cls in leaf.failures:
            self.reveal_at(path.zone, numbers, prepared, failure, cls)
        for found in leaf.found:
            new = self.keep_open(path.zone, numbers, prepared, found)
            outcomes.append(Outcome.NEW if new else Outcome.KNOWN)
        if leaf.failures:
            outcomes.append(Outcome.ERROR)
        outcomes += [Outcome.OUTSIDE] * bool(leaf.outside)
        outcome = leaf.outcome if leaf.outcome is Outcome.PRECONDITION else _best(outcomes)
        self.tallies[prepared.template.operation].outcomes[outcome] += 1

    def keep_open(self, zone: Zone, numbers: list[int], prepared: Prepared, found: Found) -> bool:
        """Add the states found, and tell whether any has new points."""
        length = 1 + sum(self.lengths[each] for each in numbers)
        origin = Origin(tuple(numbers), prepared.number, found.roles, zone, found.terms)
        new = False
        for part in zone.project(found.terms):
            number = self.states.add(found.shape, part, length, origin)
            if number < 0:
                continue
            new = True
            self.lengths.append(length)
            self.classes.append(found.cls)
            self.roots.append(found.roots)
            levels = self.by_class.setdefault(found.cls, [])
            while len(levels) <= length:
                levels.append(array("I"))
            levels[length].append(number)
        return new

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
        if key in self.errors:
            self.errors[key].times += 1
            return
        point = next(points(zone.bounds, zone.unequal))
        recipe = self.recipes.failing(tuple(numbers), prepared.number, point)
        calls = 1 + sum(self.lengths[each] for each in numbers)
        self.errors[key] = Revealed(operation.title, failure, recipe, calls, cls)

    # -- objects with chosen values -------------------------------------------------------------------

    def objects_at(self, shape: int, point: Sequence[int]) -> list[Any]:
        """Return fresh objects of the shape with the values of the point."""
        return rebuild_open(self.table, self.states.shapes.bytes_of[shape], lambda n: point[n - 1])

    def state_at(self, shape: int, point: Sequence[int]) -> bytes | Outside:
        """Return the canonical bytes of the shape with the values of the point."""
        return self.walker.walk(*self.objects_at(shape, point))

    def run(self) -> None:
        """Search to the end; start again when a place turns out to hold open values."""
        super().run()
        self.bench = None
        self.forks.clear()


def api_templates(search: Search) -> Sequence[Template]:
    """Return the templates a search was given."""
    return search.api.templates


class OpenBench(Bench):
    """The objects that calls are tried on, with tokens for their open values."""

    def __init__(self, search: OpenSearch, shapes: tuple[int, ...]) -> None:
        self.search = search
        self.shapes = shapes
        super().__init__(search, list(range(len(shapes))))

    def fill(self) -> None:
        """Make the objects anew and remember what they hold."""
        search, first = self.search, 1
        self.roots = []
        for shape in self.shapes:
            self.roots.append(search.obtain_open(shape, first))
            first += search.states.shapes.slots[shape]
        self.objects = [roots[0] for roots in self.roots]
        self.snapshot = None
        self.dirty = False
        if self.shapes:
            with contextlib.suppress(Exception):
                self.snapshot = search.walker.snapshot(*(root for roots in self.roots for root in roots))

    def changed(self) -> bool:
        """Tell whether any object holds something else than before the call."""
        if not self.shapes:
            return False
        self.dirty = True if self.snapshot is None else self.snapshot.changed()
        return self.dirty

    def keys(self) -> list[Any]:
        """Return whether the objects are in another state now: their shapes, and the values that moved."""
        found = []
        first = 1
        for shape, roots in zip(self.shapes, self.roots, strict=True):
            found.append(self._moved(shape, roots, first))
            first += self.search.states.shapes.slots[shape]
        return found

    def keys_before(self) -> list[Any]:
        """Return what `keys` gives for objects in the state they had before the call."""
        return [True] * len(self.shapes)

    def _moved(self, shape: int, roots: Sequence[object], first: int) -> bool:
        """Tell whether the objects are in the state they had, asking where values have moved."""
        walked = walk_open(self.search.table, self.search.places, roots)
        if isinstance(walked, Outside) or walked[0] != self.search.states.shapes.bytes_of[shape]:
            return False
        before = [Token(first + n) for n in range(len(walked[1]))]
        return all(Token(*term) == token for term, token in zip(walked[1], before, strict=True))
