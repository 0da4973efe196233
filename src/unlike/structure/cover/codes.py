"""The codes of numbers, dates and addresses on their line: which must appear, and all of them in readable order."""

from __future__ import annotations

import datetime
import struct
from collections.abc import Callable, Iterator
from decimal import Decimal
from fractions import Fraction

from unlike.indexed import spread_indices
from unlike.structure.mentioned import Mentioned
from unlike.structure.shapes import Numbers
from unlike.structure.validity import fits

NEAR = 1_000  # a range up to this size is walked in wide strides from the start
FURTHER_PLACES = 20  # of numbers, where all that have fewer are used up; no list of inputs comes to their end
FLOAT_DIGITS = 17  # tell every float from its neighbours
ANY_VALUE = "any value"  # the plainest one, unless it is refused
LEAP_DAY = datetime.date(2024, 2, 29)


def is_whole(leaf: Numbers) -> bool:
    """Tell whether all values are listed: nobody stated the usual bounds, or that there are two decimal places."""
    exact = leaf.line.kind in ("int", "date") or "places" in leaf.stated
    exact |= leaf.line.kind == "decimal" and ("multiple" in leaf.stated or leaf.digits is not None)
    return exact and {"least", "most"} <= set(leaf.stated)


def count_values(leaf: Numbers) -> int:
    """Return how many values there are at most; there are more codes than floats, which come to an end, too."""
    count = sum(line.count() for line in lines_of(leaf))
    return min(count, _count_floats(leaf)) if leaf.line.kind == "float" and not leaf.is_listed else count


def _count_floats(leaf: Numbers) -> int:
    """Return how many floats there are within the bounds."""
    low = [each.value for each in leaf.limits if each.side == "least"] or [Fraction(leaf.low, leaf.line.unit)]
    high = [each.value for each in leaf.limits if each.side == "most"] or [Fraction(leaf.high, leaf.line.unit)]
    return _rank(float(min(high))) - _rank(float(max(low))) + 1


def _rank(value: float) -> int:
    """Return which float it is, counted from 0."""
    (rank,) = struct.unpack(">q", struct.pack(">d", abs(value)))
    return int(rank if value >= 0 else -rank)


def lines_of(leaf: Numbers) -> Iterator[Numbers]:
    """Yield the numbers, then those that have other decimal places: where none is left, there is no other value."""
    yield leaf
    places, most = leaf.line.places, leaf.line.places + FURTHER_PLACES
    if leaf.is_listed:
        return
    if leaf.digits is not None:
        most = leaf.digits
        yield from map(leaf.at_places, reversed(range(places)))
    elif leaf.line.kind == "float":
        largest = max(abs(leaf.low), abs(leaf.high)) // leaf.line.unit
        most = min(most, FLOAT_DIGITS + 1 - len(str(largest))) if largest else most
    yield from map(leaf.at_places, range(places + 1, most + 1))


def bounds_of(leaf: Numbers) -> Iterator[tuple[str, int]]:
    """Yield what must appear, in words: any value (the plainest, if it can be), both ends, those beside stated ones."""
    stated_low, stated_high = "least" in leaf.stated, "most" in leaf.stated
    if leaf.line.kind in ("uuid", "ipv4", "ipv6") and not (stated_low or stated_high):
        yield "", leaf.low
        return
    if not (stated_low and stated_high) and (anchor := _anchor(leaf)) not in (leaf.low, leaf.high):
        yield ANY_VALUE, anchor
    yield "least", leaf.low
    yield "most", leaf.high
    if stated_low and leaf.count() > 2:
        yield "just above least", leaf.low + leaf.step
    if stated_high and leaf.count() > 2:
        yield "just below most", leaf.high - leaf.step


def _anchor(leaf: Numbers) -> int:
    """Return the code of the plainest value: zero, a leap day, noon of it."""
    day = LEAP_DAY.toordinal()
    wanted = {
        "date": day,
        "datetime": ((day - datetime.date(1970, 1, 1).toordinal()) * 86_400 + 43_200) * leaf.line.unit,
        "time": 43_200 * leaf.line.unit,
    }.get(leaf.line.kind, 0)
    inside = min(max(wanted, leaf.low), leaf.high)
    return leaf.low + (inside - leaf.low) // leaf.step * leaf.step


def codes_of(leaf: Numbers) -> Iterator[int]:
    """Yield every code: spread over stated bounds, and over few; else from the plainest value outwards, then spread."""
    if leaf.count() > NEAR and not {"least", "most"} <= set(leaf.stated):
        unit = {"datetime": 90_000, "time": 3_600, "timedelta": 3_600}.get(leaf.line.kind, 1) * leaf.line.unit
        step = leaf.step * max(1, unit // leaf.step)
        anchor = _anchor(leaf)
        for away in range(1, NEAR):
            for code in (anchor + away * step, anchor - away * step):
                if leaf.low <= code <= leaf.high:
                    yield code
    for index in spread_indices(leaf.count()):
        yield leaf.low + index * leaf.step


def numbers_mentioned(leaf: Numbers, mentioned: Mentioned) -> Iterator[object]:
    """Yield the numbers within stated bounds that a validator mentions."""
    makers: dict[str, Callable[[int | float], object]] = {
        "int": int,
        "float": float,
        "decimal": lambda x: Decimal(str(x)),
    }
    make = makers.get(leaf.line.kind)
    if make is not None and not leaf.line.written:
        values = (make(each) for each in mentioned.numbers if leaf.line.kind != "int" or each == int(each))
        yield from (each for each in values if fits(leaf, each))
