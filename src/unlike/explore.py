"""`unlike.explore`, as a verb and as a module: what is public of the room `unlike.classes`."""

from __future__ import annotations

import sys
import types
from typing import Any, Unpack

from unlike.classes.api import Api, api_of
from unlike.classes.evidence import Failure, Options, Outcome, Revealed
from unlike.classes.policy import SearchPolicy
from unlike.classes.result import Result, is_true
from unlike.classes.verb import explore
from unlike.core import ExploreKeywords
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
    "is_true",
    "scope_of",
]


class _Verb(types.ModuleType):
    """Calling this module explores: `unlike.explore` is the module once anything has imported it."""

    def __call__(self, *targets: Any, **options: Unpack[ExploreKeywords]) -> Result:
        return explore(*targets, **options)


sys.modules[__name__].__class__ = _Verb
