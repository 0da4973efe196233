"""What code does with numbers, texts and objects it does with open ones: both ways find the same."""

from collections.abc import Sequence
from typing import Any, ClassVar

import habits
import pytest
from examples.structures.red_black_tree import RedBlackTree

from unlike.classes.open import choose_values, cost_model
from unlike.classes.open.choose_values import count_outcomes, differences
from unlike.classes.open.result import OpenResult
from unlike.classes.open.templates import Open, runs_of
from unlike.classes.workbench import ReadyCall
from unlike.errors import UnlikeError
from unlike.explore import explore
from unlike.heap.walkers import native_is_built
from unlike.isolation.copy import is_in_copy
from unlike.suite import Ending

IMPLEMENTATIONS: list[Any] = ["python", *(["native"] if native_is_built() else [])]
HABITS = [
    habits.KeysByValue,
    habits.Ordered,
    habits.InSequences,
    habits.Arithmetic,
    habits.Converts,
    habits.Compares,
    habits.Matches,
    habits.Fails,
    habits.Holds,
    habits.Collects,
    habits.Enumerates,
    habits.Opaque,
    habits.Passes,
    habits.Texts,
    habits.Measures,
    habits.Merges,
]
SMALL = (habits.KeysByValue, habits.Texts, habits.Passes)  # where scope 3 takes long


@pytest.mark.few(4)
@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
@pytest.mark.parametrize("cls", HABITS)
def test_no_habit_tells_open_values_from_chosen_ones(cls: type, implementation: Any) -> None:
    scope = 2 if cls in SMALL or implementation == "python" else 3
    concrete = explore(cls, scope=scope, values="concrete", in_process=True)

    opened = explore(cls, scope=scope, values="symbolic", implementation=implementation, in_process=True)

    assert isinstance(opened, OpenResult)
    assert differences(concrete, opened) == []
    assert count_outcomes(opened.calls_by_outcome()) == count_outcomes(concrete.by_operation)


def test_one_object_of_a_derived_class_stands_in_several_places_both_ways() -> None:
    targets = (habits.Merges, habits.Derived)

    concrete, opened = (explore(*targets, scope=2, values=which, in_process=True) for which in ("concrete", "symbolic"))

    assert differences(concrete, opened) == []


def test_an_object_that_was_broken_before_a_call_that_changes_nothing_is_no_new_error() -> None:
    concrete, opened = (
        explore(habits.Jar, scope=3, values=which, invariant="rep_ok", in_process=True)
        for which in ("concrete", "symbolic")
    )

    assert concrete.errors
    assert count_outcomes(opened.calls_by_outcome()) == count_outcomes(concrete.by_operation)  # type: ignore[attr-defined]


# -- lists and tuples -------------------------------------------------------------------------------------


def test_all_lists_of_some_values_are_one_list_of_open_values_for_each_length() -> None:
    pairs = [[], *([x] for x in range(3)), *([x, y] for x in range(3) for y in range(3))]

    assert runs_of(pairs) == ([], [Open(0, 2)], [Open(0, 2), Open(0, 2)])
    assert runs_of([(0, None), (1, None)]) == ((Open(0, 1), None),)


@pytest.mark.parametrize("rows", [[[0, 0], [0, 1], [1, 0]], [[0, 1], [1, 0]], [[[0], [0]], [[1], [1]]]])
def test_lists_that_are_not_all_combinations_stay_as_they_are(rows: list[list[int]]) -> None:
    assert runs_of(rows) == tuple(rows)


def test_as_many_values_are_passed_for_a_star_as_with_chosen_values() -> None:
    # five values may be passed in 2,000 ways up to a length of four, one open value up to five
    concrete, opened = (
        explore(habits.Passes, scope=5, methods="many", literals={"start": [1], "step": [1]}, calls=2, values=which)
        for which in ("concrete", "symbolic")
    )

    assert count_outcomes(opened.calls_by_outcome()) == count_outcomes(concrete.by_operation)  # type: ignore[attr-defined]


# -- code that sees it ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("cls", "scope", "why"),
    [
        (habits.BoundsADeque, 3, "compiled code was given an open value"),
        (habits.BoundsADeque, 4, "compiled code was given an open value"),
        (habits.DecimalsLate, 4, "compiled code was given an open value"),  # too late for a trial at scope 2
    ],
)
def test_code_that_sees_it_is_found_out_at_any_scope(cls: type, scope: int, why: str) -> None:
    result = explore(cls, scope=scope, in_process=True)

    assert result.values == "concrete"
    assert why in result.why
    with pytest.raises(UnlikeError, match=why):
        explore(cls, scope=scope, values="symbolic", in_process=True)


def test_a_text_that_an_object_holds_and_something_outside_keeps_is_found_out() -> None:
    habits.remembered.cache_clear()

    with pytest.raises(UnlikeError, match="keeps a value"):
        explore(habits.KeepsText, scope=3, values="symbolic", in_process=True)


def test_a_state_that_is_equal_and_yet_another_is_another() -> None:
    whole, half = (explore(habits.Measures, scope=3, methods=which, values="concrete") for which in ("mix", "see|mix"))

    assert len(set(whole.all_states())) == whole.states
    assert len(set(half.all_states())) == half.states


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
def test_an_exception_that_compiled_code_raises_in_a_method_is_its_precondition(implementation: Any) -> None:
    result = explore(habits.InSequences, scope=3, values="concrete", implementation=implementation)

    assert result.states > 40  # from then on the walker makes the calls
    assert result.errors == ()


# -- what pays --------------------------------------------------------------------------------------------


def test_looking_at_every_value_does_not_pay_and_values_are_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost_model, "FREE", 2_000)

    result = explore(habits.HashesAll, scope=4, literals={"str": list("abcd")}, calls=3)

    assert result.values == "concrete"
    assert "the code looks at too many values" in result.why


def test_at_small_scopes_the_other_way_is_not_gone_to_its_end_where_it_takes_longer(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(choose_values, "FREE", 0)

    result = explore(habits.HashesAll, scope=2)

    assert result.values == "concrete"
    assert "takes longer than choosing" in result.why


def test_where_values_stand_for_many_calls_nothing_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(cost_model, "FREE", 2_000)

    result = explore(habits.Ordered, scope=4, methods="add|remove")

    assert result.values == "symbolic"


# -- time -------------------------------------------------------------------------------------------------


def test_calls_with_open_values_are_made_in_a_copy_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    run = ReadyCall.run

    def run_in_copy(self: ReadyCall, objects: Sequence[Any]) -> object:
        return run(self, objects) if is_in_copy() else pytest.fail("a call is made here")

    monkeypatch.setattr(ReadyCall, "run", run_in_copy)

    result = explore(RedBlackTree, scope=4, values="symbolic", implementation="python")

    assert isinstance(result, OpenResult)
    assert result.states == len(result.suite) == 29
    assert (
        sum(sum(counts.values()) for counts in result.calls_by_outcome().values()) > 29
    )  # they are counted there, too


def test_all_ways_together_have_one_timeout() -> None:
    result = explore(habits.Ordered, scope=5, timeout=1e-9)

    assert result.status.ending is Ending.TIMEOUT
    assert "1e-09 s" in str(result.status)
    assert result.states >= 1  # what needs no other object is found all the same


class Keeps:
    """Keeps what it is passed outside its objects: in a list, and under a name that it binds."""

    seen: ClassVar[list[int]] = []
    last = 0

    def __init__(self) -> None:
        self.used = False

    def note(self, value: int) -> None:
        self.used = True
        Keeps.seen.append(value)
        Keeps.last = value


def test_open_values_are_taken_back_from_where_calls_left_them() -> None:
    with pytest.raises(UnlikeError, match="something outside the objects keeps a value"):
        explore(Keeps, values="symbolic", in_process=True)

    assert Keeps.seen == []
    assert Keeps.last == 0
    assert explore(Keeps, in_process=True).states == 2  # used or not
