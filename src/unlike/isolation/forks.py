"""Many short pieces of work, each in a process of its own that a copy of ours makes of itself: cheaper than a new copy.

    parent -> keeper -> copy -> one process after the other

The copy itself runs no foreign code. Its limits, its working directory and where its output goes are those of the
processes it makes; one that stays at one mark for too long is ended.
"""

from __future__ import annotations

import os
import select
import signal
import time
from collections.abc import Callable
from contextlib import suppress

from unlike.isolation.copy import MARKS, cells, go_on_in_fork
from unlike.isolation.limits import die_with_parent, end_descendants
from unlike.isolation.verdicts import describe_exit

PAUSE = 0.02  # seconds after which a process is looked at again
FAILED = 70  # exit code of a process whose work raised


def run_in_fork(work: Callable[[], object], seconds: float | None) -> str:
    """Do the work in a process of its own; return "" where it came to its end, else in words how the process ended."""
    shared, copy = cells(), os.getpid()
    pid = os.fork()
    if not pid:
        code = FAILED
        try:
            die_with_parent(copy)
            go_on_in_fork()
            work()
            code = 0
        finally:
            os._exit(code)
    seen, since = shared[MARKS], time.monotonic()
    ended = _Ending(pid)
    while not ended.wait(PAUSE):
        now = time.monotonic()
        if shared[MARKS] != seen:
            seen, since = shared[MARKS], now
        elif seconds is not None and now - since > seconds:
            end_descendants(pid)
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
            while not ended.wait(PAUSE):
                pass
            return f"took more than {seconds:g} s"
    code = os.waitstatus_to_exitcode(ended.status)
    return "" if not code else describe_exit(code)


class _Ending:
    """Waits for the end of a process, without a pause where the system tells."""

    def __init__(self, pid: int) -> None:
        self.pid, self.status = pid, 0
        try:
            self.descriptor = os.pidfd_open(pid)
        except (AttributeError, OSError):
            self.descriptor = -1

    def wait(self, seconds: float) -> bool:
        """Wait for so long at most, and tell whether it has ended."""
        if self.descriptor >= 0:
            select.select([self.descriptor], [], [], seconds)
        else:
            time.sleep(seconds / 10)
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        if not pid:
            return False
        self.status = status
        if self.descriptor >= 0:
            os.close(self.descriptor)
        return True
