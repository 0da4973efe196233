"""From a command to what it said: exit code, both streams and every file it wrote, as text without accidents."""

from __future__ import annotations

import hashlib
import os
import re
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from tests import warm
from tests.golden.commands import Command

ROOT = Path(__file__).parent.parent.parent
SUBJECTS = Path(__file__).parent / "subjects"
PASSING = ("__pycache__", ".pytest_cache", ".hypothesis")
LARGEST = 60_000  # characters of an output that is kept in full
BEGINNING = 40  # lines of one that is not

Said = dict[str, str]  # by the name of the file that pins it: exit.txt, stdout.txt, stderr.txt, files/NAME.txt


def normalised(text: str, folder: str) -> str:
    """Return what a command said without what differs from run to run, and from machine to machine.

    - the temporary folder it ran in is <here>, the project is <project>, the environment's Python is <python>;
    - lines of the project's own files, where an error was raised, are <line>;
    - seconds that were measured (`in 0.12s`, `"seconds": 0.3`, `took 1.2 s`) are <seconds>; bounds in whole seconds stay.

    The width of the terminal is fixed by the environment (see `tests/warm.py`), and the order of sets by nothing: an
    output that depends on it is a mistake to be found.
    """
    for path in dict.fromkeys((os.path.realpath(folder), folder)):
        text = text.replace(path, "<here>")
    text = text.replace(sys.executable, "<python>").replace(str(ROOT), "<project>")
    text = re.sub(r"\b\d+\.\d+(?= ?s(econds)?\b)", "<seconds>", text)
    text = re.sub(r"(<project>/[\w./]+\.py:\w+:)\d+", r"\1<line>", text)
    return re.sub(r'("seconds": )\d+\.\d+(e-\d+)?', r"\1<seconds>", text)


def run(command: Command, *, alone: bool = False) -> Said:
    """Run a command, and those that come before it, in a folder of their own; return what the last one said."""
    start = warm.run_alone if alone or command.alone else warm.run
    with tempfile.TemporaryDirectory(prefix="golden") as name:
        folder = Path(name)
        (folder / "examples").symlink_to(ROOT / "examples")
        for file, subject in command.files.items():
            (folder / file).parent.mkdir(parents=True, exist_ok=True)
            (folder / file).write_bytes((SUBJECTS / subject).read_bytes())
        for words in command.before:
            start(words, folder, call=command.call)
        return _said(command, folder, start(command.words, folder, call=command.call))


def _said(command: Command, folder: Path, done: warm.Done) -> Said:
    said = {"exit.txt": f"{done.returncode}\n"}
    names = sorted(str(path.relative_to(folder)) for path in _written(command, folder))
    if not command.steady:
        return said | ({"names.txt": "".join(f"{name}\n" for name in names)} if names else {})
    outputs = {"stdout.txt": done.stdout, "stderr.txt": done.stderr}
    outputs = {name: text for name, text in outputs.items() if text}
    files = {f"files/{name}.txt": (folder / name).read_bytes().decode("utf-8", "backslashreplace") for name in names}
    return said | {name: _shortened(normalised(text, str(folder))) for name, text in (outputs | files).items()}


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
