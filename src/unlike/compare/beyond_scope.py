"""Structures that a scope accepts and does not build, looked for beyond it: with more room on the way, and more values.

A history of three undone steps needs six done ones; a flag for an empty name needs the empty name. So larger and larger
explorations are made until nothing is missing, until one holds nothing that a smaller one did not, or until a counted
number of objects was looked at. What was looked at is said: nobody knows what lies beyond it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from unlike.classes.result import Result
from unlike.errors import ScopeError, how_many
from unlike.invariants.structure import Structure, build_structure
from unlike.observe.mentions import mentions_of
from unlike.scope import Scope
from unlike.suite import Ending
from unlike.types.first_values import first_values
from unlike.types.tree import PlainType

MOST_ROOM = 6  # objects and elements more than the scope has, on the way
MOST_OBJECTS = 20_000  # looked at in all of these explorations together
MOST_CALLS = 200_000  # the same; how many objects that are is told by how many calls each took so far
MOST_MENTIONED = 3  # values of a type that the source of the class mentions
SHOWN = 8  # values of a pool, in words

# how much more room, and whether more values: nearest first
STEPS = [(1, False), *(step for room in range(MOST_ROOM - 1) for step in ((room, True), (room + 2, False)))]

Explore = Callable[[Scope, int], Result]


@dataclass(frozen=True, slots=True)
class LookedAt:
    """An exploration beyond the scope: what was passed, how many objects it met, and whether these were all."""

    scope: Scope
    values: tuple[object, ...]  # ints and texts, beside those of other types
    objects: int
    is_complete: bool
    is_closed: bool  # nothing was outside it: with these values no larger object exists

    def __str__(self) -> str:
        shown = ", ".join(map(repr, self.values[:SHOWN])) + ("" if len(self.values) <= SHOWN else ", …")
        passed = f" from {shown}" if shown else ""
        if self.is_closed:
            return f"at any size{passed}"
        room = f"within {self.scope.objects} objects per class and {self.scope.most_elements} elements{passed}"
        return room if self.is_complete else f"{room} (the first {how_many(self.objects, 'object')} of it)"


@dataclass(slots=True)
class BeyondScope:
    """What is built beyond the scope, and what is not."""

    missing: list[Structure]
    built: list[Structure] = field(default_factory=list)
    looked_at: list[LookedAt] = field(default_factory=list)

    @property
    def bound(self) -> str:
        """Within what nothing builds the missing structures, in words."""
        whole = [each for each in self.looked_at if each.is_complete] or self.looked_at
        kept = [each for each in whole if not any(_covers(other, each) for other in whole)]
        return ", nor ".join(map(str, kept))


def look_beyond(missing: Sequence[Structure], within: Result, bounds: Scope, explore: Explore) -> BeyondScope:
    """Look for structures in explorations beyond the scope; `explore` takes a scope and the most objects to look at."""
    found, cls, last = BeyondScope(list(missing)), within.api.classes[0], within
    objects, calls = MOST_OBJECTS, MOST_CALLS
    ended: dict[bool, bool] = {}  # with more values or not: nothing larger is worth a look
    for room, more_values in _steps(bounds):
        most = min(objects, calls * len(last.search.frontier) // max(last.calls, 1))
        if not found.missing or most <= 0:
            break
        if ended.get(more_values):
            continue
        scope = widen_scope(bounds, room, _more_values(cls, bounds) if more_values else {})
        last = explored = explore(scope, most)
        if explored.status.ending is Ending.INTERRUPTED:
            raise KeyboardInterrupt
        looked = _look_at(explored, scope)
        objects, calls = objects - len(explored.search.frontier), calls - explored.calls
        found.looked_at.append(looked)
        _take_built(found, explored)
        ended[more_values] = looked.is_closed or not looked.is_complete
        if not looked.values:  # neither ints nor texts are passed
            ended[True] = True
        if explored.status.ending is Ending.TIMEOUT:
            break
    return found


def _steps(bounds: Scope) -> Iterator[tuple[int, bool]]:
    """Yield the explorations to make; sequences that are as long as they may be need no room."""
    yield from STEPS if bounds.calls is None else STEPS[:4]


def _look_at(explored: Result, scope: Scope) -> LookedAt:
    values = (*scope.literals.get("int", ()), *scope.literals.get("str", ()))
    is_complete = not explored.status.cut_short
    taken = {type(value) for template in explored.api.templates for value in _values_passed(template)}
    passed = tuple(value for value in values if type(value) in taken)
    return LookedAt(scope, passed, explored.states, is_complete, is_complete and not explored.outside)


def _values_passed(template: Any) -> Iterator[object]:
    yield from template.args
    yield from dict(template.kwargs).values()


def _covers(one: LookedAt, other: LookedAt) -> bool:
    """Tell whether nothing needs to be said of the other exploration."""
    if one is other or not one.is_complete or not {*map(repr, one.values)} >= {*map(repr, other.values)}:
        return False
    roomier = one.is_closed or (one.scope.objects >= other.scope.objects and not other.is_closed)
    return roomier and (one.scope, one.is_complete) != (other.scope, other.is_complete)


def _take_built(found: BeyondScope, explored: Result) -> None:
    """Take those that are built from those that are missing; each is replayed before it is called built."""
    frontier = explored.search.frontier
    places: dict[object, int] = {frontier.key(number): place for place, number in enumerate(explored.numbers)}
    met = [places.get(frontier.walker.walk(build_structure(each))) for each in found.missing]
    chosen = [place for place in met if place is not None]
    if not chosen:
        return
    suite = explored.only(chosen, "found beyond the scope").suite
    replayed = {case.recipe for case in suite}
    recipes = {place: frontier.trace.recipe(explored.numbers[place]) for place in chosen}
    is_built = [place is not None and recipes[place] in replayed for place in met]
    found.built += [each for each, there in zip(found.missing, is_built, strict=True) if there]
    found.missing = [each for each, there in zip(found.missing, is_built, strict=True) if not there]


# -- more room, more values -----------------------------------------------------------------------------------


def widen_scope(bounds: Scope, room: int, literals: dict[str, list[object]]) -> Scope:
    """Return the scope with so many objects and elements more, the same values as before, and those given."""
    usual = {kind.__name__: _usual(kind, bounds) for kind in (int, str)}
    return replace(
        bounds,
        objects=bounds.objects + room,
        objects_of={name: most + room for name, most in bounds.objects_of.items()},
        elements=bounds.most_elements + room,
        ints=bounds.most_ints,
        literals={**usual, **bounds.literals, **literals},
    )


def _usual(kind: type, bounds: Scope) -> list[object]:
    """Return the values of a type that the scope passes."""
    given = bounds.literals.get(kind.__name__)
    if isinstance(given, list | tuple | range):
        return [each for each in given if type(each) is kind]
    found = first_values(PlainType(kind), bounds.most_ints)
    return list(found.values) if found else []


def _more_values(cls: type, bounds: Scope) -> dict[str, list[object]]:
    """Return the ints and texts of the scope, with those beside them and those that the class mentions."""
    try:
        mentioned = mentions_of([cls], own_only=True)
        numbers, texts = list(mentioned.numbers), list(mentioned.texts)
    except (OSError, TypeError, ScopeError):  # a class without source
        numbers, texts = [], []
    ints = [each for each in _usual(int, bounds) if isinstance(each, int)]
    beside: list[object] = [max(ints, default=-1) + 1, min(ints, default=0) - 1]
    own = [each for each in numbers if type(each) is int and abs(each) <= 100][:MOST_MENTIONED]
    return {
        "int": list(dict.fromkeys([*ints, *beside, *own])),
        "str": list(dict.fromkeys([*_usual(str, bounds), "", *texts[:MOST_MENTIONED]])),
    }
