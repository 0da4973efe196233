"""An empty directory for code under test: what it writes lands there, and is gone afterwards."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Self

_scratch: str | None = None  # the directory in which this process stands, if that is such a one


def new_scratch() -> tempfile.TemporaryDirectory[str]:
    """Return an empty directory that goes with its context."""
    return tempfile.TemporaryDirectory(prefix="unlike-", ignore_cleanup_errors=True)


def enter_scratch(directory: str) -> None:
    """Let this process stand there from now on; what is imported later is found where it was."""
    global _scratch
    sys.path[:] = absolute_paths()
    os.chdir(directory)
    _scratch = directory


def absolute_paths() -> list[str]:
    """Return where modules are looked for, whatever the working directory is."""
    if all(isinstance(each, str) and os.path.isabs(each) for each in sys.path):  # noqa: PTH117  # asked very often
        return list(sys.path)
    try:
        here = Path.cwd()
    except OSError:  # it was removed
        return list(sys.path)
    return [str(here / each) if isinstance(each, str) else each for each in sys.path]


class KeptScratch:
    """A context that keeps an empty directory from one use to the next: another one once something was left in it."""

    def __init__(self) -> None:
        self.kept: tempfile.TemporaryDirectory[str] | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.let_go()

    def directory(self) -> str:
        """Return a directory in which there is nothing."""
        if self.kept is not None and not _is_empty(self.kept.name):
            self.let_go()
        if self.kept is None:
            self.kept = new_scratch()
        return self.kept.name

    def let_go(self) -> None:
        """Remove the directory."""
        if self.kept is not None:
            self.kept.cleanup()
            self.kept = None


def _is_empty(directory: str) -> bool:
    try:
        return not os.listdir(directory)  # noqa: PTH208  # asked very often
    except OSError:  # it was removed
        return False


@contextlib.contextmanager
def in_scratch(kept: KeptScratch | None = None) -> Iterator[None]:
    """Do what follows in an empty directory, and come back; in the directory that a copy has already, where it has one.

    The directory is one that is kept, or a new one. A thread beside others stays where it is: they share one working
    directory.
    """
    global _scratch
    if _scratch is not None or threading.current_thread() is not threading.main_thread():
        yield
        return
    try:
        before, paths = os.getcwd(), list(sys.path)  # noqa: PTH109
    except OSError:  # it was removed: there is nothing to keep clean
        yield
        return
    with contextlib.nullcontext(kept) if kept is not None else KeptScratch() as holder:
        enter_scratch(holder.directory())
        try:
            yield
        finally:
            _scratch = None
            sys.path[:] = paths
            os.chdir(before)


def list_files() -> tuple[tuple[str, int, int], ...]:
    """Return the files that code under test has left in its directory: names, sizes and moments."""
    if _scratch is None:
        return ()
    try:
        with os.scandir(_scratch) as entries:
            looks = [(each.name, each.stat(follow_symlinks=False)) for each in entries]
    except OSError:  # it was removed, or one of them was just now
        return ()
    return tuple(sorted((name, look.st_size, look.st_mtime_ns) for name, look in looks))
