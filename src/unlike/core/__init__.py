"""What every verb is asked, in records that all rooms share."""

from __future__ import annotations

from unlike.core.deadline import FOREVER, CutShort, Deadline, Timeout
from unlike.core.question import NO_LIMITS, USUAL, Isolation, IsolationKeywords, LimitKeywords, Workers, takes

__all__ = [
    "FOREVER",
    "NO_LIMITS",
    "USUAL",
    "CutShort",
    "Deadline",
    "Isolation",
    "IsolationKeywords",
    "LimitKeywords",
    "Timeout",
    "Workers",
    "takes",
]
