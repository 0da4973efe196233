"""Covering arrays: few rows in which all combinations of some values stand."""
