"""Every feasible value of every field, in a handful of structures.

`fields` gives a FieldSuiteResult: a small suite of structures that an invariant accepts, in which every value that a
field of an object can have at all is seen at least once; and for each other value the proof that there is none, or the
word that it was not proved.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias, Unpack

from unlike.core import Bounds, CutShort, Deadline, InvariantKeywords, Isolation, TimeLimit
from unlike.core.question import NEEDED_FROM_ZERO
from unlike.core.settings import Settings, record_of, setting, takes
from unlike.errors import InvariantError, SolverError, TargetError
from unlike.field_exhaustive.covering import MiscompiledError, Wish, covered_by_clauses
from unlike.field_exhaustive.pairs import Pair, wanted_fields
from unlike.field_exhaustive.result import Coverage, FieldSuiteResult, coverage_of, status_of
from unlike.field_exhaustive.searched import compare_with_search, covered_by_search, pairs_of_scope
from unlike.invariants.compile.compiling import Numbering
from unlike.invariants.compile.values import UnsupportedError
from unlike.invariants.fields.table import fields_of
from unlike.invariants.verbs import INVARIANT, invariant_of
from unlike.scope import Scope
from unlike.suite import Ending, Status, Suite

Engine: TypeAlias = Literal["auto", "clauses", "search"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FieldChoice(Settings):
    """Which field values a suite is to show, and how it is found."""

    only: Sequence[str] = setting((), "--only FIELD", "Only this field counts: left, Node.left (all).", kind="texts")
    smallest: bool = setting(False, "--smallest", "Go on until no smaller suite exists, or --questions are asked.")
    questions: int = setting(20_000, "--questions N", "Of the solver, for --smallest (20000).", check=NEEDED_FROM_ZERO)
    numbering: Numbering = setting(
        "breadth-first", "--numbering", "Which object is the first.", kind=("breadth-first", "depth-first")
    )
    engine: Engine = setting("auto", "--engine", "Clauses, or search (auto).", kind=("auto", "clauses", "search"))
    check: bool = setting(True)


class FieldKeywords(InvariantKeywords, total=False):
    """What `fields` takes besides its target, its scope and its invariant."""

    only: Sequence[str]
    smallest: bool
    questions: int
    numbering: Numbering
    engine: Engine
    check: bool


class FieldsKeywords(FieldKeywords, total=False):
    """What `fields` takes besides its target and its scope."""

    invariant: str | Callable[[Any], object]


@takes(Bounds, FieldChoice, TimeLimit, Isolation, without=("scope", "calls", "workers"))
def fields(
    target: object,
    scope: int | Scope = 3,
    *,
    invariant: str | Callable[[Any], object] = INVARIANT,
    **options: Unpack[FieldKeywords],
) -> FieldSuiteResult:
    """Return a small suite of valid structures that shows every feasible value of every field within the scope.

    `only` names the fields that count ("left", "Node.left"). `smallest` goes on until no smaller suite exists or so
    many `questions` were asked. With engine="auto" an invariant that does not become clauses is searched instead, and
    the result says why. `check` compares clauses and search at small scopes before anything is believed. Bounds are
    those of `unlike.structures`. A dataclass without an invariant is taken as it is: its constructor decides.
    """
    cls, function, name = _target(target, invariant)
    deadline = Deadline.of(options.get("timeout"))
    choice, limits = record_of(FieldChoice, options), record_of(Isolation, options)
    bounds = record_of(Bounds, {**options, "scope": scope})
    table = fields_of(cls, bounds.to_scope(), given=bounds.fields, isolation=limits, deadline=deadline)
    only, engine = tuple(choice.only), choice.engine
    wanted = wanted_fields(table, only)
    wish = Wish(table, function, name, choice.numbering, wanted, choice.smallest, choice.questions, deadline, limits)
    reason = "engine='search' was asked for"
    if engine != "search":
        try:
            return _by_clauses(wish, only, bounds.fields, check=choice.check)
        except UnsupportedError as error:
            reason = f"outside the subset that becomes clauses: {error}"
        except CutShort:
            return _nothing_in_time(wish, only)
        except MiscompiledError as error:
            reason = f"the clauses are not trusted: {error}"
        except SolverError as error:  # python-sat is not there
            if engine == "clauses":
                raise
            reason = str(error)
        if engine == "clauses":
            raise InvariantError(f"{cls.__name__}.{name} does not become clauses: {reason}")
    return _by_search(wish, only, reason)


def field_coverage(
    target: type, suite: Iterable[object] | Suite, scope: int | Scope = 3, **options: Unpack[FieldsKeywords]
) -> Coverage:
    """Return which percentage of the feasible field values a suite, or any objects of the class, shows, and what not.

    Options are those of `unlike.fields`.
    """
    result = fields(target, scope, **options)
    _, function, name = _target(target, options.get("invariant", INVARIANT))
    wish = Wish(result.table, function, name, result.numbering, wanted_fields(result.table, result.only))
    return coverage_of(suite, result, wish)


def _target(target: object, invariant: str | Callable[[Any], object]) -> tuple[type, Callable[[Any], object], str]:
    """Return the class, its invariant as a function, and what that is called."""
    if not isinstance(target, type):
        raise TargetError(f"fields({target!r}): give a class with an invariant, like fields(Tree, scope=10)")
    plain = dataclasses.is_dataclass(target) or hasattr(target, "__attrs_attrs__")
    if invariant == INVARIANT and plain and not hasattr(target, INVARIANT):
        checks = [name for name in ("__post_init__", "__attrs_post_init__") if hasattr(target, name)]
        return (target, constructible, "its constructor") if checks else (target, anything, "no invariant")
    function, name = invariant_of(target, invariant)
    return target, function, name


def anything(thing: object) -> bool:  # noqa: ARG001
    """Accept every object."""
    return True


def constructible(thing: Any) -> bool:
    """Accept an object whose own constructor takes its fields."""
    names = [field.name for field in dataclasses.fields(thing) if field.init]
    type(thing)(**{name: getattr(thing, name) for name in names})
    return True


def _by_clauses(wish: Wish, only: tuple[str, ...], given: Any, *, check: bool) -> FieldSuiteResult:
    checked = "they were not compared with anything"
    if check:
        checked = compare_with_search(wish, given)
    cover, refuted = covered_by_clauses(wish)
    structures = tuple(shown.structure for shown in cover.shown)
    cut = Status(cover.cut, f"{len(cover.undecided):,} pairs are not decided") if cover.cut else None
    return _result(
        wish,
        only,
        structures=structures,
        shown=frozenset(cover.covered),
        infeasible=(*refuted, *cover.refuted),
        undecided=tuple(cover.undecided),
        bound=len(cover.bound),
        checked=checked,
        status=status_of(wish.table, structures, cover.undecided, cut=cut),
    )


def _nothing_in_time(wish: Wish, only: tuple[str, ...]) -> FieldSuiteResult:
    """Return the result of a compilation that was not done in time: nothing is known of any pair."""
    undecided = tuple(pairs_of_scope(wish.table, wish))
    status = Status(Ending.TIMEOUT, "the invariant was not compiled in time")
    return _result(wish, only, undecided=undecided, checked="they were not done in time", status=status)


def _by_search(wish: Wish, only: tuple[str, ...], reason: str) -> FieldSuiteResult:

    shown, cut, bound = covered_by_search(wish)
    pairs = frozenset[Pair]().union(*(each.pairs for each in shown))
    rest = tuple(pair for pair in pairs_of_scope(wish.table, wish) if pair not in pairs)
    structures = tuple(each.structure for each in shown)
    return _result(
        wish,
        only,
        structures=structures,
        shown=pairs,
        infeasible=() if cut else rest,
        undecided=rest if cut else (),
        bound=bound,
        engine="search",
        reason=reason,
        status=status_of(wish.table, structures, (), cut=cut),
    )


def _result(wish: Wish, only: tuple[str, ...], **found: Any) -> FieldSuiteResult:
    return FieldSuiteResult(wish.table, wish.name, wish.numbering, only=only, **found)
