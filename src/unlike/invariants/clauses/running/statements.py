"""Statements, each under its guard: what is left of the guard afterwards says for which structures the run goes on."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from unlike.invariants.clauses.formula import FALSE, Literal
from unlike.invariants.clauses.running.machine import Frame, Loop, Machine
from unlike.invariants.clauses.values import DictValue, ListValue, Number, Truth, Value

if TYPE_CHECKING:
    from unlike.invariants.clauses.running.assuming import Assuming
    from unlike.invariants.clauses.running.expressions import Expressions


class Statements:
    """Runs the statements of functions."""

    def __init__(self, machine: Machine, expressions: Expressions, assuming: Assuming) -> None:
        self.machine = machine
        self.formula = machine.formula
        self.prover = machine.prover
        self.expressions = expressions
        self.assuming = assuming

    def block(self, statements: list[ast.stmt], frame: Frame, guard: Literal) -> Literal:
        """Run statements one after the other and return the guard that is left."""
        for statement in statements:
            if guard == FALSE:
                break
            self.machine.step()
            guard = self.statement(statement, frame, guard)
        return guard

    def statement(self, statement: ast.stmt, frame: Frame, guard: Literal) -> Literal:
        """Run one statement and return the guard that is left."""
        evaluate = self.expressions.evaluate
        match statement:
            case ast.Return(value=value):
                return self.leave(value, frame, guard)
            case ast.If():
                return self.branch(statement, frame, guard)
            case ast.While():
                return self.repeat(statement, frame, guard)
            case ast.For():
                return self.go_over(statement, frame, guard)
            case ast.Assign(targets=targets, value=expression):
                value = evaluate(expression, frame, guard)
                for target in targets:
                    self.assign(target, value, frame, guard)
            case ast.AnnAssign(target=target, value=expression):
                if expression is not None:
                    self.assign(target, evaluate(expression, frame, guard), frame, guard)
            case ast.AugAssign(target=target, op=operator, value=expression):
                if not isinstance(target, ast.Name):
                    self.machine.refuse(frame, statement, "an assignment to a field or an item")
                if target.id not in frame.variables:
                    self.machine.reject(guard)
                    return FALSE
                left = self.machine.read(frame, target.id, guard)
                right = evaluate(expression, frame, guard)
                self.assign(
                    target,
                    self.expressions.operators.combine(operator, left, right, frame, statement, guard),
                    frame,
                    guard,
                )
            case ast.Expr(value=expression):
                if not isinstance(expression, ast.Constant):
                    evaluate(expression, frame, guard)
            case ast.Assert(test=test):
                self.machine.reject(guard, -self.expressions.truth(test, frame, guard))
            case ast.Raise():
                self.machine.reject(guard)
                return FALSE
            case ast.Break():
                frame.loops[-1].broken = self.formula.either(frame.loops[-1].broken, guard)
                return FALSE
            case ast.Continue():
                frame.loops[-1].continued = self.formula.either(frame.loops[-1].continued, guard)
                return FALSE
            case ast.Pass():
                pass
            case _:
                self.machine.refuse(frame, statement, _STATEMENTS.get(type(statement), type(statement).__name__))
        return guard

    def leave(self, value: ast.expr | None, frame: Frame, guard: Literal) -> Literal:
        """Run a return."""
        if frame.assume:
            self.assuming.hold(value if value is not None else ast.Constant(None), frame, guard, wanted=True)
        else:
            result = None if value is None else self.expressions.evaluate(value, frame, guard)
            frame.returns.append((guard, result))
        return FALSE

    def branch(self, statement: ast.If, frame: Frame, guard: Literal) -> Literal:
        """Run an if."""
        if frame.assume and not statement.orelse and _is_return_false(statement.body):
            self.assuming.hold(statement.test, frame, guard, wanted=False)
            return guard
        possible, both = self.prover.possible, self.formula.both
        test = self.expressions.truth(statement.test, frame, guard)
        yes, no = possible(both(guard, test)), possible(both(guard, -test))
        if no == FALSE:
            yes = guard
        elif yes == FALSE:
            no = guard
        after_yes = self.block(statement.body, frame, yes)
        after_no = self.block(statement.orelse, frame, no)
        if after_yes == yes and after_no == no:
            return guard
        if frame.assume and _leaves_only_by_false(statement):
            return guard
        return self.formula.either(after_yes, after_no)

    def repeat(self, statement: ast.While, frame: Frame, guard: Literal) -> Literal:
        """Run a while loop, round by round."""
        machine, either, both = self.machine, self.formula.either, self.formula.both
        keeps = frame.assume and not statement.orelse and _leaves_only_by_false(statement, inside=True)
        loop = Loop()
        frame.loops.append(loop)
        running, done = guard, FALSE
        for count in range(machine.rounds + 1):
            test = self.expressions.truth(statement.test, frame, running)
            done = either(done, both(running, -test))
            running = self.prover.feasible(machine.canonical(both(running, test), ask=True))
            if running == FALSE:
                break
            if count == machine.rounds:
                line = frame.function.line(statement)
                machine.exceeded.append((running, f"the loop in {frame.function.name}, line {line}"))
                break
            if (thing := machine.thing_of(running)) is not None:
                machine.settle_members(frame, thing)
            loop.continued = FALSE
            running = self.block(statement.body, frame, running)
            if loop.continued != FALSE:
                running = either(running, loop.continued)
            if running == FALSE:
                break
        frame.loops.pop()
        if keeps:
            return guard
        if statement.orelse:
            done = self.block(statement.orelse, frame, self.prover.possible(done))
        return either(done, loop.broken)

    def go_over(self, statement: ast.For, frame: Frame, guard: Literal) -> Literal:
        """Run a for loop, value by value."""
        both, either = self.formula.both, self.formula.either
        keeps = frame.assume and not statement.orelse and _leaves_only_by_false(statement, inside=True)
        loop = Loop()
        frame.loops.append(loop)
        running = guard
        source = self.expressions.evaluate(statement.iter, frame, guard)
        for present, value in self.expressions.containers.items(source, guard, at=(frame, statement)):
            here = self.prover.possible(both(running, present))
            if here == FALSE:
                continue
            self.assign(statement.target, value, frame, here)
            loop.continued = FALSE
            after = self.block(statement.body, frame, here)
            if loop.continued != FALSE:
                after = either(after, loop.continued)
            if after != here and not (keeps and loop.broken == FALSE):
                running = self.prover.possible(either(after, both(running, -present)))
            if running == FALSE:
                break
        frame.loops.pop()
        if keeps:
            return guard
        if statement.orelse:
            running = self.block(statement.orelse, frame, running)
        return either(running, loop.broken)

    def assign(self, target: ast.expr, value: Value, frame: Frame, guard: Literal) -> None:
        """Assign a value to a variable, an item of a dict, or to several targets."""
        match target:
            case ast.Name(id=name):
                self.machine.assign(frame, name, value, guard)
            case ast.Tuple(elts=targets) | ast.List(elts=targets):
                if any(isinstance(each, ast.Starred) for each in targets):
                    self.machine.refuse(frame, target, "a starred target")
                for each, part in zip(targets, self.unpacked(value, len(targets), frame, target, guard), strict=True):
                    self.assign(each, part, frame, guard)
            case ast.Subscript(value=owner, slice=key):
                container = self.expressions.evaluate(owner, frame, guard)
                if not isinstance(container, DictValue) or container.fixed:
                    self.machine.refuse(
                        frame, target, "an assignment to an item of something that is no dict of its own"
                    )
                index = self.expressions.evaluate(key, frame, guard)
                self.expressions.containers.store(container, index, value, guard=guard, at=(frame, target))
            case _:
                self.machine.refuse(frame, target, "an assignment to a field: an invariant must not change anything")

    def unpacked(self, value: Value, count: int, frame: Frame, node: ast.AST, guard: Literal) -> tuple[Value, ...]:
        """Return the parts of a tuple or list; another number of them is an exception."""
        if isinstance(value, tuple):
            if len(value) != count:
                self.machine.reject(guard)
                return (None,) * count
            return value
        if value is None or isinstance(value, Number | Truth | int):  # a TypeError
            self.machine.reject(guard)
            return (None,) * count
        if not isinstance(value, ListValue):
            self.machine.refuse(frame, node, "unpacking something that is neither a tuple nor a list")
        containers = self.expressions.containers
        length = containers.count(value)
        self.machine.reject(guard, -self.machine.algebra.is_exactly(length, count))
        return tuple(containers.at(value, place, guard) for place in range(count))


_STATEMENTS: dict[type[ast.stmt], str] = {
    ast.Try: "try",
    ast.With: "with",
    ast.FunctionDef: "a function inside a function",
    ast.ClassDef: "a class inside a function",
    ast.Delete: "del",
    ast.Global: "global",
    ast.Nonlocal: "nonlocal",
    ast.Match: "match",
    ast.Import: "an import inside a function",
    ast.ImportFrom: "an import inside a function",
}


def _is_return_false(body: list[ast.stmt]) -> bool:
    match body:
        case [ast.Return(value=ast.Constant(value=False))]:
            return True
    return False


def _leaves_only_by_false(statement: ast.stmt, *, inside: bool = False) -> bool:
    """Tell whether a statement is left early by `return False` only, which rejects, and by nothing else."""
    for node in ast.walk(statement):
        if isinstance(node, ast.Return) and not _is_return_false([node]):
            return False
        if not inside and isinstance(node, ast.Break | ast.Continue):
            return False
        if isinstance(node, ast.Raise):
            return False
    return True
