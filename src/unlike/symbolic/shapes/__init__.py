"""Shapes for people and programs: filled with values, and written in words."""

from unlike.symbolic.shapes.filling import Filling
from unlike.symbolic.shapes.showing import Shown, shown

__all__ = ["Filling", "Shown", "shown"]
