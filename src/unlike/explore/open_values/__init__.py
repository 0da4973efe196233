"""Exploration with values left open: shapes and zones instead of objects."""

from unlike.explore.open_values.search import OpenSearch

__all__ = ["OpenSearch"]
