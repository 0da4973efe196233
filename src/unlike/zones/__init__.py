"""Values left open: what is known about them, stand-ins that ask only when looked at, and all paths of a function.

A `Zone` is a set of integer points: bounds on values and differences, and disequalities. `Points` counts them and
reaches each by its index. A `Token` stands for the value of a slot. `PathTrie` runs a function that looks at tokens
along every path, once each.
"""

from unlike.zones.paths import Path, PathTrie, TooManyPathsError, UnsteadyError
from unlike.zones.points import How, Point, Points
from unlike.zones.tokens import NoRunError, Token
from unlike.zones.walking import CannotStayOpenError, OpenedError, Places, rebuild_open, register_tokens, walk_open
from unlike.zones.zone import Term, Zone

__all__ = [
    "CannotStayOpenError",
    "How",
    "NoRunError",
    "OpenedError",
    "Path",
    "PathTrie",
    "Places",
    "Point",
    "Points",
    "Term",
    "Token",
    "TooManyPathsError",
    "UnsteadyError",
    "Zone",
    "rebuild_open",
    "register_tokens",
    "walk_open",
]
