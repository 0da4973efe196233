"""A search in a copy of this process, so that no call takes the run down.

The copy makes the calls, as fast as they go, and reports now and then what it has found; this process makes none, and
holds the known states with the calls that led to them. When the copy dies, or stays at one call for too long, a new
copy goes on from there; the unit of work that was deadly is done call by call, until the one call is known.

With several workers, copies share the units of a wide level. Each takes the next few until none are left, and sends
what it found there; this process takes the reports in the order of the units, so it knows in the end what one copy
alone would have found. Whatever is unusual (a death, a class met for the first time, things that two copies numbered
alike) ends the sharing: one copy alone then goes on from the last report that was taken.
"""

from __future__ import annotations

import contextlib
import functools
import itertools
import os
import selectors
import signal
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any, Self

from unlike.classes.evidence import FoundClass, progress_of
from unlike.classes.executors.transfer import (
    Again,
    CannotTravelError,
    CopyMarks,
    Faults,
    Last,
    Report,
    Wide,
    enter_place,
    take_report,
)
from unlike.classes.kept_inside import KeptMore
from unlike.classes.run import SearchRun
from unlike.classes.workbench import MANY, Marks
from unlike.core import FOREVER
from unlike.errors import UnlikeError
from unlike.heap.numbered_names import extent, import_from
from unlike.isolation import Answer, Death, Raised
from unlike.isolation.copy import ASKED, COUNTS, NONSENSE, STOP, STOPPED, Copy, cells, mark, send
from unlike.isolation.limits import die_interrupted, lift_memory_limit
from unlike.isolation.pool import piece_sizes
from unlike.progress import Progress
from unlike.suite import Ending, Status

LEAST_SHARED = 8  # units of a level for each copy, below which one copy does them all
GRACE = 0.5  # seconds for a copy to see by itself that its time is over
PATIENCE = 3.0  # seconds for a copy to stop when it is asked to
MOST_UNITS = 512  # of a piece,
MOST_PIECES = 8_192  # unless there were too many pieces for the queue
PAUSE = 0.05  # seconds
MOST_LOST = 10  # copies that send nonsense, before the search is given up


class SharedMarks(CopyMarks):
    """The marks of a search in one of several copies: what it finds is sent piece by piece, not now and then."""

    def send(self) -> None:
        """Do nothing."""


def _do_pieces(run: SearchRun, marks: SharedMarks, pieces: list[range], queue: int) -> str:
    """Take pieces from the queue in the copy until none is left."""
    frontier, caller = run.frontier, run.caller
    base, units, done = caller.parents, frontier.units(), 0
    with marks.around(caller):
        while taken := os.read(queue, 4):
            number = int.from_bytes(taken, "little")
            piece = pieces[number]
            caller.parents = base + piece.start  # whoever takes the piece looks around at the same units
            for frontier.done, unit in zip(piece, itertools.islice(units, piece.start - done, None), strict=False):
                caller.do_unit(unit)
            done = piece.stop
            mark()
            send((number, marks.reporter.report()))
    return "done"


class Member:
    """One of the copies, and how far it and this process are in step, though others have sent their pieces, too."""

    def __init__(self, run: SearchRun, pieces: list[range], queue: int) -> None:
        self.theirs = self.ours = extent(run.code.walker)
        run.caller.marks = marks = SharedMarks(run, Faults())
        work = functools.partial(_do_pieces, run, marks, pieces, queue)
        self.copy = Copy(work, run.options.isolation, known=run.api.operations, in_scratch=True)

    def takes(self, run: SearchRun, report: Report) -> bool:
        """Let the search know of a piece, after all that come before it; False where copies numbered things alike."""
        if report.extent != self.theirs:
            if extent(run.code.walker) != self.ours:
                return False
            import_from(run.code.walker, report.numbered)
            self.theirs = self.ours = report.extent
        take_report(run, report)
        return True


class InCopies:
    """The copies that share a level. Use it as a context: leaving it ends them all."""

    def __init__(self, run: SearchRun, hands: int, units: int) -> None:
        self.run, self.hands = run, hands
        most = max(MOST_UNITS, units // MOST_PIECES)
        ends = itertools.accumulate(piece_sizes(units, hands, most=most), initial=0)
        self.pieces = [range(first, end) for first, end in itertools.pairwise(ends)]
        self.parents = run.caller.parents
        self.taken = 0  # pieces that were taken in
        self.waiting: dict[int, tuple[Member, Report]] = {}  # pieces that came before their turn
        self.members: list[Member] = []

    def __enter__(self) -> Self:
        queue, end = os.pipe()
        os.write(end, b"".join(number.to_bytes(4, "little") for number in range(len(self.pieces))))
        os.close(end)
        try:
            for _ in range(min(self.hands, len(self.pieces))):
                self.members.append(Member(self.run, self.pieces, queue))
        finally:
            os.close(queue)
        return self

    def __exit__(self, *_: object) -> None:
        for member in self.members:
            with member.copy:
                member.copy.close()

    def goes_on(self) -> bool:
        """Listen for a while and take in what has its turn; False when all is done, or something is unusual."""
        run = self.run
        for member in self.listen():
            for sent in member.copy.news(heard=True):
                match sent:
                    case int() as number, Report() as report:
                        self.waiting[number] = member, report
                    case _:
                        member.copy.lose("no report")
        while self.taken in self.waiting:
            member, report = self.waiting.pop(self.taken)
            try:
                if not member.takes(run, report):
                    return False
            except Exception:  # whatever nonsense leads to: one copy alone goes on
                return False
            piece = self.pieces[self.taken]
            self.taken += 1
            run.frontier.done, run.caller.parents = piece.stop, self.parents + piece.stop
            if len(run.frontier) > run.options.exploring.most_states:
                return False
        is_one_lost = any(not isinstance(member.copy.verdict, Answer | None) for member in self.members)
        return self.taken < len(self.pieces) and not is_one_lost

    def listen(self) -> list[Member]:
        """Return who has sent something, after looking who died or is late."""
        at_work = [member for member in self.members if member.copy.verdict is None]
        with selectors.DefaultSelector() as selector:
            for member in at_work:
                for each in member.copy.heard_at():
                    selector.register(each, selectors.EVENT_READ, member)
            heard = list(dict.fromkeys(key.data for key, _ in selector.select(PAUSE)))
        for member in at_work:
            if member not in heard:
                member.copy.news(heard=False)
        return heard


def _search_in_copy(run: SearchRun, marks: CopyMarks) -> tuple[str, Any]:
    """Search in the copy, and say how it ended."""
    run.caller.options = replace(run.caller.options, on_progress=None)
    units = 0
    try:
        try:
            run.search()
        except Wide as wide:
            (units,) = wide.args
        except MemoryError:
            lift_memory_limit()
            run.status = Status(Ending.UNKNOWN, "the memory of the worker is used up; give it more: --memory MB")
        if run.status.ending is Ending.INTERRUPTED and marks.last is None and not cells()[STOP]:
            die_interrupted()
        mark()
        cells()[STOP] = STOPPED
        marks.send()
    except FoundClass as news:
        return "found", news.cls
    except KeptMore as news:
        return "kept", list(news.kept.items())
    except Again:
        return "again", None
    except CannotTravelError as error:
        return "cannot travel", str(error)
    except UnlikeError as error:
        return "refused", (type(error), str(error))
    return ("wide", units) if units else ("done", None)


def is_ending(said: Any) -> bool:
    """Tell whether this is how a search in a copy ends."""
    match said:
        case ("found", type()) | ("cannot travel", str()) | ("wide", int()) | ("again" | "done", None):
            return True
        case ("kept", list() as pairs):
            return all(isinstance(each, tuple) and len(each) == 2 for each in pairs)
        case ("refused", (type() as cls, str())):
            return issubclass(cls, UnlikeError)
    return False


class InCopy:
    """Has copies make the calls of a search, one after the other, and several where there is much to do."""

    def __init__(self, search: SearchRun, hands: int = 1) -> None:
        self.search, self.frontier = search, search.frontier
        self.hands = hands
        self.alone = 0  # the first level that several copies may share: before it they met something unusual
        self.faults = Faults()
        self.lost = 0  # copies that sent nonsense
        self.stopped: float | None = None  # when the user asked to stop
        self.last: Last | None = None  # the search was given up there
        self.over = False
        self.shown = 0  # calls that were shown

    def run(self) -> None:
        """Search to the end, with as many copies as it takes; what was found stays."""
        try:
            with self.noted_interrupts():
                while not self.run_copy():
                    pass
        finally:
            self.search.caller.marks = Marks()
        self.show_end()
        self.search.end()

    def show_end(self) -> None:
        """Show where a search stands that was sooner over than shown."""
        tell, caller = self.search.options.on_progress, self.search.caller
        if tell is None or caller.calls <= self.shown:
            return
        try:
            tell(caller.progress(self.seconds()))
        except KeyboardInterrupt:
            self.search.status = Status(Ending.INTERRUPTED, self.frontier.growth.hint())

    def seconds(self) -> float:
        """Return how long the search has taken so far."""
        return time.monotonic() - self.search.caller.began

    def run_copy(self) -> bool:
        """Let one copy search; tell whether the search is over."""
        run = self.search
        shares = self.hands > 1 and self.last is None
        marks = CopyMarks(run, self.faults, last=self.last, shared=self.count_shared if shares else lambda: 0)
        run.caller.marks = marks
        work = functools.partial(_search_in_copy, run, marks)
        with Copy(work, run.caller.options.isolation, known=run.api.operations, in_scratch=True) as copy:
            while copy.verdict is None:
                try:
                    for report in copy.listen(functools.partial(self.tick, copy)):
                        try:
                            import_from(run.code.walker, report.numbered)
                            take_report(run, report)
                            enter_place(run, report.place)
                        except Exception as error:  # whatever nonsense leads to
                            copy.lose(f"{type(error).__name__}: {error}")
                            break
                except KeyboardInterrupt:
                    self.stop()
            verdict = copy.verdict
        if self.last is not None and isinstance(verdict, Death):
            if self.over:
                run.status = self.last.status
            self.over = True
            return run.status is self.last.status  # once more, to the place where it was given up
        if isinstance(verdict, Answer) and not is_ending(verdict.result):
            verdict = Death(None, f"{NONSENSE} ({verdict.result!r:.100})", verdict.output, at=(0, 0, MANY, 0))
        match verdict:
            case Answer():
                return self.take_ending(*verdict.result)
            case Raised():
                raise UnlikeError(f"the search failed in its process: {verdict.error}")
            case Death():
                self.lost += verdict.cause.startswith(NONSENSE)
                if self.lost <= MOST_LOST and self.faults.note(verdict):
                    return False
                words = f"the process of the search ended again and again: {verdict.cause}"
                run.status = Status(Ending.UNKNOWN, words)
                return True

    def take_ending(self, ending: str, detail: Any) -> bool:
        """Take what a copy said last; tell whether the search is over."""
        match ending:
            case "found":
                raise FoundClass(detail)
            case "kept":
                raise KeptMore(dict(detail))
            case "refused":
                cls, text = detail
                raise cls(text)
            case "cannot travel":
                raise UnlikeError(
                    f"what was found cannot be sent from one process to another ({detail}); omit the field that holds "
                    "it (--omit-fields), leave the call out (--methods), or explore in this process (--in-process)"
                )
            case "wide":
                self.share_level(detail)
        return ending == "done"

    def count_shared(self) -> int:
        """Return how many units the level has, if it begins now and several copies are to share them; else 0."""
        frontier = self.frontier
        if frontier.done or frontier.level < self.alone or self.search.caller.checks_twice():
            return 0
        units = sum(1 for _ in frontier.units())
        return units if units >= LEAST_SHARED * self.hands else 0

    def share_level(self, units: int) -> None:
        """Let several copies do the units of the level; one alone goes on where they met something unusual."""
        with InCopies(self.search, self.hands, units) as copies:
            try:
                while self.stopped is None and not self.is_late() and copies.goes_on():
                    self.show(self.search.caller.progress(self.seconds()))
            except KeyboardInterrupt:
                self.stop()
        if self.frontier.done < units:
            self.alone = self.frontier.level + 1

    # -- while a copy searches ------------------------------------------------------------------------

    def is_late(self) -> bool:
        """Tell whether the time of the search is over, and a little more."""
        return self.search.caller.options.deadline.is_over(by=GRACE)

    def tick(self, copy: Copy) -> None:
        """Show where the search stands; give up a copy that does not stop when it should."""
        states, level, frontier, calls, errors = copy.cells[COUNTS : COUNTS + 5]
        self.show(progress_of(states, level, frontier, calls, errors, self.seconds()))
        if self.stopped is not None:
            copy.cells[STOP] = ASKED
            if time.monotonic() - self.stopped > PATIENCE:
                self.give_up(copy, Status(Ending.INTERRUPTED, self.frontier.growth.hint()))
                return
        if copy.cells[STOP] == STOPPED:
            return  # it has stopped, and sends what it found
        if self.is_late():
            self.give_up(copy, self.search.policy.out_of_time(self.frontier, self.search.options))

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
        caller = self.search.caller
        caller.options = replace(caller.options, deadline=FOREVER)
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
