"""What the code under test may change in its process, besides objects: read, compared, and put back.

One table says what there is, and for each how it is read and how it is put back; what cannot be put back (a thread, a
process) stays, and whoever asks has to judge whether the process is still of use.
"""

from __future__ import annotations

import contextlib
import locale
import os
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from typing import Any

from unlike.isolation.limits import resource

HANDLED = (signal.SIGINT, signal.SIGTERM, *([signal.SIGALRM] if hasattr(signal, "SIGALRM") else []))
TIMERS = (signal.ITIMER_REAL, signal.ITIMER_VIRTUAL, signal.ITIMER_PROF) if hasattr(signal, "getitimer") else ()
LIMITED = () if resource is None else (resource.RLIMIT_AS, resource.RLIMIT_NOFILE, resource.RLIMIT_STACK)


def process_state() -> dict[str, object]:
    """Return what the code under test may have changed in this process, by name: compare it before and after.

    For work that is rehearsed in a copy: what leaves traces there is not to be done here.
    """
    return {name: read() for name, (read, _) in PARTS.items()}


def restore_process(before: Mapping[str, object]) -> None:
    """Put back what can be put back."""
    for name, (read, put_back) in PARTS.items():
        if put_back is not None and read() != before[name]:
            # a directory that is gone, a limit that was lowered for good
            with contextlib.suppress(OSError, ValueError):
                put_back(before[name])


def _directory() -> str:
    try:
        return os.getcwd()  # noqa: PTH109  # asked for after every call
    except OSError:  # it was removed
        return ""


def _handlers() -> tuple[Any, ...]:
    return tuple([signal.getsignal(number) for number in HANDLED])


def _set_handlers(handlers: tuple[Any, ...]) -> None:
    for number, handler in zip(HANDLED, handlers, strict=True):
        signal.signal(number, handler)


def _timers() -> tuple[bool, ...]:
    return tuple([signal.getitimer(each) != (0.0, 0.0) for each in TIMERS])


def _stop_timers(before: tuple[bool, ...]) -> None:
    for each, ran in zip(TIMERS, before, strict=True):
        if not ran:  # one that ran before belongs to somebody who still waits for it
            signal.setitimer(each, 0)


def _limits() -> tuple[tuple[int, int], ...]:
    return tuple([resource.getrlimit(each) for each in LIMITED])


def _set_limits(limits: tuple[tuple[int, int], ...]) -> None:
    for each, limit in zip(LIMITED, limits, strict=True):
        resource.setrlimit(each, limit)


def _mask() -> int:
    os.umask(mask := os.umask(0o77))
    return mask


def _environment() -> dict[Any, Any]:
    coded: dict[Any, Any] = os.environ._data  # type: ignore[attr-defined]  # as it is kept: read without decoding
    return coded.copy()


def _set_environment(environment: dict[Any, Any]) -> None:
    now = _environment()
    for key in now.keys() | environment.keys():
        if now.get(key) != environment.get(key):
            name = os.environ.decodekey(key)
            if key in environment:
                os.environ[name] = os.environ.decodevalue(environment[key])
            else:
                del os.environ[name]


def _hooks() -> tuple[Any, Any]:
    return sys.gettrace(), sys.getprofile()


def _set_hooks(hooks: tuple[Any, Any]) -> None:
    sys.settrace(hooks[0])
    sys.setprofile(hooks[1])


def _open_standard_files() -> tuple[bool, ...]:
    return tuple([_is_open(number) for number in (0, 1, 2)])


def _is_open(number: int) -> bool:
    try:
        os.fstat(number)
    except OSError:
        return False
    return True


_forks: int | None = None  # copies of itself that this process made, since somebody asked


def _count_fork() -> None:
    global _forks
    _forks = (_forks or 0) + 1


def count_forks() -> int:
    """Return how many copies of itself this process has made since this was asked for the first time."""
    global _forks
    if _forks is None:
        _forks = 0
        if hasattr(os, "register_at_fork"):
            os.register_at_fork(after_in_parent=_count_fork)  # hooks cannot be taken back: one is enough
    return _forks


PARTS: dict[str, tuple[Callable[[], object], Callable[[Any], object] | None]] = {
    "the working directory": (_directory, os.chdir),
    "signal handlers": (_handlers, _set_handlers),
    "timers": (_timers, _stop_timers),
    "limits": (_limits, _set_limits),
    "the mask of file modes": (_mask, os.umask),
    "the locale": (lambda: locale.setlocale(locale.LC_ALL), lambda name: locale.setlocale(locale.LC_ALL, name)),
    "the environment": (_environment, _set_environment),
    "the recursion limit": (sys.getrecursionlimit, sys.setrecursionlimit),
    "trace functions": (_hooks, _set_hooks),
    "standard output": (_open_standard_files, None),  # `take_output` opens it again
    "threads": (threading.active_count, None),
    "processes": (count_forks, None),
}
