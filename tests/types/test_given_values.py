"""Values that are given for fields, types and classes stand there instead of what annotations say."""

from dataclasses import dataclass, field
from typing import Annotated, Any

import pydantic
import pytest
from annotated_types import Ge

import unlike
from unlike import Int, OneOf, Spec


class Sealed:
    """Its objects cannot be made by calling it."""

    def __init__(self, secret: "Sealed") -> None:
        raise TypeError("not so")


class Line(pydantic.BaseModel):
    number: Annotated[int, Ge(0)]
    meta: Any


@dataclass
class Order:
    lines: list[Line]
    total: Sealed
    number: int = 0
    tags: dict[str, str] = field(default_factory=dict)


SUITE = unlike.generate(bool)


@pytest.mark.parametrize(
    ("given", "values"),
    [
        ([7, 8], {7, 8}),
        (OneOf("a", "b"), {"a", "b"}),
        (Int(3, 4), {3, 4}),
        (bool, {True, False}),
        (Spec({"x": Int(1, 2)}), {1, 2}),
        (SUITE, {True, False}),
    ],
)
def test_a_class_takes_what_is_given_for_it(given, values):
    for key in ("total", "Sealed", Sealed):
        suite = unlike.generate(Order, literals={key: given})
        assert {case.value.total for case in suite} == values


def test_what_is_given_for_a_type_or_a_place_stands_wherever_it_is():
    suite = unlike.generate(Order, literals={"total": [1], int: [5], "lines.meta": [None]})

    assert {line.number for case in suite for line in case.value.lines} == {5}
    assert {line.meta for case in suite for line in case.value.lines} == {None}
    assert {case.value.number for case in suite} == {0, 5}  # 0 where it is not given


def test_given_inputs_of_several_parameters_are_as_said_and_rules_still_hold():
    made = {"order": Order, "n": Annotated[int, Ge(3)]}

    suite = unlike.generate(made, literals={"total": [1], "int": [2, 4]})

    assert {case.value["n"] for case in suite} == {4}


@pytest.mark.parametrize(
    ("literals", "message"),
    [
        ({"totl": [1]}, "there is no such field or type; did you mean 'total'"),
        ({"total": []}, "there are no values"),
        ({"total": 5}, "5 is neither a list of values, a spec, a suite nor a type"),
        ({3: [1]}, "give the name of a field, of a type, or a class"),
    ],
)
def test_what_would_have_no_effect_is_refused(literals, message):
    with pytest.raises(unlike.UnlikeError, match=message):
        unlike.generate(Order, literals={Sealed: [1], **literals})


def test_specs_say_themselves_which_values_there_are():
    with pytest.raises(unlike.SpecError, match="are for types"):
        unlike.generate(Spec({"x": Int(0, 3)}), literals={"x": [1]})


def test_given_values_stand_in_data_that_break_a_rule_elsewhere() -> None:
    prices = [Sealed.__new__(Sealed), Sealed.__new__(Sealed)]

    broken = list(unlike.invalid(Order, literals={Sealed: prices, "lines.meta": [None]}))
    mixed = list(unlike.generate(Order, 14, mix=True, literals={"total": bool, "meta": dict[str, bool]}))

    assert {"lines: missing", "lines[].number: below the least", "total: missing"} <= {each.label for each in broken}
    assert not any(each.label.startswith(("total: wrong", "lines[].meta: wrong")) for each in broken)
    assert all(each.value["total"] in prices for each in broken if each.value and "total" in each.value)
    assert {type(each.value.total) for each in mixed if each.legal} == {bool}
    assert not all(each.legal for each in mixed)


def test_an_alternative_that_is_given_allows_what_the_others_do_not() -> None:
    either = {"x": Sealed | bool}

    assert {each.label for each in unlike.invalid(either, literals={Sealed: [1]})} <= {
        "x: missing",
        "value: a field too many",
        "value: wrong type (None)",
    }


def test_labels_of_objects_and_classes_are_the_same_in_every_run() -> None:
    made = [Sealed.__new__(Sealed), Sealed.__new__(Sealed)]

    suite = unlike.generate({"x": Sealed}, literals={Sealed: made})
    assert [case.label for case in suite] == ["x: Sealed #1", "x: Sealed #2"]
    assert [case.label for case in unlike.generate({"x": type[Line]})] == ["x: Line"]
