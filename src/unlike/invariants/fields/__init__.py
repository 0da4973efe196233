"""The scope of an invariant: what every field may hold, read from the class and overridden field by field."""

from __future__ import annotations

from unlike.invariants.fields.domains import (
    ClassFields,
    DictOf,
    Domain,
    FieldDomain,
    FieldTable,
    ListOf,
    Mixed,
    Objects,
    Part,
    SetOf,
    Values,
)
from unlike.invariants.fields.table import field_names, fields_of

__all__ = [
    "ClassFields",
    "DictOf",
    "Domain",
    "FieldDomain",
    "FieldTable",
    "ListOf",
    "Mixed",
    "Objects",
    "Part",
    "SetOf",
    "Values",
    "field_names",
    "fields_of",
]
