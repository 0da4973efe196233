"""One readable string per branch combination of a pattern."""

from unlike.regex.cover.cover import Cover
from unlike.regex.cover.distinct_texts import LeftOut, Representative, Settled
from unlike.regex.cover.heuristics import DEFAULT, PRESETS, Heuristics, named
from unlike.regex.cover.restrict import Combination, Derivation, Longer

Choice = int  # the number of a choice among all choices of a cover

__all__ = [
    "DEFAULT",
    "PRESETS",
    "Choice",
    "Combination",
    "Cover",
    "Derivation",
    "Heuristics",
    "LeftOut",
    "Longer",
    "Representative",
    "Settled",
    "named",
]
