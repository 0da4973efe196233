"""Code that is watched: what is seen of it, what it may do, and that nothing stays behind."""

from __future__ import annotations

import collections
import decimal
import fractions
import functools
import gc
import math
import re
import types
from collections.abc import Callable
from typing import Any

import pytest
from tests.observe import watched_code as code

from unlike.core import Isolation
from unlike.observe import Behaviour, CodeCall, Watched, features_of

QUICK = Isolation(seconds_per_call=5)


@functools.cache
def watch() -> Watched:
    return Watched([code.grade], limits=QUICK)


def see(function: Callable[..., Any], *values: Any) -> list[Behaviour]:
    calls = [[CodeCall(function, value if type(value) is tuple else (value,))] for value in values]
    return list(watch().see_all(calls))


def told(run: Behaviour) -> set[tuple[str, bool | str]]:
    """Return the turns of a run by the text of their spots."""
    return {(watch().spots[spot].source, outcome) for spot, outcome in run.turns}


def test_branches_operands_and_boundaries_are_seen() -> None:
    on, above, last = see(code.grade, 50, 51, 99)
    whole = "points > 50 and points != 99"

    assert told(on) == {(whole, False), ("points > 50", False), ("points > 50", "decides")}
    assert told(above) == {(whole, True), ("points > 50", True), ("points != 99", True)}
    assert told(last) == {(whole, False), ("points > 50", True), ("points != 99", False), ("points != 99", "decides")}
    assert [{side: away for (_, side), away in run.near.items()} for run in (on, above)] == [{0: 0}, {1: 1, -1: -48}]
    assert (51, 99) in above.compared
    spot = watch().spots[next(iter(on.near))[0]]
    assert str(spot) == "watched_code.py:16"
    assert spot.function == "grade"


def test_an_operand_that_another_one_covers_does_not_decide() -> None:
    def both(a: int, b: int) -> str:
        if a > 3 or b > 3:
            return "yes"
        return "no"

    watched = Watched([both], limits=QUICK)
    decided = [
        {watched.spots[spot].source for spot, outcome in run.turns if outcome == "decides"}
        for run in watched.see_all([[CodeCall(both, pair)] for pair in ((4, 4), (4, 0), (0, 4), (0, 0))])
    ]

    assert decided == [set(), {"a > 3"}, {"b > 3"}, set()]


def decided_in(function: Callable[..., Any], *values: Any) -> list[set[str]]:
    watched = Watched([function], limits=QUICK)
    return [
        {watched.spots[spot].source for spot, outcome in run.turns if outcome == "decides"}
        for run in watched.see_all([[CodeCall(function, (value,))] for value in values])
    ]


@pytest.mark.corpus
def test_an_operand_decides_also_among_decimals_defaults_and_slots() -> None:
    def is_nothing(span: Any) -> bool:
        return span.years == 0 and span.days == 0 and span.hours < 1

    for cls, one in ((code.Span, decimal.Decimal(1)), (code.SlottedSpan, fractions.Fraction(1)), (code.Span, 1)):
        spans = cls(), cls(years=one), cls(days=one), cls(years=one, days=one), cls(hours=one)
        expected = [set(), {"span.years == 0"}, {"span.days == 0"}, set(), {"span.hours < 1"}]
        assert decided_in(is_nothing, *spans) == expected


def test_looking_at_a_decimal_leaves_no_trace_in_its_context() -> None:
    def is_nothing(span: Any) -> bool:
        return span.years == 0 and span.days < 0.5

    with decimal.localcontext() as context:
        context.clear_flags()
        spans = [code.Span(1, each) for each in (decimal.Decimal(1), decimal.Decimal("nan"))]
        watched = Watched([is_nothing], limits=Isolation(in_process=True))
        assert len([*watched.see_all([[CodeCall(is_nothing, (each,))] for each in spans])]) == 2
        assert not any(context.flags.values())


def test_the_truth_of_a_last_operand_is_seen_where_no_code_of_the_users_says_it() -> None:
    def is_short_word(text: str) -> object:
        return len(text) < 3 and re.match("[a-z]", text)

    def pick(flag: bool) -> object:
        return flag and code.Touchy()

    watched = Watched([is_short_word], limits=QUICK)
    runs = watched.see_all([[CodeCall(is_short_word, (text,))] for text in ("ab", "1", "abc")])
    last = [{said for spot, said in run.turns if "re.match" in watched.spots[spot].source} for run in runs]
    assert last == [{True}, {False, "decides"}, set()]
    (run,) = Watched([pick], limits=QUICK).see_all([[CodeCall(pick, (True,))]])
    assert run.results == (("returns", "Touchy"),)  # its truth was not asked for


def test_a_try_that_needs_no_handler_is_told_from_one_that_does() -> None:
    def read(text: str) -> int:
        try:
            number = int(text)
            if number > 5:
                return number
        except ValueError:
            return -1
        return 0

    watched = Watched([read], limits=QUICK)
    runs = watched.see_all([[CodeCall(read, (text,))] for text in ("3", "7", "x")])
    seen = [{said for spot, said in run.turns if watched.spots[spot].kind == "handler"} for run in runs]

    assert seen == [{False}, {False}, {True}]


def test_a_value_that_hangs_exits_or_recurses_costs_only_itself() -> None:
    short = Watched([code.hang], limits=Isolation(seconds_per_call=0.5))
    runs = [*short.see_all([[CodeCall(code.hang, (number,))] for number in (1, 3, 2)])]
    runs += see(code.end, 1, 2, 4, 5, 6)

    assert [run.results[0] for run in runs] == [
        ("returns", "0"),
        ("hangs",),
        ("returns", "0"),
        ("returns", "0"),
        ("dies", "left with exit code 3"),
        ("raises", "SystemExit"),
        ("raises", "RecursionError"),
        ("returns", "0"),
    ]
    assert ("return end(number) if number == 5 else number", "RecursionError") in told(runs[-2])


def test_nothing_is_left_in_this_process() -> None:
    functions = [each for each in gc.get_objects() if type(each) is types.FunctionType]
    before = [each.__code__ for each in functions]
    names = {*vars(code)}

    watched = Watched([code.grade], limits=QUICK)
    seen = [*watched.see_all([[CodeCall(code.remember, (1,))], [CodeCall(code.fill, ([1], 2))]])]
    here = [*Watched([code.grade], limits=QUICK.in_this_process()).see_all([[CodeCall(code.grade, (50,))]])]

    assert len(seen) == 2
    assert told(here[0]) == told(see(code.grade, 50)[0])
    assert all(each.__code__ is was for each, was in zip(functions, before, strict=True))
    assert {*vars(code)} == names
    assert code.MEMORY == []


def test_code_that_remembers_is_unsteady() -> None:
    calls = [[CodeCall(code.remember, (number,))] for number in range(3)]
    steady = [[CodeCall(code.grade, (number,))] for number in range(3)]

    assert watch().find_unsteady(calls) == (0, 2)  # the first and the last; the one between is never the first
    assert watch().find_unsteady(steady) == ()
    assert watch().find_unsteady(steady, [Behaviour()] * 3) == (0, 1, 2)


@pytest.mark.parametrize(
    ("function", "one", "other"),
    [
        (code.within_limit, 5, 6),
        (code.cached, 3, 4),
        (code.cached.__wrapped__, 3, 4),
        (code.count_up, 2, 3),
        (code.wait, 3, 4),
        (code.ask, 3, 4),
        (code.decorated, 7, 8),
        (code.decorated, -1, 0),
        (code.overloaded, 9, 10),
        (code.overloaded, "", "a"),
        (code.looked_up, ("twice", 4), ("twice", 5)),
        (code.outer, 4, 6),
        (code.read_itself, 3, 4),
        (code.Sub, 100, 101),
        (code.Counter.made, 0, -1),
        (code.Counter(5), 4, 5),
        (code.Counter(5).__call__, 4, 5),
        (functools.partial(code.Counter.double), 4, 5),
        (lambda number: code.Counter(number).is_large, 10, 11),
        (lambda number: code.Counter(number) < code.Counter(3), 2, 3),
        (lambda number: code.Counter(number) == code.Counter(3), 2, 3),
    ],
)
def test_two_values_that_take_different_branches_differ(function: Callable[..., Any], one: Any, other: Any) -> None:
    first, second = see(function, one, other)

    assert features_of(first, "branches") != features_of(second, "branches")


def test_the_truth_of_objects_is_asked_as_often_as_without_probes() -> None:
    asked: list[str] = []

    class Asked:
        def __init__(self, name: str, truth: bool) -> None:
            self.name, self.truth = name, truth

        def __bool__(self) -> bool:
            asked.append(self.name)
            return self.truth

        def __eq__(self, other: object) -> Any:
            asked.append(f"{self.name} ==")
            return self

        __hash__ = None  # type: ignore[assignment]

    def use(a: Any, b: Any) -> Any:
        if (a and b) or not a:
            asked.append("first")
        either = a or b
        both = a and b and 5
        same = a == b == 3
        return [either is a, both, same is a, *asked]

    calls = [(Asked("a", one), Asked("b", other)) for one in (True, False) for other in (True, False)]
    plain = []
    for call in calls:
        asked.clear()
        plain.append(use(*call))
        asked.clear()
    seen: list[Any] = []

    def use_and_show(number: int) -> None:
        asked.clear()
        seen.append(use(*calls[number]))

    watched = Watched([use], limits=QUICK.in_this_process())
    runs = [*watched.see_all([[CodeCall(use_and_show, (number,))] for number in range(4)])]

    assert seen == plain
    assert len({tuple(features_of(run, "branches")) for run in runs}) == 3  # where a is false, nobody asks for b


def test_what_cannot_be_looked_into_is_named() -> None:
    made = code.made_while_running["made"]
    watched = Watched([math.gcd, made, collections.Counter.__len__], limits=QUICK)

    assert "math: no source: it is not written in Python" in watched.blind
    assert any("gcd" in each and "not written in Python" in each for each in watched.blind)
    assert any("made" in each and "no source" in each for each in watched.blind)
    assert Watched([code.grade], within=["nowhere"]).blind[0] == "nowhere: no module of this name is imported"


def test_a_file_that_says_something_else_than_what_runs_is_not_trusted(tmp_path: Any, monkeypatch: Any) -> None:
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "changed_later.py").write_text("def f(x):\n    return 1 if x > 3 else 2\n")
    import changed_later  # type: ignore[import-not-found]

    (tmp_path / "changed_later.py").write_text("def f(x):\n    return 1 if x > 4 else 2\n")
    watched = Watched([changed_later.f], limits=QUICK)
    (run,) = watched.see_all([[CodeCall(changed_later.f, (4,))]])

    assert watched.blind == ("changed_later.f: it is not what its source says",)
    assert run == Behaviour(results=(("returns", "0"),))


def test_several_calls_of_one_value_are_one_run() -> None:
    def calls() -> list[CodeCall]:
        items: list[int] = []
        return [CodeCall(code.fill, (items, 1)), CodeCall(code.fill, (items, 2))]

    (run,) = watch().see_all([calls])

    assert run.results == (("returns", "[0]"), ("returns", "[]"))
    assert {("len(items) > 1", True), ("len(items) > 1", False)} <= told(run)
