"""A suite is a sequence of cases: indexed, sliced, asked what is in it, shown in one line."""

import itertools
import pickle
import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

import pytest

from unlike import Case, Ending, Int, Spec, Suite, generate
from unlike.indexed import Integers, Listed, Mapped, Sliced
from unlike.recipe import Recipe, only, recipe_of
from unlike.suite import LazyCase, Status


@dataclass
class Lamp:
    on: bool
    colour: Literal["red", "green", "blue"]


LAMPS = generate(Lamp, "all")
NUMBERS = generate(Spec({"x": Int(0, 9)}))


def test_a_suite_is_a_sequence_and_its_slices_are_those_of_a_list():
    rng = random.Random(1)
    cases = list(NUMBERS)

    assert isinstance(NUMBERS, Sequence)
    for _ in range(200):
        bounds = [rng.choice([None, *range(-12, 13)]) for _ in range(2)]
        part = slice(*bounds, rng.choice([None, 1, 2, 3, -1, -2]))
        assert isinstance(NUMBERS[part], Suite)
        assert list(NUMBERS[part]) == cases[part]
        assert len(NUMBERS[part]) == len(cases[part])
    assert list(reversed(NUMBERS)) == cases[::-1]
    assert NUMBERS.index(cases[3]) == 3
    assert NUMBERS.count() == 10
    assert NUMBERS.count(cases[3]) == 1


def test_a_slice_claims_no_more_than_it_holds():
    part = NUMBERS[2:5]

    assert NUMBERS[:] is NUMBERS
    assert NUMBERS.status.ending is Ending.COMPLETE
    assert part.status == Status(Ending.FOUND)
    assert part.guarantee == f"3 of {NUMBERS.guarantee}"
    assert NUMBERS[::-1].status == NUMBERS.status  # all of them, in another order
    assert NUMBERS.first(3).values == [{"x": case.value["x"]} for case in NUMBERS[:3]]


def test_a_slice_of_very_many_cases_is_counted_and_not_listed():
    many = 10**40
    numbers = Sliced(Integers(0, many), range(5, many, 3))

    assert numbers.count() == (many - 5 + 2) // 3
    assert numbers.at(10**39) == 5 + 3 * 10**39


def test_in_asks_for_a_case_or_for_a_value():
    assert LAMPS[1] in LAMPS
    assert LAMPS[1] not in LAMPS[2:]
    assert Lamp(True, "blue") in LAMPS
    assert Lamp(True, "yellow") not in LAMPS
    assert {"x": 9} in NUMBERS
    assert {"x": 10} not in NUMBERS


def test_a_suite_is_shown_in_one_short_line():
    empty = Suite("nothing", Listed([]), Status(Ending.UNSATISFIABLE))
    one = Suite("one", Listed([Case(recipe_of(1))]), Status(Ending.FOUND))

    assert repr(NUMBERS) == f"<Suite inputs: 10 cases, {NUMBERS.status}>"
    assert repr(one) == "<Suite one: 1 case, found as many as were asked for>"
    assert not empty
    assert one


def test_a_case_beyond_the_end_is_an_index_error():
    with pytest.raises(IndexError, match="case 10 of a suite of 10"):
        NUMBERS[10]


def test_a_stream_has_the_cases_in_order_each_made_when_it_is_asked_for():
    made = []

    def make(number: int) -> Case[int]:
        made.append(number)
        return Case(recipe_of(number), str(number), str(number))

    suite: Suite[int] = Suite("numbers", Mapped(Integers(0, 10**12), make), Status(Ending.COMPLETE))
    first = list(itertools.islice(suite.stream(), 3))

    assert [case.value for case in first] == [0, 1, 2]
    assert made == [0, 1, 2]
    assert list(NUMBERS.stream()) == list(NUMBERS) == [NUMBERS[place] for place in range(len(NUMBERS))]


def test_a_lazy_case_is_like_any_other_case():
    asked = []

    def make() -> tuple[Recipe, str]:
        asked.append(1)
        return recipe_of((1, 2)), "two numbers"

    lazy: Case[tuple[int, int]] = LazyCase(id="x", make=make, shortcut=lambda: (1, 2))
    plain = Case(recipe_of((1, 2)), "two numbers", "x")

    assert lazy.value == (1, 2)
    assert not asked
    assert (lazy == plain, plain == lazy, hash(lazy) == hash(plain)) == (True, True, True)
    assert asked == [1]
    assert replace(lazy, id="y") == replace(plain, id="y") != plain
    assert pickle.loads(pickle.dumps(lazy)) == plain
    assert lazy.build(only()) == (1, 2)
