"""`then_random`: sequences drawn beyond an exhausted scope, told apart from what is proved."""

from typing import Any

import pytest
from specimens import Pile

from unlike.classes import random_tail
from unlike.errors import ScopeError
from unlike.explore import Result, explore
from unlike.suite import Ending


class Shelf:
    """Any number of ints; with five of them it fails, and with a negative one it is not sound."""

    def __init__(self) -> None:
        self.items: list[int] = []

    def put(self, value: int) -> None:
        if len(self.items) == 4:
            _break_down()
        self.items.append(value)

    def clear(self) -> None:
        self.items.clear()

    def rep_ok(self) -> bool:
        return all(each >= 0 for each in self.items)


class Row:
    """Never changes: a longer one is another object."""

    def __init__(self) -> None:
        self.items: tuple[int, ...] = ()

    def plus(self, value: int) -> "Row":
        longer = Row()
        longer.items = (*self.items, value)
        return longer


def _break_down() -> None:
    raise RuntimeError("too many")


def draw(cls: type, count: int = 30, **more: Any) -> Result:
    return explore(cls, scope=2, then_random=count, in_process=True, **more)


def test_what_is_drawn_lies_beyond_the_scope_and_each_object_is_there_once() -> None:
    known, result = explore(Shelf, scope=2, in_process=True, values="concrete"), draw(Shelf)

    inside = {tuple(each.items) for each in known.suite.values}
    further = [tuple(case.value.items) for case in result.further]
    assert len(inside) == result.states == 7  # of 0 and 1: none, one and two of them
    assert len(further) == len(set(further)) > 5
    assert not inside & set(further)
    assert any(-1 in each for each in further)
    assert [tuple(each.items) for each in result.suite.values][result.states :] == further


def test_the_status_says_what_is_proved_and_what_was_drawn() -> None:
    result = draw(Shelf)

    drawn = f"30 sequences beyond it were drawn (seed 0): {len(result.further)} further objects, 1 further error"
    assert result.status.ending is Ending.SHOWN
    assert str(result.status) == f"no more exist within the scope (proved); {drawn}"
    assert result.guarantee.endswith(drawn)


def test_an_error_beyond_the_scope_has_a_shortest_sequence() -> None:
    (error,) = draw(Shelf).errors

    assert error.failure.exception == "RuntimeError"
    assert error.exception_class is RuntimeError
    assert error.sequence.count("put") == 5
    assert "clear" not in error.sequence
    assert draw(Shelf).reproduces(error)


def test_an_invariant_is_asked_after_every_call() -> None:
    errors = draw(Shelf, invariant="rep_ok").errors

    assert "Shelf(); put(-1)" in [error.sequence for error in errors]


def test_the_same_seed_draws_the_same() -> None:
    first, second = draw(Shelf), draw(Shelf)

    assert [case.label for case in first.further] == [case.label for case in second.further]
    assert list(map(str, first.errors)) == list(map(str, second.errors))


def test_a_class_that_is_exhausted_for_good_has_no_further_objects_within_its_types() -> None:
    result = draw(Pile, literals={"int": [0, 1]})

    assert not result.further
    assert "0 further objects, 0 further errors" in str(result.status)


def test_a_sequence_goes_on_with_what_a_call_returns() -> None:
    result = draw(Row)

    assert max(len(case.value.items) for case in result.further) > 3  # two are within the scope, and one call adds one


def test_nothing_is_drawn_where_the_scope_is_not_exhausted() -> None:
    result = draw(Shelf, most_states=3)

    assert result.status.cut_short
    assert "nothing was drawn beyond the scope" in str(result.status)
    assert not result.further


def test_values_left_open_are_refused() -> None:
    with pytest.raises(ScopeError, match="then_random=5"):
        draw(Shelf, 5, values="symbolic")


def test_no_sequence_at_all_is_refused() -> None:
    with pytest.raises(ScopeError, match="at least 1"):
        draw(Shelf, 0)


class Leaving(Shelf):
    """Ends its process when there are three."""

    def clear(self) -> None:
        if len(self.items) >= 3:
            import os

            os._exit(7)
        super().clear()


@pytest.mark.few(1)
def test_a_sequence_that_ends_its_process_is_an_error_and_the_others_go_on() -> None:
    result = explore(Leaving, scope=2, then_random=12)

    deadly = [error for error in result.errors if error.is_deadly]
    assert [error.operation for error in deadly] == ["Leaving.clear"]
    assert deadly[0].sequence.count("put") == 3
    assert result.further


def test_an_interruption_while_sequences_are_drawn_keeps_what_the_scope_came_to(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(random_tail._Tail, "draw_all", interrupted)

    result = draw(Shelf)

    assert result.status.ending is Ending.INTERRUPTED
    assert "no more exist within the scope (proved)" in str(result.status)
    assert len(result.suite) == len(explore(Shelf, scope=2, values="concrete", in_process=True).suite)
