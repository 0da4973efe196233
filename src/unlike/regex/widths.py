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
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # what Python may forbid one day it accepts today
            least, most = parser.parse(pattern, flags).getwidth()
    except (re.error, RecursionError, OverflowError, ValueError):  # refused where it is read
        return PATTERN_MOST
    if least <= PATTERN_MOST:
        return PATTERN_MOST
    return int(most) if most < constants.MAXREPEAT else int(least) + PATTERN_MOST
