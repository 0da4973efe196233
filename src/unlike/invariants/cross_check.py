"""Two ways compared in a small scope: whether an invariant treats stand-ins like ints, and says the same twice.

An invariant that asks `type(x) is int` sees that a token is none, and nothing can be done about that while it runs. So
a small scope is searched in both ways, with tokens and with ints one by one, and the structures are compared.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Literal

from unlike.errors import SolverError
from unlike.invariants.fields import FieldTable
from unlike.invariants.finding import Order, SearchAnswer, find
from unlike.invariants.structure import Structure
from unlike.suite import Ending

if TYPE_CHECKING:
    from unlike.invariants.compile.compiling import Compiled

SCOPE = 3
QUARTER = 0.25  # of the time that is left, for a check at one scope
MOST_RUNS = 20_000  # of the search with ints one by one; beyond it a smaller scope is taken
MOST_COMPARED = 3_000  # structures; beyond it only their number is compared

Verdict = Literal["alike", "differs", "random", "not compared"]


def check_stand_ins(order: Order, smaller: dict[int, FieldTable]) -> Verdict:
    """Compare both ways in the largest of the smaller tables (by scope) that is not too large."""
    for scope in sorted(smaller, reverse=True):
        small = replace(order, table=smaller[scope], most_runs=MOST_RUNS, counted=False, enough=None)
        small = replace(small, deadline=order.deadline.part(QUARTER))
        plain = find(replace(small, symbolic=False, twice=True))
        if plain.ended is Ending.INTERRUPTED:
            raise KeyboardInterrupt
        if plain.ended == "unsteady":
            return "random"
        if plain.ended in ("runs", Ending.TIMEOUT):
            continue
        if plain.ended != "complete" or plain.seen.endless or plain.deaths:
            return "alike"  # it writes, or does not end: the search itself will say so
        if _contents(find(small)) == _contents(plain):
            return "alike"
        return "differs"
    return "not compared"


def compile_for_hybrid(order: Order, smaller: dict[int, FieldTable]) -> Compiled | str:
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
        tried = find(replace(small, compiled=compile_invariant(small.table, order.invariant, deadline=order.deadline)))
        if _contents(tried) != _contents(find(small)):
            return f"it finds other structures than the search in scope {max(smaller)}"
        return compile_invariant(order.table, order.invariant, deadline=order.deadline)
    except UnsupportedError as error:
        return str(error)
    except SolverError as error:
        return str(error)


def _contents(found: SearchAnswer) -> object:
    """Return what can be compared of a result: the structures, or their number."""
    if found.ended != "complete" or found.count > MOST_COMPARED:
        return found.ended, found.count
    structures: set[Structure] = {block.at(index) for block in found.blocks for index in range(block.count())}
    return structures
