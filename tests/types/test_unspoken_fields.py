"""A field that no term speaks of (a UUID, a set, a class of its own) changes nothing of what is proved beside it."""

from __future__ import annotations

import uuid
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

import pytest

import unlike
from unlike import Ending, coverage_of, generate


@dataclass
class Plain:
    size: Literal["small", "large"]
    beds: Literal[1, 2, 3]


@dataclass
class Marked:
    id: uuid.UUID
    size: Literal["small", "large"]
    beds: Literal[1, 2, 3]


@dataclass
class WithSet:
    size: Literal["small", "large"]
    beds: Literal[1, 2, 3]
    seen: frozenset[complex]


CONDITIONS: list[Callable[..., object]] = [
    lambda room: room.size == "small",
    lambda room: (room.size == "large") | (room.beds == 1),
    lambda room: room.beds > 3,
    lambda room, other: (room.size == other.size) & (room.beds > 1) & (other.beds == 1),
]


@pytest.mark.few(2)
@pytest.mark.parametrize("where", CONDITIONS)
@pytest.mark.parametrize("cls", [Marked, WithSet])
def test_as_much_is_proved_impossible_as_without_it(cls: type, where: Callable[..., object]) -> None:
    names = where.__code__.co_varnames
    plain = generate(dict.fromkeys(names, Plain), where=where)
    found = generate(dict.fromkeys(names, cls), where=where)

    told = coverage_of(found)
    assert {word for word, _ in told.impossible if "seen" not in word} == {
        word for word, _ in coverage_of(plain).impossible
    }
    assert told.undecided == coverage_of(plain).undecided
    assert found.status.ending is plain.status.ending


@pytest.mark.parametrize("cls", [Plain, Marked, WithSet])
def test_no_more_inputs_than_the_difference_sees_is_proved(cls: type) -> None:
    suite = generate({"room": cls}, "all", different=unlike.differs_by("room.beds"))

    assert [each["room"].beds for each in suite.values] == [1, 2, 3]
    assert suite.status.ending is Ending.COMPLETE


@pytest.mark.parametrize("difference", [(), unlike.differs_by("room")])
def test_where_whole_values_are_compared_nothing_is_proved_of_those_that_were_not_tried(difference: object) -> None:
    suite = generate({"room": Marked}, 500, different=difference, where=lambda room: room.beds == 1)

    assert suite.status.ending is not Ending.COMPLETE
    assert suite.status.ending is not Ending.UNSATISFIABLE


def test_a_condition_on_whole_values_proves_nothing_of_what_was_not_tried() -> None:
    suite = generate({"room": Marked, "other": Marked}, where=lambda room, other: room == other)

    assert len(suite) > 0
    assert all(each["room"] == each["other"] for each in suite.values)
