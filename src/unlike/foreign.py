"""Calls of functions that the user wrote. In a process of its own, somebody watches each of them."""

from __future__ import annotations

import contextlib
import io
import re
from collections.abc import Callable, Iterator
from typing import Any, Protocol, TypeVar

T = TypeVar("T")


class Watch(Protocol):
    """Looks on while foreign code runs."""

    def enter(self) -> None:
        """Take note of a call that begins, or refuse it by raising."""

    def leave(self) -> None:
        """Take note that it is over, whatever became of it."""


class EndedError(Exception):
    """A function of the user's ended or blocked its process, so it is not called again."""


class LateError(EndedError):
    """The time for all of it is over, so no function of the user's is called any more."""


_watch: Watch | None = None


def watched_by(watch: Watch) -> None:
    """Let all foreign calls of this process be watched."""
    global _watch
    _watch = watch


def foreign(function: Callable[..., T], /, *args: Any, **kwargs: Any) -> T:
    """Call a function of the user's."""
    if _watch is None:
        return function(*args, **kwargs)
    _watch.enter()
    try:
        return function(*args, **kwargs)
    finally:
        _watch.leave()


def without_address(text: str) -> str:
    """Return a text without the addresses of objects, which are others in every run."""
    return re.sub(" at 0x[0-9a-fA-F]+", "", text)


def describe_error(error: BaseException) -> str:
    """Return the type of an exception, and the first line of what it says."""
    said = error.args[0] if error.args and isinstance(error.args[0], str) else str(error)
    if callable(report := getattr(error, "errors", None)):  # pydantic: a report of several errors
        said = next((str(each.get("msg")) for each in report() if isinstance(each, dict)), said)
    text = next(iter(said.splitlines()), "")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


@contextlib.contextmanager
def silence() -> Iterator[None]:
    """Let nothing be heard of what foreign code prints."""
    with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
        yield
