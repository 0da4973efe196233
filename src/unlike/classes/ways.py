"""From the values of each parameter to the ways a call is made: all of them, or of very many every pair, or each value.

Of two parameters with two values each there are four ways. A constructor of 30 switches is called in some forty, in
which any two switches stand in all four positions; with two lists of 10,000 values each value once, beside the first
of the other list.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from unlike.covering_arrays import pair_columns

MOST_WAYS = 20_000  # to call one operation
MOST_PAIRED = 20_000  # pairs of values for which rows are sought: beyond it that takes longer than the calls


@dataclass(frozen=True, slots=True)
class CallWays:
    """CallWays to make a call, a value for each parameter, and in words which were left out."""

    rows: Iterable[tuple[Any, ...]]
    left_out: str = ""


def ways_of(choices: Sequence[Sequence[Any]], most: int = MOST_WAYS) -> CallWays:
    """Return all combinations of the choices; of more than so many, some in which every pair, or every value, stands.

    The first choice of each parameter is the plainest: what is left out, or 0.
    """
    counts = [len(each) for each in choices]
    total = math.prod(counts)
    if total <= most:
        return CallWays(itertools.product(*choices))
    single, pairs = _each(counts), _pairs(counts)
    both = list(dict.fromkeys((*single, *pairs)))  # an argument that is refused spoils every row of pairs it stands in
    name, chosen = "every pair of arguments", both
    if not pairs or len(both) > most:
        name, chosen = "one argument after the other", single
    rows = [tuple(each[index] for each, index in zip(choices, row, strict=True)) for row in chosen]
    return CallWays(rows, f"{name} in {len(rows):,} of {total:,} ways" if len(rows) < total else "")


def _pairs(counts: Sequence[int]) -> list[tuple[int, ...]]:
    """Return rows in which any two places show every pair; none where that would take long."""
    pairs = (sum(counts) ** 2 - sum(count**2 for count in counts)) // 2
    return sorted(map(tuple, pair_columns(counts))) if pairs <= MOST_PAIRED else []


def _each(counts: Sequence[int]) -> list[tuple[int, ...]]:
    """Return a row of first values, and rows with another value in one place."""
    first = (0,) * len(counts)
    others = ((*first[:place], index, *first[place + 1 :]) for place, n in enumerate(counts) for index in range(1, n))
    return [first, *others]
