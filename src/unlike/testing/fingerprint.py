"""From a spec to a short fingerprint: it changes when the meaning of the spec may have changed.

Terms, values and differences are frozen data and speak for themselves. Plain Python functions inside them are known by
their syntax, by the plain constants they read, and by the functions of the user that they call. Nothing here
depends on the version of Python, the machine, or the order of a set.
"""

from __future__ import annotations

import ast
import contextlib
import dataclasses
import datetime
import enum
import functools
import hashlib
import inspect
import json
import os
import re
import types
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any, TypeAlias

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
SAVED_MODULES = {  # of functions around those of the user's, and of what stands in the shapes of JSON Schemas
    "unlike.language.reading": "unlike.language.differences",
    "unlike.documents.json_schema.arrays": "unlike.formats.json_schema.reading.arrays",
    "unlike.documents.json_schema.document": "unlike.formats.json_schema.document",
    "unlike.documents.json_schema.leaves": "unlike.formats.json_schema.reading.leaves",
    "unlike.documents.json_schema.located": "unlike.formats.json_schema.reading.located",
}
DEPTH = 4  # functions called by functions called by … are followed so far
DOCUMENTED = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)
# where our own modules are, and Python's
_LIBRARY = (f"{Path(__file__).parents[1]}{os.sep}", str(Path(ast.__file__).parent), str(Path(json.__file__).parent))


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
        fields = [field for field in dataclasses.fields(thing) if _is_told(field, thing)]
        names = [field.name for field in fields if field.name != "kind"]
        return [_saved_name(type(thing)), *(canonical(getattr(thing, name), depth) for name in names)]
    steps: list[Step] = []
    quoted = quote(thing, steps)
    if isinstance(quoted, Given):
        words = repr(thing).replace(type(thing).__module__, _saved_module(type(thing)))
        return [type(thing).__qualname__, re.sub(r" at 0x[0-9a-fA-F]+", "", words)]
    return [type(thing).__qualname__, canonical(steps, depth), canonical(quoted, depth)]


def _is_told(field: dataclasses.Field[Any], thing: object) -> bool:
    told = field.metadata.get("told", True)
    return bool(told) and (told != "if set" or getattr(thing, field.name) != field.default)


def _saved_name(cls: type) -> str:
    """Return the name by which files know a class: `Fields` for our `NamedFields`; a class of the user's is itself."""
    ours = cls.__module__.partition(".")[0] == "unlike"
    return SAVED_NAMES.get(cls.__name__, cls.__name__) if ours else cls.__name__


def _saved_module(thing: type | types.FunctionType) -> str:
    return SAVED_MODULES.get(thing.__module__, thing.__module__)


def _function(function: types.FunctionType, depth: int) -> Tree:
    """Return a function's syntax, and the constants and functions of the user that it reads.

    Of a library's function the name, and what it closed over: it may be made around a function of the user's.
    """
    closure = [each for each in map(_cell, function.__closure__ or ()) if _tells(each)] if depth > 0 else []
    if depth <= 0 or _is_library(function):
        inside = [canonical(closure, depth - 1)] if closure else []
        return ["function", _saved_module(function), function.__qualname__, *inside]
    return [
        "function",
        source_of(function),
        canonical(function.__defaults__, depth - 1),
        canonical(function.__kwdefaults__, depth - 1),
        canonical(closure, depth - 1),
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
    """Return the syntax of a function or of one lambda: comments, docstrings and formatting are no part of it.

    Where there is no source (typed at a prompt) the names and constants of its code stand for it.
    """
    node = None
    with contextlib.suppress(OSError, TypeError, SyntaxError, ValueError):
        node = _find_node(function, _parse("".join(inspect.findsource(function)[0])))
    return _code(function.__code__) if node is None else _syntax(node)


@functools.lru_cache(maxsize=16)  # files with many tests are read once
def _parse(source: str) -> ast.Module:
    return ast.parse(source)


def _find_node(function: types.FunctionType, tree: ast.Module) -> ast.AST | None:
    """Return where the function is written; of a lambda the innermost one that holds its code."""
    code = function.__code__
    if code.co_name != "<lambda>":
        functions = (each for each in ast.walk(tree) if isinstance(each, ast.FunctionDef | ast.AsyncFunctionDef))
        first = {(each.name, min(at.lineno for at in (each, *each.decorator_list))): each for each in functions}
        return first.get((code.co_name, code.co_firstlineno))
    # the first instructions may point at the whole lambda's line only
    places = ((line, column) for line, _, column, end in code.co_positions() if line and column is not None and end)
    at = next(places, None)
    lambdas = (node for node in ast.walk(tree) if isinstance(node, ast.Lambda))
    found = [node for node in lambdas if at is not None and _holds(node, at)]
    return max(found, key=lambda node: (node.lineno, node.col_offset), default=None)


def _syntax(root: ast.AST) -> str:
    """Return a syntax tree in words: of each node its class, how many fields it has, their names and what they hold."""
    said: list[str] = []
    todo: list[object] = [root]
    while todo:
        match todo.pop():
            case ast.AST() as node:
                # what is empty is left out: versions of Python differ in what may be there
                told = [(name, value) for name, value in ast.iter_fields(node) if value is not None and value != []]
                fields = [(name, value) for name, value in told if name != "kind"]
                if isinstance(node, DOCUMENTED) and ast.get_docstring(node, clean=False) is not None:
                    fields = [(name, value[1:] if name == "body" else value) for name, value in fields]
                said.append(f"{type(node).__name__} {len(fields)}")
                todo += [part for name, value in reversed(fields) for part in (value, name)]
            case list() as items:
                said.append(f"[{len(items)}]")
                todo += reversed(items)
            case other:
                said.append(repr(other))
    return " ".join(said)


def _code(code: types.CodeType) -> str:
    """Return what stands for code without source."""
    constants = [_code(each) if isinstance(each, types.CodeType) else repr(each) for each in code.co_consts]
    return f"{code.co_name} {sorted(_names(code))} {code.co_varnames} {constants}"


def _holds(node: ast.Lambda, at: tuple[int, int]) -> bool:
    body = node.body
    return (body.lineno, body.col_offset) <= at <= (body.end_lineno or body.lineno, body.end_col_offset or 0)
