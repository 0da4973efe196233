"""Parameters of functions whose signature cannot be read: from stubs, or from the first lines of their docstring.

    def pop(self, key: K, default: D = ..., /) -> V: ...      in a `.pyi` beside the module, or in typeshed
    D.pop(k[,d]) -> v, remove specified key and …             in a docstring
    index(x, start=0, /)                                      likewise

Where neither says anything the call may have up to three arguments, and a trial tells how many it takes.
"""

from __future__ import annotations

import ast
import builtins
import collections.abc
import functools
import importlib.util
import inspect
import re
import sys
import typing
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

from unlike.types.read import ReadParameter, read_annotation
from unlike.types.tree import AnyType, TypeNode, UnreadableType

EMPTY = inspect.Parameter.empty
GIVEN = object()  # a default of which nothing is known
NUMBERED = "argument_"  # how parameters without a name are called
MOST_ARGUMENTS = 3  # of a call of which nothing is known
POSITIONAL, BY_PLACE = inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD
KEYWORD, STAR = inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_POSITIONAL
NAME = re.compile(r"[A-Za-z_]\w*")
TYPESHED = (("typeshed_client", "typeshed"),)  # packages that bring it, and where
RESULT = re.compile(r"\s*(->|--|:|=|$|\n)")  # what follows a signature in a docstring
# how operators are called, whoever wrote them
OPERATOR_NAMES: dict[str, tuple[str, ...]] = {
    **dict.fromkeys(("__len__", "__iter__", "__next__", "__reversed__", "__bool__", "__enter__"), ()),
    **dict.fromkeys(("__getitem__", "__delitem__", "__contains__"), ("key",)),
    "__setitem__": ("key", "value"),
}


def described_parameters(function: object, name: str, owner: type | None) -> list[ReadParameter]:
    """Return the parameters of a function written in C, without the object it is called on."""
    stubbed = [] if owner is None else _in_stubs(owner, name)
    if stubbed:
        return _merge(stubbed)
    if name in OPERATOR_NAMES:
        return [ReadParameter(each, POSITIONAL, EMPTY, AnyType()) for each in OPERATOR_NAMES[name]]
    documented = list(_in_docstring(function, name, owner))
    if documented:
        return _merge(documented)
    numbered = (f"{NUMBERED}{place + 1}" for place in range(MOST_ARGUMENTS))
    return [ReadParameter(each, POSITIONAL, GIVEN, AnyType()) for each in numbered]


def _merge(forms: Sequence[list[ReadParameter]]) -> list[ReadParameter]:
    """Return one list for several forms of a call: what a shorter one lacks may be left out."""
    longest = max(forms, key=len)
    fewest = min(sum(each.default is EMPTY and each.kind is not STAR for each in form) for form in forms)
    merged = []
    for place, each in enumerate(longest):
        is_optional = each.default is EMPTY and place >= fewest and each.kind in (POSITIONAL, BY_PLACE)
        merged.append(ReadParameter(each.name, each.kind, GIVEN if is_optional else each.default, each.type))
    return merged


# -- docstrings ----------------------------------------------------------------------------------------


def _in_docstring(function: object, name: str, owner: type | None) -> Iterator[list[ReadParameter]]:
    """Yield the forms in which the first lines of a docstring write the call."""
    text = getattr(function, "__doc__", None)
    if not isinstance(text, str):
        return
    called = owner.__name__ if owner is not None and name == "__init__" else name.strip("_")
    lines = text.strip().splitlines()
    for line in lines[:4] if name != "__init__" else lines:
        written = re.match(rf"\s*(?:[\w.]*\.)?{re.escape(called)}(?=\()", line)
        inside = _inside_brackets(line[written.end() :]) if written else None
        if inside is not None and (found := _read_list(inside)) is not None:
            yield found


def _inside_brackets(text: str) -> str | None:
    """Return what stands between the first bracket and the one that closes it, if a signature ends there."""
    depth = 0
    for place, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if not depth:
            return text[1:place] if RESULT.match(text, place + 1) else None
    return None


def _read_list(text: str) -> list[ReadParameter] | None:
    """Return the parameters of a list as people write it, `k[, d]` and `x, start=0, /`; nothing if it is none."""
    found: list[ReadParameter] = []
    depth, keyword = 0, False
    for part in re.split(r"[,\s]*,[,\s]*|(?<=\[)\s*|\s*(?=\])", text.replace("[,", ",[").replace("...", "")):
        depth += part.count("[")
        word, _, default = part.strip("[] ").partition("=")
        word = word.partition(":")[0].strip()
        optional = depth > 0 or bool(default)
        depth -= part.count("]")
        if word == "*":
            keyword = True
        elif word and word != "/" and not word.startswith("**"):
            if not NAME.fullmatch(word.lstrip("*")):
                return None
            kind = STAR if word.startswith("*") else KEYWORD if keyword else POSITIONAL
            value = EMPTY if kind is STAR or not optional else _literal(default)
            found.append(ReadParameter(word.lstrip("*"), kind, value, AnyType()))
    names = [each.name for each in found]
    return found if len(set(names)) == len(names) else None


def _literal(text: str) -> object:
    try:
        return ast.literal_eval(text.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return GIVEN


# -- stubs ---------------------------------------------------------------------------------------------


def _in_stubs(owner: type, name: str) -> list[list[ReadParameter]]:
    """Return the forms that stubs give for a method of a class or of the nearest base that has it."""
    for cls in owner.__mro__[:-1]:
        stub = _stub_of(cls.__module__)
        node = _find_class(stub, cls.__qualname__) if stub else None
        if stub and node:
            forms = [each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == name]
            if not forms and name == "__init__":
                forms = [each for each in node.body if isinstance(each, ast.FunctionDef) and each.name == "__new__"]
            if forms:
                names = _names_in(stub)
                return [_read_form(each, names) for each in forms]
        if name in vars(cls) or (name == "__init__" and "__new__" in vars(cls)):
            break
    return []


@functools.cache
def _stub_of(module: str) -> ast.Module | None:
    """Return the stub of a module, parsed: beside it, in a package of stubs, or in typeshed where that is installed."""
    for path in _stub_paths(module):
        try:
            return ast.parse(path.read_text(encoding="utf-8"))
        except (OSError, SyntaxError, ValueError):
            continue
    return None


def _stub_paths(module: str) -> Iterator[Path]:
    parts = module.split(".")
    file = getattr(sys.modules.get(module), "__file__", None)
    if file:
        path = Path(file)
        yield path.with_name(path.name.partition(".")[0] + ".pyi")
    for package, inside in ((f"{parts[0]}-stubs", ""), *TYPESHED):
        for folder in _folders_of(package):
            root = folder / inside
            rest = parts[1:] if package.endswith("-stubs") else parts
            yield root.joinpath(*rest, "__init__.pyi")
            if rest:
                yield root.joinpath(*rest[:-1], f"{rest[-1]}.pyi")


def _folders_of(package: str) -> list[Path]:
    if package.endswith("-stubs"):
        return [path for each in sys.path if (path := Path(each or ".") / package).is_dir()]
    try:
        spec = importlib.util.find_spec(package)
    except (ImportError, ValueError):
        return []
    return [Path(each) for each in (spec.submodule_search_locations or ())] if spec else []


def _find_class(stub: ast.Module, qualname: str) -> ast.ClassDef | None:
    body: Sequence[ast.stmt] = stub.body
    found: ast.ClassDef | None = None
    for part in qualname.split("."):
        found = next((each for each in _statements(body) if isinstance(each, ast.ClassDef) and each.name == part), None)
        if found is None:
            return None
        body = found.body
    return found


def _statements(body: Sequence[ast.stmt]) -> Iterator[ast.stmt]:
    """Yield statements, and those under `if sys.version_info …`."""
    for each in body:
        yield each
        if isinstance(each, ast.If):
            yield from _statements(each.body)
            yield from _statements(each.orelse)


def _names_in(stub: ast.Module) -> dict[str, Any]:
    """Return what the names of a stub mean: those of Python and `typing`; its own type variables are open."""
    names: dict[str, Any] = {**vars(collections.abc), **vars(typing), **vars(builtins)}
    for each in stub.body:
        match each:
            case ast.Assign([ast.Name(name)], ast.Call(ast.Name("TypeVar" | "ParamSpec"))):
                names[name] = typing.Any
    return names


def _read_form(form: ast.FunctionDef, names: dict[str, Any]) -> list[ReadParameter]:
    """Return the parameters of one definition in a stub, without the object it is called on."""
    arguments, found = form.args, list[ReadParameter]()
    placed = [*arguments.posonlyargs, *arguments.args]
    first_optional = len(placed) - len(arguments.defaults)
    is_static = any(isinstance(each, ast.Name) and each.id == "staticmethod" for each in form.decorator_list)
    for place, each in enumerate(placed):
        if place or is_static:
            alone = place < len(arguments.posonlyargs) or each.arg.startswith("__")
            default = _default(arguments.defaults[place - first_optional]) if place >= first_optional else EMPTY
            kind = POSITIONAL if alone else BY_PLACE
            found.append(ReadParameter(each.arg.lstrip("_") or each.arg, kind, default, _type_of(each, names)))
    if arguments.vararg:
        found.append(ReadParameter(arguments.vararg.arg, STAR, EMPTY, _type_of(arguments.vararg, names)))
    for each, given in zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True):
        default = EMPTY if given is None else _default(given)
        found.append(ReadParameter(each.arg, KEYWORD, default, _type_of(each, names)))
    return found


def _default(node: ast.expr) -> object:
    value = _literal(ast.unparse(node))
    return GIVEN if value is ... else value


def _type_of(argument: ast.arg, names: dict[str, Any]) -> TypeNode:
    """Return the type that a stub gives, or that nothing is said where it uses names of its own."""
    if argument.annotation is None:
        return AnyType()
    node = read_annotation(ast.unparse(argument.annotation), (names,))
    return AnyType() if isinstance(node, UnreadableType) else node
