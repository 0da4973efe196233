"""Every feasible value of every field, in a handful of structures."""

from __future__ import annotations

from unlike.field_exhaustive.pairs import Pair
from unlike.field_exhaustive.result import Coverage, FieldSuiteResult
from unlike.field_exhaustive.verbs import FieldsKeywords, field_coverage, fields

__all__ = ["Coverage", "FieldSuiteResult", "FieldsKeywords", "Pair", "field_coverage", "fields"]
