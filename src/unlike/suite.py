"""The finite, ordered answer, and what it guarantees.

A Suite is a sequence of Cases with a Status. The status tells apart what must never be confused: all that
exists, as many as were asked for, cut short, and unknown.
"""

from __future__ import annotations

import enum
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from unlike.indexed import Indexed, Listed, draw_indices, in_digits
from unlike.recipe import Recipe, Resolve, import_name, run


class Ending(enum.StrEnum):
    """Why a suite ends where it ends."""

    FOUND = "found"
    COMPLETE = "complete"
    SHOWN = "shown"
    MAXIMAL = "maximal"
    UNSATISFIABLE = "unsatisfiable"
    UNKNOWN = "unknown"
    TIMEOUT = "timeout"
    FAILED = "failed"
    INTERRUPTED = "interrupted"


MEANINGS = {
    Ending.FOUND: "found as many as were asked for",
    Ending.COMPLETE: "no more exist (proved)",
    Ending.SHOWN: "all that was to be shown is shown (proved)",
    Ending.MAXIMAL: "nothing can be added; another, larger set may exist",
    Ending.UNSATISFIABLE: "no input exists",
    Ending.UNKNOWN: "cut short: undecided",
    Ending.TIMEOUT: "cut short: out of time",
    Ending.FAILED: "cut short: something failed",
    Ending.INTERRUPTED: "cut short: interrupted",
}


@dataclass(frozen=True, slots=True)
class Status:
    """How a suite ended: the kind of ending, details in words, and for "unsatisfiable" what clashes."""

    ending: Ending
    detail: str = ""
    clash: tuple[str, ...] = ()

    @property
    def cut_short(self) -> bool:
        """Whether more may exist that was not reached."""
        return self.ending in (Ending.UNKNOWN, Ending.TIMEOUT, Ending.FAILED, Ending.INTERRUPTED)

    @property
    def exit_code(self) -> int:
        """The exit code of a command that ends with this status."""
        if self.cut_short:
            return 3
        return 1 if self.ending is Ending.UNSATISFIABLE else 0

    def __str__(self) -> str:
        words = MEANINGS[self.ending]
        if not self.detail:
            return words
        if self.ending is Ending.SHOWN:  # what is said after the claim is no part of it
            claim, more, rest = self.detail.partition("; ")
            return f"{claim} (proved){more}{rest}"
        return f"cut short: {self.detail}" if self.ending is Ending.FAILED else f"{words}: {self.detail}"


STOPPED = Status(Ending.INTERRUPTED, "stopped by the user")


def proof_of(claim: str) -> Status:
    """Return the status of a suite that shows all it claims to show, where more inputs exist."""
    return Status(Ending.SHOWN, claim)


@dataclass(frozen=True, slots=True)
class Case:
    """One input: how to rebuild it, what it stands for, a short id that stays the same, and whether it is legal."""

    recipe: Recipe
    label: str = ""
    id: str = ""
    legal: bool = True

    @property
    def value(self) -> object:
        """A fresh object, built by the recipe."""
        return self.build()

    def build(self, resolve: Resolve = import_name) -> object:
        """Build a fresh object, with names resolved as given."""
        return run(self.recipe, resolve)


@dataclass(frozen=True, slots=True)
class Suite:
    """Cases in order, counted and reached by index, with their status and guarantee."""

    name: str
    cases: Indexed[Case]
    status: Status
    guarantee: str = ""
    explanation: str = field(default="", repr=False)

    def __len__(self) -> int:
        return self.cases.count()

    def __getitem__(self, index: int) -> Case:
        count = self.cases.count()
        if not -count <= index < count:
            raise IndexError(f"case {index} of a suite of {count}")
        return self.cases.at(index % count)

    def __iter__(self) -> Iterator[Case]:
        for index in range(self.cases.count()):
            yield self.cases.at(index)

    @property
    def values(self) -> list[object]:
        """A fresh object for every case."""
        return [case.value for case in self]

    def count(self) -> int:
        """Return how many cases there are: `len` for suites of any size."""
        return self.cases.count()

    def sample(self, n: int, seed: int = 0) -> Suite:
        """Return the suite of n cases drawn uniformly, the same ones for the same seed; all, if there are no more."""
        if n >= self.count():
            return self
        drawn = [self.cases.at(index) for index in sorted(draw_indices(self.count(), n, seed=seed))]
        source = f"drawn from {in_digits(self.count())}"
        status = Status(Ending.FOUND, source)
        if self.status.cut_short:  # what was not reached could not be drawn
            status = Status(self.status.ending, "; ".join(filter(None, [self.status.detail, source])))
        guarantee = f"{n:,} drawn at random (seed {seed}) from {self.guarantee}"
        return replace(self, cases=Listed(drawn), status=status, guarantee=guarantee)

    def first(self, n: int) -> Suite:
        """Return the suite of the first n cases; found as many as were asked for, if there are more."""
        if n >= self.count():
            return self
        return replace(self, cases=Listed([self[index] for index in range(n)]), status=Status(Ending.FOUND))
