"""Invalid data break exactly the rule that they name."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import random
from typing import Annotated, Literal

import annotated_types
import pydantic
import pytest
from tests.corpora import few_of
from tests.types.twins import MAKES, Size, as_pydantic, random_structure

import unlike
from unlike.errors import SpecError
from unlike.saved import recipe_from_data, recipe_to_data
from unlike.structure.building import data
from unlike.structure.validity import fits
from unlike.suite import Suite
from unlike.typed.generate import TypeCases
from unlike.typed.invalid import InvalidCases
from unlike.types.choices import shape_of


class Level(enum.Enum):
    LOW = 1
    HIGH = 2


class Line(pydantic.BaseModel, extra="forbid"):
    name: str = pydantic.Field(min_length=2, max_length=5, pattern="^[a-z]+$")
    count: int = pydantic.Field(ge=1, le=9)


class Order(pydantic.BaseModel, extra="forbid"):
    number: int = pydantic.Field(ge=10, lt=100, multiple_of=5)
    kind: Literal["a", "b"]
    level: Level
    lines: list[Line] = pydantic.Field(min_length=1, max_length=2)
    price: decimal.Decimal = pydantic.Field(gt=0)
    day: datetime.date | None = None
    ship: Line | Literal["none"] = "none"


def labels(suite: Suite) -> set[str]:
    return {case.label for case in suite}


def test_every_stated_rule_of_a_model_is_broken_once() -> None:
    suite = unlike.invalid(Order)

    wanted = {
        "number: below the least",
        "number: above the most",
        "number: not a multiple",
        "number: missing",
        "kind: none of the 2 values",
        "level: none of the 2 values",
        "lines[].name: shorter than the shortest",
        "lines[].name: longer than the longest",
        "lines[].name: not matching the pattern (something before)",
        "lines[].name: missing",
        "lines[].count: below the least",
        "lines[]: a field too many",
        "lines: fewer than the fewest items",
        "lines: more than the most items",
        "price: below the least",
        "ship.name: shorter than the shortest",
        "value: a field too many",
        "value: wrong type (None)",
    }
    assert wanted <= labels(suite)
    assert len(labels(suite)) == len(suite)


def test_invalid_data_are_rejected_by_the_library_whose_rules_they_break() -> None:
    for case in unlike.invalid(Order):
        with pytest.raises(pydantic.ValidationError):
            Order.model_validate(case.value)


def test_one_error_alone_is_reported_for_each() -> None:
    for case in unlike.invalid(Order):
        with pytest.raises(pydantic.ValidationError) as caught:
            Order.model_validate(case.value)

        # an alternative that does not fit is reported for every alternative
        places = {error["loc"][:1] for error in caught.value.errors()}
        assert len(places) == 1, case.label


@pytest.mark.few(3)
@pytest.mark.parametrize("seed", few_of(range(25), 8))
def test_they_do_not_fit_the_type_and_fit_again_once_the_rule_is_dropped(seed: int) -> None:
    structure = random_structure(seed)

    types = [make(structure) for make in MAKES]
    suites = [unlike.invalid(each) for each in types]

    for each, suite in zip(types, suites, strict=True):
        assert isinstance(suite.cases, InvalidCases)
        for broken in suite.cases.found:
            assert not fits(shape_of(each), broken.data)
            assert fits(broken.dropped, broken.data)
    # a class takes no other fields; a model and a dict are open
    assert labels(suites[0]) == labels(suites[1])
    assert labels(suites[2]) == labels(suites[3])


@pytest.mark.few(12)
@pytest.mark.parametrize("seed", range(25))
def test_another_library_rejects_them(seed: int) -> None:
    model = as_pydantic(random_structure(seed))

    for case in unlike.invalid(model):
        with pytest.raises(pydantic.ValidationError):
            model.model_validate(case.value)  # type: ignore[attr-defined]


ODD = [
    None,
    True,
    0,
    51,
    -3,
    "",
    "zz",
    "ab-12",
    "ab-1",
    "toolong",
    1.5,
    [],
    [1],
    [-1],
    [1, 2, 3, 4, 5],
    {},
    {"k": True},
]
ODD += [Size.SMALL, datetime.date(2023, 1, 1), datetime.date(2025, 1, 1), decimal.Decimal("0"), decimal.Decimal("5.5")]


@pytest.mark.few(12)
@pytest.mark.parametrize("seed", range(25))
def test_the_validator_agrees_with_another_library_on_data_changed_at_random(seed: int) -> None:
    chance = random.Random(seed)
    model = as_pydantic(random_structure(seed))
    suite = unlike.generate(model, 10)
    assert isinstance(suite.cases, TypeCases)
    inputs = [data(suite.cases.shape, plain) for plain in suite.cases.plains]

    for _ in range(150):
        changed = dict(chance.choice(inputs))  # type: ignore[call-overload]
        name = chance.choice(list(model.model_fields))  # type: ignore[attr-defined]
        if chance.random() < 0.2:
            changed.pop(name, None)
        else:
            changed[name] = chance.choice(ODD)
        try:
            model.model_validate(changed, strict=True)  # type: ignore[attr-defined]
            accepted = True
        except pydantic.ValidationError:
            accepted = False

        assert fits(suite.cases.shape, changed) == accepted, changed


def test_dropping_the_named_rule_by_hand_makes_the_data_valid() -> None:
    with_rule: dict[str, object] = {
        "below the least": Annotated[int, annotated_types.Ge(3), annotated_types.Le(9)],
        "above the most": Annotated[int, annotated_types.Ge(3), annotated_types.Le(9)],
        "not a multiple": Annotated[int, annotated_types.Ge(0), annotated_types.MultipleOf(4)],
        "shorter than the shortest": Annotated[str, annotated_types.Len(2, 3)],
        "not matching the pattern ([ab] is another character)": Annotated[
            str, unlike.Matching("[ab]+"), annotated_types.MaxLen(3)
        ],
        "more than the most items": Annotated[set[int], annotated_types.MaxLen(2)],
        "refused by predicate str.islower": Annotated[str, annotated_types.Predicate(str.islower)],
    }
    without: dict[str, object] = {
        "below the least": Annotated[int, annotated_types.Le(9)],
        "above the most": Annotated[int, annotated_types.Ge(3)],
        "not a multiple": Annotated[int, annotated_types.Ge(0)],
        "shorter than the shortest": Annotated[str, annotated_types.MaxLen(3)],
        "not matching the pattern ([ab] is another character)": Annotated[str, annotated_types.MaxLen(3)],
        "more than the most items": set[int],
        "refused by predicate str.islower": str,
    }
    for rule, annotation in with_rule.items():
        (case,) = [case for case in unlike.invalid(annotation) if case.label == f"value: {rule}"]

        pydantic.TypeAdapter(without[rule]).validate_python(case.value)
        with pytest.raises(pydantic.ValidationError):
            pydantic.TypeAdapter(annotation).validate_python(case.value)


def test_default_bounds_are_not_rules_and_are_not_broken() -> None:
    assert labels(unlike.invalid(int)) == {"value: wrong type (None)"}


def test_invalid_data_can_be_saved() -> None:
    for case in unlike.invalid(Order):
        assert unlike.Case(recipe_from_data(recipe_to_data(case.recipe))).value == case.value


def test_a_number_of_rules_is_enough_when_asked_for() -> None:
    assert len(unlike.invalid(Order, 3)) == 3
    assert [case.label for case in unlike.invalid(Order, 3)] == [case.label for case in unlike.invalid(Order)][:3]


def test_a_dataclass_gives_dicts_as_its_constructor_would_refuse() -> None:
    @dataclasses.dataclass
    class Small:
        size: Annotated[int, annotated_types.Ge(1)]

    values = {case.label: case.value for case in unlike.invalid(Small)}

    assert values["size: below the least"] == {"size": 0}
    assert values["size: missing"] == {}


def test_a_spec_has_no_invalid_inputs() -> None:
    with pytest.raises(SpecError, match="is a Spec; invalid inputs are made from types"):
        unlike.invalid(unlike.Spec({"x": unlike.Int(0, 1)}))
