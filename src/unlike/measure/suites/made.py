"""What a suite is here: inputs as they are counted, and the tries that are made of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from unlike.core import Exploration
from unlike.measure.subject import MeasuredCode
from unlike.measure.trials import CodeTrial


@dataclass(slots=True)
class MadeSuite:
    """A suite by name: how many inputs it has, the tries that are made of them, and what it took to make."""

    name: str
    inputs: int = 0
    trials: list[CodeTrial] = field(default_factory=list)
    seconds: float = 0.0  # to make
    scope: int | None = None  # of an exploration
    field_values: int | None = None  # that its objects show
    folder: str = ""  # of pytest tests, which are run as they are
    seconds_to_run: float = 0.0  # known of these alone
    remarks: list[str] = field(default_factory=list)

    def add(self, other: MadeSuite) -> None:
        """Add what another class or function is tried with."""
        self.inputs += other.inputs
        self.trials += other.trials
        self.remarks += [each for each in other.remarks if each not in self.remarks]
        if other.field_values is not None:
            self.field_values = (self.field_values or 0) + other.field_values


@dataclass(frozen=True, slots=True)
class SuiteOrder:
    """What is asked of a suite: the code, the bounds and limits, a seed, what functions are given."""

    subject: MeasuredCode
    question: Exploration
    seed: int = 0
    inputs: object = None
    load: Callable[[str], object] = str  # MODULE:NAME -> what it stands for

    def target(self, name: str) -> Any:
        """Return what is measured under a name."""
        return self.subject.target(name)
