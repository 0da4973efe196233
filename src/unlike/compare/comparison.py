"""The verb: explore the class, search with its invariant, and tell where the two differ.

An object that the API builds and the invariant rejects shows an invariant that is too strong, or a method that broke
it. A structure that the invariant accepts and nobody builds shows one that is too weak. Some objects are built only
through larger ones; those are looked for in a larger exploration before anything is called a gap.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Unpack

from unlike.classes.recipes import sequence_text
from unlike.classes.result import Result
from unlike.classes.verb import explore
from unlike.compare.beyond_scope import BeyondScope, look_beyond
from unlike.compare.gaps import Built, Gap, group_gaps
from unlike.core import CutShort, Deadline, Isolation, IsolationKeywords, Timeout, takes
from unlike.core.question import Values
from unlike.errors import ScopeError
from unlike.foreign import silence
from unlike.heap.walkers import Walker, make_walker
from unlike.invariants.result import Structures
from unlike.invariants.structure import Structure, build_structure, structure_of
from unlike.invariants.verbs import INVARIANT, structures
from unlike.isolation import Answer, Death, Raised, each_in_copies
from unlike.progress import report_each
from unlike.recipe import Recipe
from unlike.scope import Limits, Scope, scope_of
from unlike.suite import STOPPED, Case, Ending, Status

MOST_COMPARED = 2_000_000  # structures
MOST_NAMED = 3  # calls that failed: the exploration names them all
HALF = 0.5  # of the time that is left: for the invariant, for exploring, and for looking at what was found
FEW_STATES, STATES_PER_STRUCTURE = 5_000, 20  # to explore, before a method is taken to have broken the invariant


@dataclass(frozen=True, slots=True)
class Rejected:
    """An object that the API builds and the invariant rejects; the recipe is a shortest sequence of calls."""

    recipe: Recipe
    reason: str

    @property
    def sequence(self) -> str:
        """The sequence of calls, as a reader would write it."""
        return sequence_text(self.recipe)


@dataclass(slots=True)
class Comparison:
    """Where API and invariant differ."""

    cls: type
    invariant: str
    scope: Scope
    built: int
    accepted: int
    rejected: tuple[Rejected, ...]  # built, not accepted; shortest sequence first
    missing: int  # accepted, not built
    gaps: tuple[Gap, ...]
    through_larger: int  # accepted, and built only by way of a larger object
    exploration: Status
    search: Status
    notes: tuple[str, ...] = ()
    outside: int = 0  # built and sound, but with values that no field may hold here
    outside_example: str = ""  # the calls that build the first of them
    bound: str = ""  # within what nothing builds the missing ones: the largest explorations that were made for them

    @property
    def agrees(self) -> bool:
        """Whether there is nothing to look at."""
        return not self.rejected and not self.missing

    @property
    def cut_short(self) -> bool:
        """Whether one of the two sides is not complete."""
        return self.exploration.cut_short or self.search.cut_short

    @property
    def exit_code(self) -> int:
        """The exit code of a command that ends with this."""
        return 3 if self.cut_short else 0 if self.agrees else 1


@takes(Isolation)
def compare(
    cls: type,
    scope: int | Scope = 3,
    *,
    invariant: str | Callable[[Any], object] = INVARIANT,
    objects: Mapping[str, int] | None = None,
    literals: Mapping[Any, Any] | None = None,
    elements: int | None = None,
    fields: Mapping[str, object] | None = None,
    methods: str | None = None,
    timeout: Timeout = None,
    **isolation: Unpack[IsolationKeywords],
) -> Comparison:
    """Compare what the methods of a class build with what its invariant accepts, within the same scope."""
    deadline = Deadline.of(timeout)
    bounds = scope_of(scope, objects=objects, literals=literals, elements=elements)
    limits = Isolation(**isolation)
    half = deadline.part(HALF)
    found = structures(cls, bounds, invariant=invariant, fields=fields, timeout=half, **limits.of_one_process())
    if found.count > MOST_COMPARED:
        raise ScopeError(f"{found.count:,} structures are too many to be compared one by one; use a smaller scope")
    if found.status.ending is Ending.INTERRUPTED:
        return Comparison(cls, found.invariant, bounds, 0, found.count, (), 0, (), 0, STOPPED, found.status)
    explorer = _Explorer(cls, found, methods, deadline, limits)
    explored = explorer.explore_within(bounds)
    walker = make_walker(Limits(dict_order=False))
    built = BuiltObjects(explored, walker, explorer)
    lost = [f"what this call was to build is not among what is built: {e}" for e in explored.errors[:MOST_NAMED]]
    notes, status = [*found.notes, *lost], _with_own_flags(built.status)
    beyond, gaps, outside = BeyondScope([]), list[Gap](), list[Recipe]()
    try:
        if not status.cut_short:
            beyond = _look_beyond(explorer, explored, built, bounds)
        gaps = group_gaps(deadline.each(beyond.missing), Built(built.structures, built.things))
        outside = [] if found.status.cut_short else built.outside(deadline.each(_list_structures(found)))
    except (CutShort, KeyboardInterrupt) as end:
        status, beyond = end.status if isinstance(end, CutShort) else STOPPED, BeyondScope([])
    if status.cut_short:
        notes.append("the exploration was cut short, so nobody knows which structures are not built")
    return Comparison(
        cls, found.invariant, bounds, explored.states, found.count, tuple(built.rejected),
        len(beyond.missing), tuple(gaps), len(beyond.built), status, found.status, tuple(notes),
        len(outside), sequence_text(outside[0]) if outside else "", beyond.bound,
    )  # fmt: skip


def _with_own_flags(status: Status) -> Status:
    """Return how the exploration ended, with remedies that a comparison has."""
    grows, found, _ = status.detail.partition("; leave it out of the comparison: --omit-fields")
    remedy = "leave out the calls that make it grow: --methods REGEX"
    return replace(status, detail=f"{grows}; {remedy}") if found else status


def _look_beyond(explorer: _Explorer, explored: Result, built: BuiltObjects, bounds: Scope) -> BeyondScope:
    """Return what is not built within the scope: by larger explorations, or not at all."""
    every = report_each("comparing", _list_structures(explorer.found), explorer.found.count)
    left = [each for each in explorer.deadline.each(every) if not built.has(each)]
    again = functools.partial(explorer.explore, invariant=explored.invariant, values="concrete")
    beyond = look_beyond(left, explored, bounds, again)
    built.structures += beyond.built
    return beyond


@dataclass(frozen=True, slots=True)
class _Explorer:
    """Explores the class, also where a method that broke the invariant leads on without end."""

    cls: type
    found: Structures
    methods: str | None
    deadline: Deadline
    isolation: Isolation

    def explore_within(self, bounds: Scope) -> Result:
        """Return what the API builds; if that is far more than the invariant accepts, only through sound objects."""
        most = max(FEW_STATES, STATES_PER_STRUCTURE * self.found.count)
        result = self.explore(bounds, most)
        if result.status.ending is Ending.UNKNOWN and hasattr(self.cls, self.found.invariant):
            return self.explore(bounds, most, self.found.invariant)
        return result

    def explore(self, bounds: Scope, most_states: int, invariant: str | None = None, values: Values = "auto") -> Result:
        """Explore without calling the invariant as a method."""
        kept = self.methods if self.methods is not None else f"(?!{self.found.invariant}$).*"
        return explore(
            self.cls,
            scope=bounds,
            methods=kept,
            dict_order=False,
            timeout=self.deadline.part(HALF),
            most_states=most_states,
            invariant=invariant,
            values=values,
            **self.isolation.keywords(),
        )


def _list_structures(found: Structures) -> Iterator[Structure]:
    every = found.structures
    yield from (each for index in range(every.count()) if isinstance(each := every.at(index), Structure))


class BuiltObjects:
    """The objects that the API builds: what tells them apart, those rejected, and the others as structures."""

    def __init__(self, explored: Result, walker: Walker, explorer: _Explorer) -> None:
        self.walker = walker
        self.keys: set[object] = set()
        self.rejected: list[Rejected] = []
        self.structures: list[Structure] = []
        self.things: list[object] = []  # of which they are the structures
        self.sound: dict[object, Recipe] = {}
        self.status = explored.status
        if self.status.ending is Ending.INTERRUPTED:  # whoever presses Ctrl-C does not want to wait for verdicts
            return
        explored.deadline = explorer.deadline
        cases, late = list(explored.suite), explored.suite.status.ending is Ending.TIMEOUT
        self.status = explored.suite.status if late else explored.status  # how looking at all of them ended
        try:
            self.judge(cases, explorer)
        except (CutShort, KeyboardInterrupt) as end:
            self.status = end.status if isinstance(end, CutShort) else STOPPED
        for error in explored.errors:
            if explored.invariant is not None and error.failure.reason.startswith("invariant"):
                self.rejected.append(Rejected(error.recipe, "returned False"))
        self.rejected.sort(key=lambda each: len(each.recipe.steps))

    def judge(self, cases: Sequence[Case], explorer: _Explorer) -> None:
        """Ask the invariant about each of them, and remember it."""
        found = explorer.found
        judged = zip(cases, _verdicts(found.check, cases, explorer), strict=True)
        for case, reason in report_each("comparing", judged, len(cases)):
            with silence():  # the calls that make it may print
                thing: Any = case.value
            key = self.walker.walk(thing)
            self.keys.add(key)
            structure = structure_of(thing, found.table)
            if reason:
                self.rejected.append(Rejected(case.recipe, reason))
                continue
            self.sound[key] = case.recipe
            if structure is not None:
                self.structures.append(structure)
                self.things.append(thing)

    def has(self, structure: Structure) -> bool:
        """Tell whether the structure is built."""
        return self.key(structure) in self.keys

    def key(self, structure: Structure) -> object:
        """Return what tells the structure from others."""
        return self.walker.walk(build_structure(structure))

    def outside(self, structures: Iterable[Structure]) -> list[Recipe]:
        """Return how sound objects are built that are none of the structures: they hold what no field may hold here."""
        accepted = set(map(self.key, structures))
        return [recipe for key, recipe in self.sound.items() if key not in accepted]


def _verdicts(check: Callable[[Any], object], cases: Sequence[Case], explorer: _Explorer) -> Iterator[str]:
    """Yield why the invariant rejects each object, or nothing; it runs in a copy of this process, with limits."""
    work = functools.partial(_verdict, check, cases)
    for verdict in each_in_copies(work, len(cases), explorer.isolation, explorer.deadline, in_scratch=True):
        match verdict:
            case Answer(_, reason):
                yield reason
            case Raised(_, error):
                yield f"raised {error}"
            case Death(_, cause):
                yield f"did not end by itself: {cause}"


def _verdict(check: Callable[[Any], object], cases: Sequence[Case], number: int) -> str:
    """Return why the invariant rejects an object, or nothing."""
    with silence():
        thing: Any = cases[number].value
        try:
            return "" if check(thing) else "returned False"
        except Exception as error:
            return f"raised {type(error).__name__}: {error}"
