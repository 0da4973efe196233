"""What a function inside another one reads outside: whether it can change, and when."""

from __future__ import annotations

import ast
from typing import Any

from unlike.invariants.compile.program import Function
from unlike.invariants.compile.run import Frame
from unlike.invariants.compile.values import (
    Alternatives,
    BuiltinMethod,
    ContainerValue,
    FunctionValue,
    LazyValues,
    SetValue,
    TupleValue,
    Value,
)


def outer_state(function: Function, outer: Frame | None, seen_outside: list[SetValue]) -> tuple[Any, ...] | None:
    """Return the variables outside that a function reads, as they are now; None if they can change meanwhile.

    Sets outside that only say "at most once" are noted apart.
    """
    found: list[Any] = []
    todo, seen = [(function, outer)], {function}
    while todo:
        each, frame = todo.pop()
        if frame is None:
            continue
        if each.outer_names:
            return None
        for name in sorted(each.calls - each.own_names):
            owner = frame.owner_of(name)
            if owner is None:
                if frame.has_own(name):
                    return None
                continue
            versions = owner.variables[name]
            value = versions[0][1]
            if isinstance(value, FunctionValue) and len(versions) == 1:
                if value.function not in seen:
                    seen.add(value.function)
                    todo.append((value.function, value.outer))
            elif len(versions) > 1:
                return None
            elif isinstance(value, SetValue) and not value.fixed and each is function and function.uses_once(name):
                seen_outside.append(value)
            elif has_container(value):
                return None
            found.append((name, id(value)))
    return tuple(found)


def stay_as_they_are(function: Function, outer: Frame | None) -> bool:
    """Tell whether no variable outside that a function reads gets another value after its first one."""
    frame = outer
    while frame is not None:
        if frame.is_comprehension:
            return False
        tree = frame.function.tree
        once, again = _stored_names(tree)
        first = set(frame.function.parameters)
        if function.calls & frame.function.own_names & (again | (once & first)):
            return False
        frame = frame.outer
    return True


def _stored_names(tree: ast.AST) -> tuple[set[str], set[str]]:
    """Return the names that a function gives a value, and those to which it may give several, one after the other."""
    once: set[str] = set()
    again: set[str] = set()

    def look(node: ast.AST, *, in_loop: bool) -> None:
        name = None
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            name = node.id
        elif isinstance(node, ast.FunctionDef | ast.ExceptHandler | ast.MatchAs | ast.MatchStar) and node is not tree:
            name = node.name
        elif isinstance(node, ast.Nonlocal):
            again.update(node.names)
        if name is not None:
            (again if in_loop or name in once else once).add(name)
        for child in ast.iter_child_nodes(node):
            look(child, in_loop=in_loop or isinstance(node, ast.For | ast.While))

    look(tree, in_loop=False)
    return once, again


def has_container(value: Value) -> bool:
    """Tell whether a value is, or holds, something that can change."""
    if isinstance(value, tuple):
        return any(map(has_container, value))
    if isinstance(value, Alternatives):
        return any(map(has_container, value.atoms))
    if isinstance(value, TupleValue):
        return any(map(has_container, value.parts))
    return isinstance(value, LazyValues | FunctionValue | BuiltinMethod) or (
        isinstance(value, ContainerValue) and not value.fixed
    )
