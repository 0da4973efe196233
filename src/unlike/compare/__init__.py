"""What the API builds against what the invariant accepts: where the two differ, one of them is wrong."""

from __future__ import annotations

from unlike.compare.comparison import Comparison, Rejected, compare
from unlike.compare.gaps import Gap

__all__ = ["Comparison", "Gap", "Rejected", "compare"]
