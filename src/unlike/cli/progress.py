"""The one display of how far a command is: on a terminal only, and not with --quiet."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeVar

import click

from unlike.core import FOREVER, Deadline
from unlike.progress import Board, Progress, watch_progress

if TYPE_CHECKING:
    from rich.text import Text

Command = TypeVar("Command", bound=Callable[..., Any])
QUIET = "unlike.quiet"
DEADLINE = "unlike.deadline"
RATED = {"exploring": "calls", "searching": "runs"}  # what goes by so many a second, if not what is done
PLACES = ("level", "frontier")  # numbers that stand behind their names
PATIENCE = 1.0  # seconds after which a rate is worth a word
SOON = 1.5  # seconds


def _note(context: click.Context, _: click.Parameter, value: bool) -> None:
    context.meta[QUIET] = value


def quiet_option(command: Command) -> Command:
    """Give a command the flag that all of them have."""
    return click.option(
        "-q",
        "--quiet",
        is_flag=True,
        expose_value=False,
        callback=_note,
        help="Only the answer, its status and errors.",
    )(command)


def is_quiet() -> bool:
    """Tell whether only the answer, its status and errors are wanted."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(QUIET))


@contextmanager
def progress_shown(deadline: Deadline | None = None) -> Iterator[None]:
    """Show how far it is on standard error, while it lasts, if that is a terminal.

    The deadline is that of the command, which the one that hands out the answer need not know.
    """
    context = click.get_current_context(silent=True)
    meta = {} if context is None else context.meta
    deadline = meta[DEADLINE] = deadline or meta.get(DEADLINE, FOREVER)
    if is_quiet() or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console  # loaded only where it is seen

    with watch_progress() as board, Console(file=sys.__stderr__).status(_Live(ProgressLine(deadline.ends), board)):
        yield


class _Live:
    """What is drawn again and again: the board as it stands."""

    def __init__(self, line: ProgressLine, board: Board) -> None:
        self.line = line
        self.board = board

    def __rich__(self) -> Text:
        from rich.text import Text

        return Text(self.line.words(self.board.read(), time.monotonic()), overflow="ellipsis", no_wrap=True)


class ProgressLine:
    """What is said of a row of reports: numbers, how fast they grow, and how long it will take where that is known."""

    def __init__(self, ends: float | None, began: float | None = None) -> None:
        began = time.monotonic() if began is None else began
        self.ends = ends
        self.seen = began  # when the line was last made
        self.since = began  # when the stage began
        self.stage, self.done = "", 0

    def words(self, progress: Progress | None, now: float) -> str:
        """Return the line for a report.

        exploring: 1,204 states, level 7, frontier 310, 28,500 calls/s, 2 errors; at most 12 s left
        """
        if progress is None:
            self.seen = now
            return self._with_end("working …", None, now)
        if progress.stage != self.stage or progress.done < self.done:
            self.since = self.seen  # another stage, or the same once more
        self.stage, self.done, self.seen = progress.stage, progress.done, now
        seconds = max(now - self.since, 1e-3)
        of = "" if progress.of is None else f" of {progress.of:,}"
        said = [f"{progress.stage}: {progress.done:,}{of} {progress.unit}"]
        rated = RATED.get(progress.stage)
        for name, number in progress.more.items():
            if name == rated:
                said.append(f"{number / seconds:,.0f} {name}/s")
            else:
                said.append(f"{name} {number:,}" if name in PLACES else f"{number:,} {name}")
        rate = progress.done / seconds if seconds >= PATIENCE else 0.0
        if rated is None and rate >= 1:
            said.append(f"{rate:,.0f} a second")
        left = (progress.of - progress.done) / rate if progress.of is not None and rate > 0 else None
        return self._with_end(", ".join(said), left, now)

    def _with_end(self, said: str, left: float | None, now: float) -> str:
        most = None if self.ends is None else max(self.ends - now, 0.0)
        if left is not None and (most is None or left < most):
            return f"{said}; {'nearly done' if left < SOON else f'about {_duration(left)} left'}"
        return said if most is None else f"{said}; at most {_duration(most)} left"


def _duration(seconds: float) -> str:
    """Return a time as people say it.

    >>> [_duration(each) for each in (3.2, 90, 7300)]
    ['3 s', '1 min 30 s', '2 h 1 min']
    """
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"
