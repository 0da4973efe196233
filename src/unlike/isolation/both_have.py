"""Things that a process and its copy both have, such as classes, modules and code: they are named, never sent.

    name_thing(Pile)          ->  ("name", "piles:Pile")
    name_thing(type(iter([])))->  ("type", ["builtins", "list_iterator"])     bound nowhere, but in every process
    name_thing(local_class)   ->  ("here", [140234, "test.<locals>.Pile"])    where it stood before the copy was made

Whoever looks up a name imports modules as recipes do, and calls nothing else.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import itertools
import sys
import types
import zlib
from collections.abc import Iterable, Iterator
from typing import Any

from unlike.errors import RecipeError
from unlike.foreign import module_of
from unlike.recipe import Name, import_name, name_of

HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class that was made at run time
FIXED = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE: by a module in C
FEW_PLACES = 64  # of a container that may hold functions, or of code whose columns tell it from other code
DESCRIPTORS = (
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    types.ClassMethodDescriptorType,
)
NAMED = (type, types.FunctionType, types.BuiltinFunctionType, types.ModuleType, types.CodeType, *DESCRIPTORS)
_is_copy = False
_get_objects, _freeze = gc.get_objects, gc.freeze  # bound here: code under test may replace them


class CannotNameError(Exception):
    """Something that the other process does not have; the message says what."""


def begin_copy() -> None:
    """Note that this process is a copy from now on: what it has now stands at the same place in its parent."""
    global _is_copy
    _freeze()  # whatever is made later is what the collector still looks at
    _is_copy = True


def name_thing(thing: Any) -> tuple[str, Any]:
    """Return what a thing goes by, as plain data, or refuse one that only this process has."""
    kind: Any = type(thing)
    if issubclass(kind, types.ModuleType):
        found: Any = sys.modules.get(thing.__name__)
        if found is thing:
            return "module", thing.__name__
        raise CannotNameError(f"the module {thing.__name__} is not among those that are loaded")
    if kind is types.CodeType:
        place = [thing.co_filename, thing.co_qualname, thing.co_firstlineno, _digest(thing)]
        if _find_code(*place) is thing:
            return "code", place
        raise CannotNameError(f"the code of {thing.co_qualname} cannot be found by its place")
    if issubclass(kind, DESCRIPTORS):
        return "attribute", [thing.__objclass__, thing.__name__]
    return _name_or_place(thing)


def _name_or_place(thing: Any) -> tuple[str, Any]:
    try:
        name = name_of(thing)
        if import_name(name) is thing:
            return "name", f"{name.module}:{name.qualname}"
        words = f"{name.module}:{name.qualname} is something else than it was"
    except RecipeError as error:
        words = str(error)
    if isinstance(thing, type) and _made_in_c(thing) and _built_in(module_of(thing), thing.__qualname__) is thing:
        return "type", [module_of(thing), thing.__qualname__]
    if _is_copy and not any(each is thing for each in _get_objects()):
        return "here", [id(thing), thing.__qualname__]
    raise CannotNameError(words)


def find_thing(tag: str, inner: Any) -> Any:
    """Return the thing of that name."""
    match tag, inner:
        case "name", str():
            module, _, qualname = inner.partition(":")
            return import_name(Name(module, qualname))
        case "module", str():
            return sys.modules.get(inner) or importlib.import_module(inner)
        case "code", [str() as file, str() as qualname, int() as line, int() as digest]:
            return _find_code(file, qualname, line, digest)
        case "attribute", [type() as cls, str() as name]:
            found = vars(cls)[name]
            if isinstance(found, DESCRIPTORS):
                return found
        case "type", [str() as module, str() as name]:
            return _built_in(module, name)
        case "here", [int() as place, str() as name]:
            found = _find_at(place)
            if found.__qualname__ == name:
                return found
    raise CannotNameError(f"{tag!r} names nothing here")


def _made_in_c(cls: type) -> bool:
    """Tell whether every process has the class; many of them (locks, iterators) are bound nowhere."""
    return cls.__flags__ & (HEAP_TYPE | FIXED) != HEAP_TYPE


def _all_classes() -> Iterator[type]:
    waiting: list[type] = [object]
    seen: set[int] = {id(object)}
    for cls in waiting:  # grows while we walk
        yield cls
        known: list[type] = type.__subclasses__(cls)
        for each in known:
            if id(each) not in seen:
                seen.add(id(each))
                waiting.append(each)


@functools.lru_cache(maxsize=256)
def _built_in(module: str, name: str) -> type:
    """Return the type in C of that name."""
    for cls in _all_classes():
        if (module_of(cls), cls.__qualname__) == (module, name):
            return cls
    raise CannotNameError(f"{module}.{name} is no type of this process")


def _find_at(place: int) -> Any:
    """Return the class or function that stands at that place of this process."""
    functions = (each for each in _get_objects() if type(each) is types.FunctionType)
    things: Iterator[Any] = itertools.chain(_all_classes(), functions)
    for each in things:
        if id(each) == place:
            return each
    raise CannotNameError(f"no class or function stands at {place}")


@functools.lru_cache(maxsize=256)
def _find_code(file: str, qualname: str, line: int, digest: int) -> types.CodeType:
    """Return the code that stands there."""
    there = None if file.startswith("<") else file  # what was typed in, or executed from a text, has no file
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None) == there:
            for code in _codes(vars(module).values()):
                if (code.co_qualname, code.co_firstlineno) == (qualname, line) and _digest(code) == digest:
                    return code
    raise CannotNameError(f"the code of {qualname} in {file} cannot be found")


def _digest(code: types.CodeType) -> int:
    """Return a number for code: two functions without a name on one line may differ only in a name or a column."""
    return zlib.crc32(code.co_code + repr((code.co_names, *itertools.islice(code.co_positions(), FEW_PLACES))).encode())


def _codes(values: Iterable[Any]) -> Iterator[types.CodeType]:
    """Yield the code of functions, methods and properties, and all code inside it."""
    waiting: list[Any] = list(values)
    seen: set[int] = set()
    for value in waiting:  # grows while we walk
        if id(value) in seen:
            continue
        seen.add(id(value))
        match value:
            case types.CodeType():
                yield value
                waiting.extend(value.co_consts)
            case types.FunctionType():
                waiting += [value.__code__, value.__defaults__, value.__kwdefaults__, value.__dict__.get("__wrapped__")]
                waiting.extend(_contents(value.__closure__ or ()))
            case type():
                waiting.extend(vars(value).values())
            case tuple() | list() if type(value) in (tuple, list):
                waiting.extend(value[:FEW_PLACES])
            case dict() if type(value) is dict:
                waiting.extend(itertools.islice(value.values(), FEW_PLACES))
            case classmethod() | staticmethod():
                waiting.append(value.__func__)
            case property():
                waiting.extend((value.fget, value.fset, value.fdel))
            case functools.cached_property() | functools.partial() | functools.partialmethod():
                waiting.append(value.func)


def _contents(cells: Iterable[types.CellType]) -> Iterator[Any]:
    for cell in cells:
        with contextlib.suppress(ValueError):  # it is empty
            yield cell.cell_contents
