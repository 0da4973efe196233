"""Arithmetic and other operators on values; what Python does with constants is asked of Python, value by value."""

from __future__ import annotations

import ast
import enum
import itertools
import operator
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

from unlike.invariants.compile.comparing import as_set, class_of, describe_value, is_numeric
from unlike.invariants.compile.formula import FALSE, TRUE, Literal
from unlike.invariants.compile.recursion import run_waiting_bodies
from unlike.invariants.compile.run import Run, Site
from unlike.invariants.compile.sequences import join_lists, repeat_list
from unlike.invariants.compile.values import (
    Alternatives,
    ContainerValue,
    DictValue,
    ListValue,
    Number,
    SetValue,
    Truth,
    TupleValue,
    Unread,
    Value,
    is_constant,
    list_value,
    made_plain,
    unbox,
)
from unlike.invariants.fields.domains import Maker

POINTWISE = 5_000  # combinations of constants for which an operator or a method is tabulated
WIDEST_SHIFT = 64  # bits
LONGEST_TEXT = 10_000  # characters, of a text that is made of others

OPERATORS: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.FloorDiv: operator.floordiv,
    ast.Mod: operator.mod,
    ast.Pow: operator.pow,
    ast.Div: operator.truediv,
    ast.BitAnd: operator.and_,
    ast.BitOr: operator.or_,
    ast.BitXor: operator.xor,
    ast.LShift: operator.lshift,
    ast.RShift: operator.rshift,
}
RISKY = (ast.Pow, ast.LShift, ast.RShift)


def combine(run: Run, op: ast.operator, left: Value, right: Value, site: Site) -> Value:
    """Return what an operator gives."""
    name, function = type(op).__name__, OPERATORS.get(type(op))
    if function is None:
        run.refuse(site, f"the operator {name}")
    left, right = made_plain(left), made_plain(right)
    if is_numeric(left) and is_numeric(right):
        return _combine_numbers(run, op, left, right, site)
    if _is_made_of_constants(left) and _is_made_of_constants(right):
        return pointwise(run, _careful(function, op), [left, right], site, f"the operator {name}")
    cases = []
    for one, under in _cases(run, left):
        for other, its in _cases(run, right):
            here = run.prover.possible(run.formula.both(site.guard, under, its))
            if here != FALSE:
                result = _combine_atoms(run, op, one, other, site.under(here))
                cases.append((run.formula.both(under, its), result))
    return run.algebra.merge(cases)


def _cases(run: Run, value: Value) -> list[tuple[Any, Literal]]:
    if isinstance(value, tuple):
        return [(value, TRUE)]
    whole = run.algebra.alternatives(value)
    found = [(made_plain(atom), literal) for atom, literal in whole.atoms.items()]
    return [*found, (whole.number, whole.is_number)] if whole.number is not None else found


def _combine_atoms(run: Run, op: ast.operator, left: Any, right: Any, site: Site) -> Value:
    """Return what an operator gives for two values, each of one kind."""
    if isinstance(left, ListValue) and left.view_of is not None:
        left = as_set(left)
    right = as_set(right)
    for each in (left, right):
        run_waiting_bodies(run, each, site.node)
    match op, left, right:
        case (_, ListValue(maker=Maker(argument=int())), _) | (_, _, ListValue(maker=Maker(argument=int()))):
            run.refuse(site, f"the operator {type(op).__name__} on a deque that has a greatest length")
        case ast.Add(), tuple(), tuple():
            return (*left, *right)
        case ast.Add(), (tuple() | ListValue()), (tuple() | ListValue()):
            one, other = (_as_tuple_list(each) if isinstance(each, tuple) else each for each in (left, right))
            if _joins(one, other):
                return join_lists(run, one, other)
        case ast.Mult(), (tuple() | ListValue()), _ if is_numeric(right):
            whole = _as_tuple_list(left) if isinstance(left, tuple) else left
            return repeat_list(run, whole, right, site)
        case ast.Mult(), _, (tuple() | ListValue()) if is_numeric(left):
            return _combine_atoms(run, op, right, left, site)
        case ((ast.BitOr() | ast.BitAnd() | ast.Sub() | ast.BitXor()), SetValue(), SetValue()):
            return combine_sets(run, op, left, right)
        case (_, DictValue(), _) | (_, _, DictValue()):
            if isinstance(op, ast.BitOr) or any(class_of(each) is Counter for each in (left, right)):
                run.refuse(site, f"the operator {type(op).__name__} on dicts")
        case (_, Unread(), _) | (_, _, Unread()):
            return Unread(str)
    if is_numeric(left) and is_numeric(right):
        return _combine_numbers(run, op, left, right, site)
    if _is_made_of_constants(left) and _is_made_of_constants(right):
        function = _careful(OPERATORS[type(op)], op)
        return pointwise(run, function, [left, right], site, f"the operator {type(op).__name__}")
    for each in (left, right):
        if not isinstance(each, ContainerValue | tuple | Number) and each is not None and not is_constant(each):
            run.refuse(site, f"the operator {type(op).__name__} on {describe_value(each)}")
    run.reject(site.guard)
    return None


def _joins(one: ListValue, other: ListValue) -> bool:
    return class_of(one) is class_of(other) and one.view_of is None and other.view_of is None


def _as_tuple_list(parts: tuple[Value, ...]) -> ListValue:
    made = list_value(parts)
    made.kind, made.fixed = "tuple", True
    return made


def combine_sets(run: Run, op: ast.operator, left: SetValue, right: SetValue) -> SetValue:
    """Return what |, &, - or ^ of two sets gives."""
    both, either = run.formula.both, run.formula.either
    members: dict[Any, Literal] = {}
    for key in dict.fromkeys([*left.members, *right.members]):
        here, there = left.members.get(key, FALSE), right.members.get(key, FALSE)
        match op:
            case ast.BitOr():
                literal = either(here, there)
            case ast.BitAnd():
                literal = both(here, there)
            case ast.Sub():
                literal = both(here, -there)
            case _:
                literal = either(both(here, -there), both(-here, there))
        if literal != FALSE:
            members[key] = literal
    return SetValue(members=members, kind=left.kind, born=run.steps)


# -- numbers -----------------------------------------------------------------------------------------------


def _combine_numbers(run: Run, op: ast.operator, left: Value, right: Value, site: Site) -> Value:
    """Return what an operator on ints gives; None among them is an exception."""
    function = _careful(OPERATORS[type(op)], op)
    if isinstance(op, ast.BitAnd | ast.BitOr | ast.BitXor) and not (
        isinstance(left, Number | int) and isinstance(right, Number | int)
    ):
        return pointwise(run, function, [left, right], site, f"the operator {type(op).__name__}")
    one, other = run.numeric(left, site.guard), run.numeric(right, site.guard)
    match op:
        case ast.Add():
            return _plain_number(run.algebra.sum_of(one, other))
        case ast.Sub():
            return _plain_number(run.algebra.sum_of(one, other.negate()))
    return pointwise(
        run, function, [_plain_number(one), _plain_number(other)], site, f"the operator {type(op).__name__}"
    )


def _plain_number(number: Number) -> Value:
    return number.low if number.low == number.high else number


def _careful(function: Callable[[Any, Any], Any], op: ast.operator) -> Callable[[Any, Any], Any]:
    """Return an operator that refuses to make numbers and texts beyond all measure."""

    def careful(left: Any, right: Any) -> Any:
        if isinstance(op, RISKY) and isinstance(right, int) and abs(right) > WIDEST_SHIFT:
            raise OverflowError
        if isinstance(op, ast.Mult) and any(isinstance(each, str | bytes) for each in (left, right)):
            size = [each if isinstance(each, int) else len(each) for each in (left, right)]
            if size[0] * size[1] > LONGEST_TEXT:
                raise OverflowError
        return function(left, right)

    return careful


# -- constants, value by value -----------------------------------------------------------------------------


def _is_made_of_constants(value: Value) -> bool:
    """Tell whether a value is one of a few plain values of Python's, or a tuple of such."""
    if isinstance(value, tuple):
        return all(map(_is_made_of_constants, value))
    if isinstance(value, Alternatives):
        return all(is_constant(atom) for atom in value.atoms)
    return isinstance(value, Number | Truth | int | float | enum.Enum) or is_constant(value)


def made_of_constants(values: Sequence[Value]) -> bool:
    """Tell whether all of the values are plain values of Python's, whichever they are."""
    return all(map(_is_made_of_constants, values))


def options_of(run: Run, value: Value) -> list[tuple[Any, Literal]]:
    """Return every plain value that a value can be, as Python has it, with its literal."""
    if isinstance(value, tuple):
        rows: list[tuple[tuple[Any, ...], Literal]] = [((), TRUE)]
        for part in value:
            more = options_of(run, part)
            rows = [((*row, each), run.formula.both(have, its)) for row, have in rows for each, its in more]
        return [(row, literal) for row, literal in rows if literal != FALSE]
    if isinstance(value, TupleValue):
        return options_of(run, value.parts)
    whole = run.algebra.alternatives(value)
    found = [(unbox(atom), literal) for atom, literal in whole.atoms.items()]
    if whole.number is not None:
        number = whole.number
        found += [
            (each, run.formula.both(whole.is_number, run.algebra.is_exactly(number, each)))
            for each in range(number.low, number.high + 1)
        ]
    return [(each, literal) for each, literal in found if literal != FALSE]


def pointwise(run: Run, function: Callable[..., Any], arguments: Sequence[Value], site: Site, what: str) -> Value:
    """Return what a function of Python's own gives for all values of its arguments; what raises is an exception."""
    columns = [options_of(run, each) for each in arguments]
    size = 1
    for column in columns:
        size *= len(column)
    if size > POINTWISE:
        run.refuse(site, f"{what} on values of so wide a range")
    cases: list[tuple[Literal, Value]] = []
    for row in itertools.product(*columns):
        literal = run.formula.both(*(under for _, under in row))
        if literal == FALSE or run.formula.both(site.guard, literal) == FALSE:
            continue
        try:
            result = function(*(value for value, _ in row))
        except OverflowError:
            run.refuse(site, f"{what} with so large a result")
        except Exception as error:
            run.reject(site.guard, literal, type(error))
            continue
        cases.append((literal, lift_constant(run, result, site)))
    return run.algebra.merge(_gather_cases(run, cases))


def _gather_cases(run: Run, cases: list[tuple[Literal, Value]]) -> list[tuple[Literal, Value]]:
    """Return the cases with equal ints and texts as one."""
    found: dict[Any, tuple[Value, list[Literal]]] = {}
    rest = []
    for literal, value in cases:
        if type(value) in (int, str, bool, type(None)):
            found.setdefault((type(value), value), (value, []))[1].append(literal)
        else:
            rest.append((literal, value))
    return [(run.formula.either(*literals), value) for value, literals in found.values()] + rest


def lift_constant(run: Run, value: Any, site: Site) -> Value:
    """Return a value of Python's as a value of the run; lists, sets and dicts are those of a constant."""
    match value:
        case None | bool() | int() | str() | bytes() | float() | type() | range() | enum.Enum():
            return value
        case tuple() if type(value) is not tuple:
            return run.refuse(site, f"a constant of the class {type(value).__name__}")
        case tuple():
            return tuple(lift_constant(run, each, site) for each in value)
        case list():
            made: ContainerValue = list_value([lift_constant(run, each, site) for each in value])
        case set() | frozenset():
            made = SetValue(members=dict.fromkeys(sorted(value, key=repr), TRUE))
            made.kind = "frozenset" if isinstance(value, frozenset) else ""
        case dict():
            entries = {key: (TRUE, lift_constant(run, each, site)) for key, each in value.items()}
            made = DictValue(entries=entries, log=[(TRUE, key) for key in entries])
        case _:
            return run.refuse(site, describe_value(value) if is_constant(value) else f"{type(value).__name__} objects")
    made.fixed = True
    return made
