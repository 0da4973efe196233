"""From MODULE:NAME to the object it names, with one clear message for each way this can fail."""

from __future__ import annotations

import importlib
import importlib.util
import sys
from collections.abc import Mapping
from pathlib import Path
from types import ModuleType

from unlike.errors import TargetError, nearest

DOCUMENTS = (".json", ".yaml", ".yml")


def load_target(target: str, *, resolve: Mapping[str, str] | None = None) -> object:
    """Return the object that MODULE:NAME (or FILE.py:NAME, or FILE.json:NAME) stands for."""
    module_name, colon, qualname = target.rpartition(":")
    if names_document(target):
        return _defined(target, resolve)
    if not colon or not module_name or not qualname:
        raise TargetError(f"{target!r} is not of the form MODULE:NAME, like examples.retail:items")
    if not module_name.endswith(".py") and not all(part.isidentifier() for part in module_name.split(".")):
        raise TargetError(f"{module_name!r} is not the name of a module; write shop.specs:NAME, or path/specs.py:NAME")
    found: object = _module(module_name)
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


def _defined(target: str, resolve: Mapping[str, str] | None) -> object:
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
    return _module(name)


def _module(name: str) -> ModuleType:
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
