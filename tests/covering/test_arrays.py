"""Covering arrays with conditions, against every pair that can stand together."""

from __future__ import annotations

import hashlib
import itertools
import random
import time
from collections.abc import Iterator

import pytest
from tests.corpora import few_of

from unlike.core import CutShort, Deadline
from unlike.covering_arrays import Factor, FactorValue, Forbidden, is_above, merge_decisions, pair_columns, pair_rows
from unlike.errors import ScopeError


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


def pairs_of(factors: list[Factor]) -> Iterator[dict[int, int]]:
    """Yield the decisions of every pair of values of two factors that can stand together."""
    for one, two in itertools.combinations(factors, 2):
        if is_above(one, two) or is_above(two, one):
            continue
        for first, second in itertools.product(range(len(one.values)), range(len(two.values))):
            together = merge_decisions(one.whole(first), two.whole(second))
            if together is not None:
                yield together


@pytest.mark.few(16)
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


@pytest.mark.parametrize("counts", [[2, 2, 2], [5, 1, 3, 4], [3] * 8, [7], [], [1, 1], [2] * 20])
def test_every_pair_of_values_of_two_columns_is_in_some_row(counts: list[int]) -> None:
    rows = pair_columns(counts)

    for first, second in itertools.combinations(range(len(counts)), 2):
        seen = {(row[first], row[second]) for row in rows}
        assert seen == set(itertools.product(range(counts[first]), range(counts[second])))
    if len(counts) == 20:
        assert len(rows) <= 12  # all combinations would be a million


@pytest.mark.corpus
def test_rows_are_those_recorded() -> None:
    """What a type gives for the pairs of its choices depends on every row and on their order."""
    found = hashlib.sha256()
    for seed in range(60):
        chance = random.Random(f"rows {seed}")
        columns = random_factors(seed)
        places = [chance.sample(range(len(columns)), 2) for _ in range(chance.randint(0, 2))]
        forbidden = [{a: chance.randrange(2), b: chance.randrange(2)} for a, b in places]
        widths = [chance.randint(1, 6) for _ in range(chance.randint(1, 6))]
        for rows in (pair_rows(columns, Forbidden(forbidden)), pair_rows(factors(widths))):
            found.update(repr(rows).encode())

    assert found.hexdigest()[:16] == "aac0fa42eb75006c"


OVER = Deadline(time.monotonic() - 1, 1)


def test_rows_are_sought_until_the_deadline() -> None:
    with pytest.raises(CutShort):
        pair_rows(factors([9] * 9), deadline=OVER)
