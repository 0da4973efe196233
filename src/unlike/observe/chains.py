"""Parts of an argument as the source writes them, and what else a function does with it.

    order.lines[0].price     ->  ("order", (("attribute", "lines"), ("item", 0), ("attribute", "price")))

A part is what its name says for the whole of a call only if nobody can change it meanwhile: `uses_of` tells where an
argument, or a part that holds others, is given away.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Step = tuple[Literal["attribute", "item"], str | int]
Chain = tuple[str, tuple[Step, ...]]  # a parameter, and the way from it


@dataclass(frozen=True, slots=True)
class PartUse:
    """A place of the source that names a part of an argument: the longest way that it writes."""

    steps: tuple[Step, ...]
    is_changed: bool  # bound anew, or deleted
    is_only_looked_at: bool  # returned, told apart by `is`, or asked for its length or for what is in it


def chain_of(node: ast.expr) -> Chain | None:
    """Return the part that an expression names; nothing for other expressions."""
    steps: list[Step] = []
    while not isinstance(node, ast.Name):
        step = _step_of(node)
        if step is None or not isinstance(node, ast.Attribute | ast.Subscript):
            return None
        steps.insert(0, step)
        node = node.value
    return node.id, tuple(steps)


def _step_of(node: ast.AST) -> Step | None:
    match node:
        case ast.Attribute(_, name):
            return "attribute", name
        case ast.Subscript(_, ast.Constant(str(key) | int(key))) if not isinstance(key, bool):
            return "item", key
    return None


def uses_of(function: ast.FunctionDef, parameter: str) -> Iterator[PartUse]:
    """Yield what a function does with a parameter, and functions inside of it, too."""
    parents = {inner: node for node in ast.walk(function) for inner in ast.iter_child_nodes(node)}
    for name in ast.walk(function):
        if not isinstance(name, ast.Name) or name.id != parameter:
            continue
        top: ast.AST = name
        steps: list[Step] = []
        changed = not isinstance(name.ctx, ast.Load)
        while (step := _step_of(parents[top])) is not None and getattr(parents[top], "value", None) is top:
            top = parents[top]
            steps.append(step)
            changed |= not isinstance(getattr(top, "ctx", None), ast.Load)
        yield PartUse(tuple(steps), changed, _is_looked_at(top, parents))


def _is_looked_at(top: ast.AST, parents: dict[ast.AST, ast.AST]) -> bool:
    """Tell whether what uses a part gives it to nobody who could change it, if it is a dict, a list or the like."""
    match parents[top]:
        case ast.Return():
            return True
        case ast.Call(ast.Name("len"), [argument], []):
            return argument is top
        case ast.Compare(_, [ast.In() | ast.NotIn()], [right]):
            return right is top
        case ast.Compare(_, [ast.Is() | ast.IsNot()], _):
            return True  # nobody is asked
    return False
