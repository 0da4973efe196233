"""What every verb is asked, in records that all rooms share."""

from __future__ import annotations

from unlike.core.deadline import FOREVER as FOREVER
from unlike.core.deadline import CutShort as CutShort
from unlike.core.deadline import Deadline as Deadline
from unlike.core.deadline import Timeout as Timeout
from unlike.core.question import NO_LIMITS as NO_LIMITS
from unlike.core.question import USUAL as USUAL
from unlike.core.question import Bounds as Bounds
from unlike.core.question import BuilderKeywords as BuilderKeywords
from unlike.core.question import Encoding as Encoding
from unlike.core.question import Exploration as Exploration
from unlike.core.question import ExploreKeywords as ExploreKeywords
from unlike.core.question import Exploring as Exploring
from unlike.core.question import Implementation as Implementation
from unlike.core.question import InvariantKeywords as InvariantKeywords
from unlike.core.question import Isolation as Isolation
from unlike.core.question import IsolationKeywords as IsolationKeywords
from unlike.core.question import LimitKeywords as LimitKeywords
from unlike.core.question import ObjectChoice as ObjectChoice
from unlike.core.question import Output as Output
from unlike.core.question import Solving as Solving
from unlike.core.question import SpecKeywords as SpecKeywords
from unlike.core.question import StateMatching as StateMatching
from unlike.core.question import TimeLimit as TimeLimit
from unlike.core.settings import Settings as Settings
from unlike.core.settings import record_of as record_of
from unlike.core.settings import setting as setting
from unlike.core.settings import takes as takes
