"""Exploration with values left open: shapes and zones instead of objects."""

from unlike.explore.open_values.choosing import Setting, explored, what_forbids
from unlike.explore.open_values.result import OpenResult
from unlike.explore.open_values.search import OpenSearch

__all__ = ["OpenResult", "OpenSearch", "Setting", "explored", "what_forbids"]
