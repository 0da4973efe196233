"""What keeps an invariant that does not end from holding up the search, what is seen of it, and how a search ends.

A run in which nothing is chosen fires no hook, so only a clock can notice that it does not end. The clock does not
decide, though: the run is made again and its lines are counted, so that the answer is the same on every machine.
"""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from types import FrameType
from typing import Any, Literal, Self, TypeAlias

from unlike.heap.fields import slot_descriptors
from unlike.invariants.fields.domains import FieldTable

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

    def says(self, invariant: Callable[[Any], object], thing: Any) -> bool:
        """Return what the invariant says of an object that belongs to no search; an exception is a no."""
        try:
            self.is_running = True
            try:
                return bool(invariant(thing))
            finally:
                self.is_running = False
        except OURS:
            raise
        except SlowRunError:
            return ask_slowly(lambda: invariant(thing), self.seen)
        except BaseException:  # the invariant is foreign code and may raise anything
            return False

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
    last_read: dict[str, int] = field(default_factory=dict)  # fields that runs ended at, as long as none was accepted
    asked: list[tuple[Any, bool]] = field(default_factory=list)  # some structures, and what was said of them

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


# -- open fields on the user's own classes -----------------------------------------------------------------

Choose = Callable[[Any, str], Any]
ABSENT = object()


class OpenField:
    """A field of a class with a dictionary; what an object holds itself comes first."""

    def __init__(self, name: str, choose: Choose, before: Any) -> None:
        self.name = name
        self.choose = choose
        self.before = before  # what the class has under this name: a default

    def __get__(self, thing: Any, cls: type | None = None) -> Any:
        if thing is not None:
            value = self.choose(thing, self.name)
            if value is not ABSENT:
                return value
        if self.before is ABSENT:
            raise AttributeError(f"{(cls or type(thing)).__name__!r} object has no attribute {self.name!r}")
        return self.before.__get__(thing, cls) if hasattr(self.before, "__get__") else self.before


@dataclass(eq=False)
class ClassHooks:
    """The changes to the classes of a table; use it as a context, and they are undone when it is left.

    A field that an object does not hold yet is asked for through a descriptor that gives way to whatever the object
    holds (or, for slots, through `__getattr__`), so a field that was chosen costs nothing when it is read again. Only
    the objects of the search are open; any other object of the class behaves as always. Writing to them is refused.

    `choose` returns what to read in a field of one of the objects that is still open, ABSENT for other objects.
    """

    table: FieldTable
    is_ours: Callable[[Any], bool]
    choose: Choose
    descriptor: Callable[[type, OpenField], Any] = lambda _, found: found  # what stands in the place of an open field
    saved: list[tuple[type, str, Any]] = field(default_factory=list)

    def __enter__(self) -> None:
        try:
            for each in self.table.classes:
                self._open(each.cls, [each_field.name for each_field in each.fields])
        except BaseException:
            self._undo()
            raise

    def __exit__(self, *_: object) -> None:
        self._undo()

    def _open(self, cls: type, names: Sequence[str]) -> None:
        slots = {slot.__name__ for slot in slot_descriptors(cls)}
        for name in names:
            if name not in slots:
                self._put(cls, name, self.descriptor(cls, OpenField(name, self.choose, _look_up(cls, name))))
        if slots:
            self._put(cls, "__getattr__", self._getattr(frozenset(slots & set(names)), _look_up(cls, "__getattr__")))
        self._put(cls, "__setattr__", self._guard(cls.__setattr__))
        self._put(cls, "__delattr__", self._guard(cls.__delattr__))

    def _getattr(self, names: frozenset[str], before: Any) -> Callable[[Any, str], Any]:
        choose = self.choose

        def __getattr__(thing: Any, name: str) -> Any:  # noqa: N807
            if name in names:
                value = choose(thing, name)
                if value is not ABSENT:
                    return value
            if before is not ABSENT:
                return before(thing, name)
            raise AttributeError(f"{type(thing).__name__!r} object has no attribute {name!r}")

        return __getattr__

    def _guard(self, before: Any) -> Callable[..., None]:
        is_ours = self.is_ours

        def guard(thing: Any, name: str, *value: Any) -> None:
            if is_ours(thing):
                raise SearchEndError("wrote", f"{type(thing).__name__}.{name}")
            before(thing, name, *value)  # an object the invariant made for itself

        return guard

    def _put(self, cls: type, name: str, value: Any) -> None:
        self.saved.append((cls, name, vars(cls).get(name, ABSENT)))
        setattr(cls, name, value)

    def _undo(self) -> None:
        for cls, name, value in reversed(self.saved):
            if value is ABSENT:
                delattr(cls, name)
            else:
                setattr(cls, name, value)
        self.saved.clear()


def _look_up(cls: type, name: str) -> Any:
    """Return what the class or a base has under the name, as it is defined."""
    return next((vars(each)[name] for each in cls.__mro__ if name in vars(each)), ABSENT)
