"""One readable string per branch combination of a pattern."""

from unlike.regex.cover.builder import PRESETS, Heuristics, find_heuristics
from unlike.regex.cover.cover import Cover
from unlike.regex.cover.distinct_texts import Representative
from unlike.regex.cover.restrict import Combination

__all__ = [
    "PRESETS",
    "Combination",
    "Cover",
    "Heuristics",
    "Representative",
    "find_heuristics",
]
