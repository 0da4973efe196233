"""From a postponed annotation to what it stands for: the one place where annotations are evaluated.

Each is evaluated by itself, so that a name which only type checkers know costs one annotation and not its class. Some
need no more reading: values of the language, and built-in types that stand for one.
"""

from __future__ import annotations

import builtins
import contextlib
import datetime
import decimal
import enum
import functools
import importlib
import inspect
import re
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ForwardRef, TypeAlias, get_origin

from unlike.foreign import package_of
from unlike.language.values import VALUES, Bool, Date, DateTime, Decimal, Int, OneOf, Real, Str, Time, Timedelta, Value
from unlike.types.checked_names import checked_name

Names: TypeAlias = Sequence[Mapping[str, Any]]  # tried one after the other: a class may have a method called `list`

_PLAIN: dict[object, Value] = {
    bool: Bool(),
    int: Int(),
    float: Real(),
    str: Str(),
    datetime.date: Date(),
    datetime.time: Time(),
    datetime.datetime: DateTime(),
    datetime.timedelta: Timedelta(),
    decimal.Decimal: Decimal(),
}


@dataclass(frozen=True, slots=True)
class UnresolvedName:
    """An annotation that stands for nothing that is known; `missing` is the name that is not there, if that is why."""

    text: str
    missing: str = ""


def resolve(written: object, names: Names) -> object:
    """Return what a postponed annotation stands for, an UnresolvedName where that is unknown; others as they are.

    A text may stand for another one, as X = "int" does.
    """
    seen: set[str] = set()
    while isinstance(written, str | ForwardRef):
        if isinstance(written, ForwardRef):
            module = sys.modules.get(str(getattr(written, "__forward_module__", None) or ""))
            names = [*names, vars(module)] if module is not None else names
            written = written.__forward_arg__
        if written in seen:
            return UnresolvedName(written)
        seen.add(written)
        written = _evaluate(written, names)
    return written


def _evaluate(written: str, names: Names) -> object:
    missing = ""
    for known in names or ({},):
        found: dict[str, Any] = {"__builtins__": builtins, **known}
        while True:
            try:
                return eval(written, found)
            except NameError as error:
                missing = missing or str(error.name or "")
                if not _add_checked_name(str(error.name or ""), found):
                    break
            except Exception:  # annotations are foreign code: a broken expression, a call that fails
                break
    return UnresolvedName(written, missing)


def _add_checked_name(name: str, names: dict[str, Any]) -> bool:
    """Add a name that a module imports for type checkers only, or that its package has; tell whether there is one."""
    module = str(names.get("__name__", ""))
    if not name or name in names or not module:
        return False
    found = checked_name(module, name)
    if found is None:
        found = getattr(sys.modules.get(module.partition(".")[0]), name, None)
    if found is None:
        return False
    names[name] = found
    return True


def names_of_class(cls: type) -> Names:
    """Return the names that annotations in the body of a class may use: those around it, then its own, too."""
    module = vars(sys.modules[cls.__module__]) if cls.__module__ in sys.modules else {}
    own = {**_type_parameters(cls), cls.__name__: cls}
    around = {**module, **own}
    elsewhere = ({**each, **own} for each in _globals_of_methods(cls))
    return (around, {**around, **vars(cls)}, *elsewhere, _NamesOfPackage(cls, own))


def _globals_of_methods(cls: type) -> list[dict[str, Any]]:
    """Return the names around the methods of a class that says it stands in another module than it was written in."""
    functions = [each for each in vars(cls).values() if isinstance(each, types.FunctionType)]
    found = {str(each.__globals__.get("__name__")): each.__globals__ for each in functions}
    return [found[name] for name in sorted(found) if name not in (cls.__module__, "None") and name in sys.modules]


class _NamesOfPackage(Mapping[str, Any]):
    """The names around a class in the modules of its package that write it, whatever it says of itself.

    A package may have its classes say that they stand where they are to be imported from. The modules are looked for
    only when a name was found nowhere else.
    """

    def __init__(self, cls: type, own: Mapping[str, Any]) -> None:
        self.cls = cls
        self.own = own

    @functools.cached_property
    def _names(self) -> dict[str, Any]:
        """What the modules that write the class have, one after the other, and itself."""
        cls, found = self.cls, dict[str, Any]()
        top = package_of(cls)
        for name, module in sorted(sys.modules.items()):
            is_near = name.partition(".")[0] == top and isinstance(module, types.ModuleType)
            if is_near and vars(module).get(cls.__name__) is cls and _writes(module, cls.__name__):
                found = {**vars(module), **found}
        return {**found, **self.own}

    def __getitem__(self, name: str) -> Any:
        return self._names[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


def _writes(module: types.ModuleType, name: str) -> bool:
    """Tell whether a class of this name is written in a module, not imported."""
    try:
        return re.search(rf"^\s*class {re.escape(name)}\b", inspect.getsource(module), re.MULTILINE) is not None
    except (OSError, TypeError):  # written in C, or typed in
        return False


def names_of_function(function: Any, owner: type | None = None) -> Names:
    """Return the names that annotations of a function may use: of its module, of functions and the class around it."""
    inner = inspect.unwrap(function) if callable(function) else function
    code = getattr(inner, "__code__", None)
    variables = code.co_freevars if isinstance(code, types.CodeType) else ()
    known: dict[str, Any] = {**getattr(inner, "__globals__", {}), **_type_parameters(inner)}
    for name, cell in zip(variables, getattr(inner, "__closure__", None) or (), strict=False):
        with contextlib.suppress(ValueError):  # not yet filled
            known[name] = cell.cell_contents
    if owner is None:
        return (known,)
    for cls in owner.__mro__:  # a method may have been inherited from another module
        known = {**vars(sys.modules.get(cls.__module__, builtins)), **known}
    known = {owner.__name__: owner, **known, **_type_parameters(owner)}
    return (known, {**known, **vars(owner), owner.__name__: owner})


def _type_parameters(thing: object) -> dict[str, Any]:
    return {each.__name__: each for each in getattr(thing, "__type_params__", ())}


def written_annotations(thing: Any) -> Mapping[str, object]:
    """Return the own annotations of a class or function as they were written, evaluated or not."""
    try:
        return inspect.get_annotations(thing)
    except TypeError:  # neither a class nor a function
        return {}
    except Exception:  # from Python 3.14 on they are evaluated now, and a name may be missing
        library = importlib.import_module("annotationlib")
        return library.get_annotations(thing, format=library.Format.FORWARDREF)  # type: ignore[no-any-return]


def signature_of(function: Callable[..., object]) -> inspect.Signature:
    """Return the signature of a function, whatever names its annotations lack."""
    try:
        return inspect.signature(function)
    except NameError:  # from Python 3.14 on annotations are evaluated now
        lenient: Any = {"annotation_format": importlib.import_module("annotationlib").Format.FORWARDREF}
        return inspect.signature(function, **lenient)


def plain_value(annotation: object) -> Value | None:
    """Return the value that a plain annotation stands for; nothing for one that has to be read as a type."""
    if isinstance(annotation, VALUES):
        return annotation
    if isinstance(annotation, type) and issubclass(annotation, enum.Enum) and not issubclass(annotation, enum.Flag):
        return OneOf(annotation)  # members of a Flag can be combined
    try:
        return _PLAIN.get(annotation)
    except TypeError:  # what cannot be hashed, or holds metadata that cannot
        return None


def without_arguments(annotation: object) -> object:
    """Return the class of an annotation, without the types it is given as arguments: Box of Box[int]."""
    return get_origin(annotation) or annotation
