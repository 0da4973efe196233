"""A terminal shows how far a command is, for every verb; nothing of it is seen elsewhere, or with --quiet."""

import os
import re
import subprocess
import sys
from pathlib import Path

import click
import pytest
from tests.corpora import few_of

from unlike.cli import COMMANDS, cli
from unlike.cli.progress import ProgressLine
from unlike.progress import STAGES, UNITS, Progress, hide_progress, report, teller, watch_progress

ROOT = Path(__file__).parents[2]
TREE = "examples.structures.binary_search_tree:BinarySearchTree"
RED_BLACK = "examples.structures.red_black_tree:RedBlackTree"
SLOW = """
import time
from dataclasses import dataclass
from typing import Literal
from unlike import Int, Spec, predicate

def sluggish(x):
    time.sleep(0.02)
    return True

slow = Spec({"x": Int()}, where=predicate(sluggish), name="slow")

@dataclass
class Item:
    kind: Literal["book", "pen", "cup"]
    used: bool
    price: Literal[1, 2, 3]
    def __post_init__(self):
        time.sleep(0.02)
"""
SCHEMA = (
    '{"type": "object", "properties": {"a": {"type": "integer"}, "b": {"enum": [1, 2, 3]}, "c": {"type": "string"}}}'
)
SERVICE = (
    '{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/a": {"get": {"operationId": "getA",'
    '"parameters": [{"name": "n", "in": "query", "schema": {"enum": [1, 2]}}],'
    '"responses": {"200": {"description": "ok"}}}}}}'
)

SHOWN = {
    "spec": (["generate", "slow_answers:slow", "-n", "30"], r"generating: \d+ of 30 inputs, \d+ questions"),
    "count": (["generate", "slow_answers:slow", "--count", "--timeout", "1"], r"generating: \d+ inputs, .* at most \d s left"),
    "type": (["generate", "slow_answers:Item", "--cover", "pairs"], r"covering: \d+ of \d+ choices, \d+ inputs"),
    "invalid": (["generate", "slow_answers:Item", "--invalid"], r"breaking rules: \d+ inputs"),
    "schema": (["generate", "--schema", "item.json", "-n", "200"], r"generating: \d+ of 200 inputs"),
    "strings": (["strings", "(a|b|c|d){5}", "--all", "-o", "out.jsonl"], r"spelling: [\d,]+ strings"),
    "requests": (["requests", "shop.json"], r"covering: \d+ of \d+ choices"),
    "near misses": (["strings", "(a|b|c|d){5}[0-9]{2,90}x{3,70}y{2,80}", "--invalid"], r"breaking rules: \d+ inputs"),
    "pattern": (["generate", "--regex", "(a|b|c|d){5}", "--all"], r"spelling: [\d,]+ strings"),
    "explore": (["explore", TREE, "--scope", "6", "--count"], r"exploring: [\d,]+ states, level \d+, frontier [\d,]+, [\d,]+ calls/s, 0 errors"),
    "replay": (["explore", TREE, "--scope", "4", "-o", "out"], r"running calls again: \d+ of \d+ objects"),
    "structures": (["structures", TREE, "--scope", "6", "--count"], r"searching: [\d,]+ structures, [\d,]+ runs/s"),
    "fields": (["fields", TREE, "--scope", "7"], r"covering fields: [\d,]+ of [\d,]+ pairs, \d+ structures, [\d,]+ questions"),
    "compare": (["compare", TREE, "--scope", "4"], r"comparing: \d+ of \d+ objects"),
    "diff": (["diff", TREE, TREE, "--scope", "5"], r"exploring: [\d,]+ states"),
    "measure": (["measure", TREE, "--suite", "random:300", "--no-verdicts"], r"trying the original: \d+ of \d+ calls"),
    "coverage": (["coverage", "slow_answers:Item", "--of", "rows.csv"], r"covering: \d+ of \d+ choices, \d+ inputs"),
    "builders": (["builders", RED_BLACK, "--scope", "5"], r"exploring: \d+ states"),
    "genetic": (["builders", RED_BLACK, "--search", "genetic", "--evolutions", "9000"], r"evolving: [\d,]+ of 9,?000 rounds, \d+ sets"),
}  # fmt: skip


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "slow_answers.py").write_text(SLOW)
    (tmp_path / "item.json").write_text(SCHEMA)
    (tmp_path / "shop.json").write_text(SERVICE)
    (tmp_path / "rows.csv").write_text("kind,used,price\nbook,true,1\n")
    return tmp_path


@pytest.mark.few(1)
@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo terminals")
@pytest.mark.parametrize(("words", "seen"), few_of(SHOWN.values(), 3, ids=SHOWN))
def test_a_terminal_shows_how_far_every_verb_is(folder: Path, words: list[str], seen: str) -> None:
    assert re.search(seen, on_a_terminal(words, folder))


@pytest.mark.parametrize("verb", COMMANDS)
def test_every_verb_can_be_quiet(verb: str) -> None:
    command = cli.get_command(click.Context(cli), verb)

    assert command is not None
    assert any("--quiet" in each.opts for each in command.params)


def test_every_verb_that_takes_long_is_tested_here() -> None:
    tested = {words[0] for words, _ in SHOWN.values()}

    assert tested == set(COMMANDS) - {
        "program",
        "prepare",
    }  # one takes no time, the other is pytest, which shows its own


# from the other end, so that those are tried which are not tried on a terminal
@pytest.mark.parametrize("words", few_of([words for words, _ in SHOWN.values()][::-1], 3, ids=[*SHOWN][::-1]))
def test_nothing_of_it_is_written_where_there_is_no_terminal(folder: Path, words: list[str]) -> None:
    done = subprocess.run(command(words), cwd=folder, env=environment(), capture_output=True, text=True, check=False)

    assert not re.search("|".join(STAGES), done.stderr), done.stderr
    assert "\x1b" not in done.stderr


@pytest.mark.corpus
@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo terminals")
def test_quiet_shows_the_status_alone(folder: Path) -> None:
    said = on_a_terminal(["explore", TREE, "--scope", "4", "-o", "out", "-q"], folder)

    assert said.strip() == "no more exist (proved)"


def test_quiet_hides_notes_but_neither_the_status_nor_errors(folder: Path) -> None:
    def run(*words: str) -> str:
        done = subprocess.run(
            command(words), cwd=folder, env=environment(), capture_output=True, text=True, check=False
        )
        return done.stderr

    assert "cannot be broken alone" in run("generate", "--regex", "a?b|ab", "--invalid")
    assert run("generate", "--regex", "a?b|ab", "--invalid", "-q").count("\n") == 1
    assert "there is no module" in run("explore", "nowhere:Nothing", "-q")
    (folder / "odd.iorek").write_text("(declare x ?(Integer 0 9))\n(generate g 5)")
    assert run("program", "odd.iorek", "-q") == ""


def command(words: list[str] | tuple[str, ...]) -> list[str]:
    return [sys.executable, "-m", "unlike.cli", *words]


def environment() -> dict[str, str]:
    return {**os.environ, "TERM": "xterm", "COLUMNS": "160", "PYTHONPATH": str(ROOT)}


def on_a_terminal(words: list[str], folder: Path) -> str:
    """Return what the command writes to a terminal of its own, without the control characters."""
    import pty

    ours, theirs = pty.openpty()
    with subprocess.Popen(
        command(words), stdout=subprocess.DEVNULL, stderr=theirs, env=environment(), cwd=folder
    ) as process:
        os.close(theirs)
        text = b""
        while True:
            try:
                part = os.read(ours, 4096)
            except OSError:  # how a terminal says that the other side is gone
                break
            if not part:
                break
            text += part
    os.close(ours)
    assert process.returncode in (0, 1, 3), text
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text.decode(errors="replace"))


# -- the board and the line ----------------------------------------------------------------------------------------


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no process can be copied")
def test_what_a_copy_of_the_process_reports_is_read_here() -> None:
    with watch_progress() as board:
        assert board.read() is None
        child = os.fork()
        if not child:
            report("covering", 3, 2, of=9)
            os._exit(0)
        os.waitpid(child, 0)

        assert board.read() == Progress("covering", 3, 9, {"inputs": 2})


def test_a_number_that_is_not_known_stays_and_another_stage_begins_at_nothing() -> None:
    with watch_progress() as board:
        report("searching", 7, 100)
        report("searching", None, 200)
        assert board.read() == Progress("searching", 7, None, {"runs": 200})
        report("evolving", None, 5)
        assert board.read() == Progress("evolving", 0, None, {"sets": 5})
        with hide_progress():
            report("evolving", 9, 9)
            assert teller() is None
        assert board.read() == Progress("evolving", 0, None, {"sets": 5})
    report("evolving", 1, 1)  # nobody watches


def test_a_number_of_any_size_can_be_reported() -> None:
    with watch_progress() as board:
        report("generating", 10**30, 0, of=10**40)

    progress = board.read()
    assert progress is not None
    assert progress.done == progress.of == 2**63 - 1


def test_every_stage_fits_on_the_board() -> None:
    assert max(map(len, UNITS.values())) <= 6


@pytest.mark.parametrize(
    ("progress", "after", "said"),
    [
        (None, 1.0, "working …; at most 1 min 39 s left"),
        (Progress("generating", 50, 100, {"questions": 7}), 5.0, "generating: 50 of 100 inputs, 7 questions, 10 a second; about 5 s left"),
        (Progress("generating", 99, 100, {"questions": 7}), 9.9, "generating: 99 of 100 inputs, 7 questions, 10 a second; nearly done"),
        (Progress("covering", 1, 1000, {"inputs": 1}), 10.0, "covering: 1 of 1,000 choices, 1 inputs; at most 1 min 30 s left"),
        (Progress("exploring", 1204, None, {"level": 7, "frontier": 310, "calls": 28_500, "errors": 2}), 1.0, "exploring: 1,204 states, level 7, frontier 310, 28,500 calls/s, 2 errors; at most 1 min 39 s left"),
    ],
)  # fmt: skip
def test_the_line_reckons_rate_and_time_left(progress: Progress | None, after: float, said: str) -> None:
    assert ProgressLine(100.0, began=0.0).words(progress, after) == said


def test_a_stage_that_begins_later_is_measured_from_there() -> None:
    line = ProgressLine(None, began=0.0)
    line.words(Progress("exploring", 5, None, {"level": 0, "frontier": 1, "calls": 10, "errors": 0}), 100.0)

    assert (
        line.words(Progress("comparing", 20, 40), 110.0) == "comparing: 20 of 40 objects, 2 a second; about 10 s left"
    )
