"""A suite from the search engine, for invariants that do not become clauses; and the check of those that do.

If the search comes to its end, every pair that no structure shows is infeasible, and that is proved. If it is cut
short, such pairs stay undecided.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from unlike.core import CutShort
from unlike.covering import choose_few, count_needed
from unlike.errors import ScopeError
from unlike.field_exhaustive.covering import MiscompiledError, Shown, Wish
from unlike.field_exhaustive.pairs import Pair, open_pairs, pairs_of
from unlike.invariants.compile.compiling import compile_invariant, open_scope
from unlike.invariants.fields.domains import FieldTable
from unlike.invariants.fields.table import fields_of
from unlike.invariants.finding import SearchAnswer, find
from unlike.invariants.search.engine import Order
from unlike.invariants.structure import Structure
from unlike.invariants.verbs import refuse_writing
from unlike.scope import Scope
from unlike.suite import Ending, Status

MOST_RUNS = 3_000_000  # runs of the invariant
MOST_STRUCTURES = 300_000  # whose pairs are looked at
HALF = 0.5  # of the time goes to the comparison, at most; and to the search, the rest to looking at what it found
LISTED_LATE = 20  # objects of a class, up to which all pairs are listed in a blink
CHECKED = 4  # the largest scope at which clauses and search are compared
CHECKED_STRUCTURES = 2_000  # of one scope, which are compared one by one; with more, a smaller scope is compared
CHECKED_RUNS = 100_000  # of the invariant, for all of that


def covered_by_search(wish: Wish) -> tuple[list[Shown], Status | None, int]:
    """Return a few structures that show every pair that the search saw, how it was cut short, and how many it takes."""
    half = wish.deadline.part(HALF)
    found = find(Order(wish.table, wish.invariant, deadline=half, most_runs=MOST_RUNS, isolation=wish.isolation))
    refuse_writing(found, getattr(wish.invariant, "__name__", "the invariant"))
    cut, shown = _cut(found), list[Shown]()
    everything: list[frozenset[Pair]] = []
    known: set[Pair] = set()
    try:
        for structure in wish.deadline.each(itertools.islice(_structures(found), MOST_STRUCTURES)):
            pairs = frozenset(pairs_of(structure, wish.numbering, wish.wanted))
            everything.append(pairs)
            if not pairs <= known or not shown:
                known |= pairs
                shown.append(Shown(structure, pairs))
    except CutShort as late:
        cut = Status(late.status.ending, f"{len(everything):,} of {found.count:,} structures were looked at")
    if cut is None and found.count > MOST_STRUCTURES:
        words = f"only the first {MOST_STRUCTURES:,} of {found.count:,} structures were looked at"
        cut = Status(Ending.UNKNOWN, words)
    few = [shown[place] for place in choose_few([each.pairs for each in shown])]
    return few, cut, count_needed(everything) if everything else 0


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
        found = find(Order(table, wish.invariant, most_runs=CHECKED_RUNS, deadline=deadline, isolation=wish.isolation))
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
    only_clauses, only_search = ([str(each) for each in sorted(group, key=_smallest_first)] for group in groups)
    if only_clauses:
        return f"at scope {scope} the clauses accept {only_clauses[0]}, the invariant does not"
    if only_search:
        return f"at scope {scope} the invariant accepts {only_search[0]}, the clauses do not"
    return f"at scope {scope} the clauses give a structure twice"


def _smallest_first(structure: Structure) -> tuple[int, str]:
    return len(structure.objects), str(structure)


def _smaller(scope: Scope, objects: int) -> Scope:
    bounds = {name: min(most, objects) for name, most in scope.objects_of.items()}
    elements = None if scope.elements is None else min(scope.elements, objects)
    ints = None if scope.ints is None else min(scope.ints, objects)
    return Scope(objects, bounds, elements, ints, scope.literals, scope.calls)
