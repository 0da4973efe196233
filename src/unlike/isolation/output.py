"""What a process prints, and where it is: both go to files, which the parent can read also when the process is gone."""

from __future__ import annotations

import contextlib
import faulthandler
import io
import os
import re
import signal
import sys
import time
from typing import Any

from unlike.isolation.channel import OpenAgain, find_again

MOST_OUTPUT = 64 * 1024  # bytes that are shown of what was printed
DUMP = getattr(signal, "SIGUSR1", None)  # asks a process where it is
FRAME = re.compile(r'File "(.*)", line (\d+) in (.*)')
STREAMS: dict[str, Any] = {}  # those that were opened here
_output: int | None = None  # the file that takes what is printed, in a process of ours
_identity: tuple[int, int] = 0, 0  # of that file
_again: OpenAgain | None = None  # how to open it when its descriptor is gone


def redirect_output(output: int, holder: int | None = None) -> None:
    """Send everything printed, by whomever, to the open file, which the holder has too; nobody is at the keyboard."""
    global _output, _again, _identity
    _output = output
    found = os.fstat(output)
    _identity = found.st_dev, found.st_ino
    _again = None if holder is None else find_again(holder, output, os.O_RDWR | os.O_APPEND)
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    _open_streams(output)


def take_output() -> str:
    """Return what was printed in this process since the last time, and forget it; closed streams are open again."""
    if _output is None:
        return ""
    output = _find_output()
    text = read_start(output)
    if text:
        os.ftruncate(output, 0)
        for stream in STREAMS.values():
            stream.buffer.left = MOST_OUTPUT
    _open_streams(output)
    return text


def _find_output() -> int:
    """Return the file that takes what is printed; code under test may have closed it, or put another one there."""
    global _output
    assert _output is not None
    try:
        found = os.fstat(_output)
        if (found.st_dev, found.st_ino) == _identity:
            return _output
    except OSError:
        pass
    if _again is None or (opened := _again.open()) < 0:
        os._exit(1)
    _output = opened
    return opened


def read_start(file: int) -> str:
    """Return the beginning of a file as text."""
    if not os.fstat(file).st_size:
        return ""
    return os.pread(file, MOST_OUTPUT, 0).decode(errors="replace")


def streams_are_ours() -> bool:
    """Tell whether the standard streams are as they were opened here."""
    given = vars(sys)
    return all(not stream.closed and given.get(name) is stream for name, stream in STREAMS.items())


def _open_streams(output: int) -> None:
    """Open the standard streams anew where the code under test has closed or replaced them."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        stream: Any = STREAMS.get(name)
        if stream is None or stream.closed or vars(sys).get(name) is not stream or not _leads_to(number, output):
            if number:
                os.dup2(output, number)
            # for the life of the process; what is written arrives at once, whatever happens next
            raw: Any = _Beginning(number, f"{mode}b", closefd=False)
            STREAMS[name] = io.TextIOWrapper(raw, errors="replace", write_through=True)
            setattr(sys, name, STREAMS[name])


def _leads_to(number: int, output: int) -> bool:
    """Tell whether a descriptor is open, and leads to the file where it is one to write to."""
    try:
        return os.path.samestat(os.fstat(number), os.fstat(output)) or not number
    except OSError:
        return False


class _Beginning(io.FileIO):
    """A stream of which only the beginning is kept: what is beyond is not shown to anybody."""

    left = MOST_OUTPUT

    def write(self, data: Any) -> int:
        """Write as much as is kept."""
        size = len(data)
        if self.left > 0:
            super().write(data[: self.left])
            self.left -= size
        return size


# -- where a process is ----------------------------------------------------------------------------


def write_traces(file: int) -> None:
    """Let a crash of this process, and a question of the parent's, write down where it is."""
    faulthandler.enable(file, all_threads=False)
    if DUMP is not None and hasattr(faulthandler, "register"):
        faulthandler.register(DUMP, file, all_threads=False)


def ask_for_trace(pid: int, file: int) -> None:
    """Ask a process where it is; it may not answer."""
    if DUMP is None:
        return
    with contextlib.suppress(OSError):
        os.kill(pid, DUMP)
    for _ in range(20):
        if os.fstat(file).st_size:
            return
        time.sleep(0.01)


def place_in(trace: str, *, by_chance: bool = False) -> str:
    """Return file:function:line of the innermost frame of a trace, or nothing; no line where that is chance."""
    found = FRAME.search(trace)
    if not found:
        return ""
    return f"{found[1]}:{found[3]}" if by_chance else f"{found[1]}:{found[3]}:{found[2]}"
