"""What lies around the objects: state outside them, objects known by identity, fields that grow without end."""

from __future__ import annotations

import contextlib
import enum
import inspect
import io
import itertools
import signal
import sys
import threading
import types
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from unlike.errors import UnlikeError
from unlike.explore.api import is_public
from unlike.explore.outcomes import OWN_FILES, Options
from unlike.heap import GraphSnapshot, Heap, RecordValue, Walker, compared_heap
from unlike.scope import Scope

if TYPE_CHECKING:
    from unlike.explore.outcomes import Fault
    from unlike.explore.search import Search

MOST_OUTPUT = 64 * 1024
MOST_IN_FIXTURE = 100  # objects reached from a sentinel or registry; a larger thing is no part of a small object
CONTAINERS = (list, dict, set, bytearray)
NO_STATE = (type, types.ModuleType, types.FunctionType, types.BuiltinFunctionType, classmethod, staticmethod, property)


class Surroundings:
    """The modules and classes that the code under test lives in: what they bind, and what is bound there."""

    def __init__(self, classes: Iterable[type]) -> None:
        self.modules = dict.fromkeys(
            module
            for cls in classes
            for base in cls.__mro__
            if (module := sys.modules.get(base.__module__)) is not None and base.__module__ != "builtins"
        )
        self.places: dict[str, Mapping[str, Any]] = {label: vars(owner) for label, owner in self._owners()}
        self.containers = [
            value for mapping in self.places.values() for value in mapping.values() if isinstance(value, CONTAINERS)
        ]
        self.bindings = [(owner, dict(vars(owner))) for _, owner in self._owners()]
        self.glance = self._glance()
        self.remembered = self._now()

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
            for name, value in vars(module).items():
                if isinstance(value, type) and value.__module__ == module.__name__:
                    yield f"{module.__name__}:{name}", value

    def is_neighbour(self, cls: type) -> bool:
        """Tell whether the class belongs to the code under test: then its objects are found objects, too."""
        if cls.__module__ not in {module.__name__ for module in self.modules} or issubclass(
            cls, (enum.Enum, BaseException)
        ):
            return False
        return any(
            is_public(name) and inspect.isfunction(member)
            for base in cls.__mro__
            if base is not object
            for name, member in vars(base).items()
        )

    def pinned(self) -> list[object]:
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
        before_glance, self.glance = self.glance, self._glance()
        if self.glance == before_glance:
            return []
        before, self.remembered = self.remembered, self._now()
        return [place for place in {**before, **self.remembered} if before.get(place) != self.remembered.get(place)]

    def _glance(self) -> list[tuple[int, ...]]:
        """Return something cheap that differs whenever a binding or the content of a container does."""
        bound = [tuple(map(id, mapping.values())) for mapping in self.places.values()]
        return [*bound, *(tuple(map(id, _inner(value))) for value in self.containers)]

    def _now(self) -> dict[str, tuple[object, ...]]:
        now: dict[str, tuple[object, ...]] = {}
        for label, mapping in self.places.items():
            for name, value in mapping.items():
                if name.startswith("__") or isinstance(value, NO_STATE):
                    continue
                inner = tuple(map(id, _inner(value))) if isinstance(value, CONTAINERS) else ()
                now[f"{label}.{name}"] = (_atom(value), *inner)
        return now


def _defaults(value: object) -> tuple[object, ...]:
    """Return what a function holds in its defaults; no other object is asked, for it may answer anything."""
    function = value.__func__ if isinstance(value, (classmethod, staticmethod, types.MethodType)) else value
    return (function.__defaults__ or ()) if isinstance(function, types.FunctionType) else ()


def _has_state(value: object) -> bool:
    return not isinstance(value, (*NO_STATE, str, bytes, int, float, tuple, frozenset, enum.Enum, type(None)))


def _atom(value: object) -> object:
    """Return what two bindings are compared by; the value of a number, the identity of an object."""
    return (type(value), value) if type(value) in (int, float, str, bytes, bool, type(None)) else id(value)


def _inner(value: Any) -> list[Any]:
    return [part for pair in value.items() for part in pair] if isinstance(value, dict) else list(value)


class Fixtures:
    """What the objects hold that the code knows by identity: states write into them."""

    def __init__(self, walker: Walker, pinned: Iterable[object]) -> None:
        self.remembered: list[GraphSnapshot] = []
        for thing in pinned:
            with contextlib.suppress(UnlikeError):  # one that cannot be seen is in no state
                if len(walker.heap(walker.capture(thing)).nodes) <= MOST_IN_FIXTURE:
                    self.remembered.append(walker.snapshot(thing))

    def restore(self) -> None:
        """Put them back into the state they had at first."""
        for remembered in self.remembered:
            remembered.restore()


class Growth:
    """Watches the size of every field level by level, and recognises one that grows without end."""

    def __init__(self, scope: Scope, omits: Callable[[type, str], bool]) -> None:
        self.omits = omits
        literals = [abs(value) for values in scope.literals.values() for value in _numbers(values)]
        own = max(scope.objects, scope.most_elements, scope.most_ints, *scope.objects_of.values(), 0)
        self.window = max(12, 2 * own + 4)
        self.bound = max(4 * own, 16, *literals)
        self.ends_anyway = scope.calls is not None  # who bounds the calls wants all of them
        self.now: dict[str, float] = {}
        self.history: dict[str, list[float]] = {}

    def look_at(self, search: Search, first: int) -> None:
        """Take in a few of the states from a number on."""
        step = max(1, (len(search.store) - first) // 8)
        for number in range(first, len(search.store), step):
            captured = search.store.state(number) if search.faithful else search.captured[number]
            if captured is not None:
                self.see(search.walker.heap(captured))
            else:
                self.see(compared_heap(search.walker, search.key(number)))

    def see(self, heap: Heap) -> None:
        """Take in one state of the level."""
        for node in heap.nodes:
            for name, value in node.fields:
                size = _size(value)
                if size is not None and not self.omits(node.cls, name):
                    label = f"{node.cls.__name__}.{name}"
                    self.now[label] = max(size, self.now.get(label, size))

    def end_level(self) -> str:
        """Return the words for a field that grows without end, or nothing."""
        for label in {**self.history, **self.now}:
            history = self.history.setdefault(label, [])
            history.append(max([*history[-1:], self.now.get(label, 0)]))  # the largest ever seen: few states are
        self.now = {}
        if self.ends_anyway:
            return ""
        endless = [label for label in self.history if self._grew(label, self.window) and self._last(label) > self.bound]
        return self._words(endless)

    def hint(self) -> str:
        """Return the words for fields that were still growing when the search was cut short."""
        return self._words(
            [label for label in self.history if self._grew(label, 8) and self._last(label) > self.bound / 2]
        )

    def _words(self, labels: list[str]) -> str:
        if not labels:
            return ""
        shown = ", ".join(labels)
        pattern = "|".join(labels)
        remedy = f"leave it out of the comparison: --omit-fields '{pattern}', or bound the calls: --calls N"
        return f"{shown} grows without end; {remedy}"

    def _last(self, label: str) -> float:
        return self.history[label][-1]

    def _grew(self, label: str, levels: int) -> bool:
        """Tell whether it grew in every quarter of the last levels: where calls take turns, not at each level."""
        recent = self.history[label][-levels - 1 :]
        marks = [recent[levels * quarter // 4] for quarter in range(5)] if len(recent) > levels else []
        return bool(marks) and all(a < b for a, b in itertools.pairwise(marks))


def _numbers(values: object) -> Iterator[float]:
    if isinstance(values, Iterable) and not isinstance(values, (str, bytes, type)):
        yield from (value for value in values if type(value) in (int, float))


def _size(value: object) -> float | None:
    if type(value) in (int, float):
        return abs(value)  # type: ignore[arg-type]
    if type(value) in (str, bytes):
        return len(value)  # type: ignore[arg-type]
    if isinstance(value, RecordValue):
        return 1 + max((_size(part) or 0 for part in value.parts), default=0) + len(value.parts)
    return None


class Watched(Protocol):
    """What the watchdog looks at."""

    calls: int
    running: bool
    options: Options


class HangError(BaseException):  # not an Exception: code under test must not catch it by the way
    """A call did not return in time."""


class Watchdog:
    """Interrupts a call that does not return, where signals allow it: in the main thread, on Unix.

    It ticks once a second and looks whether the same call is still running; calls themselves cost nothing more.
    """

    def __init__(self, search: Watched) -> None:
        self.search = search
        self.last = -1
        self.ticks = 0
        usable = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()
        self.usable = usable and signal.getsignal(signal.SIGALRM) is signal.SIG_DFL

    def __enter__(self) -> None:
        if self.usable:
            signal.signal(signal.SIGALRM, self.tick)
            signal.setitimer(signal.ITIMER_REAL, 1, 1)

    def __exit__(self, *_: object) -> None:
        if self.usable:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, signal.SIG_DFL)

    def tick(self, *_: object) -> None:
        """Count how long the call has been running, and end it when that is too long."""
        search = self.search
        self.ticks = self.ticks + 1 if search.calls == self.last else 0
        self.last = search.calls
        most = search.options.isolation.seconds_per_call
        late = (most is not None and self.ticks >= most) or (self.ticks and search.options.deadline.is_over())
        if search.running and late:
            self.ticks = 0
            raise HangError("did not return in time" if most is None else f"did not return within {most:g} s")


OWN_FILES.add(Watchdog.tick.__code__.co_filename)  # a call that hangs is at its own line, not at the watchdog's


class Guard(Protocol):
    """What stands around the calls of a search, and notes where it is."""

    def around(self, search: Search) -> contextlib.AbstractContextManager[None]:
        """Return what to search in."""
        ...

    def begin_level(self, search: Search) -> None:
        """Note that a level begins, or goes on."""
        ...

    def is_careful(self, search: Search) -> bool:
        """Tell whether the calls of this unit are to be made one by one."""
        ...

    def begin_call(self, search: Search, call: int) -> Fault | None:
        """Note a call, or MANY, or MAKING; return a fault if it is known that no process survives it."""
        ...

    def begin_invariant(self) -> None:
        """Note that the invariant is asked."""
        ...

    def end_unit(self, search: Search) -> None:
        """Note that a unit of work is done."""
        ...

    def printed(self) -> str:
        """Return what was printed since the last time."""
        ...


class Here:
    """The guard of a search in this process: it catches what is printed, and interrupts calls that do not return."""

    def __init__(self) -> None:
        self.sink = io.StringIO()

    @contextlib.contextmanager
    def around(self, search: Watched) -> Iterator[None]:
        """Catch and interrupt."""
        with contextlib.redirect_stdout(self.sink), contextlib.redirect_stderr(self.sink), Watchdog(search):
            yield

    def begin_level(self, search: object) -> None:
        """Do nothing: all levels are gone through here."""

    def is_careful(self, search: object) -> bool:
        """Return False: no call is known to be deadly."""
        del search
        return False

    def begin_call(self, search: object, call: int) -> None:
        """Forget what was printed before."""
        del search, call
        self.printed()

    def begin_invariant(self) -> None:
        """Do nothing: an invariant that hangs is interrupted like the call."""

    def end_unit(self, search: object) -> None:
        """Do nothing: what was found stays in this process."""

    def printed(self) -> str:
        """Return what was printed since the last time."""
        if not self.sink.tell():
            return ""
        text = self.sink.getvalue()
        self.sink.seek(0)
        self.sink.truncate()
        return text[:MOST_OUTPUT]
