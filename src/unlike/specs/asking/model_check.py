"""A solver's model is looked at before it is taken, in plain Python: bounds, assertions, difference from all before.

What breaks the spec is no answer, whoever gave it: then the next solver is asked.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TypeAlias

from unlike.language.terms import frozen
from unlike.language.values import belongs
from unlike.specs import members as spaces
from unlike.specs.core_difference import Core, Select, chosen, parts_of
from unlike.specs.members import Component
from unlike.specs.problem import Fragment, Problem
from unlike.specs.verify import related

Doubt: TypeAlias = Callable[[Fragment, Sequence[dict[str, object]]], bool]


def same(one: Mapping[str, object], two: Mapping[str, object], names: Iterable[str]) -> bool:
    """Tell whether two assignments have equal values of these names; True is not 1."""
    return all(frozen(one[name]) == frozen(two[name]) for name in names)


def doubter(part: Component, core: Core, problem: Problem) -> Doubt:
    """Return what tells whether a fragment breaks the spec, or is alike one of those found before."""
    holds = spaces.checker([*(each.node for each in part.assertions), chosen(core)], "an assertion")
    different = related(core, problem)
    names = {path[0] for path in part.units}
    arities = {each.number: len(each.parts) for each in parts_of(core) if isinstance(each, Select)}

    def breaks(fragment: Fragment, found: Sequence[dict[str, object]]) -> bool:
        if not all(belongs(unit.value, fragment[path]) for path, unit in part.units.items()):
            return True
        if not all(fragment[number] in range(arity) for number, arity in arities.items()):
            return True
        new = spaces.assignment_of(fragment)
        if not holds(new):
            return True
        return any(same(new, old, names) or not different(new, old) for old in found)

    return breaks
