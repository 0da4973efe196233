"""A few of many that show everything: covering arrays (every pair of values), and few of given things."""

from unlike.covering.arrays import (
    Decisions,
    Factor,
    FactorValue,
    Forbidden,
    is_above,
    merge_decisions,
    pair_columns,
    pair_rows,
)
from unlike.covering.few import choose_few, count_needed, drop_needless

__all__ = [
    "Decisions",
    "Factor",
    "FactorValue",
    "Forbidden",
    "choose_few",
    "count_needed",
    "drop_needless",
    "is_above",
    "merge_decisions",
    "pair_columns",
    "pair_rows",
]
