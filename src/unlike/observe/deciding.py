"""Which operand of `and` / `or` decides: those that Python skips are looked at, where nothing can come of looking.

    if number > 5 and text != "no" and text in names:

With 3 the first operand is false. It decides if the other two are true: they are evaluated here, step by step, and
given up at the first step that would run code of the user's (a method, a property, a class that compares as it
likes). What raises is given up, too. Nothing is evaluated that could change anything.
"""

from __future__ import annotations

import ast
import builtins
import copy
import datetime
import decimal
import fractions
import functools
import operator
import re
import types
from collections.abc import Callable, Mapping, Sequence
from typing import Any

Read = Callable[[tuple[Any, ...]], Any]  # from the values of the names to that of an expression

Quick = Callable[[tuple[Any, ...]], bool | None]  # whether operands decide; None where they have to be looked at

NOTHING, REFUSED = object(), object()
TRIES = 3  # in one run at one operand, until it is seen to decide: a loop asks again and again
SEVERAL = 40  # members of a container that are looked at, whether they are plain
PLAIN = frozenset({int, float, complex, bool, str, bytes, types.NoneType})
MEASURES = frozenset({decimal.Decimal, fractions.Fraction, datetime.date, datetime.timedelta})  # compared, not computed
CONTAINERS = frozenset({list, tuple, dict, set, frozenset, range})
SEQUENCES = frozenset({list, tuple, str, bytes, range})
METHODS = {name for name in dir(str) if name.startswith("is")} | {"startswith", "endswith", "find", "count"}
METHODS |= {"lower", "upper", "casefold", "strip", "lstrip", "rstrip"}
MATCHING = frozenset({"match", "search", "fullmatch"})
COMPARISONS: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
    ast.Lt: operator.lt,
    ast.LtE: operator.le,
    ast.Gt: operator.gt,
    ast.GtE: operator.ge,
}
ARITHMETIC: dict[type[ast.operator], Callable[[Any, Any], Any]] = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mod: operator.mod,
    ast.FloorDiv: operator.floordiv,
    ast.BitAnd: operator.and_,
}


class CannotLookError(Exception):
    """To look further might run code of the user's."""


class Skipped:
    """The operands that Python skips after one has settled the matter."""

    def __init__(self, operands: Sequence[ast.expr], local: Sequence[str], namespace: Mapping[str, Any]) -> None:
        self.places = {name: place for place, name in enumerate(local)}
        self.namespace = namespace
        self.operands = [self._read(each) for each in operands]
        self.quick = self._compile(operands)

    def are_all(self, wanted: bool, values: tuple[Any, ...]) -> bool:
        """Tell whether all of them have this truth, as far as can be seen."""
        if self.quick is not None:
            found = self.quick[wanted](values)
            if found is not None:
                return found
        try:
            return all(truth_of(read(values)) is wanted for read in self.operands)
        except Exception:  # cannot be looked at, or raises as it might have in the code
            return False

    def _compile(self, operands: Sequence[ast.expr]) -> dict[bool, Quick] | None:
        """Return for each truth what tells quickly whether all operands have it; None where none of it is safe.

        The operands as they stand are evaluated if every value that they begin with is plain: then no step can be
        anything else.
        """
        leaves = Leaves()
        try:
            trees = [leaves.visit(copy.deepcopy(each)) for each in operands]
        except CannotLookError:
            return None
        reads = [self._read(each) for each in leaves.found.values()]
        truths = {True: ast.BoolOp(ast.And(), trees), False: ast.UnaryOp(ast.Not(), ast.BoolOp(ast.Or(), trees))}
        if len(trees) == 1:
            truths = {True: trees[0], False: ast.UnaryOp(ast.Not(), trees[0])}
        return {wanted: _quickly(reads, leaves.as_function(tree)) for wanted, tree in truths.items()}

    def _read(self, node: ast.expr) -> Read:
        """Return how to read an expression; refuse it if that is never safe."""
        match node:
            case ast.Constant(value):
                return lambda _: value
            case ast.Name(name) if name in self.places:
                place = self.places[name]
                return lambda values: values[place]
            case ast.Name(name):
                return lambda _: self._read_global(name)
            case ast.Attribute(inner, name) if not name.startswith("__"):
                whole = self._read(inner)
                return lambda values: read_attribute(whole(values), name)
            case ast.UnaryOp(ast.Not(), inner):
                operand = self._read(inner)
                return lambda values: not truth_of(operand(values))
            case ast.BoolOp(op, inner_values):
                return _either_or_all([self._read(each) for each in inner_values], isinstance(op, ast.And))
            case ast.Compare(left, [op], [right]):
                return _comparison(self._read(left), op, self._read(right))
            case ast.BinOp(left, op, right) if type(op) in ARITHMETIC:
                one, other, act = self._read(left), self._read(right), ARITHMETIC[type(op)]
                return lambda values: act(number(one(values)), number(other(values)))
            case ast.Subscript(whole_node, index_node) if not isinstance(index_node, ast.Slice):
                items, index = self._read(whole_node), self._read(index_node)
                return lambda values: read_item(items(values), index(values))
            case ast.Tuple(elements):
                parts = [self._read(each) for each in elements]
                return lambda values: tuple([part(values) for part in parts])
            case ast.Call(function, arguments, []):
                return self._read_call(function, arguments)
        raise CannotLookError

    def _read_global(self, name: str) -> Any:
        if name in self.namespace:
            return self.namespace[name]
        return getattr(builtins, name)

    def _read_call(self, function: ast.expr, arguments: list[ast.expr]) -> Read:
        given = [self._read(each) for each in arguments]
        match function:
            case ast.Attribute(inner, name) if name in METHODS or name in MATCHING:
                whole = self._read(inner)
                return lambda values: call_method(whole(values), name, [each(values) for each in given])
            case ast.Name("len") if len(given) == 1:
                self._must_be_builtin("len")
                return lambda values: size_of(given[0](values))
            case ast.Name("isinstance") if len(given) == 2:  # a value and a class
                self._must_be_builtin("isinstance")
                return lambda values: is_of_class(given[0](values), given[1](values))
            case ast.Name("ord" | "abs" as name) if len(given) == 1:
                self._must_be_builtin(name)
                act = getattr(builtins, name)
                return lambda values: act(plain(given[0](values)))
        raise CannotLookError

    def _must_be_builtin(self, name: str) -> None:
        if name in self.places or name in self.namespace:
            raise CannotLookError


class Leaves(ast.NodeTransformer):
    """Finds the values that expressions begin with, and gives them names: `self.kind == "a"` becomes `_0 == "a"`."""

    SAFE = (ast.Constant, ast.Compare, ast.BoolOp, ast.UnaryOp, ast.Not, ast.Tuple, ast.boolop, ast.cmpop, ast.Load)

    def __init__(self) -> None:
        self.found: dict[str, ast.expr] = {}  # by their texts

    def visit(self, node: ast.AST) -> Any:
        """Return a node with names for what it begins with; refuse what is not safe with plain values."""
        match node:
            case ast.Name() | ast.Attribute():
                self.found.setdefault(ast.unparse(node), node)
                return ast.Name(f"_{[*self.found].index(ast.unparse(node))}", ast.Load())
            case ast.Call(ast.Attribute(whole, name), arguments, []) if name in METHODS:
                return ast.Call(
                    ast.Attribute(self.visit(whole), name, ast.Load()), [self.visit(each) for each in arguments], []
                )
            case _ if isinstance(node, self.SAFE):
                return self.generic_visit(node)
        raise CannotLookError

    def as_function(self, tree: ast.expr) -> Callable[..., Any]:
        """Return a function of the values that an expression begins with."""
        parameters = [ast.arg(f"_{number}") for number in range(len(self.found))]
        given = ast.arguments([], parameters, None, [], [], None, [])
        made = ast.fix_missing_locations(ast.Expression(ast.Lambda(given, copy.deepcopy(tree))))
        return eval(compile(made, "<operands>", "eval"), {"__builtins__": {}})  # type: ignore[no-any-return]


def _quickly(reads: Sequence[Read], decide: Callable[..., Any]) -> Quick:
    """Return what decides by plain values, and gives None where one of them is none, or a step fails."""

    def look(values: tuple[Any, ...]) -> bool | None:
        try:
            found = [read(values) for read in reads]
            for each in found:
                if type(each) not in PLAIN:
                    return None
            return bool(decide(*found))
        except Exception:
            return None

    return look


def _either_or_all(operands: list[Read], is_and: bool) -> Read:
    def read(values: tuple[Any, ...]) -> Any:
        result = None
        for each in operands:
            result = each(values)
            if truth_of(result) is not is_and:
                break
        return result

    return read


def _comparison(left: Read, op: ast.cmpop, right: Read) -> Read:
    if isinstance(op, ast.Is | ast.IsNot):
        wanted = isinstance(op, ast.Is)
        return lambda values: (left(values) is right(values)) is wanted
    if isinstance(op, ast.In | ast.NotIn):
        inside = isinstance(op, ast.In)
        return lambda values: (plain(left(values)) in members(right(values))) is inside
    compare = COMPARISONS[type(op)]
    return lambda values: compare(*comparable(left(values), right(values)))


# -- steps that run no code of the user's -----------------------------------------------------------


def plain(value: Any) -> Any:
    """Return a value that compares as Python does."""
    if type(value) in PLAIN:
        return value
    if type(value) is tuple and len(value) <= SEVERAL and all(type(each) in PLAIN for each in value):
        return value
    raise CannotLookError


def comparable(one: Any, other: Any) -> tuple[Any, Any]:
    """Return two values that leave no trace when compared: decimals remember floats, and what is no number."""
    kinds = {type(one), type(other)}
    if kinds.isdisjoint(MEASURES):
        return plain(one), plain(other)
    if len(kinds) > 1 and kinds - {int, decimal.Decimal} and kinds - {int, fractions.Fraction}:
        raise CannotLookError
    if any(type(each) is decimal.Decimal and each.is_nan() for each in (one, other)):
        raise CannotLookError
    return one, other


def number(value: Any) -> Any:
    """Return a number: texts and lists could grow."""
    if type(value) in (int, float, bool):
        return value
    raise CannotLookError


def members(value: Any) -> Any:
    """Return a container of plain values."""
    if type(value) in (str, bytes, range):
        return value
    if type(value) in CONTAINERS and len(value) <= SEVERAL and all(type(each) in PLAIN for each in value):
        return value
    raise CannotLookError


def truth_of(value: Any) -> bool:
    """Return whether a value is true, where no method of the user's says so."""
    kind = type(value)
    if kind in PLAIN or kind in CONTAINERS or kind in MEASURES:
        return bool(value)
    if any("__bool__" in vars(each) or "__len__" in vars(each) for each in kind.__mro__):
        raise CannotLookError
    return True


def size_of(value: Any) -> int:
    """Return the length of a standard container or text."""
    if type(value) in CONTAINERS or type(value) in (str, bytes):
        return len(value)
    raise CannotLookError


def is_of_class(value: Any, cls: Any) -> bool:
    """Return what `isinstance` says, where no class has a word in it."""
    classes = cls if type(cls) is tuple else (cls,)
    if all(type(each) is type for each in classes):
        return issubclass(type(value), classes)
    raise CannotLookError


def read_attribute(whole: Any, name: str) -> Any:
    """Return an attribute that is merely kept, by an object or by a module."""
    if type(whole) is types.ModuleType:
        return vars(whole)[name]
    kind = type(whole)
    found = _kept_by_class(kind, name)  # type: ignore[arg-type]  # a class has a hash, whatever its metaclass says
    if found is REFUSED:
        raise CannotLookError
    if type(found) is types.MemberDescriptorType:  # a slot
        return found.__get__(whole, kind)
    kept = _kept_by(whole)
    return kept[name] if found is NOTHING else kept.get(name, found)


@functools.lru_cache(maxsize=4096)
def _kept_by_class(kind: type[Any], name: str) -> Any:
    """Return a slot, a default of objects that may have their own, or NOTHING; REFUSED for properties and methods."""
    if any("__getattribute__" in vars(each) for each in kind.__mro__[:-1]):
        return REFUSED
    for each in kind.__mro__:
        if name in vars(each):
            found = vars(each)[name]
            if type(found) is types.MemberDescriptorType or type(found) in PLAIN or type(found) in MEASURES:
                return found
            return REFUSED  # a property, a method
    return NOTHING


def _kept_by(whole: Any) -> dict[str, Any]:
    try:
        return object.__getattribute__(whole, "__dict__")  # type: ignore[no-any-return]
    except AttributeError:  # it has slots alone
        return {}


def read_item(items: Any, index: Any) -> Any:
    """Return an item of a standard container."""
    if type(items) in SEQUENCES and type(index) is int:
        return items[index]
    if type(items) is dict:
        return items[plain(index)]
    raise CannotLookError


def call_method(whole: Any, name: str, given: list[Any]) -> Any:
    """Return what a method of a text or of a pattern says."""
    if name not in (METHODS if type(whole) in (str, bytes) else MATCHING if type(whole) is re.Pattern else ()):
        raise CannotLookError
    return getattr(whole, name)(*map(plain, given))
