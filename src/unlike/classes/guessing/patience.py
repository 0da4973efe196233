"""Interrupt calls for trial that do not return, where signals allow it."""

from __future__ import annotations

import contextlib
import signal
import threading
from collections.abc import Iterator

PATIENCE = 1.0  # seconds that a call may take in a trial
SHORTEST = 0.05  # likewise where the time is over: what was begun is no call that hangs


class NoReturnError(BaseException):  # not an Exception: code under test must not catch it by the way
    """A call for trial did not return."""


def _can_interrupt() -> bool:
    return hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()


@contextlib.contextmanager
def alarm() -> Iterator[None]:
    """Let an alarm interrupt calls, where signals allow it."""
    if not _can_interrupt():
        yield
        return

    def ring(*_: object) -> None:
        raise NoReturnError

    before = signal.signal(signal.SIGALRM, ring)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


@contextlib.contextmanager
def in_time(left: float | None = None) -> Iterator[None]:
    """Interrupt what does not return, sooner where fewer seconds are left for all."""
    if not _can_interrupt():
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, PATIENCE if left is None else min(PATIENCE, max(left, SHORTEST)))
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
