"""Rules: an invariant is a method or a function; None means fine, whatever it raises means broken."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Literal

import pytest
from click.testing import CliRunner
from tests.corpora import few_of

import unlike
from unlike.cli.explore.command import command
from unlike.errors import TargetError


class Gauge:
    """Holds a number, which should stay below two."""

    def __init__(self) -> None:
        self.level = 0

    def rise(self) -> None:
        if self.level < 3:
            self.level += 1

    def verify(self) -> None:
        assert self.level < 2, "too high"

    def is_low(self) -> bool:
        return self.level < 2


def verify_gauge(gauge: Gauge) -> None:
    """Raise where the level is too high."""
    gauge.verify()


def is_low(gauge: Gauge) -> bool:
    """Tell whether the level is low enough."""
    return gauge.is_low()


INVARIANTS = [
    "verify",
    "is_low",
    verify_gauge,
    is_low,
    "test_kinds_of_invariant:verify_gauge",
    "test_kinds_of_invariant:is_low",
]


@pytest.mark.few(11)
@pytest.mark.parametrize("values", ["concrete", "symbolic"])
@pytest.mark.parametrize("invariant", INVARIANTS)
def test_every_kind_of_invariant_finds_the_same(invariant: object, values: Literal["concrete", "symbolic"]) -> None:
    found = unlike.explore(Gauge, scope=3, invariant=invariant, values=values)  # type: ignore[arg-type]

    assert found.states == 2
    assert [error.sequence for error in found.errors] == ["Gauge(); rise(); rise()"]
    assert "is broken" in found.errors[0].failure.reason


def test_a_check_that_returns_nothing_is_kept_where_it_raises_nothing() -> None:
    assert not unlike.explore(Gauge, scope=3, invariant="verify", calls=2).errors


@pytest.mark.corpus
@pytest.mark.parametrize(
    "invariant",
    few_of(["verify", "is_low", "test_kinds_of_invariant:verify_gauge", "test_kinds_of_invariant:is_low"], 1),
)
def test_written_tests_ask_it_and_pass(invariant: str, tmp_path: Path) -> None:
    CliRunner().invoke(command, ["test_kinds_of_invariant:Gauge", "--invariant", invariant, "-o", str(tmp_path)])

    written = (tmp_path / "test_gauge.py").read_text()
    name = invariant.rpartition(":")[2]
    asked = f"{name}(x)" if ":" in invariant else f"x.{name}()"
    assert (f"    assert {asked}\n" in written) is ("verify" not in name)
    assert f"    {asked}\n" in written or f"    assert {asked}\n" in written
    command_line = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path / "test_gauge.py")]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent)}
    assert subprocess.run(command_line, env=environment, check=False, capture_output=True).returncode == 0


@pytest.mark.parametrize("invariant", ["no_such", "test_kinds_of_invariant:no_such", "no_such_module:check"])
def test_what_does_not_exist_is_refused(invariant: str) -> None:
    with pytest.raises(unlike.UnlikeError):
        unlike.explore(Gauge, invariant=invariant)
    with pytest.raises(TargetError, match=r"no method|no_such|cannot be"):
        CliRunner().invoke(
            command,
            ["test_kinds_of_invariant:Gauge", "--invariant", invariant],
            standalone_mode=False,
            catch_exceptions=False,
        )
