"""From a command to what it said: exit code, both streams and every file it wrote, as text without accidents."""

from __future__ import annotations

import hashlib
import json
import os
import re
import select
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from tests.golden.commands import Command

ROOT = Path(__file__).parent.parent.parent
SUBJECTS = Path(__file__).parent / "subjects"
PASSING = ("__pycache__", ".pytest_cache", ".hypothesis")
SECONDS = 120  # for one command
LARGEST = 60_000  # characters of an output that is kept in full
BEGINNING = 40  # lines of one that is not

Said = dict[str, str]  # by the name of the file that pins it: exit.txt, stdout.txt, stderr.txt, files/NAME.txt


def normalised(text: str, folder: str) -> str:
    """Return what a command said without what differs from run to run, and from machine to machine.

    - the temporary folder it ran in is <here>, the project is <project>, the environment's Python is <python>;
    - lines of the project's own files, where an error was raised, are <line>;
    - seconds that were measured (`in 0.12s`, `"seconds": 0.3`, `took 1.2 s`) are <seconds>; bounds in whole seconds stay.

    The width of the terminal is fixed by the environment (see `_environment`), and the order of sets by nothing: an output
    that depends on it is a mistake to be found.
    """
    for path in dict.fromkeys((os.path.realpath(folder), folder)):
        text = text.replace(path, "<here>")
    text = text.replace(sys.executable, "<python>").replace(str(ROOT), "<project>")
    text = re.sub(r"\b\d+\.\d+(?= ?s(econds)?\b)", "<seconds>", text)
    text = re.sub(r"(<project>/[\w./]+\.py:\w+:)\d+", r"\1<line>", text)
    return re.sub(r'("seconds": )\d+\.\d+(e-\d+)?', r"\1<seconds>", text)


class Runner:
    """Runs commands, most of them in copies of one process that has everything loaded."""

    def __init__(self, *, alone: bool = False) -> None:
        self._alone = alone  # every command in a process of its own, as a check
        self._server: subprocess.Popen[str] | None = None

    def run(self, command: Command) -> Said:
        """Run a command, and those that come before it, in a folder of their own; return what the last one said."""
        with tempfile.TemporaryDirectory(prefix="golden") as outer:
            folder = Path(outer) / "here"
            folder.mkdir()
            (folder / "examples").symlink_to(ROOT / "examples")
            for name, subject in command.files.items():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                (folder / name).write_bytes((SUBJECTS / subject).read_bytes())
            for words in command.before:
                self._exit_code(command, words, folder)
            code = self._exit_code(command, command.words, folder)
            return _said(command, folder, code)

    def close(self) -> None:
        """End the process that has everything loaded."""
        if self._server is not None:
            self._server.communicate()

    def _exit_code(self, command: Command, words: tuple[str, ...], folder: Path) -> int:
        if command.alone or self._alone:
            return _process_alone(command.call, words, folder)
        if self._server is None:
            self._server = subprocess.Popen(
                [sys.executable, "-m", "tests.golden.serving"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                cwd=ROOT,
                env=_environment(),
                start_new_session=True,
            )
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        request = {"call": command.call, "words": words, "folder": str(folder)}
        self._server.stdin.write(json.dumps(request) + "\n")
        self._server.stdin.flush()
        if not select.select([self._server.stdout], [], [], SECONDS)[0]:
            os.killpg(self._server.pid, signal.SIGKILL)
            self._server = None
            raise TimeoutError(f"{command.name} took more than {SECONDS} s")
        return int(self._server.stdout.readline())


@contextmanager
def runner(*, alone: bool = False) -> Iterator[Runner]:
    """Give a runner, and close it in the end."""
    made = Runner(alone=alone)
    try:
        yield made
    finally:
        made.close()


def _process_alone(call: str, words: tuple[str, ...], folder: Path) -> int:
    with Path(f"{folder}.out").open("wb") as out, Path(f"{folder}.err").open("wb") as err:
        done = subprocess.run(
            [sys.executable, "-m", "tests.golden.serving", call, *words],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=out,
            stderr=err,
            env=_environment() | {"PYTHONPATH": str(ROOT)},
            timeout=SECONDS,
            check=False,
        )
    return done.returncode


def _environment() -> dict[str, str]:
    """Return the environment without what pytest, a terminal or a user's settings would change."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "COV", "UNLIKE"))}
    kept.pop("PYTHONPATH", None)
    kept |= {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "PYTEST_PLUGINS": "unlike_pytest"}  # whatever else is installed
    return kept | {"COLUMNS": "100", "LINES": "40", "NO_COLOR": "1", "TERM": "dumb", "LC_ALL": "C.UTF-8"}


def _said(command: Command, folder: Path, code: int) -> Said:
    said = {"exit.txt": f"{code}\n"}
    names = sorted(str(path.relative_to(folder)) for path in _written(command, folder))
    if not command.steady:
        return said | ({"names.txt": "".join(f"{name}\n" for name in names)} if names else {})
    streams = {"stdout.txt": Path(f"{folder}.out"), "stderr.txt": Path(f"{folder}.err")}
    files = {f"files/{name}.txt": folder / name for name in names}
    for name, path in (streams | files).items():
        text = path.read_bytes().decode("utf-8", "backslashreplace")
        if text or name in files:
            said[name] = _shortened(normalised(text, str(folder)))
    return said


def _written(command: Command, folder: Path) -> Iterator[Path]:
    """Yield the files that were made or changed."""
    for path in folder.rglob("*"):  # does not follow links to folders
        name = str(path.relative_to(folder))
        if not path.is_file() or path.is_symlink() or set(path.parts) & set(PASSING):
            continue
        if name not in command.files or path.read_bytes() != (SUBJECTS / command.files[name]).read_bytes():
            yield path


def _shortened(text: str) -> str:
    """Return the text, or for a long one its digest and its beginning."""
    if len(text) <= LARGEST:
        return text
    digest = hashlib.sha256(text.encode()).hexdigest()
    beginning = "".join(line[:1000] for line in text.splitlines(keepends=True)[:BEGINNING])
    return f"{len(text):,} characters, sha256 {digest}, beginning with\n{beginning}"
