"""Rules: a change that nobody can notice is none; what was left changed is named; what matters most comes first."""

from __future__ import annotations

import asyncio
import decimal
import time
from typing import Any, Literal

import pytest
from click.testing import CliRunner

import unlike
import unlike.classes.result
from unlike.classes.evidence import LEFT_CHANGED, Outcome
from unlike.classes.open import choose_values
from unlike.classes.result import Result
from unlike.classes.second_look import Rank, group_alike, rank_of
from unlike.cli.explore.answer import answer_of
from unlike.cli.explore.command import command
from unlike.core import CutShort
from unlike.suite import Ending, Status


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


class Clocked:
    """Notes when it was asked, whatever comes of it."""

    def __init__(self) -> None:
        self.asked_at = 0.0
        self.items: list[int] = []

    def add(self, item: int) -> None:
        self.asked_at = time.perf_counter()
        if item == 1:
            raise ValueError("not one")
        self.items.append(item)


class Address:
    """Keeps to itself what it has worked out; others that it makes have it, too."""

    def __init__(self, street: int) -> None:
        self.street = street
        self._known: dict[str, int] = {}

    @property
    def double(self) -> int:
        return self._known.setdefault("double", 2 * self.street)

    def moved(self, by: int) -> Address:
        if self.double + by > 2:
            raise ValueError("too far")
        made = Address(self.street)
        made._known = self._known
        return made


@pytest.mark.parametrize("cls", [Clocked, Address])
def test_what_a_clock_or_a_cache_changed_is_no_error_though_answers_carry_it(cls: type) -> None:
    found = unlike.explore(cls, scope=2, values="concrete", calls=3)

    assert found.outcomes[Outcome.PRECONDITION] > 0
    assert found.errors == ()


class Ticking(Address):
    """Says something else each time."""

    def __repr__(self) -> str:
        return f"Ticking at {time.perf_counter()}"


def test_answers_that_differ_each_time_show_no_change() -> None:
    found = unlike.explore(Ticking, scope=2, values="concrete", calls=3)

    assert found.errors == ()
    assert found.protocols == ()


def test_what_was_found_is_shown_when_somebody_stops_what_comes_after_the_search(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def stop(*_: Any, **__: Any) -> Any:
        raise KeyboardInterrupt

    monkeypatch.setattr(choose_values._Choice, "compare", stop)
    monkeypatch.setattr(Result, "each_in_copies", stop)
    monkeypatch.setattr(Result, "protocols", property(stop))

    found = unlike.explore(Indexed, scope=2, methods="add|take|to_list", in_process=True)

    assert found.states == 7
    assert found.errors
    assert "stopped before all was asked" in "\n".join(answer_of(found).text())


class Frozen:
    """Has a method only to say that there is none."""

    def __init__(self, value: int) -> None:
        self.value = value

    def update(self, value: int) -> None:
        raise RuntimeError("objects of this class do not change")

    def halve(self, by: int) -> int:
        if by == 1:
            raise RuntimeError("one is not enough")
        return self.value


def test_a_method_that_never_does_anything_else_is_likely_meant_to() -> None:
    found = unlike.explore(Frozen, scope=2, values="concrete")

    doubts = {each.operation: each.doubt for each in found.errors}
    assert doubts == {"Frozen.halve": "", "Frozen.update": "it never does anything else"}


class Waiting:
    """Waits for what only a running loop gives, and may hold itself."""

    def __init__(self) -> None:
        self.inner: Waiting | None = None
        self.turns = 0

    def wait(self) -> None:
        self.turns = 1
        asyncio.get_running_loop()

    def put(self, inner: Waiting) -> None:
        self.inner = inner

    def depth(self) -> int:
        return 0 if self.inner is None else 1 + self.inner.depth()


def test_what_a_loop_is_missing_for_or_an_object_in_itself_is_likely_meant() -> None:
    found = unlike.explore(Waiting, scope=2, values="concrete")

    doubts = {each.operation: each.doubt for each in found.errors}
    assert doubts == {
        "Waiting.wait": "it needs a running event loop",
        "Waiting.depth": "the object was put into itself",
    }


def test_what_c_raises_and_leaves_behind_alike_is_one_error() -> None:
    found = unlike.explore(decimal.Context, scope=2, methods="divide|divide_int|remainder", values="concrete")

    assert [len(group) for group in group_alike(found.errors)] == [3, 2]  # without meaning, and by zero


def test_what_is_asked_after_somebody_stopped_the_search_takes_little_time(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(unlike.classes.result, "AFTER_STOP", 0.5)
    found = unlike.explore(Indexed, scope=2, methods="add", values="concrete")
    found.status = Status(Ending.INTERRUPTED)

    with pytest.raises(CutShort):
        list(found.each_in_copies(lambda _: time.sleep(0.2), 1_000, soon=True))
