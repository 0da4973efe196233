"""Objects out of abstract states: which of them, each checked when it leaves."""

from unlike.explore.open_values.suites.calls import calls_by_outcome
from unlike.explore.open_values.suites.selection import Cases, Checked, Chosen, described, representatives
from unlike.explore.open_values.suites.shape import Shape

__all__ = ["Cases", "Checked", "Chosen", "Shape", "calls_by_outcome", "described", "representatives"]
