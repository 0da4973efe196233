"""What every verb is asked, in records that all rooms share."""

from __future__ import annotations

from unlike.core.question import NO_LIMITS, USUAL, Isolation, IsolationKeywords, LimitKeywords, Workers, takes

__all__ = ["NO_LIMITS", "USUAL", "Isolation", "IsolationKeywords", "LimitKeywords", "Workers", "takes"]
