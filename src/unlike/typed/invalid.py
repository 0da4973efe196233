"""The other verb on types: data that break one rule each, labelled with the rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from unlike.core import USUAL, CutShort, Deadline, Isolation, Timeout
from unlike.errors import ScopeError
from unlike.foreign import EndedError, LateError
from unlike.isolation import runs_here
from unlike.progress import report
from unlike.recipe import recipe_of
from unlike.specs.isolated import sent_from_copy
from unlike.structure.building import known_in
from unlike.structure.cover.execute import execute
from unlike.structure.cover.tree import EmptyShapeError, compile_shape
from unlike.structure.invalid import Broken
from unlike.structure.invalid import invalid as broken
from unlike.structure.shapes import Checked, Shape, every
from unlike.suite import STOPPED, Case, Ending, Status, Suite, proved
from unlike.typed.generate import nothing_found, runs_user_code
from unlike.types.choices import read_type

EVERY_RULE = "one for every rule that can be broken alone"
NO_RULE = "it states no rule that could be broken"
HALF = 0.5  # of the time goes to valid inputs, the rest to breaking them


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
    timeout: Timeout = None,
    depth: int = 2,
    isolation: Isolation = USUAL,
) -> Suite:
    """Return data that break exactly one rule of the type each: dicts for objects, lists for items.

    The label names the place and the rule. Only rules that the type states are broken, not default bounds.
    """
    if n is not None and (type(n) is not int or n < 1):
        raise ScopeError(f"n={n!r} must be an int of at least 1; leave it out for all rules")
    deadline = Deadline.of(timeout)
    read = read_type(annotation, depth=depth)

    def made() -> tuple[list[Broken], Status, str]:
        return _made(read.shape, n, deadline)

    if runs_here(isolation) or not runs_user_code(read.shape, ()):
        found, status, guarantee = made()
    else:
        found, status, guarantee = _elsewhere(made, read.shape, deadline, isolation)
    if not found and status.ending is Ending.UNSATISFIABLE:
        status = replace(status, detail="; ".join((status.detail, *read.remarks)))
    return Suite(f"invalid {read.name}", InvalidCases(read.shape, found), status, guarantee)


def _elsewhere(
    made: Callable[[], tuple[list[Broken], Status, str]], shape: Shape, deadline: Deadline, isolation: Isolation
) -> tuple[list[Broken], Status, str]:
    """Return what a copy of this process makes; what cannot be sent from there is made here."""

    def rest(found: tuple[list[Broken], Status, str]) -> tuple[list[Broken], Status, str] | None:
        _, status, _ = found
        return ([], status, "") if status.ending is Ending.FAILED else None  # then nothing is made here

    found = sent_from_copy(made, known_in(shape), deadline=deadline, rest=rest, isolation=isolation)
    if found is None:
        return [], STOPPED, ""
    return made() if found is False else found


def _made(shape: Shape, n: int | None, deadline: Deadline) -> tuple[list[Broken], Status, str]:
    """Return the broken data, how the search for them ended, and what they guarantee."""
    found: list[Broken] = []
    try:
        outcome = execute(compile_shape(shape, "each"), "each", deadline=deadline.part(HALF))
        for each in islice(deadline.each(broken(shape, [row.plain for row in outcome.rows])), n):
            found.append(each)
            report("breaking rules", len(found), of=n)
    except EmptyShapeError as empty:
        return [], nothing_found(empty)[0], ""
    except CutShort as cut:
        return found, cut.status, _guarantee(found)
    except EndedError as ended:
        status = deadline.status() if isinstance(ended, LateError) else Status(Ending.FAILED, str(ended))
        return found, status, _guarantee(found)
    if outcome.ended is Ending.FAILED:
        return found, Status(Ending.FAILED, outcome.failure), _guarantee(found)
    status = proved(EVERY_RULE)
    if not found:
        status = Status(Ending.UNSATISFIABLE, NO_RULE)
    elif len(found) == n:
        status = Status(Ending.FOUND)
    if n is None and (unbroken := _unbroken(shape, found)):
        status = replace(status, detail="; ".join((status.detail, *unbroken)))
    return found, status, _guarantee(found)


def _unbroken(shape: Shape, found: list[Broken]) -> list[str]:
    """Return the predicates that no value was found to break, in words."""
    labels = [str(each) for each in found]
    checks = [check for each in every(shape) if isinstance(each, Checked) for check in each.checks if not check.again]
    names = dict.fromkeys(check.name for check in checks)
    return [f"no value was found that breaks {name}" for name in names if not any(name in label for label in labels)]


def _guarantee(found: list[Broken]) -> str:
    return f"{len(found)} inputs: each breaks the rule in its label, and fits again once that rule is dropped"
