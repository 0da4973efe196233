"""Calls of functions that the user wrote. In a process of its own, somebody watches each of them."""

from __future__ import annotations

import io
import re
import sys
import types
from collections.abc import Callable
from typing import Any, Protocol, TypeVar

T = TypeVar("T")
MOST_TEXT = 10_000  # characters of what an exception says


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


def _nothing() -> None:
    """Put nothing back."""


_tidy_up: Callable[[], object] = _nothing


def tidied_by(tidy_up: Callable[[], object]) -> None:
    """Let this be called after each foreign call of this process, to put back what it may have replaced."""
    global _tidy_up
    _tidy_up = tidy_up


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
        _tidy_up()
        _watch.leave()


def without_address(text: str) -> str:
    """Return a text without the addresses of objects, which are others in every run."""
    return re.sub(" at 0x[0-9a-fA-F]+", "", text)


# -- exceptions: their classes may lie, and whatever is asked of them may raise or exit --------------------

_trace_of: Any = vars(BaseException)["__traceback__"].__get__
_args_of: Any = vars(BaseException)["args"].__get__
_name_of_class: Any = vars(type)["__qualname__"].__get__
_module_of_class: Any = vars(type)["__module__"].__get__
_bases_of_class: Any = vars(type)["__mro__"].__get__


def trace_of(error: BaseException) -> types.TracebackType | None:
    """Return where an exception was raised."""
    found: types.TracebackType | None = _trace_of(error)
    return found


def is_of(error: BaseException, classes: type | tuple[type, ...]) -> bool:
    """Tell whether an exception is of one of the classes, whatever it says itself."""
    return issubclass(type(error), classes)


def name_of_class(cls: type) -> str:
    """Return the name of a class, whatever its metaclass says."""
    return str(_name_of_class(cls))


def module_of(cls: type) -> str:
    """Return the module that a class names, or nothing: one made by `type(…)` in code without a module names none."""
    try:
        named = _module_of_class(cls)
    except AttributeError:
        return ""
    return named if isinstance(named, str) else ""


def bases_of(cls: type) -> tuple[type, ...]:
    """Return a class and those it extends, whatever its metaclass says."""
    found: tuple[type, ...] = _bases_of_class(cls)
    return found


def package_of(thing: object) -> str:
    """Return the package that a class, function or method says it is of, or nothing: those of C may name no module."""
    try:
        module = getattr(thing, "__module__", None)
    except BaseException:  # a metaclass may raise anything
        return ""
    return module.partition(".")[0] if isinstance(module, str) else ""


def text_of(error: BaseException) -> str:
    """Return what an exception says; its beginning, where that is long."""
    try:
        text = str(error)
        return text if len(text) <= MOST_TEXT else f"{text[:MOST_TEXT]}…"
    except BaseException as broken:  # an exception whose own text cannot be made
        _tidy_up()
        return f"<its text cannot be made: {name_of_class(type(broken))}>"


def describe_error(error: BaseException) -> str:
    """Return the type of an exception, and the first line of what it says."""
    said = error.args[0] if error.args and isinstance(error.args[0], str) else str(error)
    if callable(report := getattr(error, "errors", None)):  # pydantic: a report of several errors
        said = next((str(each.get("msg")) for each in report() if isinstance(each, dict)), said)
    text = next(iter(said.splitlines()), "")
    return f"{type(error).__name__}: {text}" if text else type(error).__name__


class silence:  # noqa: N801  # used as a function; a class is entered in half the time of a generator
    """Let nothing be heard of what foreign code prints."""

    __slots__ = ("before",)

    def __enter__(self) -> None:
        self.before = sys.stdout, sys.stderr
        sys.stdout, sys.stderr = io.StringIO(), io.StringIO()

    def __exit__(self, *_: object) -> None:
        sys.stdout, sys.stderr = self.before
