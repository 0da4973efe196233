"""Calls: which function is meant, with which arguments, and its run in place."""

from __future__ import annotations

import ast
import types
from collections.abc import Sequence
from typing import Any

from unlike.invariants.clauses.calling.builtin_calls import BuiltinCalls
from unlike.invariants.clauses.calling.recursion import Recursion
from unlike.invariants.clauses.formula import FALSE, TRUE, Literal
from unlike.invariants.clauses.program import Function, global_of, member_of
from unlike.invariants.clauses.running.assuming import Assuming
from unlike.invariants.clauses.running.expressions import Expressions
from unlike.invariants.clauses.running.machine import Frame, Machine
from unlike.invariants.clauses.running.statements import Statements
from unlike.invariants.clauses.values import (
    Choice,
    Container,
    Thing,
    UnsupportedError,
    Value,
)


class Calls:
    """Runs functions."""

    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.formula = machine.formula
        self.prover = machine.prover
        self.algebra = machine.algebra
        self.expressions = Expressions(machine)
        self.assuming = Assuming(machine, self.expressions)
        self.statements = Statements(machine, self.expressions, self.assuming)
        self.builtins = BuiltinCalls(machine, self.expressions)
        self.expressions.calls = self.assuming.calls = self
        self.expressions.statements = self.statements
        self.classes = tuple(machine.heap.things)
        self.recursion = Recursion(machine, self)
        self._analysed: set[Function] = set()

    # -- from a call to a function -------------------------------------------------------------------

    def call(self, node: ast.Call, frame: Frame, guard: Literal) -> Value:
        """Return what a call gives."""
        function = node.func
        if isinstance(function, ast.Name) and function.id not in frame.variables:
            return self.call_name(function.id, node, frame, guard)
        if not isinstance(function, ast.Attribute):
            return self.machine.refuse(frame, node, f"a call of {ast.unparse(function)}")
        module = self.module_function(function, frame)
        if module is not None:
            return self.call_function(module, node, frame, guard)
        owner = self.expressions.evaluate(function.value, frame, guard)
        return self.call_method(owner, function.attr, node, frame, guard)

    def call_name(self, name: str, node: ast.Call, frame: Frame, guard: Literal) -> Value:
        """Call what a name of the module stands for."""
        try:
            found = global_of(frame.function, name)
        except (KeyError, ValueError):
            self.machine.reject(guard)
            return None
        return self.call_function(found, node, frame, guard)

    def call_function(self, found: Any, node: ast.Call, frame: Frame, guard: Literal) -> Value:
        """Call a function: the user's, or one of Python's own."""
        if isinstance(found, types.FunctionType):
            arguments, keywords = self.arguments(node, frame, guard)
            function = self.function(found)
            return self.invoke(function, self.bound(function, arguments, keywords, frame, node), guard, assume=False)
        if getattr(found, "__module__", None) in ("builtins", "collections"):
            return self.builtins.call(found, node, frame, guard)
        return self.machine.refuse(frame, node, f"a call of {ast.unparse(node.func)}")

    def module_function(self, function: ast.Attribute, frame: Frame) -> Any:
        """Return what `module.name` stands for, if the left side is a module."""
        if not isinstance(function.value, ast.Name) or function.value.id in frame.variables:
            return None
        try:
            module = global_of(frame.function, function.value.id)
        except (KeyError, ValueError):
            return None
        return getattr(module, function.attr, None) if isinstance(module, types.ModuleType) else None

    def call_method(self, owner: Value, name: str, node: ast.Call, frame: Frame, guard: Literal) -> Value:
        """Call a method of each object that the owner can be."""
        if isinstance(owner, Container):
            return self.builtins.method(owner, name, node, frame, guard)
        if isinstance(owner, type):
            found = member_of(owner, name)
            return self.call_function(found, node, frame, guard)
        whole = self.algebra.choice(owner)
        if whole.number is not None:
            self.machine.refuse(frame, node, f"the method {name} of a number")
        cases: list[tuple[Literal, Value]] = []
        for function, things in self.dispatched(whole, name, node, frame, guard).items():
            literal = self.formula.either(*things.values())
            here = self.prover.possible(self.formula.both(guard, literal))
            if here == FALSE:
                continue
            if isinstance(function, Container):
                cases.append((literal, self.builtins.method(function, name, node, frame, here)))
                continue
            arguments, keywords = self.arguments(node, frame, here)
            receiver = next(iter(things)) if len(things) == 1 else Choice(things)
            bound = self.bound(function, [receiver, *arguments], keywords, frame, node)
            cases.append((literal, self.invoke(function, bound, here, assume=False)))
        return self.algebra.merge(cases)

    def dispatched(
        self, whole: Choice, name: str, node: ast.Call, frame: Frame, guard: Literal
    ) -> dict[Any, dict[Any, Literal]]:
        """Return for each function (or container) that a method call can mean the receivers it is for."""
        found: dict[Any, dict[Any, Literal]] = {}
        for atom, literal in whole.atoms.items():
            if -literal in self.formula.units:
                continue
            if atom is None:
                self.machine.reject(guard, literal)
            elif isinstance(atom, Container):
                found[atom] = {atom: literal}
            elif isinstance(atom, Thing) and isinstance(source := member_of(atom.cls, name), types.FunctionType):
                found.setdefault(self.function(source), {})[atom] = literal
            else:
                self.machine.refuse(frame, node, f"the method {name}")
        return found

    def function(self, source: types.FunctionType) -> Function:
        """Return the function, read and looked through."""
        function = self.machine.program.function(source)
        if function not in self._analysed:
            self._analysed.add(function)
            self.machine.program.analyse(function, self.classes)
        return function

    def arguments(self, node: ast.Call, frame: Frame, guard: Literal) -> tuple[list[Value], dict[str, Value]]:
        """Return the arguments of a call, evaluated."""
        arguments: list[Value] = []
        for each in node.args:
            if isinstance(each, ast.Starred):
                value = self.expressions.evaluate(each.value, frame, guard)
                if not isinstance(value, tuple):
                    self.machine.refuse(frame, node, "a starred argument that is no tuple")
                arguments.extend(value)
            else:
                arguments.append(self.expressions.evaluate(each, frame, guard))
        keywords: dict[str, Value] = {}
        for keyword in node.keywords:
            if keyword.arg is None:
                self.machine.refuse(frame, node, "** in a call")
            keywords[keyword.arg] = self.expressions.evaluate(keyword.value, frame, guard)
        return arguments, keywords

    def bound(
        self, function: Function, arguments: list[Value], keywords: dict[str, Value], frame: Frame, node: ast.AST
    ) -> list[Value]:
        """Return a value for each parameter."""
        count = len(function.parameters)
        named = dict(zip(function.parameters, arguments, strict=False)) | keywords
        extra = arguments[count:]
        if (extra and function.rest is None) or set(named) - set(function.parameters):
            self.machine.refuse(frame, node, f"a call of {function.name} with other arguments than it takes")
        values: list[Value] = []
        for name in function.parameters:
            if name in named:
                values.append(named[name])
            elif name in function.defaults:
                values.append(self.expressions.constant(function.defaults[name], frame, node))
            else:
                self.machine.refuse(frame, node, f"a call of {function.name} without its parameter {name!r}")
        return [*values, tuple(extra)] if function.rest is not None else values

    # -- running -------------------------------------------------------------------------------------

    def run(self, function: Function, arguments: Sequence[Value], guard: Literal, *, assume: bool) -> Value:
        """Run a function in place; with `assume`, assert that it returns something true."""
        names = [*function.parameters, *([function.rest] if function.rest is not None else [])]
        self.recursion.disciplined |= function.checks
        frame = Frame(
            function, {name: [(TRUE, each)] for name, each in zip(names, arguments, strict=True)}, assume, guard
        )
        try:
            left = self.statements.block(function.tree.body, frame, guard)
        except UnsupportedError as error:
            if error.line is None:
                error.where, error.line = error.where or function.name, error.line or function.first_line
            raise
        if assume:
            if left != FALSE:
                self.formula.add(-left)  # it ends without a return: None is not true
            return None
        if left != FALSE:
            frame.returns.append((left, None))
        return self.algebra.merge(frame.returns)

    def run_source(
        self, source: types.FunctionType, arguments: list[Value], frame: Frame, node: ast.AST, guard: Literal
    ) -> Value:
        """Run a function that is given as such, like the one behind a property."""
        function = self.function(source)
        return self.invoke(function, self.bound(function, arguments, {}, frame, node), guard, assume=False)

    def assert_call(self, node: ast.Call, frame: Frame, guard: Literal) -> bool:
        """Assert that a call of the user's function gives something true; say whether it was one."""
        match node.func:
            case ast.Name(id=name) if name not in frame.variables:
                try:
                    source = global_of(frame.function, name)
                except (KeyError, ValueError):
                    return False
                if not isinstance(source, types.FunctionType):
                    return False
                function = self.function(source)
                arguments, keywords = self.arguments(node, frame, guard)
                bound = self.bound(function, arguments, keywords, frame, node)
                self.invoke(function, bound, guard, assume=True)
                return True
            case ast.Attribute(value=owner, attr=name) if self.module_function(node.func, frame) is None:
                return self.assert_method(self.expressions.evaluate(owner, frame, guard), name, node, frame, guard)
        return False

    def assert_method(self, owner: Value, name: str, node: ast.Call, frame: Frame, guard: Literal) -> bool:
        """Assert that a method gives something true; say whether it was one."""
        if isinstance(owner, Container | type):
            result = self.call_method(owner, name, node, frame, guard)
            self.formula.add(-guard, self.machine.truth(result, frame, node))
            return True
        whole = self.algebra.choice(owner)
        if whole.number is not None:
            self.machine.refuse(frame, node, f"the method {name} of a number")
        for function, things in self.dispatched(whole, name, node, frame, guard).items():
            here = self.prover.possible(self.formula.both(guard, self.formula.either(*things.values())))
            if here == FALSE:
                continue
            if isinstance(function, Container):
                result = self.builtins.method(function, name, node, frame, here)
                self.formula.add(-here, self.machine.truth(result, frame, node))
                continue
            arguments, keywords = self.arguments(node, frame, here)
            receiver = next(iter(things)) if len(things) == 1 else Choice(things)
            bound = self.bound(function, [receiver, *arguments], keywords, frame, node)
            self.invoke(function, bound, here, assume=True)
        return True

    def invoke(self, function: Function, arguments: list[Value], guard: Literal, *, assume: bool) -> Value:
        """Call a function: in place, or by the body that it has for each object."""
        if not function.is_recursive:
            return self.run(function, arguments, guard, assume=assume)
        return self.recursion.invoke(function, arguments, guard, assume=assume)

    def settle(self, value: Value, node: ast.AST) -> None:
        """Before a set is read that waiting bodies add to, run those bodies."""
        self.recursion.settle(value, node)
