"""What the page on JSON Schema shows is true: its programs run, its commands are commands."""

from __future__ import annotations

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
from tests import warm

ROOT = Path(__file__).parent.parent.parent
PAGE = ROOT / "docs" / "json_schema.md"
COMMANDS = [line.strip() for line in PAGE.read_text().splitlines() if line.startswith("    unlike generate --schema ")]


def test_the_programs_on_the_page_run_one_after_the_other(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    scope: dict[str, Any] = {}
    programs = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.S)

    for program in programs:
        exec(compile(program, str(PAGE), "exec", dont_inherit=True), scope)

    assert len(scope["broken"]) > 30


@pytest.mark.parametrize("command", [each for each in COMMANDS if "examples/" in each])
def test_the_commands_on_the_page_run(command: str) -> None:
    words = shlex.split(command)[1:]

    done = warm.run(words, ROOT)

    assert done.returncode == 0, done.stderr
    assert done.stdout
