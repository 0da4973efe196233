"""Predicates, differences and builders are somebody else's code: whatever they do, a suite comes back."""

import ctypes
import os
import sys
import time
from collections.abc import Callable
from typing import Any

import pytest

import unlike
from unlike import Int, OneOf, Spec, generate, predicate, python_difference, record
from unlike.core import Isolation
from unlike.specs import isolated
from unlike.suite import Ending

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
MISDEEDS: dict[str, tuple[Callable[[], object], str]] = {
    "hangs": (lambda: time.sleep(1000), "took more than 1 s"),
    "leaves": (lambda: os._exit(3), "left with exit code 3"),
    "crashes": (lambda: ctypes.string_at(0), "killed by SIGSEGV"),
}


@pytest.fixture(autouse=True)
def one_second(monkeypatch: pytest.MonkeyPatch) -> None:
    before = isolated.in_copy
    quick: Any = lambda *args, **options: before(*args, **{**options, "isolation": Isolation(seconds_per_call=1)})  # noqa: E731
    monkeypatch.setattr("unlike.specs.generate.in_copy", quick)


@pytest.mark.parametrize("misdeed", MISDEEDS)
def test_a_predicate_that_ends_its_process_cuts_the_run_short_and_what_was_found_is_delivered(misdeed: str) -> None:
    act, cause = MISDEEDS[misdeed]

    suite = generate(Spec({"x": Int(0, 7)}, where=predicate(lambda x: x != 7 or act())))

    assert suite.status.ending is Ending.FAILED
    assert f"it ended or blocked its process ({cause}) on {{'x': 7}}" in suite.status.detail
    assert [value["x"] for value in suite.values] == list(range(7))


@pytest.mark.parametrize("misdeed", MISDEEDS)
def test_a_difference_that_ends_its_process_does_so_too(misdeed: str) -> None:
    act, cause = MISDEEDS[misdeed]

    suite = generate(Spec({"x": Int(0, 7)}, different=python_difference(lambda a, b: 5 not in (a.x, b.x) or act())))

    assert suite.status.ending is Ending.FAILED
    assert cause in suite.status.detail
    assert [value["x"] for value in suite.values] == [0, 1, 2, 3, 4]


@pytest.mark.few(1)
@pytest.mark.parametrize("misdeed", MISDEEDS)
def test_a_builder_that_ends_its_process_does_so_too(misdeed: str) -> None:
    act, cause = MISDEEDS[misdeed]

    def made(x: int) -> int:
        if x == 2:
            act()
        return x

    suite = generate(Spec({"thing": record(made, x=Int(0, 5))}))

    assert suite.status.ending is Ending.FAILED
    assert cause in suite.status.detail
    assert suite.values == [{"thing": 0}, {"thing": 1}]


def test_where_the_functions_run_makes_no_difference() -> None:
    def spec() -> Spec:
        odd = predicate(lambda x, y: (x + y) % 2 == 1)
        return Spec({"x": Int(0, 9), "y": Int(0, 9)}, where=odd, different=python_difference(lambda a, b: a.x != b.x))

    here, elsewhere = generate(spec(), in_process=True), generate(spec())

    assert list(elsewhere.values) == list(here.values)
    assert [case.label for case in elsewhere] == [case.label for case in here]
    assert (elsewhere.status, elsewhere.guarantee, elsewhere.explanation) == (
        here.status,
        here.guarantee,
        here.explanation,
    )


def test_the_members_of_a_one_of_stay_the_objects_they_are() -> None:
    members = object(), lambda: 5  # neither can be pickled and stay itself

    suite = generate(Spec({"x": OneOf(*members)}, where=predicate(lambda x: x is not None)))

    assert [value["x"] for value in suite.values] == list(members)


def test_a_predicate_is_not_called_in_this_process_unless_told_so() -> None:
    seen: list[int] = []

    def noted(x: int) -> bool:
        seen.append(x)
        return True

    generate(Spec({"x": Int(0, 3)}, where=predicate(noted)))
    assert seen == []

    generate(Spec({"x": Int(0, 3)}, where=predicate(noted)), in_process=True)
    assert sorted(set(seen)) == [0, 1, 2, 3]


def test_a_solver_used_here_can_be_used_in_a_copy_afterwards() -> None:
    asked = Spec({"x": Int(0, 99), "y": Int(0, 99)}, where=lambda x, y: (x * y) % 7 == 3)
    filtered = Spec(asked.blanks, where=[lambda x, y: (x * y) % 7 == 3, predicate(lambda x: x % 2 == 0)])

    first = generate(asked, 3, engine="solver", timeout=20)
    second = generate(filtered, 3, engine="solver", timeout=20)

    assert len(first) == len(second) == 3
    assert all(value["x"] * value["y"] % 7 == 3 and value["x"] % 2 == 0 for value in second.values)


def test_counting_calls_predicates_elsewhere_too() -> None:
    from unlike.specs.generate import count

    assert count(Spec({"x": Int(0, 20)}, where=predicate(lambda x: x % 2 == 0)))[0] == 11
    assert count(Spec({"x": Int(0, 20)}, where=predicate(lambda x: x != 7 or os._exit(3))))[1].ending is Ending.FAILED


def test_an_exception_of_ours_comes_through_as_itself() -> None:
    spec = Spec({"x": Int(0, 9)}, where=predicate(lambda x: x > 3))

    with pytest.raises(unlike.UnlikeError, match="plain Python cannot be told to a solver"):
        generate(spec, 2, encoding="distinct")
