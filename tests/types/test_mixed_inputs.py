"""Legal inputs and inputs that break one rule, together: exact shares in every beginning, each told apart truly."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from typing import Annotated, Literal, NotRequired, TypedDict

import pydantic
import pytest
from annotated_types import Interval, Len
from tests.json_schema.test_schema_instances import schema_of

import unlike
from unlike.errors import ScopeError, SpecError
from unlike.writers.inputs import as_table


class Event(TypedDict):
    """Data from outside."""

    kind: Literal["deposit", "withdraw"]
    amount: Annotated[int, Interval(ge=0, le=1000)]
    to: NotRequired[Annotated[str, Len(1, 5)]]


class Person(pydantic.BaseModel):
    """A model that says itself what it takes."""

    name: Annotated[str, pydantic.Field(min_length=1, max_length=8)]
    age: Annotated[int, pydantic.Field(ge=0, le=120, strict=True)]


def is_event(data):
    """Tell whether data are an event, written down once more by hand."""
    return (
        isinstance(data, dict)
        and data.get("kind") in ("deposit", "withdraw")
        and type(data.get("amount")) is int
        and 0 <= data["amount"] <= 1000
        and (type(data["to"]) is str and 1 <= len(data["to"]) <= 5 if "to" in data else True)
    )


def test_what_is_said_to_be_legal_is_and_nothing_else():
    suite = unlike.generate(Event, 40, mix=True)

    assert len(suite) == 40
    assert [case.legal for case in suite] == [is_event(case.value) for case in suite]


def test_the_usual_mix_has_none_in_the_first_ten_five_in_the_next_and_then_every_fourth():
    legal = [case.legal for case in unlike.generate(Event, 36, mix=True)]

    assert all(legal[:10])
    assert legal[10:20].count(False) == 5
    assert legal[20:].count(False) == 4


@pytest.mark.parametrize("share", [0.1, 0.25, 0.5])
def test_a_share_holds_in_every_beginning(share):
    legal = [case.legal for case in unlike.generate(Event, 16, mix=share)]

    for n in range(1, 17):
        assert legal[:n].count(False) == math.floor(share * n)


def test_more_inputs_begin_with_the_fewer():
    many = [(case.value, case.legal) for case in unlike.generate(Event, 60, mix=True)]

    for n in (5, 20, 33):
        assert [(case.value, case.legal) for case in unlike.generate(Event, n, mix=True)] == many[:n]


def test_where_one_kind_is_used_up_the_other_makes_up_the_number():
    few_legal = unlike.generate(bool, 12, mix=0.5)
    few_broken = unlike.generate(int, 200, mix=0.5)

    assert [len(few_legal), sum(case.legal for case in few_legal)] == [12, 2]
    assert len(few_broken) == 200
    broken = sum(not case.legal for case in few_broken)
    assert few_broken.status.detail == f"{100 - broken} fewer than asked for break a rule: no further ones were found"


class Pair(TypedDict):
    """Few rules."""

    a: int
    b: NotRequired[bool]


@pytest.mark.parametrize("n", [7, 40, 60])
def test_where_there_are_few_rules_they_are_broken_again_on_other_inputs(n):
    def is_pair(data):
        return isinstance(data, dict) and type(data.get("a")) is int and type(data.get("b", True)) is bool

    broken = unlike.invalid(Pair, n)
    shares = [case.legal for case in unlike.generate(Pair, n, mix=0.3)]

    assert len(broken) == n
    assert not any(is_pair(case.value) for case in broken)
    assert len({repr(case.value) for case in broken}) == n
    assert broken.values[:4] == unlike.invalid(Pair).values  # each rule once, before any comes again
    assert all(shares[:k].count(False) == math.floor(0.3 * k) for k in range(n + 1))


def test_a_schema_of_few_keywords_breaks_them_again():
    schema = schema_of({"type": "object", "properties": {"n": {"type": "integer", "minimum": 0}}, "required": ["n"]})
    broken = unlike.invalid(schema, 30)
    shares = [case.legal for case in unlike.generate(schema, 60, mix=0.3)]

    assert len(broken) == len({repr(case.value) for case in broken}) == 30
    assert not any(schema.validator.is_valid(case.value) for case in broken)
    assert broken.values[: len(unlike.invalid(schema))] == unlike.invalid(schema).values
    assert all(shares[:k].count(False) == math.floor(0.3 * k) for k in range(61))


@pytest.mark.parametrize("target", [Event, Pair, Person])
def test_all_of_a_mix_of_one_break_a_rule(target):
    assert unlike.generate(target, 25, mix=1).values == unlike.invalid(target, 25).values


def test_a_model_refuses_what_is_not_legal():
    for case in unlike.generate(Person, 30, mix=True):
        if case.legal:
            assert isinstance(case.value, Person)
        else:
            with pytest.raises(pydantic.ValidationError):
                Person.model_validate(case.value)


@dataclass
class Wide:
    """Many fields, each with several rules."""

    a: Annotated[int, Interval(ge=0, le=9)]
    b: Annotated[int, Interval(ge=0, le=9)]
    c: Annotated[str, Len(1, 9)]
    d: Annotated[str, Len(1, 9)]
    e: Annotated[list[int], Len(1, 2)]


def test_the_first_invalid_inputs_break_different_rules_in_different_places():
    labels = [case.label.partition(": ") for case in unlike.invalid(Wide, 5)]

    assert len({place for place, _, _ in labels}) == 5
    assert len({rule for _, _, rule in labels}) >= 4


def test_every_prefix_of_invalid_inputs_is_the_same():
    every = unlike.invalid(Wide).values

    for n in (1, 4, len(every)):
        assert unlike.invalid(Wide, n).values == every[:n]


def test_a_mix_needs_a_number_and_a_type():
    with pytest.raises(ScopeError, match="needs a number"):
        unlike.generate(Event, mix=True)
    with pytest.raises(ScopeError, match="mix='2'"):
        unlike.generate(Event, 5, mix=2)
    with pytest.raises(SpecError, match="is a Spec"):
        unlike.generate(unlike.Spec({"a": unlike.Bool()}), 2, mix=True)


def test_a_schema_is_mixed_like_a_type():
    schema = schema_of({"type": "object", "properties": {"n": {"type": "integer", "minimum": 0}}})
    suite = unlike.generate(schema, 24, mix=True)

    assert [case.legal for case in suite] == [schema.validator.is_valid(case.value) for case in suite]
    assert not all(case.legal for case in itertools.islice(suite, 20))


def test_a_table_says_which_are_not_legal():
    suite = unlike.generate(Event, 16, mix=0.5)

    table = as_table([suite], width=400)

    assert table.count("not legal: ") == sum(not case.legal for case in suite) == 8
    assert "not legal" not in as_table([unlike.generate(Event, 8)], width=400)
