"""An empty directory for code under test: what it writes lands there, and is gone afterwards."""

from __future__ import annotations

import contextlib
import os
import sys
import tempfile
import threading
from collections.abc import Iterator
from pathlib import Path

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
    try:
        here = Path.cwd()
    except OSError:  # it was removed
        return list(sys.path)
    return [str(here / each) if isinstance(each, str) else each for each in sys.path]


@contextlib.contextmanager
def in_scratch() -> Iterator[None]:
    """Do what follows in an empty directory, and come back; in the directory that a copy has already, where it has one.

    A thread beside others stays where it is: they share one working directory.
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
    with new_scratch() as directory:
        enter_scratch(directory)
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
