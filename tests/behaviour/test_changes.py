"""Parts of inputs: every one is found, and another value goes exactly there."""

import datetime
import random
from dataclasses import dataclass
from fractions import Fraction

import pytest

from unlike.behaviour.changes import MentionedValues, change_value, numbers_in, places_in, with_small_numbers
from unlike.recipe import recipe_of, run


@dataclass
class Parcel:
    name: str
    sizes: list[int]
    sent: datetime.date


PARCEL = Parcel("ab-12", [3, 4], datetime.date(2024, 2, 29))


def test_every_part_of_a_recipe_is_found_with_the_name_of_its_field() -> None:
    found = [(place.name, place.value) for place in places_in(recipe_of({"parcel": PARCEL, "urgent": True}))]

    assert ("name", "ab-12") in found
    assert ("sizes", (3, 4)) in found
    assert [value for name, value in found if name == "sizes"][1:] == [3, 4]
    assert ("urgent", True) in found
    assert {2024, 2, 29} <= {value for _, value in found if not isinstance(value, tuple)}


@pytest.mark.parametrize("thing", [recipe_of(PARCEL), {"a": (1, 2), "b": {"c": "x", "d": Fraction(1, 3)}}, "text"])
def test_what_is_put_back_changes_nothing(thing: object) -> None:
    for place in places_in(thing):
        assert place.put(place.value) == thing


def test_another_value_goes_where_the_old_one_stood() -> None:
    place = next(place for place in places_in(recipe_of(PARCEL)) if place.value == 4)

    assert run(place.put(9)) == Parcel("ab-12", [3, 9], datetime.date(2024, 2, 29))


def test_numbers_in_texts_keep_their_width() -> None:
    moved = {was: put(was + 1) for was, put in numbers_in("v007.x9")}

    assert moved == {7: "v008.x9", 9: "v007.x10"}


@pytest.mark.parametrize("value", [True, 5, 2.5, "ab3", b"ab", Fraction(1, 2), (1, 2), "", ()])
def test_a_changed_value_is_of_the_same_type_and_the_same_for_the_same_seed(value: object) -> None:
    known = MentionedValues(numbers=(41, 42, 43), texts=("rc",), lengths=(3,))
    made = [[change_value(value, known, pick) for _ in range(40)] for pick in (random.Random("a"), random.Random("a"))]

    assert made[0] == made[1]
    assert {type(each) for each in made[0]} == {type(value)}
    assert value in ("", ()) or any(each != value for each in made[0])


def test_small_numbers_everywhere_keep_the_width_of_each() -> None:
    assert with_small_numbers("P2049-30-99T7:00") == "P0001-01-01T1:01"
    assert with_small_numbers({"a": "x9", "b": 7, "c": ("10.2",)}) == {"a": "x1", "b": 7, "c": ("01.1",)}
    assert run(with_small_numbers(recipe_of(PARCEL))).name == "ab-01"
