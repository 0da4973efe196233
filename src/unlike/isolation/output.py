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

MOST_OUTPUT = 64 * 1024  # bytes that are shown of what was printed
DUMP = getattr(signal, "SIGUSR1", None)  # asks a process where it is
FRAME = re.compile(r'File "(.*)", line (\d+) in (.*)')
STREAMS: dict[str, Any] = {}  # those that were opened here
_output: int | None = None  # the file that takes what is printed, in a process of ours


def redirect_output(output: int) -> None:
    """Send everything printed, by whomever, to the open file; nothing can be read from the keyboard."""
    global _output
    _output = output
    os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    _open_streams(output)


def take_output() -> str:
    """Return what was printed in this process since the last time, and forget it; closed streams are open again."""
    if _output is None:
        return ""
    for name in ("stdout", "stderr"):
        with contextlib.suppress(Exception):  # closed, replaced or deleted by the code under test
            getattr(sys, name).flush()
    text = read_start(_output)
    if text:
        os.ftruncate(_output, 0)
    _open_streams(_output)
    return text


def read_start(file: int) -> str:
    """Return the beginning of a file as text."""
    if not os.fstat(file).st_size:
        return ""
    return os.pread(file, MOST_OUTPUT, 0).decode(errors="replace")


def streams_are_ours() -> bool:
    """Tell whether the standard streams are as they were opened here."""
    return all(not stream.closed and stream is getattr(sys, name, None) for name, stream in STREAMS.items())


def _open_streams(output: int) -> None:
    """Open the standard streams anew where the code under test has closed or replaced them."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        stream = getattr(sys, name, None)
        if stream is None or stream.closed or STREAMS.get(name) is not stream:
            if number:
                os.dup2(output, number)
            # for the life of the process; what is written arrives at once, whatever happens next
            raw: Any = open(number, f"{mode}b", 0, closefd=False)  # noqa: SIM115
            STREAMS[name] = io.TextIOWrapper(raw, errors="replace", write_through=True)
            setattr(sys, name, STREAMS[name])


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
