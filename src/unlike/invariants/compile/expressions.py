"""Expressions: from a syntax tree and a guard to a value."""

from __future__ import annotations

import ast

from unlike.invariants.compile.calls import call
from unlike.invariants.compile.comprehensions import make_container
from unlike.invariants.compile.containers import contains, entry_at, item_of
from unlike.invariants.compile.formula import FALSE, TRUE, Literal
from unlike.invariants.compile.names import attributes_of, constant, named_value
from unlike.invariants.compile.operators import combine, describe_value, equal, refuse_unordered, truth_of
from unlike.invariants.compile.recursion import run_waiting_bodies
from unlike.invariants.compile.run import Run, Site
from unlike.invariants.compile.values import Alternatives, DictValue, ListValue, Truth, Value, sequence_value

HARMLESS = frozenset({"len", "min", "max", "sum", "abs", "id", "int", "bool", "getattr"})


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
        case ast.Compare(ops=[_, _, *_]):
            return truth(run, site.at(taken_apart(run, site)))
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
        case ast.Compare():
            return Truth(truth(run, site))
        case ast.BoolOp(op=op, values=operands):
            return _bool_op(run, op, operands, site)
        case ast.UnaryOp(op=op, operand=operand):
            return _unary(run, op, operand, site)
        case ast.BinOp(left=left, op=op, right=right):
            first, second = evaluate(run, site.at(left)), evaluate(run, site.at(right))
            if isinstance(op, ast.BitOr) and isinstance(first, type | tuple) and isinstance(second, type):
                return (*first, second) if isinstance(first, tuple) else (first, second)  # for isinstance
            return combine(run, op, first, second, site)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            return _if_expression(run, truth(run, site.at(test)), body, orelse, site)
        case ast.Tuple(elts=elements):
            return tuple(evaluate(run, site.at(each)) for each in elements)
        case ast.Subscript(value=owner, slice=index):
            return _subscript(run, evaluate(run, site.at(owner)), index, site)
        case ast.NamedExpr(target=target, value=value):
            result = evaluate(run, site.at(value))
            run.assign(site, target.id, result)
            return result
    return make_container(run, site)


def taken_apart(run: Run, site: Site) -> ast.BoolOp:
    """Return a < b < c as a < b and b < c; refused where b, which is evaluated twice then, does something."""
    node = site.node
    assert isinstance(node, ast.Compare)
    for side in node.comparators[:-1]:
        if any(_may_do_something(each) for each in ast.walk(side)):
            run.refuse(site, "a call in the middle of a chain of comparisons")
    sides = [node.left, *node.comparators]
    parts: list[ast.expr] = [
        ast.copy_location(ast.Compare(sides[place], [op], [sides[place + 1]]), node)
        for place, op in enumerate(node.ops)
    ]
    return ast.copy_location(ast.BoolOp(ast.And(), parts), node)


def _may_do_something(node: ast.AST) -> bool:
    match node:
        case ast.Call(func=ast.Name(id=name)):
            return name not in HARMLESS
        case ast.Call() | ast.NamedExpr():
            return True
    return False


def _compare(run: Run, op: ast.cmpop, left: Value, right: Value, site: Site) -> Literal:
    """Return whether a comparison holds."""
    run_waiting_bodies(run, right, site.node)
    match op:
        case ast.Is():
            return equal(run, left, right, site, same=True)
        case ast.IsNot():
            return -equal(run, left, right, site, same=True)
        case ast.Eq():
            return equal(run, left, right, site)
        case ast.NotEq():
            return -equal(run, left, right, site)
        case ast.In():
            return contains(run, right, left, site)
        case ast.NotIn():
            return -contains(run, right, left, site)
    for side in (left, right):
        refuse_unordered(run, side, site)
    one, other = run.numeric(left, site.guard), run.numeric(right, site.guard)
    less = run.algebra.less
    match op:
        case ast.Lt():
            return less(one, other)
        case ast.Gt():
            return less(other, one)
        case ast.LtE():
            return -less(other, one)
    return -less(one, other)


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
    value = evaluate(run, site.at(operand))
    if isinstance(op, ast.USub):
        return -value if type(value) is int else run.numeric(value, site.guard).negate()
    if isinstance(op, ast.UAdd):
        return run.numeric(value, site.guard)
    return run.refuse(site, "the operator ~")


def _subscript(run: Run, owner: Value, index: ast.expr, site: Site) -> Value:
    """Return an item of a tuple, list or dict."""
    if isinstance(index, ast.Slice):
        run.refuse(site, "a slice")
    key = evaluate(run, site.at(index))
    match owner:
        case tuple() if type(key) is int and -len(owner) <= key < len(owner):
            return owner[key]
        case tuple() | list():
            return entry_at(run, sequence_value(owner), key, site.guard)
        case ListValue():
            return entry_at(run, owner, key, site.guard)
        case DictValue():
            return item_of(run, owner, key, site)
        case Alternatives(atoms=atoms, number=None):
            cases = []
            for atom, literal in atoms.items():
                under = run.prover.possible(run.formula.both(site.guard, literal))
                if under == FALSE:
                    continue
                if isinstance(atom, ListValue):
                    cases.append((literal, entry_at(run, atom, key, under)))
                elif isinstance(atom, DictValue):
                    cases.append((literal, item_of(run, atom, key, site.under(under))))
                elif atom is None:
                    run.reject(under)
                else:
                    run.refuse(site, f"an item of {describe_value(atom)}")
            return run.algebra.merge(cases)
    return run.refuse(site, f"an item of {describe_value(owner)}")
