"""One readable string per branch combination of a pattern."""

from unlike.regex.cover.cover import Cover
from unlike.regex.cover.distinct_texts import LeftOut, Representative, Settled
from unlike.regex.cover.heuristics import DEFAULT, PRESETS, Heuristics, find_heuristics
from unlike.regex.cover.restrict import Combination, Derivation, Longer

__all__ = [
    "DEFAULT",
    "PRESETS",
    "Combination",
    "Cover",
    "Derivation",
    "Heuristics",
    "LeftOut",
    "Longer",
    "Representative",
    "Settled",
    "find_heuristics",
]
