"""What became of an item."""

from __future__ import annotations

import signal
from dataclasses import dataclass
from typing import Any

from unlike.foreign import name_of_class, text_of

ENDLESS = "waits for ever for a lock"  # that nobody can release


@dataclass(frozen=True, slots=True)
class Answer:
    """The work returned."""

    item: Any
    result: Any
    output: str = ""  # what was printed meanwhile


@dataclass(frozen=True, slots=True)
class Raised:
    """The work raised: an exception of its own, not of the process."""

    item: Any
    error: str
    output: str = ""

    def __str__(self) -> str:
        return self.error


@dataclass(frozen=True, slots=True)
class Death:
    """The item killed its worker, or had to be stopped."""

    item: Any
    cause: str
    output: str = ""
    at: tuple[int, ...] = ()  # its last mark, if the work made any
    place: str = ""  # file:function:line, where that is known

    def __str__(self) -> str:
        return self.cause


Verdict = Answer | Raised | Death


def describe_exit(code: int) -> str:
    """Return in words how a process ended, given its exit code as Python has it: negative for a signal."""
    if code >= 0:
        return f"left with exit code {code}"
    try:
        return f"killed by {signal.Signals(-code).name}"
    except ValueError:  # of a real-time signal, which has no name
        return f"killed by signal {-code}"


def describe_error(error: BaseException) -> str:
    """Return an exception in words."""
    return f"{name_of_class(type(error))}: {text_of(error)}"
