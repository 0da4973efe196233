"""Expressions: from a syntax tree and a guard to a value."""

from __future__ import annotations

import ast
import enum
import types
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from unlike.invariants.clauses.formula import FALSE, TRUE, Literal
from unlike.invariants.clauses.program import global_of, member_of
from unlike.invariants.clauses.running.containers import Containers
from unlike.invariants.clauses.running.machine import Frame, Machine
from unlike.invariants.clauses.running.operators import Operators, shown
from unlike.invariants.clauses.values import (
    Choice,
    DictValue,
    ListValue,
    SetValue,
    Thing,
    Truth,
    Value,
)

if TYPE_CHECKING:
    from unlike.invariants.clauses.calling.calls import Calls
    from unlike.invariants.clauses.running.statements import Statements


HARMLESS = frozenset({"len", "min", "max", "sum", "abs", "id", "int", "bool", "getattr"})


class Expressions:
    """Evaluates expressions."""

    calls: Calls
    statements: Statements

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.formula = machine.formula
        self.prover = machine.prover
        self.algebra = machine.algebra
        self.containers = Containers(machine)
        self.operators = Operators(machine)

    def truth(self, node: ast.expr, frame: Frame, guard: Literal) -> Literal:
        """Return whether an expression is true, without making its value where that is not needed."""
        both, either, possible = self.formula.both, self.formula.either, self.prover.possible
        match node:
            case ast.BoolOp(op=op, values=values):
                conjunction = isinstance(op, ast.And)
                known = TRUE if conjunction else FALSE
                here = guard
                for each in values:
                    part = self.truth(each, frame, here)
                    known = both(known, part) if conjunction else either(known, part)
                    here = possible(both(guard, known if conjunction else -known))
                    if here == FALSE:
                        break
                return known
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                return -self.truth(operand, frame, guard)
            case ast.Compare(ops=[_, _, *_]):
                self.refuse_effects(node, frame)
                return self.truth(chained(node), frame, guard)
        return self.machine.truth(self.evaluate(node, frame, guard), frame, node)

    def evaluate(self, node: ast.expr, frame: Frame, guard: Literal) -> Value:
        """Return the value of an expression."""
        self.machine.step()
        match node:
            case ast.Constant(value=value):
                return self.constant(value, frame, node)
            case ast.Name(id=name):
                return self.name(name, frame, node, guard)
            case ast.Attribute():
                return self.algebra.merge(self.attributes(node, frame, guard))
            case ast.Call():
                return self.calls.call(node, frame, guard)
            case ast.Compare():
                return self.comparison(node, frame, guard)
            case ast.BoolOp():
                return self.bool_op(node, frame, guard)
            case ast.UnaryOp():
                return self.unary(node, frame, guard)
            case ast.BinOp(left=left, op=op, right=right):
                first, second = self.evaluate(left, frame, guard), self.evaluate(right, frame, guard)
                if isinstance(op, ast.BitOr) and isinstance(first, type | tuple) and isinstance(second, type):
                    return (*first, second) if isinstance(first, tuple) else (first, second)  # for isinstance
                return self.operators.combine(op, first, second, frame, node, guard)
            case ast.IfExp():
                return self.if_expression(node, frame, guard)
            case ast.Tuple(elts=elements):
                return tuple(self.evaluate(each, frame, guard) for each in elements)
            case ast.Subscript(value=owner, slice=index):
                return self.subscript(node, self.evaluate(owner, frame, guard), index, frame, guard)
            case ast.NamedExpr(target=target, value=value):
                result = self.evaluate(value, frame, guard)
                self.machine.assign(frame, target.id, result, guard)
                return result
        return self.display(node, frame, guard)

    def refuse_effects(self, node: ast.Compare, frame: Frame) -> None:
        """Refuse a chain of comparisons whose middle does something: it is evaluated for both its neighbours."""
        for side in node.comparators[:-1]:
            if any(_may_do_something(each) for each in ast.walk(side)):
                self.machine.refuse(frame, node, "a call in the middle of a chain of comparisons")

    def display(self, node: ast.expr, frame: Frame, guard: Literal) -> Value:
        """Return a new container, written out or made by a comprehension."""
        at = frame, node
        match node:
            case ast.Set(elts=elements) if not _starred(elements):
                members = SetValue()
                for each in elements:
                    self.containers.add(members, self.evaluate(each, frame, guard), guard, at=at)
                return members
            case ast.List(elts=elements) if not _starred(elements):
                entries = ListValue()
                for each in elements:
                    self.containers.append(entries, self.evaluate(each, frame, guard), guard)
                return entries
            case ast.Dict(keys=keys, values=values) if None not in keys:
                items = DictValue()
                for key, value in zip(keys, values, strict=True):
                    assert key is not None
                    index = self.evaluate(key, frame, guard)
                    self.containers.store(items, index, self.evaluate(value, frame, guard), guard=guard, at=at)
                return items
            case ast.SetComp() | ast.ListComp() | ast.GeneratorExp():
                made: SetValue | ListValue = SetValue() if isinstance(node, ast.SetComp) else ListValue()
                for under, element, inner in self.generated(node, frame, guard):
                    value = self.evaluate(element, inner, under)
                    self.put(made, value, under, at=at)
                return made
            case ast.DictComp(key=key, value=value):
                items = DictValue()
                for under, _, inner in self.generated(node, frame, guard):
                    index = self.evaluate(key, inner, under)
                    self.containers.store(items, index, self.evaluate(value, inner, under), guard=under, at=at)
                return items
        return self.machine.refuse(frame, node, _EXPRESSIONS.get(type(node), type(node).__name__))

    def put(self, target: SetValue | ListValue, value: Value, guard: Literal, *, at: tuple[Frame, ast.AST]) -> None:
        """Add a value to a set, or append it to a list."""
        if isinstance(target, SetValue):
            self.containers.add(target, value, guard, at=at)
        else:
            self.containers.append(target, value, guard)

    def generated(
        self,
        node: ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp,
        frame: Frame,
        guard: Literal,
        *,
        still: Callable[[], Literal] = lambda: TRUE,
    ) -> Iterator[tuple[Literal, ast.expr, Frame]]:
        """Yield each round of a comprehension: its guard, the element, and the frame with its variables.

        `still` says whether more rounds are asked for.
        """
        element = node.key if isinstance(node, ast.DictComp) else node.elt
        if any(isinstance(each, ast.NamedExpr) for each in ast.walk(node)):
            self.machine.refuse(frame, node, ":= inside a comprehension")
        both, possible = self.formula.both, self.prover.possible

        def rounds(depth: int, outer: Frame, here: Literal) -> Iterator[tuple[Literal, ast.expr, Frame]]:
            if depth == len(node.generators):
                yield here, element, outer
                return
            generator = node.generators[depth]
            source = self.evaluate(generator.iter, outer, here)
            for present, value in self.containers.items(source, here, at=(frame, node)):
                under = possible(both(here, present, still()))
                if under == FALSE:
                    continue
                inner = Frame(frame.function, dict(outer.variables), assume=False, entry=under)
                self.statements.assign(generator.target, value, inner, under)
                for condition in generator.ifs:
                    under = possible(both(under, self.truth(condition, inner, under))) if under != FALSE else FALSE
                if under != FALSE:
                    yield from rounds(depth + 1, inner, under)

        yield from rounds(0, frame, guard)

    # -- names and attributes ------------------------------------------------------------------------

    def constant(self, value: object, frame: Frame, node: ast.AST) -> Value:
        """Return a constant of the source, or of a module or class."""
        if value is None or isinstance(value, bool | int | str | type | range | tuple | frozenset):
            return value
        if isinstance(value, enum.Enum):
            return value
        return self.machine.refuse(frame, node, f"a {type(value).__name__}")

    def name(self, name: str, frame: Frame, node: ast.AST, guard: Literal) -> Value:
        """Return the value of a variable, or what the name stands for in the module."""
        if name in frame.variables:
            return self.machine.read(frame, name, guard)
        if name in frame.function.source.__code__.co_varnames:  # a variable that has no value yet
            self.machine.reject(guard)
            return None
        try:
            value = global_of(frame.function, name)
        except (KeyError, ValueError):
            self.machine.reject(guard)
            return None
        if isinstance(value, list | set | dict):
            return value
        return self.constant(value, frame, node)

    def attributes(self, node: ast.Attribute, frame: Frame, guard: Literal) -> list[tuple[Literal, Value]]:
        """Return what an attribute is for each object that its owner can be."""
        owner = self.evaluate(node.value, frame, guard)
        return self.attributes_of(owner, node.attr, frame, node, guard)

    def attributes_of(
        self, owner: Value, name: str, frame: Frame, node: ast.AST, guard: Literal
    ) -> list[tuple[Literal, Value]]:
        """Return an attribute for each object that the owner can be; None has none, which is an exception."""
        if isinstance(owner, type):
            return [(TRUE, self.of_class(owner, name, frame, node))]
        owner = self.machine.narrowed(owner, guard) if isinstance(owner, Choice) else owner
        whole = self.algebra.choice(owner)
        if whole.number is not None:
            self.machine.refuse(frame, node, f"the attribute {name!r} of a number")
        alone = len(whole.atoms) == 1
        cases: list[tuple[Literal, Value]] = []
        for atom, literal in whole.atoms.items():
            if -literal in self.formula.units:
                continue
            if atom is None:
                self.machine.reject(guard, literal)
            elif isinstance(atom, Thing):
                cases.append(
                    (literal, self.attribute(atom, name, frame, node, self.formula.both(guard, literal), alone))
                )
            elif isinstance(atom, enum.Enum) and name in ("value", "name"):
                cases.append((literal, self.constant(getattr(atom, name), frame, node)))
            else:
                self.machine.refuse(frame, node, f"the attribute {name!r} of {shown(atom)}")
        return cases

    def attribute(self, thing: Thing, name: str, frame: Frame, node: ast.AST, guard: Literal, alone: bool) -> Value:
        """Return an attribute of one object: a field, a property, or a constant of its class."""
        if (thing, name) in self.machine.heap.fields:
            return self.machine.field(thing, name, alone=alone)
        found = member_of(thing.cls, name)
        if isinstance(found, property) and isinstance(found.fget, types.FunctionType):
            return self.calls.run_source(found.fget, [thing], frame, node, guard)
        if name == "__class__":
            return thing.cls
        return self.of_class(thing.cls, name, frame, node)

    def of_class(self, cls: type, name: str, frame: Frame, node: ast.AST) -> Value:
        """Return a constant of a class, or a member of an enum."""
        found = member_of(cls, name)
        if isinstance(cls, enum.EnumType) and name in cls.__members__:
            return cls.__members__[name]
        if name == "__name__":
            return cls.__name__
        if found is None and not hasattr(cls, name):
            self.machine.refuse(
                frame, node, f"the attribute {name!r} of {cls.__name__}, which is no field of the scope"
            )
        return self.constant(found, frame, node)

    def subscript(self, node: ast.Subscript, owner: Value, index: ast.expr, frame: Frame, guard: Literal) -> Value:
        """Return an item of a tuple, list or dict."""
        if isinstance(index, ast.Slice):
            self.machine.refuse(frame, node, "a slice")
        key = self.evaluate(index, frame, guard)
        match owner:
            case tuple() if type(key) is int and -len(owner) <= key < len(owner):
                return owner[key]
            case tuple() | list():
                whole = ListValue(entries=[(TRUE, each) for each in owner], queue=None, dense=True)
                return self.containers.at(whole, key, guard)
            case ListValue():
                return self.containers.at(owner, key, guard)
            case DictValue():
                return self.containers.item(owner, key, guard=guard, at=(frame, node))
            case Choice(atoms=atoms, number=None):
                cases = []
                for atom, literal in atoms.items():
                    under = self.prover.possible(self.formula.both(guard, literal))
                    if under == FALSE:
                        continue
                    if isinstance(atom, ListValue):
                        cases.append((literal, self.containers.at(atom, key, under)))
                    elif isinstance(atom, DictValue):
                        cases.append((literal, self.containers.item(atom, key, guard=under, at=(frame, node))))
                    elif atom is None:
                        self.machine.reject(under)
                    else:
                        self.machine.refuse(frame, node, f"an item of {shown(atom)}")
                return self.algebra.merge(cases)
        return self.machine.refuse(frame, node, f"an item of {shown(owner)}")

    # -- operators -----------------------------------------------------------------------------------

    def comparison(self, node: ast.Compare, frame: Frame, guard: Literal) -> Value:
        """Return the bool that a comparison gives."""
        if len(node.ops) > 1:
            return Truth(self.truth(node, frame, guard))
        left = self.evaluate(node.left, frame, guard)
        right = self.evaluate(node.comparators[0], frame, guard)
        self.calls.settle(right, node)
        return Truth(self.compared(node.ops[0], left, right, frame, node, guard))

    def compared(
        self, op: ast.cmpop, left: Value, right: Value, frame: Frame, node: ast.AST, guard: Literal
    ) -> Literal:
        """Return whether a comparison holds."""
        machine = self.machine
        match op:
            case ast.Is():
                return machine.equal(left, right, frame, node, same=True)
            case ast.IsNot():
                return -machine.equal(left, right, frame, node, same=True)
            case ast.Eq():
                return machine.equal(left, right, frame, node)
            case ast.NotEq():
                return -machine.equal(left, right, frame, node)
            case ast.In():
                return self.containers.contains(right, left, guard=guard, at=(frame, node))
            case ast.NotIn():
                return -self.containers.contains(right, left, guard=guard, at=(frame, node))
        for side in (left, right):
            self.operators.refuse_unordered(side, frame, node)
        one, other = machine.numeric(left, guard), machine.numeric(right, guard)
        match op:
            case ast.Lt():
                return self.algebra.less(one, other)
            case ast.Gt():
                return self.algebra.less(other, one)
            case ast.LtE():
                return -self.algebra.less(other, one)
            case _:
                return -self.algebra.less(one, other)

    def bool_op(self, node: ast.BoolOp, frame: Frame, guard: Literal) -> Value:
        """Return what `and` and `or` give: the operand that decides."""
        both = self.formula.both
        conjunction = isinstance(node.op, ast.And)
        parts: list[tuple[Literal, Value]] = []
        here = guard
        for each in node.values:
            value = self.evaluate(each, frame, here)
            true = self.machine.truth(value, frame, each)
            parts.append((true if conjunction else -true, value))  # whether the next operand is looked at
            here = self.prover.possible(both(here, parts[-1][0]))
            if here == FALSE:
                break
        cases, before = [], TRUE
        for position, (goes_on, value) in enumerate(parts):
            last = position == len(parts) - 1
            cases.append((before if last else both(before, -goes_on), value))
            before = both(before, goes_on)
        return self.algebra.merge(cases)

    def if_expression(self, node: ast.IfExp, frame: Frame, guard: Literal) -> Value:
        """Return one of two values."""
        both, possible = self.formula.both, self.prover.possible
        test = self.truth(node.test, frame, guard)
        yes, no = possible(both(guard, test)), possible(both(guard, -test))
        if no == FALSE:
            return self.evaluate(node.body, frame, guard)
        if yes == FALSE:
            return self.evaluate(node.orelse, frame, guard)
        first = self.evaluate(node.body, frame, yes)
        return self.algebra.merge([(test, first), (-test, self.evaluate(node.orelse, frame, no))])

    def unary(self, node: ast.UnaryOp, frame: Frame, guard: Literal) -> Value:
        """Return what `not`, - and + give."""
        if isinstance(node.op, ast.Not):
            return Truth(-self.truth(node.operand, frame, guard))
        value = self.evaluate(node.operand, frame, guard)
        if isinstance(node.op, ast.USub):
            return -value if type(value) is int else self.machine.numeric(value, guard).negated()
        if isinstance(node.op, ast.UAdd):
            return self.machine.numeric(value, guard)
        return self.machine.refuse(frame, node, "the operator ~")


def chained(node: ast.Compare) -> ast.BoolOp:
    """Return a < b < c as a < b and b < c."""
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


def _starred(elements: list[ast.expr]) -> bool:
    return any(isinstance(each, ast.Starred) for each in elements)


_EXPRESSIONS: dict[type[ast.expr], str] = {
    ast.Lambda: "lambda",
    ast.JoinedStr: "a formatted string",
    ast.Starred: "a starred expression",
    ast.List: "a starred expression",
    ast.Set: "a starred expression",
    ast.Dict: "a dict inside a dict display",
}
