"""What the source of code mentions: values that its inputs are compared with, looked up in, tested by.

    if text.startswith("v") and len(text) > 3: …      ->  texts {"v": ("text",)}, lengths {3: ("text",)}
    if order.amount >= LIMIT or unit in UNITS: …      ->  numbers {100: ("amount",)}, texts {"kg": ("unit",), …}
    PATTERN.fullmatch(part)                           ->  patterns {"[a-z]+": ("part", "text")}

Beside each value stand the names that it was seen with: parameters, attributes, keys, and the parameters that a local
name was made of. These are guesses about what may matter: nothing is proved by them.
"""

from __future__ import annotations

import ast
import re
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from unlike.observe.scopes import Function, own_nodes
from unlike.observe.sources import Code, choose_modules, functions_of, read_source
from unlike.regex.quiet import compile_quietly

LONG = 200  # longer texts are prose
LISTED = 200  # values of a container that are looked at
NUMBER_LIMIT = 1 << 200  # larger numbers are no bounds
TEXTUAL = {"startswith", "endswith", "find", "rfind", "index", "rindex", "count", "split", "rsplit", "partition"}
TEXTUAL |= {"rpartition", "removeprefix", "removesuffix", "strip", "lstrip", "rstrip", "replace"}
MATCHING = {"match", "search", "fullmatch", "findall", "finditer", "split", "sub", "subn"}
KEYED = {"get", "pop", "setdefault"}
INLINE = {"i": re.IGNORECASE, "m": re.MULTILINE, "s": re.DOTALL, "x": re.VERBOSE, "a": re.ASCII}
HOLDING = {tuple, list, dict, set, frozenset}  # and nothing made of them: it may have an order of its own
Names = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Mentions:
    """Values in the order in which the source mentions them, each with the names beside it."""

    numbers: dict[int | float, Names] = field(default_factory=dict)
    texts: dict[str, Names] = field(default_factory=dict)
    lengths: dict[int, Names] = field(default_factory=dict)  # of texts and containers
    patterns: dict[str, Names] = field(default_factory=dict)


def mentions_of(code: Sequence[Code], within: Sequence[str] | None = None, *, own_only: bool = False) -> Mentions:
    """Return what the source of code mentions: its own functions first, then those around it, unless `own_only`."""
    found = Mentions()
    own = {(each.__code__.co_filename, each.__code__.co_firstlineno) for one in code for each in functions_of(one)}
    waiting: list[tuple[bool, Function, types.ModuleType]] = []
    for module in choose_modules(code, within)[0]:
        try:
            tree = ast.parse("".join(read_source(module)))
        except (SyntaxError, ValueError, RecursionError):  # no source, or none of this Python
            continue
        functions = [each for each in ast.walk(tree) if isinstance(each, Function)]
        waiting += [((module.__file__, first_line(each)) not in own, each, module) for each in functions]
    for is_around, function, module in sorted(waiting, key=lambda each: each[0]):
        if is_around and own_only:
            break
        FunctionReader(found, vars(module)).read(function)
    return found


def first_line(function: Function) -> int:
    """Return the line at which the code of a function says that it begins."""
    decorators = [] if isinstance(function, ast.Lambda) else function.decorator_list
    return min([function.lineno, *[each.lineno for each in decorators]])


class FunctionReader:
    """Reads one function."""

    def __init__(self, found: Mentions, namespace: Mapping[str, Any]) -> None:
        self.found, self.namespace = found, namespace
        self.origins: dict[str, Names] = {}  # local name -> the names it was made of

    def read(self, function: Function) -> None:
        """Note what it mentions."""
        nodes = sorted(
            own_nodes(function), key=lambda each: (getattr(each, "lineno", 0), getattr(each, "col_offset", 0))
        )
        for each in nodes:
            match each:
                case ast.Assign(targets, value):
                    self._note_origin(targets, value)
                case ast.For(target, value) | ast.comprehension(target, value) | ast.NamedExpr(target, value):
                    self._note_origin([target], value)
        for each in nodes:
            self._look_at(each)

    def _note_origin(self, targets: Sequence[ast.expr], value: ast.expr) -> None:
        names = self.names_beside(value)
        for target in targets:
            for each in ast.walk(target):
                if isinstance(each, ast.Name):
                    known = self.origins.get(each.id, ())
                    self.origins[each.id] = (*known, *[name for name in names if name not in known and name != each.id])

    def _look_at(self, node: ast.AST) -> None:
        match node:
            case ast.Compare(left, _, comparators):
                for one, other in zip([left, *comparators], comparators, strict=False):
                    self._compare(one, other)
                    self._compare(other, one)
            case ast.Call(function, arguments):
                self._call(function, arguments)
            case ast.Subscript(whole, ast.Slice(lower, upper)):
                for bound in (lower, upper):
                    self._note_lengths(bound, whole)
            case ast.Subscript(whole, index):
                self._look_up(whole, index)
            case ast.BinOp(left, ast.Mod() | ast.FloorDiv(), right):
                self._note(self.values_of(right), self.names_beside(left))
            case ast.Match(subject, cases):
                for case in cases:
                    self._match(case.pattern, self.names_beside(subject))

    def _compare(self, value: ast.expr, other: ast.expr) -> None:
        """Note a value that something is compared with, or looked for in."""
        match other:
            case ast.Call(ast.Name("len"), [whole]):
                self._note_lengths(value, whole)
            case _ if names := self.names_beside(other):
                self._note(self.values_of(value), names)

    def _call(self, function: ast.expr, arguments: list[ast.expr]) -> None:
        match function:
            case ast.Attribute(ast.Name("re"), name) if arguments and name in MATCHING:
                names = self.names_beside(arguments[-1]) if len(arguments) > 1 else ()
                for text in self.values_of(arguments[0]):
                    self._note_pattern(text, names)
            case ast.Attribute(whole, name):
                pattern = self.resolve(whole)
                if isinstance(pattern, re.Pattern) and name in MATCHING:
                    self._note_pattern(pattern, self.names_beside(arguments[-1]) if arguments else ())
                elif name in TEXTUAL and arguments:
                    self._note(self.values_of(arguments[0]), self.names_beside(whole))
                elif name in KEYED and arguments:
                    self._look_up(whole, arguments[0])
            case ast.Name("min" | "max"):
                names = tuple(dict.fromkeys(name for each in arguments for name in self.names_beside(each)))
                for each in arguments if names else ():
                    self._note(self.values_of(each), names)
            case ast.Name("getattr" | "hasattr") if len(arguments) > 1:
                self._note(self.values_of(arguments[1]), self.names_beside(arguments[0]))

    def _look_up(self, whole: ast.expr, index: ast.expr) -> None:
        """Note the keys of a known dict that something is looked up in; or the key that is looked up in something."""
        if isinstance(keys := self.resolve(whole), dict):
            self._note(plain_values([*keys]), self.names_beside(index))
        elif names := self.names_beside(whole):
            for value in self.values_of(index):
                if isinstance(value, str):
                    self._note([value], names)
                elif type(value) is int:
                    add(self.found.lengths, value + 1 if value >= 0 else -value, names)

    def _match(self, pattern: ast.pattern, names: Names) -> None:
        match pattern:
            case ast.MatchValue(value):
                self._note(self.values_of(value), names)
            case ast.MatchMapping(keys, patterns):
                for key, inner in zip(keys, patterns, strict=True):
                    values = [*self.values_of(key)]
                    self._note(values, names)
                    self._match(inner, tuple([each for each in values if isinstance(each, str)]))
            case ast.MatchClass(_, patterns, attributes, inner_patterns):
                for inner in patterns:
                    self._match(inner, names)
                for name, inner in zip(attributes, inner_patterns, strict=True):
                    self._match(inner, (name,))
            case ast.MatchSequence(patterns):
                add(self.found.lengths, sum(not isinstance(each, ast.MatchStar) for each in patterns), names)
                for inner in patterns:
                    self._match(inner, names)
            case ast.MatchOr(patterns):
                for inner in patterns:
                    self._match(inner, names)
            case ast.MatchAs(ast.pattern() as inner):
                self._match(inner, names)

    # -- values and names --------------------------------------------------------------------------

    def _note(self, values: Sequence[object], names: Names) -> None:
        for each in values:
            if isinstance(each, re.Pattern):
                self._note_pattern(each, names)
            elif isinstance(each, str):
                if len(each) <= LONG:
                    add(self.found.texts, each, names)
            elif isinstance(each, int | float) and abs(each) < NUMBER_LIMIT:
                add(self.found.numbers, each, names)

    def _note_lengths(self, bound: ast.expr | None, whole: ast.expr) -> None:
        for value in self.values_of(bound) if bound is not None else ():
            if type(value) is int:
                add(self.found.lengths, abs(value), self.names_beside(whole))

    def _note_pattern(self, pattern: object, names: Names) -> None:
        if isinstance(pattern, re.Pattern) and isinstance(pattern.pattern, str):
            flags = "".join(letter for letter, flag in INLINE.items() if pattern.flags & flag)
            try:
                is_inline = compile_quietly(pattern.pattern).flags == pattern.flags
            except re.error:
                return
            add(self.found.patterns, pattern.pattern if is_inline else f"(?{flags}){pattern.pattern}", names)
        elif isinstance(pattern, str):
            add(self.found.patterns, pattern, names)

    def values_of(self, node: ast.expr) -> list[Any]:
        """Return the plain values that an expression is, holds, or reads from a constant of the module."""
        match node:
            case ast.Tuple(elements) | ast.List(elements) | ast.Set(elements):
                return [value for each in elements for value in self.values_of(each)]
            case ast.Dict(keys):
                return [value for each in keys if each is not None for value in self.values_of(each)]
            case ast.BinOp(left, _, right):
                return [*self.values_of(left), *self.values_of(right)]
            case ast.Call(ast.Name("frozenset" | "set" | "tuple" | "list"), [inner]):
                return self.values_of(inner)
            case ast.Call(ast.Name("range"), bounds):
                return [value for each in bounds for value in self.values_of(each)]
        return plain_values(self.resolve(node))

    def resolve(self, node: ast.expr) -> Any:
        """Return the value of a constant, or of what the module keeps under a name; None if it is not known."""
        match node:
            case ast.Constant(value):
                return value
            case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as value)):
                return -value
            case ast.Name(name) if name not in self.origins:
                return self.namespace.get(name)
            case ast.Attribute(whole, name):
                kept = self.resolve(whole)
                if isinstance(kept, types.ModuleType) or (isinstance(kept, type) and type(kept) is type):
                    return vars(kept).get(name)
        return None

    def names_beside(self, node: ast.AST) -> Names:
        """Return the names in an expression by which a user would know the value, the nearest first."""
        found: dict[str, None] = {}
        for each in ast.walk(node):
            match each:
                case ast.Attribute(_, name):
                    found[name] = None
                case ast.Subscript(_, ast.Constant(str(name))):
                    found[name] = None
                case ast.Call(ast.Attribute(_, "get"), [ast.Constant(str(name)), *_]):
                    found[name] = None
                case ast.Name(name) if name not in ("self", "cls") and self._is_local(name):
                    found |= dict.fromkeys((name, *self.origins.get(name, ())))
        for each in ast.walk(node):
            if isinstance(each, ast.Call) and isinstance(each.func, ast.Attribute):
                found.pop(each.func.attr, None)  # a method
        return tuple(found)

    def _is_local(self, name: str) -> bool:
        return name in self.origins or name not in self.namespace


def add(found: dict[Any, Names], value: Any, names: Names) -> None:
    """Note a value with some more names beside it."""
    known = found.get(value, ())
    found[value] = (*known, *[name for name in names if name not in known])


def plain_values(value: object) -> list[Any]:
    """Return the numbers, texts and patterns that a value is or holds, always in the same order."""
    if type(value) in (int, float, str) or isinstance(value, re.Pattern):
        return [value]
    if type(value) not in HOLDING:
        return []
    if isinstance(value, tuple | list | dict):
        return [each for each in [*value][:LISTED] if type(each) in (int, float, str)]
    if isinstance(value, set | frozenset):
        held = [each for each in value if type(each) in (int, float, str)]
        return sorted(held, key=lambda each: (type(each).__name__, each))[:LISTED]
    return []
