"""Pairs under constraints: every pair that some legal input has is shown, every other one is proved impossible."""

from __future__ import annotations

import dataclasses
import itertools
import random
from typing import Literal

import pytest
from tests.corpora import few_of

import unlike
from unlike.suite import Ending

Rule = tuple[int, int, int, int]


def random_rules(seed: int) -> tuple[list[int], list[Rule]]:
    """Return widths of fields, and pairs of values of two fields that are forbidden."""
    chance = random.Random(seed)
    widths = [chance.randint(2, 4) for _ in range(chance.randint(3, 5))]
    rules = []
    for _ in range(chance.randint(1, 6)):
        one, two = chance.sample(range(len(widths)), 2)
        rules.append((one, chance.randrange(widths[one]), two, chance.randrange(widths[two])))
    return widths, rules


def is_legal(row: tuple[int, ...], rules: list[Rule]) -> bool:
    return not any(row[one] == first and row[two] == second for one, first, two, second in rules)


@pytest.mark.few(5)
@pytest.mark.parametrize("seed", few_of(range(40), 10))
def test_feasible_pairs_are_shown_and_the_others_proved_impossible(seed: int) -> None:
    widths, rules = random_rules(seed)
    names = [f"f{number}" for number in range(len(widths))]

    @dataclasses.dataclass
    class Row:
        def __post_init__(self) -> None:
            if not is_legal(tuple(getattr(self, name) for name in names), rules):
                raise ValueError("forbidden")

    fields = [(name, Literal[tuple(range(width))]) for name, width in zip(names, widths, strict=True)]  # type: ignore[valid-type]
    made = dataclasses.make_dataclass("Made", fields, bases=(Row,))
    legal = [row for row in itertools.product(*map(range, widths)) if is_legal(row, rules)]

    suite = unlike.generate(made, cover="pairs")

    rows = [tuple(getattr(value, name) for name in names) for value in suite.values]
    feasible = {pair for row in legal for pair in pairs(row)}
    everything = {pair for row in itertools.product(*map(range, widths)) for pair in pairs(row)}
    told = {word for word, _ in unlike.coverage_of(suite).impossible if " with " in word}
    assert {pair for row in rows for pair in pairs(row)} == feasible
    assert told == {f"f{one}: {first} with f{two}: {second}" for (one, first), (two, second) in everything - feasible}
    assert suite.status.ending is Ending.SHOWN
    # about as few as without the constraint
    widest = sorted(widths)[-2:]
    assert len(rows) <= 1.5 * widest[0] * widest[1] + 3


def pairs(row: tuple[int, ...]) -> set[tuple[tuple[int, int], tuple[int, int]]]:
    return set(itertools.combinations(enumerate(row), 2))
