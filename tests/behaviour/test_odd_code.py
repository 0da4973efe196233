"""Odd code is chosen by what can be seen of it, or refused by name; nothing of it stays in this process."""

import ast
import builtins
import difflib
import fnmatch
import functools
import heapq
import html
import math
import operator
import random
import shlex
import statistics
import string
import sys
import textwrap
import types
from collections.abc import Callable
from typing import Any

import pytest
from tests.behaviour import odd_code as odd

from unlike import Int, OneOf, Spec, SpecError, generate
from unlike.behaviour.result import ChosenCases

NUMBERS = Spec({"n": Int(0, 5)})


def choose(code: Any, space: Any = NUMBERS, **keywords: Any) -> ChosenCases:
    cases = generate(space, code=code, seconds_per_call=0.5, **keywords).cases
    assert isinstance(cases, ChosenCases)
    return cases


def functions_of_odd() -> list[types.FunctionType]:
    return [each for each in vars(odd).values() if isinstance(each, types.FunctionType)]


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "code",
    [
        odd.generates, odd.endless, odd.waits, odd.generates_later, odd.manages, odd.decorated, odd.cached, odd.nested,
        odd.overloaded, odd.dispatched, odd.reads_itself, odd.looks_at_its_code, odd.leaves, odd.starts_threads,
        odd.closes_output, odd.patches, odd.traces, odd.removes_itself, odd.is_starred, odd.takes_any_name, odd.asks_for_all_memory,
        odd.Machine, odd.Machine(), odd.Machine().method, odd.Machine.of_class, odd.Machine.static, odd.Shy(),
        functools.partial(odd.Machine.static), lambda n: odd.nested(n),
    ],
    ids=lambda code: getattr(type(code), "__name__", "") if isinstance(code, odd.Shy) else getattr(code, "__qualname__", type(code).__name__),
)  # fmt: skip
def test_what_can_be_looked_into_shows_every_branch(code: Callable[..., Any]) -> None:
    before = [(each, each.__code__) for each in functions_of_odd()]
    state = builtins.len, sys.gettrace(), sys.stdout, dict(vars(odd))

    cases = choose(code)

    sides = {each.recipe.result.items[1] > 3 for each in cases.cases}  # type: ignore[union-attr, operator]
    assert sides == ({True, False} if code is not odd.generates else sides)
    assert cases.shown == cases.branches > 0
    assert all(each.__code__ is was for each, was in before)
    assert (builtins.len, sys.gettrace(), sys.stdout, dict(vars(odd))) == state


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("code", "said"),
    [
        (odd.hangs, "hangs with 1 input"),
        (odd.ends, "ends its process (left with exit code 4) with 1 input"),
        (odd.uses_globals, "does something else the second time"),
        (odd.recurses, "does something else the second time"),
        (odd.made_later["made"], "no source: it was made while running"),
        (math.isqrt, "math.isqrt: it is not written in Python"),
        (operator.neg, "_operator.neg: it is not written in Python"),
    ],
)
def test_what_cannot_is_named_and_nothing_is_proved_of_it(code: Callable[..., Any], said: str) -> None:
    before = odd.COUNT, list(odd.TEXTS)

    suite = generate(NUMBERS, code=code, seconds_per_call=0.5)

    assert said in suite.explanation
    assert "proved" not in suite.guarantee
    assert before == (odd.COUNT, odd.TEXTS)


def test_an_input_that_hangs_or_ends_the_process_is_among_those_chosen() -> None:
    assert any("first to hang" in each.why for each in choose(odd.hangs).cases)
    assert any("first to end the process: left with exit code 4" in each.why for each in choose(odd.ends).cases)


def test_arguments_that_are_changed_are_made_afresh() -> None:
    spec = Spec({"items": OneOf(("a",), ("b",), ())})
    shown = choose([lambda items: odd.mutates(list(items)), lambda items: 1 if items else 0], spec)

    assert {bool(each.recipe.result.items[1].items) for each in shown.cases} == {True, False}  # type: ignore[union-attr]


def test_functions_that_replace_themselves_are_put_back() -> None:
    was = odd.replaces_itself.__code__

    choose(odd.replaces_itself)

    assert odd.replaces_itself.__code__ is was


def test_a_dispatched_function_of_several_blanks_is_refused_by_name() -> None:
    with pytest.raises(SpecError, match="dispatched takes its first argument by place alone; say what is to be called"):
        generate(Spec({"n": Int(0, 1), "m": Int(0, 1)}), code=odd.dispatched)


TEXT = Spec({"text": OneOf("", "a b", "'a' b", "a 'b", "&amp;", "&#65;", "[1, 2]", "{", "x" * 30)})
OTHERS: list[tuple[str, Callable[..., Any], Spec]] = [  # code that nobody wrote for this
    ("shlex.split", shlex.split, TEXT),
    ("html.unescape", html.unescape, TEXT),
    ("ast.literal_eval", ast.literal_eval, TEXT),
    ("textwrap.dedent", textwrap.dedent, TEXT),
    ("textwrap.shorten", lambda text: textwrap.shorten(text, 10), TEXT),
    ("string.capwords", string.capwords, TEXT),
    ("fnmatch.translate", fnmatch.translate, TEXT),
    ("difflib", lambda text: difflib.get_close_matches(text, ["a b", "a c"]), TEXT),
    ("statistics.median", lambda n: statistics.median(range(n)), NUMBERS),
    ("heapq.merge", lambda n: heapq.merge(range(n), range(3)), NUMBERS),
    ("random.sample", lambda n: random.Random(1).sample(range(3), n), NUMBERS),
]


@pytest.mark.few(4)
@pytest.mark.parametrize(("name", "code", "space"), OTHERS, ids=[name for name, _, _ in OTHERS])
def test_code_that_others_wrote_is_looked_into(name: str, code: Callable[..., Any], space: Spec) -> None:
    home = sys.modules[name.partition(".")[0]]
    before = [(each, each.__code__) for each in vars(home).values() if isinstance(each, types.FunctionType)]

    cases = choose(code, space, within=[home.__name__])

    assert cases.shown == cases.branches > 0
    assert all(each.why for each in cases.cases)
    assert all(each.__code__ is was for each, was in before)
