"""Every feasible value of every field, in a handful of structures.

`fields` gives a FieldSuiteResult: a small suite of structures that an invariant accepts, in which every value that a
field of an object can have at all is seen at least once; and for each other value the proof that there is none, or the
word that it was not proved.
"""

from __future__ import annotations

import contextlib
import dataclasses
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal, TypeAlias, Unpack

from unlike.core import Bounds, CutShort, Deadline, InvariantKeywords, Isolation, TimeLimit
from unlike.core.question import NEEDED_FROM_ZERO
from unlike.core.settings import Settings, record_of, setting, takes
from unlike.covering_arrays import choose_few, choose_fewest, count_needed
from unlike.errors import InvariantError, ScopeError, SolverError, TargetError
from unlike.field_exhaustive.by_clauses import MiscompiledError, Shown, Wish, covered_by_clauses, holds
from unlike.field_exhaustive.pairs import Pair, open_pairs, pairs_of, wanted_fields
from unlike.field_exhaustive.projected import cover_blocks, needed_at_least
from unlike.field_exhaustive.result import Coverage, FieldSuiteResult, coverage_of, status_of
from unlike.invariants.compile.compiling import Numbering, compile_invariant, open_scope
from unlike.invariants.compile.values import UnsupportedError
from unlike.invariants.fields.domains import FieldTable
from unlike.invariants.fields.table import check_literals, fields_of
from unlike.invariants.search.engine import Order
from unlike.invariants.search_in_copy import SearchAnswer, find
from unlike.invariants.structure import Structure, build_structure
from unlike.invariants.verbs import INVARIANT, OTHERWISE, invariant_of, refuse_unusable, unsteady_words
from unlike.scope import Scope
from unlike.suite import Ending, Status, Suite

Engine: TypeAlias = Literal["auto", "clauses", "search"]

MOST_RUNS = 3_000_000  # runs of the invariant
MOST_LISTED = 20_000  # structures whose pairs are looked at one by one; of more, block by block
MOST_STRUCTURES = 300_000  # that are listed where that is asked for, or where blocks have to be listed
HALF = 0.5  # of the time goes to the comparison, at most; and to the search, the rest to looking at what it found
LISTED_LATE = 20  # objects of a class, up to which all pairs are listed in a blink
CHECKED = 4  # the largest scope at which clauses and search are compared
CHECKED_STRUCTURES = 2_000  # of one scope, which are compared one by one; with more, a smaller scope is compared
CHECKED_RUNS = 100_000  # of the invariant, for all of that


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
    check_literals(bounds.literals, table)
    only, engine = tuple(choice.only), choice.engine
    wanted = wanted_fields(table, only)
    wish = Wish(table, function, name, choice.numbering, wanted, choice.smallest, choice.questions, deadline, limits)
    reason, remedy = "engine='search' was asked for", ""
    if engine != "search":
        try:
            return _by_clauses(wish, only, choice, bounds.fields)
        except UnsupportedError as error:
            reason = f"outside the subset that becomes clauses: {error}"
        except CutShort:
            if engine == "clauses" or deadline.is_over():
                return _nothing_in_time(wish, only)
            reason = "the invariant was not compiled in time"
        except MiscompiledError as error:
            reason = f"the clauses are not trusted: {error}"
        except SolverError as error:  # python-sat is not there
            if engine == "clauses":
                raise
            reason = remedy = str(error)
        if engine == "clauses":
            raise InvariantError(f"{cls.__name__}.{name} does not become clauses: {reason}")
    found = _by_search(wish, only, reason)
    return _with_remedy(found, remedy) if remedy and found.status.cut_short else found


def _with_remedy(found: FieldSuiteResult, remedy: str) -> FieldSuiteResult:
    return replace(found, status=replace(found.status, detail="; ".join(filter(None, (found.status.detail, remedy)))))


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
    if invariant == INVARIANT and plain and not (hasattr(target, INVARIANT) or hasattr(target, OTHERWISE)):
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


def _by_clauses(wish: Wish, only: tuple[str, ...], choice: FieldChoice, given: Any) -> FieldSuiteResult:
    """Return the result by clauses; where the search may answer instead, compiling leaves it some of the time."""
    checked = "they were not compared with anything"
    if choice.check:
        checked = compare_with_search(wish, given)
    cover, refuted = covered_by_clauses(wish, share=1.0 if choice.engine == "clauses" else HALF)
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


# -- a suite from the search, for invariants that do not become clauses; and the check of those that do -------
#
# If the search comes to its end, every pair that no structure shows is infeasible, and that is proved. If it is cut
# short, such pairs stay undecided.


def covered_by_search(wish: Wish) -> tuple[list[Shown], Status | None, int]:
    """Return a few structures that show every pair that the search saw, how it was cut short, and how many it takes."""
    half = wish.deadline.part(HALF)
    order = Order(wish.table, wish.invariant, deadline=half, most_runs=MOST_RUNS, isolation=wish.isolation)
    found = find(replace(order, backwards=True))
    refuse_unusable(found, wish.name)
    if found.count > (MOST_STRUCTURES if wish.smallest else MOST_LISTED):
        return _cover_by_blocks(found, wish)
    cut, shown = _cut(found), list[Shown]()
    everything: list[Shown] = []
    known: set[Pair] = set()
    try:
        for structure in wish.deadline.each(_structures(found)):
            pairs = frozenset(pairs_of(structure, wish.numbering, wish.wanted))
            everything.append(Shown(structure, pairs))
            if not pairs <= known or not shown:
                known |= pairs
                shown.append(everything[-1])
    except CutShort as late:
        cut = Status(late.status.ending, f"{len(everything):,} of {found.count:,} structures were looked at")
    few, bound = _choose(shown, everything, wish, is_complete=cut is None)
    if not all(holds(wish.invariant, build_structure(each.structure)) for each in few):
        raise InvariantError(unsteady_words(wish.name))
    return few, cut, bound


def _cover_by_blocks(found: SearchAnswer, wish: Wish) -> tuple[list[Shown], Status | None, int]:
    """Return the same where there are too many structures to list them: each block is read off its zone."""
    cut, shown = _cut(found), list[Shown]()
    try:
        if not cover_blocks(found.blocks, wish, shown.append, MOST_STRUCTURES):
            cut = Status(Ending.UNKNOWN, f"of {found.count:,} structures not all could be looked at")
    except CutShort as late:
        cut = Status(late.status.ending, f"not all of {found.count:,} structures were looked at")
    few = [shown[place] for place in choose_few([each.pairs for each in shown])]
    if not all(holds(wish.invariant, build_structure(each.structure)) for each in few):
        raise InvariantError(unsteady_words(wish.name))
    pairs = list(frozenset[Pair]().union(*(each.pairs for each in shown)))
    return few, cut, needed_at_least(pairs, wish.table)


def _choose(shown: list[Shown], everything: list[Shown], wish: Wish, *, is_complete: bool) -> tuple[list[Shown], int]:
    """Return a few structures that show all, and how many it takes at least; where some are not known, that is one."""
    few = [shown[place] for place in choose_few([each.pairs for each in shown])]
    bound = min(1, len(few))
    with contextlib.suppress(CutShort):
        if is_complete:
            bound = count_needed([each.pairs for each in everything], wish.deadline)
        if wish.smallest and len(few) > bound:
            places, is_fewest = choose_fewest([each.pairs for each in everything], wish.questions, wish.deadline)
            few = [everything[place] for place in places] if len(places) < len(few) else few
            bound = len(few) if is_fewest and is_complete else bound
    return few, bound


def _structures(found: SearchAnswer) -> Iterator[Structure]:
    """Yield the structures found, from each block in turn, so that all blocks are seen where there are too many."""
    blocks, index = found.blocks, 0
    while blocks := [block for block in blocks if index < block.count()]:
        yield from (block.at(index) for block in blocks)
        index += 1


def _cut(found: SearchAnswer) -> Status | None:
    match found.ended:
        case "complete":
            return None
        case Ending() as ending:
            return Status(ending, "the search was stopped")
        case "runs":
            return Status(Ending.UNKNOWN, f"the search was stopped after {MOST_RUNS:,} runs of the invariant")
    return Status(Ending.FAILED, found.detail or found.ended)


def pairs_of_scope(table: FieldTable, wish: Wish) -> list[Pair]:
    """Return the pairs of the scope that clauses could tell of.

    There are none where the fields themselves do not compile, or where there are very many and no time is left.
    """
    too_late = wish.deadline.is_over() and table.scope.objects > LISTED_LATE
    opened = None if too_late else open_scope(table)
    if opened is None:
        return []
    pairs, refuted = open_pairs(opened, wish.wanted)
    return [*pairs, *refuted]


def compare_with_search(wish: Wish, given: Any) -> str:
    """Compare clauses and search, structure by structure, at small scopes; return what was compared, or raise."""
    compared: list[str] = []
    deadline = wish.deadline.part(HALF)
    for scope in range(1, min(wish.table.scope.objects, CHECKED) + 1):
        smaller = _smaller(wish.table.scope, scope)
        try:
            table = fields_of(wish.table.root, smaller, given=given, isolation=wish.isolation, deadline=deadline)
        except ScopeError:  # a type may have no value in so small a scope: a list of at least two
            continue
        order = Order(table, wish.invariant, most_runs=CHECKED_RUNS, deadline=deadline, isolation=wish.isolation)
        found = find(replace(order, backwards=True))
        refuse_unusable(found, wish.name)
        if found.ended != "complete" or found.count > CHECKED_STRUCTURES:
            break
        searched = set(_structures(found))
        try:
            compiled = compile_invariant(table, wish.invariant, numbering=wish.numbering, deadline=deadline)
        except CutShort:
            break
        models = list(itertools.islice(compiled.models(), CHECKED_STRUCTURES + 1))
        if set(models) != searched or len(models) != len(searched):
            raise MiscompiledError(_difference(set(models), searched, scope))
        compared.append(f"{scope} ({len(searched):,})")
    if not compared and deadline.is_over():
        return "there was no time to compare them with the search engine"
    if not compared:
        return "no scope was small enough to compare them with the search engine"
    return f"compared with the search engine at scope {', '.join(compared)}: the same structures"


def _difference(models: set[Structure], searched: set[Structure], scope: int) -> str:
    groups = models - searched, searched - models
    clauses, search = (min([(len(each.objects), str(each)) for each in group], default=None) for group in groups)
    if clauses:
        return f"at scope {scope} the clauses accept {clauses[1]}, the invariant does not"
    if search:
        return f"at scope {scope} the invariant accepts {search[1]}, the clauses do not"
    return f"at scope {scope} the clauses give a structure twice"


def _smaller(scope: Scope, objects: int) -> Scope:
    bounds = {name: min(most, objects) for name, most in scope.objects_of.items()}
    elements = None if scope.elements is None else min(scope.elements, objects)
    ints = None if scope.ints is None else min(scope.ints, objects)
    return Scope(objects, bounds, elements, ints, scope.literals, scope.calls)
