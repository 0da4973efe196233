"""Whole numbers behind values: ints, reals with fixed places, dates and times are all codes on a line.

What assertions say about one such value alone is an exact set of intervals of codes, however large the range.
"""

from __future__ import annotations

import bisect
import calendar
import datetime
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from unlike.indexed import Integers
from unlike.language.moments import DAY, SECOND, moment_of, moment_ticks, seconds_of, time_of
from unlike.language.terms import BOOL, Const, Node, Op
from unlike.language.values import Date, DateTime, Int, Real, Time, Timedelta, Value, exact
from unlike.regex.chars import intersection, normal

FEW = 10  # numbers that are read in their order: the digits
ODD_HOURS = {2: datetime.time(0), 3: datetime.time(2, 30), 10: datetime.time(2, 30)}  # of odd days, by month
ROUND = (DAY, 3600 * SECOND, 60 * SECOND)  # spans of time that read well, in microseconds


@dataclass(frozen=True, slots=True)
class Line:
    """The codes of a value: number = code × scale; the plainest numbers are multiples of `plain_step` codes."""

    value: Int | Real | Date | Time | DateTime | Timedelta
    low: int
    high: int
    scale: Fraction
    plain_step: int = 1

    def plain(self, code: int) -> object:
        """Return the plain value of a code."""
        match self.value:
            case Int():
                return code
            case Real():
                return code * self.scale
            case Date():
                return datetime.date.fromordinal(code)
            case Time(step=step):
                return time_of(code * step)
            case DateTime():
                return moment_of(code * self.value.ticks)
            case Timedelta():
                return code * self.value.ticks


def line_of(value: Value) -> Line | None:
    """Return the line of a numeric value, or nothing for any other value."""
    match value:
        case Int(low, high):
            return Line(value, low, high, Fraction(1))
        case Real(places=places):
            low, high = value.steps
            return Line(value, low, high, Fraction(1, 10**places), 10**places)
        case Date(low=first, high=last):
            return Line(value, first.toordinal(), last.toordinal(), Fraction(1))
        case Time(step=step):
            first_second, last_second = value.seconds
            return Line(value, -(-first_second // step), last_second // step, Fraction(step))
        case DateTime():
            return Line(value, *value.steps, Fraction(value.ticks))
        case Timedelta():
            low, high = value.steps
            ticks, wide = value.ticks, (high - low) * value.ticks
            rounds = (unit // ticks for unit in ROUND if wide >= unit and not unit % ticks)
            return Line(value, low, high, Fraction(ticks), next(rounds, 1))
    return None


def number_of(plain: object) -> int | Fraction:
    """Return the number behind a plain value: the ordinal of a date, the seconds of a time, the ticks of a moment."""
    match plain:
        case int() | Fraction():
            return plain
        case datetime.datetime():
            return moment_ticks(plain)
        case datetime.date():
            return plain.toordinal()
        case datetime.time():
            return Fraction(seconds_of(plain)) + Fraction(plain.microsecond, 10**6)
        case float():
            return exact(plain)
    raise TypeError(f"{plain!r} has no number")


@dataclass(frozen=True, slots=True)
class Intervals:
    """A set of codes: sorted, disjoint, closed intervals. Indexed: counted and reached without being listed."""

    parts: tuple[tuple[int, int], ...]

    def count(self) -> int:
        """Return how many codes there are."""
        return sum(high - low + 1 for low, high in self.parts)

    def at(self, index: int) -> int:
        """Return the code at the index, in ascending order."""
        for low, high in self.parts:
            if index <= high - low:
                return low + index
            index -= high - low + 1
        raise IndexError(index)

    def rank_near(self, code: int) -> int:
        """Return the index of the member nearest to the code."""
        lows = [low for low, _ in self.parts]
        which = max(0, bisect.bisect_right(lows, code) - 1)
        before = sum(high - low + 1 for low, high in self.parts[:which])
        low, high = self.parts[which]
        if code <= high or which + 1 == len(self.parts) or code - high <= self.parts[which + 1][0] - code:
            return before + min(max(code, low), high) - low
        return before + high - low + 1

    def __and__(self, other: Intervals) -> Intervals:
        return Intervals(intersection(self.parts, other.parts))

    def __or__(self, other: Intervals) -> Intervals:
        return Intervals(normal(self.parts + other.parts))

    def without(self, other: Intervals) -> Intervals:
        """Return the codes that are not in the other set."""
        left = self
        for start, end in other.parts:
            kept = []
            for low, high in left.parts:
                kept += [(low, min(high, start - 1))] if low < start else []
                kept += [(max(low, end + 1), high)] if high > end else []
            left = Intervals(tuple(kept))
        return left


def telling_codes(line: Line, codes: Intervals) -> list[int]:
    """Return the codes that come first: the two ends, those beside them, odd days of the calendar and hours.

    Around zero it comes first, with its neighbours after the ends. Few numbers come in their order, and those whose
    bounds nobody stated as well: there nothing is named.
    """
    low, high = codes.parts[0][0], codes.parts[-1][1]
    if isinstance(line.value, Date):
        days = _odd_days(datetime.date.fromordinal(low).year, datetime.date.fromordinal(high).year)
        return [low, high, *(day.toordinal() for day in days)]
    if isinstance(line.value, DateTime):
        moments = [datetime.datetime.combine(day, clock) for day, clock in _odd_moments(line, low, high)]
        return [low, high, low + 1, high - 1, *(moment_ticks(each) // line.value.ticks for each in moments)]
    usual = [(each.low, each.high) for each in (Int(), Real())]
    plain = isinstance(line.value, Timedelta) or (line.value.low, line.value.high) in usual  # round ones come first
    if codes.count() <= FEW or (low < 0 < high and plain):
        return []
    ends = [low, high, low + 1, high - 1]
    return [0, low, high, line.plain_step, -line.plain_step, *ends[2:]] if low < 0 < high else ends


def _odd_days(first: int, last: int) -> Iterator[datetime.date]:
    """Yield a leap day, the end of a month and of a year, and the days on which European clocks change."""
    leap = next((year for year in range(first, last + 1) if calendar.isleap(year)), None)
    if leap is not None:
        yield datetime.date(leap, 2, 29)
    for year in dict.fromkeys((first, (first + last) // 2, last)):
        yield datetime.date(year, 4, 30)
        yield datetime.date(year, 12, 31)
        for month in (3, 10):
            end = datetime.date(year, month, 31)
            yield end - datetime.timedelta((end.weekday() + 1) % 7)  # the last Sunday


def _odd_moments(line: Line, low: int, high: int) -> Iterator[tuple[datetime.date, datetime.time]]:
    """Yield the odd days, each at an odd hour: where clocks change there is no 02:30, or there are two."""
    first, last = line.plain(low), line.plain(high)
    assert isinstance(first, datetime.datetime)
    assert isinstance(last, datetime.datetime)
    for day in _odd_days(first.year, last.year):
        yield day, ODD_HOURS.get(day.month, datetime.time(23, 59))


def find_allowed(line: Line, term: Node, condition: Node) -> Intervals | None:
    """Return the codes for which the condition holds, or nothing if it is not about this term and constants alone."""
    whole = Intervals(((line.low, line.high),))
    match condition:
        case Const(value, kind) if kind == BOOL:
            return whole if value else Intervals(())
        case Op("not", (inner,)):
            found = find_allowed(line, term, inner)
            return None if found is None else whole.without(found)
        case Op(("and" | "or") as name, args):
            result = whole if name == "and" else Intervals(())
            for arg in args:
                found = find_allowed(line, term, arg)
                if found is None:
                    return None
                result = result & found if name == "and" else result | found
            return result
        case Op("==" | "!=" | "ite", args) if args[-1].kind == BOOL:
            return _about_truth(condition.name, [whole, *(find_allowed(line, term, arg) for arg in args)])
        case Op(("==" | "!=" | "<" | "<=" | ">" | ">=") as name, (left, Const() as right)) if left == term:
            return _compare_codes(line, name, Fraction(number_of(right.value)) / line.scale)
        case Op(("==" | "!=" | "<" | "<=" | ">" | ">=") as name, (Const() as left, right)) if right == term:
            return _compare_codes(line, MIRROR[name], Fraction(number_of(left.value)) / line.scale)
    return None


def _about_truth(name: str, parts: list[Intervals | None]) -> Intervals | None:
    """Return the codes for which conditions are as true as each other (or not), or one decides between two."""
    match [part for part in parts if part is not None]:
        case [whole, asked, then, otherwise]:
            return (asked & then) | otherwise.without(asked)
        case [whole, one, two] if name != "ite":
            differing = one.without(two) | two.without(one)
            return differing if name == "!=" else whole.without(differing)
    return None


MIRROR = {"==": "==", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}


def _compare_codes(line: Line, name: str, bound: Fraction) -> Intervals:
    floor, ceiling = bound.numerator // bound.denominator, -(-bound.numerator // bound.denominator)
    ranges = {
        "<": (line.low, ceiling - 1),
        "<=": (line.low, floor),
        ">": (floor + 1, line.high),
        ">=": (ceiling, line.high),
    }
    low, high = ranges.get(name, (ceiling, floor))  # no code is equal to a bound between two
    low, high = max(low, line.low), min(high, line.high)
    found = Intervals(((low, high),) if low <= high else ())
    return Intervals(((line.low, line.high),)).without(found) if name == "!=" else found


def far_apart(codes: Intervals, least: int) -> list[Integers]:
    """Return a largest set of codes any two of which are at least `least` apart, in order.

    Taking the first code, then always the next one far enough away, gives a largest set; where the last interval has
    room to spare they are moved so that they meet zero, which makes rounder numbers.
    """
    found: list[Integers] = []
    for position, (low, high) in enumerate(codes.parts):
        start = max(low, found[-1].high + least) if found else low
        if start > high:
            continue
        is_last = position + 1 == len(codes.parts)
        first = start + (-start % least if is_last and -start % least <= (high - start) % least else 0)
        found.append(Integers(first, high - (high - first) % least, least))
    return found
