"""Our own words inside `Annotated`: plain annotated-types metadata, which other tools can read or ignore.

Annotated[str, Matching(r"[a-z]+")]        text that matches the pattern as a whole
Annotated[Order, Covering("pairs")]        the strength to cover the structure with
Annotated[str, Differing()]                inputs differ in this field
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

import annotated_types

from unlike.errors import SpecError
from unlike.regex.quiet import compile_quietly
from unlike.regex.texts.fullmatch import careful


@dataclass(frozen=True, slots=True)
class Matching(annotated_types.GroupedMetadata):
    """Text that matches the pattern as a whole; for other tools a predicate.

    It is ASCII where the pattern leaves the choice; with `unicode` all characters are as good.
    """

    pattern: str
    flags: int = 0
    unicode: bool = field(default=False, metadata={"told": "if set"})

    def __post_init__(self) -> None:
        if not isinstance(self.pattern, str):
            raise SpecError(f"Matching({self.pattern!r}): a pattern is a string")
        try:
            compile_quietly(self.pattern, self.flags)
        except re.error as error:
            raise SpecError(f"Matching({self.pattern!r}) is not a regex: {error}") from None

    def __iter__(self) -> Iterator[object]:
        yield annotated_types.Predicate(self.matches)

    def matches(self, text: str) -> bool:
        """Tell whether the text matches as a whole."""
        return careful(self.pattern, self.flags)(text) is not None


@dataclass(frozen=True, slots=True)
class Covering(annotated_types.GroupedMetadata):
    """How strongly the structure is covered when nothing else is said: each, pairs, all, or so many at a time."""

    strength: str | int = "each"

    def __post_init__(self) -> None:
        is_number = type(self.strength) is int and self.strength > 0
        if self.strength not in ("each", "pairs", "all") and not is_number:
            raise SpecError(f"Covering({self.strength!r}): the strength is 'each', 'pairs', 'all', or a number like 3")

    def __iter__(self) -> Iterator[object]:
        return iter(())


@dataclass(frozen=True, slots=True)
class Differing(annotated_types.GroupedMetadata):
    """Any two inputs differ: in this field, or (on the whole type) by the difference given."""

    difference: object = None

    def __iter__(self) -> Iterator[object]:
        return iter(())
