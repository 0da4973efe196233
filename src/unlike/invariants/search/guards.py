"""What keeps an invariant that does not end from holding up the search, what is seen of it, and how a search ends.

A run in which nothing is chosen fires no hook, so only a clock can notice that it does not end. The clock does not
decide, though: the run is made again and its lines are counted, so that the answer is the same on every machine.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, Literal, Self, TypeAlias

TICK = 0.2  # seconds of the processor's time; a run that sees two of them is looked at
MOST_LINES = 200_000  # executed in one run that was slow already
MOST_ENDLESS = 20  # runs that do not end, before the search is given up

# too many runs; too many that do not end; it writes; compiled code read an element that was not chosen yet; it said
# something else when asked again; a shape that has a structure, as somebody said, has none
EndedEarly: TypeAlias = Literal["runs", "endless", "wrote", "leaked", "unsteady", "shapeless"]


# none of these is an Exception: code under test must not catch them by the way


class SearchEndError(BaseException):
    """The search ends here, and not by itself: in one word how, and what there is to say of it."""

    def __init__(self, how: EndedEarly, detail: str = "") -> None:
        super().__init__(how, detail)
        self.how = how
        self.detail = detail


class SkippedError(BaseException):
    """From here on the invariant is known to end the process."""


class SlowRunError(BaseException):
    """One run has taken very long."""


class EndlessRunError(BaseException):
    """One run has executed more lines than any that ends."""


OURS = (SearchEndError, KeyboardInterrupt)  # raised on; everything else is an answer of foreign code


class RunClock:
    """A context in which a run that takes almost half a second is ended by SlowRunError; in the main thread only."""

    def __init__(self, seen: InvariantNotes) -> None:
        self.seen = seen  # its `runs` go up with every run
        self.last = -1
        self.is_running = False  # between runs, and where one is made again line by line, nothing hangs
        self.before: Any = None
        self.works = hasattr(signal, "setitimer") and threading.current_thread() is threading.main_thread()

    def __enter__(self) -> Self:
        if self.works:
            self.before = signal.signal(signal.SIGVTALRM, self.tick)
            signal.setitimer(signal.ITIMER_VIRTUAL, TICK, TICK)
        return self

    def __exit__(self, *_: object) -> None:
        if self.works:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            signal.signal(signal.SIGVTALRM, self.before or signal.SIG_DFL)

    def tick(self, *_: object) -> None:
        """End the run that was under way at the tick before."""
        if not self.is_running:
            self.last = -1
            return
        if self.last == self.seen.runs:
            self.last = -1
            raise SlowRunError
        self.last = self.seen.runs


def within_lines(function: Callable[[], object], most: int = MOST_LINES) -> object:
    """Return what the function returns, or raise EndlessRunError once it has executed so many lines."""
    left = most

    def count(_frame: FrameType, event: str, _argument: object) -> Any:
        nonlocal left
        if event == "line":
            left -= 1
            if left < 0:
                raise EndlessRunError
        return count

    before = sys.gettrace()
    sys.settrace(count)
    try:
        return function()
    finally:
        sys.settrace(before)


def ask_slowly(ask: Callable[[], object], seen: InvariantNotes) -> bool:
    """Tell whether an invariant that was slow once accepts, asked again line by line; one that does not end rejects."""
    try:
        return bool(within_lines(ask))
    except OURS:
        raise
    except EndlessRunError:
        seen.endless += 1
        if seen.endless >= MOST_ENDLESS:
            raise SearchEndError("endless") from None
    except BaseException as error:
        seen.note(error)
    return False


@dataclass(slots=True)
class InvariantNotes:
    """What was seen of the invariant on the way."""

    runs: int = 0
    choices: int = 0  # of fields and elements
    questions: int = 0  # about ints
    raised: dict[str, int] = field(default_factory=dict)  # classes of exceptions, and how often
    endless: int = 0
    answers: set[str] = field(default_factory=set)  # classes of what it returned, other than bool
    first_raised: str = ""

    @property
    def steps(self) -> int:
        """Runs, choices and questions: a number of their own for each moment at which the invariant goes on."""
        return self.runs + self.choices + self.questions

    def note(self, error: BaseException) -> None:
        """Take down an exception of the invariant."""
        name = type(error).__name__
        if not self.raised:
            try:
                self.first_raised = f"{name}: {error}"
            except BaseException:  # an exception whose own text cannot be made
                self.first_raised = name
        self.raised[name] = self.raised.get(name, 0) + 1
