"""A spec ends in time wherever it is: building and counting languages, tied strings, branches, what is tried one by one."""

from __future__ import annotations

import time
from collections.abc import Callable

import pytest

from unlike import Spec, Str, cover, edit_distance, enumerate_, some_of
from unlike.core import CutShort, Deadline
from unlike.language.values import Value
from unlike.specs.branches import Legal, one_string_per_branch
from unlike.specs.choose import Greedy, first_unused, with_choices
from unlike.specs.core_difference import Branch
from unlike.specs.generate import count, generate
from unlike.specs.members import automaton_of, members_of
from unlike.specs.plan import Planner
from unlike.specs.problem import take_apart
from unlike.specs.sources import list_source
from unlike.suite import Ending

OVER = Deadline(time.monotonic() - 1, 1)
SECONDS = 0.3
MOST = SECONDS * 1.1 + 1
WORDS = r"([a-z]|\d|-){1,12}(a|b|c|d|e|f)?"
MANY = r"(.*a.{9}|.*b.{9}|.*c.{8})+"

SPECS = {
    "counting": Spec({"x": Str(r"(a|b)*a(a|b){9}", max_length=3000)}, name="s"),
    "a complement": Spec({"x": Str(r"\w{1,300}")}, where=[lambda x: ~x.matches(MANY)], name="s"),
    "an intersection": Spec({"x": Str(MANY)}, where=[lambda x: x.matches(r"(.*d.{9}|.*e.{8})+")], name="s"),
    "tied strings": Spec(
        {"x": Str(WORDS), "y": Str(r"(a|b|c|d|e)+(f|g|h)*")},
        where=[lambda x, y: x.contains(y)],
        different=some_of(cover.regex("x", WORDS), cover.regex("y", r"(a|b|c|d|e)+(f|g|h)*")),
        name="s",
    ),
    "branches": Spec(
        {"x": Str(WORDS)}, where=[lambda x: ~x.matches(MANY)], different=cover.regex("x", WORDS), name="s"
    ),
    "edits": Spec({"x": Str(r"[ab]{1,120}")}, different=edit_distance("x", 60), name="s"),
}


@pytest.mark.parametrize("name", SPECS)
@pytest.mark.parametrize("verb", [generate, count])
def test_a_spec_that_takes_long_ends_in_time(name: str, verb: Callable[..., object]) -> None:
    began = time.process_time()

    found = verb(SPECS[name], timeout=SECONDS)

    assert time.process_time() - began <= MOST
    ending = found[1].ending if isinstance(found, tuple) else found.status.ending  # type: ignore[attr-defined]
    assert ending is Ending.TIMEOUT


@pytest.mark.parametrize("value", [Str(MANY), Str(r"(\w)\1+x")])
def test_members_are_not_looked_for_after_the_deadline(value: Value) -> None:
    with pytest.raises(CutShort, match="the limit of 1 s"):
        list(members_of(value, OVER))


def test_no_choice_is_looked_at_after_the_deadline() -> None:
    problem = take_apart(Spec({"x": Str("a|b|c")}, different=cover.regex("x", "a|b|c"), name="s"))
    branch = problem.difference
    assert isinstance(branch, Branch)
    chosen = take_apart(
        Spec({"x": Str("[a-z]")}, different=enumerate_([lambda x: x == "a", lambda x: x != "b"]), name="s")
    )
    fragment = {("x",): "a"}

    for work in (
        lambda: next(one_string_per_branch(branch, Legal(Str("a|b|c"), None), OVER, free=False)),
        lambda: next(with_choices(fragment, chosen.difference, OVER)),
        lambda: next(Greedy(chosen.difference, chosen, OVER).stream([fragment])),
        lambda: next(first_unused(0, [list_source([fragment], "one")], [], OVER)),
        lambda: automaton_of(Str(MANY), OVER),
        lambda: Planner(problem, OVER).plan(problem.units, problem.assertions, problem.difference),
    ):
        with pytest.raises(CutShort, match="the limit of 1 s"):
            work()
