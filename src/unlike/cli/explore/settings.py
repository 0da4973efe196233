"""Flags and TOML files for `unlike explore`: one set of settings, the flags first.

Settings stand in `[tool.unlike.explore]` of pyproject.toml, or in a file of their own,
there also without that heading.
A table named after a target ("shop.cart:Cart") holds settings for that target alone.
"""

from __future__ import annotations

import ast
import builtins
import tomllib
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

import click
from click.core import ParameterSource

from unlike.cli.target import load_target
from unlike.errors import ScopeError, TargetError, nearest
from unlike.writers.answers.formats import formats_for

VALUES = ("auto", "symbolic", "concrete")
FORMATS = formats_for("text", "tests", "objects")
Kind = type | tuple[str, ...]  # what a setting must be; some are one of several words

KINDS: dict[str, Kind] = {
    **dict.fromkeys(("scope", "elements", "calls", "workers", "memory", "sample", "seed", "attempts"), int),
    **dict.fromkeys(("objects", "literals"), dict),
    **dict.fromkeys(("methods", "omit_fields", "invariant", "builders", "output"), str),
    **dict.fromkeys(("dict_order", "state_matching", "in_process", "one_per_shape", "boundary"), bool),
    **dict.fromkeys(("random", "fields", "explain", "all"), bool),
    "precondition": list,
    "timeout": float,
    "values": VALUES,
    "format": FORMATS,
}
PARAMETERS = {"random": "at_random", "all": "every", "format": "form"}  # of the command, where their names differ
OPPOSITES = {"dict_order": "any_dict_order", "state_matching": "no_state_matching"}


def settings_of(config: str | None, targets: Sequence[str]) -> dict[str, Any]:
    """Return the settings for the targets from the file, or from pyproject.toml if there is one here."""
    path = Path(config or "pyproject.toml")
    if config is None and not path.exists():
        return {}
    try:
        data: Any = tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise ScopeError(f"there is no file {config!r}") from None
    except (OSError, ValueError) as error:
        raise ScopeError(f"{str(path)!r} cannot be read: {error}") from None
    table = data.get("tool", {}).get("unlike", {})
    table = table.get("explore", {}) if isinstance(table, dict) else {}
    if config is not None and "tool" not in data:
        table = data.get("explore", data)
    if not isinstance(table, dict):
        raise ScopeError(f"{str(path)!r}: explore={table!r} must be a table")
    return _merged(table, targets, path)


def _merged(table: dict[str, Any], targets: Sequence[str], path: Path) -> dict[str, Any]:
    merged = {key: value for key, value in table.items() if ":" not in key}
    for target in targets:
        own = table.get(target, {})
        if not isinstance(own, dict):
            raise ScopeError(f"{str(path)!r}: {target!r}={own!r} must be a table")
        for key, value in own.items():
            both = isinstance(value, dict) and isinstance(merged.get(key), dict)
            merged[key] = {**merged[key], **value} if both else value
    merged = {key.replace("-", "_"): value for key, value in merged.items()}
    for key in merged:
        if key not in KINDS:
            raise ScopeError(f"{str(path)!r}: no setting is called {key!r}; {nearest(key, sorted(KINDS))}")
    return {key: _checked(key, value, path) for key, value in merged.items()}


def _checked(key: str, value: Any, path: Path) -> Any:
    """Return the value of a setting if it is of the right kind, or refuse it."""
    kind = KINDS[key]
    if key in PARTS and isinstance(value, (dict, list)):
        return _parts(key, value, path)
    if key == "precondition" and isinstance(value, str):
        return [value]
    if isinstance(kind, tuple):
        if value not in kind:
            raise ScopeError(f"{str(path)!r}: {key}={value!r} must be one of {', '.join(kind)}")
        return value
    accepted = (int, float) if kind is float else (kind,)
    if type(value) not in accepted:
        raise ScopeError(f"{str(path)!r}: {key}={value!r} must be {WORDS[kind]}")
    return _as_flag(key, value, path) if kind in (int, float) else value


def _parts(key: str, value: Any, path: Path) -> Any:
    """Return a table or list of settings if it is one, and each of its members may stand there."""
    if isinstance(value, list) != (KINDS[key] is list):
        raise ScopeError(f"{str(path)!r}: {key}={value!r} must be {WORDS[KINDS[key]]}")
    may_stand, words = PARTS[key]
    for name, each in value.items() if isinstance(value, dict) else enumerate(value):
        if not may_stand(each):
            place = f"{key}.{name}" if isinstance(value, dict) else key
            raise ScopeError(f"{str(path)!r}: {place}={each!r} must be {words}")
    if key == "literals":
        return {name: _values(name, each) if isinstance(each, str) else each for name, each in value.items()}
    return value


PARTS: dict[str, tuple[Callable[[object], bool], str]] = {  # what the members of a table or list must be
    "precondition": (lambda each: isinstance(each, str), "the name of an exception, like 'ValueError'"),
    "objects": (lambda each: type(each) is int and each >= 1, "a whole number of at least 1, like { Item = 2 }"),
    "literals": (lambda each: isinstance(each, (list, str)), "a list of values, or a text like '0..9' or 'source'"),
}


def _as_flag(key: str, value: Any, path: Path) -> Any:
    """Return the number as the flag of this name takes it, or refuse what the flag would refuse."""
    context = click.get_current_context(silent=True)
    flag = next((each for each in context.command.params if each.name == key), None) if context else None
    if flag is None:
        return value
    try:
        return flag.type.convert(value, flag, context)
    except click.BadParameter as refused:
        words = refused.message.rstrip(".")
        raise ScopeError(f"{str(path)!r}: {key}={value!r} is not what --{key} takes: {words}") from None


WORDS: dict[Kind, str] = {
    int: "a whole number",
    float: "a number",
    str: "a text",
    bool: "true or false",
    list: "a list",
    dict: "a table",
}


def with_file(context: click.Context, flags: dict[str, Any], file: dict[str, Any]) -> dict[str, Any]:
    """Return the flags, with what the file says where the command line says nothing; tables are joined."""
    said = dict(flags)
    for key, value in file.items():
        name = OPPOSITES.get(key, PARAMETERS.get(key, key))
        if name in flags and context.get_parameter_source(name) is ParameterSource.DEFAULT:
            said[name] = (not value) if key in OPPOSITES else value
    return said | {
        "objects": {**file.get("objects", {}), **objects_of(flags["objects"])},
        "literals": {**file.get("literals", {}), **literals_of(flags["literals"])},
    }


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
    found = {name: _values(name, value) for name, value in pairs_of(texts, "--literals").items()}
    for name, values in found.items():
        given = next(text for text in texts if text.startswith(f"{name}="))
        if values == [] and given != f"{name}=[]":  # said so: a parameter may be left out
            raise ScopeError(
                f"--literals {given!r}: literals of {name}: the pool is empty; give at least one value, like {name}=0,1"
            )
    return found


def _values(name: str, text: str) -> Any:
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
