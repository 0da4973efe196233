"""Truth, equality, order and arithmetic of values."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Iterable

from unlike.errors import with_article
from unlike.invariants.compile.formula import FALSE, TRUE, Literal
from unlike.invariants.compile.run import Run, Site
from unlike.invariants.compile.values import (
    Alternatives,
    ContainerValue,
    DictValue,
    ListValue,
    Number,
    RangeValue,
    SetValue,
    Thing,
    Truth,
    Value,
    is_atom,
)

POINTWISE = 1_000  # pairs of ints for which an operator is tabulated
WIDEST_SHIFT = 64  # bits

OPERATORS: dict[type[ast.operator], Callable[[int, int], int]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}


# -- truth and equality ----------------------------------------------------------------------------------


def truth_of(run: Run, value: Value, site: Site) -> Literal:
    """Return whether Python takes the value for true."""
    either = run.formula.either
    match value:
        case Truth(literal):
            return literal
        case ListValue():
            return either(*(literal for literal, _ in value.list_entries()))
        case SetValue(members=members):
            return either(*members.values())
        case DictValue(entries=entries):
            return either(*(literal for literal, _ in entries.values()))
        case Number() | Alternatives():
            whole, both = run.algebra.alternatives(value), run.formula.both
            ways = [both(literal, truth_of(run, atom, site)) for atom, literal in whole.atoms.items()]
            if whole.number is not None:
                ways.append(both(whole.is_number, -run.algebra.is_exactly(whole.number, 0)))
            return either(*ways)
        case Thing(cls):
            for name in ("__bool__", "__len__"):
                if hasattr(cls, name):
                    run.refuse(site, f"the truth of {with_article(cls.__name__)}, which defines {name}")
            return TRUE
        case None | bool() | int() | str() | tuple():
            return TRUE if value else FALSE
    return run.refuse(site, f"the truth of {describe_value(value)}")


def equal(run: Run, left: Value, right: Value, site: Site, *, same: bool = False) -> Literal:
    """Return whether both are equal; with `same`, whether both are one object (`is`)."""
    if isinstance(left, tuple) or isinstance(right, tuple):
        if not isinstance(left, tuple) or not isinstance(right, tuple):
            return run.refuse(site, "a tuple compared with something else")
        if len(left) != len(right):
            return FALSE
        return run.formula.both(*(equal(run, one, other, site) for one, other in zip(left, right, strict=True)))
    one, other = run.algebra.alternatives(left), run.algebra.alternatives(right)
    if not same:
        refuse_own_equality(run, [*one.atoms, *other.atoms], site)
    both = run.formula.both
    ways = [both(literal, other.atoms[atom]) for atom, literal in one.atoms.items() if atom in other.atoms]
    if one.number is not None and other.number is not None:
        ways.append(both(one.is_number, other.is_number, run.algebra.equal_numbers(one.number, other.number)))
    if not same:
        ways += _bools_as_numbers(run, one, other)
        ways += _bools_as_numbers(run, other, one)
    return run.formula.either(*ways)


def _bools_as_numbers(run: Run, one: Alternatives, other: Alternatives) -> list[Literal]:
    """Return the ways in which a bool equals a number: True == 1."""
    if other.number is None:
        return []
    return [
        run.formula.both(literal, other.is_number, run.algebra.is_exactly(other.number, int(atom)))
        for atom, literal in one.atoms.items()
        if isinstance(atom, bool)
    ]


def refuse_own_equality(run: Run, values: Iterable[Value], site: Site) -> None:
    """Refuse to compare objects whose class defines what equal means, and containers by their contents."""
    for value in values:
        if isinstance(value, Thing) and _defines(value.cls, "__eq__"):
            run.refuse(site, f"comparing objects of {value.cls.__name__}, which defines __eq__")
        if isinstance(value, ContainerValue):
            run.refuse(site, "comparing lists, sets or dicts by their contents")


# -- order and arithmetic --------------------------------------------------------------------------------


def refuse_unordered(run: Run, value: Value, site: Site) -> None:
    """Refuse to order what is not a number: strings and enums may have an order of their own, objects, too."""
    if isinstance(value, tuple | RangeValue | ContainerValue):
        run.refuse(site, f"< or > on {describe_value(value)}")
    if isinstance(value, Alternatives) or not isinstance(value, Number | Truth | int):
        for atom in run.algebra.alternatives(value).atoms:
            has_order = isinstance(atom, Thing) and _defines(atom.cls, "__lt__")
            if has_order or not (atom is None or isinstance(atom, bool | Thing)):
                run.refuse(site, f"< or > on {describe_value(atom)}")


def combine(run: Run, op: ast.operator, left: Value, right: Value, site: Site) -> Value:
    """Return what an operator on numbers gives."""
    name, function = type(op).__name__, OPERATORS.get(type(op))
    if function is None:
        run.refuse(site, f"the operator {name}")
    for side in (left, right):
        if not _is_numeric(side):
            run.refuse(site, f"the operator {name} on {describe_value(side)}")
    if type(left) is int and type(right) is int and (right != 0 or not isinstance(op, ast.FloorDiv | ast.Mod)):
        if isinstance(op, ast.LShift | ast.RShift) and not 0 <= right <= WIDEST_SHIFT:
            run.refuse(site, "a shift by so much")
        return function(left, right)
    one, other = run.numeric(left, site.guard), run.numeric(right, site.guard)
    match op:
        case ast.Add():
            return run.algebra.sum_of(one, other)
        case ast.Sub():
            return run.algebra.sum_of(one, other.negate())
        case ast.BitAnd() | ast.BitOr() | ast.BitXor():
            if not all(isinstance(side, Number | int) for side in (left, right)):
                run.refuse(site, f"the operator {name} on bools")
    return _tabulate(run, function, one, other, site)


def _tabulate(run: Run, function: Callable[[int, int], int], one: Number, other: Number, site: Site) -> Value:
    """Return an operator's results for every two ints; what raises is an exception."""
    exactly, both = run.algebra.is_exactly, run.formula.both
    if (one.high - one.low + 1) * (other.high - other.low + 1) > POINTWISE:
        run.refuse(site, "an operator other than + and - on numbers of so wide a range")
    cases: list[tuple[Literal, Value]] = []
    for left in range(one.low, one.high + 1):
        for right in range(other.low, other.high + 1):
            literal = both(exactly(one, left), exactly(other, right))
            if literal == FALSE:
                continue
            try:
                cases.append((literal, function(left, right)))
            except (ZeroDivisionError, ValueError):
                run.reject(site.guard, literal)
    return run.algebra.merge(cases) if cases else 0


def _is_numeric(value: Value) -> bool:
    """Tell whether arithmetic on the value is arithmetic on ints, or an exception."""
    if value is None or isinstance(value, Number | Truth) or type(value) in (int, bool):
        return True
    return isinstance(value, Alternatives) and all(atom is None or isinstance(atom, bool) for atom in value.atoms)


def _defines(cls: type, name: str) -> bool:
    """Tell whether a class has a method of its own where `object` has a usual one, or none."""
    return getattr(cls, name, None) is not getattr(object, name, None)


NAMES: dict[type, str] = {
    SetValue: "a set",
    DictValue: "a dict",
    ListValue: "a list",
    RangeValue: "a range",
    Alternatives: "one of several things",
    Number: "a number",
    Truth: "a bool",
}


def describe_value(value: Value) -> str:
    """Return what a value is called in a message."""
    if isinstance(value, Thing):
        return f"{with_article(value.cls.__name__)}"
    if type(value) in NAMES:
        return NAMES[type(value)]
    return repr(value) if is_atom(value) else f"{with_article(type(value).__name__)}"
