"""What must hold becomes clauses rather than literals: clause by clause, for each object whose field is compared."""

from __future__ import annotations

import ast

from unlike.invariants.compile.calls import call
from unlike.invariants.compile.comparing import equal, is_numeric
from unlike.invariants.compile.containers import contains, keys_of
from unlike.invariants.compile.expressions import taken_apart
from unlike.invariants.compile.formula import FALSE, TRUE, Literal
from unlike.invariants.compile.names import attributes_of, rounds_of
from unlike.invariants.compile.ordering import ordered
from unlike.invariants.compile.recursion import run_waiting_bodies
from unlike.invariants.compile.run import Run, Site
from unlike.invariants.compile.values import Alternatives, DictValue, Number, SetValue, Value

OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt}


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
        case ast.Compare(ops=[_, _, *_]) if (parts := taken_apart(site.node)) is not None:
            hold(run, site.at(parts), wanted=wanted)
        case ast.Compare(ops=[_, _, *_]):
            _hold_value(run, site, wanted=wanted)
        case ast.Compare(left=left, ops=[op], comparators=[right]) if not isinstance(
            op, ast.In if wanted else ast.NotIn
        ):  # to be in a container is one of many ways, and so no clauses of its own
            _hold_comparison(run, type(op), left, right, site, wanted=wanted)
        case ast.Call(
            func=ast.Name(id=("all" | "any") as name), args=[ast.GeneratorExp() as generator], keywords=[]
        ) if (name == "all") == wanted and not site.frame.has_own(name):

            def hold_round(each_round: Site) -> Literal:
                hold(run, each_round.under(run.alive(each_round.guard)), wanted=wanted)
                return each_round.guard

            rounds_of(run, site.at(generator), hold_round)
        case ast.Call() if wanted:
            call(run, site, assume=True)
        case _:
            _hold_value(run, site, wanted=wanted)


def _hold_value(run: Run, site: Site, *, wanted: bool) -> None:
    literal = run.truth(site)
    run.formula.add(-run.alive(site.guard), literal if wanted else -literal)


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
            if op in OPPOSITE and is_numeric(one) and is_numeric(other):
                _hold_order(run, op if wanted else OPPOSITE[op], one, other, site, under)
            elif op in OPPOSITE:
                here = run.prover.possible(run.formula.both(site.guard, *under))
                if here != FALSE:
                    literal = ordered(run, op, one, other, site.under(here))
                    run.formula.add(-run.alive(here), literal if wanted else -literal)
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
    small, large = run.numeric(one, here), run.numeric(other, here)
    if op in (ast.Gt, ast.GtE):
        small, large = large, small
    distance = 1 if op in (ast.Lt, ast.Gt) else 0
    unless = -run.alive(site.guard)
    for bound in range(min(small.low, large.low), max(small.high, large.high) + 1):
        least, must = small.at_least(bound), large.at_least(bound + distance)
        run.formula.add(unless, -under[0], -under[1], -least, must)


def _hold_equality(
    run: Run, one: Value, other: Value, site: Site, under: tuple[Literal, Literal], *, equals: bool, same: bool
) -> None:
    """Assert that two values are equal (or one object), or are not."""
    unless = -run.alive(site.guard), -under[0], -under[1]
    if equals and (numbers := _both_numbers(one, other)) is not None:
        first, second = numbers
        for bound in range(min(first.low, second.low), max(first.high, second.high) + 1):
            run.formula.equate(first.at_least(bound), second.at_least(bound), *unless)
        return
    here = run.prover.possible(run.formula.both(site.guard, *under))
    if here == FALSE:
        return
    literal = equal(run, one, other, site.under(here), same=same)
    run.formula.add(-run.alive(site.guard), *unless[1:], literal if equals else -literal)


def _hold_absence(run: Run, left: ast.expr, right: ast.expr, site: Site) -> None:
    """Assert that a value is not in a set or dict, key by key."""
    value, container = run.evaluate(site.at(left)), run.evaluate(site.at(right))
    run_waiting_bodies(run, container, site.node)
    site = site.under(run.alive(site.guard))
    match container:
        case SetValue(members=members):
            present = members
        case DictValue(entries=entries):
            present = {key: literal for key, (literal, _) in entries.items()}
        case _:
            literal = contains(run, container, value, site)
            run.formula.add(-run.alive(site.guard), -literal)
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
