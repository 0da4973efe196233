"""What a search in a copy says: where it is, and what it has found, as bytes, to the process that holds the states.

A copy and its parent began as one process, so they agree on everything but what was found since: what the walker
numbered, the new states with parent and call, and the evidence of the calls.
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import io
import os
import pickle
import sys
import threading
import time
import types
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from unlike.classes.api import Api, Operation
from unlike.classes.caller import ObjectCaller
from unlike.classes.evidence import Evidence, Fault, Outcome
from unlike.classes.recipes import Invocation
from unlike.classes.refusals import is_own_code
from unlike.classes.run import SearchRun
from unlike.classes.workbench import MAKING, MANY, Marks
from unlike.core import CutShort
from unlike.heap.numbered_names import Extent, News, export_since, extent
from unlike.isolation import Death
from unlike.isolation.copy import COUNTS, PLACE, STOP, cells, mark, send
from unlike.isolation.output import streams_are_ours, take_output
from unlike.isolation.state import process_state, restore_process
from unlike.progress import Progress
from unlike.suite import Status

HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class that was made at run time
FIXED = 1 << 8  # Py_TPFLAGS_IMMUTABLETYPE: by a module in C
EVERY = 0.1  # seconds between two reports, at least
LONGEST = 2.0  # seconds between two reports, at most: the last one is made when the time is used up
SHARE = 8  # the time to make a report is one in so many parts of the whole, if the report stays small
TIDY = 16  # units after which the process is tidied up: counted, since calls may see what is untidy
MOST_THREADS = 4  # left running by the code under test, before the copy is replaced


@dataclass(frozen=True, slots=True)
class Report:
    """What was found since the last one."""

    numbered: list[News]  # by the walker
    extent: list[Extent]  # how much it has numbered in all
    states: bytes  # pickled rows: bytes, parent (or -1), number of call and class, how many objects, made of what
    calls: list[Invocation]
    classes: list[type]
    uncounted: set[tuple[tuple[int, ...], int]]  # states and call, where the call led to an error, too
    evidence: Evidence
    place: tuple[Any, ...]  # where the search stands


def place_of(run: SearchRun) -> tuple[Any, ...]:
    """Return where the search stands: level, unit and so on."""
    frontier, growth = run.frontier, run.frontier.growth
    counted = frontier.level, frontier.done, frontier.first, run.caller.parents
    return *counted, growth.now, growth.history, run.policy.position, run.status


def enter_place(run: SearchRun, place: tuple[Any, ...]) -> None:
    """Let the search go on from there."""
    frontier, growth = run.frontier, run.frontier.growth
    frontier.level, frontier.done, frontier.first, run.caller.parents, *rest = place
    growth.now, growth.history, run.policy.position, run.status = rest


class Reporter:
    """Knows how much of a search has been reported."""

    def __init__(self, run: SearchRun) -> None:
        self.run = run
        self.tables = export_since(run.code.walker)[1]
        self.states = len(run.frontier)

    def report(self) -> bytes:
        """Return what the search has found since the last time."""
        run, frontier = self.run, self.run.frontier
        numbered, self.tables = export_since(run.code.walker, self.tables)
        first, self.states = self.states, len(frontier)
        calls, classes = dict[Invocation, int](), dict[type, int]()
        rows = []
        for number in range(first, self.states):
            parent, call = frontier.store.origin(number)
            call = calls.setdefault(frontier.trace.invocations[call], len(calls))
            kind = classes.setdefault(frontier.classes[number], len(classes))
            whole = None if frontier.faithful else frontier.captured[number]
            rows.append((frontier.key(number), parent, call, kind, frontier.roots[number], whole))
        states = pickle.dumps(rows, -1)  # apart, since whatever is inside the report is asked whether it has a name
        evidence = run.caller.hand_on()
        name_exceptions(evidence)
        uncounted, run.caller.uncounted = run.caller.uncounted, set()
        found = states, list(calls), list(classes), uncounted, evidence, place_of(run)
        return to_bytes(Report(numbered, extent(run.code.walker), *found), run.api)


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
    found = (
        FoundState(key, (parent, *call.others) if parent >= 0 else (), call, report.classes[kind], roots, whole)
        for key, parent, number, kind, roots, whole in pickle.loads(report.states)
        for call in [report.calls[number]]
    )
    take_found(run, found, report.uncounted, report.evidence)


def take_found(
    run: SearchRun, found: Iterable[FoundState], uncounted: set[tuple[tuple[int, ...], int]], evidence: Evidence
) -> None:
    """Take what was found elsewhere: a call whose states are all known did not come to a new one, as was thought."""
    frontier, calls = run.frontier, dict[int, int]()
    find = frontier.store.find if frontier.matching else lambda _: -1
    new: list[FoundState] = []
    known: list[FoundState] = []
    for each in found:
        key, numbers, invocation, cls, roots, whole = each
        if find(key) >= 0:
            known.append(each)
            continue
        if (call := calls.get(id(invocation))) is None:
            call = calls[id(invocation)] = frontier.trace.call_number(invocation)
        length = frontier.length_after(numbers)
        frontier.enter(key, numbers[0] if numbers else -1, call, length, cls, roots, whole)
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
        name, *place = pid
        if name == "operation":
            return self.api.operations[place[0]]
        find: dict[str, Callable[..., Any]] = {"module": importlib.import_module, "type": _built_in, "code": _code}
        return find[name](*place)


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
                waiting.extend((value.fget, value.fset, value.fdel))


class CannotTravelError(Exception):
    """What was found cannot be sent to another process; the message says what."""


class Wide(Exception):  # noqa: N818  # news, not an error
    """So many units that several copies are to share them."""


class Again(Exception):  # noqa: N818  # news, not an error
    """The copy is worn out: another one is to go on."""


@dataclass(slots=True)
class Faults:
    """What is known of calls that no process survived, so that the next copy does better."""

    deadly: dict[tuple[int, int, int], Fault] = field(default_factory=dict)  # by level, unit and call
    careful: set[tuple[int, int]] = field(default_factory=set)  # units whose calls are to be made one by one
    innocent: int = 0  # units that were late as a whole, while no call of theirs was; after two, all are careful

    def note(self, death: Death) -> bool:
        """Enter the call that was deadly; where it was one of many, they are to be made one by one.

        A copy that dies though that call is not made any more dies of the object itself (of its `__del__`, say), which
        then is not made either. False where that does not help.
        """
        level, unit, call, in_invariant = death.at
        if call == MANY:
            self.innocent += (level, unit) in self.careful or death.cause.startswith("took")
            self.careful.add((level, unit))
            return True
        for known in ((level, unit, call), (level, unit, MAKING)):
            if known not in self.deadly:
                self.deadly[known] = Fault(death.cause, death.output, death.place, bool(in_invariant))
                return True
        return False


@dataclass(frozen=True, slots=True)
class Last:
    """Where a search is to end that was given up, and with which status."""

    unit: tuple[int, int]
    status: Status


class CopyMarks(Marks):
    """The marks of a search in a copy."""

    def __init__(
        self, run: SearchRun, faults: Faults, *, last: Last | None = None, shared: Callable[[], int] = lambda: 0
    ) -> None:
        super().__init__()
        self.run, self.frontier, self.reporter = run, run.frontier, Reporter(run)
        self.faults, self.last = faults, last
        self.shared = shared  # how many units of the level several copies are to share, if any
        self.forked = False  # the code under test made copies itself
        self.look_at = self.report_at = 0.0

    @contextlib.contextmanager
    def around(self, caller: ObjectCaller) -> Iterator[None]:
        """Remember what is to be put back after calls."""
        del caller
        self.threads, self.before = threading.active_count(), process_state()
        os.register_at_fork(after_in_parent=self.note_fork, after_in_child=_end_after_call)
        self.report_at = time.monotonic() + EVERY
        yield

    def note_fork(self) -> None:
        """From now on calls are made one by one: a copy of this copy ends after the call that made it."""
        self.forked = True

    def begin_level(self) -> None:
        """Stop where several copies are to go on together."""
        if units := self.shared():
            raise Wide(units)

    def is_careful(self) -> bool:
        """Tell whether the calls of this unit are to be made one by one."""
        if (self.frontier.level, self.frontier.done) in self.faults.careful:
            self.send()  # so that the next death costs this unit alone
            return True
        return self.faults.innocent > 1 or self.forked

    def begin_call(self, call: int) -> Fault | None:
        """Say which call it is; return what is known of it if it is deadly."""
        level, unit = self.frontier.level, self.frontier.done
        mark(level, unit, call, 0)
        if self.last is not None and (level, unit) >= self.last.unit:
            raise CutShort(self.last.status)
        if call != MANY:
            take_output()
        deadly = self.faults.deadly
        return deadly.get((level, unit, call)) if deadly else None

    def begin_invariant(self) -> None:
        """Say that the call returned and the invariant is asked."""
        cells()[PLACE + 3] = 1
        mark()

    def end_unit(self, *, at_once: bool) -> None:
        """Stop if that is asked for; tidy up, tell and send what is due."""
        mark()
        now = time.monotonic()
        if not streams_are_ours():
            take_output()  # which opens them again
        if not at_once or not self.frontier.done % TIDY:
            self.tidy_up()
        if now < self.look_at and at_once:
            return
        shared = cells()
        if now >= self.look_at:
            self.look_at = now + 0.05
            take_output()  # nobody asks for it any more
            shared[COUNTS : COUNTS + 5] = _cells(self.run.caller.progress(0))
        if shared[STOP]:
            raise KeyboardInterrupt
        worn = threading.active_count() > self.threads + MOST_THREADS
        if now >= self.report_at or worn:
            self.send()
            done = time.monotonic()
            self.report_at = done + min(max(EVERY, (done - now) * SHARE), LONGEST)
        if worn:
            raise Again

    def tidy_up(self) -> None:
        """Put back what the code under test may have changed in its process."""
        restore_process(self.before)
        if self.forked:
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass

    def send(self) -> None:
        """Send what was found since the last time."""
        try:
            packed = self.reporter.report()
        except MemoryError:
            raise
        except Exception as error:  # whatever an object of somebody else's does when it is pickled
            raise CannotTravelError(f"{type(error).__name__}: {error}") from None
        send(packed)

    def take_printed(self) -> str:
        """Return what was printed since the last time."""
        return take_output()


def _end_after_call() -> None:
    """Let a copy of this copy, which the code under test makes just now, end where the call returns that made it."""
    frame, outermost = sys._getframe().f_back, None
    while frame is not None and not is_own_code(frame.f_code):
        frame, outermost = frame.f_back, frame
    if outermost is not None:
        sys.setprofile(lambda frame, event, _: os._exit(0) if event == "return" and frame is outermost else None)


def _cells(progress: Progress) -> memoryview:
    values = (progress.done, *progress.more.values())
    return memoryview(b"".join(each.to_bytes(8, "little", signed=True) for each in values)).cast("q")
