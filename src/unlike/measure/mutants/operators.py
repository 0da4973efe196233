"""The changes that are made: from a node of a syntax tree to what may stand in the place of it, or of a part of it.

    if low < high:   ->   if low <= high:   (comparison)   if not low < high:   (negated condition)   …

Every change puts an expression in the place of an expression, or a statement in the place of a statement, so that both
can stand in one module behind a switch. A statement that is deleted stays where it cannot be reached: the names that
it binds stay names of its function.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE), ast.LtE: (ast.Lt, ast.Gt), ast.Gt: (ast.GtE, ast.LtE), ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,), ast.NotIn: (ast.In,),
}  # fmt: skip
ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.Add, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Mult, ast.Pow: ast.Mult, ast.LShift: ast.RShift, ast.RShift: ast.LShift, ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd, ast.BitXor: ast.BitAnd, ast.MatMult: ast.Mult,
}  # fmt: skip
EXCEPTIONS = {
    "ValueError": "TypeError", "TypeError": "ValueError", "KeyError": "IndexError", "IndexError": "KeyError",
    "AttributeError": "TypeError", "RuntimeError": "ValueError", "StopIteration": "ValueError",
    "ZeroDivisionError": "ValueError", "OverflowError": "ValueError", "NotImplementedError": "ValueError",
    "LookupError": "ValueError", "AssertionError": "ValueError", "OSError": "ValueError",
    "Exception": "ZeroDivisionError",
}  # fmt: skip
SIGNS = {
    ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.Eq: "==", ast.NotEq: "!=", ast.Is: "is",
    ast.IsNot: "is not", ast.In: "in", ast.NotIn: "not in", ast.And: "and", ast.Or: "or", ast.Add: "+", ast.Sub: "-",
    ast.Mult: "*", ast.Div: "/", ast.FloorDiv: "//", ast.Mod: "%", ast.Pow: "**", ast.LShift: "<<", ast.RShift: ">>",
    ast.BitAnd: "&", ast.BitOr: "|", ast.BitXor: "^", ast.MatMult: "@",
}  # fmt: skip
LONGEST = 40  # characters of code that are shown


class NodeChange(NamedTuple):
    """A change: of what kind, in words, the node that goes, and the one that comes in its place."""

    operator: str
    what: str
    old: ast.expr | ast.stmt
    new: ast.expr | ast.stmt


def changes_at(node: ast.AST) -> Iterator[NodeChange]:
    """Yield what can be changed at a node."""
    for operator in OPERATORS:
        yield from operator(node)


def change_comparison(node: ast.AST) -> Iterator[NodeChange]:
    """Yield comparisons that are a little or quite another."""
    if isinstance(node, ast.Compare):
        for place, old in enumerate(node.ops):
            for new in COMPARISONS[type(old)]:
                made = _change_fields(node, ops=_with_item(node.ops, place, new()))
                yield NodeChange("comparison", _becomes(old, new()), node, made)


def change_arithmetic(node: ast.AST) -> Iterator[NodeChange]:
    """Yield other operators, and a number without its minus."""
    match node:
        case ast.BinOp(left=left, op=old) | ast.AugAssign(target=left, op=old):
            formats = isinstance(old, ast.Mod) and isinstance(left, ast.Constant) and isinstance(left.value, str)
            if type(old) in ARITHMETIC and not formats:
                new = ARITHMETIC[type(old)]()
                yield NodeChange("arithmetic", _becomes(old, new), node, _change_fields(node, op=new))
        case ast.UnaryOp(op=ast.USub(), operand=operand) if not isinstance(operand, ast.Constant):
            yield NodeChange("arithmetic", f"-{text_of(operand)} becomes {text_of(operand)}", node, operand)


def change_boolean(node: ast.AST) -> Iterator[NodeChange]:
    """Yield `and` for `or`, operands left out, and a `not` dropped."""
    match node:
        case ast.BoolOp(op=old, values=values):
            new = ast.Or() if isinstance(old, ast.And) else ast.And()
            yield NodeChange("boolean", _becomes(old, new), node, _change_fields(node, op=new))
            for place, value in enumerate(values):
                rest = values[:place] + values[place + 1 :]
                made = rest[0] if len(rest) == 1 else _change_fields(node, values=rest)
                yield NodeChange("boolean", f"{text_of(value)} dropped", node, made)
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield NodeChange("boolean", f"not {text_of(operand)} becomes {text_of(operand)}", node, operand)


def change_constant(node: ast.AST) -> Iterator[NodeChange]:
    """Yield other constants: numbers one more and one less, texts that are empty or shorter, the opposite truth."""
    if not isinstance(node, ast.Constant):
        return
    old, others = node.value, list[Any]()
    if isinstance(old, bool):
        others = [not old]
    elif isinstance(old, int):
        others = [old + 1, old - 1]
    elif isinstance(old, float):
        others = [old + 1]
    elif isinstance(old, str):
        others = ["" if old else "X", *([old[:-1]] if len(old) > 1 else [])]
    elif isinstance(old, bytes):
        others = [b"" if old else b"X"]
    for new in others:
        yield NodeChange("constant", f"{old!r:.30} becomes {new!r:.30}", node, ast.Constant(new))


def change_by_one(node: ast.AST) -> Iterator[NodeChange]:
    """Yield indices and ranges that are one further."""
    match node:
        case ast.Subscript(slice=ast.Name() | ast.BinOp() as index, ctx=ast.Load()):
            yield NodeChange(
                "off by one", f"[{text_of(index)}] becomes [{text_of(index)} + 1]", index, _one_more(index)
            )
        case ast.Call(func=ast.Name(id="range"), args=arguments):
            for argument in arguments[:2]:
                if not isinstance(argument, ast.Constant | ast.Starred):
                    what = f"range of {text_of(argument)} becomes one of {text_of(argument)} + 1"
                    yield NodeChange("off by one", what, argument, _one_more(argument))


def change_slice(node: ast.AST) -> Iterator[NodeChange]:
    """Yield slices with a bound that is one further, or left out."""
    if isinstance(node, ast.Slice):
        for name, bound in (("lower", node.lower), ("upper", node.upper)):
            if bound is None:
                continue
            if not isinstance(bound, ast.Constant):  # a constant is changed by itself
                yield NodeChange("slice bound", f"{name} bound {text_of(bound)} + 1", bound, _one_more(bound))
            yield NodeChange("slice bound", f"{name} bound {text_of(bound)} dropped", bound, ast.Constant(None))


def negate_condition(node: ast.AST) -> Iterator[NodeChange]:
    """Yield conditions that are negated, where no other change does that."""
    conditions: list[ast.expr] = []
    match node:
        case ast.If(test=test) | ast.While(test=test) | ast.IfExp(test=test):
            conditions = [test]
        case ast.comprehension(ifs=tests):
            conditions = tests
    for test in conditions:
        opposite = isinstance(test, ast.Compare) and len(test.ops) == 1  # a comparison becomes its opposite
        if not (opposite or isinstance(test, ast.Constant) or _is_not(test)):
            yield NodeChange("negated condition", f"{text_of(test)} becomes not {text_of(test)}", test, _negate(test))


def delete_statement(node: ast.AST) -> Iterator[NodeChange]:
    """Yield statements that are not reached."""
    match node:
        case ast.Assign() | ast.AugAssign() | ast.Delete() | ast.Raise() | ast.Assert():
            yield _delete(node)
        case ast.Expr(value=ast.Call() | ast.Await() | ast.Yield() | ast.YieldFrom()):
            yield _delete(node)
        case ast.AnnAssign(value=value) if value is not None:
            yield _delete(node)


def _delete(node: ast.stmt) -> NodeChange:
    return NodeChange("statement deleted", f"{text_of(node)} deleted", node, ast.If(ast.Constant(False), [node], []))


def change_return(node: ast.AST) -> Iterator[NodeChange]:
    """Yield None instead of what is returned."""
    if isinstance(node, ast.Return) and node.value is not None and not _is_none(node.value):
        yield NodeChange("return value", f"{text_of(node)} becomes return None", node.value, ast.Constant(None))


def change_loop(node: ast.AST) -> Iterator[NodeChange]:
    """Yield `continue` for `break`, and the other way round."""
    if isinstance(node, ast.Break):
        yield NodeChange("break / continue", "break becomes continue", node, ast.Continue())
    elif isinstance(node, ast.Continue):
        yield NodeChange("break / continue", "continue becomes break", node, ast.Break())


def swap_arguments(node: ast.AST) -> Iterator[NodeChange]:
    """Yield calls in which two neighbours are swapped."""
    if not isinstance(node, ast.Call) or any(isinstance(each, ast.Starred) for each in node.args):
        return
    for place in range(len(node.args) - 1):
        one, other = node.args[place : place + 2]
        if ast.dump(one) != ast.dump(other):
            swapped = [*node.args[:place], other, one, *node.args[place + 2 :]]
            what = f"{text_of(one)}, {text_of(other)} swapped"
            yield NodeChange("argument swapped", what, node, _change_fields(node, args=swapped))


def change_exception(node: ast.AST) -> Iterator[NodeChange]:
    """Yield exceptions of another type, where one is raised or caught."""
    match node:
        case ast.Raise(exc=ast.Call(func=ast.Name(name) as old)) if name in EXCEPTIONS:
            yield _other_exception(old)
        case ast.Raise(exc=ast.Name(name) as old) | ast.ExceptHandler(type=ast.Name(name) as old) if name in EXCEPTIONS:
            yield _other_exception(old)
        case ast.ExceptHandler(type=ast.Tuple(elts=names)):
            yield from (
                _other_exception(each) for each in names if isinstance(each, ast.Name) and each.id in EXCEPTIONS
            )


def _other_exception(name: ast.Name) -> NodeChange:
    new = EXCEPTIONS[name.id]
    return NodeChange("exception type", f"{name.id} becomes {new}", name, ast.Name(new, ast.Load()))


OPERATORS: tuple[Callable[[ast.AST], Iterator[NodeChange]], ...] = (
    change_comparison, change_arithmetic, change_boolean, change_constant, change_by_one, change_slice,
    negate_condition, delete_statement, change_return, change_loop, swap_arguments, change_exception,
)  # fmt: skip


def _becomes(old: ast.AST, new: ast.AST) -> str:
    return f"{SIGNS[type(old)]} becomes {SIGNS[type(new)]}"


def text_of(node: ast.AST) -> str:
    """Return code as it is shown, on one line."""
    text = " ".join(ast.unparse(node).split())
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"


def _change_fields(node: Any, **fields: Any) -> Any:
    """Return a node like this one but for some fields."""
    made = copy.copy(node)
    for name, value in fields.items():
        setattr(made, name, value)
    return made


def _with_item(items: list[Any], place: int, item: Any) -> list[Any]:
    return [*items[:place], item, *items[place + 1 :]]


def _negate(test: ast.expr) -> ast.expr:
    return ast.UnaryOp(ast.Not(), test)


def _one_more(node: ast.expr) -> ast.expr:
    return ast.BinOp(node, ast.Add(), ast.Constant(1))


def _is_not(node: ast.expr) -> bool:
    return isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None
