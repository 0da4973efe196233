"""Operators on numbers, and what has no order."""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable

from unlike.invariants.clauses.formula import FALSE, Literal
from unlike.invariants.clauses.running.machine import Frame, Machine
from unlike.invariants.clauses.values import (
    Choice,
    Container,
    DictValue,
    ListValue,
    Number,
    Range,
    SetValue,
    Thing,
    Truth,
    Value,
    is_atom,
)

POINTWISE = 1_000  # pairs of ints for which an operator is tabulated

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


class Operators:
    """Evaluates operators."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.formula = machine.formula
        self.algebra = machine.algebra

    def combine(
        self, op: ast.operator, left: Value, right: Value, frame: Frame, node: ast.AST, guard: Literal
    ) -> Value:
        """Return what an operator on numbers gives."""
        function = OPERATORS.get(type(op))
        if function is None:
            self.machine.refuse(frame, node, f"the operator {type(op).__name__}")
        for side in (left, right):
            if not is_numeric(side):
                self.machine.refuse(frame, node, f"the operator {type(op).__name__} on {shown(side)}")
        if type(left) is int and type(right) is int and (right != 0 or not isinstance(op, ast.FloorDiv | ast.Mod)):
            if isinstance(op, ast.LShift | ast.RShift) and not 0 <= right <= 64:
                self.machine.refuse(frame, node, "a shift by so much")
            return function(left, right)
        one, other = self.machine.numeric(left, guard), self.machine.numeric(right, guard)
        if isinstance(op, ast.Add):
            return self.algebra.sum_of(one, other)
        if isinstance(op, ast.Sub):
            return self.algebra.sum_of(one, other.negated())
        if isinstance(op, ast.BitAnd | ast.BitOr | ast.BitXor) and not all(
            isinstance(s, Number | int) for s in (left, right)
        ):
            self.machine.refuse(frame, node, f"the operator {type(op).__name__} on bools")
        return self.tabulated(function, one, other, frame, node, guard)

    def tabulated(
        self,
        function: Callable[[int, int], int],
        one: Number,
        other: Number,
        frame: Frame,
        node: ast.AST,
        guard: Literal,
    ) -> Value:
        """Return an operator's results for every two ints; what raises is an exception."""
        exactly, both = self.algebra.is_exactly, self.formula.both
        if (one.high - one.low + 1) * (other.high - other.low + 1) > POINTWISE:
            self.machine.refuse(frame, node, "an operator other than + and - on numbers of so wide a range")
        cases: list[tuple[Literal, Value]] = []
        for left in range(one.low, one.high + 1):
            for right in range(other.low, other.high + 1):
                literal = both(exactly(one, left), exactly(other, right))
                if literal == FALSE:
                    continue
                try:
                    cases.append((literal, function(left, right)))
                except (ZeroDivisionError, ValueError):
                    self.machine.reject(guard, literal)
        return self.algebra.merge(cases) if cases else 0

    def refuse_unordered(self, value: Value, frame: Frame, node: ast.AST) -> None:
        """Refuse to order what is not a number: strings and enums may have an order of their own, objects, too."""
        if isinstance(value, tuple | Range | ListValue | SetValue | DictValue):
            self.machine.refuse(frame, node, f"< or > on {shown(value)}")
        if isinstance(value, Choice) or not isinstance(value, Number | Truth | int):
            for atom in self.algebra.choice(value).atoms:
                has_order = isinstance(atom, Thing) and _defines(atom.cls, "__lt__")
                if has_order or not (atom is None or isinstance(atom, bool | Thing)):
                    self.machine.refuse(frame, node, f"< or > on {shown(atom)}")


def _defines(cls: type, name: str) -> bool:
    """Tell whether a class has a method of its own where `object` has a usual one, or none."""
    return getattr(cls, name, None) is not getattr(object, name, None)


def is_numeric(value: Value) -> bool:
    """Tell whether arithmetic on the value is arithmetic on ints, or an exception."""
    if value is None or isinstance(value, Number | Truth) or type(value) in (int, bool):
        return True
    return isinstance(value, Choice) and all(atom is None or isinstance(atom, bool) for atom in value.atoms)


def shown(value: Value) -> str:
    """Return what a value is called in a message."""
    names: dict[type, str] = {
        SetValue: "a set",
        DictValue: "a dict",
        ListValue: "a list",
        Range: "a range",
        Choice: "one of several things",
        Number: "a number",
        Truth: "a bool",
    }
    if isinstance(value, Thing):
        return f"a {value.cls.__name__}"
    return names.get(
        type(value),
        f"{value!r}" if is_atom(value) and not isinstance(value, Container) else f"a {type(value).__name__}",
    )
