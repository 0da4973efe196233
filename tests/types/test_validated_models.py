"""Models with validators as people write them: what is given is legal, what is called impossible is so."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Annotated, Any

import pytest
from pydantic import AfterValidator, BaseModel, Field, model_validator
from tests.types.validated_models import SUBJECTS, Subject

import unlike
from unlike.typed.generate import ChoiceCoverage, coverage_of


def fields_of(thing: Any) -> dict[str, Any]:
    names = getattr(type(thing), "model_fields", None) or type(thing).__annotations__
    return {name: getattr(thing, name) for name in names}


def holds(word: str, values: list[Any]) -> Callable[[Any], bool] | None:
    """Return which values of a field a word means, given all that its annotation allows."""
    ordered = [] if any(value is None or isinstance(value, list) for value in values) else sorted(set(values))
    places = {"least": 0, "most": -1, "just above least": 1, "just below most": -2}
    if word in places and len(ordered) > 2:
        return lambda value: bool(value == ordered[places[word]])
    lengths = sorted({len(each) for each in ordered}) if ordered and isinstance(ordered[0], str) else []
    places = {"empty": 0, "shortest": 0, "one character": 1, "longest": -1, "one longer than shortest": 1}
    if word in places and len(lengths) > 1:
        return lambda value: len(value) == lengths[places[word]]
    return None


@pytest.mark.few(10)
@pytest.mark.parametrize("subject", SUBJECTS, ids=lambda each: each.model.__name__)
def test_inputs_are_legal_and_what_is_impossible_is_so(subject: Subject) -> None:
    suite = unlike.generate(subject.model)

    assert len(suite), suite.status
    for case in suite:
        assert subject.is_legal(**fields_of(case.value)), case.value
    spaces = subject.space or {}
    legal = list(subject.witnesses)
    if spaces:
        rows = itertools.islice(itertools.product(*spaces.values()), 300_000)
        named = (dict(zip(spaces, row, strict=True)) for row in rows)
        legal += [each for each in named if subject.is_legal(**each)]
    for said, why in coverage_of(suite).impossible:
        place, _, word = said.partition(": ")
        means = holds(word, list(spaces.get(place, ())))
        if means is not None:
            shown = [each for each in legal if place in each and means(each[place])]
            assert not shown, (said, why, shown[:1])
    assert not suite.status.cut_short or coverage_of(suite).undecided
    assert_adds_up(coverage_of(suite))


def assert_adds_up(coverage: ChoiceCoverage) -> None:
    """Each choice is counted once: it is shown, or impossible, or undecided, or left out."""
    others = (coverage.impossible, coverage.undecided, coverage.not_shown, coverage.left_out)
    assert coverage.shown + sum(map(len, others)) == coverage.targets, coverage


class Line(BaseModel):
    price: Annotated[int, Field(ge=1, le=20)]


class Order(BaseModel):
    lines: Annotated[list[Line], Field(min_length=1, max_length=3)]
    total: Annotated[int, Field(ge=0, le=60)]

    @model_validator(mode="after")
    def check(self) -> Order:
        assert self.total == sum(line.price for line in self.lines)
        return self


@pytest.mark.corpus
def test_a_choice_that_an_input_shows_which_was_found_for_another_is_not_undecided() -> None:
    suite = unlike.generate(Order, in_process=True)

    coverage = coverage_of(suite)
    assert_adds_up(coverage)
    assert [word for word, _ in coverage.impossible] == ["total: least"]  # a line costs 1 or more
    assert coverage.undecided == ()
    assert str(suite.status) == "every choice that is possible is shown (proved)"


def test_what_a_class_refuses_altogether_is_said_in_plain_words() -> None:
    class Never(BaseModel):
        n: Annotated[int, Field(ge=0, le=3)]

        @model_validator(mode="after")
        def check(self) -> Never:
            raise ValueError("never")

    suite = unlike.generate(Never, in_process=True)

    said = "all inputs were tried: Never refuses: ValidationError: Value error, never"
    assert str(suite.status) == f"no input exists: {said}"
    assert suite.guarantee == "0 inputs; 0 of 4 choices shown; 4 proved impossible"


def test_few_choices_of_ordinary_models_stay_undecided() -> None:
    coverages = [coverage_of(unlike.generate(each.model)) for each in SUBJECTS]

    undecided = [word for each in coverages for word, _ in each.undecided]
    assert len(undecided) <= 0.02 * sum(each.targets for each in coverages), undecided


def wants(mark: str) -> Callable[[str], str]:
    def check(text: str) -> str:
        if mark not in text:
            raise ValueError(f"wants {mark}")
        return text

    return check


class Parcel(BaseModel):
    code: Annotated[str, AfterValidator(wants("-"))] = Field(alias="the code")
    owner: Annotated[str, AfterValidator(wants("#"))]
    note: Annotated[str, AfterValidator(wants("@"))]


class Shipment(BaseModel):
    number: int
    parcel: Parcel


@pytest.mark.parametrize("model", [Parcel, Shipment])
def test_fields_that_are_each_picky_are_sought_one_by_one(model: type[BaseModel]) -> None:
    suite = unlike.generate(model)

    shown = coverage_of(suite)
    assert not any("longest" in word or "one character" in word for word, _ in shown.undecided)
    parcels = [getattr(case.value, "parcel", case.value) for case in suite]
    assert {len(each.owner) for each in parcels} >= {1, 20}
    assert all("-" in each.code and "#" in each.owner and "@" in each.note for each in parcels)
