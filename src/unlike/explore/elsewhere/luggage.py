"""What a search has found, as bytes: from the copy of a process that makes the calls to the one that holds the states.

Both began as one process, so they agree on everything but what was found since. Parcels hold that, piece by piece:
what the walker numbered, the new states with parent and call, and the small things (tallies, errors) as they are now.
"""

from __future__ import annotations

import collections
import functools
import importlib
import io
import pickle
import sys
import types
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from unlike import heap
from unlike.explore.api import Operation
from unlike.explore.bench import Tally
from unlike.explore.outcomes import Failure, Outcome, Revealed
from unlike.explore.search import MOST_MET, Search
from unlike.explore.tracing import Invocation

HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class that was made at run time
FIXED = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE: by a module in C
CARRIED = (
    "tallies", "outside", "unsteady", "leaks", "lost", "ties", "calls", "parents", "level", "done", "first", "status",
    "seconds",
)  # fmt: skip


@dataclass(slots=True)
class Sent:
    """How much of a search has been sent."""

    tables: list[heap.Counts]
    states: int = 0
    invocations: int = 0


@dataclass(frozen=True, slots=True)
class Parcel:
    """What was found since the last one."""

    news: list[heap.News]
    states: list[tuple[bytes, int, int]]  # the bytes, the parent, the call
    lengths: array[int]
    classes: list[type]  # of the states, by number in `kinds`
    kinds: array[int]
    roots: array[int]
    captured: dict[int, bytes | None]
    invocations: list[Invocation]
    errors: list[tuple[object, Told]]
    growth: tuple[dict[str, float], dict[str, list[float]]]
    extent: list[heap.Extent]  # how much the walker has numbered
    carried: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Told:
    """An error without its recipe, which is made again where it arrives."""

    operation: str
    failure: Failure
    calls: int
    exception_class: type[BaseException] | None
    times: int
    output: str
    met: list[tuple[tuple[int, ...], int]]


def start(search: Search) -> Sent:
    """Return what needs no sending, because both sides know it."""
    return Sent(heap.export_since(search.walker)[1], len(search.store), len(search.trace.invocations))


def pack(search: Search, sent: Sent) -> bytes:
    """Return what the search has found since, and note that it was sent."""
    search.sum_up()
    news, sent.tables = heap.export_since(search.walker, sent.tables)
    numbers = range(sent.states, len(search.store))
    sent.states = len(search.store)
    kinds: dict[type, int] = {}
    parcel = Parcel(
        news=news,
        states=[(search.store.state(number), *search.store.origin(number)) for number in numbers],
        lengths=search.lengths[numbers.start :],
        kinds=array("I", [kinds.setdefault(cls, len(kinds)) for cls in search.classes[numbers.start :]]),
        classes=list(kinds),
        roots=search.roots[numbers.start :],
        captured={number: search.captured[number] for number in numbers} if search.captured else {},
        invocations=search.trace.invocations[sent.invocations :],
        errors=[(key, _told(error)) for key, error in search.errors.items()],
        growth=(search.growth.now, search.growth.history),
        extent=heap.extent(search.walker),
        carried={name: getattr(search, name) for name in (*CARRIED, *search.carried)},
    )
    sent.invocations = len(search.trace.invocations)
    buffer = io.BytesIO()
    _Pickler(buffer, search).dump(parcel)
    return buffer.getvalue()


def unpack(search: Search, packed: bytes) -> None:
    """Let the search know what its copy has found."""
    parcel: Parcel = _Unpickler(io.BytesIO(packed), search).load()
    heap.import_from(search.walker, parcel.news)
    for invocation in parcel.invocations:
        search.trace.call_number(invocation)
    search.captured.update(parcel.captured)
    rows = zip(parcel.states, parcel.lengths, parcel.kinds, parcel.roots, strict=True)
    for (state, parent, call), length, kind, roots in rows:
        number = search.store.add(state, parent, call)
        search.note_state(number, length, parcel.classes[kind], roots)
    for key, told in parcel.errors:
        _take(search, key, told)
    search.growth.now, search.growth.history = parcel.growth
    for name, value in parcel.carried.items():
        setattr(search, name, value)


# -- from several copies, which found their pieces each on its own ---------------------------------


@dataclass(slots=True)
class Step:
    """How far a copy and this process are in step, though others have sent their pieces, too."""

    theirs: list[heap.Extent]
    ours: list[heap.Extent]
    first: int  # invocations that both know by the same number
    invocations: list[Invocation] = field(default_factory=list)  # and those of the copy beyond them

    @classmethod
    def with_copy(cls, search: Search) -> Step:
        """Return the step of a copy that is made now."""
        extent = heap.extent(search.walker)
        return cls(extent, extent, len(search.trace.invocations))


def empty(search: Search) -> None:
    """Let a copy forget what it has counted, so that the next parcel says what was met since."""
    search.tallies = {operation: Tally() for operation in search.api.operations}
    search.outside = collections.Counter()
    search.unsteady, search.leaks, search.ties, search.lost, search.errors = {}, {}, {}, [], {}
    search.calls = 0


def add(search: Search, packed: bytes, step: Step) -> bool:
    """Let the search know of a piece that a copy found, after all pieces that come before it.

    False, and nothing is taken, where that cannot be done: when copies numbered different things alike, or when it
    cannot be told which calls came to new states.
    """
    parcel: Parcel = _Unpickler(io.BytesIO(packed), search).load()
    step.invocations += parcel.invocations
    tallies: dict[Operation, Tally] = parcel.carried["tallies"]
    calls = [_call(search, step, parent, number) for _, parent, number in parcel.states]
    kinds = zip(parcel.kinds, parcel.roots, strict=True)
    counts = [search.counts(parcel.classes[kind], roots) for kind, roots in kinds]
    fresh = {call: False for call, counted in zip(calls, counts, strict=True) if counted}
    by_operation = collections.Counter(each[0] for each in fresh)
    if any(by_operation[each] != tally.outcomes[Outcome.NEW] for each, tally in tallies.items()):
        return False  # a call revealed an error, too
    if parcel.extent != step.theirs:
        if heap.extent(search.walker) != step.ours:
            return False
        heap.import_from(search.walker, parcel.news)
        step.theirs = step.ours = parcel.extent
    captured = iter(parcel.captured.values())
    rows = zip(parcel.states, calls, counts, parcel.lengths, parcel.kinds, parcel.roots, strict=True)
    for (state, parent, call), key, counted, length, kind, roots in rows:
        whole = next(captured, None)
        if search.store.find(state) < 0:
            number = search.store.add(state, parent, search.trace.call_number(_invocation(search, step, call)))
            search.note_state(number, length, parcel.classes[kind], roots)
            if counted:
                fresh[key] = True
            if search.captured or parcel.captured:
                search.captured[number] = whole
    for (operation, *_), is_new in fresh.items():
        if not is_new:  # another copy was first
            tallies[operation].outcomes[Outcome.NEW] -= 1
            tallies[operation].outcomes[Outcome.KNOWN] += 1
    _count(search, parcel, tallies)
    return True


def _invocation(search: Search, step: Step, number: int) -> Invocation:
    return search.trace.invocations[number] if number < step.first else step.invocations[number - step.first]


def _call(search: Search, step: Step, parent: int, number: int) -> tuple[Any, ...]:
    """Return which call led to a state: all states that a call led to have the same."""
    invocation = _invocation(search, step, number)
    return search.api.templates[invocation.template].operation, parent, invocation.template, invocation.others


def _count(search: Search, parcel: Parcel, tallies: dict[Operation, Tally]) -> None:
    """Add what a copy has counted to what is counted here."""
    for operation, tally in tallies.items():
        own = search.tallies[operation]
        own.outcomes.update(tally.outcomes)
        own.answers |= tally.answers
        own.changes |= tally.changes
    carried = parcel.carried
    search.outside.update(carried["outside"])
    for title, states_differ in carried["unsteady"].items():
        search.unsteady[title] = search.unsteady.get(title, False) or states_differ
    search.leaks = {
        **search.leaks,
        **{place: by for place, by in carried["leaks"].items() if place not in search.leaks},
    }
    search.ties.update(carried["ties"])
    search.lost += carried["lost"]
    search.calls += carried["calls"]
    for key, told in parcel.errors:
        known = search.errors.get(key)
        if known is None:
            _take(search, key, told)
        else:
            known.times += told.times
            known.met += told.met[: MOST_MET - len(known.met)]


def _told(error: Revealed) -> Told:
    cls = None if error.exception_class is None else portable(error.exception_class.__mro__)
    return Told(error.operation, error.failure, error.calls, cls, error.times, error.output, error.met)


def _take(search: Search, key: object, told: Told) -> None:
    known = search.errors.get(key)
    if known is None:
        numbers, call = told.met[0]
        recipe = search.trace.failing(numbers[0] if numbers else -1, Invocation(call, tuple(numbers[1:]), ()))
        known = Revealed(told.operation, told.failure, recipe, told.calls, told.exception_class)
        search.errors[key] = known
    known.times, known.output, known.met = told.times, told.output, told.met


def portable(classes: Iterable[type]) -> type[BaseException]:
    """Return the nearest class that another process can find."""
    for cls in classes:
        try:
            pickle.dumps(cls)
        except Exception:  # defined inside a function
            continue
        return cls
    return BaseException


# -- things that both processes have ---------------------------------------------------------------


class _Pickler(pickle.Pickler):
    """Names what both sides have: operations by number, modules and code by where they stand."""

    def __init__(self, file: io.BytesIO, search: Search) -> None:
        super().__init__(file, -1)
        self.operations = {id(each): number for number, each in enumerate(search.api.operations)}

    def persistent_id(self, obj: Any) -> tuple[Any, ...] | None:
        """Return the name of a thing that is not written out."""
        match obj:
            case Operation():
                return "operation", self.operations[id(obj)]
            case types.ModuleType():
                return "module", obj.__name__
            case type() if made_in_c(obj) and _built_in(obj.__module__, obj.__qualname__) is obj:
                return "type", obj.__module__, obj.__qualname__
            case types.CodeType():
                place = (obj.co_filename, obj.co_qualname, obj.co_firstlineno, hash(obj.co_code))
                if _code(*place) is not obj:
                    raise pickle.PicklingError(f"the code of {obj.co_qualname} cannot be found by its place")
                return "code", *place
        return None


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, search: Search) -> None:
        super().__init__(file)
        self.search = search

    def persistent_load(self, pid: Any) -> Any:
        """Return what the name stands for."""
        match pid:
            case "operation", number:
                return self.search.api.operations[number]
            case "module", name:
                return importlib.import_module(name)
            case "type", module, name:
                return _built_in(module, name)
            case "code", *place:
                return _code(*place)
        raise pickle.UnpicklingError(f"{pid!r} stands for nothing")


def made_in_c(cls: type) -> bool:
    """Tell whether every process has the class; many of them (locks, iterators) are bound nowhere."""
    return cls.__flags__ & (HEAP_TYPE | FIXED) != HEAP_TYPE


@functools.lru_cache(maxsize=256)
def _built_in(module: str, name: str) -> type | None:
    """Return the type in C of that name; many of them (functions, iterators) are bound nowhere."""
    waiting: list[type] = [object]
    for cls in waiting:  # grows while we walk
        if (cls.__module__, cls.__qualname__) == (module, name):
            return cls
        waiting.extend(type.__subclasses__(cls))
    return None


@functools.lru_cache(maxsize=256)
def _code(file: str, qualname: str, line: int, digest: int) -> types.CodeType:
    """Return the code that stands there."""
    for module in list(sys.modules.values()):
        if getattr(module, "__file__", None) == file:
            for code in _codes(vars(module).values()):
                if (code.co_qualname, code.co_firstlineno, hash(code.co_code)) == (qualname, line, digest):
                    return code
    raise pickle.UnpicklingError(f"the code of {qualname} in {file} cannot be found")


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
                waiting.append(value.__code__)
            case type():
                waiting.extend(vars(value).values())
            case classmethod() | staticmethod():
                waiting.append(value.__func__)
            case property():
                waiting.extend(_accessors(value))


def _accessors(value: property) -> Sequence[Any]:
    return [each for each in (value.fget, value.fset, value.fdel) if each is not None]
