"""What every verb is asked, in records that all rooms share."""

from __future__ import annotations

from unlike.core.deadline import FOREVER as FOREVER, CutShort as CutShort, Deadline as Deadline, Timeout as Timeout
from unlike.core.question import (
    NO_LIMITS as NO_LIMITS,
    USUAL as USUAL,
    Bounds as Bounds,
    BuilderKeywords as BuilderKeywords,
    Comparing as Comparing,
    Encoding as Encoding,
    Exploration as Exploration,
    ExploreKeywords as ExploreKeywords,
    Exploring as Exploring,
    Implementation as Implementation,
    InvariantKeywords as InvariantKeywords,
    Isolation as Isolation,
    IsolationKeywords as IsolationKeywords,
    LimitKeywords as LimitKeywords,
    Measuring as Measuring,
    ObjectChoice as ObjectChoice,
    Output as Output,
    SameKeywords as SameKeywords,
    Solving as Solving,
    SpecKeywords as SpecKeywords,
    StateMatching as StateMatching,
    TimeLimit as TimeLimit,
)
from unlike.core.settings import Settings as Settings, record_of as record_of, setting as setting, takes as takes
