"""Where a search stands: states, frontier, calls per second and errors, while it runs."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from examples.structures.binary_search_tree import BinarySearchTree, BuggyBinarySearchTree
from examples.structures.singly_linked_list import BuggySinglyLinkedList

from unlike.core import Implementation
from unlike.explore import Progress, Result, explore

OPEN: dict[str, Any] = {"scope": 5, "values": "symbolic", "invariant": "rep_ok"}
COUNTING = ["explore", f"{BinarySearchTree.__module__}:BinarySearchTree", "--scope", "7", "--count"]
SHOWN = re.compile(r"([\d,]+) states, level \d+, frontier ([\d,]+), ([\d,]+) calls/s, (\d+) errors")


@pytest.mark.parametrize("where", [{}, {"in_process": True}, {"workers": 1}], ids=["copy", "here", "worker"])
def test_progress_grows_to_what_was_found(where: dict[str, Any]) -> None:
    told: list[Progress] = []

    result = explore(BuggySinglyLinkedList, scope=4, values="concrete", on_progress=told.append, **where)

    check(told, result)


@pytest.mark.parametrize("walk", ["auto", "python"])
@pytest.mark.parametrize("where", [{}, {"in_process": True}], ids=["copy", "here"])
def test_progress_is_told_while_values_are_open(where: dict[str, Any], walk: Implementation) -> None:
    told: list[Progress] = []

    result = explore(BuggyBinarySearchTree, **OPEN, implementation=walk, on_progress=told.append, **where)

    check(told, result)


def check(told: list[Progress], result: Result) -> None:
    """Check that what was told grew to what was found."""

    assert told
    for seen in (
        [each.done for each in told],
        [each.more["calls"] for each in told],
        [each.more["errors"] for each in told],
        [each.seconds for each in told],
    ):
        assert seen == sorted(seen)
    last = told[-1]
    assert 0 < last.done <= result.states + sum(result.others.values())
    assert 0 < last.more["frontier"] <= last.done
    assert 1024 <= last.more["calls"] <= result.calls
    assert last.more["errors"] == len(result.errors) > 0


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo terminals")
@pytest.mark.parametrize("how", [(), ("--values", "concrete")], ids=["usual", "concrete"])
def test_a_terminal_shows_it(how: tuple[str, ...]) -> None:
    found = SHOWN.findall(shown_on_a_terminal([*COUNTING, *how]))

    assert found
    states, frontier, speed, errors = (int(each.replace(",", "")) for each in found[-1])
    assert 0 < frontier <= states <= 2_950  # all there are
    assert speed > 0
    assert errors == 0


def test_a_file_does_not_show_it() -> None:
    in_file = subprocess.run([sys.executable, "-m", "unlike.cli", *COUNTING], capture_output=True, check=True)

    assert not SHOWN.search(in_file.stderr.decode())
    assert in_file.stdout == b"2950\n"


def shown_on_a_terminal(arguments: list[str]) -> str:
    """Return what the command writes to a terminal of its own, without the control characters."""
    import pty

    ours, theirs = pty.openpty()
    environment = {**os.environ, "TERM": "xterm", "COLUMNS": "120"}
    command = [sys.executable, "-m", "unlike.cli", *arguments]
    with subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=theirs, env=environment, cwd=Path(__file__).parent.parent.parent
    ):
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
    return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text.decode(errors="replace"))
