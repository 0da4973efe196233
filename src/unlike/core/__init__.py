"""What every verb is asked, in records that all rooms share."""

from __future__ import annotations

from unlike.core.deadline import FOREVER, CutShort, Deadline, Timeout
from unlike.core.question import (
    NO_LIMITS,
    USUAL,
    Bounds,
    BuilderKeywords,
    Encoding,
    Exploration,
    ExploreKeywords,
    Exploring,
    Implementation,
    InvariantKeywords,
    Isolation,
    IsolationKeywords,
    LimitKeywords,
    ObjectChoice,
    Output,
    Solving,
    SpecKeywords,
    StateMatching,
    TimeLimit,
)
from unlike.core.settings import Settings, record_of, setting, takes

__all__ = [
    "FOREVER",
    "NO_LIMITS",
    "USUAL",
    "Bounds",
    "BuilderKeywords",
    "CutShort",
    "Deadline",
    "Encoding",
    "Exploration",
    "ExploreKeywords",
    "Exploring",
    "Implementation",
    "InvariantKeywords",
    "Isolation",
    "IsolationKeywords",
    "LimitKeywords",
    "ObjectChoice",
    "Output",
    "Settings",
    "Solving",
    "SpecKeywords",
    "StateMatching",
    "TimeLimit",
    "Timeout",
    "record_of",
    "setting",
    "takes",
]
