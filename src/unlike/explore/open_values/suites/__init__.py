"""Objects out of abstract states: which of them, each checked when it leaves."""

from unlike.explore.open_values.suites.selection import Cases, Checked, Chosen, described, representatives
from unlike.explore.open_values.suites.shape import Shape

__all__ = ["Cases", "Checked", "Chosen", "Shape", "described", "representatives"]
