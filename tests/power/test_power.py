"""The power study: its mutants are what they should be, and its scores come out as counted by hand."""

from __future__ import annotations

import importlib
import json
import sys

import pytest
from bench.power.kills import find_kills
from bench.power.mutants import LoadedModule

SOURCE = '''
def over(x):
    """Say how far a number is over three."""
    if x > 3:
        return x - 3
    return 0


def rounds(x):
    while x > 0:
        x -= 1
    return x
'''


@pytest.fixture
def tiny(tmp_path, monkeypatch):
    (tmp_path / "tiny_subject.py").write_text(SOURCE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("tiny_subject")
    del sys.modules["tiny_subject"]


def test_the_mutants_of_a_tiny_function_are_those_counted_by_hand(tiny):
    mutants = [mutant for mutant in LoadedModule("tiny_subject").mutants() if mutant.function == "over"]

    assert sorted((mutant.line, mutant.what) for mutant in mutants) == [
        (4, "3 becomes 2"),
        (4, "3 becomes 4"),
        (4, "Gt becomes GtE"),
        (4, "Gt becomes LtE"),
        (4, "condition negated"),
        (5, "3 becomes 2"),
        (5, "3 becomes 4"),
        (5, "Sub becomes Add"),
        (5, "returns None"),
        (6, "0 becomes -1"),
        (6, "0 becomes 1"),
        (6, "returns None"),
    ]


def test_scores_are_those_counted_by_hand(tiny):
    suites = {"low": [0], "low and high": [0, 9], "all": [0, 3, 4, 9], "high and low": [9, 0]}

    kills = find_kills(["tiny_subject"], lambda x: tiny.over(x), suites)

    # with `x >= 3` and `x > 2` three gives 3 - 3, which is 0 as before: nobody can tell
    assert len(kills.mutants) == 12
    assert {mutant.what for place, mutant in enumerate(kills.mutants) if place not in kills.killable()} == {
        "Gt becomes GtE",
        "3 becomes 2",
    }
    assert len(kills.killable()) == 10
    # 0 kills `<=`, the negated condition and the three changes of `return 0`; 9 all but these three and `x > 4`
    assert kills.score("low") == 100 * 5 / 10
    assert kills.score("low and high") == kills.score("high and low") == 100 * 9 / 10
    assert kills.score("high and low", 1) == 100 * 6 / 10
    assert kills.score("all") == 100


def test_a_mutant_that_never_ends_is_killed_by_counting_and_nothing_of_it_stays(tiny):
    kills = find_kills(["tiny_subject"], lambda x: tiny.rounds(x), {"two": [2]})

    dropped = [place for place, mutant in enumerate(kills.mutants) if mutant.what == "statement dropped"]
    assert [kills.firsts["two"][place] for place in dropped] == [0]
    assert tiny.rounds(2) == 0


def test_what_is_known_of_a_mutant_is_not_tried_again_and_counts_the_same(tiny, tmp_path):
    suites = {"low": [0], "all": [0, 3, 4, 9]}
    first = find_kills(["tiny_subject"], lambda x: tiny.over(x), suites, folder=tmp_path / "kept")
    more = suites | {"further": [5, 9]}
    fresh = find_kills(["tiny_subject"], lambda x: tiny.over(x), more)

    again = find_kills(["tiny_subject"], lambda x: tiny.over(x), more, folder=tmp_path / "kept")

    assert again == fresh
    assert {name: again.firsts[name] for name in suites} == first.firsts
    [file] = (tmp_path / "kept").iterdir()
    inputs, words = json.loads(file.read_text())
    assert len(inputs) == 5
    lied = {mutant: "1" * len(word) for mutant, word in words.items()}
    file.write_text(json.dumps([inputs, lied]))
    assert not find_kills(["tiny_subject"], lambda x: tiny.over(x), suites, folder=tmp_path / "kept").killable()


WIDE = """
seen = []


def parts(x):
    made = (
        10 // x,
        x + 1,
    )
    return made


def small(x):
    seen.append(x)
    if x < 5:
        return "small"
    return "large"
"""


@pytest.fixture
def wide(tmp_path, monkeypatch):
    (tmp_path / "wide_subject.py").write_text(WIDE)
    monkeypatch.syspath_prepend(str(tmp_path))
    yield importlib.import_module("wide_subject")
    del sys.modules["wide_subject"]


def test_a_statement_of_several_lines_is_touched_by_an_input_that_leaves_it_early(wide):
    kills = find_kills(["wide_subject"], lambda x: wide.parts(x), {"zero": [0], "one": [1]})

    division = [place for place, mutant in enumerate(kills.mutants) if mutant.what == "FloorDiv becomes Mult"]
    assert [kills.firsts["zero"][place] for place in division] == [0], "0 raises before the name is bound"


def test_an_input_that_executes_no_line_of_a_change_is_not_run(wide, tmp_path):
    """Who runs what is written down by the subject, in copies: a file is all that is left of them."""
    log = tmp_path / "run"

    def run(x):
        with log.open("a") as file:
            file.write(f"{x} ")
        return wide.small(x)

    kills = find_kills(["wide_subject"], run, {"both": [1, 9]}, wanted=lambda mutant: mutant.what.startswith("'large'"))

    assert len(kills.mutants) == 2
    assert kills.score("both") == 100
    assert kills.firsts["both"] == [1, 1]
    assert sorted(log.read_text().split()) == ["1", "1", "9", "9", "9", "9"], (
        "the original twice, each mutant with 9 alone"
    )
