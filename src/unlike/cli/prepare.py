"""`unlike prepare PATH…`: generate and save the inputs of pytest tests, without running them."""

from __future__ import annotations

import importlib.util
import signal
import subprocess
import sys
import threading
from typing import IO, Any

import click

from unlike.cli.deliver import Verb
from unlike.cli.options import Flags
from unlike.cli.progress import is_quiet
from unlike.core import Isolation, TimeLimit
from unlike.errors import TargetError
from unlike.isolation.limits import limit_process
from unlike.suite import MEANINGS, Ending

# pytest's exit codes: 0 prepared, 1 a test cannot be prepared, 2 interrupted (most often by test files that cannot be
# imported), 3 internal error, or ours for a test with too few inputs, 4 usage, 5 no tests.
# Ours: 0 answered, 1 something to look at, 2 bad input, 3 cut short.
CODES = {0: 0, 1: 1, 2: 2, 3: 3, 4: 2, 5: 2}
PATIENCE = 10  # seconds for a run that was told to stop, to save what it has
PYTEST = """
import sys
try:
    import pytest
    sys.exit(pytest.main(sys.argv[1:]))
except KeyboardInterrupt:  # stopped before pytest could look after it
    sys.exit(2)
"""
FLAGS = Flags((TimeLimit, Isolation), without=("workers", "in_process", "seconds_per_call"), reads=False)


@click.command("prepare", cls=Verb)
@click.argument("paths", nargs=-1, required=True, metavar="PATH...")
@click.option("-n", "number", type=click.IntRange(min=1), help="This many inputs for every test, whatever it says.")
@click.option("--regenerate", is_flag=True, help="Generate inputs anew even where saved ones answer.")
@click.option("--keep", is_flag=True, help="Keep inputs that were chosen by an older code, and add what is new.")
@click.option("--prune", is_flag=True, help="Drop saved inputs whose test is gone.")
@click.option("--forget", "patterns", multiple=True, metavar="ID", help="Stop keeping an input that once failed.")
@FLAGS.add
def command(
    paths: tuple[str, ...],
    *,
    number: int | None,
    regenerate: bool,
    keep: bool,
    prune: bool,
    patterns: tuple[str, ...],
    **flags: Any,
) -> int:
    """Generate and save the inputs of the pytest tests under each PATH, without running the tests."""
    if importlib.util.find_spec("pytest") is None:
        raise TargetError("pytest is not installed; pip install pytest")
    arguments = ["--unlike-prepare", "-qq" if is_quiet() else "-q", *paths]
    arguments += [f"--unlike-n={number}"] if number is not None else []
    arguments += ["--unlike-regenerate"] if regenerate else []
    arguments += ["--unlike-keep"] if keep else []
    arguments += ["--unlike-prune"] if prune else []
    arguments += [f"--unlike-forget={pattern}" for pattern in patterns]
    asked = FLAGS.read(flags)
    return _run(arguments, asked.record(TimeLimit).timeout, asked.record(Isolation))


class _Passed:
    """What another process prints, passed on; where that fails it is read to its end all the same."""

    def __init__(self, source: IO[bytes] | None) -> None:
        self.source = source
        self.failure: OSError | None = None
        self.thread = threading.Thread(target=self._pass_on, daemon=True)
        if source is not None:
            self.thread.start()

    def _pass_on(self) -> None:
        assert self.source is not None
        for line in self.source:
            try:
                if self.failure is None:
                    click.echo(line.decode(errors="replace"), nl=False)
            except OSError as error:
                self.failure = error

    def finish(self) -> None:
        """Wait for the last line, and raise what became of the output."""
        if self.source is not None:
            self.thread.join()
        if self.failure is not None:
            raise self.failure


def _run(arguments: list[str], seconds: Any, isolation: Isolation) -> int:
    """Run pytest in a process of its own: it wants to see every module imported, and tests may do anything there.

    The terminal is pytest's: it writes a line for each test file, which the display of progress would write over.
    """
    bounds: dict[str, Any] = {} if sys.platform == "win32" else {"preexec_fn": lambda: limit_process(isolation)}
    pipe = None if sys.stdout.isatty() else subprocess.PIPE  # only what is no terminal can fail to be written
    with subprocess.Popen([sys.executable, "-c", PYTEST, *arguments], stdout=pipe, **bounds) as run:
        output = _Passed(run.stdout)
        try:
            ended = run.wait(seconds)
            output.finish()
            return CODES.get(ended, 3)
        except subprocess.TimeoutExpired:
            run.send_signal(signal.SIGINT)  # as a user would stop it: what is prepared is saved
        try:
            run.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            run.kill()
    click.echo(MEANINGS[Ending.TIMEOUT], err=True)
    return 3
