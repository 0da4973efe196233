"""Worker processes with limits, which begin with nothing of what this process holds, and executors used like them.

Each is led by a thread, which gives it a piece of items and hears after each what became of it. So when a worker dies,
or is at one item for too long, it is known which item it was, and another worker goes on with the next.
"""

from __future__ import annotations

import collections
import contextlib
import itertools
import math
import multiprocessing
import os
import pickle
import queue
import signal
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor, wait
from dataclasses import replace
from multiprocessing import connection
from multiprocessing.connection import Connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, Self, TypeVar

from unlike.core import NO_LIMITS, Isolation
from unlike.errors import UnlikeError
from unlike.isolation.limits import die_interrupted, limit_process
from unlike.isolation.output import MOST_OUTPUT, ask_for_trace, place_in, redirect_output, take_output, write_traces
from unlike.isolation.state import process_state, restore_process
from unlike.isolation.verdicts import Answer, Death, Raised, Verdict, describe_error, describe_exit
from unlike.isolation.wire import Frames, NonsenseError, make_frames, pack, unpack

Context = Any  # multiprocessing has one class of contexts per platform
SENT = b"w"  # the kind of frames
AHEAD = 4  # pieces that are under way at once: how many processes an executor has is not known
MOST_BROKEN = 10  # executors in a row that break before they have done anything
T = TypeVar("T")
Sizes = int | Iterable[int]  # of the pieces: all alike, or one after the other
PAUSE = 0.05  # seconds between two looks at the clock


def piece_sizes(total: int, hands: int, *, most: int = 64, few: int = 8) -> Iterator[int]:
    """Yield sizes of pieces: large at first, small towards the end, where nobody is to wait long for the others.

    A piece of less than a `few` items costs more to hand out than it saves, unless there is no more for each hand.
    """
    while total > 0:
        size = min(most, max(total // (2 * hands), min(few, math.ceil(total / hands))))
        yield size
        total -= size


def group_items(items: Iterable[T], sizes: Sizes) -> Iterator[Sequence[T]]:
    """Yield the items in pieces of these sizes."""
    remaining = iter(items)
    for size in itertools.repeat(sizes) if isinstance(sizes, int) else sizes:
        piece = tuple(itertools.islice(remaining, size))
        if not piece:
            return
        yield piece


def hand_out(
    pieces: Iterable[Sequence[T]],
    submit: Callable[[Sequence[T]], Future[Any]],
    *,
    ahead: int,
    tick: Callable[[], object] | None = None,
) -> Iterator[tuple[Sequence[T], Future[Any]]]:
    """Yield each piece with what is done of it, in their order; so many are under way at once.

    `tick` is called now and then while a piece is waited for; it may end all by raising.
    """
    under_way: collections.deque[tuple[Sequence[T], Future[Any]]] = collections.deque()
    remaining = iter(pieces)
    try:
        while True:
            for piece in itertools.islice(remaining, ahead - len(under_way)):
                under_way.append((piece, submit(piece)))
            if not under_way:
                return
            while not wait([under_way[0][1]], PAUSE).done:
                if tick is not None:
                    tick()
            yield under_way.popleft()
    finally:
        for _, future in under_way:
            future.cancel()


class ExecutorPool:
    """An executor of somebody else's, used like a pool; it is not ended here.

    An executor whose process died is of no more use: pass a function that makes one, and new ones are made. There is no
    limit on time or memory but the executor's own.
    """

    def __init__(self, executor: Executor | Callable[[], Executor], work: Callable[[Any], object]) -> None:
        self.given, self.work = executor, work
        self.made: dict[str, Executor] = {}  # for pieces in general, and for those that go alone
        self.broken = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        for use in list(self.made):
            self._let_go(use)

    def run(
        self, items: Iterable[Any], sizes: Sizes = 64, tick: Callable[[], object] | None = None
    ) -> Iterator[Verdict]:
        """Yield what became of each item, in the order of the items; `tick` may end the run by raising."""
        try:
            for piece, future in hand_out(group_items(items, sizes), self._submit, ahead=AHEAD, tick=tick):
                yield from self._settle(piece, future)
        finally:
            self.__exit__()

    def _submit(self, piece: Sequence[Any], use: str = "many") -> Future[list[Verdict]]:
        """Hand a piece to an executor; a broken one says so in the future."""
        if isinstance(self.given, Executor):
            executor = self.given
        else:
            executor = self.made.get(use) or self.made.setdefault(use, self.given())
        try:
            return executor.submit(_work_all, self.work, piece)
        except BrokenExecutor as error:
            broken: Future[list[Verdict]] = Future()
            broken.set_exception(error)
            return broken

    def _settle(self, piece: Sequence[Any], future: Future[list[Verdict]], use: str = "many") -> Iterator[Verdict]:
        """Yield what became of a piece. Where it was one of several suspects it goes alone, then in halves."""
        try:
            verdicts = future.result()
        except BrokenExecutor as error:
            self._renew(str(error), use)
            middle = len(piece) // 2
            if use == "many":
                yield from self._settle(piece, self._submit(piece, "alone"), "alone")
            elif middle:
                for half in (piece[:middle], piece[middle:]):
                    yield from self._settle(half, self._submit(half, "alone"), "alone")
            else:
                yield Death(piece[0], str(error))
            return
        self.broken = 0
        for item, verdict in zip(piece, verdicts, strict=True):
            yield replace(verdict, item=item)

    def _renew(self, cause: str, use: str) -> None:
        self.broken += 1
        if isinstance(self.given, Executor) or self.broken > MOST_BROKEN:
            raise UnlikeError(f"a process of the executor died ({cause}); pass a function that makes a new executor")
        self._let_go(use)

    def _let_go(self, use: str) -> None:
        if (executor := self.made.pop(use, None)) is not None:
            executor.shutdown(wait=False, cancel_futures=True)


def _work_all(work: Callable[[Any], object], items: Sequence[Any]) -> list[Verdict]:
    results: list[Verdict] = []
    for item in items:
        try:
            results.append(Answer(None, work(item)))
        except KeyboardInterrupt:  # nobody pressed Ctrl-C: the code under test raised it
            results.append(Death(None, "killed by SIGINT"))
        except (Exception, SystemExit) as error:  # the code under test may raise anything, and may not end the process
            results.append(Raised(None, describe_error(error)))
    return results


# -- in the worker ---------------------------------------------------------------------------------


def serve(work: Callable[[Any], object], isolation: Isolation, files: Sequence[Path], line: Connection) -> None:
    """Do pieces until the parent closes the line; the files take what is printed, and where the process was at its end.

    What the code under test did to the process is undone after each item, as far as that is possible; where it is not,
    the parent is told that this worker is worn. A copy that the code made of it by `fork` ends here.
    """
    os.setsid() if hasattr(os, "setsid") else None  # one group, so that the parent can end all of it
    redirect_output(os.open(files[0], os.O_RDWR | os.O_APPEND))
    write_traces(os.open(files[1], os.O_WRONLY | os.O_APPEND))
    threading.Thread(target=_end_with_parent, daemon=True).start()
    limit_process(isolation)
    before, own = process_state(), os.getpid()
    _send(line, None)  # ready: from now on the clock runs
    with contextlib.suppress(EOFError, OSError):
        while True:
            for item in line.recv():
                packed, is_worn = _attempt(work, item)
                if os.getpid() != own:
                    os._exit(0)
                restore_process(before)
                is_worn = is_worn or threading.active_count() > before["threads"]  # type: ignore[operator]
                _send(line, (packed, take_output(), is_worn))


def _attempt(work: Callable[[Any], object], item: Any) -> tuple[bytes, bool]:
    """Return the verdict, packed, and whether the worker is to be replaced."""
    try:
        return pack(Answer(None, work(item))), False
    except KeyboardInterrupt:
        die_interrupted()
    except BaseException as error:  # the code under test may raise anything
        return pack(Raised(None, describe_error(error))), isinstance(error, MemoryError)


def _send(line: Connection, value: object) -> None:
    line.send_bytes(b"".join(make_frames(SENT, pack(value))))


def _end_with_parent() -> None:
    """End this process and all that it started once the parent is gone."""
    parent = multiprocessing.parent_process()
    if parent is None:
        return
    connection.wait([parent.sentinel])
    if hasattr(os, "killpg"):
        os.killpg(os.getpid(), signal.SIGKILL)
    os._exit(1)


# -- in the parent ---------------------------------------------------------------------------------


class _Worker:
    """One process after the other."""

    def __init__(self, pool: WorkerPool) -> None:
        self.pool, self.seconds = pool, pool.isolation.seconds_per_call
        self.process: BaseProcess | None = None

    def do(self, items: Sequence[Any]) -> list[Verdict]:
        """Return what became of each item; a death costs a new process, which goes on after it."""
        verdicts: list[Verdict] = []
        while len(verdicts) < len(items) and not self.pool.closed:
            rest = items[len(verdicts) :]
            if self.process is None:
                self._start()
            with contextlib.suppress(OSError):  # it died meanwhile; that is seen when its answer is waited for
                self.line.send(rest)
            for item in rest:
                verdict, is_worn = self._hear()
                verdicts.append(replace(verdict, item=item))
                if is_worn:
                    self.end()
                    break
        return verdicts

    def _start(self) -> None:
        self.files = [Path(self.pool.folder.name) / f"{kind}-{next(self.pool.started)}" for kind in ("out", "trace")]
        for file in self.files:
            file.touch()
        self.line, theirs = self.pool.context.Pipe()
        self.frames, self.is_ready = Frames(), False
        orders = (self.pool.work, self.pool.isolation, self.files, theirs)
        self.process = self.pool.context.Process(target=serve, args=orders, daemon=True)
        with self.pool.lock:
            self.process.start()
        theirs.close()

    def _hear(self) -> tuple[Verdict, bool]:
        """Wait for what became of an item; return it, and whether the process is of no more use."""
        try:
            if not self.is_ready:
                self._wait(None)  # as long as it takes to load what it needs
                self.is_ready = True
            packed, output, is_worn = unpack(self._wait(self.seconds))
            return replace(unpack(packed), output=output), is_worn
        except EOFError:
            cause, late = "", False
        except TimeoutError:
            cause, late = f"took more than {self.seconds:g} s", True
            assert self.process is not None
            with self.files[1].open("rb") as traces:
                ask_for_trace(self.process.pid or 0, traces.fileno())
        except (NonsenseError, TypeError, ValueError):
            cause, late = "sent nonsense", False
        ended = self.end()
        output, trace = (file.read_bytes()[:MOST_OUTPUT].decode(errors="replace") for file in self.files)
        return Death(None, cause or ended, output, place=place_in(trace, by_chance=late)), True

    def _wait(self, seconds: float | None) -> bytes:
        """Return the next message; EOFError where none will come, TimeoutError where it takes too long."""
        began = time.monotonic()
        while True:
            for _, payload in self.frames.messages():
                return payload
            assert self.process is not None
            with self.pool.lock:
                alive = self.process.is_alive()
            try:
                if self.line.poll(PAUSE):
                    self.frames.buffer += self.line.recv_bytes()
                elif not alive:
                    raise EOFError
            except OSError:
                raise EOFError from None
            if seconds is not None and time.monotonic() - began > seconds:
                raise TimeoutError

    def end(self) -> str:
        """End the process and all that it started; return how it had ended."""
        process, self.process = self.process, None
        if process is None:
            return ""
        self.line.close()
        with self.pool.lock:
            process.join(0.05)
            if hasattr(os, "killpg"):
                with contextlib.suppress(OSError):
                    os.killpg(process.pid or 0, signal.SIGKILL)
            process.kill()
            process.join()
            return describe_exit(process.exitcode or 0)


class WorkerPool:
    """Worker processes that do one work on many items. Use it as a context: leaving it ends every process."""

    def __init__(self, work: Callable[[Any], object], *, count: int = 2, isolation: Isolation = NO_LIMITS) -> None:
        if count < 1:
            raise UnlikeError(f"workers={count!r} must be at least 1")
        _check_travels(work)
        self.work, self.count, self.isolation = work, count, isolation
        self.context = _context(work)
        self.folder = tempfile.TemporaryDirectory(prefix="unlike-")
        self.started = itertools.count()
        self.closed = False
        self.lock = threading.Lock()  # multiprocessing looks after all processes whenever one is started
        self.threads = ThreadPoolExecutor(count)
        self.workers = [_Worker(self) for _ in range(count)]
        self.idle: queue.SimpleQueue[_Worker] = queue.SimpleQueue()
        for worker in self.workers:
            self.idle.put(worker)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.closed = True
        for worker in self.workers:
            if (process := worker.process) is not None:
                process.kill()
        self.threads.shutdown(cancel_futures=True)
        for worker in self.workers:
            worker.end()
        self.folder.cleanup()

    def run(
        self, items: Iterable[Any], sizes: Sizes = 64, tick: Callable[[], object] | None = None
    ) -> Iterator[Verdict]:
        """Yield what became of each item, in the order of the items; `tick` may end the run by raising.

        Each worker gets items in their order, also when some are done again: so what it remembers from one item to
        the next never comes from a later one, and the answers do not depend on who was given what.
        """

        def submit(piece: Sequence[Any]) -> Future[list[Verdict]]:
            return self.threads.submit(self._do, piece)

        for _, future in hand_out(group_items(items, sizes), submit, ahead=2 * self.count, tick=tick):
            yield from future.result()

    def _do(self, piece: Sequence[Any]) -> list[Verdict]:
        worker = self.idle.get()
        try:
            return worker.do(piece)
        finally:
            self.idle.put(worker)


def _context(work: Any) -> Context:
    """Return a context in which new processes start quickly and without what this process holds."""
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([serve.__module__, getattr(work, "__module__", type(work).__module__)])
    return context


def _check_travels(work: object) -> None:
    try:
        pickle.dumps(work)
    except Exception as error:
        raise UnlikeError(
            f"{work!r} cannot be sent to a worker process ({error}); define it at the top of a module"
        ) from None
