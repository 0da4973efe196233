"""What a comparison of two versions came to: the same (proved, or on some inputs), different, or undecided."""

from __future__ import annotations

from dataclasses import dataclass, field

from unlike.recipe import Recipe
from unlike.suite import Ending, Status


@dataclass(frozen=True, slots=True)
class ShownDifference:
    """The shortest calls, or the smallest input, after which two versions can be told apart."""

    recipe: Recipe  # in the names of the first version; the last step shows it
    sequence: str
    kind: str  # "raises", "returns", "leaves", "ends"
    old: str  # what the first version did, in words
    new: str
    afterwards: tuple[str, ...] = ()  # what else can be seen then
    place: str = ""  # an attribute that was left behind


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the comparison of one class or function came to."""

    name: str  # "Cart"
    kind: str  # "class", "function"
    status: Status
    guarantee: str = ""
    difference: ShownDifference | None = None
    only_old: tuple[str, ...] = ()  # what exists on one side only
    only_new: tuple[str, ...] = ()
    counts: dict[str, int] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()

    @property
    def word(self) -> str:
        """The verdict in a word or two."""
        if self.difference is not None:
            return "different"
        if self.status.cut_short:
            return "undecided"
        return "same (proved)" if self.status.ending is Ending.SHOWN else "same"
