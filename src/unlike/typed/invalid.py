"""The other verb on types: data that break one rule each, labelled with the rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import islice

from unlike.engine.elsewhere import sent_from_copy
from unlike.errors import ScopeError
from unlike.foreign import EndedError
from unlike.recipe import recipe_of
from unlike.structure.building import known_in
from unlike.structure.cover.execute import execute
from unlike.structure.cover.tree import EmptyShapeError, compiled
from unlike.structure.invalid import Broken
from unlike.structure.invalid import invalid as broken
from unlike.structure.shapes import Shape
from unlike.suite import Case, Ending, Status, Suite
from unlike.typed.generate import nothing_found, wants_a_copy
from unlike.types.choices import read_type


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


def invalid_type(
    annotation: object,
    n: int | None = None,
    *,
    timeout: float | None = None,
    depth: int = 2,
    in_process: bool = False,
) -> Suite:
    """Return data that break exactly one rule of the type each: dicts for objects, lists for items.

    The label names the place and the rule. Only rules that the type states are broken, not default bounds.
    """
    if n is not None and (type(n) is not int or n < 1):
        raise ScopeError(f"n={n!r} must be an int of at least 1; leave it out for all rules")
    read = read_type(annotation, depth=depth)

    def made() -> tuple[list[Broken], Status, str]:
        return _made(read.shape, n, timeout)

    if in_process or not wants_a_copy(read.shape, ()):
        found, status, guarantee = made()
    else:
        found, status, guarantee = _elsewhere(made, read.shape, timeout)
    return Suite(f"invalid {read.name}", InvalidCases(read.shape, found), status, guarantee)


def _elsewhere(
    made: Callable[[], tuple[list[Broken], Status, str]], shape: Shape, timeout: float | None
) -> tuple[list[Broken], Status, str]:
    """Return what a copy of this process makes; what cannot be sent from there is made here."""

    def rest(found: tuple[list[Broken], Status, str]) -> tuple[list[Broken], Status, str] | None:
        _, status, _ = found
        return ([], status, "") if status.ending is Ending.FAILED else None  # then nothing is made here

    found = sent_from_copy(made, known_in(shape), timeout=timeout, rest=rest)
    if found is None:
        return [], Status(Ending.INTERRUPTED, "stopped by the user"), ""
    return made() if found is False else found


def _made(shape: Shape, n: int | None, timeout: float | None) -> tuple[list[Broken], Status, str]:
    """Return the broken data, how the search for them ended, and what they guarantee."""
    found: list[Broken] = []
    try:
        outcome = execute(compiled(shape, "each"), "each", timeout=timeout)
        found.extend(islice(broken(shape, [row.plain for row in outcome.rows]), n))
    except EmptyShapeError as empty:
        return [], nothing_found(empty)[0], ""
    except EndedError as ended:
        return found, Status(Ending.FAILED, str(ended)), _guarantee(found)
    if outcome.ended == "failed":
        return found, Status(Ending.FAILED, outcome.failure), _guarantee(found)
    ended_by = Ending.FOUND if n is not None and len(found) == n else Ending.COMPLETE
    if not found:
        ended_by = Ending.UNSATISFIABLE
    words = "one for every rule that can be broken alone" if ended_by is Ending.COMPLETE else ""
    return found, Status(ended_by, words), _guarantee(found)


def _guarantee(found: list[Broken]) -> str:
    return f"{len(found)} inputs: each breaks the rule in its label, and fits again once that rule is dropped"
