"""Exploration with values left open: shapes and zones instead of objects."""

from unlike.explore.open_values.choosing import explore_as_asked
from unlike.explore.open_values.result import OpenResult

__all__ = ["OpenResult", "explore_as_asked"]
