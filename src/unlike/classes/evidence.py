"""What calls came to, added up: the same whether they were made here, in a copy of this process, or in pieces.

Whoever makes calls fills an Evidence, and hands it on now and then; whoever holds the states merges what comes.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Self

from unlike.classes.api import Operation
from unlike.classes.judging import Failure, Fault, Outcome
from unlike.classes.recipes import sequence_text
from unlike.recipe import Recipe

MOST_MET = 1_000  # occurrences of one error that are kept with their calls


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


@dataclass(slots=True)
class Revealed:
    """One error that calls revealed, and how often; the sequence that shows it is made when the search is over."""

    operation: str
    failure: Failure
    calls: int  # of the shortest sequence that shows it
    exception_class: type[BaseException] | None = field(default=None, repr=False)
    times: int = 0
    output: str = ""  # what the first of these calls printed
    met: list[tuple[Any, ...]] = field(default_factory=list, repr=False)  # states and call; and the point, if open
    recipe: Recipe = field(init=False, repr=False, compare=False)  # its last step fails, or breaks the invariant

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
    unsteady: dict[str, bool] = field(default_factory=dict)  # did not do the same again: whether states differed, too
    leaks: dict[str, str] = field(default_factory=dict)  # what was changed outside the objects, and by which operation
    ties: dict[str, None] = field(default_factory=dict)  # operations after which several objects share parts
    lost: list[Fault] = field(default_factory=list)  # objects that no process survived to make again
    errors: dict[tuple[str, ...], Revealed] = field(default_factory=dict)
    notes: Any = None  # what a policy writes down beyond all this; it has a `merge`, too

    @classmethod
    def of(cls, operations: Iterable[Operation], notes: Any = None) -> Self:
        """Return the evidence before any call."""
        return cls({operation: Tally() for operation in operations}, notes=notes)

    def merge(self, later: Evidence) -> None:
        """Add what calls came to that were made later: where only one can stay, the first does."""
        for operation, tally in later.tallies.items():
            self.tallies[operation].merge(tally)
        self.calls += later.calls
        self.outside.update(later.outside)
        for title, states_differ in later.unsteady.items():
            self.unsteady[title] = self.unsteady.get(title, False) or states_differ
        self.leaks = {**self.leaks, **later.leaks, **self.leaks}
        self.ties |= later.ties
        self.lost += later.lost
        for key, error in later.errors.items():
            if key in self.errors:
                self.errors[key].merge(error)
            else:
                self.errors[key] = error
        if self.notes is not None:
            self.notes.merge(later.notes)
