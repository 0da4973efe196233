"""Objects that keep other objects count, and what a proof does not cover stands behind it."""

from pathlib import Path
from typing import Any, Literal

import keepers
import pytest
from keepers import Area, Basket, Bolt, Chain, Clock, Frame, Limiter, Locked, LockFile, Pair, Turns, Twig

import unlike
from unlike.classes.builders import builders
from unlike.cli.explore.answer import field_values_of
from unlike.explore import Outcome, explore
from unlike.field_exhaustive.fewest import few_explored
from unlike.suite import Ending, Status
from unlike.writers.json_file import suite_to_text

WHERE: list[dict[str, Any]] = [{"in_process": True}, {"workers": 1}, {"values": "concrete"}, {"values": "symbolic"}]


@pytest.mark.few(2)
@pytest.mark.parametrize("where", WHERE, ids=["here", "worker", "concrete", "open"])
def test_an_object_that_keeps_what_its_constructor_got_counts_alone(where: dict[str, Any]) -> None:
    frames = explore(Frame, Bolt, scope=2, **where)
    chains = explore(Chain, scope=3, **where)

    assert {case.label for case in frames.suite} == {"Bolt(0)", "Bolt(1)", "Bolt(0); Frame(#1)", "Bolt(1); Frame(#1)"}
    assert chains.states == len(chains.suite) == 3  # of one, two and three links


def test_every_new_state_is_an_object_that_counts() -> None:
    for result in (explore(Limiter, Clock, in_process=True), explore(Limiter, Clock, workers=2)):
        times, lasts = range(3), range(-1, 3)
        reached = {(time, last) for time in times for last in lasts if last <= time}

        limiters = [case.value for case in result.suite if isinstance(case.value, Limiter)]
        assert sorted((each.clock.time, each.last) for each in limiters) == sorted(reached)
        assert result.states == len(reached) + len(times)  # the clock is seen, too, when its keeper has turned it
        assert result.outcomes[Outcome.NEW] == result.states


def test_what_a_constructor_keeps_needs_its_builder() -> None:
    found = builders(Frame, Bolt, scope=2)

    assert set(found.names) == {"Frame", "Bolt"}


@pytest.mark.parametrize("where", WHERE[:3], ids=["here", "worker", "concrete"])
def test_what_weak_references_alone_hold_is_no_part_of_the_state(where: dict[str, Any]) -> None:
    result = explore(Twig, scope=2, literals={"bool": [False, True]}, **where)

    # alone, with a parent or one that is gone: 4; above one of two kids, in the same two ways: 8
    assert result.states == len(result.suite) == 12
    assert not result.suite.status.cut_short


def test_the_proof_names_what_could_not_be_called() -> None:
    result = explore(Basket, in_process=True)

    words = "by the operations that were called; not called: Basket.put"
    assert str(result.status) == f"no more exist (proved): {words}"
    assert result.suite.guarantee.endswith(words)


def test_modules_may_hold_classes_of_functions_and_objects_that_answer_anything(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    class Anything:
        def __getattr__(self, name: str) -> int:
            return 7

    monkeypatch.setattr(keepers, "KNOWN_BY_NAME", Anything(), raising=True)

    assert explore(Clock, in_process=True).states == 1  # the module holds FunctionType by its own name, too


def test_fields_are_seen_beside_one_that_is_omitted_because_it_shows_nothing() -> None:
    result = explore(Locked, methods="add", omit_fields="_lock")
    few, _ = few_explored(result)

    assert [value for _, value in result.extensions().pairs["Locked.number"]] == [("int", f"{n}") for n in range(3)]
    assert len(few.suite) == 3


def test_what_is_omitted_does_not_stop_a_run_in_which_a_call_hangs() -> None:
    result = explore(Locked, omit_fields="_lock", seconds_per_call=1)

    assert result.states == 3
    assert [error.sequence for error in result.errors] == ["Locked(); add(); add(); stay()"]


def test_parts_of_named_tuples_are_field_values() -> None:
    pairs = explore(Pair, scope=2, methods="flipped", in_process=True).extensions().pairs

    assert {name: len(values) for name, values in pairs.items()} == {"Pair.left": 2, "Pair.right": 2}


@pytest.mark.parametrize("where", [{"in_process": True}, {"values": "symbolic"}], ids=["here", "open"])
def test_a_property_that_stores_what_it_found_is_asked(where: dict[str, Any], tmp_path: Path) -> None:
    result = explore(Area, invariant="is_sound", **where)

    assert [error.sequence for error in result.errors] == ["Area(); square; widen()"]
    labels = {case.label for case in result.suite}
    assert labels == {"Area()", "Area(); square", "Area(); widen()", "Area(); widen(); square"}
    saved = tmp_path / "Area.json"
    saved.write_text(suite_to_text(result.suite))
    assert [vars(case.value) for case in unlike.load(saved, Area)] == [vars(case.value) for case in result.suite]


def test_a_field_that_grows_at_every_other_level_grows_without_end() -> None:
    result = explore(Turns, scope=1, in_process=True, timeout=60)

    assert "Turns.taken grows without end" in str(result.status)


@pytest.mark.parametrize("values", ["concrete", "symbolic"])
def test_little_is_looked_at_once_the_time_is_used_up(
    values: Literal["concrete", "symbolic"], monkeypatch: pytest.MonkeyPatch
) -> None:
    result = explore(Bolt, scope=3, values=values)
    monkeypatch.setattr("unlike.cli.explore.answer.LOOKED_AT", 2)

    assert str(field_values_of(result)) == "field values: 3 over 1 field"
    result.status = Status(Ending.TIMEOUT, "1 s")
    assert str(field_values_of(result)) == "field values: 2 over 1 field in 2 objects looked at"


def test_an_object_that_its_calls_do_not_make_a_second_time_costs_itself_alone() -> None:
    found = explore(LockFile, scope=1, values="concrete")

    assert found.states == 2
    assert found.status.cut_short
    assert {each.cause for each in found.search.evidence.lost} == {"its calls raised FileExistsError the second time"}
