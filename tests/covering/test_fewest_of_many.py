"""The fewest of many sets that have all members, against all choices of them."""

from __future__ import annotations

import itertools
import random

import pytest
from tests.corpora import few_of

from unlike.covering_arrays import choose_few, choose_fewest, count_needed


def fewest_by_trial(sets: list[set[int]]) -> int:
    every = set().union(*sets)
    return next(
        size
        for size in range(len(sets) + 1)
        if any(set().union(*chosen) == every for chosen in itertools.combinations(sets, size))
    )


@pytest.mark.parametrize("seed", few_of(range(200), 40))
def test_the_fewest_are_as_few_as_trying_all_choices_finds(seed: int) -> None:
    chance = random.Random(seed)
    members = range(chance.randrange(2, 10))
    sets = [{each for each in members if chance.random() < 0.35} for _ in range(chance.randrange(1, 11))]

    places, is_fewest = choose_fewest(sets, 100_000)

    assert is_fewest
    assert len(places) == fewest_by_trial(sets)
    assert set().union(*(sets[place] for place in places)) == set().union(*sets)
    assert count_needed(sets) <= len(places) <= len(choose_few(sets))


def test_without_enough_steps_nothing_is_said_of_fewer() -> None:
    chance = random.Random(7)
    sets = [{each for each in range(40) if chance.random() < 0.2} for _ in range(60)]

    places, is_fewest = choose_fewest(sets, 5)

    assert not is_fewest
    assert set().union(*(sets[place] for place in places)) == set().union(*sets)
