"""What makes two derivations of a pattern different: the switches, and their named settings."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, TypeAlias

from unlike.errors import SpecError, nearest

Combine: TypeAlias = Literal["each", "pairs", "all"]
Length: TypeAlias = Literal["one more", "several", "upper"]


@dataclass(frozen=True, slots=True)
class Heuristics:
    """Which differences count.

    classes        a class is one choice, one per separately written piece, or one per character
    positions      only the first round of a repetition varies, or each of them
    lengths        beside its shortest length, the lengths at which a repetition appears once more
    combine        every choice at least once, every pair of choices, or all combinations
    concatenation  every number of rounds is a choice of its own, and each round varies (Table 4)
    most           the largest number of rounds that `concatenation` goes to
    longest        an upper bound that makes a text longer than this is left out, and reported
    """

    classes: Literal["one", "pieces", "characters"] = "pieces"
    positions: Literal["first", "each"] = "first"
    lengths: tuple[Length, ...] = ("several", "upper")
    combine: Combine = "all"
    concatenation: bool = False
    most: int = 8
    longest: int = 10_000


DEFAULT = Heuristics()

PRESETS = {
    "default": DEFAULT,
    "class-as-one": replace(DEFAULT, classes="one"),
    "every-character": replace(DEFAULT, classes="characters"),
    "each-position": replace(DEFAULT, positions="each"),
    "shortest": replace(DEFAULT, lengths=()),
    "more-lengths": replace(DEFAULT, lengths=("one more", "several", "upper")),
    "concatenation": replace(DEFAULT, concatenation=True),
}


def find_heuristics(name: str, *, combine: Combine = "all") -> Heuristics:
    """Return the setting of the name, combining choices as asked."""
    if name not in PRESETS:
        raise SpecError(f"no heuristic is called {name!r}; {nearest(name, PRESETS)}")
    return replace(PRESETS[name], combine=combine)
