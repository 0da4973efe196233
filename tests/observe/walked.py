"""The second way: a walk over the syntax tree of a function, which notes what it decides."""

from __future__ import annotations

import ast
import builtins
import contextlib
import copy
import operator
from collections import Counter
from collections.abc import Iterator
from typing import Any

from tests.observe.random_functions import LOG

OPERATORS: dict[type, Any] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mod: operator.mod,
    ast.FloorDiv: operator.floordiv,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Is: operator.is_,
    ast.IsNot: operator.is_not,
    ast.In: lambda a, b: a in b,
    ast.NotIn: lambda a, b: a not in b,
}
Turn = tuple[int, int, str, bool | str]  # line, column, kind of spot, outcome


class Returned(Exception):  # noqa: N818
    """A function returns."""


class Broken(Exception):  # noqa: N818
    """A loop is left."""


class Continued(Exception):  # noqa: N818
    """The next round of a loop begins."""


class Walk:
    """One call of one function."""

    def __init__(self, function: ast.FunctionDef, namespace: dict[str, Any], arguments: tuple[Any, ...]) -> None:
        self.function, self.namespace = function, namespace
        self.names = dict(zip([each.arg for each in function.args.args], arguments, strict=False))
        self.turns: Counter[Turn] = Counter()
        self.rounds: set[tuple[int, int, int]] = set()
        self.near: dict[tuple[int, int, int], int] = {}  # line, column, side; of whole numbers
        self.deciding: set[tuple[int, int]] = set()  # operands that may be seen to decide
        self.line = 0

    def run(self) -> Any:
        try:
            self.block(self.function.body)
        except Returned as result:
            return result.args[0]
        except Exception as error:
            self.turns[self.line, 0, "exception", type(error).__name__] += 1
            raise
        return None

    def note(self, node: ast.expr | ast.pattern | ast.excepthandler, kind: str, outcome: bool | str) -> None:
        self.turns[node.lineno, node.col_offset, kind, outcome] += 1

    # -- statements --------------------------------------------------------------------------------

    def block(self, statements: list[ast.stmt]) -> None:
        for each in statements:
            self.line = each.lineno
            getattr(self, f"visit_{type(each).__name__.lower()}")(each)

    def visit_assign(self, node: ast.Assign) -> None:
        value = self.value(node.value)
        for target in node.targets:
            assert isinstance(target, ast.Name)
            self.names[target.id] = value

    def visit_augassign(self, node: ast.AugAssign) -> None:
        assert isinstance(node.target, ast.Name)
        before = self.value(ast.copy_location(ast.Name(node.target.id), node))
        self.names[node.target.id] = OPERATORS[type(node.op)](before, self.value(node.value))

    def visit_expr(self, node: ast.Expr) -> None:
        self.value(node.value)

    def visit_if(self, node: ast.If) -> None:
        self.block(node.body if self.condition(node.test) else node.orelse)

    def condition(self, test: ast.expr) -> bool:
        truth = self.truth(test)
        self.note(test, "condition", truth)
        return truth

    def loop(self, node: ast.While | ast.For, rounds: Iterator[object]) -> None:
        count = 0
        try:
            for _ in rounds:
                count += 1
                with contextlib.suppress(Continued):
                    self.block(node.body)
                self.line = node.lineno
        except Broken:
            pass
        finally:
            self.rounds.add((node.lineno, node.col_offset, min(count, 2)))

    def visit_while(self, node: ast.While) -> None:
        def rounds() -> Iterator[None]:
            while self.condition(node.test):
                yield

        self.loop(node, rounds())

    def visit_for(self, node: ast.For) -> None:
        assert isinstance(node.target, ast.Name)
        items = iter(self.value(node.iter))
        name = node.target.id

        def rounds() -> Iterator[None]:
            for each in items:
                self.names[name] = each
                yield

        self.loop(node, rounds())

    def visit_try(self, node: ast.Try) -> None:
        try:
            try:
                self.block(node.body)
                self.note(node.handlers[0], "handler", False)
            except (Returned, Broken, Continued) as left:
                if isinstance(left, Returned):
                    self.note(node.handlers[0], "handler", False)
                raise
            except Exception as error:
                (handler,) = node.handlers
                assert handler.type is not None
                if not isinstance(error, self.value(handler.type)):
                    raise
                self.note(handler, "handler", True)
                self.block(handler.body)
        finally:
            line = self.line
            self.block(node.finalbody)
            self.line = line

    def visit_match(self, node: ast.Match) -> None:
        """Take a case; what was refused is noted when that is settled."""
        subject = self.value(node.subject)
        taken = None
        for case in node.cases:
            self.line = case.pattern.lineno
            if self.fits(case.pattern, subject) and (case.guard is None or self.condition(case.guard)):
                taken = case
                break
        for case in node.cases[: len(node.cases) if taken is None else node.cases.index(taken)]:
            self.note(case.pattern, "case", False)
        if taken is not None:
            self.note(taken.pattern, "case", True)
            self.block(taken.body)

    def fits(self, pattern: ast.pattern, subject: Any) -> bool:
        match pattern:
            case ast.MatchValue(value):
                return bool(subject == ast.literal_eval(value))
            case ast.MatchOr(patterns):
                return any(self.fits(each, subject) for each in patterns)
            case ast.MatchClass():
                return isinstance(subject, int)
        return True

    def visit_assert(self, node: ast.Assert) -> None:
        if not self.condition(node.test):
            raise AssertionError

    def visit_return(self, node: ast.Return) -> None:
        assert node.value is not None
        raise Returned(self.value(node.value))

    def visit_raise(self, node: ast.Raise) -> None:
        assert node.exc is not None
        raise self.value(node.exc)

    def visit_break(self, node: ast.Break) -> None:
        raise Broken

    def visit_continue(self, node: ast.Continue) -> None:
        raise Continued

    # -- expressions -------------------------------------------------------------------------------

    def truth(self, node: ast.expr) -> bool:
        """Evaluate an expression of which only the truth is used."""
        match node:
            case ast.UnaryOp(ast.Not(), operand):
                return not self.truth(operand)
            case ast.BoolOp(op, values):
                return self.operands(values, isinstance(op, ast.And), values)
            case ast.Compare(_, _, comparators) if len(comparators) > 1:
                return bool(self.chain(node, noted="operand"))
            case ast.Compare():
                return bool(self.compare(node))
        return bool(self.value(node))

    def operands(self, values: list[ast.expr], is_and: bool, nodes: list[ast.expr]) -> bool:
        for place, each in enumerate(values):
            truth = self.truth(each)
            self.note(nodes[place], "operand", truth)
            if truth is not is_and:
                self.decide(each, values[place + 1 :], is_and)
                return truth
        return is_and

    def decide(self, node: ast.expr, skipped: list[ast.expr], is_and: bool) -> None:
        """Note that an operand decides if all others have the other truth; looked at with copies of all there is."""
        aside = Walk(self.function, self.namespace, ())
        aside.names = copy.deepcopy(self.names)
        kept = [*LOG]
        try:
            if all(aside.truth(each) is is_and for each in skipped):
                self.deciding.add((node.lineno, node.col_offset))
        except Exception:
            return
        finally:
            LOG[:] = kept

    def value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant(value):
                return value
            case ast.Name(name):
                if name in self.names:
                    return self.names[name]
                if name in self.namespace:
                    return self.namespace[name]
                if hasattr(builtins, name):
                    return getattr(builtins, name)
                raise UnboundLocalError(name)
            case ast.UnaryOp(ast.USub(), operand):
                return -self.value(operand)
            case ast.UnaryOp(ast.Not(), operand):
                return not self.value(operand)
            case ast.BoolOp(op, values):
                return self.joined(values, isinstance(op, ast.And))
            case ast.Compare(_, _, comparators) if len(comparators) > 1:
                return self.chain(node, noted="comparison")
            case ast.Compare():
                result = self.compare(node)
                self.note(node, "comparison", result)
                return result
            case ast.IfExp(test, body, orelse):
                return self.value(body if self.condition(test) else orelse)
            case ast.NamedExpr(ast.Name(name), inner):
                self.names[name] = self.value(inner)
                return self.names[name]
            case ast.BinOp(left, op, right):
                return OPERATORS[type(op)](self.value(left), self.value(right))
            case ast.Tuple(elements):
                return tuple([self.value(each) for each in elements])
            case ast.Set(elements):
                return {self.value(each) for each in elements}
            case ast.Attribute(whole, name):
                return getattr(self.value(whole), name)
            case ast.Subscript(whole, ast.Slice(lower, upper)):
                bounds = [None if each is None else self.value(each) for each in (lower, upper)]
                return self.value(whole)[slice(*bounds)]
            case ast.Subscript(whole, index):
                return self.value(whole)[self.value(index)]
            case ast.Call(function, arguments):
                return self.value(function)(*[self.value(each) for each in arguments])
            case ast.Lambda(arguments, body):
                return lambda given: self.inner(arguments.args[0].arg, given, body)
            case ast.ListComp(element, [generator]) | ast.GeneratorExp(element, [generator]):
                return self.comprehension(element, generator)
        raise NotImplementedError(ast.dump(node))

    def inner(self, name: str, given: Any, body: ast.expr) -> Any:
        """Call a lambda: what it assigns is its own."""
        outer = self.names
        self.names = {**outer, name: given}
        try:
            return self.value(body)
        finally:
            self.names = outer

    def joined(self, values: list[ast.expr], is_and: bool) -> Any:
        for place, each in enumerate(values[:-1]):
            result, truth = self.captured(each)
            self.note(each, "operand", truth)
            if truth is not is_and:
                self.decide(each, values[place + 1 :], is_and)
                return result
        last = self.value(values[-1])
        literal = isinstance(values[-1], ast.Constant | ast.Tuple | ast.Set | ast.Lambda)
        if not literal and type(last).__module__ in (
            "builtins",
            "re",
        ):  # nobody asks for the truth of an object of the user's here
            self.note(values[-1], "operand", bool(last))
            if bool(last) is not is_and:
                self.decide(values[-1], [], is_and)
        return last

    def captured(self, node: ast.expr) -> tuple[Any, bool]:
        """Return an operand and its truth, for which Python asks every part of it once."""
        match node:
            case ast.BoolOp(op, values):
                is_and = isinstance(op, ast.And)
                result: tuple[Any, bool] = None, is_and
                for place, each in enumerate(values):
                    result = self.captured(each)
                    self.note(each, "operand", result[1])
                    if result[1] is not is_and:
                        self.decide(each, values[place + 1 :], is_and)
                        break
                return result  # asked for once more by some Pythons: objects of the grammar give the same answer
            case ast.Compare(_, _, comparators) if len(comparators) > 1:
                chained = self.chain(node, noted="operand")
                return chained, bool(chained)
        value = self.value(node)
        return value, bool(value)

    def compare(self, node: ast.Compare) -> Any:
        left, right = self.value(node.left), self.value(node.comparators[0])
        self.measure(node, node.ops[0], left, right)
        return OPERATORS[type(node.ops[0])](left, right)

    def measure(self, node: ast.expr, op: ast.cmpop, left: Any, right: Any) -> None:
        if type(left) is type(right) is int and not isinstance(op, ast.Is | ast.IsNot):
            away = left - right
            key = node.lineno, node.col_offset, (away > 0) - (away < 0)
            self.near[key] = min(self.near.get(key, away), away, key=abs)

    def chain(self, node: ast.Compare, *, noted: str) -> Any:
        left_node, left = node.left, self.value(node.left)
        result: Any = True
        for place, (op, each) in enumerate(zip(node.ops, node.comparators, strict=True)):
            right = self.value(each)
            self.measure(left_node, op, left, right)
            result = OPERATORS[type(op)](left, right)
            self.note(left_node, noted, bool(result))
            if not result:
                if noted == "operand" and place == len(node.ops) - 1:
                    self.deciding.add((left_node.lineno, left_node.col_offset))
                return result
            left_node, left = each, right
        return result

    def comprehension(self, element: ast.expr, generator: ast.comprehension) -> list[Any]:
        assert isinstance(generator.target, ast.Name)
        name, outer = generator.target.id, {**self.names}
        found = []
        for each in self.value(generator.iter):
            self.names[name] = each
            if all(self.condition(test) for test in generator.ifs):
                found.append(self.value(element))
        self.names.pop(name, None)
        if name in outer:
            self.names[name] = outer[name]
        return found
