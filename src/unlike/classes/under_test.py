"""The code under test: what can be called, the walker that sees its objects, and what lies around them."""

from __future__ import annotations

import contextlib
import enum
import inspect
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from unlike.classes.api import Api, Template, Wanted
from unlike.classes.evidence import FoundClass
from unlike.classes.public import is_public
from unlike.classes.workbench import ReadyCall, is_immutable
from unlike.core import Implementation
from unlike.heap.numbered_names import why_refused
from unlike.heap.store import Snapshot
from unlike.heap.walkers import Walker, make_walker
from unlike.isolation.scratch import list_files
from unlike.scope import Limits

MOST_IN_FIXTURE = 100  # objects reached from a sentinel or registry; a larger thing is no part of a small object
CONTAINERS = (list, dict, set, bytearray)
FILES = "files in the working directory"
NO_STATE = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, classmethod, staticmethod, property)

# by identity, as a metaclass may compare classes in its own way
ATOMS = frozenset(map(id, (int, float, str, bytes, bool, type(None))))


def classes_of(module: types.ModuleType) -> Iterator[tuple[str, type, str]]:
    """Yield the classes that a module binds: `("Cart", Cart, "shop")`, with the module that each says it is from.

    One whose metaclass refuses to answer is passed over: it stands beside the code under test by chance.
    """
    for name, value in vars(module).items():
        if isinstance(value, type):
            with contextlib.suppress(Exception):
                yield name, value, value.__module__


class GlobalsWatch:
    """The modules and classes that the code under test lives in: what they bind, and what is bound there."""

    def __init__(self, classes: Iterable[type]) -> None:
        self.modules = dict.fromkeys(
            module
            for cls in classes
            for base in cls.__mro__
            if (module := sys.modules.get(base.__module__)) is not None and base.__module__ != "builtins"
        )
        self.places: dict[str, Mapping[str, Any]] = {label: vars(owner) for label, owner in self._owners()}
        self.bindings = [(owner, dict(vars(owner))) for _, owner in self._owners()]
        self.containers = [
            value for mapping in self.places.values() for value in mapping.values() if _is(value, *CONTAINERS)
        ]
        self.seen = self._fingerprint()
        self.bound = self._bindings()

    def put_back(self, is_stray: Callable[[object], bool]) -> None:
        """Bind again what was bound at first, where something stray is bound now."""
        for owner, before in self.bindings:
            for name in [name for name, value in vars(owner).items() if is_stray(value)]:
                if name in before:
                    setattr(owner, name, before[name])
                else:
                    delattr(owner, name)

    def _owners(self) -> Iterator[tuple[str, types.ModuleType | type]]:
        """Yield the modules, and below each its classes, with the labels of what they bind."""
        for module in self.modules:
            yield module.__name__, module
            for name, cls, home in classes_of(module):
                if home == module.__name__:
                    yield f"{module.__name__}:{name}", cls

    def is_neighbour(self, cls: type) -> bool:
        """Tell whether the class belongs to the code under test: then its objects are found objects, too."""
        is_near = cls.__module__ in {module.__name__ for module in self.modules}
        if not is_near or issubclass(cls, (enum.Enum, BaseException)):
            return False
        return any(
            is_public(name) and inspect.isfunction(member)
            for base in cls.__mro__
            if base is not object
            for name, member in vars(base).items()
        )

    def find_pinned(self) -> list[object]:
        """Return objects the code knows by identity: bound in a module or class, held in a default."""
        found: dict[int, object] = {}
        for mapping in self.places.values():
            for name, value in mapping.items():
                if name.startswith("__"):
                    continue
                found.update((id(each), each) for each in (value, *_defaults(value)) if _has_state(each))
        return list(found.values())

    def changes(self) -> list[str]:
        """Return what was bound or filled differently since the last time this was asked."""
        seen, self.seen = self.seen, self._fingerprint()
        if self.seen == seen:
            return []
        before, self.bound = self.bound, self._bindings()
        return [place for place in {**before, **self.bound} if before.get(place) != self.bound.get(place)]

    def _fingerprint(self) -> list[tuple[object, ...]]:
        """Return something cheap that differs whenever a binding or the content of a container does."""
        bound = [tuple(map(id, mapping.values())) for mapping in self.places.values()]
        return [*bound, *(tuple(map(id, _inner(value))) for value in self.containers), list_files()]

    def _bindings(self) -> dict[str, tuple[object, ...]]:
        now: dict[str, tuple[object, ...]] = {FILES: list_files()}
        for label, mapping in self.places.items():
            for name, value in mapping.items():
                if name.startswith("__") or _is(value, *NO_STATE):
                    continue
                inner = tuple(map(id, _inner(value))) if _is(value, *CONTAINERS) else ()
                now[f"{label}.{name}"] = (_atom(value), *inner)
        return now


def _is(value: object, *kinds: type) -> bool:
    """Tell what a thing is without asking it: `isinstance` reads its `__class__`, which may raise or lie."""
    return issubclass(type(value), kinds)


def _defaults(value: Any) -> tuple[object, ...]:
    """Return what a function holds in its defaults; no other object is asked, for it may answer anything."""
    function = value.__func__ if _is(value, classmethod, staticmethod, types.MethodType) else value
    return (function.__defaults__ or ()) if _is(function, types.FunctionType) else ()


def _has_state(value: object) -> bool:
    return not _is(value, *NO_STATE, str, bytes, int, float, tuple, frozenset, enum.Enum, type(None))


def _atom(value: object) -> object:
    """Return what two bindings are compared by; the value of a number, the identity of an object."""
    return (type(value), value) if id(type(value)) in ATOMS else id(value)


def _inner(value: Any) -> list[Any]:
    return [part for pair in value.items() for part in pair] if _is(value, dict) else list(value)


class Fixtures:
    """What the objects hold that the code knows by identity: states write into them."""

    def __init__(self, walker: Walker, pinned: Iterable[object]) -> None:
        self.remembered: list[Snapshot] = []
        for thing in pinned:
            with contextlib.suppress(Exception):  # one that cannot be seen, or raises when it is, is in no state
                if len(walker.heap(walker.capture(thing)).nodes) <= MOST_IN_FIXTURE:
                    self.remembered.append(walker.snapshot(thing))

    def restore(self) -> None:
        """Put them back into the state they had at first."""
        for remembered in self.remembered:
            remembered.restore()


class CodeUnderTest:
    """The classes of an Api as a search meets them."""

    def __init__(self, api: Api, limits: Limits, implementation: Implementation = "auto") -> None:
        self.api, self.limits = api, replace(limits, explored=(*api.classes, *api.extra))
        self.watch = GlobalsWatch(api.classes)
        self.walker = self.make_walker(self.watch.find_pinned(), implementation)
        self.fixtures = Fixtures(self.walker, self.watch.find_pinned())
        self.calls = [ReadyCall(number, each, self.needs_copies(each)) for number, each in enumerate(api.templates)]
        self._unary: dict[type, list[ReadyCall]] = {}

    def make_walker(self, pinned: list[object], implementation: Implementation) -> Walker:
        """Return the walker that sees the objects."""
        return make_walker(self.limits, pinned, implementation)

    def classes_met(self) -> list[type]:
        """Return the classes of all objects that were seen."""
        return [cls for table in self.walker.twin.tables for cls in tuple(table.by_class)]

    def needs_copies(self, template: Template) -> bool:
        """Tell whether some argument is mutable, so that each call needs one of its own."""
        values = [*template.args, *(value for _, value in template.kwargs)]
        return any(not is_immutable(value) for value in values if not isinstance(value, Wanted))

    def unary_calls(self, cls: type) -> list[ReadyCall]:
        """Return the calls that need one object of the class and no other."""
        if cls not in self._unary:
            single = [each for each in self.calls if len(each.template.wanted) == 1]
            self._unary[cls] = [each for each in single if issubclass(cls, each.template.wanted[0])]
        return self._unary[cls]

    def is_found_alone(self, cls: type, roots: int) -> bool:
        """Tell whether so many objects are a find of their own; where they are not, the first of them alone is."""
        return roots == 1 or not issubclass(cls, self.api.classes)

    def is_found_object(self, cls: type) -> bool:
        """Tell whether objects of the class are found objects; a class met for the first time restarts the search."""
        if any(issubclass(cls, known) for known in (*self.api.classes, *self.api.extra, *self.api.guesses.companions)):
            return True
        if self.watch.is_neighbour(cls) and not why_refused(cls):
            raise FoundClass(cls)
        return False
