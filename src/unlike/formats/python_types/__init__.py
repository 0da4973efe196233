"""From a Python type to a shape, or to a value of the term language."""

from unlike.formats.python_types.annotations import read_type, shape_of
from unlike.formats.python_types.values import value_of

__all__ = ["read_type", "shape_of", "value_of"]
