"""Suites from the search: as small as can be where that is asked for, within the time, and without false bounds."""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable
from typing import Any

import pytest

from unlike.core import CutShort, Deadline
from unlike.field_exhaustive import fields
from unlike.invariants.compile.formula import new_solver, solve_within
from unlike.suite import Ending


class Dice:
    one: int
    two: int
    three: int

    def __init__(self, one: int, two: int, three: int) -> None:
        self.one, self.two, self.three = one, two, three


RULES: dict[str, Callable[[Any], bool]] = {
    "not all alike": lambda dice: len({dice.one, dice.two, dice.three}) > 1,
    "sum": lambda dice: str(dice.one + dice.two + dice.three) in ("2", "3", "4"),
    "rising": lambda dice: sorted([dice.one, dice.two, dice.three]) == [dice.one, dice.two, dice.three],
    "distinct": lambda dice: len({dice.one, dice.two, dice.three}) == 3,
    "odd": lambda dice: (dice.one * 3 + dice.two * 5 + dice.three) % 3 == 1,
}


def best_size(rule: Callable[[Any], bool], sides: int) -> int:
    """Return the fewest dice that show every side that the rule allows at each place: by trying all choices."""
    legal = [row for row in itertools.product(range(sides), repeat=3) if rule(Dice(*row))]
    shown = {(place, side) for row in legal for place, side in enumerate(row)}
    return next(
        size
        for size in range(len(legal) + 1)
        if any(
            {(place, side) for row in chosen for place, side in enumerate(row)} == shown
            for chosen in itertools.combinations(legal, size)
        )
    )


@pytest.mark.parametrize("rule", RULES)
def test_the_smallest_suite_is_as_small_as_trying_all_choices_finds(rule: str) -> None:
    found = fields(Dice, 3, invariant=RULES[rule], engine="search", smallest=True)

    assert len(found.structures) == best_size(RULES[rule], 3) == found.bound
    assert found.smallest


def test_a_search_that_was_cut_short_knows_no_bound_but_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unlike.field_exhaustive.verbs.MOST_RUNS", 15)

    found = fields(Dice, 3, invariant=RULES["sum"], engine="search")

    # of the structures found each may show something that no other does, and a further one may show it all
    assert found.status.ending is Ending.UNKNOWN
    assert found.bound == 1


def test_a_question_that_takes_long_is_interrupted_when_the_time_is_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unlike.invariants.compile.formula.SLICE", 10**9)  # the clock is not looked at meanwhile
    # twelve pigeons do not fit into eleven holes: no solver without counting sees that soon
    holes = range(11)
    clauses = [[pigeon * 11 + hole + 1 for hole in holes] for pigeon in range(12)]
    pairs = itertools.combinations(range(12), 2)
    clauses += [[-(one * 11 + hole + 1), -(two * 11 + hole + 1)] for one, two in pairs for hole in holes]
    began = time.monotonic()

    with new_solver("minisat22", clauses) as solver, pytest.raises(CutShort):
        solve_within(solver, [], 10**9, Deadline.of(0.5))

    assert time.monotonic() - began < 5
