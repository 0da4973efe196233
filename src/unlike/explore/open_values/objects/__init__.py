"""Objects out of abstract states: which of them, each checked when it leaves."""

from unlike.explore.open_values.objects.selection import Cases, Checked, Chosen, described, representatives
from unlike.explore.open_values.objects.shape import Shape

__all__ = ["Cases", "Checked", "Chosen", "Shape", "described", "representatives"]
