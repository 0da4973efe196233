"""Inputs that no two of are equal, where one string has to stand for several branches of a cover.

Of `[ab]|a` two branches have the string `a` alone. Both are shown if something beside it can differ: a blank that no
difference speaks of, or another value that the difference does not tell from the one that is there. If nothing can, and
all inputs of such a class are listed, it is known that no input can be added; and that none is missed, if no input that
stands for one of these classes could stand for another one instead.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from unlike.core import CutShort
from unlike.errors import how_many
from unlike.language.evaluate import compile_term
from unlike.language.terms import Node, freeze
from unlike.specs import core_difference as cores
from unlike.specs.branches import cover_for
from unlike.specs.members import Component, assignment_of, components
from unlike.specs.problem import Fragment, Path, Problem, units_of
from unlike.specs.sources import Source
from unlike.suite import Ending, Status

if TYPE_CHECKING:
    from unlike.specs.plan import Planner

LISTED = 2_000  # members of a component, and combinations of them, among which others are sought
KEPT = 10_000  # inputs are kept as they are, to see which of them might stand for other classes
CLASSES = 200  # so many of them are looked at


def without_equals(source: Source[Fragment], planner: Planner) -> Source[Fragment]:
    """Return inputs without any that equals one before it: such a one is changed where no difference sees it."""
    core = planner.problem.difference
    if not any(isinstance(each, cores.Branch) for each in cores.parts_of(core)):
        return source
    telling = _Telling(planner, source)
    return Source(telling.stream(), source.words, ending=lambda: telling.ending, dear=source.dear)


@dataclass(slots=True)
class _Telling:
    planner: Planner
    source: Source[Fragment]
    given: dict[int, Fragment | None] = field(default_factory=dict)
    members: dict[str, list[Fragment]] = field(default_factory=dict)  # of each component, by its words
    ending: Ending = Ending.COMPLETE

    def stream(self) -> Iterator[Fragment]:
        missed: list[Fragment] = []
        for fragment in self.source.once():
            found: Fragment | None = fragment
            if _key(fragment) in self.given:
                others, _ = self.list_alike(fragment)
                found = next((each for each in others if _key(each) not in self.given), None)
            if found is None:
                missed.append(fragment)
                continue
            self.given[_key(found)] = found if len(self.given) < KEPT else None
            yield found
        self.ending = self.source.ending
        if missed:
            self.settle(missed)

    def settle(self, missed: Sequence[Fragment]) -> None:
        """Find out what it means that some classes are not there, as all of their inputs stand for others."""
        todo, reached, free = list(missed), set[int](), False
        for number, fragment in enumerate(todo):  # grows while we walk
            self.planner.deadline.check()
            others, whole = self.list_alike(fragment)
            if number < len(missed) and not whole:
                said = (
                    f"undecided: {how_many(len(missed), 'choice')} of branches, all of whose strings stand for others"
                )
                raise CutShort(Status(Ending.UNKNOWN, said))
            keys = {_key(each) for each in others}
            stands = [self.given.get(key) for key in keys]
            free |= not whole or None in stands or len(todo) > CLASSES
            if free and number + 1 >= len(missed):
                break
            todo += [each for each in stands if each is not None and _key(each) not in reached]
            reached |= keys
        self.ending = Ending.MAXIMAL if free else self.ending

    def list_alike(self, fragment: Fragment) -> tuple[list[Fragment], bool]:
        """Return inputs of the class that a fragment stands for, with the same choices, and whether these are all."""
        problem = self.planner.problem
        sights = _sights(problem.difference, fragment)
        if sights is None:
            return [], False
        lists, whole = list[list[Fragment]](), True
        for part in components(problem.units, problem.assertions):
            listed = self.list_members(part)
            whole &= bool(listed)
            listed = listed or [{path: fragment[path] for path in part.units}]
            # what is seen of several components at once may stay the same if several of them change
            whole &= all(about <= set(part.units) or about.isdisjoint(part.units) for about in _spoken(sights, problem))
            lists.append([member for member in listed if _looks_same(fragment | member, sights)])
        found = []
        for chosen in itertools.islice(itertools.product(*lists), LISTED):
            together = dict(fragment)
            for member in chosen:
                together |= member
            if _looks_same(together, sights):
                found.append(together)
        return found, whole and math.prod(map(len, lists)) <= LISTED

    def list_members(self, part: Component) -> list[Fragment]:
        """Return all members of a component; none if they are too many, or cannot be listed without a solver."""
        if part.words not in self.members:
            quiet = replace(self.planner, lines=[])
            source = quiet.members(part) or quiet.find_exactly(cores.Everything(), [part])
            few = source is not None and source.size(LISTED + 1) <= LISTED and source.cut is None
            self.members[part.words] = list(source) if few and source is not None else []
        return self.members[part.words]


def _key(fragment: Fragment) -> int:
    """Return what tells inputs apart, short enough to be kept for a million of them."""
    values = [(path, freeze(value)) for path, value in fragment.items() if isinstance(path, tuple)]
    return hash(frozenset(values))


@dataclass(frozen=True, slots=True)
class _Sight:
    """A term that a difference looks at, and what it must be for an input to stand for a class."""

    term: Node
    view: Callable[[dict[str, object]], object]
    fits: Callable[[object], bool]


def _sights(core: cores.Core, fragment: Fragment) -> list[_Sight] | None:
    """Return what an input shows that stands for the same class as a fragment; nothing if that cannot be said."""
    found: list[_Sight] = []
    before = assignment_of(fragment)
    for inner in cores.parts_of(core):
        match inner:
            case cores.Key(term):
                found.append(_same_value(term, before))
            case cores.Branch(number, term) if number in fragment:
                takes = functools.partial(cover_for(inner).derives, fragment[number])  # type: ignore[arg-type]
                found.append(_Sight(term, compile_term(term), takes))
            case cores.Select(assertions=assertions):
                found += [_same_value(each, before) for each in assertions]
            case cores.Branch() | cores.Some() | cores.Nothing():
                pass
            case _:
                return None
    return found


def _same_value(term: Node, before: dict[str, object]) -> _Sight:
    view = compile_term(term)
    value = freeze(view(before))
    return _Sight(term, view, lambda other: freeze(other) == value)


def _spoken(sights: Sequence[_Sight], problem: Problem) -> list[set[Path]]:
    return [set(units_of(each.term, problem.units)) for each in sights]


def _looks_same(fragment: Fragment, sights: Sequence[_Sight]) -> bool:
    assignment = assignment_of(fragment)
    return all(each.fits(each.view(assignment)) for each in sights)
