"""Observed, random functions give what they give plainly, and their turns are those that a walk over their tree finds."""

from __future__ import annotations

import ast
import contextlib
import importlib
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from tests.corpora import few_of
from tests.observe.random_functions import HEAD, LOG, FunctionWriter, random_arguments
from tests.observe.walked import Walk

from unlike.core import Isolation
from unlike.observe import Behaviour, CodeCall, Watched
from unlike.observe.run import MANY

AT_ONCE = 20  # functions in one module
CALLS = 12  # of each function


def outcome(function: Any, number: int) -> str:
    """Return all that one call shows: result or exception, changed arguments, and what objects were asked."""
    LOG.clear()
    arguments = random_arguments(number)
    try:
        result = repr(function(*arguments))
    except Exception as error:
        result = f"{type(error).__name__}"
    return f"{result} {arguments[3]} {LOG}"


def turns_of(watched: Watched, run: Behaviour) -> Counter[Any]:
    """Return the turns by place, as a walk has them."""
    found: Counter[Any] = Counter()
    for (number, said), count in run.turns.items():
        spot = watched.spots[number]
        column = 0 if spot.kind == "exception" else spot.column
        found[spot.line, column, spot.kind, said] += count
    return found


def up_to_many(turns: Counter[Any]) -> dict[Any, int]:
    """Return how often turns were taken, as far as it is counted."""
    return {turn: min(count, MANY) for turn, count in turns.items()}


@pytest.mark.parametrize("batch", few_of(range(12), 1))
def test_random_functions_are_seen_as_they_are(batch: int, tmp_path: Path, monkeypatch: Any) -> None:
    numbers = range(batch * AT_ONCE, (batch + 1) * AT_ONCE)
    text = HEAD + "\n\n" + "".join(FunctionWriter(number).write(f"f{number}") for number in numbers)
    (tmp_path / f"written_{batch}.py").write_text(text)
    monkeypatch.syspath_prepend(tmp_path)
    module = importlib.import_module(f"written_{batch}")
    trees = {each.name: each for each in ast.parse(text).body if isinstance(each, ast.FunctionDef)}
    cases = [(name, number) for name in trees for number in range(CALLS)]
    plain = [outcome(getattr(module, name), number) for name, number in cases]
    seen: list[str] = []
    watched = Watched([getattr(module, name) for name in trees], limits=Isolation(in_process=True))
    calls = [[CodeCall(lambda *case: seen.append(outcome(*case)), (getattr(module, name), n))] for name, n in cases]
    runs = [*watched.see_all(calls)]

    assert watched.blind == ()
    assert seen == plain
    decided = 0
    for (name, number), run in zip(cases, runs, strict=True):
        walk = Walk(trees[name], vars(module), random_arguments(number))
        with contextlib.suppress(Exception):  # compared as a turn
            walk.run()
        found = turns_of(watched, run)
        deciding = {(line, column) for line, column, _, said in found if said == "decides"}
        turns = Counter({turn: count for turn, count in found.items() if turn[3] != "decides"})
        assert up_to_many(turns) == up_to_many(walk.turns), f"{name} {number}"
        assert deciding <= walk.deciding, f"{name} {number}"
        decided += len(deciding) * 2 >= len(walk.deciding)
        statements = {
            (s.line, s.column, n)
            for at, n in run.rounds
            if (s := watched.spots[at]).source.startswith(("for", "while"))
        }
        assert statements == walk.rounds, f"{name} {number}"
        near = {(s.line, s.column, side): away for (at, side), away in run.near.items() if (s := watched.spots[at])}
        assert {key: near.get(key) for key in walk.near} == walk.near, f"{name} {number}"
    assert decided * 3 > len(cases) * 2, "mostly at least half of the operands that decide are seen to"
