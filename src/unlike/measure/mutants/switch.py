"""From the source of a module to its mutants, and to one module that is any of them, as a switch says.

    def put(self, item):                  def put(self, item):
        self.items += [item]       ->         if 3 <= __unlike_mutant__ <= 5:
                                                  if __unlike_mutant__ == 3: self.items -= [item]
                                                  …
                                              else:
                                                  self.items += [item]

Functions in which nothing is changed run as they were written. What is changed outside of functions (defaults,
decorators, class bodies, constants) has the same switch, and has to be executed again. Loops count their rounds,
so that a mutant that never ends is found by counting.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterator
from dataclasses import dataclass, field
from types import CodeType
from typing import Any

from unlike.measure.mutants.operators import NodeChange, changes_at

SWITCH, ROUND = "__unlike_mutant__", "__unlike_round__"  # globals of the switched module
NOT_CHANGED = {"annotation", "returns", "type_comment", "type_params", "format_spec", "pattern", "bases"}
SAY_NOTHING = ("__all__", "__version__", "__author__", "__doc__", "__license__", "__copyright__")
MAKE_TYPES = ("TypeVar", "ParamSpec", "TypeVarTuple", "NewType", "cast")
Function = ast.FunctionDef | ast.AsyncFunctionDef


@dataclass(frozen=True, slots=True)
class Mutant:
    """One change: its number, where it stands, of what kind it is, and what it does."""

    number: int  # at which the switch stands
    line: int  # of the statement that is changed
    last_line: int  # of that statement, or of its head where others stand within it
    operator: str
    what: str
    owner: str  # the definition at the top of the module that it is in
    function: str  # its qualified name; "" outside of functions

    @property
    def is_outside(self) -> bool:
        """Whether it stands outside of functions: the module has to be executed again."""
        return not self.function

    def __str__(self) -> str:
        return f"line {self.line}: {self.what}"


@dataclass(frozen=True, slots=True)
class ChangedPlace:
    """A node that may be changed, and where it stands."""

    node: ast.AST
    lines: tuple[int, int]
    owner: str
    function: str


def list_mutants(source: str, owners: Collection[str] | None = None) -> list[Mutant]:
    """Return every change of the definitions of these names at the top of a module, or of all of it."""
    return [mutant for mutant, _ in _changes(ast.parse(source), owners)]


def switched_code(source: str, file: str, owners: Collection[str] | None = None) -> CodeType:
    """Return the code of a module that is any of its mutants, as its global `__unlike_mutant__` says."""
    tree = ast.parse(source)
    by_node: dict[int, list[tuple[int, Any]]] = {}
    ranges: dict[str, tuple[int, int]] = {}
    for mutant, change in _changes(tree, owners):
        by_node.setdefault(id(change.old), []).append((mutant.number, copy.deepcopy(change.new)))
        low, _ = ranges.get(mutant.function, (mutant.number, 0))
        ranges[mutant.function] = low, mutant.number
    tree = CountRounds().visit(Switched(by_node, ranges).visit(tree))
    return compile(ast.fix_missing_locations(tree), file, "exec", dont_inherit=True)


def mutant_source(source: str, mutant: Mutant, owners: Collection[str] | None = None) -> str:
    """Return the source of a module with one change, without a switch."""
    return ast.unparse(_mutate(source, mutant, owners))


def mutant_code(source: str, file: str, mutant: Mutant, owners: Collection[str] | None = None) -> CodeType:
    """Return the code of a module with one change, without a switch."""
    return compile(ast.fix_missing_locations(_mutate(source, mutant, owners)), file, "exec", dont_inherit=True)


def _mutate(source: str, mutant: Mutant, owners: Collection[str] | None) -> ast.Module:
    tree = ast.parse(source)
    change = next(each for found, each in _changes(tree, owners) if found.number == mutant.number)
    made: ast.Module = _Replacement(change.old, change.new).visit(tree)
    return made


class _Replacement(ast.NodeTransformer):
    """Put one node in the place of another."""

    def __init__(self, old: ast.AST, new: ast.AST) -> None:
        self.old, self.new = old, new

    def visit(self, node: ast.AST) -> Any:
        """Return the new node for the old one."""
        return ast.copy_location(self.new, node) if node is self.old else self.generic_visit(node)


# -- which changes there are -----------------------------------------------------------------------------


def _changes(tree: ast.Module, owners: Collection[str] | None) -> Iterator[tuple[Mutant, NodeChange]]:
    """Yield the changes in order of the source, numbered from 1."""
    number = 0
    for owner, top in _parts(tree):
        if owners is not None and owner not in owners:
            continue
        for site in _sites(top, owner, top_lines(top), ""):
            for change in changes_at(site.node):
                number += 1
                yield Mutant(number, *site.lines, change.operator, change.what, owner, site.function), change


def _parts(tree: ast.Module) -> Iterator[tuple[str, ast.stmt]]:
    """Yield the statements at the top of a module that may be changed, each with its name or none."""
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
                yield name, node
            case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name)):
                if name not in SAY_NOTHING and not _makes_type(node.value):
                    yield name, node
            case ast.Import() | ast.ImportFrom() | ast.Expr(ast.Constant()):
                continue
            case ast.If(test=test) if _says(test, "__name__") or _says(test, "TYPE_CHECKING"):
                continue
            case _ if node.__class__.__name__ != "TypeAlias":
                yield "", node


def _makes_type(value: ast.expr | None) -> bool:
    if not isinstance(value, ast.Call):
        return False
    name = value.func.attr if isinstance(value.func, ast.Attribute) else getattr(value.func, "id", "")
    return name in MAKE_TYPES


def _says(test: ast.expr, name: str) -> bool:
    return any(
        (isinstance(each, ast.Name) and each.id == name) or (isinstance(each, ast.Attribute) and each.attr == name)
        for each in ast.walk(test)
    )


def _sites(node: ast.AST, owner: str, lines: tuple[int, int], function: str) -> Iterator[ChangedPlace]:
    """Yield this node and those below it that may be changed; a default stands outside of its function."""
    yield ChangedPlace(node, lines, owner, function)
    for name, value in ast.iter_fields(node):
        if name in NOT_CHANGED:
            continue
        inside = function
        if isinstance(node, Function) and name == "body":
            inside = function or _mark(node)
        for child in value if isinstance(value, list) else [value]:
            if not isinstance(child, ast.AST) or _is_silent(node, child):
                continue
            here = top_lines(child) if isinstance(child, ast.stmt | ast.excepthandler) else lines
            yield from _sites(child, owner, here, inside)


def _mark(node: Function) -> str:
    """Return what tells a function from the others of its module."""
    return f"{node.name}:{node.lineno}"


def _is_silent(node: ast.AST, child: ast.AST) -> bool:
    """Tell whether a part is no behaviour: a docstring, the text of an f-string, what an exception says."""
    if isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
        return True
    return isinstance(node, ast.Raise) or (isinstance(node, ast.JoinedStr) and isinstance(child, ast.Constant))


def top_lines(statement: ast.AST) -> tuple[int, int]:
    """Return the lines of a statement, of one that holds others those of its head."""
    first: int = getattr(statement, "lineno", 0)
    last: int = getattr(statement, "end_lineno", None) or first
    if body := getattr(statement, "body", None):
        last = max(first, body[0].lineno - 1)
    if decorators := getattr(statement, "decorator_list", None):
        first = min(first, *(each.lineno for each in decorators))
    return first, last


# -- the switch ------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Switched(ast.NodeTransformer):
    """Put every change behind the switch; each function keeps its code for when it is not meant."""

    changes: dict[int, list[tuple[int, Any]]]
    ranges: dict[str, tuple[int, int]]
    inside: int = field(default=0)

    def visit(self, node: ast.AST) -> Any:
        """Return the node, or all that may stand in its place."""
        key = id(node)
        made: Any = self.visit_function(node) if isinstance(node, Function) else self.generic_visit(node)
        for number, new in reversed(self.changes.get(key, ())):
            test = ast.Compare(ast.Name(SWITCH, ast.Load()), [ast.Eq()], [ast.Constant(number)])
            is_expression = isinstance(node, ast.expr)
            made = _locate(ast.IfExp(test, new, made) if is_expression else ast.If(test, [new], [made]), node)
        return made

    def visit_function(self, node: Function) -> ast.AST:
        """Return an outermost function with two bodies, one for when a change in it is meant; others as any node."""
        mutants = self.ranges.get(_mark(node))
        if self.inside or mutants is None:
            return self.generic_visit(node)
        plain = copy.deepcopy(node.body)
        self.inside += 1
        self.generic_visit(node)
        self.inside -= 1
        start = 1 if isinstance(plain[0], ast.Expr) and isinstance(plain[0].value, ast.Constant) else 0
        declared = _Declarations()
        bodies = [[declared.visit(each) for each in body[start:]] for body in (node.body, plain)]
        low, high = mutants
        between = ast.Compare(
            ast.Constant(low), [ast.LtE(), ast.LtE()], [ast.Name(SWITCH, ast.Load()), ast.Constant(high)]
        )
        choice = _locate(
            ast.If(between, bodies[0] or [ast.Pass()], bodies[1]), plain[start] if plain[start:] else plain[0]
        )
        node.body = [*plain[:start], *(_locate(each, plain[0]) for each in declared.statements()), choice]
        return node


class _Declarations(ast.NodeTransformer):
    """Take `global` and `nonlocal` out of a body: with two of them they stand once before both."""

    def __init__(self) -> None:
        self.found: dict[type, dict[str, None]] = {}

    def visit_Global(self, node: ast.Global | ast.Nonlocal) -> ast.AST:
        """Note the names."""
        self.found.setdefault(type(node), {}).update(dict.fromkeys(node.names))
        made: ast.AST = _locate(ast.Pass(), node)
        return made

    visit_Nonlocal = visit_Global  # noqa: N815 - a name that the base class asks for

    def visit_FunctionDef(self, node: ast.AST) -> ast.AST:
        """Leave the functions and classes within alone."""
        return node

    visit_AsyncFunctionDef = visit_ClassDef = visit_Lambda = visit_FunctionDef  # noqa: N815

    def statements(self) -> list[ast.stmt]:
        """Return the declarations."""
        return [kind(list(names)) for kind, names in self.found.items()]


class CountRounds(ast.NodeTransformer):
    """Let every loop count its rounds."""

    def visit_loop(self, node: Any) -> Any:
        """Put a call of the counter before all else into the body."""
        self.generic_visit(node)
        call = ast.Expr(ast.Call(ast.Name(ROUND, ast.Load()), [], []))
        node.body.insert(0, _locate(call, node))
        return node

    visit_For = visit_While = visit_AsyncFor = visit_loop  # noqa: N815


def _locate(made: Any, node: ast.AST) -> Any:
    return ast.fix_missing_locations(ast.copy_location(made, node))
