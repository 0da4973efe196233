"""A leaf under one more rule: the arithmetic of bounds, multiples, digits and patterns."""

from __future__ import annotations

import datetime
import decimal
import math
import sys
from dataclasses import replace
from fractions import Fraction

from unlike.errors import SpecError
from unlike.regex.tree import Alternation, parse
from unlike.regex.widths import usual_most
from unlike.structure.shapes import EPOCH, SECOND, Checked, Numbers, Path, Shape, Texts, shown_path

# Decimal places that a line may have: as many as the smallest float is written with, those of a microsecond.
MOST_PLACES = {"float": 324, "decimal": 324, "time": 6, "datetime": 6, "timedelta": 6}
MOST_GAPS = 10_000  # multiples in a row that are no floats
# The first and the last code of lines that end, in whole units.
ENDS: dict[str, tuple[int, int]] = {
    "float": (-int(sys.float_info.max), int(sys.float_info.max)),
    "date": (datetime.date.min.toordinal(), datetime.date.max.toordinal()),
    "time": (0, 24 * 60 * 60 - 1),
    "datetime": ((datetime.datetime.min - EPOCH) // SECOND, (datetime.datetime.max - EPOCH) // SECOND),
    "timedelta": (datetime.timedelta.min // SECOND, datetime.timedelta.max // SECOND),
    "uuid": (0, 2**62 - 1),
    "ipv4": (0, 2**32 - 1),
    "ipv6": (0, 2**128 - 1),
}


def keep_bound(shape: Numbers, side: str, value: object, *, is_open: bool, rule: object, path: Path) -> Numbers:
    """Return the numbers at or beyond a bound; an end that nobody stated moves away from it."""
    code, shape = _code(shape, value, rule, path)
    first, last = (end * shape.line.unit for end in ENDS.get(shape.line.kind, (-math.inf, math.inf)))
    if side == "least":
        low = max(math.floor(code) + 1, _beside(shape, code, math.inf)) if is_open else math.ceil(code)
        low = _up(max(low, shape.low) if "least" in shape.stated else low, shape.step)
        high = shape.high if "most" in shape.stated else int(min(last, max(shape.high, low + _span(shape, code))))
        return replace(shape, low=low, high=high, stated=_stating(shape.stated, "least"))
    high = min(math.ceil(code) - 1, _beside(shape, code, -math.inf)) if is_open else math.floor(code)
    high = _down(min(high, shape.high) if "most" in shape.stated else high, shape.step)
    low = shape.low if "least" in shape.stated else int(max(first, min(shape.low, high - _span(shape, code))))
    return replace(shape, low=low, high=high, stated=_stating(shape.stated, "most"))


def _beside(shape: Numbers, code: Fraction, towards: float) -> int:
    """Return the code of the float beside a bound: far from 0 they lie further apart than their codes."""
    unit = shape.line.unit
    if shape.line.kind == "float" and abs(code / unit) < sys.float_info.max:
        code = Fraction(math.nextafter(float(code / unit), towards)) * unit
    return math.ceil(code) if towards > 0 else math.floor(code)


def _span(shape: Numbers, code: Fraction) -> int:
    """Return how far an open end lies from a bound beyond the default range: a thousand units, or floats."""
    if shape.line.kind in ("uuid", "ipv4", "ipv6", "date", "time"):
        return 0
    apart = max(1, int(math.ulp(float(code / shape.line.unit)))) if shape.line.kind == "float" else 1
    return 1_000 * apart * shape.line.unit // shape.step * shape.step or 1_000 * shape.step


def _stating(stated: tuple[str, ...], rule: str) -> tuple[str, ...]:
    return stated if rule in stated else (*stated, rule)


def _up(code: int, step: int) -> int:
    return -(-code // step) * step


def _down(code: int, step: int) -> int:
    return code // step * step


def _code(shape: Numbers, value: object, rule: object, path: Path) -> tuple[Fraction, Numbers]:
    """Return where a bound stands, and the shape with enough decimal places to reach it."""
    kind = shape.line.kind
    if isinstance(value, datetime.datetime) and value.tzinfo is not None and shape.line.zone is None:
        shape = replace(shape, line=replace(shape.line, zone="UTC"))
    is_number = kind in ("int", "float", "decimal")
    number = _number(value) if is_number else replace(shape.line, places=0).code(value)
    if number is None:
        wanted = "a finite number; give one" if is_number else f"a bound for a {kind}; give a {kind}"
        raise SpecError(f"{shown_path(path)}: '{rule}' is not {wanted}")
    while (number * shape.line.unit).denominator != 1 and shape.line.places < MOST_PLACES.get(kind, 0):
        shape = finer(shape)
    return number * shape.line.unit, shape


def _number(value: object) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, int | float | decimal.Decimal | Fraction):
        return None
    try:
        return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)
    except (ValueError, OverflowError):
        return None


def is_too_coarse(shape: Numbers, found: Shape) -> bool:
    """Tell whether rules left nothing of numbers that more decimal places could have left."""
    found = found.inner if isinstance(found, Checked) else found
    if not isinstance(found, Numbers) or found.count():
        return False
    return shape.line.places < MOST_PLACES.get(shape.line.kind, 0) and found.line.places >= shape.line.places


def without_gaps(shape: Numbers) -> Numbers:
    """Return the numbers from the first to the last that is a float; nothing changes where all of them are."""
    low, high = shape.low, shape.high
    for _ in range(MOST_GAPS):
        if low > high or shape.has_value(low):
            break
        low += shape.step
    for _ in range(MOST_GAPS):
        if low > high or shape.has_value(high):
            break
        high -= shape.step
    return replace(shape, low=low, high=high)


def finer(shape: Numbers) -> Numbers:
    """Return the numbers with one more decimal place."""
    line = replace(shape.line, places=shape.line.places + 1)
    step = shape.step * 10 if "multiple" in shape.stated else 1
    return replace(shape, line=line, low=shape.low * 10, high=shape.high * 10, step=step)


def keep_multiples(shape: Numbers, of: object, *, rule: object, path: Path) -> Numbers | None:
    """Return the multiples among the numbers."""
    if shape.line.kind not in ("int", "float", "decimal", "timedelta"):
        return None
    code, shape = _code(shape, of, rule, path)
    if code <= 0:
        raise SpecError(f"{shown_path(path)}: '{rule}' is not a step that can be taken; give a number above 0")
    # whole codes that are multiples of 3/2 are multiples of 3
    step = math.lcm(shape.step, code.numerator) if "multiple" in shape.stated else code.numerator
    low, high = _up(shape.low, step), _down(shape.high, step)
    if high - low < step:  # at most one of them: an end that nobody stated moves away
        high = high if "most" in shape.stated else max(low, 0) + 1_000 * step
        low = low if "least" in shape.stated else min(high, 0) - 1_000 * step
    return replace(shape, step=step, low=low, high=high, stated=_stating(shape.stated, "multiple"))


def in_digits(shape: Numbers, digits: int | None, places: int | None) -> Numbers | None:
    """Return the decimals of so many digits, so many of them after the point."""
    if shape.line.kind != "decimal":
        return None
    while places is not None and shape.line.places < places:
        shape = finer(shape)
    if places is not None and shape.line.places > places:
        coarse = 10 ** (shape.line.places - places)
        line = replace(shape.line, places=places)
        low, high = -(-shape.low // coarse), shape.high // coarse
        shape = replace(shape, line=line, low=low, high=high, step=max(1, shape.step // coarse))
    if digits is None:
        return shape
    most = 10**digits - 1
    return replace(shape, low=_up(max(shape.low, -most), shape.step), high=_down(min(shape.high, most), shape.step))


def match_pattern(shape: Texts, pattern: str, flags: int, *, search: bool, path: Path) -> Texts:
    """Return the texts that match a pattern, too."""
    try:
        text = search_pattern(pattern, flags) if search else pattern
        if shape.pattern is not None and shape.pattern != text and shape.made == "str":
            text = f"(?=(?:{shape.pattern})\\Z)(?:{text})"
        parse(text, flags)
    except Exception as error:  # the parser's own errors and those of re
        raise SpecError(
            f"{shown_path(path)}: {pattern!r} cannot be used as a pattern: {error}; write another"
        ) from error
    most = shape.most if "longest" in shape.stated else max(shape.most, usual_most(text, flags | shape.flags))
    return replace(shape, pattern=text, flags=flags | shape.flags, most=most, stated=_stating(shape.stated, "pattern"))


def search_pattern(pattern: str, flags: int = 0) -> str:
    """Return a pattern that matches as a whole where the given one is found somewhere.

    >>> search_pattern("^[a-z]+$")
    '^[a-z]+$'
    """
    start = next((each for each in ("^", r"\A") if pattern.startswith(each)), "")
    body = pattern[len(start) :]
    end = next((each for each in ("$", r"\Z", r"\z") if body.endswith(each) and not _is_escaped(body, each)), "")
    inside = body[: len(body) - len(end)]
    if isinstance(parse(inside, flags).root, Alternation):
        start, end, inside = "", "", pattern  # the places belong to one branch each
    if end == r"\z":
        pattern = f"{start}{inside}$"  # the other spelling, which Python learns late
    if start and end:
        return pattern
    return f"{'' if start else '(?s:.*)'}(?:{inside}){'' if end else '(?s:.*)'}"


def _is_escaped(text: str, end: str) -> bool:
    before = text[: len(text) - len(end)]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1
