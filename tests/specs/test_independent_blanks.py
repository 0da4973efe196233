"""Blanks that nothing ties do not move together: not as combinations, not where a difference speaks of another blank."""

from __future__ import annotations

import itertools

import pytest
from tests.structure.test_draws import association

import unlike
from unlike import Bool, Int, OneOf, Spec, differs_by
from unlike.chance import SCATTERED, scatter_indices

BLANKS = {"a": Bool(), "b": Bool(), "c": OneOf(1, 2, 3, 4), "d": OneOf("p", "q", "r", "s")}
NUMBERS = {"n": Int(0, 1000), "m": Int(0, 1000)}


@pytest.mark.parametrize("seed", [0, 1])
@pytest.mark.parametrize(
    "spec",
    [
        Spec(BLANKS | NUMBERS),
        Spec(BLANKS | NUMBERS, different=differs_by("n")),
        Spec(BLANKS | NUMBERS, where=lambda n, m: n < m, different=differs_by("n")),
    ],
    ids=["combinations", "free", "beside a tie"],
)
def test_no_two_blanks_move_together(spec, seed):
    values = unlike.generate(spec, 100, seed=seed).values

    for one, two in itertools.combinations("abcd", 2):
        assert association([(each[one], each[two]) for each in values]) < 0.45, (one, two)


@pytest.mark.parametrize("n", [20, 50])
@pytest.mark.parametrize("options", [2, 3, 4])
def test_every_two_of_many_blanks_are_spread_from_the_beginning(options, n):
    """Drawn each by itself, two of ten blanks said the same in all of the first twenty inputs."""
    names = [f"x{place}" for place in range(10)]
    values = unlike.generate(Spec({name: OneOf(*range(options)) for name in names}), n).values

    for one, two in itertools.combinations(names, 2):
        assert association([(each[one], each[two]) for each in values]) < (0.3 if n == 50 else 0.65), (one, two)
        both = {(each[one], each[two]) for each in values}
        assert len(both) > 0.65 * options**2, (one, two)


@pytest.mark.parametrize("count", [1, 2, 3, 64, 1000, SCATTERED, SCATTERED + 1, 9973])
def test_scattered_indices_are_all_indices_once(count):
    found = list(scatter_indices(count))

    assert sorted(found) == list(range(count))
