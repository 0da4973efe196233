"""How far two compared values are from being equal, with a sign: a number, or None where none makes sense.

    7, 10 -> -3        "b", "a" -> 1        "jan", "feb" -> 3        date(2024, 3, 1), date(2024, 2, 28) -> 2
    (1, 5), (1, 9) -> -4      of the first items that differ

Only values of exact standard types are looked at: no method of the user's runs.
"""

from __future__ import annotations

import datetime
import decimal
import fractions
import functools
import operator
from typing import Any

SEVERAL = 40  # members that a value is looked for in are looked at up to here
LONG = 64  # of a text
TINY = 5e-324  # the smallest float: of a distance too small to be one
EXACTLY = decimal.Context(prec=60, traps=[])
NUMBERS = (int, float, decimal.Decimal, fractions.Fraction)
TEXTS = (str, bytes)
HOLDING = (str, tuple, list, set, frozenset, dict)
MOMENTS = (datetime.datetime, datetime.timedelta)
MEASURED = (*NUMBERS, *TEXTS, tuple, datetime.date, *MOMENTS)  # classes whose values have distances
Nearest = tuple[int | float, object]  # how far, from what


def distance_of(a: Any, b: Any) -> int | float | None:
    """Return a - b for numbers and moments, the letters that differ for texts; below 0 if a is less than b."""
    kind = type(a)
    try:
        if kind in TEXTS:
            return _distance_of_texts(a, b) if type(b) is kind else None
        if kind in NUMBERS:
            return _distance_of_numbers(a, b) if type(b) in NUMBERS else None
        if kind is not type(b):
            return None
        if kind is tuple:
            return _distance_of_tuples(a, b)
        if kind is datetime.date:
            return (a - b).days  # type: ignore[no-any-return]
        if kind in MOMENTS:
            return (a - b).total_seconds()  # type: ignore[no-any-return]
    except (TypeError, ValueError, ArithmeticError):  # with and without a zone, not a number, too large
        return None
    return None


def _distance_of_texts(a: Any, b: Any) -> int:
    if a == b:
        return 0
    if len(a) == len(b) == 1:
        return ord(a) - ord(b)
    away = sum(map(operator.ne, a[:LONG], b[:LONG])) + abs(len(a) - len(b)) or 1
    return away if a > b else -away


def _distance_of_numbers(a: Any, b: Any) -> int | float | None:
    if type(a) is type(b) and type(a) in (int, float):
        away = a - b
        return away if away == away else None  # infinity from itself
    if type(a) is decimal.Decimal and type(b) in (int, decimal.Decimal):
        EXACTLY.clear_flags()  # of its own, so that the context of the code remembers nothing of it
        difference = EXACTLY.subtract(a, b)
        if difference.is_finite() and not EXACTLY.flags[decimal.Inexact]:
            return float(difference) or ((difference > 0) - (difference < 0)) * TINY
    exact = fractions.Fraction(a) - fractions.Fraction(b)
    return float(exact) or ((exact > 0) - (exact < 0)) * TINY


def _distance_of_tuples(a: tuple[Any, ...], b: tuple[Any, ...]) -> int | float | None:
    for one, other in zip(a[:SEVERAL], b[:SEVERAL], strict=False):
        if (away := distance_of(one, other)) != 0:
            return away
    return len(a) - len(b)


def distance_to_any(a: Any, b: Any) -> Nearest | None:
    """Return how far a value is from the nearest of those in a container, without a sign, and that one."""
    kind, wanted = type(b), type(a)
    if kind is range and wanted is int and b:
        return min((abs(a - end), end) for end in (b[0], b[-1]))
    if kind not in HOLDING or len(b) > SEVERAL or (wanted not in NUMBERS and wanted not in TEXTS):
        return None
    if kind is str:
        return _distance_to_letters(a, b) if wanted is str and len(a) == 1 and b else None
    found = [(abs(away), each) for each in b if type(each) is wanted and (away := distance_of(a, each)) is not None]
    return min(found, default=None)  # the least of several: the order of a set is by chance


@functools.lru_cache(maxsize=4096)  # letters and the few texts they are looked for in come again and again
def _distance_to_letters(letter: str, letters: str) -> Nearest:
    return min([(abs(ord(letter) - ord(each)), each) for each in letters])


def distance_to_part(text: Any, part: Any, at_end: bool) -> Nearest | None:
    """Return how far the start of a text, or its end, is from the nearest of some parts, and that one."""
    found = []
    for each in part if type(part) is tuple else (part,):
        if type(each) is type(text) and type(text) in TEXTS and each:
            piece = text[-len(each) :] if at_end else text[: len(each)]
            found.append((abs(_distance_of_texts(piece, each)), each))
    return min(found, default=None)
