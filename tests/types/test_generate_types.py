"""What the verbs do with a type: assertions, differences, our own metadata, values for terms."""

from __future__ import annotations

import dataclasses
import itertools
import os
import subprocess
import sys
import typing
from typing import Annotated, Literal

import annotated_types
import hypothesis
import pydantic
import pytest
from hypothesis import strategies

import unlike
from unlike.errors import SpecError
from unlike.language.values import Bool, Date, Int, List, OneOf, Option, Real, Record, Str
from unlike.suite import Ending

Price = Annotated[int, annotated_types.Interval(ge=0, le=100)]


@dataclasses.dataclass
class Offer:
    low: Price
    high: Price
    kind: Literal["new", "used"]
    tags: list[Literal["a", "b"]]
    note: str | None = None


def test_assertions_name_the_fields_and_hold_for_every_input() -> None:
    suite = unlike.generate(Offer, cover="pairs", where=[lambda low, high: low < high, lambda low: low != 50])

    assert suite.status.ending is Ending.SHOWN
    assert all(offer.low < offer.high and offer.low != 50 for offer in offers(suite))
    assert {(offer.kind, len(offer.tags)) for offer in offers(suite)} == {
        (kind, size) for kind in ("new", "used") for size in range(4)
    }


def test_assertions_written_for_terms_work_as_well() -> None:
    suite = unlike.generate(Offer, 30, where=[lambda tags: tags.length >= 2, lambda note: note.present])

    assert len(suite) == 30
    assert all(len(offer.tags) >= 2 and offer.note is not None for offer in offers(suite))


def test_a_plain_predicate_is_tried_on_real_values() -> None:
    def sorted_tags(tags: list[str]) -> bool:
        return tags == sorted(tags)

    suite = unlike.generate(Offer, 40, where=unlike.predicate(sorted_tags))

    assert len(suite) == 40
    assert all(offer.tags == sorted(offer.tags) for offer in offers(suite))


def test_a_difference_of_the_users_own_takes_the_place_of_coverage() -> None:
    far = unlike.generate(Offer, 6, different=unlike.distance("low", 20))
    split = unlike.generate(Offer, "all", different=unlike.enumerate_([lambda low: low < 10, lambda high: high > 90]))

    lows = sorted(offer.low for offer in offers(far))
    assert all(second - first >= 20 for first, second in itertools.pairwise(lows))
    assert len(split) == 2
    assert offers(split)[0].low < 10
    assert offers(split)[1].high > 90


def test_a_validator_filters_under_a_difference_as_well() -> None:
    class Even(pydantic.BaseModel):
        number: Price
        other: Price

        @pydantic.field_validator("number")
        @classmethod
        def check(cls, number: int) -> int:
            if number % 2:
                raise ValueError("odd")
            return number

    suite = unlike.generate(Even, 4, different=unlike.distance("number", 10))

    assert len(suite) == 4
    assert all(each.number % 2 == 0 for each in suite.values)  # type: ignore[attr-defined]


def test_cover_structure_is_the_name_of_the_strengths() -> None:
    named = unlike.generate(Offer, different=unlike.cover.structure("pairs"))
    also = unlike.generate(Offer, cover=unlike.cover.structure("pairs"))

    assert named.values == also.values == unlike.generate(Offer, cover="pairs").values
    with pytest.raises(SpecError, match=r"cover.structure\('some'\): the strength is"):
        unlike.cover.structure("some")


def test_our_words_in_annotated_say_strength_and_difference() -> None:
    @dataclasses.dataclass
    class Named:
        name: Annotated[Literal["x", "y", "z"], unlike.Differing()]
        size: Price

    pairs = unlike.generate(Annotated[Offer, unlike.Covering("pairs")])
    differing = unlike.generate(Named, "all")

    assert unlike.coverage_of(pairs).strength == "pairs"
    assert sorted(each.name for each in differing.values) == ["x", "y", "z"]  # type: ignore[attr-defined]


def test_our_words_are_metadata_that_other_tools_read_or_ignore() -> None:
    short = Annotated[str, unlike.Matching("[ab]{2}"), unlike.Covering("pairs"), unlike.Differing()]

    assert isinstance(unlike.Matching("a"), annotated_types.GroupedMetadata)
    assert isinstance(unlike.Covering("pairs"), annotated_types.GroupedMetadata)
    assert isinstance(unlike.Differing(), annotated_types.GroupedMetadata)
    assert pydantic.TypeAdapter(short).validate_python("ab") == "ab"
    with pytest.raises(pydantic.ValidationError):
        pydantic.TypeAdapter(short).validate_python("abc")
    (predicate,) = unlike.Matching("[ab]{2}")
    assert predicate.func("ab")  # type: ignore[attr-defined]
    assert not predicate.func("abc")  # type: ignore[attr-defined]


@hypothesis.given(strategies.from_type(Annotated[int, unlike.Covering("each"), annotated_types.Interval(ge=0, le=3)]))
def test_hypothesis_passes_over_our_words(number: int) -> None:
    assert 0 <= number <= 3


def test_a_type_becomes_a_value_that_terms_can_speak_about() -> None:
    found = unlike.value_of(Offer)

    assert isinstance(found, Record)
    assert dict(found.fields) == {
        "low": Int(0, 100),
        "high": Int(0, 100),
        "kind": OneOf("new", "used"),
        "tags": List(OneOf("a", "b"), 0, 3),
        "note": Option(Str(None, 0, 20)),
    }
    assert unlike.value_of(bool) == Bool()
    assert unlike.value_of(float) == Real(-1_000_000, 1_000_000, 2)
    assert isinstance(unlike.value_of(__import__("datetime").date), Date)


@pytest.mark.parametrize(
    ("annotation", "reason"),
    [
        (int | str, "a union"),
        (set[int], "a set"),
        (Annotated[int, annotated_types.MultipleOf(3)], "multiples"),
        (Annotated[str, annotated_types.Predicate(str.islower)], "a predicate"),
        (bytes, "a bytes"),
    ],
)
def test_what_terms_cannot_say_is_refused_by_name(annotation: object, reason: str) -> None:
    with pytest.raises(SpecError, match=f"the term language has no value for {reason}"):
        unlike.value_of(annotation)


def test_a_generated_suite_of_a_record_value_and_of_the_type_have_the_same_space() -> None:
    @dataclasses.dataclass
    class Small:
        size: Annotated[int, annotated_types.Interval(ge=0, le=3)]
        on: bool

    by_terms = unlike.generate(unlike.Spec({"small": unlike.value_of(Small)}), "all")
    by_shape = unlike.generate(Small, "all")

    assert by_shape.status.ending is Ending.COMPLETE
    assert {repr(value["small"]) for value in by_terms.values} == {repr(value) for value in by_shape.values}  # type: ignore[index]


def test_a_spec_takes_no_words_that_are_for_types() -> None:
    with pytest.raises(SpecError, match=r"says itself how inputs differ; leave out its difference, or cover"):
        unlike.generate(unlike.Spec({"x": Int(0, 3)}, different=unlike.differs_by("x")), cover="pairs")


def test_another_seed_gives_other_inputs_with_the_same_coverage() -> None:
    plain, other = unlike.generate(Offer, 60), unlike.generate(Offer, 60, seed=7)

    assert plain.values != other.values
    assert unlike.coverage_of(plain).shown == unlike.coverage_of(other).shown
    assert unlike.generate(Offer, 60, seed=7).values == other.values


def test_the_same_bytes_come_out_under_every_hash_seed() -> None:
    program = (
        "import unlike, tests.types.test_generate_types as t\n"
        "for cover in ('each', 'pairs'):\n"
        "    for case in unlike.generate(t.Offer, 50, cover=cover): print(case.value, case.label)\n"
    )

    outputs = {
        subprocess.run(
            [sys.executable, "-c", program],
            capture_output=True,
            check=True,
            text=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    }

    assert len(outputs) == 1


def test_reading_types_loads_no_library_that_the_type_does_not_need() -> None:
    program = (
        "import sys, dataclasses, unlike\n"
        "@dataclasses.dataclass\n"
        "class A:\n    x: int\n"
        "assert len(unlike.generate(A)) == 3\n"
        "loaded = {'pydantic', 'attr', 'attrs', 'annotated_types', 'z3'} & set(sys.modules)\n"
        "assert not loaded, loaded\n"
    )

    subprocess.run([sys.executable, "-c", program], check=True)


def test_time_that_runs_out_leaves_what_was_found() -> None:
    suite = unlike.generate(Offer, 10**6, timeout=1)

    assert suite.status.ending is Ending.TIMEOUT
    assert len(suite) > 0


def offers(suite: unlike.Suite) -> list[Offer]:
    return [typing.cast(Offer, value) for value in suite.values]
