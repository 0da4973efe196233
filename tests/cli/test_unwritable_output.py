"""Standard output that is closed, full, or read by nobody: one line, and an exit code that says so."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from tests.corpora import few_of

ROOT = Path(__file__).parent.parent.parent
TREE = "examples.structures.binary_search_tree:BinarySearchTree"
COMMANDS = {
    "strings": ["strings", "a|b"],
    "help": ["--help"],
    "prepare": ["prepare", "tests/corpora.py"],
    "generate": ["generate", "examples.retail:items", "-n", "2"],
    "lines": ["generate", "examples.retail:items", "--format", "jsonl"],
    "explore": ["explore", TREE, "--scope", "2"],
    "builders": ["builders", TREE, "--scope", "2"],
    "structures": ["structures", TREE, "--scope", "2"],
    "compare": ["compare", TREE, "--scope", "2"],
    "fields": ["fields", TREE, "--scope", "2"],
    "program": ["program", "examples/calendar.iorek"],
    "requests": ["requests", "examples/specs/library.yaml", "--operation", "addItem"],
}
FULL = "unlike: standard output cannot be written: No space left on device\n"
CLOSED = "unlike: standard output cannot be written: Bad file descriptor\n"
GONE = "unlike: the reader of standard output is gone, and the rest was not written\n"


def run(words: list[str], **streams: object) -> tuple[int, str]:
    command = [sys.executable, "-m", "unlike", *words]
    ran = subprocess.run(command, cwd=ROOT, stderr=subprocess.PIPE, text=True, **streams)  # type: ignore[call-overload]
    return ran.returncode, ran.stderr


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no /dev/full here")
@pytest.mark.parametrize("name", few_of(COMMANDS, 1))
def test_what_cannot_be_written_is_one_line(name: str) -> None:
    words = COMMANDS[name]
    read, write = os.pipe()
    os.close(read)

    with Path("/dev/full").open("w") as full:
        found = [run(words, stdout=full), run(words, preexec_fn=lambda: os.close(1)), run(words, stdout=write)]
    os.close(write)

    assert [code for code, _ in found] == [2, 2, 0]
    assert [said for _, said in found] == [FULL, CLOSED, GONE]
