"""Python's own `re.compile` for patterns that somebody else wrote."""

from __future__ import annotations

import re
import warnings


def compile_quietly(pattern: str, flags: int = 0) -> re.Pattern[str]:
    """Compile a pattern; what Python may forbid one day (`[[a]`) it accepts today, and no warning is printed or raised.

    >>> compile_quietly("[[a]").fullmatch("[") is not None
    True
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return re.compile(pattern, flags)
