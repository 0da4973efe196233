"""What stands around the calls of a search in a copy: it says where the search is, and sends what it finds."""

from __future__ import annotations

import contextlib
import os
import sys
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from unlike.explore.elsewhere.luggage import pack, start
from unlike.explore.outcomes import OWN_FILES, Fault, Stop
from unlike.explore.search import MANY, Search
from unlike.isolation import (
    COUNTS,
    PLACE,
    STOP,
    cells,
    mark,
    process_state,
    restore_process,
    send,
    streams_are_ours,
    take_output,
)
from unlike.progress import Progress
from unlike.suite import Status

EVERY = 0.1  # seconds between two parcels, at least
LONGEST = 2.0  # seconds between two parcels, at most: the last one is packed when the time is used up
SHARE = 8  # the time to pack a parcel is one in so many parts of the whole, if the parcel stays small
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


@dataclass(frozen=True, slots=True)
class Last:
    """Where a search is to end that was given up, and with which status."""

    unit: tuple[int, int]
    status: Status


class Copied:
    """The guard of a search in a copy: it says where the search is, and sends what it finds."""

    def __init__(
        self,
        search: Search,
        careful: set[tuple[int, int]],
        *,
        always: bool = False,
        last: Last | None = None,
        shared: Callable[[Search], int] | None = None,
    ) -> None:
        self.sent = start(search)
        self.careful, self.always, self.last = careful, always, last
        self.shared = shared  # how many units of a level several copies are to share, if any
        self.forked = False  # the code under test made copies itself
        self.look_at = self.pack_at = 0.0

    @contextlib.contextmanager
    def around(self, search: Search) -> Iterator[None]:
        """Remember what is to be put back after calls."""
        del search
        self.threads, self.before = threading.active_count(), process_state()
        os.register_at_fork(after_in_parent=self.note_fork, after_in_child=_end_after_call)
        self.pack_at = time.monotonic() + EVERY
        yield

    def note_fork(self) -> None:
        """From now on calls are made one by one: a copy of this copy ends after the call that made it."""
        self.forked = True

    def begin_level(self, search: Search) -> None:
        """Stop where several copies are to go on together."""
        if self.shared is not None and (units := self.shared(search)):
            raise Wide(units)

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
            take_output()
        return search.faults.get((search.level, search.done, call)) if search.faults else None

    def begin_invariant(self) -> None:
        """Say that the call returned and the invariant is asked."""
        cells()[INVARIANT] = 1
        mark()

    def end_unit(self, search: Search) -> None:
        """Stop if that is asked for; tidy up, tell and send what is due."""
        mark()
        now = time.monotonic()
        if not streams_are_ours():
            take_output()  # which opens them again
        if not search.batched or not search.done % TIDY:
            self.tidy_up()
        if now < self.look_at and search.batched:
            return
        shared = cells()
        if now >= self.look_at:
            self.look_at = now + 0.05
            take_output()  # nobody asks for it any more
            progress = search.progress(0)
            shared[STATES : STATES + 5] = _cells(progress)
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
        restore_process(self.before)
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
        return take_output()


def _end_after_call() -> None:
    """Let a copy of this copy, which the code under test makes just now, end where the call returns that made it."""
    frame, outermost = sys._getframe().f_back, None
    while frame is not None and frame.f_code.co_filename not in OWN_FILES:
        frame, outermost = frame.f_back, frame
    if outermost is not None:
        sys.setprofile(lambda frame, event, _: os._exit(0) if event == "return" and frame is outermost else None)


def _cells(progress: Progress) -> memoryview:
    values = (progress.done, *progress.more.values())
    return memoryview(b"".join(each.to_bytes(8, "little", signed=True) for each in values)).cast("q")
