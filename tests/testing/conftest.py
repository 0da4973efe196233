"""Scratch projects with real pytest processes, on the pytest that is installed and on the one before it."""

import importlib
import itertools
import os
import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pytest

from unlike.saved import lock_path

# A run inside this process forgets the modules that it loads first; loaded here, they are the same in every run.
for name in ("unlike.specs.generate", "unlike.testing.prepare", "unlike.testing.sources.typed", "unlike.typed.verbs"):
    importlib.import_module(name)

ROOT = Path(__file__).parent.parent.parent
PYTEST_8 = ROOT / ".venv-pytest8"
BYTECODE = ROOT / ".pytest_cache" / "bytecode"

EDITS = itertools.count(1)


@dataclass
class Ran:
    code: int
    text: str

    def passed(self, count: int) -> bool:
        return self.code == 0 and f"{count} passed" in self.text


@dataclass
class Project:
    """A directory with tests, and pytest processes that run in it."""

    path: Path
    library: Path | None = None

    def write(self, **files: str) -> None:
        for name, text in files.items():
            file = self.path / f"{name}.py"
            file.write_text(textwrap.dedent(text))
            # two edits within a second must not look like the same file to the import system
            stamp = file.stat().st_mtime_ns + next(EDITS) * 2 * 10**9
            os.utime(file, ns=(stamp, stamp))

    def saved(self, name: str = "test_it") -> Path:
        return self.path / "__unlike__" / f"{name}.json"

    def run(self, *arguments: str) -> Ran:
        return self.ended(self.start(sys.executable, "-m", "pytest", *arguments))

    def command(self, *arguments: str) -> Ran:
        return self.ended(self.start(str(Path(sys.executable).parent / "unlike"), *arguments))

    def start(self, *words: str) -> subprocess.Popen[str]:
        environment = os.environ | {"COLUMNS": "200", "PYTHONPYCACHEPREFIX": str(BYTECODE)}
        environment.pop("PYTHONDONTWRITEBYTECODE", None)  # fifty processes that compile everything take a minute more
        environment.pop("PYTEST_ADDOPTS", None)
        environment.pop("PYTEST_XDIST_WORKER", None)
        if self.library is not None:
            environment["PYTHONPATH"] = str(self.library)
        return subprocess.Popen(
            words,
            cwd=self.path,
            env=environment,
            text=True,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
        )

    def ended(self, process: subprocess.Popen[str]) -> Ran:
        text, _ = process.communicate(timeout=120)
        return Ran(process.returncode, text)


@pytest.fixture
def project(tmp_path: Path) -> Project:
    # Hypothesis loads itself whole into every run, which costs more than everything else together
    (tmp_path / "pytest.ini").write_text("[pytest]\naddopts = -p no:hypothesispytest\n")
    return Project(tmp_path)


@pytest.fixture(scope="session")
def library_8() -> Path:
    """Return a directory that holds pytest 8, installed once and kept."""
    with lock_path(PYTEST_8):
        if not (PYTEST_8 / "pytest").exists():
            wanted = ["--target", str(PYTEST_8), "pytest>=8,<9"]
            subprocess.run([sys.executable, "-m", "pip", "install", "--quiet", *wanted], check=True, timeout=300)
    return PYTEST_8


@pytest.fixture(params=[pytest.param("8", marks=pytest.mark.corpus), "newest"])
def either_project(request: pytest.FixtureRequest, project: Project) -> Project:
    if request.param == "8":
        project.library = request.getfixturevalue("library_8")
    return project
