"""What keeps an invariant that does not end from holding up the search.

A run in which nothing is chosen fires no hook, so only a clock can notice that it does not end. The clock does not
decide, though: the run is made again and its lines are counted, so that the answer is the same on every machine.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from types import FrameType
from typing import Any, Protocol

TICK = 0.2  # seconds of the processor's time; a run that sees two of them is looked at
MOST_LINES = 200_000  # executed in one run that was slow already


class HangError(BaseException):  # not an Exception: code under test must not catch it by the way
    """One run has taken very long."""


class EndlessError(BaseException):  # as above
    """One run has executed more lines than any that ends."""


class Counting(Protocol):
    """Something whose `runs` go up with every run."""

    runs: int


class Watch:
    """A context in which a run that takes almost half a second is ended by HangError; in the main thread only."""

    def __init__(self, counting: Counting) -> None:
        self.counting = counting
        self.last = -1
        self.before: Any = None
        self.works = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()

    def __enter__(self) -> None:
        if self.works:
            self.before = signal.signal(signal.SIGVTALRM, self.tick)
            signal.setitimer(signal.ITIMER_VIRTUAL, TICK, TICK)

    def __exit__(self, *_: object) -> None:
        if self.works:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, self.before or signal.SIG_DFL)

    def tick(self, *_: object) -> None:
        """End the run that was under way at the tick before."""
        if self.last == self.counting.runs:
            self.last = -1
            raise HangError
        self.last = self.counting.runs


def within_lines(function: Callable[[], object], most: int = MOST_LINES) -> object:
    """Return what the function returns, or raise EndlessError once it has executed so many lines."""
    left = most

    def count(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal left
        if event == "line":
            left -= 1
            if left < 0:
                raise EndlessError
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        return function()
    finally:
        sys.settrace(before)
