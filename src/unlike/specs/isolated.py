"""Generating in a copy of this process, for specs that run code of the user's: predicates, differences, builders.

Whatever that code does to its process, this one lives on. A call that ended the copy, or had to be stopped, is known by
its number; the next copy raises an exception instead of making it, and all goes on as if it had raised.
"""

from __future__ import annotations

import io
import os
import pickle
import signal
import time
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Literal, TypeVar

from unlike.core import USUAL, Deadline, Isolation
from unlike.errors import UnlikeError
from unlike.foreign import EndedError, LateError, watched_by
from unlike.isolation import Answer, Copy, Death, can_fork, cells, is_in_copy, mark
from unlike.language.values import List, OneOf, Option, Record, Value, has_builder
from unlike.specs.core_difference import Python, parts_of
from unlike.specs.problem import Problem

T = TypeVar("T")
SHORTEST = 0.01  # seconds for a call that begins when the time is over: it finds so by itself
PATIENCE = 3.0  # seconds for a copy to stop when it is asked to
RUNNING, CALL, FOUND = 1, 2, 8  # cells


def wants_a_copy(problem: Problem) -> bool:
    """Tell whether inputs of the spec are better made in a copy of this process."""
    return runs_code(problem) and not is_in_copy() and can_fork()


def runs_code(problem: Problem) -> bool:
    """Tell whether the spec asks functions of the user's."""
    return (
        any(each.opaque for each in problem.assertions)
        or any(isinstance(part, Python) for part in parts_of(problem.difference))
        or any(map(has_builder, problem.blanks.values()))
    )


class Counted:
    """Numbers the calls of the user's code, and refuses those that are known to be deadly."""

    def __init__(self, deadly: dict[int, str], deadline: Deadline) -> None:
        self.deadly, self.deadline = deadly, deadline
        self.number, self.depth = 0, 0

    def enter(self) -> None:
        """Begin a call; one inside another belongs to it."""
        self.depth += 1
        if self.depth > 1:
            return
        self.number += 1
        if self.number in self.deadly:
            self.depth -= 1
            raise EndedError(f"it ended or blocked its process ({self.deadly[self.number]})")
        if self.deadline.is_over():
            self.depth -= 1
            raise LateError("the time is over")
        mark(1, self.number)

    def leave(self) -> None:
        """End a call."""
        self.depth -= 1
        if not self.depth:
            mark(0)


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
    left = deadline.left()
    isolation = isolation if left is None else isolation.within(max(left, SHORTEST))
    deadly: dict[int, str] = {}
    while True:
        with Copy(lambda: _packed(work, deadly, known, deadline), isolation, timed=RUNNING) as copy:
            stopped = _listen(copy, progress)
            verdict = copy.verdict
        match verdict:
            case Answer():
                made, error = _Unpickler(io.BytesIO(verdict.result), known).load()
                if error is not None:
                    raise error
                found: T = made
                return found
            case Death() if stopped:
                return None
            case Death() if verdict.at[0] and deadline.is_over():
                continue  # the clock ended it, not the code that ran: the next copy finds that it is late
            case Death() if verdict.at[0]:
                deadly[verdict.at[CALL - 1]] = verdict.cause
            case Death():
                raise UnlikeError(f"generating ended its process: {verdict.cause}")
            case _:
                raise UnlikeError(f"generating failed in its process: {getattr(verdict, 'error', '')}")


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

    def sent(_: object) -> T | Literal[False]:
        found = made()
        if can_travel(found, known):
            return found
        left = rest(found)
        return False if left is None else left

    return in_copy(sent, known, deadline=deadline, progress=None, isolation=isolation)


def _packed(
    work: Callable[[Callable[[int], None]], object], deadly: dict[int, str], known: list[object], deadline: Deadline
) -> bytes:
    watched_by(Counted(deadly, deadline))
    try:
        return _dumped((work(_tell), None), known)
    except UnlikeError as refused:
        return _dumped((None, refused), known)
    except BaseException as error:  # foreign code may raise anything, and it may not travel
        try:
            packed = _dumped((None, error), known)
            pickle.loads(pickle.dumps(error))
        except Exception:
            packed = _dumped((None, UnlikeError(f"{type(error).__qualname__}: {error}")), known)
        return packed


def can_travel(value: object, known: list[object]) -> bool:
    """Tell whether a value can be sent from the copy."""
    try:
        _dumped(value, known)
    except Exception:  # whatever an object says to being pickled
        return False
    return True


def _dumped(value: object, known: list[object]) -> bytes:
    buffer = io.BytesIO()
    _Pickler(buffer, known).dump(value)
    return buffer.getvalue()


def _tell(found: int) -> None:
    cells()[FOUND] = found


def _listen(copy: Copy, progress: Callable[[int], None] | None) -> bool:
    """Wait for the end of the copy; tell whether the user stopped it."""
    stopped: float | None = None

    def tick() -> None:
        if stopped is not None:
            if time.monotonic() - stopped > PATIENCE:
                copy.close()
        elif progress is not None:
            progress(copy.cells[FOUND])

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


class _Pickler(pickle.Pickler):
    def __init__(self, file: io.BytesIO, known: list[object]) -> None:
        super().__init__(file, -1)
        self.numbers = {id(each): number for number, each in enumerate(known)}

    def persistent_id(self, obj: Any) -> int | None:
        """Return the number of an object that both sides have."""
        return self.numbers.get(id(obj))


class _Unpickler(pickle.Unpickler):
    def __init__(self, file: io.BytesIO, known: list[object]) -> None:
        super().__init__(file)
        self.known = known

    def persistent_load(self, pid: Any) -> Any:
        """Return the object of that number."""
        return self.known[pid]
