"""A leaf under one more rule: the arithmetic of bounds, multiples, digits and patterns."""

from __future__ import annotations

import datetime
import decimal
import math
import re
import sys
from dataclasses import replace
from fractions import Fraction

from unlike.errors import SpecError, with_article
from unlike.regex.tree import Alternation, parse
from unlike.regex.widths import usual_most
from unlike.structure.limits import Limit, first_code
from unlike.structure.shapes import EPOCH, SECOND, Checked, Numbers, Path, Shape, Texts, shown_path

# Decimal places that a line may have: as many as the smallest float is written with, as many digits as Python reads as
# one number (and some to spare), those of a microsecond.
MOST_PLACES = {"float": 324, "decimal": 4_000, "time": 6, "datetime": 6, "timedelta": 6}
LEADING_FLAGS = re.compile(r"\(\?([aimsux]+)\)")
FEW_FLOATS = 1_000  # between two bounds: so many are all listed
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
    unit = shape.line.unit
    limit = Limit(side, code / unit, is_open)
    if shape.line.kind == "float":
        limit = _first_float(side, value, is_open=is_open)
    bound = first_code(limit, unit)
    limits = (*shape.limits, limit) if shape.line.kind in ("float", "decimal") else ()
    ends = [end * unit for end in ENDS.get(shape.line.kind, ())]
    if side == "least":
        low = _up(max(bound, shape.low) if side in shape.stated else bound, shape.step)
        high = shape.high if "most" in shape.stated else min([*ends[1:], max(shape.high, low + _span(shape, code))])
    else:
        high = _down(min(bound, shape.high) if side in shape.stated else bound, shape.step)
        low = shape.low if "least" in shape.stated else max([*ends[:1], min(shape.low, high - _span(shape, code))])
    return replace(shape, low=low, high=high, stated=_stating(shape.stated, side), limits=limits)


def _first_float(side: str, value: object, *, is_open: bool) -> Limit:
    """Return a bound of floats as the first float within it; where there is none, as one beyond all of them."""
    towards = math.inf if side == "least" else -math.inf
    assert isinstance(value, int | float | decimal.Decimal | Fraction)
    exact = Fraction(value)
    try:
        found = float(exact)
    except OverflowError:
        found = sys.float_info.max if exact > 0 else -sys.float_info.max
    if isinstance(value, Fraction) and Fraction(repr(found)) == value:
        exact = Fraction(found)  # a fraction as it is written: 1/10 is 0.1
    limit = Limit(side, exact, is_open)
    while math.isfinite(found) and not limit.keeps(Fraction(found)):
        found = math.nextafter(found, towards)
    if not math.isfinite(found):
        return Limit(side, Fraction(10 * ENDS["float"][side == "least"]))
    return Limit(side, Fraction(repr(found)))


def _span(shape: Numbers, code: Fraction) -> int:
    """Return how far an open end lies from a bound beyond the default range: a thousand units, or floats."""
    if shape.line.kind in ("uuid", "ipv4", "ipv6", "date", "time"):
        return 0
    apart = 1
    if shape.line.kind == "float":
        nearest = min(abs(code / shape.line.unit), Fraction(ENDS["float"][1]))
        apart = max(1, int(math.ulp(float(nearest))))
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
        one = with_article(kind)
        wanted = "a finite number; give one" if is_number else f"a bound for {one}; give {one}"
        raise SpecError(f"{shown_path(path)}: '{rule}' is not {wanted}")
    while (number * shape.line.unit).denominator != 1 and shape.line.places < MOST_PLACES.get(kind, 0):
        shape = shape.at_places(shape.line.places + 1)
    return number * shape.line.unit, shape


def _number(value: object) -> Fraction | None:
    if isinstance(value, bool) or not isinstance(value, int | float | decimal.Decimal | Fraction):
        return None
    try:
        return Fraction(repr(value)) if isinstance(value, float) else Fraction(value)
    except (ValueError, OverflowError):
        return None


def other_places(shape: Numbers, found: Shape) -> int | None:
    """Return how many decimal places may leave a value where rules left none; nothing where none would."""
    found = found.inner if isinstance(found, Checked) else found
    if not isinstance(found, Numbers) or found.count():
        return None
    places, most = shape.line.places, MOST_PLACES.get(shape.line.kind, 0)
    if found.line.places < places or found.digits is not None:
        return None
    if found.line.kind not in ("float", "decimal"):
        return None if places >= most else places + 1
    low = max((each.value for each in found.limits if each.side == "least"), default=None)
    high = min((each.value for each in found.limits if each.side == "most"), default=None)
    # each multiple has a code already, and a single number, too
    if "multiple" in found.stated or low is None or high is None or low >= high or places >= most:
        return None
    # so many places that codes are about as near to each other as the bounds are
    return min(most, max(places + 1, math.floor(_digits_of(1 / (high - low)))))


def _digits_of(number: Fraction) -> int:
    """Return the decimal digits of a number before the point, or one more."""
    return int(int(number).bit_length() * math.log10(2))


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


def list_few(shape: Numbers) -> Numbers:
    """Return floats between bounds with a code for each where they are few; nothing changes where they are many."""
    if shape.line.kind != "float" or shape.is_listed or not {"least", "most"} <= {*shape.stated}:
        return shape
    low = max(float(each.value) for each in shape.limits if each.side == "least")
    high = min(float(each.value) for each in shape.limits if each.side == "most")
    found = [low]
    while found[-1] < high and len(found) <= FEW_FLOATS:
        found.append(math.nextafter(found[-1], math.inf))
    if low > high or len(found) > FEW_FLOATS:
        return shape
    while any((Fraction(repr(each)) * shape.line.unit).denominator != 1 for each in found):
        shape = shape.at_places(shape.line.places + 1)
    codes = [int(Fraction(repr(each)) * shape.line.unit) for each in found]
    step = math.gcd(*codes) or 1  # far from 0 no two floats are near each other
    return replace(shape, low=codes[0], high=codes[-1], step=step, stated=_stating(shape.stated, "places"))


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
    of = Fraction(step, shape.line.unit)
    return replace(shape, step=step, low=low, high=high, stated=_stating(shape.stated, "multiple"), of=of)


def in_digits(shape: Numbers, digits: int | None, places: int | None) -> Numbers | None:
    """Return the decimals of so many digits, so many of them after the point."""
    if shape.line.kind != "decimal":
        return None
    if digits is None:
        return replace(shape, stated=_stating(shape.stated, "places")).at_places(places or 0)
    shape = replace(shape, digits=digits)
    if places is not None:
        return replace(shape, stated=_stating(shape.stated, "places")).at_places(min(places, digits))
    usual = min(shape.line.places, digits)
    tried = [shape.at_places(each) for each in (*range(usual, digits + 1), *reversed(range(usual)))]
    return next((each for each in tried if each.count()), tried[0])


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
    if head := LEADING_FLAGS.match(pattern):  # they hold for the whole, and may stand at its start alone
        return f"(?{head[1]}:{search_pattern(pattern[head.end() :], flags)})"
    start = next((each for each in ("^", r"\A") if pattern.startswith(each)), "")
    body = pattern[len(start) :]
    end = next((each for each in ("$", r"\Z", r"\z") if body.endswith(each) and not _is_escaped(body, each)), "")
    inside = body[: len(body) - len(end)]
    if end == r"\z":
        pattern, end = f"{start}{inside}\\Z", r"\Z"  # the other spelling, which Python learns late
    if isinstance(parse(inside, flags).root, Alternation):
        start, end, inside = "", "", pattern  # the places belong to one branch each
    if start and end:
        return pattern
    return f"{'' if start else '(?s:.*)'}(?:{inside}){'' if end else '(?s:.*)'}"


def _is_escaped(text: str, end: str) -> bool:
    before = text[: len(text) - len(end)]
    return (len(before) - len(before.rstrip("\\"))) % 2 == 1
