"""Worker processes with limits, from the outside.

A worker writes the number of the item it is at into shared memory. When it dies, or is at one item for too long, the
parent knows which item it was: the job is split around it, and only the rest is done again, by a new worker.
"""

from __future__ import annotations

import contextlib
import itertools
import multiprocessing
import os
import pickle
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from multiprocessing import connection
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any, NamedTuple, Self

from unlike.core import NO_LIMITS, Isolation
from unlike.errors import UnlikeError
from unlike.isolation.pieces import Job, Jobs, Sizes
from unlike.isolation.process import MOST_OUTPUT, Done, Orders, ask_for_trace, place_in, serve
from unlike.isolation.verdicts import Answer, Death, Raised, Verdict, describe_exit

Context = Any  # multiprocessing has one class of contexts per platform


class Worker:
    """One process, and the job it is at."""

    def __init__(self, context: Context, orders: Orders) -> None:
        self.printed, self.traces = Path(orders.printed), Path(orders.traces)
        self.line, theirs = context.Pipe()
        self.progress = context.RawValue("q", -1)
        self.process: BaseProcess = context.Process(target=serve, args=(orders, theirs, self.progress), daemon=True)
        self.process.start()
        theirs.close()
        self.job: Job | None = None
        self.reached = -1  # the last item it was given in this run
        self.at, self.since = -1, 0.0

    def give(self, job: Job) -> None:
        """Send a job."""
        self.job, self.at, self.since = job, -1, time.monotonic()
        self.reached = job.start + len(job.items) - 1
        self.progress.value = -1
        with contextlib.suppress(OSError):  # it died meanwhile; that is seen when its answer is waited for
            self.line.send_bytes(job.packed)

    def is_late(self, seconds: float | None) -> bool:
        """Tell whether the worker has been at one item for too long."""
        if seconds is None or self.job is None:
            return False
        if self.progress.value != self.at:
            self.at, self.since = self.progress.value, time.monotonic()
        # the first item has to wait until the process has started and loaded what it needs
        return self.at >= 0 and time.monotonic() - self.since > seconds

    def stop(self) -> None:
        """End a process that is late, and have it say where it is."""
        with self.traces.open("rb") as traces:
            ask_for_trace(self.process.pid or 0, traces.fileno())
        self.process.kill()

    def end(self) -> Ended:
        """End the process and all that it started; return how it had ended."""
        self.line.close()
        self.process.join(0.5)
        if hasattr(os, "killpg"):
            with contextlib.suppress(OSError):
                os.killpg(self.process.pid or 0, signal.SIGKILL)
        if self.process.is_alive():
            self.process.kill()
        self.process.join()
        cause = describe_exit(self.process.exitcode or 0)
        return Ended(cause, _last_words(self.printed), _last_words(self.traces))


class Ended(NamedTuple):
    """How a process ended."""

    cause: str
    output: str
    trace: str


class WorkerPool:
    """Worker processes that do one work on many items. Use it as a context: leaving it ends every process."""

    def __init__(
        self,
        work: Callable[[Any], Any],
        *,
        count: int = 2,
        isolation: Isolation = NO_LIMITS,
        context: Context = None,
    ) -> None:
        if count < 1:
            raise UnlikeError(f"workers={count!r} must be at least 1")
        _check_travels(work)
        self.work, self.count, self.isolation = work, count, isolation
        self.seconds = isolation.seconds_per_call
        self.context = context or _context(work)
        self.folder = tempfile.TemporaryDirectory(prefix="unlike-")
        self.workers: list[Worker] = []
        self.started = itertools.count()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End every process."""
        for worker in self.workers:
            worker.process.kill()
            worker.end()
        self.workers.clear()
        self.folder.cleanup()

    def run(
        self, items: Iterable[Any], sizes: Sizes = 64, tick: Callable[[], object] | None = None
    ) -> Iterator[Verdict]:
        """Yield what became of each item, in the order of the items; jobs hold so many items each.

        `tick` is called now and then while workers are waited for; it may end the run by raising.
        """
        jobs, ready = Jobs(items, sizes), dict[int, Verdict | tuple[Any, Done]]()
        for worker in self.workers:
            worker.reached = -1
        self._hand_out(jobs)
        for wanted in itertools.count():
            while wanted not in ready:
                busy = [worker for worker in self.workers if worker.job is not None]
                if not busy:
                    return
                if tick is not None:
                    tick()
                for worker in self._heard(busy):
                    self._collect(worker, ready, jobs)
                self._hand_out(jobs)  # they go on while the caller looks at what they found
            verdict = ready.pop(wanted)
            yield _verdict(*verdict) if isinstance(verdict, tuple) else verdict

    def _hand_out(self, jobs: Jobs) -> None:
        """Give jobs to all who wait.

        Each worker gets items in their order, also when some are done again: so what it remembers from one item to
        the next never comes from a later one, and the answers do not depend on who was given what.
        """
        for worker in self.workers:
            if worker.job is None and (job := jobs.take(worker.reached)) is not None:
                worker.give(job)
        if jobs.again and all(worker.job is None for worker in self.workers):
            for worker in list(self.workers):  # they are all too far
                self._retire(worker)
        while len(self.workers) < self.count and (job := jobs.take(-1)) is not None:
            self._start().give(job)
        jobs.prepare()

    def _start(self) -> Worker:
        number = next(self.started)
        files = [Path(self.folder.name) / f"{name}-{number}.txt" for name in ("printed", "traces")]
        for file in files:
            file.touch()
        worker = Worker(self.context, Orders(self.work, self.isolation, *map(str, files)))
        self.workers.append(worker)
        return worker

    def _heard(self, busy: Sequence[Worker]) -> list[Worker]:
        """Wait until some worker has answered, died or is late; return these."""
        pause = 0.5 if self.seconds is None else min(max(self.seconds / 5, 0.01), 0.5)
        lines: list[Any] = [worker.line for worker in busy]
        sentinels = [worker.process.sentinel for worker in busy]
        heard = set(connection.wait([*lines, *sentinels], pause))
        return [
            worker
            for worker in busy
            if worker.line in heard or worker.process.sentinel in heard or worker.is_late(self.seconds)
        ]

    def _collect(self, worker: Worker, ready: dict[int, Verdict | tuple[Any, Done]], jobs: Jobs) -> None:
        """Take the answer of a worker, or find out what killed it."""
        job = worker.job
        assert job is not None
        late, alive = False, worker.process.is_alive()
        try:
            answer = _received(worker)
            if answer is not None:
                done, stale = answer
                ready.update(zip(itertools.count(job.start), zip(job.items, done, strict=True), strict=False))
                worker.job = None
                if stale:
                    self._retire(worker)
                return
            late = alive and worker.is_late(self.seconds)
            if alive and not late:
                return  # it went on while another was ended
        except EOFError:
            pass
        if late:
            worker.stop()
        at = max(worker.progress.value, 0)
        ended = self._retire(worker)
        cause = f"took more than {self.seconds:g} s" if late else ended.cause
        ready[job.start + at] = Death(job.items[at], cause, ended.output, place=place_in(ended.trace, by_chance=late))
        jobs.put_back(job, at)

    def _retire(self, worker: Worker) -> Ended:
        self.workers.remove(worker)
        return worker.end()


def _context(work: Any) -> Context:
    """Return a context in which new processes start quickly and without what this process holds."""
    if sys.platform == "win32":
        return multiprocessing.get_context("spawn")
    context = multiprocessing.get_context("forkserver")
    cls = type(work)
    context.set_forkserver_preload([serve.__module__, getattr(work, "__module__", cls.__module__)])
    return context


def _last_words(file: Path) -> str:
    """Return what the file of a process holds, which then goes away."""
    try:
        return file.read_bytes()[:MOST_OUTPUT].decode(errors="replace")
    except FileNotFoundError:
        return ""
    finally:
        file.unlink(missing_ok=True)


def _received(worker: Worker) -> tuple[list[Done], bool] | None:
    """Return the answer of a worker, or None if there is none yet; EOFError where none will come."""
    try:
        if worker.line.poll():
            answer: tuple[list[Done], bool] = worker.line.recv()
            return answer
    except (OSError, pickle.UnpicklingError):
        raise EOFError from None
    return None


def _verdict(item: Any, done: Done) -> Verdict:
    if done.result is None:
        return Raised(item, done.error, done.output)
    return Answer(item, pickle.loads(done.result), done.output)


def _check_travels(work: object) -> None:
    try:
        pickle.dumps(work)
    except Exception as error:
        raise UnlikeError(
            f"{work!r} cannot be sent to a worker process ({error}); define it at the top of a module"
        ) from None
