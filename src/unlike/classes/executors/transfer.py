"""What a search in a copy says: where it is, and what it has found, as bytes, to the process that holds the states.

A copy and its parent began as one process, so they agree on everything but what was found since: what the walker
numbered, the new states with parent and call, and the evidence of the calls. All of it crosses as data
(`isolation.wire`); states and calls are many, so each of their columns is one row of numbers.
"""

from __future__ import annotations

import array
import contextlib
import itertools
import os
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from unlike.classes.caller import ObjectCaller
from unlike.classes.evidence import Evidence, Fault, Outcome
from unlike.classes.recipes import Invocation
from unlike.classes.refusals import is_own_code
from unlike.classes.run import SearchRun
from unlike.classes.workbench import MAKING, MANY, Marks
from unlike.core import CutShort
from unlike.foreign import bases_of, text_of
from unlike.heap.numbered_names import Extent, News, export_since, extent, refuse_to_number
from unlike.isolation import Death
from unlike.isolation.copy import COUNTS, PLACE, STOP, cells, mark, send
from unlike.isolation.limits import end_children
from unlike.isolation.output import streams_are_ours, take_output
from unlike.isolation.state import process_state, restore_process
from unlike.isolation.wire import CannotPackError, NonsenseError, pack
from unlike.progress import Progress
from unlike.shared_names import put_modules_back, remember_theirs
from unlike.suite import Status

EVERY = 0.1  # seconds between two reports, at least
LONGEST = 2.0  # seconds between two reports, at most: the last one is made when the time is used up
SHARE = 8  # the time to make a report is one in so many parts of the whole, if the report stays small
TIDY = 16  # units after which the process is tidied up: counted, since calls may see what is untidy
MOMENT = 0.2  # seconds for a thread that a call left running, where calls are made one by one
MOST_MOMENTS = 20  # for one copy
MOST_THREADS = 4  # left running by the code under test, before the copy is replaced


@dataclass(frozen=True, slots=True)
class FoundRows:
    """States in columns: what each is by, parent (or -1), number of call and class, how many objects, made of what."""

    keys: bytes
    wholes: bytes
    numbers: (
        bytes  # six columns, one after the other: lengths of keys, parents, calls, classes, objects, lengths of wholes
    )


Row = tuple[bytes, int, int, int, int, bytes | None]


def write_rows(rows: Sequence[Row]) -> FoundRows:
    """Return rows of states as columns; no whole has the length -1."""
    if not rows:
        return FoundRows(b"", b"", b"")
    keys, parents, calls, kinds, roots, wholes = zip(*rows, strict=True)
    sizes = [-1 if each is None else len(each) for each in wholes]
    columns = array.array("q", itertools.chain(map(len, keys), parents, calls, kinds, roots, sizes))
    return FoundRows(b"".join(keys), b"".join(filter(None, wholes)), columns.tobytes())


def read_rows(found: FoundRows) -> Iterator[Row]:
    """Return the rows again."""
    numbers = array.array("q")
    numbers.frombytes(found.numbers)
    count, rest = divmod(len(numbers), 6)
    lengths, parents, calls, kinds, roots, sizes = (numbers[n * count : (n + 1) * count] for n in range(6))
    used = sum(each for each in sizes if each >= 0)
    if rest or sum(lengths) != len(found.keys) or used != len(found.wholes) or min(lengths, default=1) < 1:
        raise NonsenseError("rows of states do not fit together")
    return zip(_cut(found.keys, lengths), parents, calls, kinds, roots, _cut(found.wholes, sizes), strict=True)


def _cut(joined: bytes, lengths: Iterable[int]) -> Iterator[Any]:
    first = 0
    for length in lengths:
        if length < 0:
            yield None
        else:
            yield joined[first : first + length]
            first += length


def write_calls(calls: Iterable[Invocation]) -> bytes:
    """Return calls as numbers: of each its template, how many others and these, how many roles and these."""
    numbers = array.array("q")
    for template, others, roles in calls:
        numbers.extend((template, len(others), *others, len(roles), *itertools.chain.from_iterable(roles)))
    return numbers.tobytes()


def read_calls(written: bytes) -> list[Invocation]:
    """Return the calls again."""
    numbers = array.array("q")
    numbers.frombytes(written)
    rest, calls = iter(numbers.tolist()), list[Invocation]()
    for template in rest:
        others = tuple(itertools.islice(rest, next(rest)))
        roles = tuple([(next(rest), next(rest)) for _ in range(next(rest))])
        calls.append(Invocation(template, others, roles))
    return calls


@dataclass(frozen=True, slots=True)
class Report:
    """What was found since the last one."""

    numbered: list[News]  # by the walker
    extent: list[Extent]  # how much it has numbered in all
    states: FoundRows
    calls: bytes  # of Invocations, see `write_calls`
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

    def report(self) -> Report:
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
        evidence = run.caller.hand_on()
        name_exceptions(evidence)
        uncounted, run.caller.uncounted = run.caller.uncounted, set()
        found = write_rows(rows), write_calls(calls), list(classes), uncounted, evidence, place_of(run)
        return Report(numbered, extent(run.code.walker), *found)


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
    calls = read_calls(report.calls)
    found = [
        FoundState(key, (parent, *call.others) if parent >= 0 else (), call, report.classes[kind], roots, whole)
        for key, parent, number, kind, roots, whole in read_rows(report.states)
        for call in [calls[number]]
    ]
    for place, each in enumerate(found, start=len(run.frontier)):
        if not _can_be(each, place, len(run.code.calls)):
            raise NonsenseError("a state that comes from nowhere")
    check_evidence(report.evidence, len(run.frontier) + len(found), len(run.code.calls))
    take_found(run, found, report.uncounted, report.evidence)


def check_evidence(evidence: Evidence, states: int, calls: int) -> None:
    """Refuse evidence of calls that there are not, or on states that there are not."""
    for error in evidence.errors.values():
        for numbers, call, *_ in error.met:
            if not 0 <= call < calls or not all(0 <= number < states for number in numbers):
                raise NonsenseError("an error that comes from nowhere")
    for tally in evidence.tallies.values():
        if not all(isinstance(each, Outcome) for each in tally.outcomes):
            raise NonsenseError("calls that came to nothing that there is")


def _can_be(found: FoundState, place: int, calls: int) -> bool:
    """Tell whether a state that gets this number, at most, may have been found."""
    comes_from = all(0 <= number < place for number in found.numbers)
    return (
        comes_from
        and 0 <= found.invocation.template < calls
        and 0 < found.roots < 256
        and issubclass(found.cls, object)
    )


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
            error.exception_class = next(filter(_travels, bases_of(error.exception_class)))


def _travels(cls: type) -> bool:
    return not why_left_behind(cls)


PLAIN_KINDS = (int, str, float, bytes, bool, type(None))


def why_left_behind(thing: object) -> str:
    """Return why a class or a value stays in the process that has it, or nothing if it crosses to another one."""
    if type(thing) in PLAIN_KINDS:
        return ""
    try:
        pack(thing)
    except Exception as error:  # it was made by a call, or something of somebody else's refuses
        return f"no other process has it: {text_of(error)}; --in-process explores it here"
    return ""


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

    def is_careful(self, level: int, unit: int) -> bool:
        """Tell whether the calls of a unit are to be made one by one."""
        return self.innocent > 1 or (level, unit) in self.careful

    def note(self, death: Death) -> bool:
        """Enter the call that was deadly; where it was one of many, they are to be made one by one.

        A copy that dies though that call is not made any more dies of the object itself (of its `__del__`, say), which
        then is not made either. False where that does not help.
        """
        level, unit, call, in_invariant = death.at
        is_late = death.cause.startswith("took")
        if call == MANY:
            self.innocent += (level, unit) in self.careful or is_late
            self.careful.add((level, unit))
            return True
        if not is_late and (level, unit) not in self.careful:  # perhaps what an earlier call left running ended it
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
        self.patience = MOST_MOMENTS
        self.look_at = self.report_at = 0.0

    @contextlib.contextmanager
    def around(self, caller: ObjectCaller) -> Iterator[None]:
        """Remember what is to be put back after calls."""
        refuse_to_number(why_left_behind)
        remember_theirs(caller.code.watch.modules)
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
        careful = call != MANY and self.faults.is_careful(level, unit)
        if careful:
            self.wait_for_threads()
        mark(level, unit, call, 0)
        if self.last is not None and (level, unit) >= self.last.unit:
            raise CutShort(self.last.status)
        if call != MANY:
            put_modules_back()
            take_output()
            if careful:
                self.tidy_up()  # what the call before left running must not end this one
        deadly = self.faults.deadly
        return deadly.get((level, unit, call)) if deadly else None

    def wait_for_threads(self) -> None:
        """Give a thread that the last call left a moment: if it ends the process, that was the doing of this call."""
        put_modules_back()
        if self.patience and threading.active_count() > self.threads:
            self.patience -= 1
            until = time.monotonic() + MOMENT
            while threading.active_count() > self.threads and time.monotonic() < until:
                time.sleep(MOMENT / 20)
            mark()

    def begin_invariant(self) -> None:
        """Say that the call returned and the invariant is asked."""
        cells()[PLACE + 3] = 1
        mark()

    def end_unit(self, *, at_once: bool) -> None:
        """Stop if that is asked for; tidy up, tell and send what is due."""
        if self.faults.is_careful(self.frontier.level, self.frontier.done - 1):
            self.wait_for_threads()
        put_modules_back()
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
        end_children()

    def send(self) -> None:
        """Send what was found since the last time."""
        try:
            send(self.reporter.report())
        except CannotPackError as error:
            raise CannotTravelError(str(error)) from None

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
