"""Every object a class can build: from classes and a scope to all states their own methods reach."""

from __future__ import annotations

from unlike.classes.api import Api, api_of
from unlike.classes.evidence import Revealed
from unlike.classes.judging import Failure, Options, Outcome
from unlike.classes.policy import SearchPolicy
from unlike.classes.result import Result, is_true
from unlike.classes.verb import explore, explore_question
from unlike.progress import Progress
from unlike.scope import scope_of

__all__ = [
    "Api",
    "Failure",
    "Options",
    "Outcome",
    "Progress",
    "Result",
    "Revealed",
    "SearchPolicy",
    "api_of",
    "explore",
    "explore_question",
    "is_true",
    "scope_of",
]
