"""The verb: from a class with an invariant to every structure that the invariant accepts."""

from __future__ import annotations

import contextlib
import functools
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Unpack

from unlike.core import Bounds, CutShort, Deadline, InvariantKeywords, Isolation, TimeLimit
from unlike.core.settings import Settings, record_of, setting, takes
from unlike.errors import InvariantError, ScopeError, SolverError, TargetError, how_many, nearest
from unlike.indexed import Integers, Listed, Mapped, Sum, members
from unlike.invariants.fields.domains import FieldTable
from unlike.invariants.fields.table import check_literals, fields_of
from unlike.invariants.result import Structures, drop_twins, label_structures
from unlike.invariants.search.engine import Engine, Order
from unlike.invariants.search_in_copy import SearchAnswer, find
from unlike.scope import Scope, check_whole
from unlike.suite import Ending, Status

if TYPE_CHECKING:
    from unlike.invariants.compile.compiling import Compiled

INVARIANT = "rep_ok"
OTHERWISE = "invariant"  # the method that is the invariant where none is named and there is no rep_ok
FEW_RUNS = 30_000  # of a search, before a solver is asked for the shapes
SCOPE = 3  # in which the invariant is tried first, at most
HALF = 0.5  # of the time that is left, for compiling: the search answers where it takes longer
QUARTER = 0.25  # of the time that is left, for a check at one scope
MOST_RUNS = 20_000  # of the search with ints one by one; beyond it a smaller scope is taken
NEARLY_ALL = 0.8  # of the runs, in which an invariant raises
MOST_COMPARED = 3_000  # structures; beyond it only their number is compared

Verdict = Literal["alike", "differs", "containers", "random", "not compared"]


@dataclass(frozen=True, slots=True, kw_only=True)
class StructureSearch(Settings):
    """How structures are searched for, and when two are the same."""

    engine: Engine = setting("auto", "--engine", "How to search (auto).", kind=("auto", "search", "hybrid", "korat"))
    all_labels: bool = setting(False, "--all-labels", "Tell structures apart by which objects they are made of, too.")


class StructureKeywords(InvariantKeywords, total=False):
    """What `structures` takes besides its class, its scope and its invariant."""

    engine: Engine
    all_labels: bool


class StructuresKeywords(StructureKeywords, total=False):
    """What `structures` takes besides its class, as tests ask for it."""

    scope: int | Scope
    invariant: str | Callable[[Any], object]


@takes(Bounds, StructureSearch, TimeLimit, Isolation, without=("scope", "calls", "workers"))
def structures(
    cls: type,
    scope: int | Scope = 3,
    *,
    invariant: str | Callable[[Any], object] = INVARIANT,
    n: int | None = None,
    count_only: bool = False,
    **options: Unpack[StructureKeywords],
) -> Structures:
    """Return every structure that the invariant accepts within the scope, each once up to the identity of objects.

    `scope` is a number (that many objects per class, the first so many ints, at most so many elements) or a Scope;
    `objects`, `literals` (by type, class, "Class.field"), `elements` and `fields` refine it. The invariant
    is a method, by name, or a function of the object. `all_labels` tells structures apart by which objects of a pool
    they are made of, too. With `n` the search ends once it has so many; with `count_only` structures are not kept.
    """
    began = time.monotonic()
    deadline = Deadline.of(options.get("timeout"))
    check, name = invariant_of(cls, invariant)
    check_whole("n", n)
    search, limits = record_of(StructureSearch, options), record_of(Isolation, options)
    engine, all_labels = search.engine, search.all_labels
    asked = record_of(Bounds, {**options, "scope": scope})
    bounds = asked.to_scope()
    read = functools.partial(fields_of, cls, given=asked.fields, isolation=limits, deadline=deadline)
    table = read(bounds)
    _check_table(table, asked, all_labels=all_labels)
    order = Order(
        table,
        check,
        engine,
        all_labels,
        counted=count_only and not table.repeats and not all_labels and engine != "korat",
        enough=None if table.repeats else n,  # of those that were compared
        deadline=deadline,
        isolation=limits,
    )
    notes: list[str] = []
    if engine == "korat":
        found = find(replace(order, backwards=True))
    else:
        smaller = _smaller_tables(read, bounds)
        found, engine = _search_with_engine(_order_after_check(order, name, smaller, notes), smaller)
    _refuse_bad(found, name)
    _shape_blocks(found, order, engine, n)
    notes += _notes(found, name)
    return Structures(
        cls, name, table, engine, _status(found, name, table), found.count, found.seen, tuple(notes),
        time.monotonic() - began, check, all_labels, found.blocks,
    )  # fmt: skip


def _check_table(table: FieldTable, asked: Bounds, *, all_labels: bool) -> None:
    check_literals(asked.literals, table)
    if all_labels and table.repeats:
        why = (
            "sets of objects, which have no order" if table.is_unordered else "alternatives that hold equal containers"
        )
        raise ScopeError(f"{table.root.__name__} has {why}; they cannot be given labels")


def _shape_blocks(found: SearchAnswer, order: Order, engine: Engine, n: int | None) -> None:
    """Give what was found the form that was asked for: each once, with labels, no more than enough."""
    if order.table.repeats:
        every = drop_twins(found.blocks)
        found.blocks, found.count = [Listed(every)], len(every)
    if order.all_labels and engine != "korat":
        found.blocks = [label_structures(block, order.table) for block in found.blocks]
        found.count = sum(block.count() for block in found.blocks)
    if n is not None and found.count > n:
        first = Mapped(Integers(0, n - 1), Sum(found.blocks).at)
        found.blocks, found.count, found.ended = [first], n, "enough"


def _search_with_engine(order: Order, smaller: dict[int, FieldTable]) -> tuple[SearchAnswer, Engine]:
    """Search as the order says; with "auto" a solver gives the shapes once a plain search takes many runs."""
    if order.engine == "korat":
        return find(order), "korat"
    search = replace(order, engine="search")
    if order.engine == "search" or not order.symbolic:
        return find(search), "search"
    found = SearchAnswer()
    if order.engine == "auto":
        found = find(replace(search, most_runs=FEW_RUNS))
        if found.ended != "runs":
            return found, "search"
    try:
        compiled = _compile_for_hybrid(replace(search, deadline=order.deadline.part(HALF)), smaller)
    except (CutShort, KeyboardInterrupt) as end:
        if isinstance(end, CutShort) and not order.deadline.is_over():
            return find(search), "search"  # the search answers in what is left of the time
        found.ended = end.status.ending if isinstance(end, CutShort) else Ending.INTERRUPTED
        return found, "search"
    if not isinstance(compiled, str):
        found = find(replace(search, compiled=compiled))
        if found.ended != "shapeless":
            return found, "hybrid"
        compiled = "the clauses have a shape of which the invariant accepts no structure"
    if order.engine == "hybrid":
        raise InvariantError(f"the hybrid cannot be used: {compiled}; use --engine search")
    return find(search), "search"


def invariant_of(cls: type, invariant: str | Callable[[Any], object]) -> tuple[Callable[[Any], object], str]:
    """Return the invariant as a function of the object, and its name."""
    if not isinstance(invariant, str):
        if not callable(invariant):
            raise TargetError(f"invariant={invariant!r} is neither the name of a method nor a function")
        return invariant, getattr(invariant, "__name__", "the invariant")
    if invariant == INVARIANT and not hasattr(cls, INVARIANT) and callable(getattr(cls, OTHERWISE, None)):
        invariant = OTHERWISE
    found = getattr(cls, invariant, None)
    if not callable(found):
        public = [name for name in dir(cls) if not name.startswith("__") and callable(getattr(cls, name, None))]
        raise TargetError(
            f"{cls.__qualname__} has no method {invariant!r} that could be the invariant; {nearest(invariant, public)}"
        )
    return found, invariant


def _smaller_tables(read: Callable[[Scope], FieldTable], bounds: Scope) -> dict[int, FieldTable]:
    """Return the tables of the scopes in which the invariant is tried first."""
    found = {}
    for size in range(1, min(SCOPE, bounds.objects) + 1):
        with contextlib.suppress(ScopeError):  # a type may have no value in so small a scope: a list of at least two
            found[size] = read(replace(bounds, objects=size, objects_of={}))
    return found


def _order_after_check(order: Order, name: str, smaller: dict[int, FieldTable], notes: list[str]) -> Order:
    """Return the search as it should be made after the invariant was tried in a small scope."""
    match _check_stand_ins(order, smaller):
        case "random":
            raise InvariantError(unsteady_words(name))
        case "differs":
            notes.append(
                f"{name} tells an int from what stands in for one (does it ask `type(x) is int`? "
                "`isinstance(x, int)` holds); ints are chosen one by one, which is slower"
            )
            return replace(order, symbolic=False)
        case "containers":
            notes.append(
                f"{name} tells a container from what stands in for one (does it ask `type(x) is list`? "
                "`isinstance(x, list)` holds); plain Korat is used, which is slower"
            )
            return replace(order, engine="korat", symbolic=False, counted=False)
        case "not compared":
            notes.append(f"{name} was not tried with ints one by one, because that takes too many runs even in scope 1")
    return order


def unsteady_words(name: str) -> str:
    """Return what is said of an invariant that does not always say the same."""
    return (
        f"{name} is not deterministic: asked again about a structure, or about another with the same content, it said "
        "something else; it must depend on nothing but the object (does it remember, in a functools.cache or a global?)"
    )


def refuse_unusable(found: SearchAnswer, name: str) -> None:
    """Raise for an invariant that changes what it looks at, or does not always say the same."""
    if found.ended == "unsteady":
        raise InvariantError(unsteady_words(name))
    if found.ended == "wrote":
        raise InvariantError(f"{name} writes to {found.detail}; an invariant only looks, so let it work on copies")


def _refuse_bad(found: SearchAnswer, name: str) -> None:
    """Raise for an invariant that cannot be used."""
    refuse_unusable(found, name)
    seen = found.seen
    if not found.count and found.ended == "complete" and seen.raised and sum(seen.raised.values()) == seen.runs:
        raise InvariantError(f"{name} raised on every structure, first {seen.first_raised}")
    if found.ended == "endless" and not found.count:
        raise InvariantError(
            f"{name} does not end: {seen.endless} structures held it up, and none was accepted; "
            "does it walk in circles? Remember the objects it has been at"
        )


def _notes(found: SearchAnswer, name: str) -> list[str]:
    """Return what a user should know of the invariant."""
    seen, notes = found.seen, list[str]()
    if found.count and not seen.choices and found.ended == "complete":
        notes.append(f"{name} accepts every structure: it reads no field")
    raised = sum(seen.raised.values())
    if found.count and raised >= NEARLY_ALL * seen.runs:
        notes.append(
            f"{name} raised in {raised:,} of {how_many(seen.runs, 'run')}, first {seen.first_raised}; "
            "what it raises counts as a no"
        )
    if seen.endless:
        notes.append(
            f"{name} did not end on {seen.endless} structures, which count as rejected; does it walk in circles?"
        )
    notes += [f"{name} ended its process on a structure ({cause}), which counts as rejected" for cause in found.deaths]
    if "NoneType" in seen.answers:
        notes.append(f"{name} returned None, which counts as a no; is a `return True` missing?")
    return notes


def _status(found: SearchAnswer, name: str, table: FieldTable) -> Status:
    seen = found.seen
    match found.ended:
        case Ending() as ending:
            return Status(ending, f"{found.count:,} structures so far")
        case "endless":
            return Status(Ending.FAILED, f"{name} did not end on {seen.endless} structures; does it walk in circles?")
        case "died":
            return Status(Ending.FAILED, f"{name} ended its process ({found.detail}) again and again")
        case "enough":
            return Status(Ending.FOUND)
    if found.count:
        return Status(Ending.COMPLETE, table.remarks)
    why = (
        "without reading any field"
        if not seen.choices and not seen.raised
        else f"seen in {how_many(seen.runs, 'run')}{_hopeless_field(seen.last_read, table)}"
    )
    return Status(Ending.UNSATISFIABLE, f"{name} rejects every structure within {table.scope} ({why})")


def _hopeless_field(last_read: Mapping[str, int], table: FieldTable) -> str:
    """Return in words at which field most runs ended, and what it may hold; nothing if none was read."""
    if not last_read:
        return ""
    name, times = max(last_read.items(), key=lambda each: each[1])
    domain = next(domain for known, domain in table.named if known == name)
    all_of_them = "all" if times == sum(last_read.values()) else f"{times:,} of {sum(last_read.values()):,}"
    return f"; {all_of_them} ended at {name}, which may be {domain}; --field {name}=… gives it other values"


# -- two ways compared in a small scope ----------------------------------------------------------------------


def _check_stand_ins(order: Order, smaller: dict[int, FieldTable]) -> Verdict:
    """Tell whether the invariant treats stand-ins like ints, and says the same twice.

    An invariant that asks `type(x) is int` sees that a token is none, and nothing can be done about that while it runs.
    So the largest of the smaller tables (by scope) that is not too large is searched in both ways.
    """
    for scope in sorted(smaller, reverse=True):
        small = replace(order, table=smaller[scope], most_runs=MOST_RUNS, counted=False, enough=None)
        small = replace(small, deadline=order.deadline.part(QUARTER))
        plain = _try_small(replace(small, symbolic=False, twice=True, backwards=True))
        if plain.ended == "unsteady":
            return "random"
        if plain.ended in ("runs", Ending.TIMEOUT):
            continue
        if plain.ended != "complete" or plain.seen.endless or plain.deaths:
            return "alike"  # it writes, or does not end: the search itself will say so
        other = _try_small(small)
        if other.ended is Ending.TIMEOUT:
            continue
        if plain.order is not None and plain.order.engine == "korat":
            return "containers"
        was_symbolic = other.order is not None and other.order.symbolic
        return "alike" if was_symbolic and _contents(other) == _contents(plain) else "differs"
    return "not compared"


def _try_small(order: Order) -> SearchAnswer:
    """Return what is found in a small scope; Ctrl-C there ends all of it, and not only the trial."""
    found = find(order)
    if found.ended is Ending.INTERRUPTED:
        raise KeyboardInterrupt
    return found


def _compile_for_hybrid(order: Order, smaller: dict[int, FieldTable]) -> Compiled | str:
    """Return the clauses that know the shapes of the order's structures; in words why there are none.

    In the largest of the smaller tables both ways have to find the same structures.
    """
    from unlike.invariants.compile.compiling import compile_invariant  # a solver is loaded only when it is used
    from unlike.invariants.compile.values import UnsupportedError

    if order.table.has_containers:
        return "a field holds a container"
    if not smaller:
        return "a field has no value in a smaller scope, in which both ways could be compared"
    small = replace(order, table=smaller[max(smaller)], counted=False, enough=None, most_runs=None)
    try:
        compiled = compile_invariant(small.table, order.invariant, deadline=order.deadline)
        both = _try_small(replace(small, compiled=compiled)), _try_small(small)
        if any(each.ended is Ending.TIMEOUT for each in both):
            raise CutShort(order.deadline.status())
        if _contents(both[0]) != _contents(both[1]):
            return f"it finds other structures than the search in scope {max(smaller)}"
        return compile_invariant(order.table, order.invariant, deadline=order.deadline)
    except (UnsupportedError, SolverError) as error:
        return str(error)


def _contents(found: SearchAnswer) -> object:
    """Return what can be compared of a result: the structures, or their number."""
    if found.ended != "complete" or found.count > MOST_COMPARED:
        return found.ended, found.count
    return {structure for block in found.blocks for structure in members(block)}
