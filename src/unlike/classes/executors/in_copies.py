"""Several copies of this process share the units of one level.

Each takes the next few units until none are left, and sends what it found there. This process takes the reports in
the order of the units, so it knows in the end what one copy alone would have found, by the same calls. Whatever is
unusual (a death, a class that is met for the first time, things that two copies numbered alike) ends the sharing:
one copy alone then goes on from the last report that was taken.
"""

from __future__ import annotations

import functools
import itertools
import os
import selectors
from typing import Self

from unlike import heap
from unlike.classes.executors.marks import CopyMarks, Faults
from unlike.classes.executors.transfer import Report, from_bytes, take_report
from unlike.classes.run import SearchRun
from unlike.isolation import Answer, Copy, mark, piece_sizes, send

MOST_UNITS = 512  # of a piece,
MOST_PIECES = 8_192  # unless there were too many pieces for the queue
PAUSE = 0.05  # seconds


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
                caller.call(unit)
                frontier.done += 1
                marks.end_unit(at_once=caller.batched)
                caller.batched = False
            done = piece.stop
            mark()
            send((number, marks.reporter.report()))
    return "done"


class Member:
    """One of the copies, and how far it and this process are in step, though others have sent their pieces, too."""

    def __init__(self, run: SearchRun, pieces: list[range], queue: int) -> None:
        self.theirs = self.ours = heap.extent(run.code.walker)
        run.caller.marks = marks = SharedMarks(run, Faults())
        work = functools.partial(_do_pieces, run, marks, pieces, queue)
        self.copy = Copy(work, run.options.isolation)

    @property
    def is_lost(self) -> bool:
        """Whether it has ended, and not because there was nothing left to do."""
        verdict = self.copy.verdict
        return verdict is not None and not isinstance(verdict, Answer)

    def takes(self, run: SearchRun, report: Report) -> bool:
        """Let the search know of a piece, after all that come before it; False where copies numbered things alike."""
        if report.extent != self.theirs:
            if heap.extent(run.code.walker) != self.ours:
                return False
            heap.import_from(run.code.walker, report.numbered)
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
        self.waiting: dict[int, tuple[Member, bytes]] = {}  # pieces that came before their turn
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
            for number, packed in member.copy.news(heard=True):
                self.waiting[number] = member, packed
        while self.taken in self.waiting:
            member, packed = self.waiting.pop(self.taken)
            if not member.takes(run, from_bytes(packed, run.api)):
                return False
            piece = self.pieces[self.taken]
            self.taken += 1
            run.frontier.done, run.caller.parents = piece.stop, self.parents + piece.stop
            if len(run.frontier) > run.options.exploring.most_states:
                return False
        return self.taken < len(self.pieces) and not any(member.is_lost for member in self.members)

    def listen(self) -> list[Member]:
        """Return who has sent something, after looking who died or is late."""
        at_work = [member for member in self.members if member.copy.verdict is None]
        with selectors.DefaultSelector() as selector:
            for member in at_work:
                selector.register(member.copy.line, selectors.EVENT_READ, member)
            heard = [key.data for key, _ in selector.select(PAUSE)]
        for member in at_work:
            if member not in heard:
                member.copy.news(heard=False)
        return heard
