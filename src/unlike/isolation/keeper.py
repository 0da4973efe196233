"""The process between a process and its copy: whatever the copy starts and leaves behind ends here.

    parent -> keeper -> copy -> what the code under test starts

When the copy ends, however it ends, what it started becomes the keeper's own (Linux: it is a subreaper) and is ended.
When the parent ends, by `kill -9` too, the keeper ends the copy and all of that. It makes no calls and hears no Ctrl-C.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from collections.abc import Callable
from typing import NoReturn

from unlike.isolation.limits import end_descendants

ROUNDS = 50  # of ending what is left: whoever is ended may have started another one just before
SET_DEATH_SIGNAL, SET_SUBREAPER = 1, 36  # of prctl, Linux


def keep_copy(serve: Callable[[], object], cells: memoryview, parent: int) -> NoReturn:
    """Start the copy, wait until it or the parent ends, and end all that is left.

    `cells` gets the number of the copy's process, and how that ended: the status of `waitpid`, and one.
    """
    mask = signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
    try:
        _follow(parent)
        pid = os.fork()
        if not pid:
            signal.pthread_sigmask(signal.SIG_SETMASK, mask)
            serve()
            os._exit(1)
        cells[0] = pid
        cells[1] = _wait_for(pid, parent)
        _end_all()
    finally:
        os._exit(0)


def _follow(parent: int) -> None:
    """Take over what the copy leaves behind, and be told when the parent ends."""
    if sys.platform == "linux":
        with contextlib.suppress(Exception):  # a Python without ctypes
            import ctypes

            prctl = ctypes.CDLL(None).prctl
            prctl(SET_SUBREAPER, 1)
            prctl(SET_DEATH_SIGNAL, signal.SIGTERM)
    if os.getppid() != parent:
        os._exit(1)


def _wait_for(pid: int, parent: int) -> int:
    """Return the status of the copy, and one; 0 where the parent ended first."""
    while True:
        number = signal.sigwait({signal.SIGCHLD, signal.SIGTERM})
        if number == signal.SIGTERM and os.getppid() != parent:  # else a thread of it ended, or somebody else sent it
            return 0
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == pid:
                    return ended[1] + 1


def _end_all() -> None:
    for _ in range(ROUNDS):
        end_descendants(os.getpid())
        try:
            os.waitpid(-1, 0)
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
