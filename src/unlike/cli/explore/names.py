"""Names on the command line that stand for something: a class, a parameter, a method, a field.

One that stands for nothing is misspelt, and refused. Names in a settings file are not looked at: it may hold for many
targets. Nor is anything refused that may be meant: every class that is loaded counts, and every method of the modules
that the targets come from.
"""

from __future__ import annotations

import builtins
import contextlib
import dis
import inspect
import sys
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from unlike.classes.public import is_public, members_of
from unlike.classes.result import Result
from unlike.classes.under_test import classes_of
from unlike.errors import ScopeError, nearest
from unlike.scope import Limits, compiled_pattern

ANY = "any"


def check_names(targets: Sequence[Any], flags: Mapping[str, Any], *, at_random: bool) -> None:
    """Refuse flags that name nothing; `flags` are as the command line gave them."""
    if flags["attempts"] is not None and not at_random:
        raise ScopeError(f"--attempts {flags['attempts']} bounds calls at random: say --random, too, or leave it out")
    loaded = _class_names()
    for text in flags["objects"]:
        name = text.partition("=")[0]
        if name not in loaded:
            raise ScopeError(f"--objects {text!r}: no class is called {name!r}; {nearest(name, _own(targets))}")
    names = dict.fromkeys(_declarable(targets))
    for text in flags["literals"]:
        name = text.partition("=")[0]
        if name not in names and name not in loaded and name != ANY:
            what = f"no type, method or parameter is called {name!r}"
            raise ScopeError(f"--literals {text!r}: {what}; {_hint(name, names, _parameters(targets))}")
    if flags["methods"]:
        _check_methods(targets, flags["methods"])


def _check_methods(targets: Sequence[Any], text: str) -> None:
    pattern = compiled_pattern(text, "methods")
    functions = [getattr(each, "__name__", "") for each in targets if not isinstance(each, type)]
    methods = [name for each in _classes(targets) for name, _ in members_of(each) if is_public(name)]
    if not any(pattern.fullmatch(name) for name in (*functions, *methods)):
        own = dict.fromkeys(name for each in targets if isinstance(each, type) for name, _ in members_of(each))
        known = [name for name in own if is_public(name)]
        raise ScopeError(f"--methods {text!r} matches the whole name of no method; {nearest(text, known)}")


def check_fields(targets: Sequence[Any], omit: str | None, result: Result) -> None:
    """Refuse a pattern of fields to omit that matches none: neither one that the code names nor one that was met."""
    if not omit:
        return
    limits = Limits(omit=omit)
    named = [(cls, name) for cls in _classes(targets) for name in _fields(cls)]
    if any(limits.omits(cls, name) for cls, name in named):
        return
    met = dict.fromkeys((node.cls, name) for each in result.heaps() for node in each.nodes for name, _ in node.fields)
    if not any(limits.omits(cls, name) for cls, name in met):
        known = dict.fromkeys(name for _, name in met)
        raise ScopeError(f"--omit-fields {omit!r} matches no field; {nearest(omit, known)}")


def _class_names() -> set[str]:
    """Return the names of all classes there are, also with their modules."""
    found: dict[type, None] = {object: None}
    waiting: list[type] = [object]
    for cls in waiting:  # grows while we walk
        with contextlib.suppress(TypeError):  # a class that cannot be hashed
            known: list[type] = type.__subclasses__(cls)
            more = [each for each in known if each not in found]
            found.update(dict.fromkeys(more))
            waiting.extend(more)
    names = set(dir(builtins))
    for cls in waiting:
        with contextlib.suppress(Exception):  # a metaclass may refuse to name its class
            names |= {cls.__name__, cls.__qualname__, f"{cls.__module__}:{cls.__qualname__}"}
    return names


def _modules(targets: Iterable[Any]) -> list[types.ModuleType]:
    classes = [base for each in targets for base in (each.__mro__ if isinstance(each, type) else (each,))]
    names = dict.fromkeys(getattr(each, "__module__", "") for each in classes if each is not object)
    return [sys.modules[name] for name in names if name in sys.modules and name != "builtins"]


def _classes(targets: Sequence[Any]) -> list[type]:
    """Return the targets, what they inherit from, and the classes beside them."""
    own = [base for each in targets if isinstance(each, type) for base in each.__mro__ if base is not object]
    beside = [cls for module in _modules(targets) for _, cls, _ in classes_of(module)]
    return list(dict.fromkeys((*own, *beside)))


def _own(targets: Sequence[Any]) -> list[str]:
    """Return the names of the classes that the modules of the targets define."""
    modules = {each.__name__ for each in _modules([each for each in targets if isinstance(each, type)])}
    return list(dict.fromkeys(cls.__name__ for cls in _classes(targets) if cls.__module__ in modules))


def _parameters(targets: Sequence[Any]) -> list[str]:
    """Return the parameters of the targets, by method."""
    found = [
        (name, parameter)
        for cls in targets
        if isinstance(cls, type)
        for name, member in members_of(cls)
        if is_public(name) or name == "__init__"
        for parameter in list(_signature(member))[1:]
    ]
    return [f"{name}.{parameter}" for name, parameter in dict.fromkeys(found)]


def _hint(name: str, names: Iterable[str], shown: Iterable[str]) -> str:
    """Return the nearest of all the names, or those that are worth showing."""
    close = nearest(name, sorted(names))
    return close if close.startswith("did") else nearest(name, shown)


def _declarable(targets: Sequence[Any]) -> Iterator[str]:
    """Yield the names under which values may be declared: methods, parameters, types that a module defines."""
    for module in _modules(targets):
        yield from (f"{prefix}{name}" for name in vars(module) for prefix in ("", f"{module.__name__}:"))
    for target in targets:
        if not isinstance(target, type):
            yield from _of_function(target, getattr(target, "__name__", ""), "")
    for cls in _classes(targets):
        yield from _of_function(cls, "__init__", cls.__name__)
        for name, member in members_of(cls):
            function = getattr(cls, name, member) if isinstance(member, (classmethod, staticmethod)) else member
            function = function.fset if isinstance(function, property) else function
            yield from _of_function(function, name, f"{cls.__name__}.{name}")


def _of_function(function: Any, name: str, title: str) -> Iterator[str]:
    yield from (name, title)
    for parameter in _signature(function):
        yield from (parameter, f"{name}.{parameter}", f"{title}.{parameter}")


def _signature(function: Any) -> Iterable[str]:
    try:
        return inspect.signature(function).parameters
    except Exception:  # foreign: one that cannot be read, or no function at all
        return ()


def _fields(cls: type) -> Iterator[str]:
    """Yield the names of fields that the class declares, or that its code assigns to."""
    slots = vars(cls).get("__slots__", ())
    yield from (slots,) if isinstance(slots, str) else slots
    yield from vars(cls).get("__annotations__", {})
    for member in vars(cls).values():
        function = getattr(member, "__func__", getattr(member, "fset", None) or member)
        code = getattr(function, "__code__", None)
        if isinstance(code, types.CodeType):
            yield from (str(each.argval) for each in dis.get_instructions(code) if each.opname == "STORE_ATTR")
