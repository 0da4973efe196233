"""From the source of a module to its mutants: one small change of one function each, put into running functions.

A change is named by the place of a node among the nodes of its function and by its number there, so that it can be
found again in a tree that was parsed anew. Only code objects are replaced: no module is executed twice, and whoever
holds a function or a class sees the change. Every loop counts its rounds, so that a mutant that never ends is found by
counting.
"""

from __future__ import annotations

import ast
import copy
import gc
import hashlib
import importlib
import types
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

COUNTER = "count_round_of_power_study"  # a global name that no module has

OTHER_COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip
OTHER_OPERATORS: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd,
}  # fmt: skip
# what is no behaviour, or is not seen: annotations, decorators, and what an exception says
NOT_CHANGED = {"annotation", "returns", "decorator_list", "type_comment", "type_params"}


class TooManyRounds(BaseException):
    """The loops of a mutant made many more rounds than those of the original; no ordinary handler catches it."""


class Rounds:
    """How many rounds loops may still make."""

    left = 0

    @classmethod
    def count(cls) -> None:
        """Take one round off."""
        cls.left -= 1
        if cls.left < 0:
            raise TooManyRounds


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: in which function, at which of its nodes, and which of the changes that are possible there."""

    module: str
    function: str  # its qualified name
    first_line: int  # of the function, decorators included
    line: int  # of the statement that is changed
    last_line: int  # of that statement, or of its head where others stand within it
    node: int
    change: int
    what: str

    @property
    def rank(self) -> str:
        """Where it stands in an order that looks random and is always the same."""
        return hashlib.sha256(f"{self.module} {self.function} {self.node} {self.change}".encode()).hexdigest()


def changes_of(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    """Yield what can be changed at a node: what it is, and the node to put in its place."""
    match node:
        case ast.Compare(ops=ops):
            for place, old in enumerate(ops):
                for new in OTHER_COMPARISONS[type(old)]:
                    yield (
                        f"{type(old).__name__} becomes {new.__name__}",
                        changed(node, ops=with_item(ops, place, new())),
                    )
        case ast.BinOp(left=left, op=operator) | ast.AugAssign(target=left, op=operator):
            formats = isinstance(operator, ast.Mod) and isinstance(left, ast.Constant) and isinstance(left.value, str)
            other = OTHER_OPERATORS.get(type(operator))
            if other and not formats:
                yield f"{type(operator).__name__} becomes {other.__name__}", changed(node, op=other())
        case ast.BoolOp(op=operator, values=values):
            swapped = ast.Or() if isinstance(operator, ast.And) else ast.And()
            yield "and and or swapped", changed(node, op=swapped)
            for place in range(len(values)):
                rest = values[:place] + values[place + 1 :]
                yield f"operand {place} dropped", rest[0] if len(rest) == 1 else changed(node, values=rest)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "not dropped", operand
        case ast.UnaryOp(op=ast.USub(), operand=operand) if not isinstance(operand, ast.Constant):
            yield "minus dropped", operand
        case ast.comprehension(ifs=conditions):
            for place, condition in enumerate(conditions):
                yield "filter negated", changed(node, ifs=with_item(conditions, place, negated(condition)))
        case ast.Subscript(slice=index, ctx=ast.Load()):
            yield from changes_of_index(node, index)
        case ast.Call(func=ast.Name(id="range"), args=arguments):
            for place, argument in enumerate(arguments[:2]):
                if not isinstance(argument, ast.Constant):
                    yield "range one further", changed(node, args=with_item(arguments, place, one_more(argument)))
        case ast.Constant():
            yield from changes_of_constant(node)
        case ast.stmt() | ast.IfExp():
            yield from changes_of_statement(node)
    if isinstance(node, ast.AugAssign):
        yield "statement dropped", ast.Pass()


def changes_of_statement(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    match node:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            by_itself = isinstance(test, ast.Constant) or (
                isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)  # the `not` can be dropped
            )
            ordered = ast.Lt, ast.LtE, ast.Gt, ast.GtE
            if isinstance(test, ast.Compare) and len(test.ops) == 1 and not isinstance(test.ops[0], ordered):
                by_itself = True  # its comparison becomes the opposite
            if not by_itself:
                yield "condition negated", changed(node, test=negated(test))
        case ast.Return(value=value) if value is not None and not is_none(value):
            yield "returns None", changed(node, value=ast.Constant(None))
        case ast.Assign() | ast.Raise() | ast.Delete() | ast.Expr(value=ast.Call()):
            yield "statement dropped", ast.Pass()
        case ast.Break():
            yield "break becomes continue", ast.Continue()
        case ast.Continue():
            yield "continue becomes break", ast.Break()


def changes_of_constant(node: ast.Constant) -> Iterator[tuple[str, ast.AST]]:
    old = node.value
    if isinstance(old, bool):
        others: list[Any] = [not old]
    elif isinstance(old, int):
        others = [old + 1, old - 1]
    elif isinstance(old, float):
        others = [old + 1]
    elif isinstance(old, str):
        others = ["" if old else "X"] + [old[:-1]] * (len(old) > 1)
    else:
        others = []
    for new in others:
        yield f"{old!r:.20} becomes {new!r:.20}", ast.Constant(new)


def changes_of_index(node: ast.Subscript, index: ast.expr) -> Iterator[tuple[str, ast.AST]]:
    if isinstance(index, ast.Slice):
        for name in ("lower", "upper"):
            bound = getattr(index, name)
            if bound is not None and not isinstance(bound, ast.Constant | ast.UnaryOp):
                yield f"{name} bound one further", changed(node, slice=changed(index, **{name: one_more(bound)}))
    elif isinstance(index, ast.Name | ast.BinOp):
        yield "index one further", changed(node, slice=one_more(index))


def changed(node: ast.AST, **fields: Any) -> ast.AST:
    """Return a node like this one but for some fields."""
    made = copy.copy(node)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def with_item(items: list[Any], place: int, item: Any) -> list[Any]:
    return [*items[:place], item, *items[place + 1 :]]


def negated(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def one_more(node: ast.expr) -> ast.expr:
    return ast.BinOp(node, ast.Add(), ast.Constant(1))


def is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


Function = ast.FunctionDef | ast.AsyncFunctionDef


def functions_of(body: Iterable[ast.stmt], prefix: str = "") -> Iterator[tuple[str, Function]]:
    """Yield the functions of a module and the methods of its classes; what is nested in a function belongs to it."""
    for node in body:
        if isinstance(node, Function):
            yield prefix + node.name, node
        elif isinstance(node, ast.ClassDef):
            yield from functions_of(node.body, f"{prefix}{node.name}.")
        elif isinstance(node, ast.If | ast.Try):
            yield from functions_of(node.body, prefix)
            yield from functions_of(node.orelse, prefix)


Lines = tuple[int, int]  # the first and the last of a statement


def body_of(function: Function) -> list[tuple[Lines, ast.AST]]:
    """Return the nodes of a function that may be changed; its own defaults are no part of its code."""
    body = ast.Module(function.body, [])
    return list(nodes_of(body))


def nodes_of(node: ast.AST, lines: Lines = (0, 0)) -> Iterator[tuple[Lines, ast.AST]]:
    """Yield the nodes below this one that may be changed, each with the lines of its statement."""
    for name, value in ast.iter_fields(node):
        if name in NOT_CHANGED or isinstance(node, ast.Raise | ast.JoinedStr):
            continue
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or is_docstring(child):
                continue
            statement = lines_of(child) if isinstance(child, ast.stmt | ast.excepthandler) else lines
            yield statement, child
            yield from nodes_of(child, statement)


def lines_of(statement: ast.stmt | ast.excepthandler) -> Lines:
    """Return the lines of a statement, of one that holds others those of its head."""
    last = statement.end_lineno or statement.lineno
    if body := getattr(statement, "body", None):
        last = max(statement.lineno, body[0].lineno - 1)
    return statement.lineno, last


def is_docstring(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


class Replacement(ast.NodeTransformer):
    """Put one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        """Return the new node for the old one."""
        return ast.copy_location(self.new, node) if node is self.old else self.generic_visit(node)


class CountRounds(ast.NodeTransformer):
    """Let every loop count its rounds."""

    def visit_loop(self, node: Any) -> Any:
        """Put a call of the counter before all else into the body."""
        self.generic_visit(node)
        call = ast.Expr(ast.Call(ast.Name(COUNTER, ast.Load()), [], []))
        node.body.insert(0, ast.fix_missing_locations(ast.copy_location(call, node)))
        return node

    visit_For = visit_While = visit_AsyncFor = visit_loop  # noqa: N815 - names that the base class asks for


class LoadedModule:
    """A module whose functions can be given changed code."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.module = importlib.import_module(name)
        self.file = str(self.module.__file__)
        self.source = Path(self.file).read_text(encoding="utf-8")
        self.alive: dict[tuple[str, int], list[types.FunctionType]] = {}
        for each in gc.get_objects():
            if isinstance(each, types.FunctionType) and each.__code__.co_filename == self.file:
                self.alive.setdefault(place_of(each.__code__), []).append(each)
        self.plain = [(each, each.__code__) for some in self.alive.values() for each in some]

    def mutants(self) -> Iterator[Mutant]:
        """Yield every change of a function that exists."""
        for name, function in functions_of(ast.parse(self.source).body):
            first = min([function.lineno] + [each.lineno for each in function.decorator_list])
            if (name, first) not in self.alive:
                continue
            for number, (lines, node) in enumerate(body_of(function)):
                for change, (what, _) in enumerate(changes_of(node)):
                    yield Mutant(self.name, name, first, *lines, number, change, what)

    def count_rounds(self) -> None:
        """Give every function the code that counts the rounds of its loops."""
        setattr(self.module, COUNTER, Rounds.count)
        for place, code in codes_of(self.compile(ast.parse(self.source))):
            for function in self.alive.get(place, ()):
                function.__code__ = code

    def restore(self) -> None:
        """Give every function its own code again."""
        for function, code in self.plain:
            function.__code__ = code
        vars(self.module).pop(COUNTER, None)

    def put(self, mutant: Mutant) -> bool:
        """Give the function of a mutant its changed code; False if that is no code at all."""
        tree = ast.parse(self.source)
        wanted = mutant.function, mutant.first_line
        for name, function in functions_of(tree.body):
            first = min([function.lineno] + [each.lineno for each in function.decorator_list])
            if (name, first) == wanted:
                old = body_of(function)[mutant.node][1]
                new = list(changes_of(old))[mutant.change][1]
                Replacement(old, new).visit(function)
                alive = self.alive[wanted]
                if "__class__" in alive[0].__code__.co_freevars:  # else a dropped `super()` has no place in the closure
                    function.body.insert(0, ast.If(ast.Constant(0), [ast.Expr(ast.Name("__class__", ast.Load()))], []))
                try:
                    codes = dict(codes_of(self.compile(ast.fix_missing_locations(tree))))
                except SyntaxError:  # `continue` outside a loop and the like
                    return False
                for each in alive:
                    each.__code__ = codes[wanted]
                return True
        raise LookupError(f"{mutant} is not in {self.file}")

    def compile(self, tree: ast.Module) -> types.CodeType:
        """Compile a tree of the module with loops that count."""
        return compile(CountRounds().visit(tree), self.file, "exec", dont_inherit=True)


def codes_of(code: types.CodeType) -> Iterator[tuple[tuple[str, int], types.CodeType]]:
    """Yield the code of every function by its place, of those within functions too."""
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield place_of(each), each
            yield from codes_of(each)


def place_of(code: types.CodeType) -> tuple[str, int]:
    return code.co_qualname, code.co_firstlineno
