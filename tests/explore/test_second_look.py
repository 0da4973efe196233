"""Rules: a change that nobody can notice is none; what was left changed is named; what matters most comes first."""

from __future__ import annotations

from typing import Any, Literal

import pytest
from click.testing import CliRunner

import unlike
from unlike.classes.evidence import LEFT_CHANGED, Outcome
from unlike.classes.second_look import Rank, group_alike, rank_of
from unlike.cli.explore.command import command


class Indexed:
    """Numbers, with an index that is built when it is needed."""

    def __init__(self) -> None:
        self._items: list[int] = []
        self._index: dict[int, int] | None = None

    def add(self, number: int) -> None:
        self._items.append(number)
        self._index = None

    def find(self, number: int) -> int:
        if self._index is None:
            self._index = {item: place for place, item in enumerate(self._items)}
        return self._index[number]

    def check(self) -> None:
        self._index = {}
        raise ArithmeticError

    def take(self, number: int) -> None:
        self._items.append(number)
        self._index = None
        if number == 0:
            raise ValueError("not zero")

    def to_list(self) -> list[int]:
        return list(self._items)


def explored(methods: str, values: Literal["concrete", "symbolic"] = "concrete", **more: Any) -> Any:
    return unlike.explore(Indexed, scope=2, methods=methods, values=values, **more)


@pytest.mark.parametrize("values", ["concrete", "symbolic"])
def test_an_index_that_was_built_before_the_call_was_refused_is_no_change(values: Any) -> None:
    found = explored("add|find|to_list", values)

    assert found.errors == ()
    assert found.outcomes[Outcome.ERROR] == 0
    assert found.outcomes[Outcome.PRECONDITION] > 0


def test_an_exception_that_nobody_announced_stays_an_error_without_the_change() -> None:
    # an index of nothing is all there is to see where nothing asks the index
    (error,) = explored("add|check|to_list").errors

    assert error.failure.reason == "raised"
    assert rank_of(error) is Rank.ODD


def test_an_index_that_answers_otherwise_is_a_change() -> None:
    (error,) = [each for each in explored("add|check|find|to_list").errors if each.operation == "Indexed.check"]

    assert error.failure.reason == LEFT_CHANGED
    assert error.failure.fields == "_index"
    # of nothing there is nothing to find either way: the sequence shown is one where the answer differs
    assert error.sequence == "Indexed(); add(0); check()"


@pytest.mark.parametrize("values", ["concrete", "symbolic"])
def test_the_fields_that_were_left_changed_are_named(values: Any) -> None:
    (error,) = explored("take|to_list", values).errors

    assert str(error.failure).startswith("raised and left the object changed (_items), ValueError: not zero")
    assert rank_of(error) is Rank.CORRUPTED


class Many:
    """Goes wrong in several ways."""

    def __init__(self) -> None:
        self.level = 0

    def rise(self) -> None:
        self.level = 1

    def is_sound(self) -> bool:
        return self.level == 0

    def odd(self) -> None:
        _divide()

    def odd_too(self) -> None:
        _divide()

    def half_way(self, items: list[int]) -> None:
        for item in items:
            self.level = -1
            if item:
                raise ValueError(item)

    def spoil(self) -> None:
        self.level = 2
        raise RuntimeError

    def wants(self, thing) -> None:
        self.wanted = thing

    def use(self) -> int:
        return len(self.wanted)


def _divide() -> None:
    _ = 1 // 0


def test_errors_are_ranked_and_the_likely_false_come_last() -> None:
    errors = unlike.explore(Many, scope=2, values="concrete", invariant="is_sound", literals={"thing": [0]}).errors

    assert [each.operation.partition(".")[2] for each in errors if not each.doubt][:2] == ["spoil", "rise"]
    assert [bool(each.doubt) for each in errors] == sorted(bool(each.doubt) for each in errors)
    doubtful = {each.operation: each.doubt for each in errors if each.doubt}
    assert "half way" in doubtful["Many.half_way"]
    ranks = [rank_of(each) for each in errors if not each.doubt]
    assert ranks == sorted(ranks)


def test_what_is_raised_at_one_place_is_one_error() -> None:
    errors = unlike.explore(Many, scope=2, values="concrete", methods="odd|odd_too").errors

    assert [[each.operation for each in group] for group in group_alike(errors)] == [["Many.odd", "Many.odd_too"]]
    said = CliRunner().invoke(command, ["test_second_look:Many", "--methods", "odd|odd_too"]).stdout
    assert said.count("error: ") == 1
    assert "       the same by Many.odd_too\n" in said
