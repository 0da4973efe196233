"""Which of the inputs of a suite are legal, and which just fail."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction

from unlike.errors import ScopeError

FIRST = 10  # inputs that are all legal: what fails would cost more than it shows
NEXT = 10  # inputs of which every second fails
USUAL = "usual"  # the word for no share in particular
EVERY = 4  # of those after them: one in so many fails


@dataclass(frozen=True, slots=True)
class Mix:
    """A share of inputs that fail, the same in every beginning; without one, the share that was found to show most."""

    share: Fraction | None = None

    @classmethod
    def of(cls, said: str) -> Mix:
        """Return the mix that was asked for: "usual", or a share."""
        if said == USUAL:
            return cls()
        try:
            share = Fraction(said)
        except (ValueError, ZeroDivisionError):
            share = Fraction(-1)
        if not 0 <= share <= 1:
            raise ScopeError(f"mix={said!r} must be a share from 0 to 1, like 0.25; without one a quarter fails")
        return cls(share)

    def fails(self, position: int) -> bool:
        """Say whether the input at the position is one that fails.

        >>> [position for position in range(24) if Mix().fails(position)]
        [11, 13, 15, 17, 19, 23]
        """
        if self.share is not None:
            return math.floor(self.share * (position + 1)) > math.floor(self.share * position)
        if position < FIRST:
            return False
        if position < FIRST + NEXT:
            return (position - FIRST) % 2 == 1
        return (position - FIRST - NEXT) % EVERY == EVERY - 1


ALL_FAIL = Mix(Fraction(1))
