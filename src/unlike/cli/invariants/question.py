"""Commands that run an invariant; what they have in common."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from unlike.cli.options import AskedFlags, Change
from unlike.cli.target import load_target
from unlike.cli.words import target_of
from unlike.core import Bounds, Deadline, InvariantKeywords, Isolation, StateMatching, TimeLimit
from unlike.errors import TargetError
from unlike.invariants.verbs import INVARIANT

RECORDS = (Bounds, StateMatching, TimeLimit, Isolation)
NOT_TAKEN = ("calls", "omit_fields", "preconditions", "dict_order", "state_matching")  # that is for explorations
CHANGE: dict[str, Change] = {
    "invariant": {"help": "The invariant: a method, or MODULE:FUNCTION (rep_ok)."},
    "literals": {"help": "Values of a type: int=0,1,2  int=0..9  str=a,b"},
    "in_process": {"help": "Run the invariant in this process, without limits."},
}


def class_of(target: str) -> type:
    """Return the class that MODULE:CLASS stands for, or one clear message."""
    found = target_of(target)
    if not isinstance(found, type):
        raise TargetError(f"{target!r} is a function; name a class that has an invariant")
    return found


@dataclass(frozen=True, slots=True)
class InvariantQuestion:
    """What is asked of a class and its invariant."""

    bounds: Bounds
    invariant: str | Callable[[Any], object]
    isolation: Isolation
    deadline: Deadline

    @staticmethod
    def of(asked: AskedFlags) -> InvariantQuestion:
        """Return what flags and file ask."""
        invariant = asked.record(StateMatching).invariant or INVARIANT
        return InvariantQuestion(
            asked.record(Bounds),
            load_target(invariant) if ":" in invariant else invariant,  # type: ignore[arg-type]
            asked.record(Isolation),
            asked.deadline,
        )

    @property
    def keywords(self) -> InvariantKeywords:
        """The same as keywords of a verb, besides scope and invariant."""
        return {
            "objects": self.bounds.objects,
            "literals": self.bounds.literals,
            "elements": self.bounds.elements,
            "fields": self.bounds.fields,
            "timeout": self.deadline,
            **self.isolation.of_one_process(),
        }
