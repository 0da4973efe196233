"""Of every kind of number the first inputs hold ordinary values and odd ones: both ends, powers, what people write."""

from __future__ import annotations

import datetime
import math
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated

import pytest
from annotated_types import Ge, Interval, Le, Len

import unlike

N = 400
DAY = datetime.timedelta(days=1)
pytestmark = pytest.mark.corpus  # four hundred inputs of ten fields
FIRST, LAST = datetime.date(1990, 1, 1), datetime.date(2049, 12, 31)


@dataclass
class Everything:
    """A place of each kind, within bounds, and numbers without."""

    count: Annotated[int, Interval(ge=-100_000, le=100_000)]
    share: Annotated[float, Interval(ge=-1000.0, le=1000.0)]
    price: Annotated[Decimal, Ge(0), Le(10_000)]
    day: Annotated[datetime.date, Ge(FIRST), Le(LAST)]
    moment: datetime.datetime
    wait: Annotated[datetime.timedelta, Ge(datetime.timedelta(0)), Le(365 * DAY)]
    name: Annotated[str, Len(1, 40)]
    items: Annotated[list[bool], Len(0, 30)]
    free: int
    real: float


@pytest.fixture(scope="module")
def inputs() -> list[Everything]:
    return unlike.generate(Everything, N).values


ENDS = {
    "count": (-100_000, 100_000, 1),
    "share": (-1000.0, 1000.0, None),
    "price": (Decimal(0), Decimal(10_000), None),
    "day": (FIRST, LAST, DAY),
    "wait": (datetime.timedelta(0), 365 * DAY, None),
}


@pytest.mark.parametrize("name", ENDS)
def test_both_ends_and_one_beside_are_there(inputs, name):
    seen = {getattr(each, name) for each in inputs}
    least, most, step = ENDS[name]

    assert {least, most} <= seen
    inner = sorted(seen - {least, most})
    if step is None:  # the next that can be written, or nearly: a thousandth of the range
        step = (most - least) / 1000
        assert inner[0] - least <= step
        assert most - inner[-1] <= step
    else:
        assert {least + step, most - step} <= seen


@pytest.mark.parametrize("name", ENDS)
def test_values_lie_all_over_the_range(inputs, name):
    least, most, _ = ENDS[name]
    parts = {int(8 * ((getattr(each, name) - least) / (most - least))) for each in inputs}

    assert parts >= set(range(8))


def test_numbers_of_every_length_are_there_and_negative_ones(inputs):
    for name in ("count", "free"):
        numbers = [getattr(each, name) for each in inputs]
        assert {len(str(abs(each))) for each in numbers} >= {1, 2, 3, 4, 5}
        assert sum(each < 0 for each in numbers) >= N // 10
    assert sum(each.real < 0 for each in inputs) >= N // 20
    assert {math.floor(math.log10(abs(each.share))) for each in inputs if each.share} >= {-1, 0, 1, 2}


def test_powers_of_two_and_ten_and_one_beside_are_there(inputs):
    numbers = {abs(each) for one in inputs for each in (one.count, one.free)}
    powers = {base**exponent for base, most in ((10, 7), (2, 20)) for exponent in range(2, most)}

    assert len(numbers & {power for power in powers if power > 100}) >= 5
    assert len(numbers & {power - 1 for power in powers if power > 100}) >= 3
    assert len(numbers & {power + 1 for power in powers if power > 100}) >= 3


def test_what_people_write_is_there(inputs):
    written = {1, 7, 12, 24, 60, 100, 365, 1000, 1024, 1999}

    assert len({number for each in inputs for number in (each.count, each.free)} & written) >= 6
    assert len({int(each.price) for each in inputs if each.price == int(each.price)} & written) >= 4


def test_days_that_calendars_treat_by_themselves_are_there(inputs):
    days = {(each.day.month, each.day.day) for each in inputs} | {(m.month, m.day) for m in (e.moment for e in inputs)}

    assert {(1, 1), (2, 28), (2, 29), (12, 31)} <= days
    clocks = {each.moment.time() for each in inputs}
    assert {datetime.time(0), datetime.time(12), datetime.time(23, 59, 59)} <= clocks


def test_short_lengths_come_often_long_ones_now_and_then_and_the_longest(inputs):
    for sizes, most in (([len(each.name) for each in inputs], 40), ([len(each.items) for each in inputs], 30)):
        assert most in sizes
        assert sum(size <= most // 4 for size in sizes) > N / 3
        assert sum(size > most // 2 for size in sizes) >= 3
        assert len(set(sizes)) >= 5
