"""Values left open: what is known about them, stand-ins that ask only when looked at, and all paths of a function.

A `Zone` is a set of integer points: bounds on values and differences, and disequalities. A `Token` stands for the value
of one of its slots. `Forks` runs a function that looks at tokens along every path, once each.
"""

from unlike.heap import native_module
from unlike.symbolic.forking import Forks, Path, TooManyPathsError, UnsteadyError
from unlike.symbolic.satisfying import points
from unlike.symbolic.tokens import NoRunError, Token
from unlike.symbolic.walking import CannotStayOpenError, OpenedError, Places, adopt, rebuild_open, walk_open
from unlike.symbolic.zone import Term, Zone

__all__ = [
    "CannotStayOpenError",
    "Forks",
    "NoRunError",
    "OpenedError",
    "Path",
    "Places",
    "Term",
    "Token",
    "TooManyPathsError",
    "UnsteadyError",
    "Zone",
    "adopt",
    "points",
    "rebuild_open",
    "walk_open",
]

if (_native := native_module()) is not None:
    _native.know(UnsteadyError, TooManyPathsError, CannotStayOpenError)  # what compiled runs raise
