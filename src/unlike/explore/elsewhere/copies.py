"""The same search in a copy of this process, so that no call takes the run down.

The copy makes the calls, as fast as they go, and sends now and then what it has found; this process makes none, and
holds the known states with the calls that led to them. When the copy dies, or stays at one call for too long, a new
copy goes on from there; the unit of work that was deadly is done call by call, until the one call is known.
"""

from __future__ import annotations

import contextlib
import functools
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

from unlike.core import FOREVER
from unlike.errors import UnlikeError
from unlike.explore.elsewhere.crew import Crew
from unlike.explore.elsewhere.guard import OVER, STATES, Again, CannotTravelError, Copied, Last, Wide
from unlike.explore.elsewhere.luggage import unpack
from unlike.explore.outcomes import Fault, FoundClass, progress_of
from unlike.explore.search import MAKING, MANY, Search
from unlike.explore.surroundings import Here
from unlike.isolation import (
    STOP,
    Answer,
    Copy,
    Death,
    Raised,
    cells,
    die_interrupted,
    lift_memory_limit,
    mark,
)
from unlike.progress import Progress
from unlike.suite import Ending, Status

LEAST_SHARED = 8  # units of a level for each copy, below which one copy does them all
GRACE = 0.5  # seconds for a copy to see by itself that its time is over
PATIENCE = 3.0  # seconds for a copy to stop when it is asked to


def _work(search: Search, guard: Copied) -> tuple[str, Any]:
    """Search in the copy, and say how it ended."""
    search.options = replace(search.options, on_progress=None)
    units = 0
    try:
        try:
            search.run()
        except Wide as wide:
            units = wide.units
        except MemoryError:
            lift_memory_limit()
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
    return ("wide", units) if units else ("done", None)


class Keeper:
    """The search of this process: it holds the states, and has copies make the calls, several where there is much."""

    def __init__(self, search: Search, hands: int = 1) -> None:
        self.search = search
        self.hands = hands
        self.alone = 0  # the first level that several copies may share: before it they met something unusual
        self.careful: set[tuple[int, int]] = set()
        self.innocent = 0  # units that were late as a whole, while no call of theirs was
        self.stopped: float | None = None  # when the user asked to stop
        self.last: Last | None = None  # the search was given up there
        self.over = False
        self.shown = 0  # calls that were shown

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
        if search.options.on_progress is None or search.calls <= self.shown:
            return
        try:
            search.options.on_progress(search.progress(time.monotonic() - search.began))
        except KeyboardInterrupt:
            search.status = Status(Ending.INTERRUPTED, search.growth.hint())

    def attempt(self) -> bool:
        """Let one copy search; tell whether the search is over."""
        search = self.search
        shared = self.shared if self.hands > 1 and self.last is None else None
        guard = Copied(search, self.careful, always=self.innocent > 1, last=self.last, shared=shared)
        search.guard = guard
        work = functools.partial(_work, search, guard)
        with Copy(work, search.options.isolation) as copy:
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
            case Raised():
                raise UnlikeError(f"the search failed in its process: {verdict.error}")
            case Death():
                return self.blame(verdict)

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
            case "wide":
                self.share(detail)
        return ending == "done"

    def shared(self, search: Search) -> int:
        """Return how many units the level has, if it begins now and several copies are to share them; else 0."""
        if search.done or search.level < self.alone or search.checks_twice():
            return 0
        units = sum(1 for _ in search.units())
        return units if units >= LEAST_SHARED * self.hands else 0

    def share(self, units: int) -> None:
        """Let several copies do the units of the level; one alone goes on where they met something unusual."""
        search = self.search
        with Crew(search, self.hands, units) as crew:
            try:
                while self.stopped is None and not self.is_late() and crew.goes_on():
                    self.show(search.progress(time.monotonic() - search.began))
            except KeyboardInterrupt:
                self.stop()
        if search.done < units:
            self.alone = search.level + 1

    def is_late(self) -> bool:
        """Tell whether the time of the search is over, and a little more."""
        return self.search.options.deadline.is_over(by=GRACE)

    def blame(self, death: Death) -> bool:
        """Enter the call that was deadly; where it was one of many, they are to be made one by one.

        A copy that dies though that call is not made any more dies of the object itself (of its `__del__`, say), which
        then is not made either; and where that does not help, the search is over. Tell whether it is.
        """
        level, unit, call, in_invariant = death.at
        if call == MANY:
            self.innocent += (level, unit) in self.careful or death.cause.startswith("took")
            self.careful.add((level, unit))
            return False
        faults = self.search.faults
        for known in ((level, unit, call), (level, unit, MAKING)):
            if known not in faults:
                faults[known] = Fault(death.cause, death.output, death.place, bool(in_invariant))
                return False
        self.search.status = Status(Ending.UNKNOWN, f"the process of the search ended again and again: {death.cause}")
        return True

    # -- while a copy searches ------------------------------------------------------------------------

    def tick(self, copy: Copy) -> None:
        """Show where the search stands; give up a copy that does not stop when it should."""
        search, now = self.search, time.monotonic()
        states, level, frontier, calls, errors = copy.cells[STATES : STATES + 5]
        self.show(progress_of(states, level, frontier, calls, errors, now - search.began))
        if self.stopped is not None:
            copy.cells[STOP] = 1
            if now - self.stopped > PATIENCE:
                self.give_up(copy, Status(Ending.INTERRUPTED, search.growth.hint()))
                return
        if copy.cells[STOP] == OVER:
            return  # it has stopped, and sends what it found
        if self.is_late():
            self.give_up(copy, search.out_of_time())

    def show(self, progress: Progress) -> None:
        """Show where the search stands, if it has come further."""
        tell = self.search.options.on_progress
        if tell is not None and progress.more["calls"] > self.shown and self.stopped is None:
            self.shown = progress.more["calls"]
            tell(progress)

    def give_up(self, copy: Copy, status: Status) -> None:
        """End the copy; another one finds again what this one had found and not sent yet, and ends where it was."""
        self.last = self.last or Last((copy.cells[1], copy.cells[2]), status)
        self.stopped = None
        search = self.search
        search.options = replace(search.options, deadline=FOREVER)
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
