"""The same search in a copy of this process, so that no call takes the run down.

The copy makes the calls, as fast as they go, and sends now and then what it has found; this process makes none, and
holds the known states with the calls that led to them. When the copy dies, or stays at one call for too long, a new
copy goes on from there; the unit of work that was deadly is done call by call, until the one call is known.
"""

from __future__ import annotations

import contextlib
import functools
import os
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from unlike.errors import UnlikeError
from unlike.explore.elsewhere.luggage import pack, start, unpack
from unlike.explore.outcomes import Fault, FoundClass, Progress, Stop
from unlike.explore.search import MANY, Search
from unlike.explore.surroundings import Here
from unlike.suite import Ending, Status
from unlike.workers import (
    HANDLED,
    Answer,
    Death,
    Failure,
    Forked,
    are_open,
    cells,
    die_interrupted,
    heard,
    lift_limit,
    mark,
    put_back,
    send,
)

EVERY = 0.1  # seconds between two parcels, at least
LONGEST = 2.0  # seconds between two parcels, at most: the last one is packed when the time is used up
SHARE = 8  # the time to pack a parcel is one in so many parts of the whole, if the parcel stays small
TIDY = 16  # units after which the process is tidied up: counted, since calls may see what is untidy
MOST_THREADS = 4  # left running by the code under test, before the copy is replaced
PATIENCE = 3.0  # seconds for a copy to stop when it is asked to
INVARIANT, STOP, STATES = 4, 5, 6  # cells; level, unit and call are 1, 2, 3
OVER = 2  # in the cell STOP: the copy has stopped


class CannotTravelError(Exception):
    """What was found cannot be sent to another process; the message says what."""


class Again(Exception):  # noqa: N818  # news, not an error
    """The copy is worn out: another one is to go on."""


@dataclass(frozen=True, slots=True)
class Last:
    """Where a search is to end that was given up, and with which status."""

    unit: tuple[int, int]
    status: Status


class Copied:
    """The guard of a search in a copy: it says where the search is, and sends what it finds."""

    def __init__(self, search: Search, careful: set[tuple[int, int]], *, always: bool, last: Last | None) -> None:
        self.sent = start(search)
        self.careful, self.always, self.last = careful, always, last
        self.forked = False  # the code under test made copies itself
        self.look_at = self.pack_at = 0.0

    @contextlib.contextmanager
    def around(self, search: Search) -> Iterator[None]:
        """Remember what is to be put back after calls."""
        del search
        self.home, self.threads = Path.cwd(), threading.active_count()
        self.handlers = {number: signal.getsignal(number) for number in HANDLED}
        os.register_at_fork(after_in_parent=self.note_fork)
        self.pack_at = time.monotonic() + EVERY
        yield

    def note_fork(self) -> None:
        """From now on calls are made one by one: a copy of this copy ends after the call that made it."""
        self.forked = True

    def is_careful(self, search: Search) -> bool:
        """Tell whether the calls of this unit are to be made one by one."""
        if (search.level, search.done) in self.careful:
            self.send(search)  # so that the next death costs this unit alone
            return True
        return self.always or self.forked

    def begin_call(self, search: Search, call: int) -> Fault | None:
        """Say which call it is; return what is known of it if it is deadly."""
        mark(search.level, search.done, call, 0)
        if self.last is not None and (search.level, search.done) >= self.last.unit:
            raise Stop(self.last.status)
        if call != MANY:
            heard()
        return search.faults.get((search.level, search.done, call)) if search.faults else None

    def begin_invariant(self) -> None:
        """Say that the call returned and the invariant is asked."""
        cells()[INVARIANT] = 1
        mark()

    def end_unit(self, search: Search) -> None:
        """Stop if that is asked for; tidy up, tell and send what is due."""
        mark()
        now = time.monotonic()
        if not are_open():
            heard()  # which opens them again
        if not search.batched or not search.done % TIDY:
            self.tidy_up()
        if now < self.look_at and search.batched:
            return
        shared = cells()
        if now >= self.look_at:
            self.look_at = now + 0.05
            heard()  # nobody asks for it any more
            progress = search.progress(0)
            shared[STATES : STATES + 4] = _cells(progress)
        if shared[STOP]:
            raise KeyboardInterrupt
        worn = threading.active_count() > self.threads + MOST_THREADS
        if now >= self.pack_at or worn:
            self.send(search)
            done = time.monotonic()
            self.pack_at = done + min(max(EVERY, (done - now) * SHARE), LONGEST)
        if worn:
            raise Again

    def tidy_up(self) -> None:
        """Put back what the code under test may have changed in its process."""
        put_back(self.home, self.handlers)
        if self.forked:
            with contextlib.suppress(ChildProcessError):
                while os.waitpid(-1, os.WNOHANG)[0]:
                    pass

    def send(self, search: Search) -> None:
        """Send what was found since the last time."""
        try:
            packed = pack(search, self.sent)
        except MemoryError:
            raise
        except Exception as error:  # whatever an object of somebody else's does when it is pickled
            raise CannotTravelError(f"{type(error).__name__}: {error}") from None
        send(packed)

    def printed(self) -> str:
        """Return what was printed since the last time."""
        return heard()


def _cells(progress: Progress) -> memoryview:
    values = (progress.states, progress.frontier, progress.calls, progress.errors)
    return memoryview(b"".join(each.to_bytes(8, "little", signed=True) for each in values)).cast("q")


def _work(search: Search, guard: Copied) -> tuple[str, Any]:
    """Search in the copy, and say how it ended."""
    search.options = replace(search.options, on_progress=None)
    try:
        try:
            search.run()
        except MemoryError:
            lift_limit()
            search.status = Status(Ending.UNKNOWN, "the memory of the worker is used up; give it more: --memory MB")
        if search.status.ending is Ending.INTERRUPTED and guard.last is None and not cells()[STOP]:
            die_interrupted()
        mark()
        cells()[STOP] = OVER
        guard.send(search)
    except FoundClass as news:
        return "found", news.cls
    except Again:
        return "again", None
    except CannotTravelError as error:
        return "cannot travel", str(error)
    except UnlikeError as error:
        return "refused", (type(error), str(error))
    return "done", None


class Keeper:
    """The search of this process: it holds the states, and has copies make the calls."""

    def __init__(self, search: Search) -> None:
        self.search = search
        self.careful: set[tuple[int, int]] = set()
        self.innocent = 0  # units that were late as a whole, while no call of theirs was
        self.stopped: float | None = None  # when the user asked to stop
        self.last: Last | None = None  # the search was given up there
        self.over = False
        self.shown = 0  # thousands of calls that were shown

    def run(self) -> None:
        """Search to the end, with as many copies as it takes; what was found stays."""
        search = self.search
        try:
            with self.noted_interrupts():
                while not self.attempt():
                    pass
        finally:
            search.guard = Here()
        self.show_the_end()
        if search.lost and not search.status.cut_short:
            causes = ", ".join(dict.fromkeys(fault.cause for fault in search.lost))
            detail = f"{len(search.lost)} objects could not be made again ({causes}), and nothing was called on them"
            search.status = Status(Ending.UNKNOWN, detail)

    def show_the_end(self) -> None:
        """Show where a search stands that was sooner over than shown."""
        search = self.search
        if search.options.on_progress is None or search.calls // 1024 <= self.shown:
            return
        try:
            search.options.on_progress(search.progress(time.monotonic() - search.began))
        except KeyboardInterrupt:
            search.status = Status(Ending.INTERRUPTED, search.growth.hint())

    def attempt(self) -> bool:
        """Let one copy search; tell whether the search is over."""
        search = self.search
        guard = search.guard = Copied(search, self.careful, always=self.innocent > 1, last=self.last)
        work = functools.partial(_work, search, guard)
        options = search.options
        limits = {"seconds": options.seconds_per_call, "megabytes": options.megabytes}
        with Forked(work, **limits, shown=INVARIANT) as copy:
            while copy.verdict is None:
                try:
                    for packed in copy.listen(functools.partial(self.tick, copy)):
                        unpack(search, packed)
                except KeyboardInterrupt:
                    self.stop()
            verdict = copy.verdict
        if self.last is not None and isinstance(verdict, Death):
            if self.over:
                search.status = self.last.status
            self.over = True
            return search.status is self.last.status  # once more, to the place where it was given up
        match verdict:
            case Answer():
                return self.conclude(*verdict.result)
            case Failure():
                raise UnlikeError(f"the search failed in its process: {verdict.error}")
            case Death():
                self.blame(verdict)
        return False

    def conclude(self, ending: str, detail: Any) -> bool:
        """Take what a copy said last."""
        match ending:
            case "found":
                raise FoundClass(detail)
            case "refused":
                cls, text = detail
                raise cls(text)
            case "cannot travel":
                raise CannotTravelError(detail)
        return ending == "done"

    def blame(self, death: Death) -> None:
        """Enter the call that was deadly; where it was one of many, they are to be made one by one."""
        level, unit, call, in_invariant = death.at
        if call == MANY:
            self.innocent += (level, unit) in self.careful or death.cause.startswith("took")
            self.careful.add((level, unit))
            return
        fault = Fault(death.cause, death.output, death.place, bool(in_invariant))
        self.search.faults[level, unit, call] = fault

    # -- while a copy searches ------------------------------------------------------------------------

    def tick(self, copy: Forked) -> None:
        """Show where the search stands; give up a copy that does not stop when it should."""
        search, now = self.search, time.monotonic()
        told = list(copy.cells[STATES : STATES + 4])
        if search.options.on_progress is not None and told[2] // 1024 != self.shown and self.stopped is None:
            self.shown = told[2] // 1024
            search.options.on_progress(Progress(told[0], told[1], told[2], told[3], now - search.began))
        if self.stopped is not None:
            copy.cells[STOP] = 1
            if now - self.stopped > PATIENCE:
                self.give_up(copy, Status(Ending.INTERRUPTED, search.growth.hint()))
                return
        timeout = search.timeout
        if copy.cells[STOP] == OVER:
            return  # it has stopped, and sends what it found
        if timeout is not None and now - search.began > timeout + 1.0:
            self.give_up(copy, search.out_of_time(timeout))

    def give_up(self, copy: Forked, status: Status) -> None:
        """End the copy; another one finds again what this one had found and not sent yet, and ends where it was."""
        self.last = self.last or Last((copy.cells[1], copy.cells[2]), status)
        self.stopped = None
        search = self.search
        search.timeout, search.options = None, replace(search.options, timeout=None)
        search.seconds = time.monotonic() - search.began
        copy.close()

    def stop(self) -> None:
        """Note that the user wants the search to end; the second time it ends at once."""
        if self.stopped is not None:
            raise KeyboardInterrupt
        self.stopped = time.monotonic()

    @contextlib.contextmanager
    def noted_interrupts(self) -> Iterator[None]:
        """Let Ctrl-C be noted rather than raised, so that it never falls between two halves of an entry."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before: Callable[..., Any] | int | None = signal.getsignal(signal.SIGINT)
        signal.signal(signal.SIGINT, lambda *_: self.stop())
        try:
            yield
        finally:
            signal.signal(signal.SIGINT, before)
