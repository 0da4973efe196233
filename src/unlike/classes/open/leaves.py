"""What a call comes to along one path."""

from __future__ import annotations

from dataclasses import dataclass, field

from unlike.classes.judging import Failure, Outcome
from unlike.classes.open.states import Roles
from unlike.zones import Term


@dataclass(frozen=True, slots=True)
class FoundShape:
    """An object in a state of this shape, with these values."""

    shape: int
    terms: tuple[Term, ...]
    roles: Roles
    cls: type
    roots: int


@dataclass(slots=True)
class Leaf:
    """What a call came to along one path."""

    outcome: Outcome = Outcome.KNOWN
    found: list[FoundShape] = field(default_factory=list)
    failures: list[tuple[Failure, type[BaseException] | None]] = field(default_factory=list)
    outside: list[str] = field(default_factory=list)
    type_error: str = ""  # the words of a TypeError: perhaps compiled code did not know what to do with an open value
