"""What was saved is there afterwards, old or new and whole, whatever ends the writing."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from tests.testing.conftest import Project

from unlike.errors import SavedFileError
from unlike.saved import write_whole
from unlike.testing.inputs_file import read
from unlike.testing.prepare import _write

TEST = """
    from typing import Annotated
    import unlike
    @unlike.inputs(n=200)
    def test_it(word: Annotated[str, unlike.Matching("[a-z]{3}-[0-9]{4}")]):
        assert word
"""
WRITER = """
import sys
from unlike.saved import write_whole
for turn in range(10_000):
    write_whole(sys.argv[1], (f"{turn}\\n" for _ in range(3_000)))
"""
FULL = """
import resource, sys
from pathlib import Path
from unlike.saved import write_output
resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))
write_output(sys.argv[1], ("x" * 1000 for _ in range(1000)))
"""


@pytest.mark.parametrize("turn", range(3))
def test_a_writer_that_is_killed_leaves_the_old_or_the_new_file_whole(tmp_path: Path, turn: int) -> None:
    place = tmp_path / "kept.txt"
    write_whole(place, "first\n" * 3_000)
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(place)])
    while place.read_text().startswith("first"):
        time.sleep(0.01)
    time.sleep(random.Random(turn).random() / 50)

    writer.send_signal(signal.SIGKILL)
    writer.wait()

    lines = place.read_text().splitlines()
    assert len(lines) == 3_000
    assert len(set(lines)) == 1


def test_a_full_disk_leaves_the_old_file_whole_and_says_so(tmp_path: Path) -> None:
    place = tmp_path / "kept.txt"
    place.write_text("old")

    done = subprocess.run([sys.executable, "-c", FULL, str(place)], capture_output=True, text=True, check=False)

    assert "cannot be written: File too large" in done.stderr.splitlines()[-1]
    assert place.read_text() == "old"
    assert [each.name for each in tmp_path.iterdir()] == ["kept.txt"]


@pytest.mark.parametrize("number", [errno.ENOSPC, errno.EROFS, errno.EACCES, errno.EDQUOT])
def test_inputs_that_cannot_be_saved_are_refused_and_the_old_ones_stay(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: int
) -> None:
    place = tmp_path / "test_it.unlike"
    _write(place, {})
    before = place.read_bytes()

    def refuse(**_: object) -> Iterator[str]:
        raise OSError(number, os.strerror(number))

    monkeypatch.setattr(tempfile, "mkstemp", refuse)

    with pytest.raises(SavedFileError, match=os.strerror(number)):
        _write(place, {})
    assert place.read_bytes() == before


@pytest.mark.corpus
def test_two_runs_that_save_into_one_folder_at_once_leave_a_whole_file(project: Project) -> None:
    project.write(test_it=TEST, test_other=TEST)

    runs = [project.start(sys.executable, "-m", "pytest", "--unlike-prepare") for _ in range(2)]
    ended = [project.ended(run) for run in runs]

    assert [each.code for each in ended] == [0, 0], ended
    for name in ("test_it", "test_other"):
        assert len(read(project.saved(name))["test_it"].lines) == 200


@pytest.mark.corpus
@pytest.mark.parametrize("turn", range(6))
def test_prepare_that_is_killed_leaves_the_old_or_the_new_inputs(project: Project, turn: int) -> None:
    project.write(test_it=TEST)
    assert project.run("--unlike-prepare").code == 0
    project.write(test_it=TEST.replace("n=200", "n=300"))
    run = project.start(sys.executable, "-m", "pytest", "--unlike-prepare")
    time.sleep(0.5 + turn / 4)

    run.kill()
    project.ended(run)

    assert len(read(project.saved())["test_it"].lines) in (200, 300)
    assert project.run("--unlike-prepare").code == 0  # nothing of the killed one is in the way
