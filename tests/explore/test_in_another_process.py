"""Exploring in worker processes: the same answer as in one's own, and no call takes the run down."""

import sys
import time
from concurrent.futures import ProcessPoolExecutor, ThreadPoolExecutor
from pathlib import Path
from typing import Any

import curiosities
import pytest
import specimens
from click.testing import CliRunner
from examples.structures.node_caching_linked_list import NodeCachingLinkedList
from examples.structures.red_black_tree import RedBlackTree

from unlike.classes.evidence import ENDED
from unlike.cli import cli
from unlike.core import Implementation
from unlike.explore import Outcome, explore
from unlike.suite import Ending

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="half of the mines do not exist there")
sys.path.insert(0, str(Path(__file__).parent))
from minefield import EVERYTHING, FAULTS, SIDE, TOGETHER, Loud, Minefield  # noqa: E402


@pytest.mark.corpus
@pytest.mark.parametrize("forks", [True, False])
@pytest.mark.parametrize(
    ("cls", "options"),
    [
        (RedBlackTree, {"scope": 4, "methods": "add|remove"}),
        (RedBlackTree, {"scope": 3, "invariant": "rep_ok", "omit_fields": "color"}),
        (NodeCachingLinkedList, {"scope": 2}),  # iterators and views are found objects, too
    ],
    ids=["tree", "tree with invariant", "list"],
)
def test_worker_processes_find_the_same_states_in_the_same_order(
    cls: type, options: dict[str, Any], implementation: Implementation, forks: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    options |= {"implementation": implementation}
    monkeypatch.setattr("unlike.classes.verb.can_fork", lambda: forks)
    here, elsewhere = explore(cls, values="concrete", **options), explore(cls, workers=2, **options)

    assert elsewhere.all_states() == here.all_states()
    assert elsewhere.outcomes == here.outcomes
    assert [by_title(each) for each in (here, elsewhere)] == [by_title(here)] * 2
    assert elsewhere.outside == here.outside
    assert elsewhere.others == here.others
    assert [str(error) for error in elsewhere.errors] == [str(error) for error in here.errors]
    assert [case.label for case in elsewhere.suite] == [case.label for case in here.suite]


def by_title(result: Any) -> dict[str, Any]:
    return {
        operation.title: {outcome: times for outcome, times in outcomes.items() if times}
        for operation, outcomes in result.by_operation.items()
    }


@pytest.mark.corpus
def test_each_mine_is_reported_and_every_other_state_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    began = time.monotonic()

    result = explore(Minefield, methods=EVERYTHING, workers=2, seconds_per_call=2, megabytes=100)

    assert result.states == SIDE * SIDE
    assert not result.status.cut_short
    errors = {(error.operation, error.failure.exception): error for error in result.errors}
    # each mine was met once, for each state is explored once
    assert {key: error.times for key, error in errors.items()} == {
        (f"Minefield.{method}", cause): times for method, (cause, times) in FAULTS.items()
    }
    assert result.outcomes[Outcome.ERROR] == sum(error.times for error in errors.values()) >= 200
    assert "string_at" in errors["Minefield.crash", "killed by SIGSEGV"].failure.place
    assert ":sleep" in errors["Minefield.sleep", "took more than 2 s"].failure.place
    # a shortest sequence to the first mine: the very first state, for leave
    leave = errors["Minefield.leave", "left with exit code 7"]
    assert leave.failure.reason == ENDED
    assert [getattr(step, "name", "Minefield") for step in leave.recipe.steps] == ["Minefield", "leave"]
    assert Path.cwd() == tmp_path
    assert list(tmp_path.iterdir()) == []
    assert time.monotonic() - began < 120


@pytest.mark.corpus
def test_where_no_process_can_be_copied_workers_report_each_mine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unlike.classes.verb.can_fork", lambda: False)
    methods = "|".join(("right", "leave", "crash", "interrupt", "recurse", "exit", "ask", *TOGETHER))

    result = explore(Minefield, methods=methods, workers=2, seconds_per_call=20, megabytes=100)

    assert result.states == SIDE
    assert not result.status.cut_short
    assert {error.operation.removeprefix("Minefield."): error.times for error in result.errors} == {
        "leave": 4, "crash": 3, "recurse": 4, "exit": 3, "ask": 4,
    }  # fmt: skip
    assert all(
        error.failure.exception == FAULTS[error.operation.removeprefix("Minefield.")][0] for error in result.errors
    )


@pytest.mark.corpus
def test_deaths_change_no_sequence() -> None:
    first, second = (explore(Minefield, methods="right|up|leave|crash", calls=6, workers=2) for _ in range(2))

    assert [case.label for case in first.suite] == [case.label for case in second.suite]
    assert [(str(error), error.sequence) for error in first.errors] == [
        (str(error), error.sequence) for error in second.errors
    ]


def test_an_executor_of_threads_survives_an_interrupt_that_the_code_raises() -> None:
    with ThreadPoolExecutor(1) as executor:
        result = explore(Minefield, methods="right|up|interrupt", workers=executor)

    assert result.states == SIDE * SIDE
    assert not result.status.cut_short
    assert [(error.failure.exception, error.times) for error in result.errors] == [("killed by SIGINT", 2)]


def test_an_executor_may_be_passed_in() -> None:
    here = explore(RedBlackTree, scope=3, methods="add|remove")

    with ProcessPoolExecutor(2) as executor:
        elsewhere = explore(RedBlackTree, scope=3, methods="add|remove", workers=executor)

    assert elsewhere.all_states() == here.all_states()
    assert elsewhere.outcomes == here.outcomes


def test_executors_are_made_again_when_a_call_ends_one() -> None:
    result = explore(Minefield, methods="right|leave", workers=lambda: ProcessPoolExecutor(1))

    assert result.states == SIDE
    assert [(error.operation, error.times) for error in result.errors] == [("Minefield.leave", 4)]


@pytest.mark.corpus
def test_a_run_that_is_out_of_time_keeps_what_it_found() -> None:
    result = explore(Minefield, methods="right|up|sleep", workers=1, seconds_per_call=20, timeout=3)

    assert result.status.cut_short
    assert result.states >= 1


def test_without_state_matching_the_calls_are_made_in_one_copy() -> None:
    options: dict[str, Any] = {"calls": 3, "state_matching": False, "methods": "right|up"}

    here, elsewhere = explore(Minefield, in_process=True, **options), explore(Minefield, workers=2, **options)

    assert elsewhere.all_states() == here.all_states()
    assert elsewhere.outcomes == here.outcomes


def test_the_command_line_reports_a_call_that_ends_its_process() -> None:
    arguments = ["explore", "minefield:Minefield", "--methods", "right|leave", "--workers", "1"]

    outcome = CliRunner().invoke(cli, arguments, standalone_mode=False)

    assert outcome.return_value == 1
    assert "Minefield.leave: ended or blocked its process, left with exit code 7 (after 2 calls" in outcome.stdout


def test_workers_notice_what_is_not_deterministic_and_what_lies_outside_the_objects() -> None:
    dice = explore(specimens.Dice, most_states=30, workers=1)
    leaky = explore(specimens.Registered, scope=2, workers=1)

    assert dice.unsteady == ("Dice.roll",)
    assert leaky.leaks == explore(specimens.Registered, scope=2, in_process=True).leaks != {}


def test_a_class_met_only_when_a_call_is_made_again_takes_part_with_workers_as_without() -> None:
    here, elsewhere = explore(curiosities.Fickle, values="concrete"), explore(curiosities.Fickle, workers=2)

    assert elsewhere.others == here.others == {"Present": 2}
    assert elsewhere.states == here.states == 2
    assert elsewhere.status.ending is here.status.ending is Ending.UNKNOWN
    assert "Fickle.give" in elsewhere.unsteady


def test_workers_show_what_a_failing_call_printed() -> None:
    result = explore(Loud, workers=2)

    assert {error.operation: error.output for error in result.errors} == {
        "Loud.fail": "failing at 7 7\n",
        "Loud.leave": "good bye",
    }
