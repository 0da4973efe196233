"""The other verb on types: data that break exactly one rule each, labelled with the rule."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Protocol, TypeVar

from unlike.core import USUAL, CutShort, Deadline, Isolation, Timeout
from unlike.errors import ScopeError, how_many
from unlike.foreign import EndedError, LateError
from unlike.isolation.copy import runs_here
from unlike.progress import report
from unlike.recipe import recipe_of
from unlike.request import Request
from unlike.specs.isolated import sent_from_copy
from unlike.structure.building import known_in, runs_foreign_code
from unlike.structure.cover.execute import execute
from unlike.structure.cover.tree import EmptyShapeError, compile_shape
from unlike.structure.invalid import Broken, Unbroken, invalid as broken, invalid_again as broken_again
from unlike.structure.shapes import Checked, Path, Shape, every
from unlike.suite import STOPPED, Case, Ending, Status, Suite, proof_of
from unlike.typed.generate import nothing_found
from unlike.typed.literals import samples_of
from unlike.types.asked_pydantic import TakenByPydantic, taken_by_pydantic
from unlike.types.choices import read_type

T = TypeVar("T")
EVERY_RULE = "one for every rule that can be broken alone"
NO_RULE = "it states no rule that could be broken"
MOST_AGAIN = 200  # valid inputs on which rules are broken once more
HALF = 0.5  # of the time goes to valid inputs, the rest to breaking them
BrokenRules = tuple[list[Broken], Status, str]  # how the search for them ended, and what they guarantee


class BrokenData(Protocol):
    """Data that break one rule; its text names the place and the rule."""

    @property
    def data(self) -> object:
        """The data."""


@dataclass(frozen=True, slots=True)
class InvalidCases:
    """The cases of data that break one rule each."""

    found: Sequence[BrokenData]
    request_of: Callable[[object], Request | None] | None = None  # of data that are requests of a service

    def count(self) -> int:
        """Return how many cases there are."""
        return len(self.found)

    def at(self, index: int) -> Case:
        """Return the case at the index."""
        each = self.found[index]
        request = self.request_of(each.data) if self.request_of is not None else None
        return Case(recipe_of(each.data), str(each), str(index), legal=False, request=request)


def invalid_type(
    annotation: object,
    n: int | None = None,
    *,
    timeout: Timeout = None,
    depth: int = 2,
    isolation: Isolation = USUAL,
    literals: Mapping[str | type, object] | None = None,
) -> Suite:
    """Return data that break exactly one rule of the type each: dicts for objects, lists for items.

    The label names the place and the rule. Only rules that the type states are broken, not default bounds; where values
    are given, they stand in data that break a rule elsewhere.
    """
    check_number(n, "rules")
    deadline = Deadline.of(timeout)
    read = read_type(annotation, depth=depth, as_data=True, literals=samples_of(literals))
    takes = taken_by_pydantic(annotation) if is_of_pydantic(annotation, read.shape) else None

    if runs_here(isolation) or not runs_foreign_code(read.shape):
        found, status, guarantee = _break_rules(read.shape, n, deadline, takes)
    else:
        found, status, guarantee = _break_elsewhere(read.shape, n, deadline, isolation, takes)
    if not found and status.ending is Ending.UNSATISFIABLE:
        status = replace(status, detail="; ".join((status.detail, *read.remarks)))
    return Suite(f"invalid {read.name}", InvalidCases(found), status, guarantee)


def is_of_pydantic(annotation: object, shape: Shape) -> bool:
    """Tell whether pydantic has the last word on a type: a class of its own, or what is under a check of it."""
    if hasattr(annotation, "__pydantic_fields__"):
        return True
    checks = [check.function for each in every(shape) if isinstance(each, Checked) for check in each.checks]
    return any(isinstance(each, TakenByPydantic) for each in checks)


def check_number(n: object, of: str) -> None:
    """Refuse what is no number of inputs."""
    if n is not None and (type(n) is not int or n < 1):
        raise ScopeError(f"n={n!r} must be an int of at least 1; leave it out for all {of}")


def _break_elsewhere(
    shape: Shape, n: int | None, deadline: Deadline, isolation: Isolation, takes: TakenByPydantic | None
) -> BrokenRules:
    """Return what a copy of this process makes; what cannot be sent from there is made here."""

    def make() -> BrokenRules:
        return _break_rules(shape, n, deadline, takes)

    def rest(found: BrokenRules) -> BrokenRules | None:
        _, status, _ = found
        return ([], status, "") if status.ending is Ending.FAILED else None  # then nothing is made here

    found = sent_from_copy(make, known_in(shape), deadline=deadline, rest=rest, isolation=isolation)
    if found is None:
        return [], STOPPED, ""
    return make() if found is False else found


def _break_rules(shape: Shape, n: int | None, deadline: Deadline, takes: TakenByPydantic | None) -> BrokenRules:
    """Return the broken data, how the search for them ended, and what they guarantee."""
    found: list[Broken] = []
    taken: list[str] = []
    try:
        outcome = execute(compile_shape(shape, "each"), "each", deadline=deadline.part(HALF))
        for each in deadline.each(broken(shape, [row.plain for row in outcome.rows], takes)):
            if isinstance(each, Unbroken):
                taken.append(f"cannot break {each.label}: {each.data!r} is taken")
                continue
            found.append(each)
            report("breaking rules", len(found), of=n)
    except EmptyShapeError as empty:
        return [], nothing_found(empty)[0], ""
    except CutShort as cut:
        return found, cut.status, _guarantee(found)
    except EndedError as ended:
        status = deadline.status() if isinstance(ended, LateError) else Status(Ending.FAILED, str(ended))
        return found, status, _guarantee(found)
    found = spread_over_places(found, lambda each: (each.path, each.rule))
    if n is not None and len(found) < n and outcome.ended is not Ending.FAILED:
        found = _break_again(shape, found, n, deadline, takes)
    found = found[:n]
    if outcome.ended is Ending.FAILED:
        return found, Status(Ending.FAILED, outcome.failure), _guarantee(found)
    status = proof_of(EVERY_RULE)
    if not found:
        status = Status(Ending.UNSATISFIABLE, NO_RULE)
    elif len(found) == n:
        status = Status(Ending.FOUND)
    if n is None and (unbroken := [*_unbroken(shape, found), *taken]):
        status = replace(status, detail="; ".join((status.detail, *unbroken)))
    return found, status, _guarantee(found)


def _break_again(
    shape: Shape, found: list[Broken], n: int, deadline: Deadline, takes: TakenByPydantic | None
) -> list[Broken]:
    """Return what was found, with data that break the same rules on other valid inputs, up to n if possible."""
    known, found = {repr(each.data) for each in found}, [*found]
    if not found:
        return found
    with contextlib.suppress(CutShort, EndedError):  # each rule is broken once: what follows is more than was promised
        more = execute(compile_shape(shape, "each"), "each", MOST_AGAIN, deadline=deadline.part(HALF))
        for again in deadline.each(broken_again(shape, [row.plain for row in more.rows], takes)):
            fresh: dict[str, Broken] = {}
            for each in again:
                if (shown := repr(each.data)) not in known:
                    fresh.setdefault(shown, each)
            known |= set(fresh)
            found += spread_over_places(list(fresh.values()), lambda each: (each.path, each.rule))
            if len(found) >= n:
                break
    return found


def spread_over_places(found: Sequence[T], about: Callable[[T], tuple[Path, str]]) -> list[T]:
    """Return all that was found, so that every beginning shows many places and many rules.

    Each time the place comes that was shown least, and there the rule that was broken least anywhere.
    """
    waiting: dict[Path, list[tuple[str, T]]] = {}
    for each in found:
        path, rule = about(each)
        waiting.setdefault(path, []).append((rule, each))
    broken: Counter[str] = Counter()
    ordered: list[T] = []
    while waiting:
        for path, rules in list(waiting.items()):  # one of each place
            at = min(range(len(rules)), key=lambda index: broken[rules[index][0]])
            rule, each = rules.pop(at)
            broken[rule] += 1
            ordered.append(each)
            if not rules:
                del waiting[path]
    return ordered


def _unbroken(shape: Shape, found: list[Broken]) -> list[str]:
    """Return the predicates that no value was found to break, in words."""
    labels = [str(each) for each in found]
    checks = [
        check
        for each in every(shape)
        if isinstance(each, Checked)
        for check in each.checks
        if not check.again or check.examples
    ]
    names = dict.fromkeys(check.name for check in checks)
    return [f"no value was found that breaks {name}" for name in names if not any(name in label for label in labels)]


def _guarantee(found: list[Broken]) -> str:
    return (
        f"{how_many(len(found), 'input')}: each breaks the rule in its label, and fits again once that rule is dropped"
    )
