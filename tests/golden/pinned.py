"""What is pinned: the files under `expected/`, one folder for each command."""

from __future__ import annotations

import difflib
import importlib.metadata
import json
import platform
import shutil
from pathlib import Path

from tests.golden.running import Said

EXPECTED = Path(__file__).parent / "expected"
VERSIONS = EXPECTED / "versions.json"
DECIDING = ("z3-solver", "cvc5", "python-sat", "click", "rich", "jsonschema", "pydantic", "attrs", "pytest", "tzdata")


def read(name: str) -> Said:
    """Return what is pinned of a command."""
    folder = EXPECTED / name
    return {str(path.relative_to(folder)): path.read_bytes().decode() for path in folder.rglob("*") if path.is_file()}


def write(name: str, said: Said) -> None:
    """Pin what a command said, and nothing else under its name."""
    shutil.rmtree(EXPECTED / name, ignore_errors=True)
    for file, text in said.items():
        path = EXPECTED / name / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode())


def difference(name: str, said: Said) -> str:
    """Return a unified diff from what is pinned to what was said; empty if they agree."""
    before = read(name)
    lines: list[str] = []
    for file in sorted({*before, *said}):
        old, new = (each.get(file, "").split("\n") for each in (before, said))
        lines += difflib.unified_diff(old, new, f"expected/{name}/{file}", "now", lineterm="")
    return "\n".join(lines)


def write_versions() -> None:
    """Note with what the answers were written."""
    VERSIONS.write_text(json.dumps(_versions(), indent=2) + "\n")


def other_versions() -> str:
    """Say which versions differ from those with which the answers were written."""
    then = json.loads(VERSIONS.read_text())
    return ", ".join(f"{name} {then.get(name)} -> {now}" for name, now in _versions().items() if then.get(name) != now)


def _versions() -> dict[str, str]:
    python = ".".join(platform.python_version_tuple()[:2])
    return {"python": python, **{name: importlib.metadata.version(name) for name in DECIDING}}
