"""What a class's own code stores into its fields: read from the source of its methods, never run."""

from __future__ import annotations

import ast
import builtins
import enum
import inspect
import textwrap
import types
from collections import defaultdict, deque
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, TypeAlias

from unlike.invariants.fields.contents import MAKERS
from unlike.invariants.fields.domains import Maker
from unlike.types.read import ReadParameter, read_annotation, read_parameters
from unlike.types.tree import TypeNode


@dataclass(frozen=True, slots=True)
class Constant:
    """A plain value that stands in the source."""

    value: object


@dataclass(frozen=True, slots=True)
class Passed:
    """An argument of the method, with its type, and the value it has if it is not passed."""

    type: TypeNode
    default: object = inspect.Parameter.empty


@dataclass(frozen=True, slots=True)
class NewObject:
    """A new object of a class, or the object itself."""

    cls: type


@dataclass(frozen=True, slots=True)
class StandardContainer:
    """A deque, OrderedDict, Counter or defaultdict, with its greatest length or its default_factory, if it has one."""

    maker: Maker
    text: str


@dataclass(frozen=True, slots=True)
class RepeatedList:
    """A list of a length that the source says: `[None] * SIZE`."""

    length: int
    text: str


@dataclass(frozen=True, slots=True)
class AnnotatedStore:
    """Something under an annotation of its own: `self.items: list[int] = []`."""

    type: TypeNode


@dataclass(frozen=True, slots=True)
class Unclear:
    """Something that only running the code could tell."""

    text: str


Stored: TypeAlias = Constant | Passed | NewObject | StandardContainer | RepeatedList | AnnotatedStore | Unclear


def stores_of(cls: type, name: str = "__init__") -> dict[str, list[Stored]]:
    """Return what the methods of that name, own and inherited, store into each field of `self`, in order."""
    found: dict[str, list[Stored]] = {}
    for each in reversed(cls.__mro__):
        function = vars(each).get(name)
        if isinstance(function, types.FunctionType):
            for field, stored in _MethodStores(function, cls).stores():
                found.setdefault(mangle(field, each), []).append(stored)
    return found


def later_stores_of(cls: type) -> dict[str, list[Stored]]:
    """Return what methods other than the constructor store into each field of `self`."""
    names = dict.fromkeys(name for each in cls.__mro__ if each is not object for name in vars(each))
    found: dict[str, list[Stored]] = {}
    for name in names:
        if name != "__init__":
            for field, stored in stores_of(cls, name).items():
                found.setdefault(field, []).extend(stored)
    return found


def mangle(name: str, owner: type) -> str:
    """Return the name under which a private field of a class is stored."""
    return f"_{owner.__name__.lstrip('_')}{name}" if name.startswith("__") and not name.endswith("__") else name


class _MethodStores:
    """Reads the source of one method."""

    def __init__(self, function: types.FunctionType, cls: type) -> None:
        self.function = function
        self.cls = cls
        self.parameters: dict[str, ReadParameter] = {}
        self.names: dict[str, Any] = {**vars(builtins), **function.__globals__, cls.__name__: cls}

    def stores(self) -> Iterator[tuple[str, Stored]]:
        """Yield each field with what is stored into it."""
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(self.function)))
            self.parameters = {each.name: each for each in read_parameters(self.function, self.cls)}
        except (OSError, TypeError, SyntaxError, ValueError):
            return
        self.me = next(iter(self.parameters), "")
        for node in ast.walk(tree):
            yield from self.stores_in(node)

    def stores_in(self, node: ast.AST) -> Iterator[tuple[str, Stored]]:
        match node:
            case ast.AnnAssign(target=ast.Attribute(value=ast.Name(id=owner), attr=name)) if owner == self.me:
                yield name, AnnotatedStore(self.read_type(node.annotation))
                if node.value is not None:
                    yield from ((name, each) for each in self.list_stores(node.value) if not isinstance(each, Unclear))
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from self.pairs(target, value)

    def pairs(self, target: ast.expr, value: ast.expr) -> Iterator[tuple[str, Stored]]:
        """Yield the fields among the targets of an assignment."""
        match target, value:
            case ast.Attribute(value=ast.Name(id=owner), attr=name), _ if owner == self.me:
                yield from ((name, each) for each in self.list_stores(value))
            case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
                for one, other in zip(targets, values, strict=True):
                    yield from self.pairs(one, other)
            case (ast.Tuple(elts=targets), _) | (ast.List(elts=targets), _):
                for one in targets:
                    if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == self.me:
                        yield one.attr, Unclear(ast.unparse(value))

    def list_stores(self, value: ast.expr) -> Iterator[Stored]:
        """Yield what an expression can be."""
        match value:
            case ast.IfExp(body=one, orelse=other):
                yield from self.list_stores(one)
                yield from self.list_stores(other)
            case ast.BoolOp(values=values):
                for each in values:
                    yield from self.list_stores(each)
            case ast.Name(id=name) if name == self.me:
                yield NewObject(self.cls)
            case ast.Name(id=name) if name in self.parameters:
                default = self.parameters[name].default
                yield Passed(self.parameters[name].type, default)
                if default is None:
                    yield Constant(None)
            case ast.BinOp(ast.List(), ast.Mult(), times) | ast.BinOp(times, ast.Mult(), ast.List()):
                length = getattr(self.constant(times), "value", None)
                text = ast.unparse(value)
                yield RepeatedList(max(0, length), text) if type(length) is int else Unclear(text)
            case ast.Call(func=function):
                made = self.evaluate(function)
                if isinstance(made, type) and made in MAKERS:
                    yield StandardContainer(Maker(made, self.maker_argument(made, value)), ast.unparse(value))
                elif isinstance(made, type) and made.__module__ != "builtins":
                    yield NewObject(made)
                else:
                    yield Unclear(ast.unparse(value))
            case _:
                yield self.constant(value)

    def maker_argument(self, made: type, call: ast.Call) -> object:
        """Return the greatest length of a deque that is made, or the default_factory of a defaultdict; else None."""
        keywords = {each.arg: each.value for each in call.keywords}
        if made is defaultdict:
            given = call.args[0] if call.args else keywords.get("default_factory")
            found = None if given is None else self.evaluate(given)
            return found if isinstance(found, type | types.FunctionType) else None
        given = keywords.get("maxlen", call.args[1] if len(call.args) > 1 else None)
        length = None if given is None or made is not deque else self.constant(given)
        return length.value if isinstance(length, Constant) and type(length.value) is int else None

    def constant(self, value: ast.expr) -> Stored:
        """Return a literal, or a constant that the module or the class defines."""
        try:
            found = ast.literal_eval(value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            match value:
                case ast.Attribute(ast.Name(id=owner), name) if owner == self.me:  # a constant of the class
                    found = inspect.getattr_static(self.cls, name, Unclear(ast.unparse(value)))
                case ast.Name() | ast.Attribute():
                    found = self.evaluate(value)
                case _:
                    return Unclear(ast.unparse(value))
        if found is None or isinstance(found, bool | int | float | str | bytes | enum.Enum):
            return Constant(found)
        return Unclear(ast.unparse(value))

    def read_type(self, node: ast.expr) -> TypeNode:
        """Return the type that an annotation inside the method stands for."""
        text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ast.unparse(node)
        return read_annotation(text, (self.names,), self.cls)

    def evaluate(self, node: ast.expr) -> object:
        """Return what a name, or an attribute of a name, stands for in the module; no calls are made."""
        if any(isinstance(each, ast.Call | ast.Lambda | ast.Await) for each in ast.walk(node)):
            return Unclear(ast.unparse(node))
        try:
            return eval(ast.unparse(node), self.names)
        except Exception:  # a name that is not there, a subscript that fails
            return Unclear(ast.unparse(node))
