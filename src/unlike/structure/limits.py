"""Bounds of numbers, whatever decimal places are made beside them."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import NamedTuple

SIDES = ("least", "most")


class Limit(NamedTuple):
    """A bound as it was stated, whatever decimal places the codes beside it have."""

    side: str  # "least" or "most"
    value: Fraction
    is_open: bool = False

    def keeps(self, value: Fraction) -> bool:
        """Tell whether a number is within the bound."""
        if value == self.value:
            return not self.is_open
        return (value > self.value) == (self.side == "least")


def first_code(limit: Limit, unit: int) -> int:
    """Return the code within a bound that is nearest to it, where so many codes lie between 0 and 1."""
    code = limit.value * unit
    if limit.side == "least":
        return math.floor(code) + 1 if limit.is_open else math.ceil(code)
    return math.ceil(code) - 1 if limit.is_open else math.floor(code)
