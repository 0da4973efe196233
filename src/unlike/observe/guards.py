"""What holds of the arguments wherever a condition of a function is looked at, read from its source alone.

    def fee(age, member):
        if age < 6:
            return 0
        if member and age < 6:       # guards: (age < 6, False)
            return 1
        return 2

Only parameters that the function never binds anew are of use: so a guard that held when it was passed holds for the
rest of the call. What is left out makes the guards weaker, never wrong: if they cannot all hold, the condition is never
looked at.
"""

from __future__ import annotations

import ast
import inspect
import io
import linecache
import re
import tokenize
import types
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

Place = tuple[int, int, str]  # line, column, and whether it is a "condition" or an "operand"
REACHES_NAMES = {"globals", "locals", "vars", "exec", "eval", "setattr", "delattr"}  # by these any name can be bound


@dataclass(frozen=True, slots=True)
class Guard:
    """A condition of the source, and whether it was true."""

    test: ast.expr
    holds: bool


@dataclass(frozen=True, slots=True)
class GuardedTest:
    """A condition, and what held before it is looked at."""

    test: ast.expr
    guards: tuple[Guard, ...]


@dataclass(frozen=True, slots=True)
class GuardedFunction:
    """The conditions of a function, and which names in them have one value during a call."""

    node: ast.FunctionDef
    steady: frozenset[str]  # parameters
    constants: dict[str, object]  # names of the module, bound once to a plain value; `re` and `len` if they are theirs
    tests: dict[Place, GuardedTest] = field(default_factory=dict)


def guards_of(function: object, files: Iterable[str]) -> GuardedFunction | None:
    """Return the guards of a function of a module that nothing in these files calls; None where that is not known."""
    if not isinstance(function, types.FunctionType) or inspect.unwrap(function) is not function:
        return None
    code = function.__code__
    if code.co_flags & (inspect.CO_GENERATOR | inspect.CO_COROUTINE | inspect.CO_ASYNC_GENERATOR):
        return None
    try:
        module = ast.parse("".join(linecache.getlines(code.co_filename)))
    except SyntaxError:
        return None
    found = [each for each in module.body if isinstance(each, ast.FunctionDef) and each.name == function.__name__]
    if len(found) != 1 or found[0].decorator_list or found[0].lineno != code.co_firstlineno:
        return None
    [node] = found
    if any(_mentions(node.name, file) > (file == code.co_filename) for file in {*files, code.co_filename}):
        return None  # it may be called with other arguments than those it is given
    if any(isinstance(each, ast.Name) and each.id in REACHES_NAMES for each in ast.walk(module)):
        return None
    arguments = [*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs]
    bound = {name for statement in node.body for each in ast.walk(statement) for name in _names_bound_by(each)}
    steady = frozenset(each.arg for each in arguments) - bound
    guarded = GuardedFunction(node, steady, _constants_of(module, function.__globals__))
    _note_tests(node.body, (), guarded.tests)
    return guarded


def _mentions(name: str, file: str) -> int:
    """Return how often a name stands in a file, as a name or as a text of its own."""
    count = 0
    try:
        for token in tokenize.generate_tokens(io.StringIO("".join(linecache.getlines(file))).readline):
            is_text = token.type == tokenize.STRING and token.string.strip("rRbBuU'\"") == name
            count += is_text or (token.type == tokenize.NAME and token.string == name)
    except (tokenize.TokenError, SyntaxError):
        return 2  # as if there were more than its definition
    return count


def _names_bound_by(node: ast.AST) -> Iterator[str]:
    """Yield the names that a node binds, deletes, or lets others bind."""
    match node:
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            yield name
        case ast.arg(arg=name):
            yield name
        case ast.Global(names) | ast.Nonlocal(names):
            yield from names
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name) | ast.ClassDef(name=name):
            yield name
        case ast.ExceptHandler(name=str(name)) | ast.MatchAs(name=str(name)) | ast.MatchStar(name=str(name)):
            yield name
        case ast.MatchMapping(rest=str(name)):
            yield name
        case ast.Import(names) | ast.ImportFrom(names=names):
            yield from ((each.asname or each.name).partition(".")[0] for each in names)


def _constants_of(module: ast.Module, namespace: dict[str, object]) -> dict[str, object]:
    """Return the names of a module that are bound once, by an assignment, and hold what cannot change."""
    bound = Counter(name for node in ast.walk(module) for name in _names_bound_by(node))
    assigned = [each for each in module.body if isinstance(each, ast.Assign)]
    names = [target.id for each in assigned for target in each.targets if isinstance(target, ast.Name)]
    found = {name: namespace[name] for name in names if bound[name] == 1 and _is_plain(namespace.get(name))}
    if bound["re"] == 1 and namespace.get("re") is re:
        found["re"] = re
    if not bound["len"] and "len" not in namespace:
        found["len"] = len
    return found


def _is_plain(value: object) -> bool:
    if isinstance(value, tuple | frozenset):
        return type(value) in (tuple, frozenset) and all(map(_is_plain, value))
    return type(value) in (int, str, bool, re.Pattern)


def _note_tests(body: Sequence[ast.stmt], guards: tuple[Guard, ...], tests: dict[Place, GuardedTest]) -> None:
    """Note the conditions of statements; a block that is always left is a guard for what comes after it."""

    def note(test: ast.expr) -> None:
        tests[test.lineno, test.col_offset, "condition"] = GuardedTest(test, guards)
        _note_operands(test, guards, tests)

    for statement in body:
        for node in _own_expressions(statement):
            if isinstance(node, ast.IfExp):
                note(node.test)
        match statement:
            case ast.If(test, inner, other):
                note(test)
                _note_tests(inner, (*guards, Guard(test, holds=True)), tests)
                _note_tests(other, (*guards, Guard(test, holds=False)), tests)
                if not _falls_through(inner):
                    guards = (*guards, Guard(test, holds=False))
                if other and not _falls_through(other):
                    guards = (*guards, Guard(test, holds=True))
            case ast.While(test, inner, other):
                note(test)
                _note_tests(inner, (*guards, Guard(test, holds=True)), tests)
                _note_tests(other, guards, tests)
            case ast.FunctionDef() | ast.AsyncFunctionDef() | ast.ClassDef():
                pass  # what stands in there runs at another time
            case _:
                for block in _blocks_of(statement):
                    _note_tests(block, guards, tests)


def _note_operands(test: ast.expr, guards: tuple[Guard, ...], tests: dict[Place, GuardedTest]) -> None:
    """Note the operands of `and` and `or`: each is looked at only if those before it did not decide."""
    if isinstance(test, ast.BoolOp):
        for each in test.values:
            place: Place = each.lineno, each.col_offset, "operand"
            known = tests.get(place)
            if known is None:
                tests[place] = GuardedTest(each, guards)
            elif known.test is not each:  # two that begin at one place cannot be told apart
                tests[place] = GuardedTest(ast.Constant(None), ())
            _note_operands(each, guards, tests)
            guards = (*guards, Guard(each, holds=isinstance(test.op, ast.And)))


def _blocks_of(statement: ast.stmt) -> Iterator[list[ast.stmt]]:
    for _, part in ast.iter_fields(statement):
        parts = part if isinstance(part, list) else []
        if parts and all(isinstance(each, ast.stmt) for each in parts):
            yield parts
        for each in parts:
            if isinstance(each, ast.ExceptHandler | ast.match_case):
                yield each.body


OWN_SCOPE = ast.Lambda | ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp


def _own_expressions(statement: ast.stmt) -> Iterator[ast.AST]:
    """Yield the expressions of one statement that see the names of its function."""
    todo: list[ast.AST] = [each for each in ast.iter_child_nodes(statement) if isinstance(each, ast.expr)]
    while todo:
        node = todo.pop()
        yield node
        if not isinstance(node, OWN_SCOPE):
            todo += [each for each in ast.iter_child_nodes(node) if isinstance(each, ast.expr | ast.keyword)]


def _falls_through(body: Sequence[ast.stmt]) -> bool:
    """Tell whether the statement after a block may run after it."""
    match body[-1]:
        case ast.Return() | ast.Raise() | ast.Continue() | ast.Break():
            return False
        case ast.If(_, inner, other) if other:
            return _falls_through(inner) or _falls_through(other)
    return True
