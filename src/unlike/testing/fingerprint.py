"""From a spec to a short fingerprint: it changes when the meaning of the spec may have changed.

Terms, values and differences are frozen data and speak for themselves. Plain Python functions inside them are known by
their source text, by the plain constants they read, and by the functions of the user that they call. Nothing here
depends on the version of Python, the machine, or the order of a set.
"""

from __future__ import annotations

import ast
import dataclasses
import datetime
import enum
import functools
import hashlib
import inspect
import json
import re
import sys
import textwrap
import types
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import TypeAlias

from unlike.language.values import OneOf
from unlike.recipe import Given, Step, quote

Tree: TypeAlias = "bool | int | str | list[Tree] | None"

# Saved files know these classes and modules by the names they had when the first files were written: a new name in our
# code must not make every user's inputs be generated anew.
SAVED_NAMES = {
    "BareInstance": "Blank",
    "ChosenAssertion": "Choice",
    "CodeLine": "Line",
    "EntryCount": "Counted",
    "ItemsShape": "Items",
    "NamedFields": "Fields",
    "PropertyCount": "Size",
}
SAVED_MODULES = {  # of functions and objects that stand in the shapes of JSON Schemas
    "unlike.documents.json_schema.arrays": "unlike.formats.json_schema.reading.arrays",
    "unlike.documents.json_schema.document": "unlike.formats.json_schema.document",
    "unlike.documents.json_schema.leaves": "unlike.formats.json_schema.reading.leaves",
    "unlike.documents.json_schema.located": "unlike.formats.json_schema.reading.located",
}
DEPTH = 4  # functions called by functions called by … are followed so far
_LIBRARY = tuple(sorted({str(Path(module.__file__ or "").parent) for module in (ast, json)}))


def fingerprint(*told: object) -> str:
    """Return sixteen hexadecimal digits that stand for everything that decides the inputs."""
    text = json.dumps(canonical(told), ensure_ascii=True)
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()


def canonical(thing: object, depth: int = DEPTH) -> Tree:
    """Return anything a spec is made of as nested lists of strings and numbers."""
    match thing:
        case None | bool() | int() | str():
            return thing if type(thing) in (type(None), bool, int, str) else [type(thing).__name__, str(thing)]
        case float() | Fraction() | complex() | bytes() | datetime.date() | datetime.time():
            return [type(thing).__name__, repr(thing)]
        case enum.Enum():
            return ["enum", type(thing).__qualname__, thing.name]
        case list() | tuple():
            return [type(thing).__name__, *(canonical(each, depth) for each in thing)]
        case set() | frozenset():
            return ["set", *sorted((canonical(each, depth) for each in thing), key=json.dumps)]
        case dict():
            return ["dict", *([canonical(key, depth), canonical(each, depth)] for key, each in thing.items())]
        case OneOf():
            return ["OneOf", *(canonical(member, depth) for member in thing.members)]
        case type():
            return ["class", thing.__qualname__]  # its module's name depends on how pytest imports test files
        case types.MethodType():
            return ["method", canonical(thing.__func__, depth), canonical(thing.__self__, depth)]
        case functools.partial():
            return [
                "partial",
                canonical(thing.func, depth),
                canonical(thing.args, depth),
                canonical(thing.keywords, depth),
            ]
        case types.FunctionType():
            return _function(thing, depth)
    if dataclasses.is_dataclass(thing):
        # a term's kind follows from its blanks, and would repeat the members of an enumeration in every term; where a
        # document lies says nothing of what is in it
        fields = [field for field in dataclasses.fields(thing) if field.metadata.get("told", True)]
        names = [field.name for field in fields if field.name != "kind"]
        return [_saved_name(type(thing)), *(canonical(getattr(thing, name), depth) for name in names)]
    steps: list[Step] = []
    quoted = quote(thing, steps)
    if isinstance(quoted, Given):
        words = repr(thing).replace(type(thing).__module__, _saved_module(type(thing)))
        return [type(thing).__qualname__, re.sub(r" at 0x[0-9a-fA-F]+", "", words)]
    return [type(thing).__qualname__, canonical(steps, depth), canonical(quoted, depth)]


def _saved_name(cls: type) -> str:
    """Return the name by which files know a class: `Fields` for our `NamedFields`; a class of the user's is itself."""
    ours = cls.__module__.partition(".")[0] == "unlike"
    return SAVED_NAMES.get(cls.__name__, cls.__name__) if ours else cls.__name__


def _saved_module(thing: type | types.FunctionType) -> str:
    return SAVED_MODULES.get(thing.__module__, thing.__module__)


def _function(function: types.FunctionType, depth: int) -> Tree:
    """Return a function's name and source, and the constants and functions of the user that it reads."""
    if depth <= 0 or _is_library(function):
        return ["function", _saved_module(function), function.__qualname__]
    cells = function.__closure__ or ()
    closure = [_cell(cell) for cell in cells]
    return [
        "function",
        source_of(function),
        canonical(function.__defaults__, depth - 1),
        canonical(function.__kwdefaults__, depth - 1),
        canonical([each for each in closure if _tells(each)], depth - 1),
        ["reads", *([name, canonical(value, depth - 1)] for name, value in _reads(function))],
    ]


def _reads(function: types.FunctionType) -> Iterator[tuple[str, object]]:
    """Yield the module's constants and functions that the function's code, or code inside it, names."""
    for name in sorted(_names(function.__code__)):
        value = function.__globals__.get(name, None)
        if value is not function and _tells(value):
            yield name, value


def _names(code: types.CodeType) -> set[str]:
    inner = (each for each in code.co_consts if isinstance(each, types.CodeType))
    return set(code.co_names).union(*(_names(each) for each in inner))


def _tells(value: object) -> bool:
    """Tell whether a value that a function reads may decide what it answers: plain constants and functions."""
    plain = (bool, int, float, str, bytes, Fraction, datetime.date, datetime.time, types.FunctionType, enum.Enum)
    if isinstance(value, list | tuple | set | frozenset):
        return all(_tells(each) for each in value)
    if isinstance(value, dict):
        return all(_tells(each) for each in [*value, *value.values()])
    return isinstance(value, plain)


def _cell(cell: types.CellType) -> object:
    try:
        return cell.cell_contents
    except ValueError:  # not yet filled
        return None


def _is_library(function: types.FunctionType) -> bool:
    """Tell whether a function is installed rather than written by the user: its source is not looked at."""
    file = function.__code__.co_filename
    return "site-packages" in file or file.startswith("<frozen") or file.startswith(_LIBRARY)


def source_of(function: types.FunctionType) -> str:
    """Return the source of a function or of one lambda, without its comments' and margins' accidents.

    Where there is no source (typed at a prompt) the names and constants of its code stand for it.
    """
    try:
        lines, _ = inspect.getsourcelines(function)
    except (OSError, TypeError, IndentationError, SyntaxError):
        return f"{function.__qualname__} {sorted(_names(function.__code__))} {function.__code__.co_varnames}"
    if function.__name__ == "<lambda>":
        return _lambda(function) or _tidy("".join(lines))
    return _tidy("".join(lines))


def _tidy(source: str) -> str:
    lines = (line.rstrip() for line in textwrap.dedent(source).splitlines())
    return "\n".join(line for line in lines if line.strip() and not line.lstrip().startswith("#"))


def _lambda(function: types.FunctionType) -> str | None:
    """Return the text of the innermost lambda that holds the function's code, and nothing around it."""
    module = sys.modules.get(function.__module__)
    try:
        source = inspect.getsource(module) if module else "".join(inspect.findsource(function)[0])
        tree = ast.parse(source)
    except (OSError, TypeError, SyntaxError):
        return None
    at = next(((line, column) for line, _, column, _ in _positions(function) if column is not None), None)
    lambdas = (node for node in ast.walk(tree) if isinstance(node, ast.Lambda))
    found = [node for node in lambdas if at is not None and _holds(node, at)]
    if not found:
        return None
    innermost = max(found, key=lambda node: (node.lineno, node.col_offset))
    return " ".join((ast.get_source_segment(source, innermost) or "").split())


def _positions(function: types.FunctionType) -> Iterator[tuple[int, int | None, int | None, int | None]]:
    """Yield where the instructions of the body stand; the first ones may point at the whole lambda's line only."""
    for line, end, column, end_column in function.__code__.co_positions():
        if line is not None and end_column:
            yield line, end, column, end_column


def _holds(node: ast.Lambda, at: tuple[int, int]) -> bool:
    body = node.body
    return (body.lineno, body.col_offset) <= at <= (body.end_lineno or body.lineno, body.end_col_offset or 0)
