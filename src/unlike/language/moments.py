"""Dates, times, moments and spans of time as values: bounds, and a step of which all of them are multiples.

Underneath each is a whole number: a date that of its day, a time that of its second, a moment and a span that of
their microseconds (of a moment since EPOCH), so that what is said of them goes to the same arithmetic as numbers do.
"""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import ClassVar

from unlike.errors import SpecError
from unlike.language import terms

FIRST_DAY, LAST_DAY = datetime.date(2000, 1, 1), datetime.date(2099, 12, 31)
DAY_SECONDS = 24 * 60 * 60  # a day of a calendar has no leap second
SECOND = 10**6  # microseconds
DAY = DAY_SECONDS * SECOND  # microseconds
YEAR = datetime.timedelta(365)
MOST_SECONDS = 10**9  # thirty years; more are said with a timedelta
EPOCH = datetime.datetime(1970, 1, 1)  # steps of moments are counted from here, as most clocks do


@dataclass(frozen=True, slots=True)
class Date:
    """A date from low to high (by default this century)."""

    kind: ClassVar[terms.Kind] = terms.DATE
    low: datetime.date = FIRST_DAY
    high: datetime.date = LAST_DAY

    def __post_init__(self) -> None:
        for bound in (self.low, self.high):
            if type(bound) is not datetime.date:
                raise SpecError(f"Date(): a bound is a datetime.date, not {bound!r}")
        check_order("Date", self.low, self.high)


@dataclass(frozen=True, slots=True)
class Time:
    """A time of day from low to high, in steps of so many seconds (by default a minute)."""

    kind: ClassVar[terms.Kind] = terms.TIME
    low: datetime.time = datetime.time(0)
    high: datetime.time = datetime.time(23, 59, 59)
    step: int = 60

    def __post_init__(self) -> None:
        for bound in (self.low, self.high):
            if type(bound) is not datetime.time or bound.tzinfo or bound.microsecond:
                raise SpecError(f"Time(): a bound is a datetime.time in whole seconds without zone, not {bound!r}")
        if type(self.step) is not int or not 1 <= self.step <= DAY_SECONDS:
            raise SpecError(f"Time(step={self.step!r}): the step is a number of seconds from 1 to {DAY_SECONDS}")
        check_order("Time", self.low, self.high)

    @property
    def seconds(self) -> tuple[int, int]:
        """The bounds as seconds since midnight."""
        return seconds_of(self.low), seconds_of(self.high)


@dataclass(frozen=True, slots=True)
class DateTime:
    """A date with a time of day, without a zone, in steps of seconds or of a timedelta (by default a minute)."""

    kind: ClassVar[terms.Kind] = terms.DATETIME
    low: datetime.datetime = datetime.datetime(2000, 1, 1)
    high: datetime.datetime = datetime.datetime(2099, 12, 31, 23, 59, 59)
    step: int | datetime.timedelta = 60

    def __post_init__(self) -> None:
        for bound in (self.low, self.high):
            if type(bound) is not datetime.datetime or bound.tzinfo:
                raise SpecError(f"DateTime(): a bound is a datetime.datetime without zone, not {bound!r}")
        _check_step("DateTime", self.step)
        check_order("DateTime", self.low, self.high)

    @property
    def ticks(self) -> int:
        """The step in microseconds."""
        return _ticks_of(self.step)

    @property
    def steps(self) -> tuple[int, int]:
        """The bounds as whole numbers of steps since EPOCH."""
        return -(-moment_ticks(self.low) // self.ticks), moment_ticks(self.high) // self.ticks


@dataclass(frozen=True, slots=True)
class Timedelta:
    """A span of time, in steps of seconds or of a timedelta (by default a minute, up to a year forwards or back)."""

    kind: ClassVar[terms.Kind] = terms.TIMEDELTA
    low: datetime.timedelta = -YEAR
    high: datetime.timedelta = YEAR
    step: int | datetime.timedelta = 60

    def __post_init__(self) -> None:
        for bound in (self.low, self.high):
            if type(bound) is not datetime.timedelta:
                raise SpecError(f"Timedelta(): a bound is a datetime.timedelta, not {bound!r}")
        _check_step("Timedelta", self.step)
        check_order("Timedelta", self.low, self.high)

    @property
    def ticks(self) -> int:
        """The step in microseconds."""
        return _ticks_of(self.step)

    @property
    def steps(self) -> tuple[int, int]:
        """The bounds as whole numbers of steps."""
        return -(-span_ticks(self.low) // self.ticks), span_ticks(self.high) // self.ticks


def _check_step(what: str, step: object) -> None:
    is_count = type(step) is int and 1 <= step <= MOST_SECONDS
    is_span = type(step) is datetime.timedelta and step > datetime.timedelta(0)
    if not is_count and not is_span:
        raise SpecError(f"{what}(step={step!r}): the step is a number of seconds of at least 1, or a timedelta above 0")


def _ticks_of(step: int | datetime.timedelta) -> int:
    return span_ticks(step) if isinstance(step, datetime.timedelta) else step * SECOND


def seconds_of(time: datetime.time) -> int:
    """Return the seconds since midnight."""
    return time.hour * 3600 + time.minute * 60 + time.second


def time_of(seconds: int) -> datetime.time:
    """Return the time of day so many seconds after midnight."""
    return datetime.time(seconds // 3600, seconds // 60 % 60, seconds % 60)


def span_ticks(span: datetime.timedelta) -> int:
    """Return a span of time as whole microseconds."""
    return span // datetime.timedelta.resolution


def span_of(ticks: int) -> datetime.timedelta:
    """Return so many microseconds as a span of time."""
    return datetime.timedelta(microseconds=ticks)


def moment_ticks(moment: datetime.datetime) -> int:
    """Return the microseconds of a moment since EPOCH."""
    return span_ticks(moment - EPOCH)


FIRST_TICK, LAST_TICK = moment_ticks(datetime.datetime.min), moment_ticks(datetime.datetime.max)


def moment_of(ticks: int) -> datetime.datetime:
    """Return the moment so many microseconds after EPOCH, held within the calendar."""
    return EPOCH + span_of(min(max(ticks, FIRST_TICK), LAST_TICK))


def check_order(what: str, low: object, high: object) -> None:
    """Refuse bounds that leave nothing between them."""
    if low > high:  # type: ignore[operator]
        raise SpecError(f"{what}({low!s}, {high!s}) is empty: the lower bound is above the upper one")
