"""What comes of covering a tree: the inputs that were taken, and what each target came to."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from unlike.structure.cover.targets import Target, Targets, View
from unlike.structure.cover.tree import Tree
from unlike.suite import Ending


@dataclass(slots=True)
class AcceptedInput:
    """One accepted input: its plain value and what it shows."""

    plain: object
    views: list[View]


Ended: TypeAlias = Literal["covered", "enough", "all", "nothing", "refused", "unknown"] | Ending  # an ending is a cut


@dataclass(frozen=True, slots=True)
class TupleCount:
    """What became of combinations: how many can be and are asked for, how many are shown, and what of the others."""

    needed: int
    shown: int
    impossible: tuple[tuple[str, str], ...] = ()
    undecided: tuple[tuple[str, str], ...] = ()
    not_shown: tuple[str, ...] = ()
    bound: int = 0  # no fewer inputs show them
    given: int = 0
    planned: int = 0
    smallest: bool = False  # the fewest were asked for

    def count(self) -> int:
        """Return how many there are, shown or not."""
        return self.needed + len(self.impossible) + len(self.undecided)

    def say_least(self) -> str:
        """Say how many inputs it takes at least, where the fewest were asked for."""
        if not self.smallest:
            return ""
        return "; no fewer show them (proved)" if self.planned <= self.bound else f"; at least {self.bound} are needed"


@dataclass(slots=True)
class CoverOutcome:
    """The accepted inputs in order, and what became of every target."""

    tree: Tree
    targets: Targets
    rows: list[AcceptedInput] = field(default_factory=list)
    covered: dict[Target, int] = field(default_factory=dict)
    impossible: list[tuple[str, str]] = field(default_factory=list)
    not_found: dict[Target, tuple[str, str]] = field(default_factory=dict)  # in words, and where it was sought
    ended: Ended = "covered"
    failure: str = ""  # what ended or blocked its process, and on which input
    refusals: dict[str, int] = field(default_factory=dict)
    first_refused: str = ""  # the first whole input that was refused
    tuples: TupleCount | None = None  # where more is combined than pairs

    def say_least(self) -> str:
        """Say how many inputs it takes at least, where the fewest were asked for."""
        return "" if self.tuples is None else self.tuples.say_least()

    @property
    def undecided(self) -> list[tuple[str, str]]:
        """The targets that were sought in vain, and that no input shows which was found later for another."""
        return [said for target, said in self.not_found.items() if target not in self.covered]
