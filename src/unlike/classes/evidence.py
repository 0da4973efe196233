"""What calls came to, judged and added up: the same whether made here, in a copy of this process, or in pieces.

Whoever makes calls fills an Evidence, and hands it on now and then; whoever holds the states merges what comes.
"""

from __future__ import annotations

import collections
import enum
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from unlike.classes.api import Api, Operation, Refusal
from unlike.classes.recipes import sequence_text
from unlike.classes.refusals import is_own_code
from unlike.classes.soundness import Soundness
from unlike.core import FOREVER, USUAL, Deadline, Exploring, Isolation, StateMatching
from unlike.errors import TargetError
from unlike.foreign import name_of_class, text_of, trace_of
from unlike.heap.layout import CANNOT_BE_SEEN, OpaqueError
from unlike.isolation.verdicts import ENDLESS
from unlike.progress import Progress
from unlike.recipe import Recipe

MOST_MET = 1_000  # occurrences of one error that are kept with their calls
ENDED = "ended or blocked its process"
LEFT_CHANGED = "raised and left the object changed"
TOLD_EVERY = 0.1  # seconds
LATE = "took more than "
DEADLY = ("killed by ", "left with exit code ", LATE, ENDLESS)  # how the cause of such an end begins


class Outcome(enum.StrEnum):
    """What a call came to."""

    NEW = "new state"
    KNOWN = "known state"
    OUTSIDE = "outside the scope"
    PRECONDITION = "precondition violated"
    ERROR = "error revealed"


@dataclass(frozen=True, slots=True)
class Failure:
    """Why a call revealed an error: what was raised where, or which invariant broke."""

    reason: str  # "raised", "raised and left the object changed", "invariant rep_ok is broken"
    exception: str = ""  # the class of the exception, by name
    message: str = ""
    place: str = ""  # file:function:line of the innermost frame
    fields: str = ""  # in which the object was left changed, where that is known

    @property
    def kind(self) -> tuple[str, ...]:
        """What two failures of one error have in common: not the place where a call was stopped, which is chance."""
        return self.reason, self.exception, "" if self.exception.startswith(LATE) else self.place

    def __str__(self) -> str:
        raised = ": ".join(part for part in (self.exception, self.message) if part) if self.exception else ""
        reason = f"{self.reason} ({self.fields})" if self.fields else self.reason
        parts = [reason, raised, f"at {self.place}" if self.place else ""]
        return ", ".join(part for part in parts if part)


@dataclass(frozen=True, slots=True)
class Fault:
    """How a call ended its process, or had to be stopped."""

    cause: str  # "killed by SIGSEGV", "took more than 5 s"
    output: str = ""
    place: str = ""
    in_invariant: bool = False  # the call returned, and the invariant did not

    def failure(self, sound: Soundness | None) -> Failure:
        """Return the failure it stands for."""
        reason = describe_broken(sound.name) if self.in_invariant and sound is not None else ENDED
        return Failure(reason, self.cause, "", self.place)


def describe_broken(invariant: str) -> str:
    """Return the words for an invariant that does not hold."""
    return f"invariant {invariant} is broken"


@dataclass(frozen=True, slots=True)
class Options:
    """How to search: everything that is not the space itself."""

    states: StateMatching = field(default_factory=StateMatching)
    exploring: Exploring = field(default_factory=Exploring)
    isolation: Isolation = USUAL
    deadline: Deadline = FOREVER
    on_progress: Callable[[Progress], None] | None = None


def progress_of(states: int, level: int, frontier: int, calls: int, errors: int, seconds: float) -> Progress:
    """Return where a search stands."""
    more = {"level": level, "frontier": frontier, "calls": calls, "errors": errors}
    return Progress("exploring", states, None, more, seconds)


class FoundClass(Exception):  # noqa: N818  # news, not an error
    """A call returned an object of a class that has operations of its own and is not explored yet."""

    def __init__(self, cls: type) -> None:
        super().__init__(cls.__qualname__)
        self.cls = cls


def nothing_built(api: Api, outside: Sequence[str]) -> TargetError | OpaqueError:
    """Return the refusal for classes of which no object could be made: why, and what to declare."""
    name = ", ".join(cls.__name__ for cls in api.classes)
    if hidden := next((reason for reason in outside if CANNOT_BE_SEEN in reason), None):
        return OpaqueError(hidden)
    if reasons := "; ".join(outside):
        return TargetError(
            f"every {name} is outside the scope: {reasons}; use a larger --scope, --objects or --elements"
        )
    refused: list[Refusal] = [each for each in api.refusals if each.title in {cls.__name__ for cls in api.classes}]
    if not api.makers():
        reasons = "; ".join(map(str, refused)) or "there is no constructor"
        return TargetError(f"no {name} can be constructed: {reasons}")
    maker = api.makers()[0]
    if not maker.parameters:
        calls = f"list calls it accepts, as tuples of arguments: --literals '{maker.title}=(0,),(1,)'"
        return TargetError(f"no {name} can be constructed: {maker} was refused; {calls}")
    parameter = maker.parameters[0].name
    return TargetError(
        f"no {name} can be constructed: every constructor refused its arguments ({maker}); "
        f"declare values it accepts, such as --literals {maker.title}.{parameter}=…"
    )


def failure_of(error: BaseException, reason: str) -> Failure:
    """Return the failure that an exception stands for."""
    frames = [frame for frame in traceback.walk_tb(trace_of(error)) if not is_own_code(frame[0].f_code)]
    place = ""
    if frames:
        frame, line = frames[-1]
        place = f"{frame.f_code.co_filename}:{frame.f_code.co_name}:{line}"
    return Failure(reason, name_of_class(type(error)), text_of(error), place)


@dataclass(slots=True)
class Tally:
    """What is known of one operation."""

    outcomes: collections.Counter[Outcome] = field(default_factory=collections.Counter)
    answers: bool = False  # it returned at least once
    changes: bool = False  # it changed an object at least once

    def merge(self, later: Tally) -> None:
        """Add what was seen later."""
        self.outcomes.update(later.outcomes)
        self.answers |= later.answers
        self.changes |= later.changes


class HangError(BaseException):  # not an Exception: code under test must not catch it by the way
    """A call did not return in time."""


@dataclass(slots=True)
class Revealed:
    """One error that calls revealed, and how often; the sequence that shows it is made when the search is over."""

    operation: str
    failure: Failure
    calls: int  # of the shortest sequence that shows it
    exception_class: type[BaseException] | None = field(default=None, repr=False)
    times: int = 0
    output: str = ""  # what the first of these calls printed
    doubt: str = ""  # why it is likely no error
    met: list[tuple[Any, ...]] = field(default_factory=list, repr=False)  # states and call; and the point, if open
    recipe: Recipe = field(init=False, repr=False, compare=False)  # its last step fails, or breaks the invariant

    @property
    def is_deadly(self) -> bool:
        """Whether the call ended its process or had to be stopped."""
        return self.failure.reason == ENDED or self.failure.exception.startswith(DEADLY)

    @property
    def hung(self) -> bool:
        """Whether the call did not return."""
        return self.exception_class is not None and issubclass(self.exception_class, HangError)

    @property
    def sequence(self) -> str:
        """The calls that show it, on one line."""
        return sequence_text(self.recipe)

    def meet(self, *place: Any) -> None:
        """Count it once more, on these states by this call."""
        self.times += 1
        if len(self.met) < MOST_MET:
            self.met.append(place)

    def merge(self, later: Revealed) -> None:
        """Add how often it was met later."""
        self.times += later.times
        self.met += later.met[: MOST_MET - len(self.met)]

    def __str__(self) -> str:
        calls = "1 call" if self.calls == 1 else f"{self.calls} calls"
        times = "once" if self.times == 1 else f"{self.times} times"
        return f"{self.operation}: {self.failure} (after {calls}, met {times})"


@dataclass(slots=True)
class Evidence:
    """What calls came to."""

    tallies: dict[Operation, Tally]
    calls: int = 0
    outside: collections.Counter[str] = field(default_factory=collections.Counter)  # why, and how often
    larger: dict[tuple[str, str], Any] = field(default_factory=dict)  # by reason and operation, the first such graph
    unsteady: dict[str, bool] = field(default_factory=dict)  # did not do the same again: whether states differed, too
    leaks: dict[str, str] = field(default_factory=dict)  # what was changed outside the objects, and by which operation
    ties: dict[str, None] = field(default_factory=dict)  # operations after which several objects share parts
    compared: dict[str, None] = field(default_factory=dict)  # how objects were compared that hide their state
    # operations that lead elsewhere where sets go another way, and whether those sets go the same way in every run
    by_order: dict[str, bool] = field(default_factory=dict)
    by_passed: dict[str, bool] = field(default_factory=dict)  # likewise where only sets that were passed do
    through_sets: dict[str, None] = field(default_factory=dict)  # operations that go through sets of several members
    untried_sets: bool = False  # there were sets on which this was not tried
    lost: list[Fault] = field(default_factory=list)  # objects that no process survived to make again
    errors: dict[tuple[str, ...], Revealed] = field(default_factory=dict)
    notes: Any = None  # what a policy writes down beyond all this; it has a `merge`, too

    def merge(self, later: Evidence) -> None:
        """Add what calls came to that were made later: where only one can stay, the first does."""
        for operation, tally in later.tallies.items():
            self.tallies[operation].merge(tally)
        self.calls += later.calls
        self.outside.update(later.outside)
        self.larger = {**later.larger, **self.larger}
        for title, states_differ in later.unsteady.items():
            self.unsteady[title] = self.unsteady.get(title, False) or states_differ
        self.leaks = {**self.leaks, **later.leaks, **self.leaks}
        self.ties |= later.ties
        self.compared |= later.compared
        for mine, theirs in ((self.by_order, later.by_order), (self.by_passed, later.by_passed)):
            for title, is_steady in theirs.items():
                mine[title] = mine.get(title, True) and is_steady
        self.through_sets |= later.through_sets
        self.untried_sets |= later.untried_sets
        self.lost += later.lost
        for key, error in later.errors.items():
            if key in self.errors:
                self.errors[key].merge(error)
            else:
                self.errors[key] = error
        if self.notes is not None:
            self.notes.merge(later.notes)
