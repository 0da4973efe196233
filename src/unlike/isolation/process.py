"""The inside of a worker: take a job, do its items one by one, send what became of them.

The code under test may do anything to its process. What can be undone after each item is undone (working directory,
signal handlers, output); what cannot (threads left running) makes the worker ask for its replacement. A copy that the
code under test made of the process by `fork` ends where it would otherwise go on with our work.
"""

from __future__ import annotations

import contextlib
import faulthandler
import io
import multiprocessing
import os
import pickle
import re
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from multiprocessing import connection
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, NamedTuple, NoReturn

from unlike.core import Isolation
from unlike.isolation.verdicts import describe_error

MOST_OUTPUT = 64 * 1024
_output: int | None = None  # the file that takes what is printed, in a worker
STREAMS: dict[str, Any] = {}  # those that were opened here
DUMP = getattr(signal, "SIGUSR1", None)  # asks a process where it is
FRAME = re.compile(r'File "(.*)", line (\d+) in (.*)')
HANDLED = (signal.SIGINT, signal.SIGTERM, *([signal.SIGALRM] if hasattr(signal, "SIGALRM") else []))


@dataclass(frozen=True, slots=True)
class Orders:
    """What a worker is told when it starts."""

    work: Callable[[Any], Any]
    isolation: Isolation
    printed: str  # the file that takes what is printed
    traces: str  # the file that says where the process was when it died


class Done(NamedTuple):
    """What became of one item: the pickled result, or an error."""

    result: bytes | None
    error: str
    output: str


def serve(orders: Orders, jobs: Connection, progress: Any) -> None:
    """Do jobs until the parent closes the line."""
    os.setsid() if hasattr(os, "setsid") else None  # one group, so that the parent can end all of it
    home, own, output = Path.cwd(), os.getpid(), redirect_output(os.open(orders.printed, os.O_RDWR | os.O_APPEND))
    trace(os.open(orders.traces, os.O_WRONLY | os.O_APPEND))
    threading.Thread(target=_end_with_parent, daemon=True).start()
    limit_process(orders.isolation)
    handlers = {number: signal.getsignal(number) for number in HANDLED}
    threads = threading.active_count()
    while True:
        try:
            items: Sequence[Any] | None = jobs.recv()
        except (EOFError, OSError):
            return
        if items is None:
            return
        done = []
        for number, item in enumerate(items):
            progress.value = number
            result, error = _attempt(orders.work, item)
            if os.getpid() != own:
                os._exit(0)  # a copy made by the code under test
            restore_process(home, handlers)
            done.append(Done(result, error, read_output(output)))
            open_streams(output)
        worn = threading.active_count() > threads or any(each.error.startswith("MemoryError") for each in done)
        jobs.send((done, worn))


def _end_with_parent() -> None:
    """End this process and all that it started once the parent is gone."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    connection.wait([parent.sentinel])
    if hasattr(os, "killpg"):
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


def die_with_parent(parent: int) -> None:
    """End this process as soon as its parent is gone."""
    if sys.platform == "linux":
        with contextlib.suppress(Exception):  # a Python without ctypes
            import ctypes

            ctypes.CDLL(None).prctl(1, signal.SIGKILL)  # PR_SET_PDEATHSIG
            if os.getppid() != parent:
                os._exit(1)
            return
    threading.Thread(target=_watch_parent, args=(parent,), daemon=True).start()


def _watch_parent(parent: int) -> None:
    while os.getppid() == parent:
        time.sleep(0.5)
    os.killpg(os.getpid(), signal.SIGKILL)


def die_interrupted() -> NoReturn:
    """End this process as KeyboardInterrupt does: nobody presses Ctrl-C here, the code under test raised it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    os.kill(os.getpid(), signal.SIGINT)
    os._exit(130)


# -- where a process is ----------------------------------------------------------------------------


def trace(file: int) -> None:
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


# -- what is done around the work ------------------------------------------------------------------


def _attempt(work: Callable[[Any], Any], item: Any) -> tuple[bytes | None, str]:
    try:
        return pickle.dumps(work(item), -1), ""
    except KeyboardInterrupt:
        die_interrupted()
    except BaseException as error:  # the code under test may raise anything
        return None, describe_error(error)


def restore_process(home: Path, handlers: dict[Any, Any]) -> None:
    """Return to the working directory and the signal handlers of before."""
    with contextlib.suppress(OSError):
        os.chdir(home)
    for number, handler in handlers.items():
        if signal.getsignal(number) is not handler:
            signal.signal(number, handler)
    if hasattr(signal, "alarm"):
        signal.alarm(0)


def redirect_output(output: int) -> int:
    """Send everything printed, by whomever, to the open file; nothing can be read from the keyboard."""
    global _output
    _output = output
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.dup2(output, 1)
    os.dup2(output, 2)
    open_streams(output)
    return output


def streams_are_ours() -> bool:
    """Tell whether the standard streams are as they were opened here."""
    return all(not stream.closed and stream is getattr(sys, name, None) for name, stream in STREAMS.items())


def open_streams(output: int) -> None:
    """Open the standard streams anew where the code under test has closed or replaced them."""
    for number, name, mode in ((0, "stdin", "r"), (1, "stdout", "w"), (2, "stderr", "w")):
        stream = getattr(sys, name, None)
        if stream is None or stream.closed or STREAMS.get(name) is not stream:
            if number:
                os.dup2(output, number)
            STREAMS[name] = _stream(number, mode)
            setattr(sys, name, STREAMS[name])


def take_output() -> str:
    """Return what was printed in this worker since the last time, and forget it; closed streams are open again."""
    if _output is None:
        return ""
    text = read_output(_output)
    open_streams(_output)
    return text


def _stream(number: int, mode: str) -> io.TextIOWrapper:
    """Return a stream for the life of the process; what is written arrives at once, whatever happens next."""
    raw: Any = open(number, f"{mode}b", 0, closefd=False)  # noqa: SIM115
    return io.TextIOWrapper(raw, errors="replace", write_through=True)


def read_output(output: int) -> str:
    """Return what was printed since the last time."""
    for name in ("stdout", "stderr"):
        with contextlib.suppress(Exception):  # closed, replaced or deleted by the code under test
            getattr(sys, name).flush()
    size = os.fstat(output).st_size
    if not size:
        return ""
    text = os.pread(output, min(size, MOST_OUTPUT), 0)
    os.ftruncate(output, 0)
    return text.decode(errors="replace")


def limit_process(isolation: Isolation) -> None:
    """Bound what this process may take, beyond what it has now, and leave no core files."""
    try:
        import resource
    except ImportError:
        return
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _limit_memory(isolation.megabytes)


@contextlib.contextmanager
def within_memory(isolation: Isolation) -> Iterator[None]:
    """Bound the memory of this process beyond what it has now, as that of a worker is bounded, until the block ends."""
    try:
        import resource
    except ImportError:
        yield
        return
    before = resource.getrlimit(resource.RLIMIT_AS)
    _limit_memory(isolation.megabytes)
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_AS, before)


def _limit_memory(megabytes: int | None) -> None:
    import resource

    if megabytes is None or sys.platform == "darwin":
        return
    with open("/proc/self/statm") as statm:  # noqa: PTH123
        now = int(statm.read().split()[0]) * resource.getpagesize()
    bound = now + megabytes * 1024 * 1024
    hard = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (bound if hard == resource.RLIM_INFINITY else min(bound, hard), hard))


def lift_memory_limit() -> None:
    """Let the process take as much memory as it could before it was limited: to tell what it found."""
    with contextlib.suppress(ImportError, ValueError, OSError):
        import resource

        hard = resource.getrlimit(resource.RLIMIT_AS)[1]
        resource.setrlimit(resource.RLIMIT_AS, (hard, hard))
