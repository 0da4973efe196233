"""From a pattern to how long its texts are, told by its syntax alone."""

from __future__ import annotations

import functools
import re
import re._constants as constants  # type: ignore[import-not-found]
import re._parser as parser  # type: ignore[import-not-found]
import warnings

PATTERN_MOST = 64  # characters of a text of a pattern, unless told: inputs stay small


@functools.lru_cache(maxsize=1024)
def usual_most(pattern: str, flags: int = 0) -> int:
    """Return the greatest length of texts of a pattern where nobody states one: its own where it needs more.

    >>> usual_most("a+"), usual_most(".{500,600}"), usual_most(".{500,}")
    (64, 600, 564)
    """
    least, most = widths(pattern, flags)
    if least <= PATTERN_MOST:
        return PATTERN_MOST
    return most if most is not None else least + PATTERN_MOST


@functools.lru_cache(maxsize=1024)
def widths(pattern: str, flags: int = 0) -> tuple[int, int | None]:
    """Return how short and how long the texts of a pattern can be, as its syntax says; nothing where it has no end.

    >>> widths("ab?"), widths("a+")
    ((1, 2), (1, None))
    """
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python may forbid one day it accepts today
            least, most = parser.parse(pattern, flags).getwidth()
    except (re.error, RecursionError, OverflowError, ValueError):  # refused where it is read
        return 0, None
    return int(least), int(most) if most < constants.MAXREPEAT else None
