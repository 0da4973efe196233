"""Exploration with values left open: shapes and zones instead of objects."""
