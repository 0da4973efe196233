"""Which functions are observed, and their code with probes.

Observed are modules: those of the code, and those of the same package that they reach by what they import (or those
`within`). The text of each is compiled twice, as it is and with probes. The first has to be what really runs in a
function; the second then takes its place, in the copy of the process in which it is called. So classes, registries and
decorators stay what they are, and no module is executed again.
"""

from __future__ import annotations

import functools
import gc
import linecache
import sys
import types
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from unlike.observe.instrument import add_probes
from unlike.observe.tables import Tables

MOST_LINES = 60_000  # of source that is given probes: some seconds of work; the nearest modules come first
MOST_OBJECTS = 200_000  # that are followed to find functions: a tenth of a second
REWRITING = "AssertionRewritingHook"  # loads test modules for pytest: what runs is not what the file says, but does it
Code = Callable[..., Any] | types.ModuleType


class Sources:
    """The functions to be observed, each with its code with probes; and what cannot be observed, with the reason."""

    def __init__(self, code: Sequence[Code], within: Sequence[str] | None, tables: Tables) -> None:
        self.tables, self.lines = tables, 0
        self.blind: dict[str, str] = {}
        self.codes: dict[types.FunctionType, types.CodeType] = {}
        self.modules, missing = choose_modules(code, within)
        self.blind |= dict.fromkeys(missing, "no module of this name is imported")
        compiled: dict[str, TwoCodes] = {}
        for module in self.modules:
            if (file := module.__dict__.get("__file__")) and (both := self._compile(file, module)) is not None:
                compiled[file] = both
        self._match(compiled)
        for each in code:
            if not isinstance(each, types.ModuleType):
                self._look_at(each)

    def _compile(self, file: str, module: types.ModuleType) -> TwoCodes | None:
        """Return the code of a module as it is and with probes, if both can be had."""
        lines = read_source(module)
        if not lines or self.lines + len(lines) > MOST_LINES:
            self.blind[module.__name__] = "too much source" if lines else "no source: it is not written in Python"
            return None
        self.lines += len(lines)
        text = "".join(lines)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # constants seem to be called: they will be functions
                plain = compile(text, file, "exec", dont_inherit=True)
                tree = add_probes(text, file, self.tables, vars(module))
                probed = compile(tree, file, "exec", dont_inherit=True)
        except (SyntaxError, ValueError, RecursionError) as error:
            self.blind[module.__name__] = f"its source cannot be given probes ({type(error).__name__}: {error})"
            return None
        return TwoCodes(plain, self.tables.with_constants(probed), is_rewritten(module))

    def _match(self, compiled: dict[str, TwoCodes]) -> None:
        """Find the functions that this process has of these files, and the code with probes of each."""
        names = {module.__name__ for module in self.modules}
        for function in find_functions(self.modules):
            code, name = function.__code__, f"{function.__module__}.{function.__qualname__}"
            if (both := compiled.get(code.co_filename)) is not None:
                if (probed := both.find_probed(code)) is not None:
                    self.codes[function] = probed
                else:
                    self.blind[name] = "it is not what its source says"
            elif function.__module__ in names and code.co_filename.startswith("<") and not is_special(code.co_name):
                self.blind[name] = "no source: it was made while running"

    def _look_at(self, code: Code) -> None:
        """Say of a piece of the code under test if it cannot be looked into."""
        name = f"{getattr(code, '__module__', None)}.{getattr(code, '__qualname__', type(code).__qualname__)}"
        functions = [*functions_of(code)]
        if not functions:
            self.blind.setdefault(name, "it is not written in Python")
        elif not any(each in self.codes for each in functions):
            is_made = functions[0].__code__.co_filename.startswith("<")
            self.blind.setdefault(name, "no source: it was made while running" if is_made else "it is not observed")


class TwoCodes:
    """A module as it is, and with probes: which code of the one is which of the other."""

    def __init__(self, plain: types.CodeType, probed: types.CodeType, is_rewritten: bool) -> None:
        self.by_code: dict[types.CodeType, types.CodeType] = {}
        self.by_place: dict[tuple[str, int], types.CodeType] = {}
        self.is_rewritten = is_rewritten
        theirs: dict[tuple[str, int], list[types.CodeType]] = {}
        for each in codes_in(probed):
            theirs.setdefault(place_of(each), []).append(each)
        mine: dict[tuple[str, int], int] = {}
        for each in codes_in(plain):
            place = place_of(each)
            several, number = theirs.get(place, []), mine.get(place, 0)  # lambdas in one line
            if several:
                twin = several[min(number, len(several) - 1)]
                self.by_code.setdefault(each, twin)
                self.by_place.setdefault(place, twin)
            mine[place] = number + 1

    def find_probed(self, code: types.CodeType) -> types.CodeType | None:
        """Return what is to take the place of a function's code, if that is what the source says."""
        probed = self.by_code.get(code)
        if probed is None and self.is_rewritten:
            probed = self.by_place.get(place_of(code))
        if probed is None or probed.co_freevars != code.co_freevars or probed.co_flags != code.co_flags:
            return None
        count = code.co_argcount + code.co_kwonlyargcount
        return probed if probed.co_varnames[:count] == code.co_varnames[:count] else None


def codes_in(code: types.CodeType) -> Iterator[types.CodeType]:
    """Yield a code and all that is inside it."""
    yield code
    for each in code.co_consts:
        if isinstance(each, types.CodeType):
            yield from codes_in(each)


def place_of(code: types.CodeType) -> tuple[str, int]:
    """Return where code stands, as far as it says."""
    return code.co_qualname, code.co_firstlineno


def is_special(name: str) -> bool:
    """Tell whether a name is one of Python's own, such as `__init__`."""
    return name.startswith("__") and name.endswith("__")


def is_rewritten(module: types.ModuleType) -> bool:
    """Tell whether pytest has changed the assertions of a module."""
    return type(getattr(module, "__loader__", None)).__name__ == REWRITING


def find_functions(modules: Sequence[types.ModuleType]) -> list[types.FunctionType]:
    """Return the functions that this process has: also those in registries, closures and wrappers."""
    found = {each: None for each in gc.get_objects() if type(each) is types.FunctionType}
    if gc.get_freeze_count():  # frozen objects are not listed: what modules hold is followed instead
        found |= dict.fromkeys(follow_references(modules))
    return [*found]


def follow_references(modules: Sequence[types.ModuleType]) -> Iterator[types.FunctionType]:
    """Yield the functions that modules hold, however deep, without going through other modules."""
    homes = {module.__name__ for module in modules}
    waiting: list[object] = [vars(module) for module in modules]
    seen = {id(each) for each in waiting}
    for each in waiting:  # grows while we walk
        if type(each) is types.FunctionType:
            yield each
            parts: list[Any] = [each.__closure__, each.__defaults__, each.__kwdefaults__, each.__dict__]
        else:
            parts = gc.get_referents(each)
        for part in parts:
            is_other = isinstance(part, types.ModuleType) or (isinstance(part, type) and part.__module__ not in homes)
            if not is_other and id(part) not in seen and gc.is_tracked(part) and len(seen) < MOST_OBJECTS:
                seen.add(id(part))
                waiting.append(part)


def functions_of(code: Any) -> Iterator[types.FunctionType]:
    """Yield the functions of Python that a callable is, wraps or has, as far as it says so."""
    seen = set[int]()
    waiting = [code]
    while waiting:
        each = waiting.pop()
        if id(each) in seen:
            continue
        seen.add(id(each))
        if isinstance(each, types.FunctionType):
            yield each
        if isinstance(each, type):
            waiting += [found for found in vars(each).values() if isinstance(found, types.FunctionType)]
        elif isinstance(each, functools.partial):
            waiting.append(each.func)
        for name in ("__func__", "__wrapped__"):
            if (inner := getattr(each, name, None)) is not None:
                waiting.append(inner)
        if not isinstance(each, types.FunctionType | types.BuiltinFunctionType | type | types.MethodType):
            waiting += [found for found in (vars(type(each)).get("__call__"),) if isinstance(found, types.FunctionType)]


def home_names(code: Code) -> Iterator[str]:
    """Yield the names of the modules that a callable stands in; of a lambda, also of what it names."""
    for function in functions_of(code):
        yield from module_names(function)
        if function.__name__ == "<lambda>":
            for name in function.__code__.co_names:
                yield from module_names(function.__globals__.get(name))
    yield from module_names(code)


def module_names(value: object) -> Iterator[str]:
    """Yield the name of the module that something is, or is of."""
    name = value.__name__ if isinstance(value, types.ModuleType) else vars_module(value)
    if name is not None:
        yield name


def vars_module(value: object) -> str | None:
    """Return the module of a function or a class."""
    if not isinstance(value, types.FunctionType | type | types.BuiltinFunctionType | functools.partial):
        value = type(value) if callable(value) else None
    name = getattr(value, "__module__", None)
    return name if isinstance(name, str) else None


def choose_modules(code: Sequence[Code], within: Sequence[str] | None) -> tuple[list[types.ModuleType], list[str]]:
    """Return the modules to be observed, nearest first, and the names that no module has."""
    if within is None:
        return reach_modules([name for each in code for name in home_names(each)]), []
    found: dict[types.ModuleType, None] = {}
    missing = []
    for name in within:
        named = [each for path, each in [*sys.modules.items()] if path == name or path.startswith(f"{name}.")]
        found |= dict.fromkeys(each for each in named if isinstance(each, types.ModuleType))
        if not named:
            missing.append(name)
    return [*found], missing


def read_source(module: types.ModuleType) -> list[str]:
    """Return the lines of a module, if it is written in Python and they are still there."""
    file = module.__dict__.get("__file__") or ""
    return linecache.getlines(file, vars(module)) if file.endswith(".py") or file.startswith("<") else []


def reach_modules(names: Sequence[str]) -> list[types.ModuleType]:
    """Return modules and those of the same packages that they reach by what they import, nearest first."""
    packages = {name.partition(".")[0] for name in names}
    found = dict.fromkeys(names)
    waiting = [*found]
    for name in waiting:  # grows while we walk
        for value in [*vars(sys.modules.get(name, types)).values()] if name in sys.modules else []:
            for other in module_names(value):
                if other not in found and other.partition(".")[0] in packages:
                    found[other] = None
                    waiting.append(other)
    return [each for name in found if isinstance(each := sys.modules.get(name), types.ModuleType)]
