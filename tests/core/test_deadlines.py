"""A timeout is the total of what was asked: one moment, which every part of the work is given."""

from __future__ import annotations

import math
import pickle
from collections.abc import Callable
from typing import Any

import pytest
from tests.explore import specimens

import unlike.classes.builders.genetic
import unlike.classes.builders.verb
import unlike.classes.verb
import unlike.compare.comparison
import unlike.invariants.verbs
from unlike import Int, Spec
from unlike.classes.builders import builders
from unlike.compare import compare
from unlike.core import FOREVER, CutShort, Deadline, deadline
from unlike.errors import ScopeError
from unlike.explore import explore
from unlike.invariants.verbs import structures
from unlike.isolation import each_in_copies
from unlike.suite import Ending


class Clock:
    """A clock that stands still unless it is moved."""

    now = 1_000.0

    def monotonic(self) -> float:
        return self.now


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    made = Clock()
    monkeypatch.setattr(deadline, "time", made)
    return made


def test_a_deadline_is_a_moment_and_cuts_short_from_then_on(clock: Clock) -> None:
    given = Deadline.of(10)
    assert given.seconds_left() == 10
    given.check()

    clock.now += 10

    assert given.is_over()
    assert not given.is_over(by=1)
    with pytest.raises(CutShort) as cut:
        given.check()
    assert cut.value.status.ending is Ending.TIMEOUT
    assert "10 s" in str(cut.value.status)


def test_a_deadline_that_is_handed_down_stays_the_same(clock: Clock) -> None:
    given = Deadline.of(10)
    clock.now += 4

    assert Deadline.of(given) is given
    assert given.part(0.5).seconds_left() == 3
    assert given.within(2).seconds_left() == 2
    assert given.within(60) is given


def test_without_a_timeout_there_is_no_end() -> None:
    assert Deadline.of(None) is FOREVER
    assert Deadline.of(math.inf) is FOREVER
    assert FOREVER.seconds_left() is None
    assert FOREVER.part(0.5) is FOREVER
    assert not FOREVER.is_over()


@pytest.mark.parametrize("bad", [0, -1, math.nan, True, "3"])
def test_what_is_no_time_is_refused(bad: Any) -> None:
    with pytest.raises(ScopeError, match="must be a number of seconds above 0"):
        Deadline.of(bad)


def test_what_travels_takes_the_seconds_that_are_left_along(clock: Clock) -> None:
    packed = pickle.dumps(Deadline.of(10))
    clock.now += 5_000  # another machine, with another clock

    assert pickle.loads(packed).seconds_left() == 10


def test_items_are_yielded_as_long_as_there_is_time(clock: Clock) -> None:
    seen = []

    def look() -> None:
        for item in Deadline.of(3).each(range(100)):
            seen.append(item)
            clock.now += 1

    with pytest.raises(CutShort):
        look()
    assert seen == [0, 1, 2]


def test_work_on_many_things_is_cut_short_with_what_was_done(clock: Clock) -> None:
    def work(number: int) -> int:
        clock.now += 1
        return number

    verdicts = each_in_copies(work, 100, unlike.core.Isolation(in_process=True), Deadline.of(2))

    assert [next(verdicts), next(verdicts)]
    with pytest.raises(CutShort):
        next(verdicts)


# -- every part of a verb is given a deadline within the total -----------------------------------------


class Seen:
    """The deadlines that parts of the work were given."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.ends: list[float] = []
        self.monkeypatch = monkeypatch

    def watch(self, module: Any, name: str, of: Callable[..., Deadline]) -> None:
        before = getattr(module, name)

        def watched(*arguments: Any, **keywords: Any) -> Any:
            self.ends.append(of(*arguments, **keywords).ends or math.inf)
            return before(*arguments, **keywords)

        self.monkeypatch.setattr(module, name, watched)


@pytest.fixture
def seen(monkeypatch: pytest.MonkeyPatch) -> Seen:
    return Seen(monkeypatch)


def test_trials_and_searches_of_an_invariant_share_the_time(seen: Seen) -> None:
    seen.watch(unlike.invariants.verbs, "find", lambda order: order.deadline)
    total = Deadline.of(1_000)

    structures(specimens.Pile, 2, invariant=lambda pile: True, timeout=total, in_process=True)

    assert len(seen.ends) >= 3  # two trials, and the search
    assert all(end <= (total.ends or 0) for end in seen.ends)


def test_the_halves_of_a_comparison_share_the_time(seen: Seen) -> None:
    seen.watch(unlike.compare.comparison, "structures", lambda *_, timeout, **__: timeout)
    seen.watch(unlike.compare.comparison, "explore", lambda *_, timeout, **__: timeout)
    total = Deadline.of(1_000)

    compare(specimens.Pile, 2, invariant=lambda pile: len(pile.items) < 2, timeout=total, in_process=True)

    assert len(seen.ends) >= 2
    assert all(end <= (total.ends or 0) for end in seen.ends)


@pytest.mark.parametrize("search", ["exact", "genetic"])
def test_explorations_for_builders_share_the_time(seen: Seen, search: Any) -> None:
    for module in (unlike.classes.builders.verb, unlike.classes.builders.genetic):
        seen.watch(module, "explore_question", lambda _, question, *__: question.deadline)
    total = Deadline.of(1_000)

    builders(specimens.Pile, scope=2, search=search, timeout=total, in_process=True)

    assert len(seen.ends) >= 2  # with the whole API, and with the builders alone
    assert all(end <= (total.ends or 0) for end in seen.ends)


def test_an_exploration_that_begins_again_has_no_more_time(seen: Seen, monkeypatch: pytest.MonkeyPatch) -> None:
    seen.watch(unlike.classes.verb, "_run", lambda _, spec, *__: spec.options.deadline)
    total = Deadline.of(1_000)

    explore(specimens.Pile, scope=2, timeout=total, in_process=True, values="concrete")

    (ends,) = set(seen.ends)
    assert ends <= (total.ends or 0)  # a tenth is kept for a second look at errors


def test_time_that_is_over_is_over_for_the_next_spec(clock: Clock) -> None:
    total = Deadline.of(5)
    clock.now += 6

    suite = unlike.generate(Spec({"x": Int(0, 10**6), "y": Int()}, where=lambda x, y: x * y == 77), 5, timeout=total)

    assert suite.status.ending is Ending.TIMEOUT
