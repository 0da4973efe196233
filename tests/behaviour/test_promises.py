"""What is promised of inputs chosen by code: each `by`, differences that combine, seeds, ids, beginnings, words."""

import itertools
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from unlike import Int, OneOf, Spec, all_of, cover, differs_by, generate, ite, some_of
from unlike.behaviour.result import ChosenCases
from unlike.suite import Ending

BLANKS = {"a": Int(0, 5), "b": Int(0, 4)}
EVERY = [{"a": a, "b": b} for a in range(6) for b in range(5)]
ROOT = Path(__file__).parents[2]


def repeat(a: int, b: int) -> object:
    text = ""
    for _ in range(a):
        text += "x"
    return text if a > b else a


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("by", "shown"),
    [
        ("branches", {True: 1, False: 1}),
        ("paths", dict.fromkeys(((0, False), (1, True), (1, False), (2, True), (2, False)), 1)),
        ("boundaries", {0: 1, -1: 1, 1: 1}),
        ("results", {"x": 1, "xx": 1, "0": 1}),
    ],
)
def test_each_word_shows_what_it_names_and_no_input_is_needless(by: str, shown: dict[object, int]) -> None:
    suite = generate(Spec(BLANKS), code=repeat, by=by)

    def seen(a: int, b: int) -> object:
        match by:
            case "branches":
                return a > b
            case "paths":
                return min(a, 2), a > b
            case "boundaries":
                return max(-1, min(1, a - b)) if abs(a - b) <= 1 else None
        return "0" if a <= b else "x" * min(a, 2)

    found = [seen(**each) for each in suite.values]
    assert {each: found.count(each) for each in found} == shown


def test_words_of_by_go_together() -> None:
    both = generate(Spec(BLANKS), code=repeat, by=["branches", "results"])

    assert {repr(repeat(**each))[:3] for each in both.values} >= {"'x'", "'xx"}
    assert {each["a"] > each["b"] for each in both.values} == {True, False}


def side(a: int, b: int) -> int:
    return 1 if a < b else 22 if a == b else 333


Differs = Callable[[dict[str, Any], dict[str, Any]], bool]
BY_SIDE: Differs = lambda one, two: side(**one) != side(**two)  # noqa: E731
BY_B: Differs = lambda one, two: one["b"] != two["b"]  # noqa: E731


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("difference", "differs"),
    [
        (cover.code(side, by="branches"), BY_SIDE),
        (all_of(cover.code(side, by="branches"), differs_by("b")), lambda x, y: BY_SIDE(x, y) and BY_B(x, y)),
        (some_of(cover.code(side, by="branches"), differs_by("b")), lambda x, y: BY_SIDE(x, y) or BY_B(x, y)),
        (all_of(cover.code(side, by="branches"), cover.code(repeat, by="branches")), BY_SIDE),
    ],
)
def test_a_difference_of_code_combines_and_ends_when_nothing_can_be_added(difference: Any, differs: Differs) -> None:
    suite = generate(Spec(BLANKS, different=difference))

    if "repeat" not in repr(difference):
        assert all(differs(one, two) for one, two in itertools.combinations(suite.values, 2))
        assert not [each for each in EVERY if all(differs(each, other) for other in suite.values)]
    assert all(BY_SIDE(one, two) for one, two in itertools.combinations(suite.values, 2)) or differs is not BY_SIDE
    assert suite.status.ending is Ending.MAXIMAL


def test_a_difference_of_code_stands_under_a_condition() -> None:
    def differs(one: dict[str, Any], two: dict[str, Any]) -> bool:
        return BY_SIDE(one, two) if one["a"] > 2 and two["a"] > 2 else BY_B(one, two)

    suite = generate(Spec(BLANKS, different=ite(lambda a: a > 2, cover.code(side, by="branches"), differs_by("b"))))

    under = [each for each in suite.values if each["a"] > 2]
    others = [each for each in suite.values if each["a"] <= 2]
    assert under
    assert others
    assert all(differs(one, two) for group in (under, others) for one, two in itertools.combinations(group, 2))


@pytest.mark.corpus
@pytest.mark.usefixtures("few_candidates")
def test_ids_and_reasons_of_a_beginning_stay_and_seeds_give_others() -> None:
    spec = Spec({"a": Int(0, 10_000), "b": Int(0, 10_000)})
    few, many, other = (generate(spec, n, code=side, seed=seed) for n, seed in ((4, 0), (9, 0), (9, 1)))

    assert [(each.id, each.value, each.why) for each in many][:4] == [(each.id, each.value, each.why) for each in few]
    assert [each.id for each in many] == [str(number) for number in range(9)]
    assert many.values != other.values
    assert many.values == generate(spec, 9, code=side, seed=0).values


PROGRAM = """
import re
from tests.behaviour import conftest
from unlike import generate
from unlike.behaviour import pool, search
pool.MOST, pool.OF_SPACE, pool.OF_SPACE_MIXED, pool.MISSES, search.BUDGET, search.ROUND = 120, 70, 50, 20, 120, 60
from tests.behaviour.test_by_code import read_number
suite = generate(re.compile(r"[0-9]{1,3}(\\\\.[0-9]{1,2})?"), 12, code=read_number, mix=True)
print([(each.value, each.why, each.label) for each in suite], suite.guarantee, suite.explanation)
"""


@pytest.mark.corpus  # three processes
def test_the_same_bytes_whatever_the_hashes() -> None:
    def run(seed: str) -> bytes:
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": str(ROOT)}
        return subprocess.run(
            [sys.executable, "-c", PROGRAM], env=env, check=True, capture_output=True, cwd=ROOT
        ).stdout

    assert run("1") == run("2") == run("3") != b""


@pytest.mark.corpus
def test_a_branch_that_nobody_reached_names_the_nearest_input() -> None:
    cases = generate(Spec({"a": OneOf(1, 40, 90), "b": Int(0, 10**9)}), 3, code=far).cases

    assert isinstance(cases, ChosenCases)
    [dark] = [each for each in cases.dark if "len" in each.words]
    assert dark.nearest.startswith("{'a': 90")
    assert str(dark).startswith("not reached: test_promises.py:")


def far(a: int, b: int) -> int:
    if len(str(a)) * a > 200 + b % 1:  # a of 90 comes to 180
        return 1
    return 0


def test_among_equals_the_readable_one_is_taken() -> None:
    spec = Spec({"text": OneOf("éééééé", "aaaaaaaaaaaaaaaaaaaa", "ab", "abc")})

    assert generate(spec, code=lambda text: 1 if text else 0).values == [{"text": "ab"}]
