"""Which names of a function surely have a value at some place: they can be read there without harm."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass, field

Function = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


@dataclass(slots=True)
class FunctionScope:
    """A function whose body is being given probes."""

    number: int
    name: str
    bound: set[str]  # names that have a value here, and keep one
    open: set[str]  # names of it and of the functions around it, whether they have a value or not
    removed: set[str]  # names that may lose their value
    may_assign: bool = True  # `:=` is allowed here: not in what a comprehension runs over
    temporaries: int = 0
    lines: dict[int, int] = field(default_factory=dict)

    def bind(self, names: set[str]) -> None:
        """Note that names were assigned."""
        self.bound |= names - self.removed


def enter_scope(node: Function, number: int, outer: FunctionScope | None, name: str) -> FunctionScope:
    """Return the scope of a function inside another one, or in none."""
    arguments = node.args
    parameters = {each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    parameters |= {each.arg for each in (arguments.vararg, arguments.kwarg) if each is not None}
    assigned, removed = set[str](), set[str]()
    for each in own_nodes(node):
        match each:
            case ast.Name(word, ast.Store()):
                assigned.add(word)
            case ast.Name(word, ast.Del()):
                removed.add(word)
            case ast.ExceptHandler(_, str(word)):
                removed.add(word)
            case ast.Global(words) | ast.Nonlocal(words):
                removed |= {*words}
            case ast.FunctionDef(word) | ast.AsyncFunctionDef(word) | ast.ClassDef(word):
                assigned.add(word)
            case ast.MatchAs(_, str(word)) | ast.MatchStar(str(word)) | ast.MatchMapping(_, _, str(word)):
                assigned.add(word)
            case ast.alias(path, other):
                assigned.add(other or path.partition(".")[0])
    inherited = (outer.bound if outer else set()) - assigned
    around = outer.open if outer else set()
    removed |= (outer.removed if outer else set()) - parameters
    return FunctionScope(number, name, (inherited | parameters) - removed, around | parameters | assigned, removed)


def own_nodes(node: Function) -> Iterator[ast.AST]:
    """Yield what stands in a function, without what stands in functions and classes inside it."""
    waiting: list[ast.AST] = [*node.body] if isinstance(node.body, list) else [node.body]
    while waiting:
        each = waiting.pop()
        yield each
        if not isinstance(each, SCOPES):
            waiting += ast.iter_child_nodes(each)


def assigned_names(target: ast.AST) -> set[str]:
    """Return the names that an assignment to a target gives a value."""
    return {each.id for each in ast.walk(target) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)}


def names_in(node: ast.AST) -> set[str]:
    """Return the names that an expression reads."""
    return {each.id for each in ast.walk(node) if isinstance(each, ast.Name)}
