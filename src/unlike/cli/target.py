"""What words on the command line stand for: objects of modules and files, bounds, pools of values, exceptions.

There is one clear message for each way this can fail.
"""

from __future__ import annotations

import ast
import builtins
import importlib
import importlib.util
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import Any

from unlike.core.question import Precondition
from unlike.errors import ScopeError, TargetError, nearest
from unlike.scope import NO_OTHERS

MOST_VALUES = 1_000_000  # of one type: they are listed
MOST_WRITTEN = 1_000  # characters of two numbers
DOCUMENTS = (".json", ".yaml", ".yml", ".pict")


def load_target(target: str, *, resolve: Mapping[str, str] | None = None) -> object:
    """Return the object that MODULE:NAME (or FILE.py:NAME, or FILE.json:NAME) stands for."""
    module_name, colon, qualname = target.rpartition(":")
    if names_document(target):
        return _load_from_document(target, resolve)
    if not colon or not module_name or not qualname:
        raise TargetError(f"{target!r} is not of the form MODULE:NAME, like examples.retail:items")
    if not module_name.endswith(".py") and not all(part.isidentifier() for part in module_name.split(".")):
        raise TargetError(f"{module_name!r} is not the name of a module; write shop.specs:NAME, or path/specs.py:NAME")
    found: object = load_module(module_name)
    for part in qualname.split("."):
        try:
            found = getattr(found, part)
        except AttributeError:
            public = [name for name in dir(found) if not name.startswith("_")]
            raise TargetError(f"{module_name!r} has no {part!r}; {nearest(part, public[:30])}") from None
    return found


def names_document(target: str) -> bool:
    """Tell whether a target is a file of schemas, models or named patterns, or something in it."""
    return target.endswith(DOCUMENTS) or target.rpartition(":")[0].endswith(DOCUMENTS)


def _load_from_document(target: str, resolve: Mapping[str, str] | None) -> object:
    """Return what a file of schemas, models or named patterns defines under a name."""
    from unlike.documents.spec_files import spec

    file, _, name = (target, "", "") if target.endswith(DOCUMENTS) else target.rpartition(":")
    defined = spec(file, resolve=resolve)
    if name:
        return defined[name]
    if "#" in defined:  # a JSON Schema is something as a whole
        return defined["#"]
    raise TargetError(f"{file!r} defines several things; name one: {file}:NAME; there are: {', '.join(defined)}")


def load_module(name: str) -> ModuleType:
    """Return the module of that name, or in that file, as it can be imported from here."""
    here = str(Path.cwd())
    if here not in sys.path:
        sys.path.insert(0, here)
    try:
        if name.endswith(".py"):
            return _file(Path(name))
        return importlib.import_module(name)
    except TargetError:
        raise
    except ModuleNotFoundError as error:
        if error.name is not None and (name == error.name or name.startswith(f"{error.name}.")):
            raise TargetError(f"there is no module {name!r} in {here} or on Python's path") from None
        raise TargetError(
            f"module {name!r} cannot be imported: it needs {error.name!r}, which is not installed"
        ) from None
    except (Exception, SystemExit) as error:
        place = _place(error)
        raise TargetError(f"module {name!r} cannot be imported: {type(error).__name__}: {error}{place}") from None


def _file(path: Path) -> ModuleType:
    if not path.is_file():
        raise TargetError(f"there is no file {str(path)!r}")
    spec = importlib.util.spec_from_file_location(path.stem, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[path.stem] = module
    spec.loader.exec_module(module)
    return module


def _place(error: BaseException) -> str:
    trace = error.__traceback__
    place = ""
    while trace is not None:
        file = trace.tb_frame.f_code.co_filename
        if "importlib" not in file and not file.endswith("target.py"):
            place = f" ({Path(file).name}, line {trace.tb_lineno})"
        trace = trace.tb_next
    return place


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
        if len(text) > MOST_WRITTEN or int(high) - int(low) >= MOST_VALUES:
            raise ScopeError(f"{name}={text[:60]} are more than {MOST_VALUES:,} values, or very large ones; name fewer")
        return list(range(int(low), int(high) + 1))
    if name == "str" and not text.startswith(("[", "'", '"')):
        return text.split(",")
    try:
        value = ast.literal_eval(text if text.startswith("[") else f"[{text}]")
    except (ValueError, TypeError, SyntaxError):  # a set or dict may hold what cannot be hashed
        return text.split(",")
    return value


def exceptions_of(names: Iterable[str]) -> tuple[Precondition, ...]:
    """Return the exception classes of these names: builtin ones, or MODULE:NAME; "none" stays a word."""
    found: list[Precondition] = []
    for name in names:
        if name == NO_OTHERS:
            found.append(NO_OTHERS)
            continue
        cls = target_of(name) if ":" in name else getattr(builtins, name, None)
        if not isinstance(cls, type) or not issubclass(cls, BaseException):
            raise ScopeError(f"--precondition {name!r} is not an exception; use a builtin one, MODULE:NAME, or none")
        found.append(cls)
    return tuple(found)
