"""What stands around the calls of a search in a copy: it says where the search is, and sends what it finds."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from unlike.classes.caller import MAKING, MANY, ObjectCaller
from unlike.classes.evidence import Fault, is_own_code
from unlike.classes.executors.transfer import Reporter
from unlike.classes.run import SearchRun
from unlike.classes.workbench import Marks
from unlike.core import CutShort
from unlike.isolation import Death
from unlike.isolation.copy import COUNTS, PLACE, STOP, cells, mark, send
from unlike.isolation.output import streams_are_ours, take_output
from unlike.isolation.state import process_state, restore_process
from unlike.progress import Progress
from unlike.suite import Status

EVERY = 0.1  # seconds between two reports, at least
LONGEST = 2.0  # seconds between two reports, at most: the last one is made when the time is used up
SHARE = 8  # the time to make a report is one in so many parts of the whole, if the report stays small
TIDY = 16  # units after which the process is tidied up: counted, since calls may see what is untidy
MOST_THREADS = 4  # left running by the code under test, before the copy is replaced
INVARIANT, STATES = PLACE + 3, COUNTS  # cells
OVER = 2  # in the cell STOP: the copy has stopped


class CannotTravelError(Exception):
    """What was found cannot be sent to another process; the message says what."""


class Wide(Exception):  # noqa: N818  # news, not an error
    """So many units that several copies are to share them."""

    def __init__(self, units: int) -> None:
        super().__init__(units)
        self.units = units


class Again(Exception):  # noqa: N818  # news, not an error
    """The copy is worn out: another one is to go on."""


@dataclass(slots=True)
class Faults:
    """What is known of calls that no process survived, so that the next copy does better."""

    deadly: dict[tuple[int, int, int], Fault] = field(default_factory=dict)  # by level, unit and call
    careful: set[tuple[int, int]] = field(default_factory=set)  # units whose calls are to be made one by one
    innocent: int = 0  # units that were late as a whole, while no call of theirs was

    @property
    def always_careful(self) -> bool:
        """Whether the calls of every unit are to be made one by one."""
        return self.innocent > 1

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
        self,
        run: SearchRun,
        faults: Faults,
        *,
        last: Last | None = None,
        shared: Callable[[], int] = lambda: 0,
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
        return self.faults.always_careful or self.forked

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
        cells()[INVARIANT] = 1
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
            shared[STATES : STATES + 5] = _cells(self.run.caller.progress(0))
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
