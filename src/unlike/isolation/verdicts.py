"""What became of an item, and what can be enforced where."""

from __future__ import annotations

import importlib
import os
import signal
import sys
from dataclasses import dataclass
from typing import Any


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
    try:
        return f"{type(error).__qualname__}: {error}"
    except BaseException as worse:  # an exception whose own text cannot be made
        return f"{type(error).__qualname__} (its text cannot be made: {type(worse).__qualname__})"


def list_unenforced_limits() -> list[str]:
    """Return in words what cannot be enforced on this platform."""
    missing = []
    if not _has_resource() or sys.platform == "darwin":
        missing.append("the limit on memory (address space cannot be limited on this platform)")
    if not hasattr(os, "killpg"):
        missing.append("the end of processes that the code under test started")
    if not hasattr(os, "fork"):
        missing.append("the end of a call that does not return or ends its process, except in exploration")
    return missing


def _has_resource() -> bool:
    try:
        importlib.import_module("resource")
    except ImportError:
        return False
    return True
