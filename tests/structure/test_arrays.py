"""Covering arrays with conditions, against every pair that can stand together."""

from __future__ import annotations

import random

import pytest
from tests.corpora import few_of

from unlike.errors import ScopeError
from unlike.structure.cover.arrays import pair_rows
from unlike.structure.cover.factors import Factor, FactorValue, pairs_of


def factors(widths: list[int]) -> list[Factor]:
    return [
        Factor({}, tuple(FactorValue({number: option}) for option in range(width)))
        for number, width in enumerate(widths)
    ]


def random_factors(seed: int) -> list[Factor]:
    """Make factors of which some are there only under a value of an earlier one."""
    chance = random.Random(seed)
    found: list[Factor] = []
    for number in range(chance.randint(2, 8)):
        above = chance.choice(found) if found and chance.random() < 0.4 else None
        condition = {} if above is None else above.whole(chance.randrange(len(above.values)))
        found.append(Factor(condition, tuple(FactorValue({number: option}) for option in range(chance.randint(2, 5)))))
    return found


def shows(row: dict[int, int], pair: dict[int, int]) -> bool:
    return all(row.get(number) == option for number, option in pair.items())


@pytest.mark.parametrize("seed", few_of(range(150), 30))
def test_every_pair_that_can_stand_together_stands_in_a_row(seed: int) -> None:
    columns = random_factors(seed)

    rows = pair_rows(columns)

    pairs = list(pairs_of(columns))
    single = [each.whole(value) for each in columns for value in range(len(each.values))]
    shown_in = [[index for index, row in enumerate(rows) if shows(row, target)] for target in [*pairs, *single]]
    assert all(shown_in[: len(pairs)])
    # no row is there for nothing: each shows something that no other one shows
    assert {places[0] for places in shown_in if len(places) == 1} == set(range(len(rows)))


@pytest.mark.parametrize(
    ("widths", "most"),
    [
        # sizes that greedy tools reach; the first number is the product of the two widest
        ([5, 5, 3, 3, 3], 27),
        ([3, 3, 3, 3], 11),
        ([2] * 10, 12),
        ([4, 3, 3, 3, 2, 2, 2], 16),
        ([10, 10, 2, 2], 104),
    ],
)
def test_rows_are_about_as_few_as_covering_array_tools_need(widths: list[int], most: int) -> None:
    assert len(pair_rows(factors(widths))) <= most


def test_a_factor_that_joins_last_leaves_the_other_columns_as_they_were() -> None:
    few = pair_rows(factors([5, 5, 3, 3]))
    more = pair_rows(factors([5, 5, 3, 3, 2]))

    without = [{number: option for number, option in row.items() if number != 4} for row in more]
    assert all(row in without for row in few)


def test_too_many_pairs_are_refused_with_the_number_and_the_remedy() -> None:
    with pytest.raises(ScopeError, match=r"pairs are more than 400,000; use cover='each'"):
        pair_rows(factors([1_000, 1_000]))
