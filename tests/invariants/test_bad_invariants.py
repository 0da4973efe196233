"""A bad invariant is one clear message, and what is said of a structure is said of it alone."""

from __future__ import annotations

import functools
import random
import time

import pytest
from invariant_specimens import Bad

import unlike
from unlike.errors import InvariantError, ScopeError, TargetError
from unlike.invariants.result import Structures
from unlike.invariants.search import guards
from unlike.invariants.verbs import structures

FIELDS = {"Bad.numbers": [0]}


def search(invariant: str, scope: int = 3, **options: object) -> Structures:
    return structures(Bad, scope, invariant=invariant, fields=FIELDS, **options)  # type: ignore[arg-type]


def test_one_that_always_raises_is_refused_with_what_it_raises() -> None:
    with pytest.raises(InvariantError, match="raises raised on every structure, first RuntimeError: no such False"):
        search("raises")
    with pytest.raises(InvariantError, match="raises_at_once raised on every structure, first LookupError: nothing"):
        search("raises_at_once")


def test_one_that_exits_is_refused_like_one_that_raises() -> None:
    with pytest.raises(InvariantError, match="exits raised on every structure, first SystemExit: 3"):
        search("exits")


@pytest.mark.parametrize("in_process", [True, False])
def test_one_that_writes_is_refused_with_the_field(in_process: bool) -> None:
    with pytest.raises(InvariantError, match=r"writes writes to Bad\.number; an invariant only looks"):
        search("writes", in_process=in_process)


def test_one_that_writes_to_a_list_is_refused() -> None:
    with pytest.raises(InvariantError, match=r"writes_a_list writes to a list \(by append\)"):
        structures(Bad, 2, invariant="writes_a_list", fields={"Bad.numbers": [list[int]]})


def test_one_that_writes_past_setattr_is_refused() -> None:
    with pytest.raises(InvariantError, match=r"writes_past_us writes to Bad\.cached"):
        search("writes_past_us")


@pytest.fixture
def impatience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Ask again sooner than usual, and for fewer lines: these decide, so that the answer is the same."""
    monkeypatch.setattr(guards, "TICK", 0.04)
    monkeypatch.setattr(guards, "within_lines", functools.partial(guards.within_lines, most=10_000))


@pytest.mark.corpus
@pytest.mark.usefixtures("impatience")
def test_one_that_never_ends_is_refused() -> None:
    # None, itself and another object: only "itself" lets it end
    found = search("loops", scope=2)

    assert found.count > 0
    assert found.seen.endless == 2
    assert "loops did not end on 2 structures, which count as rejected; does it walk in circles?" in found.notes


@pytest.mark.corpus
@pytest.mark.usefixtures("impatience")
def test_one_that_walks_in_circles_has_its_circles_rejected() -> None:
    found = search("loops_in_circles", scope=2)

    # chains that end: one object or two, each with two numbers; the number is never read
    assert found.count == 2 + 4
    assert found.seen.endless == 3  # back to itself; from the second to the first; from the second to itself


@pytest.mark.corpus
@pytest.mark.parametrize("engine", ["search", "korat"])
def test_the_clock_stands_still_while_lines_are_counted(monkeypatch: pytest.MonkeyPatch, engine: str) -> None:
    # counting so many lines takes far longer than two ticks
    monkeypatch.setattr(guards, "TICK", 0.01)

    found = search("loops_in_circles", scope=2, engine=engine, in_process=True)

    assert found.seen.endless >= 3
    assert not found.seen.raised


def test_one_that_is_random_is_refused() -> None:
    random.seed(3)  # a copy of this process begins with the same numbers

    with pytest.raises(InvariantError, match="is_random is not deterministic"):
        search("is_random")


def test_one_that_is_always_false_is_an_answer_with_its_reason() -> None:
    found = search("is_false")

    assert found.count == 0
    assert found.status.ending is unlike.Ending.UNSATISFIABLE
    assert found.status.exit_code == 1
    assert "is_false rejects every structure" in found.status.detail
    assert "without reading any field" in found.status.detail


def test_one_that_forgets_to_return_is_told_so() -> None:
    found = search("forgets_to_return")

    assert found.status.ending is unlike.Ending.UNSATISFIABLE
    assert found.notes == ("forgets_to_return returned None, which counts as a no; is a `return True` missing?",)


def test_one_that_is_always_true_is_told_so() -> None:
    assert search("is_true").notes == ("is_true accepts every structure: it reads no field",)


def test_one_that_asks_for_the_type_of_an_int_is_found_out_and_searched_with_ints() -> None:
    found = search("asks_for_type", scope=4)

    reference = search("asks_for_type", scope=4, engine="korat")
    assert found.count == reference.count > 0
    assert "asks_for_type tells an int from what stands in for one" in found.notes[0]


def test_one_that_ends_its_process_has_that_structure_rejected() -> None:
    found = search("dies")

    assert [case.value.number for case in found.suite] == [1]  # type: ignore[attr-defined]
    assert any("dies ended its process on a structure (left with exit code 7)" in note for note in found.notes)


def test_one_that_sleeps_is_stopped_by_the_limit_on_time() -> None:
    began = time.monotonic()

    found = search("sleeps", seconds_per_call=1)

    assert [case.value.number for case in found.suite] == [2]  # type: ignore[attr-defined]
    assert time.monotonic() - began < 100
    assert any("took more than 1 s" in note for note in found.notes)


def test_one_that_takes_too_much_memory_is_stopped_by_the_limit() -> None:
    found = search("hoards", megabytes=300)

    assert [case.value.number for case in found.suite] == [2]  # type: ignore[attr-defined]
    assert found.seen.raised == {"MemoryError": 1}


def test_an_interruption_keeps_what_was_found(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(thing: Bad) -> bool:
        if thing.number == 2:
            raise KeyboardInterrupt
        return thing.other is None

    monkeypatch.setattr("unlike.invariants.verbs._check_stand_ins", lambda *_: "alike")

    found = structures(Bad, 3, invariant=interrupted, fields=FIELDS, in_process=True)

    assert found.status.ending is unlike.Ending.INTERRUPTED
    assert found.status.exit_code == 3


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"invariant": "rep_okay"}, TargetError, "Bad has no method 'rep_okay'"),
        ({"invariant": 3}, TargetError, "invariant=3 is neither"),
        ({"engine": "magic"}, ScopeError, "engine='magic' must be one of auto, search, hybrid, korat"),
        ({"n": 0}, ScopeError, "n=0 must be"),
        ({"timeout": 0}, ScopeError, "timeout=0 must be a number of seconds above 0"),
        ({"scope": 0}, ScopeError, "scope=0 must be a whole number of at least 1"),
        ({"megabytes": 0}, ScopeError, "megabytes=0 must be a whole number of at least 1"),
        ({"objects": {"Bad": "x"}}, ScopeError, "objects of Bad='x' must be a whole number of at least 1"),
        ({"objects": {"Bad": 0}}, ScopeError, "objects of Bad=0 must be a whole number of at least 1"),
        ({"fields": {}}, ScopeError, None),
    ],
)
def test_bad_options_are_one_clear_message(options: dict[str, object], error: type[Exception], message: str) -> None:
    given: dict[str, object] = {"invariant": "is_true", "fields": FIELDS, "scope": 2, **options}
    if message is None:
        given["fields"] = {"Bad.nubmer": "0..3"}
        message = "did you mean 'Bad.number'"

    with pytest.raises(error) as caught:
        structures(Bad, given.pop("scope"), **given)  # type: ignore[arg-type]

    assert message in str(caught.value)


def test_one_that_writes_is_refused_by_fields_too() -> None:
    with pytest.raises(InvariantError, match=r"writes writes to Bad\.number; an invariant only looks"):
        _ = unlike.fields(Bad, 1, invariant="writes", literals={"int": [0, 2]}).suite
