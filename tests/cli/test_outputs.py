"""A place that cannot be written is one message and exit code 2, for every command that writes."""

import sys
from pathlib import Path

import pytest

from unlike.cli import main

TREE = "examples.structures.singly_linked_list:SinglyLinkedList"
DIRECTORIES = ("explore", "structures", "fields")
FILES = ("builders", "compare")


def refused(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    with pytest.raises(SystemExit) as ended:
        main(list(arguments))
    said = capsys.readouterr().err
    assert ended.value.code == 2, said
    assert "Traceback" not in said
    return said


@pytest.mark.parametrize("command", DIRECTORIES)
def test_a_file_in_the_place_of_a_directory_is_refused_before_the_search(command, tmp_path, capsys):
    file = tmp_path / "taken"
    file.write_text("mine")

    said = refused(capsys, command, TREE, "--scope", "1000", "-o", str(file))

    assert "is a file; name a directory" in said
    assert file.read_text() == "mine"


@pytest.mark.parametrize("command", FILES)
def test_a_directory_in_the_place_of_a_file_is_refused_before_the_search(command, tmp_path, capsys):
    said = refused(capsys, command, TREE, "--scope", "1000", "-o", str(tmp_path))

    assert "is a directory; name a file" in said


@pytest.mark.few(1)
@pytest.mark.skipif(sys.platform != "linux", reason="a place that nobody can write")
@pytest.mark.parametrize("command", [*DIRECTORIES, *FILES])
def test_a_place_that_nobody_can_write_is_one_message(command, capsys):
    said = refused(capsys, command, TREE, "--scope", "1", "-o", "/proc/x")

    assert "-o '/proc/x' cannot be written" in said
    assert not Path("/proc/x").exists()
