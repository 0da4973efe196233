"""Code of the user's that uses up the whole timeout is cut short by the clock: exit code 3, never bad input."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

MODULE = """
import dataclasses, time
from typing import Annotated
from annotated_types import Predicate
from unlike import Int, Spec, predicate

def sleeps(x: int) -> bool:
    time.sleep(20)
    return True

spec = Spec({"x": Int(0, 1_000_000)}, where=predicate(sleeps), n=10)

@dataclasses.dataclass
class Form:
    a: Annotated[int, Predicate(sleeps)]
"""


@pytest.mark.corpus
@pytest.mark.parametrize("timeout", ["0.01", "0.6"])
@pytest.mark.parametrize("words", ["spec", "Form", "Form --invalid"])
def test_a_predicate_that_takes_all_the_time_is_cut_short(tmp_path: Path, words: str, timeout: str) -> None:
    (tmp_path / "sleepy.py").write_text(MODULE)
    target, *flags = words.split()

    done = subprocess.run(
        [sys.executable, "-m", "unlike.cli", "generate", f"sleepy:{target}", *flags, "--timeout", timeout],
        cwd=tmp_path, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip

    assert done.returncode == 3, done.stderr
    assert json.loads(done.stdout)["status"]["ending"] == "timeout"
    assert f"the limit of {timeout} s was reached" in done.stderr
