"""A piece of work in a forked copy of this process: whatever it does there, nothing reaches us but what it sends.

The copy starts at once and knows everything this process knows, so the work may be any function; only what it sends
has to cross (`wire`). It writes where it is into shared memory (`mark`); when it dies, or stays at one mark for too
long, the parent knows where. What it prints goes to a file that nobody else sees.

The shared memory is a row of numbers, eight bytes each, and this is its layout:

    MARKS   0        how many marks were made: whoever is at one of them for too long is late
    PLACE   1 .. 4   where the work is, NOWHERE first if in no step of it; a death is reported with these four
                     each_in_copies: number of the item; its work may use the rest (writers: number, question)
                     generate:       number of the call of the user's code
                     invariants:     step of the search
                     explore:        level, unit, call, 1 while the invariant is asked
    STOP    5        1: the parent asks the copy to stop, 2: it has stopped, and sends what it found
    COUNTS  6 .. 10  how far it is, to be shown meanwhile
                     generate:       inputs found
                     explore:        states, level, frontier, calls, errors
    PID     11       the number of the copy's process, once it has one
    STATUS  12       how that ended, as `waitpid` says it, and one
"""

from __future__ import annotations

import contextlib
import functools
import importlib
import mmap
import os
import selectors
import signal
import sys
import tempfile
import time
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Self

from unlike.core import FOREVER, NO_LIMITS, Deadline, Isolation
from unlike.errors import UnlikeError
from unlike.foreign import tidied_by
from unlike.isolation import scratch
from unlike.isolation.both_have import begin_copy
from unlike.isolation.channel import Channel
from unlike.isolation.keeper import keep_copy
from unlike.isolation.limits import (
    die_interrupted,
    die_with_parent,
    end_descendants,
    limit_process,
    waits_forever,
)
from unlike.isolation.output import ask_for_trace, place_in, read_start, redirect_output, take_output, write_traces
from unlike.isolation.verdicts import ENDLESS, Answer, Death, Raised, Verdict, describe_error, describe_exit
from unlike.isolation.wire import Frames, NonsenseError, make_frames, pack, unpack
from unlike.shared_names import load_native, put_modules_back, put_names_back, remember_names

MARKS, PLACE, STOP, COUNTS, PID, STATUS, END = 0, 1, 5, 6, 11, 12, 13
NOWHERE = -1  # no call is being made
ASKED, STOPPED = 1, 2  # in the cell STOP
SENT, DONE, FAILED = b"s", b"d", b"f"  # kinds of frames
NONSENSE = "sent nonsense"
INSTALL_AGAIN = "if unlike was changed or updated, install it again, which builds its compiled part anew"
LONGEST_WAIT = 0.05  # seconds that a verdict may wait for others to be sent with
NO_CONTEXT = contextlib.nullcontext()
STILL = 0.2  # seconds at one mark after which a copy is asked whether it waits for ever
BEGINNINGS = 2_000  # milliseconds that a keeper may take to start the copy
_getpid, _exit = os.getpid, os._exit  # code under test may replace them


def can_fork() -> bool:
    """Tell whether this platform can copy a process."""
    return hasattr(os, "fork")


def runs_here(isolation: Isolation) -> bool:
    """Tell whether foreign code is to run in this process: by wish, in a copy, and where none can be made."""
    return isolation.is_here or is_in_copy() or not can_fork()


# -- in the copy -----------------------------------------------------------------------------------


class _Inside:
    """What the copy knows of itself."""

    def __init__(self, channel: Channel, cells: memoryview, known: Sequence[object], key: int) -> None:
        self.channel, self.cells, self.known, self.key, self.own = channel, cells, known, key, _getpid()

    def write(self, kind: bytes, payload: bytes) -> None:
        """Write one message; a copy of the copy, made by the code under test, ends here."""
        if _getpid() != self.own:
            _exit(0)
        self.channel.write(make_frames(kind, payload, self.key))


_inside: _Inside | None = None


def is_in_copy() -> bool:
    """Tell whether this process is such a copy."""
    return _inside is not None


def mark(*place: int) -> None:
    """Say where the work is: the clock starts anew, and a death is reported with these numbers.

    Costs little, and nothing happens outside a copy. A copy of the copy, made by the code under test, ends here.
    """
    if _inside is None:
        return
    if _getpid() != _inside.own:
        _exit(0)
    cells = _inside.cells
    for index, number in enumerate(place, start=PLACE):
        cells[index] = number
    cells[MARKS] += 1


def go_on_in_fork() -> None:
    """Let this process, which a copy of ours made of itself, mark and work like it; others end at their next mark."""
    assert _inside is not None, "only a copy makes such processes"
    _inside.own = _getpid()


def cells() -> memoryview:
    """Return the numbers that this copy shares with its parent."""
    assert _inside is not None, "only a copy shares"
    return _inside.cells


def send(value: object) -> None:
    """Send a value to the parent, which gets it while the work goes on."""
    assert _inside is not None, "only a copy can send"
    put_modules_back()
    _inside.write(SENT, pack(value, _inside.known))


def _finish(inside: _Inside, work: Callable[[], object]) -> None:
    try:
        kind, payload = DONE, pack(work(), inside.known)
    except BaseException as error:  # the code under test may raise anything
        kind, payload = FAILED, describe_error(error).encode(errors="replace")
    put_modules_back()
    if _getpid() == inside.own:
        end_descendants(inside.own)
    inside.write(kind, payload)


def _quiet_signals() -> None:
    """Forget the handlers of the parent; Ctrl-C is the parent's business."""
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGTERM, signal.SIGALRM, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)


# -- in the parent ---------------------------------------------------------------------------------


class Copy:
    """One copy, from the outside. Iterate `listen()`; afterwards `verdict` says how it ended.

    The isolation bounds the time between two marks, and the memory beyond what this process has now; with `in_steps`
    the clock runs only while the copy is at some step. Objects `known` to both stay themselves when they are sent. With
    `in_scratch` its working directory is an empty one.
    """

    def __init__(
        self,
        work: Callable[[], object],
        isolation: Isolation = NO_LIMITS,
        *,
        known: Sequence[object] = (),
        in_steps: bool = False,
        in_scratch: bool = False,
    ) -> None:
        self.isolation, self.known, self.in_steps = isolation, known, in_steps
        self.seconds = isolation.seconds_per_call
        self.verdict: Verdict | None = None
        self.cells = memoryview(mmap.mmap(-1, END * 8)).cast("q")
        if in_steps:
            self.cells[PLACE] = NOWHERE  # until the first step: to begin may take longer than a step
        self.scratch = scratch.new_scratch() if in_scratch else None
        self.printed = tempfile.TemporaryFile()  # noqa: SIM115  # ends with the context
        self.traces = tempfile.TemporaryFile()  # noqa: SIM115
        fcntl: Any = importlib.import_module("fcntl")  # not on every platform, but on those that fork
        fcntl.fcntl(self.printed.fileno(), fcntl.F_SETFL, os.O_APPEND)  # to the end, also after it was emptied
        self.frames = Frames(int.from_bytes(os.urandom(4)))  # nobody but this copy makes frames with this key
        self.seen, self.since = 0, time.monotonic()
        self.status: int | None = None
        self.is_closed = False
        self.channel = Channel()
        with contextlib.suppress(ImportError):
            importlib.import_module("ctypes")  # here, once, rather than in every copy
        load_native()
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):  # closed, or replaced by something odd
                stream.flush()
        parent = os.getpid()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # other threads do not come along, and need not
            self.keeper = os.fork()
        if not self.keeper:
            keep_copy(functools.partial(self._serve, work, parent), self.cells[PID:END], parent)
        self.end = _watch_end(self.keeper)

    @property
    def pid(self) -> int:
        """The number of the copy's process; its keeper has just started it."""
        for _ in range(BEGINNINGS):
            if self.cells[PID] or os.waitid(os.P_PID, self.keeper, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None:
                break
            time.sleep(0.001)
        return self.cells[PID]

    def _serve(self, work: Callable[[], object], parent: int) -> None:
        """Do the work in the copy, send what came of it, and end without a trace."""
        try:
            self.channel.enter_copy()
            try:
                inside = self._enter_copy(parent)
            except (
                BaseException
            ) as error:  # said to the parent: without a word it would be a copy that left for no reason
                self._refuse(error)
            else:
                _finish(inside, work)
        finally:
            os._exit(0)

    def _enter_copy(self, parent: int) -> _Inside:
        """Make this process one in which foreign code may run."""
        global _inside
        os.setsid()  # a group of its own, so that the parent can end all of it
        die_with_parent(os.getppid())
        _quiet_signals()
        write_traces(self.traces.fileno())
        redirect_output(self.printed.fileno(), parent)
        _inside = _Inside(self.channel, self.cells, self.known, self.frames.key)
        if self.scratch is not None:
            scratch.enter_scratch(self.scratch.name)
        limit_process(self.isolation)
        begin_copy()
        remember_names()
        tidied_by(put_names_back)
        return _inside

    def _refuse(self, error: BaseException) -> None:
        """Say why no foreign code can run in this copy."""
        words = f"a process for foreign code could not be made ready: {describe_error(error)}; {INSTALL_AGAIN}"
        self.channel.write(make_frames(FAILED, words.encode(errors="replace"), self.frames.key))

    def listen(self, tick: Callable[[], object] | None = None) -> Iterator[Any]:
        """Yield what the copy sends until it ends. `tick` is called now and then, and may raise to give up."""
        pause = 0.05 if self.seconds is None else min(max(self.seconds / 5, 0.01), 0.05)
        with selectors.DefaultSelector() as selector:
            for each in self.heard_at():
                selector.register(each, selectors.EVENT_READ)
            while self.verdict is None:
                yield from self.news(heard=bool(selector.select(pause)))
                if tick is not None:
                    tick()
        self.close()

    def heard_at(self) -> list[int]:
        """Return the descriptors at which a copy is heard: that of its channel, and one that tells of its end."""
        return [self.channel.reading, *([] if self.end < 0 else [self.end])]

    def news(self, *, heard: bool) -> list[Any]:
        """Return what the copy has sent, if it was heard; see whether it has ended, died or is late."""
        if heard:
            self._read()
        sent = []
        try:
            for kind, payload in self.frames.messages():
                if kind == SENT:
                    sent.append(unpack(payload, self.known))
                elif kind == DONE:
                    self.verdict = Answer(None, unpack(payload, self.known), self._output())
                else:
                    self.verdict = Raised(None, payload.decode(errors="replace"), self._output())
        except NonsenseError as error:
            self.lose(str(error))
        if self.verdict is None:
            self._look()
        return sent

    def lose(self, why: str) -> None:
        """Give the copy up: what it sent is nothing that a copy of ours sends."""
        self.verdict = self._death(f"{NONSENSE} ({why})", self._place())

    def _read(self) -> bool:
        """Take what has come; tell whether anything has."""
        data = self.channel.read(1 << 20)
        self.frames.buffer += data
        return bool(data)

    def _look(self) -> None:
        """See whether the copy died or is late."""
        if self.status is None:
            pid, status = os.waitpid(self.keeper, os.WNOHANG)
            self.status = self._status(status) if pid else None
        if self.status is not None:
            if not self._read():  # else something came before the end
                self.verdict = self._death(describe_exit(os.waitstatus_to_exitcode(self.status)), self._place())
        elif self.is_late(place := self._place()):
            ask_for_trace(self.pid, self.traces.fileno())
            self.verdict = self._death(f"took more than {self.seconds:g} s", place, by_chance=True)
        elif self.seconds is not None and time.monotonic() - self.since > STILL and waits_forever(self.pid):
            ask_for_trace(self.pid, self.traces.fileno())
            self.verdict = self._death(ENDLESS, place, by_chance=True)

    def _status(self, of_keeper: int) -> int:
        """Return how the copy ended, which its keeper has noted, or how that ended."""
        return self.cells[STATUS] - 1 if self.cells[STATUS] else of_keeper

    def _place(self) -> tuple[int, ...]:
        return tuple(self.cells[PLACE:STOP])

    def is_late(self, place: tuple[int, ...]) -> bool:
        """Tell whether the copy has been at one mark for too long, at this place: it may leave it any moment."""
        now = time.monotonic()
        if self.cells[MARKS] != self.seen or (self.in_steps and place[0] == NOWHERE):
            self.seen, self.since = self.cells[MARKS], now
        return self.seconds is not None and now - self.since > self.seconds

    def _death(self, cause: str, at: tuple[int, ...], *, by_chance: bool = False) -> Death:
        self.close()
        return Death(None, cause, self._output(), at, place_in(read_start(self.traces.fileno()), by_chance=by_chance))

    def _output(self) -> str:
        return read_start(self.printed.fileno())

    def close(self) -> None:
        """End the copy and all that it started."""
        if self.is_closed:
            return
        self.is_closed = True
        if self.status is None and (pid := self.pid):
            for end in (os.killpg, os.kill):
                with contextlib.suppress(OSError):
                    end(pid, signal.SIGKILL)
        if self.status is None:
            with contextlib.suppress(ChildProcessError):
                self.status = self._status(os.waitpid(self.keeper, 0)[1])
        self.channel.close()
        if self.end >= 0:
            os.close(self.end)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self.printed.close()
        self.traces.close()
        if self.scratch is not None:
            self.scratch.cleanup()


def _watch_end(pid: int) -> int:
    """Return a descriptor that can be read once the process has ended, or -1 where the system has none."""
    try:
        return os.pidfd_open(pid)
    except (AttributeError, OSError):
        return -1


def call_in_copy(
    call: Callable[[], object],
    isolation: Isolation = NO_LIMITS,
    *,
    told: Callable[[Any], object] | None = None,
    in_scratch: bool = False,
) -> Verdict:
    """Call the function in a copy of this process, and say what became of it: Answer, Raised or Death.

    Its seconds bound the time between two `mark()`s of the call (or the whole call, if it makes none). What it returns
    has to cross; `told` gets what it sends on the way. In a process that is such a copy already, and where no process
    can be copied, it is called here.
    """
    if is_in_copy() or not can_fork():
        with scratch.KeptScratch() as kept:
            return _call_here(call, kept if in_scratch else None)
    with Copy(call, isolation, in_scratch=in_scratch) as copy:
        for news in copy.listen():
            if told is not None:
                told(news)
        assert copy.verdict is not None
        return copy.verdict


def each_in_copies(
    work: Callable[[int], object],
    count: int,
    isolation: Isolation = NO_LIMITS,
    deadline: Deadline = FOREVER,
    *,
    in_scratch: bool = False,
    at_once: int = 1,
) -> Iterator[Verdict]:
    """Yield what became of `work(0)`, `work(1)` …, done in a copy of this process, one after the other.

    A number that ends the copy costs a new copy, which goes on after it; where `at_once` so many verdicts come in one
    message, those that were not sent yet are first made again one by one. The isolation bounds each, or says that all
    is done in this process. At the deadline it is cut short.
    """
    if runs_here(isolation):
        with scratch.KeptScratch() as kept:
            for number in deadline.each(range(count)):
                yield _call_here(functools.partial(work, number), kept if in_scratch else None)
        return
    begin, size = 0, at_once
    while begin < count:
        send_each = functools.partial(_send_each, work, begin, count, size)
        with Copy(send_each, isolation, in_scratch=in_scratch) as copy:
            for sent in copy.listen(deadline.check):
                if not _are_verdicts(sent):
                    copy.lose("no verdicts")
                    break
                for each in sent:
                    yield Answer(None, each) if type(each) is bool else each
                    begin += 1
            ending = copy.verdict
        if isinstance(ending, Death) and size > 1:
            size = 1
        elif isinstance(ending, Death):
            yield ending
            size = at_once
            begin += 1
        elif isinstance(ending, Raised):
            raise UnlikeError(f"work failed in its process: {ending.error}")


def _are_verdicts(sent: object) -> bool:
    return isinstance(sent, list | tuple) and all(isinstance(each, bool | Answer | Raised) for each in sent)


def _send_each(work: Callable[[int], object], begin: int, end: int, at_once: int) -> None:
    """Send verdicts, some in one message; of an answer that is true or false and printed nothing, only the answer."""
    waiting: list[Verdict | bool] = []
    sent_at = time.monotonic()
    take_output()
    for number in range(begin, end):
        mark(number)
        verdict = _call_here(functools.partial(work, number))
        output = take_output()
        is_short = isinstance(verdict, Answer) and type(verdict.result) is bool and not output
        waiting.append(verdict.result if is_short else replace(verdict, output=output))  # type: ignore[union-attr]
        if len(waiting) >= at_once or time.monotonic() - sent_at > LONGEST_WAIT:
            send(waiting)
            waiting, sent_at = [], time.monotonic()
    if waiting:
        send(waiting)


def _call_here(call: Callable[[], object], kept: scratch.KeptScratch | None = None) -> Verdict:
    try:
        with scratch.in_scratch(kept) if kept is not None else NO_CONTEXT:
            return Answer(None, call())
    except KeyboardInterrupt:
        if is_in_copy():
            die_interrupted()
        raise
    except BaseException as error:  # the code under test may raise anything
        return Raised(None, describe_error(error))


@dataclass(slots=True)
class Blame:
    """Which steps of some work end the copy they are made in; for work that every copy begins from the start.

    One rule for all: many steps between two marks, then one by one, then the step that was deadly is skipped. The same
    number stands for the same step in every copy.
    """

    one_by_one: bool = False  # every step is to be marked
    deadly: dict[int, str] = field(default_factory=dict)  # steps to skip, and how they ended their copy

    def take(self, death: Death) -> bool:
        """Learn from a death what the next copy is to do; False if there is nothing to learn."""
        if not self.one_by_one:
            self.one_by_one = True
            return True
        step = death.at[0]
        if step == NOWHERE or step in self.deadly:
            return False
        self.deadly[step] = death.cause
        return True
