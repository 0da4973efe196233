"""Small, provably useful sets of test inputs: space × difference → suite."""

from __future__ import annotations

from unlike.suite import Case, Ending, Status, Suite

__version__ = "0.1.0"

__all__ = ["Case", "Ending", "Status", "Suite"]
