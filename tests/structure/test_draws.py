"""Values of open places are drawn for each place by itself: balanced, independent, ordinary and odd, the same every run."""

from __future__ import annotations

import datetime
import itertools
import math
from collections import Counter
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Annotated, Literal

import pytest
from annotated_types import Ge, Interval, Le, Len, Predicate

import unlike
from unlike.chance import Chance, deal, key_of


@dataclass
class Flags:
    """Places of two and four options."""

    a: bool
    b: bool
    c: Literal[1, 2, 3, 4]
    d: Literal[1, 2, 3, 4]
    e: bool = True
    f: bool | None = None
    g: list[bool] = field(default_factory=list)


def association(pairs):
    """Return Cramér's V: 0 for columns that have nothing to do with each other, 1 for columns that move together."""
    rows, columns = Counter(x for x, _ in pairs), Counter(y for _, y in pairs)
    both, total = Counter(pairs), len(pairs)
    chi = sum(
        (both[x, y] - rows[x] * columns[y] / total) ** 2 / (rows[x] * columns[y] / total)
        for x, y in itertools.product(rows, columns)
    )
    return math.sqrt(chi / total / (min(len(rows), len(columns)) - 1))


@pytest.mark.parametrize("seed", [0, 1])
def test_no_two_places_move_together(seed):
    values = unlike.generate(Flags, 200, seed=seed).values

    for one, two in itertools.combinations("abcdef", 2):
        assert association([(getattr(each, one), getattr(each, two)) for each in values]) < 0.3, (one, two)


def test_every_option_of_a_place_comes_about_equally_often():
    values = unlike.generate(Flags, 200).values

    for name in "abcd":
        often = Counter(getattr(each, name) for each in values)
        assert max(often.values()) - min(often.values()) < 30, (name, often)


def test_every_alternative_has_a_fair_share_of_the_first_inputs():
    values = unlike.generate(int | Flags | str | datetime.date, 40).values

    often = Counter(type(each) for each in values)
    assert min(often.values()) >= 7, often
    assert len({type(each) for each in values[:4]}) >= 3


@pytest.mark.parametrize("cover", ["each", "pairs", "all"])
def test_more_inputs_begin_with_the_fewer(cover):
    many = unlike.generate(Flags, 120, cover=cover).values

    for n in (1, 10, 50):
        assert unlike.generate(Flags, n, cover=cover).values == many[:n]


@dataclass
class Sale:
    """Numbers, days and texts of ordinary ranges."""

    pieces: Annotated[int, Interval(ge=0, le=5000)]
    price: Annotated[Decimal, Ge(0), Le(10_000)]
    rate: Annotated[float, Interval(ge=-1.0, le=1.0)]
    day: datetime.date
    name: Annotated[str, Len(1, 12)]
    even: Annotated[int, Ge(1), Le(999), Predicate(lambda number: number % 2 == 0)]
    free: int


def test_numbers_spread_over_their_range_and_hold_its_ends_and_what_people_write():
    sales = unlike.generate(Sale, 150).values
    pieces = [each.pieces for each in sales]

    assert {0, 1, 4999, 5000} <= set(pieces)
    for part in range(5):
        assert any(part * 1000 < each < part * 1000 + 1000 for each in pieces), part
    assert any((each >= 100 and each & (each - 1) == 0) or str(each).strip("0") == "1" for each in pieces)
    assert sum(each % 10 == 0 for each in pieces) > 30
    assert min(each.free for each in sales) < 0 < sum(0 < each.free < 1000 for each in sales)
    assert len({each.day.month for each in sales}) > 6
    assert any(each.day.month == 2 and each.day.day == 29 for each in sales)
    assert len({len(each.name) for each in sales}) > 6


def test_some_numbers_stand_in_the_same_input_twice():
    @dataclass
    class Trip:
        start: Annotated[int, Interval(ge=0, le=100_000)]
        end: Annotated[int, Interval(ge=0, le=100_000)]

    away = Counter(each.end - each.start for each in unlike.generate(Trip, 200).values)

    assert away[0] >= 3
    assert away[1] + away[-1] >= 2


def test_every_drawn_value_keeps_the_rules():
    for each in unlike.generate(Sale, 300).values:
        assert 0 <= each.pieces <= 5000
        assert 0 <= each.price <= 10_000
        assert -1 <= each.rate <= 1
        assert 1 <= len(each.name) <= 12
        assert each.name.isascii()
        assert each.name.isprintable()
        assert each.even % 2 == 0
        assert 1 <= each.even <= 999


def test_another_seed_moves_every_place():
    one, other = (unlike.generate(Sale, 40, seed=seed).values for seed in (0, 1))

    for name in ("pieces", "price", "rate", "day", "name", "even", "free"):
        assert [getattr(each, name) for each in one] != [getattr(each, name) for each in other]


def test_options_are_dealt_in_rounds():
    for place, options in itertools.product(range(20), range(1, 9)):
        dealt = [deal(key_of("place", place), turn, options) for turn in range(3 * options)]
        for start in range(0, len(dealt), options):
            assert sorted(dealt[start : start + options]) == list(range(options))


def test_chance_is_even_for_counts_of_any_size():
    chance = Chance(7)
    often = Counter(chance.below(10) for _ in range(10_000))
    assert all(900 < often[digit] < 1100 for digit in range(10))
    assert max(chance.below(2**128) for _ in range(100)) > 2**126
