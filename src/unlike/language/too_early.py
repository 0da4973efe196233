"""What to say where Python needs True or False of a term at once: which operator asks, and what to write instead."""

from __future__ import annotations

import ast
import linecache
from types import FrameType

_REMEDY = {
    "and": "write & between conditions in parentheses, or and_(…)",
    "or": "write | between conditions in parentheses, or or_(…)",
    "not": "write ~ or not_(…)",
    "if": "write ite(condition, a, b), or implies(condition, consequence)",
    "in": "write x.is_in([…]) or text.contains(x)",
    "a < b < c": "write (a < b) & (b < c)",
}


def too_early(written: str, blanks: str, frame: FrameType) -> str:
    """Return the message for a term whose truth was asked in a frame before its blanks have values."""
    operator = deciding_operator(frame)
    start = f"Python needs True or False for {written} at once, but {blanks} has no value yet"
    if operator:
        return f"'{operator}' decides too early: {start}; {_REMEDY[operator]}"
    return f"{start} (and, or, not, if, in, a < b < c all do this); write &, |, ~, ite, .is_in or (a < b) & (b < c)"


def deciding_operator(frame: FrameType) -> str | None:
    """Return the operator in the source at which the frame stands, if the source can be read."""
    positions = list(frame.f_code.co_positions())
    line, _, column, _ = positions[frame.f_lasti // 2]
    lines = linecache.getlines(frame.f_code.co_filename, frame.f_globals)
    if line is None or column is None or not lines:
        return None
    try:
        tree = ast.parse("".join(lines))
    except SyntaxError:
        return None
    around = [node for node in ast.walk(tree) if _covers(node, line, column)]
    for node in reversed(around):  # walk is breadth-first: the innermost comes last
        match node:
            case ast.BoolOp(op=ast.And()):
                return "and"
            case ast.BoolOp(op=ast.Or()):
                return "or"
            case ast.UnaryOp(op=ast.Not()):
                return "not"
            case ast.Compare(ops=ops) if len(ops) > 1:
                return "a < b < c"
            case ast.Compare(ops=[ast.In() | ast.NotIn()]):
                return "in"
            case ast.IfExp() | ast.If() | ast.While() | ast.Assert():
                return "if"
    return None


def _covers(node: ast.AST, line: int, column: int) -> bool:
    if not isinstance(node, ast.expr | ast.stmt) or node.end_lineno is None or node.end_col_offset is None:
        return False
    return (node.lineno, node.col_offset) <= (line, column) < (node.end_lineno, node.end_col_offset)
