"""The source of an invariant and of what it calls: functions as syntax trees, and what their names stand for."""

from __future__ import annotations

import ast
import builtins
import functools
import inspect
import textwrap
import types
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, NoReturn

from unlike.invariants.compile.values import UnsupportedError

UNKNOWN = object()
HARMLESS_DECORATORS = frozenset({"property", "staticmethod", "classmethod", "abstractmethod", "override", "final"})


@dataclass(slots=True, eq=False)
class Function:
    """A function as its syntax tree, with what is known of it before it runs."""

    name: str
    source: types.FunctionType
    tree: ast.FunctionDef
    parameters: list[str]
    rest: str | None  # the name of *args
    defaults: Mapping[str, object]
    first_line: int
    calls: set[str]
    outer: Function | None = None  # the function inside which it stands
    own_names: frozenset[str] = frozenset()  # its variables
    outer_names: frozenset[str] = frozenset()  # those of functions around it that it gives values to
    is_generator: bool = False
    is_recursive: bool = False
    pivot: int = 0  # which argument the recursion descends on
    checks: set[ast.AST] = field(default_factory=set)  # uses of sets that only say "at most once"
    checked_first: str | None = None  # the parameter that such a set sees before anything else happens

    @property
    def place(self) -> str:
        """Its name and its line, for a message."""
        return f"{self.name}, line {self.first_line}"

    @property
    def returns_numbers(self) -> bool:
        """Whether it returns arithmetic, or an int."""
        for node in ast.walk(self.tree):
            match node:
                case ast.Return(value=ast.BinOp() | ast.UnaryOp(op=ast.USub())):
                    return True
                case ast.Return(value=ast.Constant(value=value)) if type(value) is int:
                    return True
        return False

    def line(self, node: ast.AST) -> int:
        """Return the line of a node in its file."""
        return self.first_line + getattr(node, "lineno", 1) - 1

    def refuse(self, what: str) -> NoReturn:
        """Name the function as outside the subset."""
        raise UnsupportedError(what, self.name, self.first_line)

    def uses_once(self, name: str) -> bool:
        """Tell whether a parameter is a set that only says "at most once", here and where it is handed on."""
        good: set[ast.AST] = set()
        for node in ast.walk(self.tree):
            if isinstance(node, ast.Compare) and node in self.checks:
                good.add(node.comparators[0])
            elif isinstance(node, ast.Call):
                if node in self.checks and isinstance(node.func, ast.Attribute):
                    good.add(node.func.value)
                elif self._is_called_by(node):
                    good.update(node.args)
        uses = [node for node in ast.walk(self.tree) if isinstance(node, ast.Name) and node.id == name]
        return all(node in good for node in uses)

    def _is_called_by(self, node: ast.Call) -> bool:
        match node.func:
            case ast.Attribute(attr=name) | ast.Name(id=name):
                return name == self.tree.name
        return False


class Program:
    """The functions that an invariant is made of, read when they are first called."""

    def __init__(self, classes: tuple[type, ...]) -> None:
        self.classes = classes  # whose methods a name can mean
        self._read: dict[types.FunctionType, Function] = {}
        self._analysed: set[Function] = set()
        self._nested: dict[ast.AST, Function] = {}

    def nested_function(self, tree: ast.FunctionDef | ast.Lambda, outer: Function) -> Function:
        """Return a function that stands inside another one, or a lambda."""
        function = self._nested.get(tree)
        if function is None:
            function = self._nested[tree] = _read_nested(tree, outer)
            reached = {function.name, *_names_called(function.tree)}
            while outer.outer is not None:
                outer = outer.outer
            siblings = {
                each.name: _names_called(each) for each in ast.walk(outer.tree) if isinstance(each, ast.FunctionDef)
            }
            while more := {name for each in reached & set(siblings) for name in siblings[each]} - reached:
                reached |= more
            called = set().union(*(siblings[each] for each in reached & set(siblings)))
            function.is_recursive = isinstance(tree, ast.FunctionDef) and tree.name in called
        return function

    def function(self, source: types.FunctionType) -> Function:
        """Return the function, read; it is known whether it can call itself, through others too, and on what."""
        function = self._read_once(source)
        if function not in self._analysed:
            self._analysed.add(function)
            reached = self._reach(function)
            function.is_recursive = function in reached
            if function.is_recursive:
                function.pivot = _pivot(function, [each for each in reached if function in self._reach(each)])
        return function

    def _read_once(self, source: types.FunctionType) -> Function:
        if source not in self._read:
            self._read[source] = _read(source)
        return self._read[source]

    def _reach(self, function: Function) -> set[Function]:
        found: set[Function] = set()
        todo = [function]
        while todo:
            for name in sorted(todo.pop().calls):
                for source in self._sources(name, function):
                    called = self._read_once(source)
                    if called not in found:
                        found.add(called)
                        todo.append(called)
        return found

    def _sources(self, name: str, function: Function) -> list[types.FunctionType]:
        candidates = [*(member_of(cls, name) for cls in self.classes), function.source.__globals__.get(name)]
        sources = [each.fget if isinstance(each, property) else getattr(each, "__func__", each) for each in candidates]
        return [each for each in sources if isinstance(each, types.FunctionType) and _has_source(each)]


def member_of(cls: type, name: str) -> Any:
    """Return what the class defines under that name, as it stands there; static and class methods stay wrapped."""
    return inspect.getattr_static(cls, name, None)


def global_of(function: Function, name: str) -> Any:
    """Return what a name that is no variable stands for, or UNKNOWN."""
    source = function.source
    cells = dict(zip(source.__code__.co_freevars, source.__closure__ or (), strict=False))
    if name in cells:
        try:
            return cells[name].cell_contents
        except ValueError:  # it has no value yet
            return UNKNOWN
    if name in source.__globals__:
        return source.__globals__[name]
    return vars(builtins).get(name, UNKNOWN)


@functools.cache
def _has_source(source: types.FunctionType) -> bool:
    try:
        inspect.getsource(source)
    except (OSError, TypeError):
        return False
    return True


def _read(source: types.FunctionType) -> Function:
    name = source.__qualname__
    try:
        lines, first_line = inspect.getsourcelines(source)
        tree = ast.parse(textwrap.dedent("".join(lines))).body[0]
    except (OSError, TypeError, SyntaxError, IndentationError):
        raise UnsupportedError(f"the source of {name} cannot be read", name) from None
    if not isinstance(tree, ast.FunctionDef):
        raise UnsupportedError("it is not an ordinary function", name, first_line)
    for decorator in map(ast.unparse, tree.decorator_list):
        if decorator.rpartition(".")[2] not in HARMLESS_DECORATORS:
            raise UnsupportedError(f"the decorator {decorator}", name, first_line)
    return _analyse(name, source, tree, _defaults(source), first_line)


def _read_nested(tree: ast.FunctionDef | ast.Lambda, outer: Function) -> Function:
    """Return a function inside another one, or a lambda as a function that returns its expression."""
    if isinstance(tree, ast.Lambda):
        body: list[ast.stmt] = [ast.copy_location(ast.Return(tree.body), tree)]
        tree = ast.copy_location(ast.FunctionDef("<lambda>", tree.args, body, []), tree)
    elif tree.decorator_list:
        raise UnsupportedError("a decorator of a function inside a function", tree.name, outer.line(tree))
    found = _analyse(tree.name, outer.source, tree, {}, outer.first_line)
    found.outer = outer
    return found


def _analyse(
    name: str, source: types.FunctionType, tree: ast.FunctionDef, defaults: Mapping[str, object], first_line: int
) -> Function:
    """Return a function with what is known of it before it runs."""
    arguments = tree.args
    if arguments.kwarg is not None or (arguments.kwonlyargs and arguments.vararg is not None):
        raise UnsupportedError("**keywords as a parameter", name, first_line + tree.lineno - 1)
    parameters = [each.arg for each in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
    rest = None if arguments.vararg is None else arguments.vararg.arg
    function = Function(name, source, tree, parameters, rest, defaults, first_line, _names_called(tree))
    nodes = list(_own_nodes(tree))
    if any(isinstance(each, ast.Await | ast.AsyncFor | ast.AsyncWith | ast.Global) for each in nodes):
        raise UnsupportedError("await, or global", name, first_line + tree.lineno - 1)
    stored = {each.id for each in nodes if isinstance(each, ast.Name) and not isinstance(each.ctx, ast.Load)}
    stored |= {each.name for each in nodes if isinstance(each, ast.FunctionDef | ast.ExceptHandler) and each.name}
    stored |= {each.name for each in nodes if isinstance(each, ast.MatchAs | ast.MatchStar) and each.name}
    stored |= {each.rest for each in nodes if isinstance(each, ast.MatchMapping) and each.rest}
    stored |= {
        name.asname or name.name.partition(".")[0]
        for each in nodes
        if isinstance(each, ast.Import | ast.ImportFrom)
        for name in each.names
    }
    function.outer_names = frozenset(name for each in nodes if isinstance(each, ast.Nonlocal) for name in each.names)
    function.own_names = frozenset({*parameters, *stored, *([rest] if rest else [])} - function.outer_names)
    function.is_generator = any(isinstance(each, ast.Yield | ast.YieldFrom) for each in nodes)
    function.checks = _once_checks(tree)
    function.checked_first = _checked_first(tree, function.checks)
    return function


def _own_nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """Yield the nodes of a function without those of functions and comprehensions inside it."""
    inside = [*ast.iter_child_nodes(tree)] if not isinstance(tree, ast.FunctionDef) else list(tree.body)
    for node in inside:
        yield node
        if isinstance(node, ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp):
            # its targets are its own; what := gives a value to is not
            yield from (each.target for each in ast.walk(node) if isinstance(each, ast.NamedExpr))
        elif not isinstance(node, ast.FunctionDef | ast.Lambda | ast.ClassDef):
            yield from _own_nodes(node)


def _defaults(source: types.FunctionType) -> dict[str, object]:
    signature = inspect.signature(source)
    return {
        name: each.default for name, each in signature.parameters.items() if each.default is not inspect.Parameter.empty
    }


def _names_called(tree: ast.AST) -> set[str]:
    """Return every name that may be a call: of functions, methods, and attributes that may be properties."""
    names = {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    return names | {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}


def _pivot(function: Function, circle: list[Function]) -> int:
    """Return 1 if every call passes the receiver on as it is, like `self.height(node.left)`, else 0."""
    if len(function.parameters) < 2:
        return 0
    short = function.tree.name
    for caller in circle:
        me = caller.parameters[0] if caller.parameters else ""
        for node in ast.walk(caller.tree):
            if isinstance(node, ast.Call):
                match node.func:
                    case ast.Attribute(value=ast.Name(id=owner), attr=name) if name == short:
                        if owner != me:
                            return 0
                    case ast.Attribute(attr=name) | ast.Name(id=name) if name == short:
                        return 0
    return 1


# -- sets that only say "at most once" -------------------------------------------------------------------


def _once_checks(tree: ast.FunctionDef) -> set[ast.AST]:
    """Return the uses of sets in pairs `if X in S: return False` … `S.add(X)` of one block.

    Such a set says that no X comes twice, whatever the order in which calls are made.
    """
    found: set[ast.AST] = set()
    for block in _blocks(tree):
        for position, statement in enumerate(block):
            if not (isinstance(statement, ast.If) and not statement.orelse and is_return_false(statement.body)):
                continue
            for test in _membership_tests(statement.test):
                addition = _addition_after(test, block[position + 1 :])
                if addition is not None:
                    found |= {test, addition}
    return found


def _blocks(tree: ast.AST) -> list[list[ast.stmt]]:
    return [
        block
        for node in ast.walk(tree)
        for block in (getattr(node, "body", None), getattr(node, "orelse", None))
        if isinstance(block, list)
    ]


def _membership_tests(test: ast.expr) -> list[ast.Compare]:
    parts = test.values if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.Or) else [test]
    return [
        part
        for part in parts
        if isinstance(part, ast.Compare)
        and len(part.ops) == 1
        and isinstance(part.ops[0], ast.In)
        and isinstance(part.comparators[0], ast.Name)
    ]


def _addition_after(test: ast.Compare, following: list[ast.stmt]) -> ast.Call | None:
    """Return the call that adds what was tested, if nothing between them changes it or ends otherwise than False."""
    tested, into = ast.unparse(test.left), ast.unparse(test.comparators[0])
    for statement in following:
        if isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Call):
            return statement.value if ast.unparse(statement.value) == f"{into}.add({tested})" else None
        if not isinstance(statement, ast.If | ast.Assign):
            return None
        stored = {
            node.id for node in ast.walk(statement) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        if stored & {node.id for node in ast.walk(test) if isinstance(node, ast.Name)}:
            return None
        if isinstance(statement, ast.If) and (statement.orelse or not is_return_false(statement.body)):
            return None
    return None


def _checked_first(tree: ast.FunctionDef, checks: set[ast.AST]) -> str | None:
    """Return the parameter that is checked and added before anything else: two calls on it cannot both succeed."""
    none_tests: set[str] = set()
    for statement in tree.body:
        match statement:
            case ast.Expr(value=ast.Constant()):
                continue
            case ast.If(test=test, body=[ast.Return(value=ast.Constant(value=value))], orelse=[]):
                if test in checks and isinstance(test, ast.Compare) and (checked := _checked_name(test.left)):
                    return checked if none_tests <= {checked} else None
                if value is False:
                    continue
                match test:
                    case ast.Compare(ast.Name(id=name), [ast.Is()], [ast.Constant(value=None)]):
                        none_tests.add(name)
                        continue
        return None
    return None


def _checked_name(tested: ast.expr) -> str | None:
    """Return the variable that is checked: by itself, or by its id."""
    match tested:
        case ast.Name(id=name) | ast.Call(func=ast.Name(id="id"), args=[ast.Name(id=name)], keywords=[]):
            return name
    return None


def is_return_false(body: list[ast.stmt]) -> bool:
    """Tell whether statements are `return False` and nothing else."""
    match body:
        case [ast.Return(value=ast.Constant(value=False))]:
            return True
    return False
