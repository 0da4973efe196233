"""What words on the command line stand for: classes, bounds, pools of values, exceptions."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Sequence
from typing import Any

from unlike.cli.target import load_target
from unlike.errors import ScopeError, TargetError


def target_of(text: str) -> Any:
    """Return the class or function that MODULE:NAME stands for, or one clear message."""
    found: Any = load_target(text)
    if not callable(found):
        raise TargetError(f"{text!r} is neither a class nor a function: {found!r}")
    return found


def pairs_of(texts: Iterable[str], flag: str) -> dict[str, str]:
    """Return NAME=VALUE texts as a mapping."""
    found = {}
    for text in texts:
        name, equals, value = text.partition("=")
        if not equals or not name:
            raise ScopeError(f"{flag} {text!r} is not NAME=VALUE")
        found[name] = value
    return found


def objects_of(texts: Iterable[str]) -> dict[str, int]:
    """Return CLASS=N texts as bounds."""
    found = {}
    for name, value in pairs_of(texts, "--objects").items():
        if not value.isdecimal() or not int(value):
            raise ScopeError(f"--objects {name}={value!r} must be a whole number of at least 1")
        found[name] = int(value)
    return found


def literals_of(texts: Sequence[str]) -> dict[str, Any]:
    """Return TYPE=VALUES texts as pools: `int=0,1,2`, `int=0..9`, `str=a,b`, `int=source`, `str=@shop:names`."""
    found = {name: values_of(name, value) for name, value in pairs_of(texts, "--literals").items()}
    for name, values in found.items():
        given = next(text for text in texts if text.startswith(f"{name}="))
        if values == [] and given != f"{name}=[]":  # said so: a parameter may be left out
            raise ScopeError(
                f"--literals {given!r}: literals of {name}: the pool is empty; give at least one value, like {name}=0,1"
            )
    return found


def values_of(name: str, text: str) -> Any:
    """Return the values that a text stands for: a list, a range, `source`, or what a module holds."""
    if text == "source":
        return text
    if text.startswith("@"):
        return load_target(text.removeprefix("@"))
    low, dots, high = text.partition("..")
    if dots and low.lstrip("-").isdecimal() and high.lstrip("-").isdecimal():
        return list(range(int(low), int(high) + 1))
    if name == "str" and not text.startswith(("[", "'", '"')):
        return text.split(",")
    try:
        value = ast.literal_eval(text if text.startswith("[") else f"[{text}]")
    except (ValueError, TypeError, SyntaxError):  # a set or dict may hold what cannot be hashed
        return text.split(",")
    return value


def exceptions_of(names: Iterable[str]) -> tuple[type[BaseException], ...]:
    """Return the exception classes of these names: builtin ones, or MODULE:NAME."""
    found = []
    for name in names:
        cls = target_of(name) if ":" in name else getattr(builtins, name, None)
        if not isinstance(cls, type) or not issubclass(cls, BaseException):
            raise ScopeError(f"--precondition {name!r} is not an exception; use a builtin one or MODULE:NAME")
        found.append(cls)
    return tuple(found)
