"""The way from a copy to its parent: a pipe that is open in the copy only while something is sent.

Code under test may write to every descriptor it finds, close them all or put files of its own there. So a copy has none
that leads to us while foreign code runs: it opens the parent's end again, by its place in `/proc`, whenever it has
something to say. Where there is no such place, it keeps a descriptor with a high number.
"""

from __future__ import annotations

import contextlib
import importlib
import os
from collections.abc import Iterable
from typing import Any

LEAST_DESCRIPTOR = 200  # code under test that closes all it finds seldom looks beyond
_open, _write, _close, _fstat, _exit = os.open, os.write, os.close, os.fstat, os._exit
_channels: set[Channel] = set()  # those of this process: a copy closes them


class Channel:
    """A pipe from one copy. Made in the parent before the copy is."""

    def __init__(self) -> None:
        self.parent = os.getpid()
        self.reading, self.writing = os.pipe()
        os.set_blocking(self.reading, False)
        _channels.add(self)

    # -- in the parent --------------------------------------------------------------------------------

    def read(self, most: int) -> bytes:
        """Return what has come, or nothing; of a channel that is closed, nothing."""
        if self not in _channels:
            return b""
        try:
            return os.read(self.reading, most)
        except BlockingIOError:
            return b""

    def close(self) -> None:
        """Let go of both ends."""
        if self in _channels:
            _channels.remove(self)
            _close(self.reading)
            _close(self.writing)

    # -- in the copy ----------------------------------------------------------------------------------

    def enter_copy(self) -> None:
        """Leave nothing open in the copy that leads to this parent, neither here nor by way of other copies."""
        self.again = find_again(self.parent, self.reading, os.O_WRONLY)
        for each in _channels:
            _close(each.reading)
            if each is not self or self.again is not None:
                _close(each.writing)
        _channels.clear()
        if self.again is None:
            fcntl: Any = importlib.import_module("fcntl")
            with contextlib.suppress(OSError):  # this system allows few open files
                moved = fcntl.fcntl(self.writing, fcntl.F_DUPFD_CLOEXEC, LEAST_DESCRIPTOR)
                _close(self.writing)
                self.writing = moved
            self.identity = _identity(self.writing)

    def write(self, frames: Iterable[bytes]) -> None:
        """Send frames to the parent; a copy that finds no way to it any more ends."""
        if self.again is not None:
            line = self.again.open()
        else:
            line = self.writing if _identity(self.writing) == self.identity else -1
        if line < 0:
            _exit(1)
        for frame in frames:
            rest = memoryview(frame)
            while rest:
                rest = rest[_write(line, rest) :]
        if self.again is not None:
            _close(line)


class OpenAgain:
    """A file that another process has open, and how to open it, whatever became of our own descriptors."""

    def __init__(self, place: str, flags: int, identity: tuple[int, int]) -> None:
        self.place, self.flags, self.identity = place, flags, identity

    def open(self) -> int:
        """Return a new descriptor, or -1 where the file is out of reach or is another one."""
        try:
            opened = _open(self.place, self.flags)
        except OSError:
            return -1
        if _identity(opened) == self.identity:
            return opened
        _close(opened)
        return -1


def find_again(pid: int, descriptor: int, flags: int) -> OpenAgain | None:
    """Return how to open a file that process has open, and this one now has, too; None where the system cannot."""
    identity = _identity(descriptor)
    again = OpenAgain(f"/proc/{pid}/fd/{descriptor}", flags | os.O_CLOEXEC, identity) if identity else None
    if again is None or (opened := again.open()) < 0:
        return None
    _close(opened)
    return again


def _identity(descriptor: int) -> tuple[int, int] | None:
    try:
        found = _fstat(descriptor)
    except OSError:
        return None
    return found.st_dev, found.st_ino
