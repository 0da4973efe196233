"""Exploring in a copy of this process, as is usual: the same answer as in this one, and no call takes the run down."""

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
from pathlib import Path
from typing import Any

import pytest
import specimens
from click.testing import CliRunner
from examples.structures.lru_cache import BuggyLRUCache, LRUCache
from examples.structures.node_caching_linked_list import NodeCachingLinkedList
from examples.structures.red_black_tree import RedBlackTree
from examples.structures.union_find import UnionFind
from tests.corpora import few_of

from unlike.classes.builders import AtRandom
from unlike.classes.evidence import ENDED
from unlike.classes.executors import in_copy, transfer
from unlike.classes.frontier import StateFrontier
from unlike.classes.open.path_caller import PathCaller
from unlike.cli import cli
from unlike.core import Implementation
from unlike.explore import Outcome, Result, explore
from unlike.heap.layout import OpaqueError
from unlike.heap.walkers import native_is_built
from unlike.isolation import each_in_copies
from unlike.isolation.state import process_state
from unlike.recipe import run
from unlike.suite import Ending

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
sys.path.insert(0, str(Path(__file__).parent))
import minefield  # noqa: E402
from findings import found  # noqa: E402
from made_on_the_spot import Maker, Nameless  # noqa: E402
from minefield import (  # noqa: E402
    EVERYTHING,
    FAULTS,
    HARMLESS,
    SIDE,
    Keyed,
    Local,
    Loud,
    Minefield,
    Proud,
    Splitting,
    Stuck,
)

WALKS = ["python", *(["native"] if native_is_built() else [])]
CLASSES: list[tuple[type, dict[str, Any]]] = [
    (RedBlackTree, {"scope": 4, "methods": "add|remove"}),
    (RedBlackTree, {"scope": 3, "invariant": "rep_ok", "omit_fields": "color"}),
    (NodeCachingLinkedList, {"scope": 2}),  # iterators and views are found objects, too
    (UnionFind, {}),
    (LRUCache, {"scope": 2}),
    (BuggyLRUCache, {"invariant": "rep_ok"}),
    (specimens.Everything, {}),
    (specimens.Counter, {}),
    (specimens.Failing, {"scope": 2}),
    (Keyed, {"scope": 2}),
    (Minefield, {"methods": "right|up", "calls": 4, "state_matching": False}),
]


@pytest.mark.corpus
@pytest.mark.parametrize("walk", WALKS)
@pytest.mark.parametrize(("cls", "options"), CLASSES, ids=[f"{each[0].__name__}" for each in CLASSES])
def test_a_copy_finds_the_same_states_by_the_same_calls_in_the_same_bytes(
    cls: type, options: dict[str, Any], walk: Implementation
) -> None:
    here = explore(cls, implementation=walk, in_process=True, **options)
    elsewhere = explore(cls, implementation=walk, **options)

    assert elsewhere.search.isolated
    assert found(elsewhere) == found(here)


def test_an_object_that_ends_its_process_when_it_is_let_go_of_is_left_alone() -> None:
    result = explore(Proud, values="concrete")

    assert result.states == 4
    assert result.status.ending is Ending.UNKNOWN
    assert "left with exit code 9" in str(result.status)


def test_a_process_that_the_code_makes_ends_with_its_call(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NOTES", str(tmp_path / "notes.txt"))

    result = explore(Splitting, values="concrete", calls=70, scope=4)

    assert result.states == 60
    assert len((tmp_path / "notes.txt").read_text().splitlines()) == 4  # once for each argument, and by nobody else


def test_reports_on_the_way_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    here = explore(RedBlackTree, scope=4, in_process=True)
    monkeypatch.setattr(transfer, "EVERY", 0.0)
    monkeypatch.setattr(transfer, "SHARE", 0)

    assert found(explore(RedBlackTree, scope=4)) == found(here)


# -- misdeeds --------------------------------------------------------------------------------------


def mines(result: Result) -> dict[str, tuple[str, int]]:
    return {
        error.operation.removeprefix("Minefield."): (error.failure.exception, error.times) for error in result.errors
    }


@pytest.mark.corpus
@pytest.mark.parametrize("misdeed", few_of([*FAULTS, *HARMLESS], 5))
def test_one_kind_of_misdeed_alone_costs_no_other_state(misdeed: str) -> None:
    megabytes = 2000 if misdeed == "hurry" else 100  # a thread reserves some 100 of address space

    before = process_state()

    seconds = 2 if misdeed in FAULTS and "took" in FAULTS[misdeed][0] else 60
    result = explore(Minefield, methods=f"right|up|{misdeed}", seconds_per_call=seconds, megabytes=megabytes)

    assert result.states == SIDE * SIDE
    assert {**process_state(), "processes": 0} == {**before, "processes": 0}  # we make copies ourselves
    assert result.status.ending is Ending.COMPLETE
    assert mines(result) == ({misdeed: FAULTS[misdeed]} if misdeed in FAULTS else {})


def test_closing_the_output_changes_the_outcome_of_no_other_call() -> None:
    result = explore(Minefield, methods="right|up|ask|close")

    assert mines(result) == {"ask": FAULTS["ask"]}


@pytest.mark.corpus
def test_more_than_two_hundred_faults_in_one_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    began, pids = time.monotonic(), started(monkeypatch)

    result = explore(Minefield, methods=EVERYTHING, seconds_per_call=2, megabytes=100)

    assert result.states == SIDE * SIDE
    assert result.status.ending is Ending.COMPLETE
    assert mines(result) == FAULTS
    faults = sum(times for _, times in FAULTS.values())
    assert result.outcomes[Outcome.ERROR] == faults >= 200
    # every one of them has a sequence of its own
    sequences = [recipe for error in result.errors for recipe in result.sequences(error)]
    assert len(set(sequences)) == faults
    assert (Path.cwd(), list(tmp_path.iterdir())) == (tmp_path, [])
    assert living(pids) == []
    assert time.monotonic() - began < 120


def started(monkeypatch: pytest.MonkeyPatch) -> set[int]:
    """Return a set that takes the ids of all copies that are made from now on."""
    pids: set[int] = set()
    before = in_copy.Copy.__init__

    def noted(self: Any, *args: Any, **options: Any) -> None:
        before(self, *args, **options)
        pids.add(self.pid)

    monkeypatch.setattr(in_copy.Copy, "__init__", noted)
    return pids


def living(groups: set[int]) -> list[str]:
    shown = subprocess.run(["ps", "-eo", "pgid=,stat=,args="], capture_output=True, text=True, check=True).stdout
    lines = [line.split(None, 2) for line in shown.splitlines()]
    return [" ".join(line) for line in lines if int(line[0]) in groups and not line[1].startswith("Z")]


@pytest.mark.corpus
def test_every_sequence_of_a_fault_ends_its_process_again() -> None:
    result = explore(Minefield, methods="right|up|leave|crash|stop", calls=9)

    recipes = [(error.failure.exception, recipe) for error in result.errors for recipe in result.sequences(error)]
    verdicts = list(each_in_copies(lambda number: run(recipes[number][1]), len(recipes)))

    assert len(recipes) > 30
    assert [getattr(verdict, "cause", None) for verdict in verdicts] == [cause for cause, _ in recipes]
    assert all(result.reproduces(error) for error in result.errors)


def test_a_deadly_sequence_that_does_not_come_again_is_said_not_to(tmp_path: Path) -> None:
    result = explore(Minefield, methods="right|leave", calls=3)
    (error,) = result.errors
    harmless = result.suite.cases.at(0).recipe  # the first object alone

    error.recipe = harmless

    assert not result.reproduces(error)


def test_faults_that_differ_are_not_merged() -> None:
    result = explore(minefield.ManyExits, scope=4)

    assert [(error.failure.reason, error.failure.exception, error.times) for error in result.errors] == [
        (ENDED, f"left with exit code {code}", 1) for code in range(1, 5)
    ]


def test_an_invariant_that_does_not_return_is_an_invariant_that_is_broken() -> None:
    result = explore(Stuck, invariant="rep_ok", seconds_per_call=1)

    (error,) = result.errors
    assert error.failure.reason == "invariant rep_ok is broken"
    assert error.failure.exception == "took more than 1 s"
    assert ":rep_ok" in error.failure.place
    assert error.sequence == "Stuck(); grow(); grow(); grow()"
    assert result.reproduces(error)
    assert result.states == 3  # nothing is called on a broken object


def test_what_a_failing_call_printed_is_shown_with_it_and_nowhere_else() -> None:
    result = explore(Loud)

    assert {error.operation: error.output for error in result.errors} == {
        "Loud.fail": "failing at 7 7\n",
        "Loud.leave": "good bye",
    }


def test_the_command_line_shows_it_too(capfd: pytest.CaptureFixture[str]) -> None:
    outcome = CliRunner().invoke(cli, ["explore", "minefield:Loud"], standalone_mode=False)

    assert "       printed: failing at 7 7\n" in outcome.stdout
    assert "going right" not in outcome.stdout + capfd.readouterr().out


# -- where the calls are made ----------------------------------------------------------------------


def test_the_usual_place_is_a_copy_and_the_explanation_says_so() -> None:
    usual, here = explore(specimens.Pile), explore(specimens.Pile, in_process=True)

    assert "in processes of their own, with 5 s for a call and 2,000 MB" in usual.explanation
    assert "the calls were made in this process" in here.explanation


def test_functions_held_by_objects_travel() -> None:
    assert explore(Keyed, scope=2).search.isolated


def test_what_no_other_process_has_is_refused_with_the_remedy_and_never_explored_here() -> None:
    with pytest.raises(OpaqueError, match=r"minefield:Hidden cannot be found.*--in-process"):
        explore(Local)
    assert explore(Local, in_process=True).states == 2


@pytest.mark.parametrize("values", ["concrete", "symbolic"])
def test_classes_that_no_name_leads_to_are_known_to_copies_where_they_were_there_before(values: Any) -> None:
    result = explore(Nameless, values=values)

    assert result.search.isolated
    assert not result.outside
    assert result.states == explore(Nameless, in_process=True).states == 2 * 4  # no size of its own, 0, 1 or 2


def test_a_method_that_meets_a_class_of_its_own_making_hides_no_other_method() -> None:
    result = explore(Maker)

    assert result.search.isolated
    assert result.states == 3
    assert any("Made cannot be found" in reason for reason in result.outside)


def test_a_search_inside_a_copy_is_made_there() -> None:
    (verdict,) = each_in_copies(lambda _: explore(specimens.Pile, scope=2).search.isolated, 1)

    assert verdict.result is False  # type: ignore[union-attr]


def test_other_threads_do_no_harm() -> None:
    event = threading.Event()
    threads = [threading.Thread(target=event.wait) for _ in range(4)]
    for thread in threads:
        thread.start()

    results: list[Result] = []
    inner = threading.Thread(target=lambda: results.append(explore(specimens.Pile, scope=2)))
    inner.start()
    inner.join()
    event.set()

    assert [result.states for result in results] == [7]
    assert results[0].search.isolated


def test_without_fork_the_calls_are_made_in_a_worker(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delattr(os, "fork")

    result = explore(Minefield, methods="right|leave")

    assert result.states == SIDE
    assert [(error.operation, error.times) for error in result.errors] == [("Minefield.leave", 4)]


def test_without_resource_it_is_said_that_memory_is_not_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unlike.isolation.limits.resource", None)

    result = explore(Minefield, methods="right|leave")

    assert "not enforced here: the limit on memory" in result.explanation
    assert result.states == SIDE


# -- endings ---------------------------------------------------------------------------------------


@pytest.mark.corpus
def test_ctrl_c_during_a_call_that_hangs_delivers_what_was_found() -> None:
    timer = threading.Timer(1, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()

    result = explore(Minefield, methods="right|up|sleep", seconds_per_call=60)

    assert result.status.ending is Ending.INTERRUPTED
    assert result.states > 1
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_time_ends_a_call_that_hangs() -> None:
    result = explore(Minefield, methods="right|up|sleep", seconds_per_call=60, timeout=1)

    assert result.status.ending is Ending.TIMEOUT
    assert result.states > 1


def test_time_ends_a_search_at_random_as_it_was_meant_to_end_even_in_a_call_that_hangs() -> None:
    result = explore(Minefield, methods="right|up|sleep", seconds_per_call=60, timeout=1, search=AtRandom())

    assert result.status.ending is Ending.FOUND
    assert "1 s of random exploration" in result.status.detail


class Hoarder:
    """Takes memory without end, and says nothing of it."""

    def __init__(self) -> None:
        self.number = 0

    def put(self, number: int) -> None:
        hoard = [bytearray(2**20)]
        with contextlib.suppress(MemoryError):
            while self.number == 0:
                hoard.append(bytearray(2**24))
        self.number = number


@pytest.mark.skipif(sys.platform != "linux", reason="memory is limited by address space")
def test_memory_is_limited_wherever_values_are_left_open() -> None:
    import resource

    before = resource.getrlimit(resource.RLIMIT_AS)

    result = explore(Hoarder, values="symbolic", megabytes=200)

    assert result.states == 3
    assert resource.getrlimit(resource.RLIMIT_AS) == before
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss < 4 * 1024 * 1024  # kilobytes: not all there is


def test_open_values_that_outgrow_their_memory_are_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    def call(self: PathCaller, unit: Any) -> None:
        raise MemoryError

    monkeypatch.setattr(PathCaller, "call", call)

    result = explore(RedBlackTree, scope=4)

    assert result.values == "concrete"
    assert "MemoryError" in result.why
    assert result.status.ending is Ending.COMPLETE


def test_a_search_that_outgrows_its_memory_delivers_what_it_found(monkeypatch: pytest.MonkeyPatch) -> None:
    before = StateFrontier.enter

    def enter(self: StateFrontier, *args: Any) -> int:
        if len(self) == 500:
            raise MemoryError
        return before(self, *args)

    monkeypatch.setattr(StateFrontier, "enter", enter)
    result = explore(NodeCachingLinkedList, scope=6, methods="add_last|remove_index", values="concrete")

    assert result.status.ending is Ending.UNKNOWN
    assert "--memory" in str(result.status)
    assert result.states == 500


def test_an_object_that_no_process_survives_to_make_again_is_counted_and_the_run_is_cut_short() -> None:
    result = explore(minefield.Fragile)

    assert result.states == 2
    assert result.status.cut_short
    assert "1 objects could not be made again (left with exit code 9)" in str(result.status)
