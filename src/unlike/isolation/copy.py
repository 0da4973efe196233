"""A piece of work in a forked copy of this process: whatever it does there, nothing reaches us but what it sends.

The copy starts at once and knows everything this process knows, so the work may be any function; only what it sends is
pickled. It writes where it is into shared memory (`mark`); when it dies, or stays at one mark for too long, the parent
knows where. What it prints goes to a file that nobody else sees.
"""

from __future__ import annotations

import contextlib
import functools
import gc
import importlib
import mmap
import os
import pickle
import selectors
import signal
import struct
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from unlike.core import FOREVER, NO_LIMITS, Deadline, Isolation
from unlike.errors import UnlikeError
from unlike.isolation.process import (
    HANDLED,
    MOST_OUTPUT,
    ask_for_trace,
    die_interrupted,
    die_with_parent,
    limit_process,
    place_in,
    redirect_output,
    take_output,
    trace,
)
from unlike.isolation.verdicts import Answer, Death, Raised, Verdict, describe_error, describe_exit

CELLS = 16  # numbers in the shared memory; the first counts the marks
HEAD = struct.Struct("<Q")

SENT, DONE, FAILED = b"s", b"d", b"f"


def can_fork() -> bool:
    """Tell whether this platform can copy a process."""
    return hasattr(os, "fork")


class Inside:
    """What the copy knows of itself."""

    def __init__(self, line: int, cells: memoryview) -> None:
        self.line, self.cells = line, cells
        self.own = os.getpid()

    def write(self, kind: bytes, payload: bytes) -> None:
        """Write one message; a copy of the copy, made by the code under test, ends here."""
        if os.getpid() != self.own:
            os._exit(0)
        rest = memoryview(HEAD.pack(len(payload)) + kind + payload)
        while rest:
            rest = rest[os.write(self.line, rest) :]


_inside: Inside | None = None


def is_in_copy() -> bool:
    """Tell whether this process is such a copy."""
    return _inside is not None


def mark(*numbers: int) -> None:
    """Say where the work is: the clock starts anew, and a death is reported with these numbers.

    Costs little, and nothing happens outside a copy. A copy of the copy, made by the code under test, ends here.
    """
    if _inside is None:
        return
    if os.getpid() != _inside.own:
        os._exit(0)
    cells = _inside.cells
    for index, number in enumerate(numbers, start=1):
        cells[index] = number
    cells[0] += 1


def cells() -> memoryview:
    """Return the numbers that this copy shares with its parent."""
    assert _inside is not None, "only a copy shares"
    return _inside.cells


_forks: int | None = None  # copies of itself that this process made, since somebody asked


def _count_fork() -> None:
    global _forks
    _forks = (_forks or 0) + 1


def count_forks() -> int:
    """Return how many copies of itself this process has made since this was asked for the first time."""
    global _forks
    if _forks is None:
        _forks = 0
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_parent=_count_fork)  # hooks cannot be taken back: one is enough
    return _forks


def process_state() -> dict[str, object]:
    """Return what the code under test may have changed in this process, by name: compare it before and after.

    For work that is rehearsed in a copy: what leaves traces there is not to be done here.
    """
    return {
        "the working directory": _working_directory(),
        "signal handlers": tuple(signal.getsignal(number) for number in HANDLED),
        "threads": threading.active_count(),
        "processes": count_forks(),
        "standard output": tuple(_is_open(number) for number in (0, 1, 2)),
        "the environment": dict(os.environ),
        "the recursion limit": sys.getrecursionlimit(),
    }


def _working_directory() -> str:
    try:
        return str(Path.cwd())
    except OSError:  # it was removed
        return ""


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


def send(value: object) -> None:
    """Send a value to the parent, which gets it while the work goes on."""
    assert _inside is not None, "only a copy can send"
    _inside.write(SENT, pickle.dumps(value, -1))


class Copy:
    """One copy, from the outside. Iterate `listen()`; afterwards `verdict` says how it ended.

    The isolation bounds the time between two marks, and the memory beyond what this process has now. A death is
    reported with the first `shown` numbers of the last mark; with `timed`, the clock runs only while that one is not 0.
    """

    def __init__(
        self,
        work: Callable[[], Any],
        isolation: Isolation = NO_LIMITS,
        *,
        shown: int = 3,
        timed: int | None = None,
    ) -> None:
        self.isolation, self.shown, self.timed = isolation, shown, timed
        self.seconds = isolation.seconds_per_call
        self.verdict: Verdict | None = None
        self.shared = mmap.mmap(-1, CELLS * 8)
        self.cells = memoryview(self.shared).cast("q")
        self.printed = tempfile.TemporaryFile()  # noqa: SIM115  # ends with `close`
        self.traces = tempfile.TemporaryFile()  # noqa: SIM115
        _append_only(self.printed.fileno())
        self.buffer = bytearray()
        self.seen, self.since = 0, time.monotonic()
        self.status: int | None = None
        self.line, theirs = os.pipe()
        with contextlib.suppress(ImportError):
            importlib.import_module("ctypes")  # here, once, rather than in every copy
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(Exception):  # closed, or replaced by something odd
                stream.flush()
        parent = os.getpid()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)  # other threads do not come along, and need not
            self.pid = os.fork()
        if not self.pid:
            os.close(self.line)
            self._serve(work, theirs, parent)
        os.close(theirs)
        os.set_blocking(self.line, False)

    # -- in the copy ----------------------------------------------------------------------------------

    def _serve(self, work: Callable[[], Any], line: int, parent: int) -> None:
        """Do the work, send what came of it, and end without a trace."""
        global _inside
        try:
            os.setsid()  # a group of its own, so that the parent can end all of it
            die_with_parent(parent)
            _quiet_signals()
            trace(self.traces.fileno())
            redirect_output(self.printed.fileno())
            limit_process(self.isolation)
            gc.freeze()
            _inside = Inside(line, self.cells)
            _finish(_inside, work)
        finally:
            os._exit(0)

    # -- in the parent --------------------------------------------------------------------------------

    def listen(self, tick: Callable[[], object] | None = None) -> Iterator[Any]:
        """Yield what the copy sends until it ends. `tick` is called now and then, and may raise to give up."""
        pause = 0.05 if self.seconds is None else min(max(self.seconds / 5, 0.01), 0.05)
        with selectors.DefaultSelector() as selector:
            selector.register(self.line, selectors.EVENT_READ)
            while self.verdict is None:
                yield from self.news(heard=bool(selector.select(pause)))
                if tick is not None:
                    tick()
        self.close()

    def news(self, *, heard: bool) -> list[Any]:
        """Return what the copy has sent, if its line was heard; see whether it has ended, died or is late."""
        open_ = not heard or self._read()
        sent = []
        for kind, payload in self._messages():
            if kind == SENT:
                sent.append(pickle.loads(payload))
            else:
                self._conclude(kind, payload)
        if self.verdict is None:
            self._look(open_)
        return sent

    def _read(self) -> bool:
        """Take what has come; False at the end of the line."""
        try:
            data = os.read(self.line, 1 << 20)
        except BlockingIOError:
            return True
        self.buffer += data
        return bool(data)

    def _messages(self) -> Iterator[tuple[bytes, bytes]]:
        while len(self.buffer) > HEAD.size:
            (size,) = HEAD.unpack_from(self.buffer)
            end = HEAD.size + 1 + size
            if len(self.buffer) < end:
                return
            kind, payload = bytes(self.buffer[HEAD.size : HEAD.size + 1]), bytes(self.buffer[HEAD.size + 1 : end])
            del self.buffer[:end]
            yield kind, payload

    def _conclude(self, kind: bytes, payload: bytes) -> None:
        if kind == DONE:
            self.verdict = Answer(None, pickle.loads(payload), self._output())
        else:
            self.verdict = Raised(None, payload.decode(errors="replace"), self._output())

    def _look(self, open_: bool) -> None:
        """See whether the copy died or is late."""
        if self.status is None:
            pid, status = os.waitpid(self.pid, 0 if not open_ else os.WNOHANG)
            self.status = status if pid else None
        if self.status is not None:
            if not self._rest():
                self.verdict = self._death(describe_exit(os.waitstatus_to_exitcode(self.status)))
        elif self.is_late():
            ask_for_trace(self.pid, self.traces.fileno())
            self.verdict = self._death(f"took more than {self.seconds:g} s", by_chance=True)

    def _rest(self) -> bool:
        """Tell whether messages are left that came before the end."""
        before = len(self.buffer)
        with contextlib.suppress(OSError):
            self._read()
        return len(self.buffer) > before

    def is_late(self) -> bool:
        """Tell whether the copy has been at one mark for too long."""
        now = time.monotonic()
        if self.cells[0] != self.seen or (self.timed is not None and not self.cells[self.timed]):
            self.seen, self.since = self.cells[0], now
        return self.seconds is not None and now - self.since > self.seconds

    def _death(self, cause: str, *, by_chance: bool = False) -> Death:
        at = tuple(self.cells[1 : 1 + self.shown])
        self.close()
        return Death(None, cause, self._output(), at, place_in(_text(self.traces.fileno()), by_chance=by_chance))

    def _output(self) -> str:
        return _text(self.printed.fileno())

    def close(self) -> None:
        """End the copy and all that it started."""
        if self.line < 0:
            return
        with contextlib.suppress(OSError):
            os.killpg(self.pid, signal.SIGKILL)
        if self.status is None:
            with contextlib.suppress(OSError):
                os.kill(self.pid, signal.SIGKILL)
            with contextlib.suppress(ChildProcessError):
                self.status = os.waitpid(self.pid, 0)[1]
        os.close(self.line)
        self.line = -1

    def __enter__(self) -> Copy:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        self.printed.close()
        self.traces.close()


def call_in_copy(
    call: Callable[[], Any],
    isolation: Isolation = NO_LIMITS,
    *,
    told: Callable[[Any], object] | None = None,
) -> Verdict:
    """Call the function in a copy of this process, and say what became of it: Answer, Raised or Death.

    Its seconds bound the time between two `mark()`s of the call (or the whole call, if it makes none). What it returns
    is pickled; `told` gets what it sends on the way. In a process that is such a copy already, and where no process can
    be copied, it is called here.
    """
    if is_in_copy() or not can_fork():
        return _called_here(call)
    with Copy(call, isolation) as copy:
        for news in copy.listen():
            if told is not None:
                told(news)
        assert copy.verdict is not None
        return copy.verdict


def each_in_copies(
    work: Callable[[int], Any],
    count: int,
    isolation: Isolation = NO_LIMITS,
    deadline: Deadline = FOREVER,
) -> Iterator[Verdict]:
    """Yield what became of `work(0)`, `work(1)` …, done in a copy of this process, one after the other.

    A number that ends the copy costs a new copy, which goes on after it. The isolation bounds each, or says that all is
    done in this process; so it is where `call_in_copy` would. At the deadline it is cut short.
    """
    if isolation.is_here or is_in_copy() or not can_fork():
        yield from (_called_here(functools.partial(work, number)) for number in deadline.each(range(count)))
        return
    begin = 0
    while begin < count:
        with Copy(functools.partial(_each, work, begin, count), isolation) as copy:
            for verdict in copy.listen(deadline.check):
                yield verdict
                begin += 1
            ending = copy.verdict
        if isinstance(ending, Death):
            yield ending
            begin += 1
        elif isinstance(ending, Raised):
            raise UnlikeError(f"work failed in its process: {ending.error}")


def _each(work: Callable[[int], Any], begin: int, end: int) -> None:
    for number in range(begin, end):
        mark(number)
        take_output()
        verdict = _called_here(functools.partial(work, number))
        send(replace(verdict, output=take_output()))


def _called_here(call: Callable[[], Any]) -> Verdict:
    try:
        return Answer(None, call())
    except KeyboardInterrupt:
        if is_in_copy():
            die_interrupted()
        raise
    except BaseException as error:  # the code under test may raise anything
        return Raised(None, describe_error(error))


def _finish(inside: Inside, work: Callable[[], Any]) -> None:
    try:
        inside.write(DONE, pickle.dumps(work(), -1))
    except BaseException as error:  # the code under test may raise anything
        inside.write(FAILED, describe_error(error).encode(errors="replace"))


def _append_only(file: int) -> None:
    """Let every write go to the end, also after the file was emptied."""
    fcntl: Any = importlib.import_module("fcntl")  # not on every platform, but on those that fork
    fcntl.fcntl(file, fcntl.F_SETFL, os.O_APPEND)


def _quiet_signals() -> None:
    """Forget the handlers of the parent; Ctrl-C is the parent's business."""
    signal.set_wakeup_fd(-1)
    for number in (signal.SIGTERM, signal.SIGALRM, signal.SIGCHLD):
        signal.signal(number, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGINT, signal.default_int_handler)


def _text(file: int) -> str:
    return os.pread(file, MOST_OUTPUT, 0).decode(errors="replace")
