"""What constraints make impossible is proved so and listed; what is not proved is called undecided."""

from __future__ import annotations

import dataclasses
from typing import Annotated, Literal

import annotated_types
import pydantic
import pytest

import unlike
from unlike.suite import Ending


def impossible(suite: unlike.Suite) -> dict[str, str]:
    return dict(unlike.coverage_of(suite).impossible)


def test_a_set_cannot_have_more_items_than_there_are() -> None:
    suite = unlike.generate(Annotated[set[Literal["a", "b"]], annotated_types.Len(0, 5)])

    assert impossible(suite) == {"value: 5 items": "there are only 2 different items"}
    assert suite.status.ending is Ending.SHOWN
    assert [len(value) for value in suite.values] == [0, 1, 2]  # type: ignore[arg-type]


def test_a_branch_that_the_length_forbids_is_proved_impossible() -> None:
    suite = unlike.generate(Annotated[str, unlike.Matching("(abc|d)e"), annotated_types.MaxLen(3)])

    assert impossible(suite)["value: abc"] == "no such text has 0 to 3 characters"
    assert "de" in suite.values
    assert all(len(str(value)) <= 3 for value in suite.values)


def test_a_bound_that_a_predicate_refuses_is_impossible_and_named() -> None:
    def is_even(number: int) -> bool:
        return number % 2 == 0

    suite = unlike.generate(Annotated[int, annotated_types.Interval(ge=1, le=10), annotated_types.Predicate(is_even)])

    assert sorted(impossible(suite)) == ["value: just below most", "value: least"]
    assert set(suite.values) == {2, 10}


@dataclasses.dataclass
class Span:
    low: Annotated[int, annotated_types.Interval(ge=0, le=10**6)]
    high: Annotated[int, annotated_types.Interval(ge=0, le=10**6)]
    kind: Literal["open", "closed", "empty"]


def test_assertions_in_terms_are_asked_of_a_solver_where_trying_cannot_end() -> None:
    suite = unlike.generate(
        Span,
        cover="pairs",
        where=[lambda low, high: low + 7 == high, lambda kind, low: (kind != "empty") | (low == 42)],
    )

    found = impossible(suite)
    assert "high: least" in found
    assert "low: most" in found
    assert all("proved" in why for why in found.values())
    assert suite.status.ending is Ending.SHOWN
    for value in suite.values:
        assert isinstance(value, Span)
        assert value.low + 7 == value.high
        assert value.kind != "empty" or value.low == 42
    assert {value.kind for value in suite.values} == {"open", "closed", "empty"}  # type: ignore[attr-defined]


class Room(pydantic.BaseModel):
    size: Literal["small", "large"]
    beds: Literal[1, 2, 3]
    bath: bool

    @pydantic.model_validator(mode="after")
    def check_beds(self) -> Room:
        if self.size == "small" and self.beds > 1:
            raise ValueError("a small room has one bed")
        return self


def test_a_validator_is_a_final_filter_and_refused_pairs_are_proved_by_trying_all() -> None:
    suite = unlike.generate(Room, cover="pairs")

    assert set(impossible(suite)) == {"size: 'small' with beds: 2", "size: 'small' with beds: 3"}
    assert all("a small room has one bed" in why for why in impossible(suite).values())
    assert suite.status.ending is Ending.SHOWN
    shown = {(room.size, room.beds) for room in suite.values}  # type: ignore[attr-defined]
    assert shown == {("small", 1), ("large", 1), ("large", 2), ("large", 3)}
    assert {(room.beds, room.bath) for room in suite.values} == {(n, b) for n in (1, 2, 3) for b in (False, True)}  # type: ignore[attr-defined]


def test_what_trying_cannot_settle_is_undecided_and_the_status_says_so() -> None:
    class Far(pydantic.BaseModel):
        number: int
        other: int

        @pydantic.model_validator(mode="after")
        def check(self) -> Far:
            if self.number * self.number == self.other + 2 or self.number < 0:
                raise ValueError("no")
            return self

    suite = unlike.generate(Far)

    assert suite.status.ending is Ending.UNKNOWN
    assert suite.status.exit_code == 3
    assert [word for word, _ in unlike.coverage_of(suite).undecided] == ["number: least"]


def test_a_type_that_nothing_satisfies_says_what_refuses() -> None:
    suite = unlike.generate(Room, where=lambda beds: beds > 5)

    assert suite.status.ending is Ending.UNSATISFIABLE
    assert "where(beds)" in str(suite.status)
    assert not len(suite)


@pytest.mark.parametrize("n", [1, 7, 100])
def test_all_inputs_of_a_small_type_are_found_and_called_complete(n: int) -> None:
    suite = unlike.generate(Room, n)

    assert len(suite) == min(n, 8)  # 2 x 3 x 2 without the four small rooms with more beds
    assert suite.status.ending is (Ending.COMPLETE if n > 8 else Ending.FOUND)
