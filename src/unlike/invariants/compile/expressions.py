"""Expressions: from a syntax tree and a guard to a value, or to clauses that say what it must be."""

from __future__ import annotations

import ast

from unlike.invariants.compile.calls import call
from unlike.invariants.compile.containers import contains, entry_at, item_of, keys_of, put, store_item
from unlike.invariants.compile.formula import FALSE, TRUE, Literal
from unlike.invariants.compile.names import attributes_of, constant, named_value, rounds_of
from unlike.invariants.compile.operators import combine, describe_value, equal, refuse_unordered, truth_of
from unlike.invariants.compile.recursion import run_waiting_bodies
from unlike.invariants.compile.run import Run, Site
from unlike.invariants.compile.values import Alternatives, DictValue, ListValue, Number, SetValue, Truth, Value

HARMLESS = frozenset({"len", "min", "max", "sum", "abs", "id", "int", "bool", "getattr"})
NEGATIVE = ast.IsNot | ast.NotEq | ast.NotIn | ast.LtE | ast.GtE  # what they stand for is compared, and negated
OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}
OUTSIDE: dict[type[ast.AST], str] = {
    ast.Lambda: "lambda",
    ast.JoinedStr: "a formatted string",
    ast.Starred: "a starred expression",
    ast.List: "a starred expression",
    ast.Set: "a starred expression",
    ast.Dict: "a dict inside a dict display",
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
    return _make_container(run, site)


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
        case ast.In() | ast.NotIn():
            literal = contains(run, right, left, site)
        case ast.Is() | ast.IsNot() | ast.Eq() | ast.NotEq():
            literal = equal(run, left, right, site, same=isinstance(op, ast.Is | ast.IsNot))
        case _:
            for side in (left, right):
                refuse_unordered(run, side, site)
            one, other = run.numeric(left, site.guard), run.numeric(right, site.guard)
            if isinstance(op, ast.Gt | ast.LtE):  # a > b is b < a, and a <= b is not b < a
                one, other = other, one
            literal = run.algebra.less(one, other)
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
    if not isinstance(owner, Alternatives) or owner.number is not None:
        return _item(run, owner, key, site)
    cases = []
    for atom, literal in owner.atoms.items():
        under = run.prover.possible(run.formula.both(site.guard, literal))
        if atom is None:
            run.reject(under)
        elif under != FALSE:
            cases.append((literal, _item(run, atom, key, site.under(under))))
    return run.algebra.merge(cases)


def _item(run: Run, owner: Value, key: Value, site: Site) -> Value:
    match owner:
        case tuple() if type(key) is int and -len(owner) <= key < len(owner):
            return owner[key]
        case tuple() | list() | ListValue():
            return entry_at(run, owner, key, site.guard)
        case DictValue():
            return item_of(run, owner, key, site)
    return run.refuse(site, f"an item of {describe_value(owner)}")


# -- new containers, written out or made by a comprehension -----------------------------------------------


def _make_container(run: Run, site: Site) -> Value:
    """Return a new container, written out or made by a comprehension."""
    match site.node:
        case (ast.Set(elts=elements) | ast.List(elts=elements)) as node if not _has_star(elements):
            made: SetValue | ListValue = SetValue() if isinstance(node, ast.Set) else ListValue()
            for each in elements:
                put(run, made, run.evaluate(site.at(each)), site)
            return made
        case ast.Dict(keys=keys, values=values) if None not in keys:
            items = DictValue()
            for key, value in zip(keys, values, strict=True):
                assert key is not None
                index = run.evaluate(site.at(key))
                store_item(run, items, index, run.evaluate(site.at(value)), site)
            return items
        case ast.SetComp() | ast.ListComp() | ast.GeneratorExp() as node:
            made = SetValue() if isinstance(node, ast.SetComp) else ListValue()
            for each_round in rounds_of(run, site):
                put(run, made, run.evaluate(each_round), site.under(each_round.guard))
            return made
        case ast.DictComp(value=value):
            items = DictValue()
            for each_round in rounds_of(run, site):
                index = run.evaluate(each_round)
                stored = run.evaluate(each_round.at(value))
                store_item(run, items, index, stored, site.under(each_round.guard))
            return items
    return run.refuse(site, OUTSIDE.get(type(site.node), type(site.node).__name__))


def _has_star(elements: list[ast.expr]) -> bool:
    return any(isinstance(each, ast.Starred) for each in elements)


# -- what must hold becomes clauses rather than literals ---------------------------------------------------


def hold(run: Run, site: Site, *, wanted: bool) -> None:
    """Assert that the expression is true (or false, if that is wanted)."""
    if site.guard == FALSE:
        return
    match site.node:
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            hold(run, site.at(operand), wanted=not wanted)
        case ast.BoolOp(op=op, values=values):
            _hold_bool_op(run, op, values, site, wanted=wanted)
        case ast.IfExp(test=test, body=body, orelse=orelse):
            yes, no = run.branch(site.guard, run.truth(site.at(test)))
            hold(run, Site(site.frame, body, yes), wanted=wanted)
            hold(run, Site(site.frame, orelse, no), wanted=wanted)
        case ast.Compare(ops=[_, _, *_]):
            hold(run, site.at(taken_apart(run, site)), wanted=wanted)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if not isinstance(
            op, ast.In if wanted else ast.NotIn
        ):  # to be in a container is one of many ways, and so no clauses of its own
            _hold_comparison(run, type(op), left, right, site, wanted=wanted)
        case ast.Call(
            func=ast.Name(id=("all" | "any") as name), args=[ast.GeneratorExp() as generator], keywords=[]
        ) if (name == "all") == wanted and name not in site.frame.variables:
            for each_round in rounds_of(run, site.at(generator)):
                hold(run, each_round, wanted=wanted)
        case ast.Call() if wanted:
            call(run, site, assume=True)
        case _:
            literal = run.truth(site)
            run.formula.add(-site.guard, literal if wanted else -literal)


def _hold_bool_op(run: Run, op: ast.boolop, values: list[ast.expr], site: Site, *, wanted: bool) -> None:
    """Assert all operands; or the last one, where those before it do not decide."""
    if isinstance(op, ast.And) == wanted:
        for each in values:
            hold(run, site.at(each), wanted=wanted)
        return
    here = site
    for each in values[:-1]:
        literal = run.truth(here.at(each))
        here = here.under(run.prover.possible(run.formula.both(here.guard, -literal if wanted else literal)))
        if here.guard == FALSE:
            return
    hold(run, here.at(values[-1]), wanted=wanted)


# -- comparisons: clause by clause, for each object whose field is compared ------------------------------


def _hold_comparison(
    run: Run, op: type[ast.cmpop], left: ast.expr, right: ast.expr, site: Site, *, wanted: bool
) -> None:
    if op in (ast.In, ast.NotIn):
        _hold_absence(run, left, right, site)
        return
    lefts, rights = _cases(run, site.at(left)), _cases(run, site.at(right))
    for under_left, one in lefts:
        for under_right, other in rights:
            under = under_left, under_right
            if op in OPPOSITE:
                _hold_order(run, op if wanted else OPPOSITE[op], one, other, site, under)
            else:
                equals = (op in (ast.Eq, ast.Is)) == wanted
                same = op in (ast.Is, ast.IsNot)
                _hold_equality(run, one, other, site, under, equals=equals, same=same)


def _cases(run: Run, site: Site) -> list[tuple[Literal, Value]]:
    """Return the values of an expression, for each object if it is a field."""
    match site.node:
        case ast.Attribute(value=owner, attr=name):
            return attributes_of(run, run.evaluate(site.at(owner)), name, site)
    return [(TRUE, run.evaluate(site))]


def _hold_order(
    run: Run, op: type[ast.cmpop], one: Value, other: Value, site: Site, under: tuple[Literal, Literal]
) -> None:
    """Assert <, <=, > or >=."""
    here = run.formula.both(site.guard, *under)
    if here == FALSE:
        return
    for side in (one, other):
        refuse_unordered(run, side, site)
    small, large = run.numeric(one, here), run.numeric(other, here)
    if op in (ast.Gt, ast.GtE):
        small, large = large, small
    distance = 1 if op in (ast.Lt, ast.Gt) else 0
    for bound in range(min(small.low, large.low), max(small.high, large.high) + 1):
        least, must = small.at_least(bound), large.at_least(bound + distance)
        run.formula.add(-site.guard, -under[0], -under[1], -least, must)


def _hold_equality(
    run: Run, one: Value, other: Value, site: Site, under: tuple[Literal, Literal], *, equals: bool, same: bool
) -> None:
    """Assert that two values are equal (or one object), or are not."""
    unless = -site.guard, -under[0], -under[1]
    if equals and (numbers := _both_numbers(one, other)) is not None:
        first, second = numbers
        for bound in range(min(first.low, second.low), max(first.high, second.high) + 1):
            run.formula.equate(first.at_least(bound), second.at_least(bound), *unless)
        return
    literal = equal(run, one, other, site, same=same)
    run.formula.add(*unless, literal if equals else -literal)


def _hold_absence(run: Run, left: ast.expr, right: ast.expr, site: Site) -> None:
    """Assert that a value is not in a set or dict, key by key."""
    value, container = run.evaluate(site.at(left)), run.evaluate(site.at(right))
    run_waiting_bodies(run, container, site.node)
    match container:
        case SetValue(members=members):
            present = members
        case DictValue(entries=entries):
            present = {key: literal for key, (literal, _) in entries.items()}
        case _:
            run.formula.add(-site.guard, -contains(run, container, value, site))
            return
    for key, literal in keys_of(run, value, site):
        if key in present:
            run.formula.add(-site.guard, -literal, -present[key])


def _both_numbers(one: Value, other: Value) -> tuple[Number, Number] | None:
    """Return both as numbers, if both are numbers and nothing else."""
    found = []
    for value in (one, other):
        if isinstance(value, Alternatives) and not value.atoms and value.number is not None:
            found.append(value.number)
        elif isinstance(value, Number):
            found.append(value)
        elif type(value) is int:
            found.append(Number(value, value, ()))
        else:
            return None
    return found[0], found[1]
