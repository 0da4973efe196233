"""What the source and the docstrings of a class say about its parameters: how each is used, and what examples pass.

for each in items, len(items)         a container
callback(x)                           a function
other.root, other.left                an object that has these attributes
if mode == "fast"                     the text "fast"
Cart.of("apple", 3) in an example     the texts and numbers that it passes
"""

from __future__ import annotations

import ast
import functools
import inspect
import re
import sys
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from unlike.classes.guessing.kinds import MANY
from unlike.foreign import package_of

CONVERTED: dict[str, tuple[str, ...]] = {  # what a function of Python makes of its first argument
    **dict.fromkeys(("list", "tuple", "set", "frozenset", "iter", "sorted", "enumerate", "len", "map", "zip"), MANY),
    **dict.fromkeys(("sum", "max", "min", "any", "all", "reversed", "Iterable", "Sequence", "Set"), MANY),
    **dict.fromkeys(("dict", "Mapping", "MutableMapping", "OrderedDict"), ("mapping", "pairs", "text mapping")),
    **dict.fromkeys(("str", "string_types", "basestring"), ("text",)),
    **dict.fromkeys(("int", "range", "abs", "Integral", "Number", "divmod", "chr", "hex"), ("number",)),
    **dict.fromkeys(("float", "Real", "Decimal"), ("float", "number")),
    **dict.fromkeys(("bytes", "bytearray", "memoryview"), ("bytes",)),
    **dict.fromkeys(("callable", "Callable"), ("function", "constant function")),
    **dict.fromkeys(("bool",), ("bool",)),
    **dict.fromkeys(("hash", "ord"), ("element",)),
    **dict.fromkeys(("slice",), ("number", "slice")),
    **dict.fromkeys(("open",), ("text",)),
}
SHOWN: dict[str, object] = {  # an example of each kind, to see which attributes it has
    "items": [0], "mapping": {0: 1}, "set": {0}, "text": "a", "number": 0, "float": 0.5, "bytes": b"a", "pair": (0, 1),
}  # fmt: skip
MOST_LETTERS = 60  # of an example or a constant that is taken over
ARITHMETIC = ast.Sub | ast.Mod | ast.FloorDiv | ast.Mult | ast.Div
NUMERIC = ast.Lt | ast.Gt | ast.LtE | ast.GtE


@dataclass(slots=True)
class Usage:
    """What a function does with one of its parameters."""

    kinds: list[str] = field(default_factory=list)
    attributes: dict[str, None] = field(default_factory=dict)
    constants: dict[str, Any] = field(default_factory=dict)  # by how they are written
    classes: dict[str, None] = field(default_factory=dict)  # names of classes it is compared with


def usage_of(function: object) -> dict[str, Usage]:
    """Return what the source of a function does with each name in it; nothing where there is no source."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(inspect.unwrap(function))))  # type: ignore[arg-type]
    except (OSError, TypeError, SyntaxError, ValueError):
        return {}
    found: dict[str, Usage] = {}
    for node in ast.walk(tree):
        for name, kinds in _kinds_in(node):
            found.setdefault(name, Usage()).kinds.extend(kinds)
        match node:
            case ast.Attribute(ast.Name(name), attribute):
                found.setdefault(name, Usage()).attributes[attribute] = None
            case ast.Call(ast.Name("isinstance"), [ast.Name(name), classes]):
                words = (getattr(each, "attr", getattr(each, "id", "")) for each in ast.walk(classes))
                found.setdefault(name, Usage()).classes.update(dict.fromkeys(filter(None, words)))
            case ast.Compare(left, [operator], [right]):
                for one, other in ((left, right), (right, left)):
                    if isinstance(one, ast.Name):
                        _take_constants(found.setdefault(one.id, Usage()), other)
                        if isinstance(operator, NUMERIC) and isinstance(other, ast.Constant):
                            found[one.id].kinds.append("number")
    for usage in found.values():
        usage.kinds += [each for word in usage.classes for each in CONVERTED.get(word, ())]
    return found


def _kinds_in(node: ast.AST) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield which kinds a piece of source suggests for which names."""
    match node:
        case ast.For(iter=ast.Name(name)) | ast.comprehension(iter=ast.Name(name)) | ast.Starred(ast.Name(name)):
            yield name, MANY
        case ast.Call(ast.Name(called), arguments):
            yield called, ("function", "constant function")
            if arguments and isinstance(arguments[0], ast.Name) and called != "isinstance":
                yield arguments[0].id, CONVERTED.get(called, ())
        case ast.BinOp(left, operator, right) if isinstance(operator, ARITHMETIC):
            for each in (left, right):
                if isinstance(each, ast.Name):
                    yield each.id, ("number",)


def _take_constants(usage: Usage, node: ast.expr) -> None:
    """Note the constants that a name is compared with."""
    for each in ast.walk(node):
        if isinstance(each, ast.Constant) and type(each.value) in (int, str) and len(repr(each.value)) <= MOST_LETTERS:
            usage.constants.setdefault(repr(each.value), each.value)


def kinds_with(attributes: Sequence[str]) -> list[str]:
    """Return the kinds whose values have all the attributes."""
    return [kind for kind, shown in SHOWN.items() if all(hasattr(shown, each) for each in attributes)]


@functools.cache
def examples_of(cls: type) -> dict[str, tuple[tuple[Any, ...], ...]]:
    """Return the arguments that examples in docstrings pass, by method; `__init__` for the class itself."""
    found: dict[str, dict[str, tuple[Any, ...]]] = {}
    members = [each for base in cls.__mro__[:-1] for each in vars(base).values()]
    for text in filter(None, map(_docstring, (cls, sys.modules.get(cls.__module__), *members))):
        for line in re.findall(r"^\s*>>>[ ]?(.+)$", text, re.MULTILINE):
            for name, arguments in _calls_in(line):
                called = "__init__" if name == cls.__name__ else name
                found.setdefault(called, {}).setdefault(repr(arguments), arguments)
    return {name: tuple(calls.values()) for name, calls in found.items()}


def _docstring(thing: object) -> str:
    text = getattr(thing, "__doc__", None)
    return text if isinstance(text, str) else ""


def _calls_in(line: str) -> Iterator[tuple[str, tuple[Any, ...]]]:
    try:
        nodes = [*ast.walk(ast.parse(line.strip()))]
    except (SyntaxError, ValueError, RecursionError):
        return
    for node in nodes:
        if isinstance(node, ast.Call) and not node.keywords and node.args and len(ast.unparse(node)) <= MOST_LETTERS:
            name = getattr(node.func, "attr", getattr(node.func, "id", ""))
            try:
                yield name, tuple(map(ast.literal_eval, node.args))
            except (ValueError, TypeError, SyntaxError):
                continue


def classes_near(cls: type) -> list[type]:
    """Return the classes that the modules of a class define, those of its own module first."""
    package = package_of(cls)
    found: dict[type, None] = {}
    for module in dict.fromkeys((cls.__module__, *(base.__module__ for base in cls.__mro__[:-1]), package)):
        for each in list(vars(sys.modules.get(module, object)).values()) if module in sys.modules else ():
            if isinstance(each, type) and package_of(each) == package:
                found[each] = None
    return list(found)


def has_attributes(cls: type, attributes: Sequence[str]) -> bool:
    """Tell whether objects of a class have all the attributes: it defines them, or its constructor sets them."""
    own = {name for base in cls.__mro__[:-1] for name in (*vars(base), *getattr(base, "__annotations__", {}))}
    assigned: set[str] = set()
    for base in cls.__mro__[:-1]:
        code = getattr(vars(base).get("__init__"), "__code__", None)
        assigned |= set(code.co_names) if code is not None else set()
    return all(each in own or each in assigned for each in attributes)
