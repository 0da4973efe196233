"""What stands around calls in this process: it interrupts one that does not return, and catches what is printed."""

from __future__ import annotations

import contextlib
import io
import signal
import threading
from collections.abc import Iterator
from typing import TYPE_CHECKING

from unlike.classes.judging import Fault

if TYPE_CHECKING:
    from unlike.classes.caller import ObjectCaller

MOST_OUTPUT = 64 * 1024


class HangError(BaseException):  # not an Exception: code under test must not catch it by the way
    """A call did not return in time."""


class Watchdog:
    """Interrupts a call that does not return, where signals allow it: in the main thread, on Unix.

    It ticks once a second and looks whether the same call is still running; calls themselves cost nothing more.
    """

    def __init__(self, caller: ObjectCaller) -> None:
        self.caller = caller
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
        caller = self.caller
        self.ticks = self.ticks + 1 if caller.calls == self.last else 0
        self.last = caller.calls
        most = caller.options.isolation.seconds_per_call
        late = (most is not None and self.ticks >= most) or (self.ticks and caller.options.deadline.is_over())
        if caller.running and late:
            self.ticks = 0
            raise HangError("did not return in time" if most is None else f"did not return within {most:g} s")


class Marks:
    """What is noted around the calls of a search: in this process what is printed, elsewhere also where it is."""

    def __init__(self) -> None:
        self.sink = io.StringIO()

    @contextlib.contextmanager
    def around(self, caller: ObjectCaller) -> Iterator[None]:
        """Catch what is printed while the search goes on, and interrupt calls that do not return."""
        with contextlib.redirect_stdout(self.sink), contextlib.redirect_stderr(self.sink), Watchdog(caller):
            yield

    def begin_level(self) -> None:
        """Note that a level begins, or goes on."""

    def is_careful(self) -> bool:
        """Tell whether the calls of this unit are to be made one by one."""
        return False

    def begin_call(self, call: int) -> Fault | None:
        """Note a call, or MANY, or MAKING; return a fault if it is known that no process survives it."""
        del call
        self.printed()  # before it
        return None

    def begin_invariant(self) -> None:
        """Note that the invariant is asked."""

    def end_call(self) -> None:
        """Note that a call is over, and judged."""

    def end_unit(self, *, at_once: bool) -> None:
        """Note that a unit of work is done; whether the walker made its calls by itself."""

    def printed(self) -> str:
        """Return what was printed since the last time."""
        if not self.sink.tell():
            return ""
        text = self.sink.getvalue()
        self.sink.seek(0)
        self.sink.truncate()
        return text[:MOST_OUTPUT]
