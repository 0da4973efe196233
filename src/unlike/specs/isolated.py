"""Generating in a copy of this process, for specs that run code of the user's: predicates, differences, builders.

Whatever that code does to its process, this one lives on. A call that ended the copy, or had to be stopped, is known by
its number; the next copy raises an exception instead of making it, and all goes on as if it had raised.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Literal, TypeVar

from unlike.core import USUAL, Deadline, Isolation
from unlike.errors import UnlikeError
from unlike.foreign import EndedError, LateError, watched_by
from unlike.isolation import Answer, Death
from unlike.isolation.copy import COUNTS, NOWHERE, Blame, Copy, cells, mark
from unlike.isolation.wire import CannotPackError, pack
from unlike.language.values import List, OneOf, Option, Record, Value, has_builder
from unlike.specs.core_difference import Python, parts_of
from unlike.specs.problem import Problem

T = TypeVar("T")
SHORTEST = 0.01  # seconds for a call that begins when the time is over: it finds so by itself
PATIENCE = 3.0  # seconds for a copy to stop when it is asked to


def runs_code(problem: Problem) -> bool:
    """Tell whether the spec asks functions of the user's."""
    return (
        any(each.opaque for each in problem.assertions)
        or any(isinstance(part, Python) for part in parts_of(problem.difference))
        or any(map(has_builder, problem.blanks.values()))
    )


class CallCounter:
    """Numbers the calls of the user's code, and refuses those that are known to be deadly."""

    def __init__(self, deadly: Mapping[int, str], deadline: Deadline) -> None:
        self.deadly, self.deadline = deadly, deadline
        self.number, self.depth = 0, 0
        mark(NOWHERE)

    def enter(self) -> None:
        """Begin a call; one inside another belongs to it."""
        if not self.depth:
            self.number += 1
            if self.number in self.deadly:
                raise EndedError(f"it ended or blocked its process ({self.deadly[self.number]})")
            if self.deadline.is_over():
                raise LateError("the time is over")
            mark(self.number)
        self.depth += 1

    def leave(self) -> None:
        """End a call."""
        self.depth -= 1
        if not self.depth:
            mark(NOWHERE)


def in_copy(
    work: Callable[[Callable[[int], None]], T],
    known: list[object],
    *,
    deadline: Deadline,
    progress: Callable[[int], None] | None,
    isolation: Isolation = USUAL,
) -> T | None:
    """Return what the work gives, done in a copy of this process; nothing if the user stopped it before it had any.

    The work is given a function to tell how many inputs were found. Objects that are `known` to both stay themselves.
    """
    left = deadline.seconds_left()
    isolation = isolation if left is None else isolation.within(max(left, SHORTEST))
    blame = Blame(one_by_one=True)
    while True:
        with Copy(lambda: _outcome(work, blame, known, deadline), isolation, known=known, in_steps=True) as copy:
            stopped = _listen(copy, progress)
            verdict = copy.verdict
        match verdict:
            case Answer(result=(made, None)):
                found: T = made
                return found
            case Answer(result=(_, BaseException() as error)):
                raise error
            case Death() if stopped:
                return None
            case Death() if deadline.is_over() and verdict.at[0] != NOWHERE:
                continue  # the clock ended it, not the code that ran: the next copy finds that it is late
            case Death() if blame.take(verdict):
                continue
            case _:
                raise UnlikeError(f"generating failed in its process: {verdict}")


def sent_from_copy(
    made: Callable[[], T],
    known: list[object],
    *,
    deadline: Deadline,
    rest: Callable[[T], T | None],
    isolation: Isolation = USUAL,
) -> T | Literal[False] | None:
    """Return what a copy of this process makes; nothing if the user stopped it.

    Where that cannot be sent from there, return the `rest` of it that can; False if there is none, and all is to be
    made here.
    """

    def send(_: object) -> T | Literal[False]:
        found = made()
        try:
            pack(found, known)
        except CannotPackError:
            left = rest(found)
            return False if left is None else left
        return found

    return in_copy(send, known, deadline=deadline, progress=None, isolation=isolation)


def _outcome(
    work: Callable[[Callable[[int], None]], T], blame: Blame, known: list[object], deadline: Deadline
) -> tuple[T | None, BaseException | None]:
    """Do the work in the copy; return what it gives, or what it raises."""
    watched_by(CallCounter(blame.deadly, deadline))
    try:
        return work(_show_found), None
    except BaseException as error:  # foreign code may raise anything, and it may not cross
        try:
            pack(error, known)
        except CannotPackError:
            return None, UnlikeError(f"{type(error).__qualname__}: {error}")
        return None, error


def _show_found(found: int) -> None:
    cells()[COUNTS] = found


def _listen(copy: Copy, progress: Callable[[int], None] | None) -> bool:
    """Wait for the end of the copy; tell whether the user stopped it."""
    stopped: float | None = None

    def tick() -> None:
        if stopped is not None:
            if time.monotonic() - stopped > PATIENCE:
                copy.close()
        elif progress is not None:
            progress(copy.cells[COUNTS])

    while copy.verdict is None:
        try:
            for _ in copy.listen(tick):
                pass
        except KeyboardInterrupt:
            if stopped is not None:
                raise
            stopped = time.monotonic()
            os.kill(copy.pid, signal.SIGINT)  # what was found until then is delivered
    return stopped is not None


# -- members of a OneOf stay the objects they are --------------------------------------------------


def members_of(values: Iterable[Value]) -> list[object]:
    """Return the members of every OneOf."""
    return [member for value in values for each in _one_ofs(value) for member in each.members]


def _one_ofs(value: Value) -> Iterator[OneOf]:
    match value:
        case OneOf():
            yield value
        case Option(inner) | List(inner):
            yield from _one_ofs(inner)
        case Record(fields):
            for _, inner in fields:
                yield from _one_ofs(inner)
