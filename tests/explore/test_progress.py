"""Where a search stands: states, frontier, calls per second and errors, while it runs."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from examples.structures.node_caching_linked_list import NodeCachingLinkedList
from examples.structures.singly_linked_list import BuggySinglyLinkedList

from unlike.explore import Progress, explore

SHOWN = re.compile(r"([\d,]+) states, frontier ([\d,]+), ([\d,]+) calls/s, (\d+) errors")


@pytest.mark.parametrize("where", [{}, {"in_process": True}, {"workers": 1}], ids=["copy", "here", "worker"])
def test_progress_grows_to_what_was_found(where: dict[str, Any]) -> None:
    told: list[Progress] = []

    result = explore(BuggySinglyLinkedList, scope=5, values="concrete", on_progress=told.append, **where)

    assert told
    for name in ("states", "calls", "errors", "seconds"):
        seen = [getattr(each, name) for each in told]
        assert seen == sorted(seen)
    last = told[-1]
    assert 0 < last.states <= result.states + sum(result.others.values())
    assert 0 < last.frontier <= last.states
    assert 1024 <= last.calls <= result.calls
    assert last.errors == len(result.errors) > 0


@pytest.mark.skipif(sys.platform == "win32", reason="there are no pseudo terminals")
@pytest.mark.parametrize("where", [(), ("--in-process",)], ids=["copy", "here"])
def test_a_terminal_shows_it_and_a_file_does_not(where: tuple[str, ...]) -> None:
    place = "examples.structures.node_caching_linked_list:NodeCachingLinkedList"
    arguments = ["explore", place, "--scope", "7", "--methods", "add_last|remove_index", "--count", *where]
    arguments += ["--values", "concrete"]

    on_terminal = shown_on_a_terminal(arguments)
    in_file = subprocess.run([sys.executable, "-m", "unlike.cli", *arguments], capture_output=True, check=True)

    found = SHOWN.findall(on_terminal)
    assert found
    states, frontier, speed, errors = (int(each.replace(",", "")) for each in found[-1])
    assert 0 < frontier <= states <= 160_132  # all there are
    assert speed > 0
    assert errors == 0
    assert not SHOWN.search(in_file.stderr.decode())
    assert in_file.stdout == b"160132\n"
    assert NodeCachingLinkedList.__name__ in place


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
