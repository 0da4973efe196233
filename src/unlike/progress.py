"""How far a verb is: reported from anywhere, also from copies of this process, and read by whoever shows it.

Where somebody watches there is a board: a row of numbers in memory that copies of this process share. To report is to
write them there. Nothing is sent and nobody waits; where nobody watches, nothing is written either.
"""

from __future__ import annotations

import mmap
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TypeVar

T = TypeVar("T")

UNITS: Mapping[str, tuple[str, ...]] = MappingProxyType(  # what each stage counts: first what is done, then the rest
    {
        "exploring": ("states", "level", "frontier", "calls", "errors"),
        "running calls again": ("objects",),
        "generating": ("inputs", "questions"),
        "covering": ("choices", "inputs"),
        "looking for fewer rows": ("steps", "rows"),
        "breaking rules": ("inputs",),
        "spelling": ("strings",),
        "searching": ("structures", "runs"),
        "compiling": ("objects",),
        "covering fields": ("pairs", "structures", "questions"),
        "looking for a smaller suite": ("questions", "structures"),
        "comparing": ("objects",),
        "trying the original": ("calls",),
        "trying mutants": ("mutants",),
        "judging survivors": ("mutants",),
        "choosing": ("steps",),
        "running": ("candidates",),
        "evolving": ("rounds", "sets"),
    }
)
STAGES = tuple(UNITS)
STAGE, OF, DONE = 0, 1, 2  # places on the board; the other numbers follow
PLACES = 8  # numbers on the board: stage, of, done and up to five more
MOST = (1 << 63) - 1  # what a place on the board holds


@dataclass(frozen=True, slots=True)
class Progress:
    """Where a verb stands: at which stage, how much is done, of how much (if that is known), and other numbers."""

    stage: str
    done: int
    of: int | None = None
    more: Mapping[str, int] = field(default_factory=dict)
    seconds: float = 0.0  # since the stage began, where the one who reports knows it

    @property
    def unit(self) -> str:
        """What is counted."""
        return UNITS[self.stage][0]


class Board:
    """The numbers of the last report, in memory that copies of this process share."""

    def __init__(self) -> None:
        self.numbers = memoryview(mmap.mmap(-1, 8 * PLACES)).cast("q")
        self.numbers[STAGE] = -1

    def write(self, stage: str, of: int | None, numbers: tuple[int | None, ...]) -> None:
        """Put down where the verb stands; a number that is None stays as it was."""
        row, number = self.numbers, STAGES.index(stage)
        if row[STAGE] != number:
            row[DONE:] = memoryview(bytes(8 * (PLACES - DONE))).cast("q")
        row[STAGE], row[OF] = number, -1 if of is None else min(of, MOST)
        for place, each in enumerate(numbers, DONE):
            if each is not None:
                row[place] = min(each, MOST)

    def read(self) -> Progress | None:
        """Return the last report, if there was one."""
        number, of, *numbers = self.numbers.tolist()
        if not 0 <= number < len(STAGES):
            return None
        names = UNITS[STAGES[number]]
        return Progress(
            STAGES[number], numbers[0], None if of < 0 else of, dict(zip(names[1:], numbers[1:], strict=False))
        )


_boards: list[Board | None] = []  # of those who watch; the last one counts


@contextmanager
def watch_progress() -> Iterator[Board]:
    """Have everything that is reported written on a board."""
    board = Board()
    _boards.append(board)
    try:
        yield board
    finally:
        _boards.remove(board)


@contextmanager
def hide_progress() -> Iterator[None]:
    """Have nothing written of what is reported: it is a small part of something larger."""
    _boards.append(None)
    try:
        yield
    finally:
        _boards.pop()


def report(stage: str, *numbers: int | None, of: int | None = None) -> None:
    """Say where the verb stands: the numbers that the stage counts, in order; None for one that is not known here."""
    board = _boards[-1] if _boards else None
    if board is not None:
        board.write(stage, of, numbers)


def report_each(stage: str, items: Iterable[T], of: int) -> Iterator[T]:
    """Yield the items, and say before each how many there were."""
    for number, item in enumerate(items):
        report(stage, number, of=of)
        yield item


def report_question() -> None:
    """Say that a solver answered one more question, where that is counted."""
    board = _boards[-1] if _boards else None
    if board is not None and board.numbers[STAGE] == STAGES.index("generating"):
        board.numbers[DONE + 1] += 1


def report_progress(progress: Progress) -> None:
    """Say where the verb stands, as it was told by somebody else."""
    report(progress.stage, progress.done, *progress.more.values(), of=progress.of)


def teller() -> Callable[[Progress], None] | None:
    """Return whom to tell: nobody, if nobody watches."""
    return report_progress if _boards and _boards[-1] is not None else None
