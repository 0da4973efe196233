"""Exploration with values left open: shapes and zones instead of objects."""

from unlike.classes.open.choose_values import explore_as_asked
from unlike.classes.open.result import OpenResult

__all__ = ["OpenResult", "explore_as_asked"]
