"""Words on the command line become one verb and one writer.

The module of a command, which calls it `command` unless said otherwise, is imported only when that is used.
"""

from __future__ import annotations

import importlib
import io
import os
import site
import sys
import sysconfig
import traceback
from pathlib import Path
from typing import TextIO

import click

import unlike
from unlike.errors import UnlikeError

COMMANDS = {
    "generate": "unlike.cli.generate",
    "strings": "unlike.cli.generate:strings",
    "requests": "unlike.cli.generate:requests",
    "coverage": "unlike.cli.coverage",
    "explore": "unlike.cli.explore.command",
    "builders": "unlike.cli.builders",
    "structures": "unlike.cli.invariants.structures",
    "compare": "unlike.cli.invariants.compare",
    "diff": "unlike.cli.diff.command",
    "measure": "unlike.cli.measure.command",
    "fields": "unlike.cli.invariants.fields",
    "prepare": "unlike.cli.prepare",
    "program": "unlike.cli.program",
}


class _Commands(click.Group):
    """The commands by name, each loaded when it is asked for."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names of the commands in the order of the table."""
        del ctx
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Return the command, loading its module."""
        if cmd_name not in COMMANDS:
            hint = unlike.errors.nearest(cmd_name, COMMANDS)
            raise click.UsageError(f"no such command {cmd_name!r}; {hint}", ctx)
        module, _, name = COMMANDS[cmd_name].partition(":")
        command = getattr(importlib.import_module(module), name or "command")
        assert isinstance(command, click.Command)
        return command


def _show_version(ctx: click.Context, _parameter: click.Parameter, wanted: bool) -> None:
    if wanted:
        is_built = importlib.import_module("unlike.heap.walkers").native_is_built()  # loaded only when asked for
        click.echo(f"unlike {unlike.__version__} (compiled core: {'yes' if is_built else 'no'})")
        ctx.exit()


@click.group(cls=_Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.option(
    "--version",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_show_version,
    help="Show the version, and whether the compiled core is there.",
)
def cli() -> None:
    """Small, provably useful sets of test inputs."""


def main(arguments: list[str] | None = None) -> None:
    """Run the command line; bad input is one message and exit code 2, never a traceback."""
    _open_streams()
    output = sys.stdout
    try:
        code = cli.main(args=arguments, prog_name="unlike", standalone_mode=False)
        output.flush()
    except SystemExit:  # so click ends where a pipe is closed, after it put a stand-in for the output
        if sys.stdout is output:
            raise
        code = _end_output(output, "the reader of standard output is gone, and the rest was not written", 0)
    except click.ClickException as error:
        error.show()
        code = 2
    except UnlikeError as error:
        click.echo(f"unlike: {error}", err=True)
        code = 2
    except (KeyboardInterrupt, click.Abort):
        click.echo("unlike: interrupted", err=True)
        code = 3
    except Exception as error:
        if isinstance(error, OSError) and _is_unwritten(output):
            code = _end_output(output, f"standard output cannot be written: {error.strerror}", 2)
            sys.exit(code)
        place = _place_in_user_code(error)
        if place is None:  # our own fault: the traceback says where
            raise
        click.echo(f"unlike: {place} raised {type(error).__name__} when it was looked at: {error}", err=True)
        code = 2
    sys.exit(code if isinstance(code, int) else 0)


def _open_streams() -> None:
    """Put something in the place of closed streams, lest the next file that is opened becomes the output."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:  # closed: what is written there fails, with a message, and errors have no reader
            null = os.open(os.devnull, os.O_RDWR if number == 2 else os.O_RDONLY)
            if null != number:
                os.dup2(null, number)
                os.close(null)
    if sys.stdout is None:
        sys.stdout = open(1, "w", closefd=False)  # noqa: SIM115
    if sys.stderr is None:
        sys.stderr = open(2, "w", closefd=False)  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):  # half a character, or one that the terminal has not, is written as \\ud800
        if isinstance(stream, io.TextIOWrapper) and stream.errors == "strict":
            stream.reconfigure(errors="backslashreplace")


def _is_unwritten(output: TextIO) -> bool:
    """Tell whether nothing can be written to the output: an empty line more, which follows what failed."""
    try:
        os.write(output.fileno(), b"\n")
    except OSError:  # also that of an output without a number
        return True
    return False


def _end_output(output: TextIO, words: str, code: int) -> int:
    """Say in one line what became of the output, let nothing more be written, and return the exit code."""
    null = os.open(os.devnull, os.O_WRONLY)
    os.dup2(null, output.fileno())
    sys.stdout, sys.stderr = output, sys.__stderr__ or sys.stderr
    click.echo(f"unlike: {words}", err=True)
    return code


def _place_in_user_code(error: BaseException) -> str | None:
    """Return where code of the user's raised an error: `cart.py, line 23`. None where no code of theirs was called.

    A metaclass, a descriptor or `__class__` may raise wherever something is merely looked at.
    """
    paths = sysconfig.get_paths()
    ours = [Path(unlike.__file__).parent, *map(Path, site.getsitepackages()), Path(paths["stdlib"])]
    for frame in reversed(traceback.extract_tb(error.__traceback__)):
        path = Path(frame.filename)
        if path.is_file() and not any(path.is_relative_to(each) for each in ours):
            return f"{path.name}, line {frame.lineno},"
    return None
