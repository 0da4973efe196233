"""Expressions: from a syntax tree and a guard to a value."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable
from typing import Any

from unlike.invariants.compile.calls import call
from unlike.invariants.compile.comparing import class_of, describe_value, equal, is_numeric, truth_of
from unlike.invariants.compile.containers import as_list, contains, item_of
from unlike.invariants.compile.displays import function_value, make_container
from unlike.invariants.compile.formula import FALSE, TRUE, Literal
from unlike.invariants.compile.names import attributes_of, constant, named_value
from unlike.invariants.compile.operators import combine, made_of_constants, pointwise
from unlike.invariants.compile.ordering import ordered
from unlike.invariants.compile.recursion import run_waiting_bodies
from unlike.invariants.compile.run import Run, Site
from unlike.invariants.compile.sequences import entry_at, slice_of
from unlike.invariants.compile.values import (
    Alternatives,
    DictValue,
    LazyValues,
    ListValue,
    Number,
    RangeValue,
    SetValue,
    Thing,
    Truth,
    TupleValue,
    Value,
    list_value,
    made_plain,
)

NEGATIVE = ast.IsNot | ast.NotEq | ast.NotIn  # what they stand for is compared, and negated
HARMLESS = (
    ast.Name | ast.Attribute | ast.Constant | ast.expr_context | ast.UnaryOp | ast.unaryop | ast.operator | ast.BinOp
)
UNARY: dict[type[ast.unaryop], Callable[[Any], Any]] = {
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
    ast.Invert: operator.invert,
}


def truth(run: Run, site: Site) -> Literal:
    """Return whether an expression is true, without making its value where that is not needed."""
    both, either, possible = run.formula.both, run.formula.either, run.prover.possible
    match site.node:
        case ast.BoolOp(op=op, values=values):
            conjunction = isinstance(op, ast.And)
            known = TRUE if conjunction else FALSE
            here = site.guard
            for each in values:
                part = truth(run, Site(site.frame, each, here))
                known = both(known, part) if conjunction else either(known, part)
                here = possible(both(site.guard, known if conjunction else -known))
                if here == FALSE:
                    break
            return known
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            return -truth(run, site.at(operand))
        case ast.Compare(ops=[_, _, *_]) if (parts := taken_apart(site.node)) is not None:
            return truth(run, site.at(parts))
    return truth_of(run, evaluate(run, site), site)


def evaluate(run: Run, site: Site) -> Value:
    """Return the value of an expression."""
    run.step()
    match site.node:
        case ast.Constant(value=value):
            return constant(run, value, site)
        case ast.Name(id=name):
            return named_value(run, name, site)
        case ast.Attribute(value=owner, attr=name):
            return run.algebra.merge(attributes_of(run, evaluate(run, site.at(owner)), name, site))
        case ast.Call():
            return call(run, site)
        case ast.Compare(left=left, ops=[op], comparators=[right]):
            return Truth(_compare(run, op, evaluate(run, site.at(left)), evaluate(run, site.at(right)), site))
        case ast.Compare() as node:
            return Truth(_chain(run, node, site))
        case ast.BoolOp(op=op, values=operands):
            return _bool_op(run, op, operands, site)
        case ast.UnaryOp(op=op, operand=operand):
            return _unary(run, op, operand, site)
        case ast.BinOp(left=left, op=op, right=right):
            first, second = evaluate(run, site.at(left)), evaluate(run, site.at(right))
            if isinstance(op, ast.BitOr) and _are_classes(first) and isinstance(second, type):
                return (*first, second) if isinstance(first, tuple) else (first, second)  # for isinstance
            return combine(run, op, first, second, site)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return _if_expression(run, truth(run, site.at(test)), body, orelse, site)
        case ast.Subscript(value=owner, slice=index):
            held = evaluate(run, site.at(owner))
            if isinstance(index, ast.Slice):
                return _slice(run, held, index, site)
            return item(run, held, evaluate(run, site.at(index)), site)
        case ast.NamedExpr(target=target, value=value):
            result = evaluate(run, site.at(value))
            run.assign(Site(site.frame.body, target, site.guard), target.id, result)
            return result
        case ast.Lambda() as node:
            return function_value(run, node, site)
    return make_container(run, site)


def _are_classes(value: Value) -> bool:
    return isinstance(value, type) or (isinstance(value, tuple) and all(isinstance(each, type) for each in value))


def taken_apart(node: ast.AST) -> ast.BoolOp | None:
    """Return a < b < c as a < b and b < c; nothing where b, which is evaluated twice then, does something."""
    assert isinstance(node, ast.Compare)
    for side in node.comparators[:-1]:
        if not all(isinstance(each, HARMLESS) for each in ast.walk(side)):
            return None
    sides = [node.left, *node.comparators]
    parts: list[ast.expr] = [
        ast.copy_location(ast.Compare(sides[place], [op], [sides[place + 1]]), node)
        for place, op in enumerate(node.ops)
    ]
    return ast.copy_location(ast.BoolOp(ast.And(), parts), node)


def _chain(run: Run, node: ast.Compare, site: Site) -> Literal:
    """Return whether a chain of comparisons holds; each side is evaluated once, if those before it hold."""
    both = run.formula.both
    held, here = TRUE, site
    left = run.evaluate(here.at(node.left))
    for op, side in zip(node.ops, node.comparators, strict=True):
        right = run.evaluate(here.at(side))
        held = both(held, _compare(run, op, left, right, here))
        left = right
        here = site.under(run.prover.possible(both(site.guard, held)))
        if here.guard == FALSE:
            break
    return held


def _compare(run: Run, op: ast.cmpop, left: Value, right: Value, site: Site) -> Literal:
    """Return whether a comparison holds."""
    run_waiting_bodies(run, right, site.node)
    match op:
        case ast.In() | ast.NotIn():
            literal = contains(run, right, left, site)
        case ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq():
            literal = equal(run, left, right, site, same=isinstance(op, ast.Is | ast.IsNot))
        case _:
            literal = ordered(run, type(op), left, right, site)
    return -literal if isinstance(op, NEGATIVE) else literal


def _bool_op(run: Run, op: ast.boolop, operands: list[ast.expr], site: Site) -> Value:
    """Return what `and` and `or` give: the operand that decides."""
    both = run.formula.both
    parts: list[tuple[Literal, Value]] = []  # whether the next operand is looked at, and the value of this one
    here = site.guard
    for each in operands:
        at = Site(site.frame, each, here)
        value = evaluate(run, at)
        true = truth_of(run, value, at)
        parts.append((true if isinstance(op, ast.And) else -true, value))
        here = run.prover.possible(both(here, parts[-1][0]))
        if here == FALSE:
            break
    cases, before = [], TRUE
    for position, (goes_on, value) in enumerate(parts):
        last = position == len(parts) - 1
        cases.append((before if last else both(before, -goes_on), value))
        before = both(before, goes_on)
    return run.algebra.merge(cases)


def _if_expression(run: Run, test: Literal, body: ast.expr, orelse: ast.expr, site: Site) -> Value:
    """Return one of two values."""
    yes, no = run.branch(site.guard, test)
    if no == FALSE:
        return evaluate(run, site.at(body))
    if yes == FALSE:
        return evaluate(run, site.at(orelse))
    first = evaluate(run, Site(site.frame, body, yes))
    return run.algebra.merge([(test, first), (-test, evaluate(run, Site(site.frame, orelse, no)))])


def _unary(run: Run, op: ast.unaryop, operand: ast.expr, site: Site) -> Value:
    """Return what `not`, - and + give."""
    if isinstance(op, ast.Not):
        return Truth(-truth(run, site.at(operand)))
    value = made_plain(evaluate(run, site.at(operand)))
    if not is_numeric(value):
        if made_of_constants([value]):
            return pointwise(run, UNARY[type(op)], [value], site, "a sign")
        run.refuse(site, f"a sign before {describe_value(value)}")
    if isinstance(op, ast.USub):
        return -value if type(value) is int else run.numeric(value, site.guard).negate()
    if isinstance(op, ast.UAdd):
        return run.numeric(value, site.guard)
    return pointwise(run, UNARY[type(op)], [value], site, "the operator ~")


# -- items and slices ----------------------------------------------------------------------------------------


def item(run: Run, owner: Value, key: Value, site: Site) -> Value:
    """Return an item of a tuple, list, dict or text."""
    owner = made_plain(owner)
    if not isinstance(owner, Alternatives):
        return _item(run, owner, key, site)
    cases = []
    if owner.number is not None:
        run.reject(site.guard, owner.is_number)
    for atom, literal in owner.atoms.items():
        under = run.prover.possible(run.formula.both(site.guard, literal))
        if under != FALSE:
            cases.append((literal, _item(run, made_plain(atom), key, site.under(under))))
    return run.algebra.merge(cases)


def _item(run: Run, owner: Value, key: Value, site: Site) -> Value:
    match owner:
        case tuple() if type(key) is int and -len(owner) <= key < len(owner):
            return owner[key]
        case ListValue() if owner.view_of is not None:
            run.reject(site.guard)
            return None
        case tuple() | ListValue():
            return entry_at(run, owner, key, site.guard)
        case DictValue():
            return item_of(run, owner, key, site)
        case str() | bytes() if made_of_constants([key]):
            return pointwise(run, operator.getitem, [owner, key], site, "an item of a text")
        case None | SetValue() | Number() | Truth() | int() | float() | LazyValues():
            run.reject(site.guard)
            return None
        case RangeValue():
            return entry_at(run, as_list(run, owner, site), key, site.guard)
        case Thing():
            return _item_of_object(run, owner, key, site)
    return run.refuse(site, f"an item of {describe_value(owner)}")


def _item_of_object(run: Run, owner: Thing, key: Value, site: Site) -> Value:
    """Return what `__getitem__` of an object gives."""
    if not hasattr(owner.cls, "__getitem__"):
        run.reject(site.guard)
        return None
    return run.algebra.merge(
        [
            (literal, run.call_value(method, [key], site.under(run.formula.both(site.guard, literal))))
            for literal, method in attributes_of(run, owner, "__getitem__", site)
        ]
    )


def _slice(run: Run, owner: Value, node: ast.Slice, site: Site) -> Value:
    """Return a slice of a list, a tuple or a text."""
    first, last, step = (
        None if each is None else evaluate(run, site.at(each)) for each in (node.lower, node.upper, node.step)
    )
    whole = run.algebra.alternatives(made_plain(owner))
    if whole.number is not None:
        run.reject(site.guard, whole.is_number)
    cases = []
    for atom, literal in whole.atoms.items():
        under = run.prover.possible(run.formula.both(site.guard, literal))
        if under != FALSE:
            cases.append((literal, _slice_one(run, atom, (first, last, step), site.under(under))))
    return run.algebra.merge(cases)


def _slice_one(run: Run, owner: Value, bounds: tuple[Value, Value, Value], site: Site) -> Value:
    match owner:
        case TupleValue(parts):
            if all(each is None or type(each) is int for each in bounds):
                return parts[slice(*bounds)]
            whole = list_value(parts)
            whole.kind = "tuple"
            return slice_of(run, whole, bounds, site)
        case ListValue() if owner.view_of is None and issubclass(class_of(owner), list | tuple):
            return slice_of(run, owner, bounds, site)
        case str() | bytes() if made_of_constants(bounds):
            return pointwise(run, lambda *three: owner[slice(*three)], bounds, site, "a slice of a text")
        case None | SetValue() | DictValue() | ListValue() | LazyValues():
            run.reject(site.guard)
            return None
    return run.refuse(site, f"a slice of {describe_value(owner)}")
