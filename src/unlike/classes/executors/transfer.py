"""What a search has found, as bytes: from the process that makes the calls to the one that holds the states.

A copy and its parent began as one process, so they agree on everything but what was found since: what the walker
numbered, the new states with parent and call, and the evidence of the calls.
"""

from __future__ import annotations

import functools
import importlib
import io
import pickle
import sys
import types
from array import array
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from unlike import heap
from unlike.classes.api import Api, Operation
from unlike.classes.evidence import Evidence, Outcome
from unlike.classes.recipes import Invocation
from unlike.classes.run import SearchRun
from unlike.suite import Status

HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class that was made at run time
FIXED = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE: by a module in C


@dataclass(frozen=True, slots=True)
class Place:
    """Where a search stands."""

    level: int
    done: int
    first: int
    parents: int
    growth: tuple[dict[str, float], dict[str, list[float]]]
    policy: Any
    status: Status

    @classmethod
    def of(cls, run: SearchRun) -> Place:
        """Return where the search stands."""
        frontier, growth = run.frontier, run.frontier.growth
        return cls(
            frontier.level,
            frontier.done,
            frontier.first,
            run.caller.parents,
            (growth.now, growth.history),
            run.policy.position,
            run.status,
        )

    def enter(self, run: SearchRun) -> None:
        """Let the search go on from here."""
        frontier, growth = run.frontier, run.frontier.growth
        frontier.level, frontier.done, frontier.first = self.level, self.done, self.first
        run.caller.parents, (growth.now, growth.history) = self.parents, self.growth
        run.policy.position, run.status = self.policy, self.status


@dataclass(frozen=True, slots=True)
class Report:
    """What was found since the last one. Arrays and lists have an entry for each new state."""

    numbered: list[heap.News]  # by the walker
    extent: list[heap.Extent]  # how much it has numbered in all
    states: list[tuple[bytes, int, int]]  # the bytes, the parent (or -1), the call by its place in `calls`
    calls: list[Invocation]
    classes: list[type]
    kinds: array[int]  # the class of the first object, by its place in `classes`
    roots: array[int]  # how many objects
    whole: list[bytes | None]  # what they are made of again; empty where the bytes say all
    uncounted: set[tuple[tuple[int, ...], int]]  # states and call, where the call led to an error, too
    evidence: Evidence
    place: Place


class Reporter:
    """Knows how much of a search has been reported."""

    def __init__(self, run: SearchRun) -> None:
        self.run = run
        self.tables = heap.export_since(run.code.walker)[1]
        self.states = len(run.frontier)

    def report(self) -> bytes:
        """Return what the search has found since the last time."""
        run, frontier = self.run, self.run.frontier
        numbered, self.tables = heap.export_since(run.code.walker, self.tables)
        first, self.states = self.states, len(frontier)
        calls: dict[Invocation, int] = {}
        kinds: dict[type, int] = {}
        states = []
        for number in range(first, self.states):
            parent, call = frontier.store.origin(number)
            invocation = frontier.trace.invocations[call]
            states.append((frontier.key(number), parent, calls.setdefault(invocation, len(calls))))
        evidence = run.caller.hand_on()
        name_exceptions(evidence)
        uncounted, run.caller.uncounted = run.caller.uncounted, set()
        report = Report(
            numbered,
            heap.extent(run.code.walker),
            states,
            list(calls),
            kinds=array("I", [kinds.setdefault(cls, len(kinds)) for cls in frontier.classes[first:]]),
            classes=list(kinds),
            roots=frontier.roots[first:],
            whole=[] if frontier.faithful else [frontier.captured[number] for number in range(first, self.states)],
            uncounted=uncounted,
            evidence=evidence,
            place=Place.of(run),
        )
        return to_bytes(report, run.api)


class FoundState(NamedTuple):
    """A state that a call elsewhere led to."""

    key: bytes
    numbers: tuple[int, ...]  # the states that the call was made on
    invocation: Invocation
    cls: type
    roots: int
    whole: bytes | None


def take_report(run: SearchRun, report: Report) -> None:
    """Let a search know what a copy of its process has found."""
    whole: Iterable[bytes | None] = report.whole or [None] * len(report.states)
    rows = zip(report.states, report.kinds, report.roots, whole, strict=True)
    calls, classes = report.calls, report.classes
    found = (
        FoundState(
            key, (parent, *calls[call].others) if parent >= 0 else (), calls[call], classes[kind], roots, made_of
        )
        for (key, parent, call), kind, roots, made_of in rows
    )
    take_found(run, found, report.uncounted, report.evidence)


def take_found(
    run: SearchRun, found: Iterable[FoundState], uncounted: set[tuple[tuple[int, ...], int]], evidence: Evidence
) -> None:
    """Take what was found elsewhere: a call whose states are all known did not come to a new one, as was thought."""
    frontier, calls = run.frontier, dict[int, int]()
    new: list[FoundState] = []
    known: list[FoundState] = []
    for each in found:
        if frontier.matching and frontier.store.find(each.key) >= 0:
            known.append(each)
            continue
        if (call := calls.get(id(each.invocation))) is None:
            call = calls[id(each.invocation)] = frontier.trace.call_number(each.invocation)
        parent, length = each.numbers[0] if each.numbers else -1, frontier.length_after(each.numbers)
        frontier.enter(each.key, parent, call, length, each.cls, each.roots, each.whole)
        new.append(each)
    counts = frontier.code.is_found_alone
    missed = {(each.numbers, each.invocation.template) for each in known if counts(each.cls, each.roots)} - uncounted
    if missed:  # usually nobody else was first
        missed -= {(each.numbers, each.invocation.template) for each in new if counts(each.cls, each.roots)}
    for _, template in missed:
        outcomes = evidence.tallies[frontier.code.calls[template].template.operation].outcomes
        outcomes[Outcome.NEW] -= 1
        outcomes[Outcome.KNOWN] += 1
    run.evidence.merge(evidence)
    run.caller.calls += evidence.calls
    run.caller.handed_on = run.caller.calls
    run.caller.heard.update(evidence.errors)


def name_exceptions(evidence: Evidence) -> None:
    """Let errors name the nearest class of their exception that another process can find."""
    for error in evidence.errors.values():
        if error.exception_class is not None:
            error.exception_class = next(filter(_travels, error.exception_class.__mro__))


def _travels(cls: type) -> bool:
    try:
        pickle.dumps(cls)
    except Exception:  # defined inside a function
        return False
    return True


# -- things that both processes have ---------------------------------------------------------------


def to_bytes(thing: object, api: Api) -> bytes:
    """Return a thing as bytes; what both processes have is named."""
    buffer = io.BytesIO()
    _NamingPickler(buffer, api).dump(thing)
    return buffer.getvalue()


def from_bytes(packed: bytes, api: Api) -> Any:
    """Return the thing."""
    return _NamedUnpickler(io.BytesIO(packed), api).load()


class _NamingPickler(pickle.Pickler):
    """Names what both sides have: operations by number, modules and code by where they stand."""

    def __init__(self, file: io.BytesIO, api: Api) -> None:
        super().__init__(file, -1)
        self.operations = {id(each): number for number, each in enumerate(api.operations)}

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


class _NamedUnpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, api: Api) -> None:
        super().__init__(file)
        self.api = api

    def persistent_load(self, pid: Any) -> Any:
        """Return what the name stands for."""
        match pid:
            case "operation", number:
                return self.api.operations[number]
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
