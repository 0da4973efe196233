"""The verb: explore the class, search with its invariant, and tell where the two differ.

An object that the API builds and the invariant rejects shows an invariant that is too strong, or a method that broke
it. A structure that the invariant accepts and nobody builds shows one that is too weak. Some objects are built only
through larger ones; those are looked for in a larger exploration before anything is called a gap.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from unlike import heap
from unlike.compare.gaps import Built, Gap, grouped
from unlike.errors import ScopeError
from unlike.explore import Result, explore
from unlike.explore.tracing import sequence_text
from unlike.heap import Walker
from unlike.invariants.fields import FieldTable
from unlike.invariants.result import Structures
from unlike.invariants.structure import Content, ObjectAt, Record, Structure, breadth_first, recipe_of_structure
from unlike.invariants.verbs import INVARIANT, structures
from unlike.recipe import run
from unlike.scope import Limits, Scope, scope_of
from unlike.suite import Case, Status

MOST_COMPARED = 2_000_000  # structures
SHOWN = 3  # rejected objects


@dataclass(frozen=True, slots=True)
class Rejected:
    """An object that the API builds and the invariant rejects."""

    case: Case
    reason: str

    @property
    def sequence(self) -> str:
        """The shortest sequence of calls that builds it."""
        return sequence_text(self.case.recipe)


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
    listed: bool = field(default=True)

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


def compare(
    cls: type,
    scope: int | Scope = 3,
    *,
    invariant: str | Callable[[Any], object] = INVARIANT,
    objects: Mapping[str, int] | None = None,
    literals: Mapping[str, Sequence[object]] | None = None,
    elements: int | None = None,
    fields: Mapping[str, object] | None = None,
    methods: str | None = None,
    timeout: float | None = None,
    in_process: bool = False,
) -> Comparison:
    """Compare what the methods of a class build with what its invariant accepts, within the same scope."""
    bounds = scope_of(scope, objects=objects, literals=literals, elements=elements)
    found = structures(cls, bounds, invariant=invariant, fields=fields, timeout=timeout, in_process=in_process)
    if found.count > MOST_COMPARED:
        raise ScopeError(f"{found.count:,} structures are too many to be compared one by one; use a smaller scope")
    explored = _explored(cls, bounds, found.invariant, methods, timeout)
    walker = heap.walker(Limits(dict_order=False))
    built = _Objects(explored, walker, found)
    left = [each for each in _every(found) if walker.walk(run(recipe_of_structure(each))) not in built.keys]
    missing, larger = left, 0
    if left and not explored.status.cut_short:
        missing = _not_through_larger(
            left, walker, found, lambda: _larger(cls, bounds, found.invariant, methods, timeout)
        )
        larger = len(left) - len(missing)
    gaps = grouped(missing, Built(built.structures)) if missing else []
    return Comparison(
        cls, found.invariant, bounds, explored.states, found.count, tuple(built.rejected), len(missing), tuple(gaps),
        larger, explored.status, found.status, tuple(found.notes),
    )  # fmt: skip


def _explored(cls: type, bounds: Scope, invariant: str, methods: str | None, timeout: float | None) -> Result:
    kept = methods if methods is not None else f"(?!{invariant}$).*"
    return explore(cls, scope=bounds, methods=kept, dict_order=False, timeout=timeout)


def _larger(cls: type, bounds: Scope, invariant: str, methods: str | None, timeout: float | None) -> Result:
    """Explore with one object and one element more, and the same values."""
    roomier = replace(
        bounds,
        objects=bounds.objects + 1,
        objects_of={name: most + 1 for name, most in bounds.objects_of.items()},
        elements=bounds.most_elements + 1,
        ints=bounds.most_ints,
    )
    return _explored(cls, roomier, invariant, methods, timeout)


def _every(found: Structures) -> list[Structure]:
    every = found.structures
    return [each for index in range(every.count()) if isinstance(each := every.at(index), Structure)]


def _not_through_larger(
    left: list[Structure], walker: Walker, found: Structures, explored: Callable[[], Result]
) -> list[Structure]:
    """Return the structures that no larger exploration builds, either."""
    larger = explored()
    keys = {walker.walk(case.value) for case in larger.suite}
    return [each for each in left if walker.walk(run(recipe_of_structure(each))) not in keys]


class _Objects:
    """The objects that the API builds: what tells them apart, those rejected, and all of them as structures."""

    def __init__(self, explored: Result, walker: Walker, found: Structures) -> None:
        self.keys: set[object] = set()
        self.rejected: list[Rejected] = []
        self.structures: list[Structure] = []
        for case in explored.suite:
            thing = case.value
            self.keys.add(walker.walk(thing))
            reason = _verdict(found.check, case.value)
            if reason:
                self.rejected.append(Rejected(case, reason))
                continue
            structure = structure_of(thing, found.table)
            if structure is not None:
                self.structures.append(structure)
        self.rejected.sort(key=lambda each: len(each.case.recipe.steps))


def _verdict(check: Callable[[Any], object], thing: Any) -> str:
    """Return why the invariant rejects an object, or nothing."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        try:
            return "" if check(thing) else "returned False"
        except Exception as error:
            return f"raised {type(error).__name__}: {error}"


def structure_of(thing: Any, table: FieldTable) -> Structure | None:
    """Return an object as a structure over the fields of the table; nothing if it holds what no field has."""
    fields = {each.cls: [f.name for f in each.fields] for each in table.classes}
    order, numbers = [thing], {id(thing): 0}

    def seen(value: Any) -> Any:
        if type(value) in fields:
            if id(value) not in numbers:
                numbers[id(value)] = len(order)
                order.append(value)
            return ObjectAt(numbers[id(value)])
        match value:
            case dict():
                try:
                    pairs = sorted(value.items())
                except TypeError:
                    pairs = list(value.items())
                return Content("dict", tuple(seen(each) for pair in pairs for each in pair))
            case list() | tuple():
                return Content("list" if isinstance(value, list) else "tuple", tuple(map(seen, value)))
            case set() | frozenset():
                ordered = sorted(value, key=repr)
                return Content("set" if isinstance(value, set) else "frozenset", tuple(map(seen, ordered)))
        return value

    records = []
    for each in order:  # grows while we walk
        names = fields.get(type(each))
        if names is None or not all(hasattr(each, name) for name in names):
            return None
        records.append(Record(type(each), tuple((name, seen(getattr(each, name))) for name in names)))
    return breadth_first(records)
