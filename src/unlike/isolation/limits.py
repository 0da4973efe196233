"""What a process of ours may take, and how it ends: with its parent, and with all that it started."""

from __future__ import annotations

import contextlib
import importlib
import os
import platform
import signal
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NoReturn

from unlike.core import Isolation

resource: Any = None
with contextlib.suppress(ImportError):  # not on every platform
    resource = importlib.import_module("resource")


def limit_process(isolation: Isolation) -> None:
    """Bound what this process may take, beyond what it has now, and leave no core files."""
    if resource is not None:
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _limit_memory(isolation.megabytes)


@contextlib.contextmanager
def within_memory(isolation: Isolation) -> Iterator[None]:
    """Bound the memory of this process beyond what it has now, as that of a worker is bounded, until the block ends."""
    if resource is None:
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    _limit_memory(isolation.megabytes)
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def _limit_memory(megabytes: int | None) -> None:
    if megabytes is None or sys.platform == "darwin":
        return
    with open("/proc/self/statm") as statm:  # noqa: PTH123
        now = int(statm.read().split()[0]) * resource.getpagesize()
    bound = now + megabytes * 1024 * 1024
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (bound if hard == resource.RLIM_INFINITY else min(bound, hard), hard))


def lift_memory_limit() -> None:
    """Let the process take as much memory as it could before it was limited: to tell what it found."""
    if resource is not None:
        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_AS, (hard, hard))


def list_unenforced_limits() -> list[str]:
    """Return in words what cannot be enforced on this platform."""
    missing = []
    if resource is None or sys.platform == "darwin":
        missing.append("the limit on memory (address space cannot be limited on this platform)")
    if not hasattr(os, "killpg"):
        missing.append("the end of processes that the code under test started")
    if not hasattr(os, "fork"):
        missing.append("the end of a call that does not return or ends its process, except in exploration")
    return missing


FUTEX = {"x86_64": 202, "aarch64": 98}  # the number of the system call that locks wait in
WAITS = 0, 9  # the commands of it that wait, without and with a mask


def waits_forever(pid: int) -> bool:
    """Tell whether a process waits for a lock that nobody can release: it has one thread, no child and no time limit.

    One that awaits an alarm may be woken by it. As far as the system tells; Linux does.
    """
    number = FUTEX.get(platform.machine()) if sys.platform == "linux" else None
    if number is None:
        return False
    home = Path(f"/proc/{pid}")
    try:
        tasks = list((home / "task").iterdir())
        if len(tasks) != 1 or (tasks[0] / "children").read_text().strip():
            return False
        call = (home / "syscall").read_text().split()
        status = (home / "status").read_text()
    except OSError:  # it ended meanwhile, or this system does not say
        return False
    if len(call) < 5 or call[0] != str(number):
        return False
    command, until = int(call[2], 16) & 0x7F, int(call[4], 16)
    return command in WAITS and not until and not _catches(status, signal.SIGALRM)


def _catches(status: str, number: int) -> bool:
    """Tell whether a process has a handler for the signal."""
    caught = next((line.split()[1] for line in status.splitlines() if line.startswith("SigCgt:")), "0")
    return bool(int(caught, 16) >> (number - 1) & 1)


# -- the end of a process --------------------------------------------------------------------------


def die_with_parent(parent: int) -> None:
    """End this process as soon as its parent is gone."""
    if sys.platform == "linux":
        with contextlib.suppress(Exception):  # a Python without ctypes
            import ctypes

            prctl = ctypes.CDLL(None).prctl
            prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
            prctl(36, 1)  # PR_SET_CHILD_SUBREAPER: what its children leave behind becomes its own, and ends with it
            if os.getppid() != parent:
                os._exit(1)
            return
    threading.Thread(target=_watch_parent, args=(parent,), daemon=True).start()


def _watch_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os.killpg(os.getpid(), signal.SIGKILL)


def end_descendants(pid: int) -> None:
    """End all that a process started, in whatever session it put itself, as far as the system tells (Linux does)."""
    found = [pid]
    for each in found:  # grows while we walk
        for task in Path(f"/proc/{each}/task").glob("*/children"):
            with contextlib.suppress(OSError):  # it ended meanwhile
                found += map(int, task.read_text().split())
    _kill_all(found[1:])


def end_children() -> None:
    """End all that this process started, if anything, and forget it."""
    with contextlib.suppress(OSError):  # there is none
        while True:
            if not os.waitpid(-1, os.WNOHANG)[0]:
                end_descendants(os.getpid())
                os.waitpid(-1, 0)


def _kill_all(pids: Iterable[int]) -> None:
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, signal.SIGKILL)


def die_interrupted() -> NoReturn:
    """End this process as KeyboardInterrupt does: nobody presses Ctrl-C here, the code under test raised it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGINT)
    os._exit(130)
