"""What an expression must be, asserted: conditions of the invariant become clauses rather than literals."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from unlike.invariants.clauses.formula import FALSE, TRUE, Literal
from unlike.invariants.clauses.running.expressions import Expressions, chained
from unlike.invariants.clauses.running.machine import Frame, Machine
from unlike.invariants.clauses.values import Choice, DictValue, Number, SetValue, Value

if TYPE_CHECKING:
    from unlike.invariants.clauses.calling.calls import Calls

OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
}


class Assuming:
    """Asserts expressions."""

    calls: Calls

    def __init__(self, machine: Machine, expressions: Expressions) -> None:
        self.machine = machine
        self.formula = machine.formula
        self.prover = machine.prover
        self.expressions = expressions

    def hold(self, node: ast.expr, frame: Frame, guard: Literal, *, wanted: bool) -> None:
        """Assert that the expression is true (or false, if that is wanted) under the guard."""
        if guard == FALSE:
            return
        match node:
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                self.hold(operand, frame, guard, wanted=not wanted)
            case ast.BoolOp():
                self.bool_op(node, frame, guard, wanted=wanted)
            case ast.IfExp(test=test, body=body, orelse=orelse):
                literal = self.expressions.truth(test, frame, guard)
                both, possible = self.formula.both, self.prover.possible
                yes, no = possible(both(guard, literal)), possible(both(guard, -literal))
                self.hold(body, frame, yes, wanted=wanted)
                self.hold(orelse, frame, no, wanted=wanted)
            case ast.Compare(ops=[_, _, *_]):
                self.expressions.refuse_effects(node, frame)
                self.hold(chained(node), frame, guard, wanted=wanted)
            case ast.Compare() if self.comparison(node, frame, guard, wanted=wanted):
                pass
            case ast.Call() if self.call(node, frame, guard, wanted=wanted):
                pass
            case _:
                literal = self.expressions.truth(node, frame, guard)
                self.formula.add(-guard, literal if wanted else -literal)

    def bool_op(self, node: ast.BoolOp, frame: Frame, guard: Literal, *, wanted: bool) -> None:
        """Assert all operands; or the last one, where those before it do not decide."""
        if isinstance(node.op, ast.And) == wanted:
            for each in node.values:
                self.hold(each, frame, guard, wanted=wanted)
            return
        here = guard
        for each in node.values[:-1]:
            literal = self.expressions.truth(each, frame, here)
            here = self.prover.possible(self.formula.both(here, -literal if wanted else literal))
            if here == FALSE:
                return
        self.hold(node.values[-1], frame, here, wanted=wanted)

    def call(self, node: ast.Call, frame: Frame, guard: Literal, *, wanted: bool) -> bool:
        """Assert what a call gives, if that can be done inside it; say whether it was done."""
        match node:
            case ast.Call(func=ast.Name(id=("all" | "any") as name), args=[ast.GeneratorExp() as rounds], keywords=[]):
                if (name == "all") != wanted or name in frame.variables:
                    return False
                for under, element, inner in self.expressions.generated(rounds, frame, guard):
                    self.hold(element, inner, under, wanted=wanted)
                return True
        if not wanted:
            return False
        return self.calls.assert_call(node, frame, guard)

    # -- comparisons ---------------------------------------------------------------------------------

    def comparison(self, node: ast.Compare, frame: Frame, guard: Literal, *, wanted: bool) -> bool:
        """Assert a comparison clause by clause, for each object whose field is compared; say whether it was done."""
        op = type(node.ops[0])
        left, right = node.left, node.comparators[0]
        if op in OPPOSITE:
            self.order(op if wanted else OPPOSITE[op], left, right, frame, node, guard)
            return True
        if op in (ast.Eq, ast.Is, ast.NotEq, ast.IsNot):
            same = op in (ast.Is, ast.IsNot)
            equal = (op in (ast.Eq, ast.Is)) == wanted
            self.equality(left, right, frame, node, guard, equal=equal, same=same)
            return True
        if (op is ast.In) == wanted:
            return False
        return self.absence(left, right, frame, node, guard)

    def cases(self, node: ast.expr, frame: Frame, guard: Literal) -> list[tuple[Literal, Value]]:
        """Return the values of an expression, for each object if it is a field."""
        if isinstance(node, ast.Attribute):
            return self.expressions.attributes(node, frame, guard)
        return [(TRUE, self.expressions.evaluate(node, frame, guard))]

    def order(
        self, op: type[ast.cmpop], left: ast.expr, right: ast.expr, frame: Frame, node: ast.AST, guard: Literal
    ) -> None:
        """Assert <, <=, > or >=."""
        lefts, rights = self.cases(left, frame, guard), self.cases(right, frame, guard)
        for under_left, one in lefts:
            for under_right, other in rights:
                here = self.formula.both(guard, under_left, under_right)
                if here == FALSE:
                    continue
                for side in (one, other):
                    self.expressions.operators.refuse_unordered(side, frame, node)
                small, large = self.machine.numeric(one, here), self.machine.numeric(other, here)
                if op in (ast.Gt, ast.GtE):
                    small, large = large, small
                distance = 1 if op in (ast.Lt, ast.Gt) else 0
                for bound in range(min(small.low, large.low), max(small.high, large.high) + 1):
                    least, must = small.at_least(bound), large.at_least(bound + distance)
                    self.formula.add(-guard, -under_left, -under_right, -least, must)

    def equality(
        self, left: ast.expr, right: ast.expr, frame: Frame, node: ast.AST, guard: Literal, *, equal: bool, same: bool
    ) -> None:
        """Assert that two expressions are equal (or one object), or are not."""
        lefts, rights = self.cases(left, frame, guard), self.cases(right, frame, guard)
        for under_left, one in lefts:
            for under_right, other in rights:
                unless = -guard, -under_left, -under_right
                if equal and (numbers := _numbers(one, other)) is not None:
                    first, second = numbers
                    for bound in range(min(first.low, second.low), max(first.high, second.high) + 1):
                        self.formula.equate(first.at_least(bound), second.at_least(bound), *unless)
                    continue
                literal = self.machine.equal(one, other, frame, node, same=same)
                self.formula.add(*unless, literal if equal else -literal)

    def absence(self, left: ast.expr, right: ast.expr, frame: Frame, node: ast.AST, guard: Literal) -> bool:
        """Assert that a value is not in a set or dict, key by key."""
        value = self.expressions.evaluate(left, frame, guard)
        container = self.expressions.evaluate(right, frame, guard)
        self.calls.settle(container, node)
        match container:
            case SetValue(members=members):
                present = members
            case DictValue(entries=entries):
                present = {key: literal for key, (literal, _) in entries.items()}
            case _:
                literal = self.expressions.containers.contains(container, value, guard=guard, at=(frame, node))
                self.formula.add(-guard, -literal)
                return True
        for key, literal in self.expressions.containers.keys(value, frame, node):
            if key in present:
                self.formula.add(-guard, -literal, -present[key])
        return True


def _numbers(one: Value, other: Value) -> tuple[Number, Number] | None:
    """Return both as numbers, if both are numbers and nothing else."""
    found = []
    for value in (one, other):
        if isinstance(value, Choice) and not value.atoms and value.number is not None:
            found.append(value.number)
        elif isinstance(value, Number):
            found.append(value)
        elif type(value) is int:
            found.append(Number(value, value, ()))
        else:
            return None
    return found[0], found[1]
