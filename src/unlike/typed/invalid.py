"""The other verb on types: data that break one rule each, labelled with the rule."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import islice

from unlike.errors import ScopeError
from unlike.formats.python_types.annotations import read_type
from unlike.recipe import recipe_of
from unlike.structure.cover.execute import execute
from unlike.structure.cover.tree import EmptyShapeError, compiled
from unlike.structure.invalid import Broken
from unlike.structure.invalid import invalid as broken
from unlike.structure.shapes import Shape
from unlike.suite import Case, Ending, Status, Suite


@dataclass(frozen=True, slots=True)
class InvalidCases:
    """The cases of invalid data, with the shape that takes each of them once its rule is dropped."""

    shape: Shape
    found: Sequence[Broken]

    def count(self) -> int:
        """Return how many cases there are."""
        return len(self.found)

    def at(self, index: int) -> Case:
        """Return the case at the index."""
        each = self.found[index]
        return Case(recipe_of(each.data), str(each), str(index))


def invalid_type(annotation: object, n: int | None = None, *, timeout: float | None = None, depth: int = 2) -> Suite:
    """Return data that break exactly one rule of the type each: dicts for objects, lists for items.

    The label names the place and the rule. Only rules that the type states are broken, not default bounds.
    """
    if n is not None and (type(n) is not int or n < 1):
        raise ScopeError(f"n={n!r} must be an int of at least 1; leave it out for all rules")
    read = read_type(annotation, depth=depth)
    try:
        tree = compiled(read.shape, "each")
    except EmptyShapeError as empty:
        status = Status(Ending.UNSATISFIABLE, str(empty), (str(empty),))
        return Suite(f"invalid {read.name}", InvalidCases(read.shape, ()), status)
    outcome = execute(tree, "each", timeout=timeout)
    found = list(islice(broken(read.shape, [row.plain for row in outcome.rows]), n))
    ended = Ending.FOUND if n is not None and len(found) == n else Ending.COMPLETE
    if not found:
        ended = Ending.UNSATISFIABLE
    status = Status(ended, "one for every rule that can be broken alone" if ended is Ending.COMPLETE else "")
    guarantee = f"{len(found)} inputs: each breaks the rule in its label, and fits again once that rule is dropped"
    return Suite(f"invalid {read.name}", InvalidCases(read.shape, found), status, guarantee)
