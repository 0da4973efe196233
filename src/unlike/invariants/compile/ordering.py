"""The order of values: of numbers, constants, sequences, sets, and objects whose class has one."""

from __future__ import annotations

import ast
import math
import operator
import types
from collections.abc import Iterable
from typing import Any

from unlike.invariants.compile.comparing import (
    as_set,
    compared_fields,
    defines,
    describe_value,
    entries_of,
    equal,
    is_generated,
    is_numeric,
    sequence_kind,
    truth_of,
)
from unlike.invariants.compile.formula import FALSE, TRUE, Literal
from unlike.invariants.compile.program import member_of
from unlike.invariants.compile.recursion import run_waiting_bodies
from unlike.invariants.compile.run import Run, Site
from unlike.invariants.compile.values import (
    Alternatives,
    DictValue,
    Identity,
    ListValue,
    Number,
    RangeValue,
    SetValue,
    Thing,
    TupleValue,
    Unread,
    Value,
    is_constant,
    made_plain,
    unbox,
)


def ordered(run: Run, op: type[ast.cmpop], left: Value, right: Value, site: Site) -> Literal:
    """Return whether <, <=, > or >= holds."""
    if op in (ast.Gt, ast.GtE):
        left, right = right, left
    strictly = op in (ast.Lt, ast.Gt)
    left, right = made_plain(left), made_plain(right)
    if is_numeric(left) and is_numeric(right):
        one, other = run.numeric(left, site.guard), run.numeric(right, site.guard)
        return run.algebra.less(one, other) if strictly else -run.algebra.less(other, one)
    if isinstance(left, tuple) and isinstance(right, tuple):
        return _ordered_entries(run, TupleValue(left), TupleValue(right), site, strictly=strictly)
    ways = []
    for under, first in _each(run.algebra.alternatives(left)):
        for its, second in _each(run.algebra.alternatives(right)):
            here = run.prover.possible(run.formula.both(site.guard, under, its))
            if here != FALSE:
                literal = _ordered_atoms(run, first, second, site.under(here), strictly=strictly)
                ways.append(run.formula.both(under, its, literal))
    return run.formula.either(*ways)


def _each(whole: Alternatives) -> Iterable[tuple[Literal, Any]]:
    yield from ((literal, atom) for atom, literal in whole.atoms.items())
    if whole.number is not None:
        yield whole.is_number, whole.number


def _ordered_atoms(run: Run, one: Any, other: Any, site: Site, *, strictly: bool) -> Literal:
    """Return whether one atom, or number, comes before another."""
    one, other = as_set(one), as_set(other)
    for each in (one, other):
        run_waiting_bodies(run, each, site.node)
    match one, other:
        case Number(), Number():
            return run.algebra.less(one, other) if strictly else -run.algebra.less(other, one)
        case ((TupleValue() | ListValue()), (TupleValue() | ListValue())) if sequence_kind(one) is sequence_kind(other):
            return _ordered_entries(run, one, other, site, strictly=strictly)
        case SetValue(), SetValue():
            return subset(run, one.members, other.members, strictly=strictly)
        case Thing(), Thing():
            return _ordered_objects(run, one, other, site, strictly=strictly)
        case (Number(), each) | (each, Number()) if isinstance(unbox(each), int | float):
            return _ordered_with_constant(one, other, strictly=strictly)
        case (Unread() | Identity(), _) | (_, Unread() | Identity()) | (RangeValue(), _) | (DictValue(), DictValue()):
            run.refuse(site, f"< or > on {describe_value(one)} and {describe_value(other)}")
    if is_constant(one) and is_constant(other):
        try:
            held = (operator.lt if strictly else operator.le)(unbox(one), unbox(other))
        except TypeError:
            run.reject(site.guard)
            return FALSE
        return TRUE if held else FALSE
    for each in (one, other):
        if isinstance(each, Thing) and (defines(each.cls, "__lt__") or defines(each.cls, "__gt__")):
            run.refuse(site, f"< or > on {describe_value(each)}")
    run.reject(site.guard)
    return FALSE


def _ordered_with_constant(one: Any, other: Any, *, strictly: bool) -> Literal:
    """Return whether a number and a bool or float are in order."""
    if isinstance(one, Number):
        bound = float(unbox(other))
        if math.isinf(bound) or math.isnan(bound):
            return TRUE if bound > 0 else FALSE
        return -one.at_least(math.ceil(bound) if strictly else math.floor(bound) + 1)
    bound = float(unbox(one))
    if math.isinf(bound) or math.isnan(bound):
        return TRUE if bound < 0 else FALSE
    least: Literal = other.at_least(math.floor(bound) + 1 if strictly else math.ceil(bound))
    return least


def _ordered_entries(
    run: Run, one: TupleValue | ListValue, other: TupleValue | ListValue, site: Site, *, strictly: bool
) -> Literal:
    """Return whether a sequence comes before another: by the first entries that differ, or by length."""
    both, possible = run.formula.both, run.prover.possible
    first, second = entries_of(run, one), entries_of(run, other)
    op = ast.Lt if strictly else ast.LtE
    ways, alike = [], TRUE
    for place in range(max(len(first), len(second)) + 1):
        (here, value), (there, another) = (
            entries[place] if place < len(entries) else (FALSE, None) for entries in (first, second)
        )
        ways.append(both(alike, -here, there if strictly else TRUE))
        shared = both(alike, here, there)
        under = possible(both(site.guard, shared))
        if under == FALSE:
            break
        same = equal(run, value, another, site.under(under))
        differ = possible(both(under, -same))
        if differ != FALSE:
            ways.append(both(shared, -same, ordered(run, op, value, another, site.under(differ))))
        alike = both(shared, same)
    return run.formula.either(*ways)


def _ordered_objects(run: Run, one: Thing, other: Thing, site: Site, *, strictly: bool) -> Literal:
    """Return whether two objects are in the order that their class gives them."""
    name = "__lt__" if strictly else "__le__"
    found = member_of(one.cls, name)
    if one.cls is not other.cls or (
        defines(other.cls, "__gt__" if strictly else "__ge__")
        and not is_generated(other.cls, member_of(other.cls, "__gt__"))
    ):
        run.refuse(site, f"< or > on {describe_value(one)} and {describe_value(other)}")
    if is_generated(one.cls, found):
        values = [tuple(run.heap.fields[each, name] for name in compared_fields(one.cls)) for each in (one, other)]
        return _ordered_entries(run, TupleValue(values[0]), TupleValue(values[1]), site, strictly=strictly)
    if isinstance(found, types.FunctionType):
        value = run.invoke(run.program.function(found), [one, other], site.guard, assume=False)
        return truth_of(run, value, site)
    if defines(one.cls, name):
        run.refuse(site, f"< or > on {describe_value(one)}")
    run.reject(site.guard)
    return FALSE


def subset(run: Run, one: dict[Any, Literal], other: dict[Any, Literal], *, strictly: bool = False) -> Literal:
    """Return whether all members of one set are in the other, and, strictly, not all of the other in it."""
    within = [run.formula.either(-literal, other.get(key, FALSE)) for key, literal in one.items()]
    if strictly:
        more = [run.formula.both(literal, -one.get(key, FALSE)) for key, literal in other.items()]
        within.append(run.formula.either(*more))
    return run.formula.both(*within)
