"""Any executor of `concurrent.futures` as the workers: a job that breaks is split until one item is left."""

from __future__ import annotations

import collections
import itertools
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import Any, Self

from unlike.errors import UnlikeError
from unlike.isolation.pieces import Sizes, group_items
from unlike.isolation.verdicts import Answer, Death, Raised, Verdict, describe_error

Job = tuple[int, Sequence[Any]]
Told = tuple[bool | None, Any]  # whether the work returned, and what; None where it would have ended a process


def run_on(
    executor: Executor | Callable[[], Executor],
    work: Callable[[Any], Any],
    items: Iterable[Any],
    *,
    sizes: Sizes = 64,
    ahead: int = 4,
) -> Iterator[Verdict]:
    """Yield what became of each item, in the order of the items.

    An executor whose process died is of no more use: pass a function that makes one, and a new one is made. `ahead`
    jobs are under way at once. There is no limit on time or memory but the executor's own.
    """
    run = _Run(executor, work, group_items(items, sizes), ahead)
    try:
        for wanted in itertools.count():
            while wanted not in run.ready:
                if not run.step():
                    return
            yield run.ready.pop(wanted)
    finally:
        run.end()


MOST_BROKEN = 10


class Borrowed:
    """An executor of somebody else's, used like a pool; it is not ended here."""

    def __init__(self, executor: Executor | Callable[[], Executor], work: Callable[[Any], Any]) -> None:
        self.executor = executor
        self.work = work

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        return

    def run(
        self, items: Iterable[Any], sizes: Sizes = 64, tick: Callable[[], object] | None = None
    ) -> Iterator[Verdict]:
        """Yield what became of each item, in the order of the items."""
        remaining = iter(items)
        first = next(remaining, None)
        if first is None:
            return  # no executor is to be made for nothing
        for verdict in run_on(self.executor, self.work, itertools.chain([first], remaining), sizes=sizes):
            if tick is not None:
                tick()
            yield verdict


class _Run:
    """One run on an executor, or on one executor after the other."""

    def __init__(
        self, executor: Executor | Callable[[], Executor], work: Callable[[Any], Any], fresh: Iterator[Job], ahead: int
    ) -> None:
        self.make = None if isinstance(executor, Executor) else executor
        self.executor = executor if isinstance(executor, Executor) else executor()
        self.work, self.fresh, self.ahead = work, fresh, ahead
        self.under_way: dict[int, tuple[Job, Future[list[Told]]]] = {}
        self.suspects: collections.deque[Job] = collections.deque()  # under way when an executor broke
        self.ready: dict[int, Verdict] = {}
        self.broken = 0  # executors that broke before they took a job

    def step(self) -> bool:
        """Hand out jobs and wait for the first of them; False if there are none."""
        most = 1 if self.suspects else self.ahead  # suspects go alone, so that it is known who did it
        while len(self.under_way) < most and (job := self.next_job()) is not None:
            try:
                self.under_way[job[0]] = (job, self.executor.submit(_work_all, self.work, job[1]))
            except BrokenExecutor as error:  # by one of the jobs that are under way
                self.suspects.extend([*(other for other, _ in self.under_way.values()), job])
                self.renew(str(error))
                return True
            self.broken = 0
        if not self.under_way:
            return False
        job, future = self.under_way.pop(min(self.under_way))
        try:
            self.settle(job, future.result())
        except BrokenExecutor as error:
            self.recover(job, str(error))
        return True

    def next_job(self) -> Job | None:
        """Return what is to be done next."""
        return self.suspects.popleft() if self.suspects else next(self.fresh, None)

    def settle(self, job: Job, results: Sequence[Told]) -> None:
        """Take the results of a job."""
        start, items = job
        for number, item, (worked, result) in zip(itertools.count(start), items, results, strict=False):
            kind = Death if worked is None else Answer if worked else Raised
            self.ready[number] = kind(item, result)

    def recover(self, job: Job, cause: str) -> None:
        """Go on with a new executor; a job that was alone is split, or is known to be the one."""
        others = [other for other, _ in self.under_way.values()]
        start, items = job
        middle = len(items) // 2
        if others:
            self.suspects.extend([job, *others])
        elif middle:
            self.suspects.extendleft([(start + middle, items[middle:]), (start, items[:middle])])
        else:
            self.ready[start] = Death(items[0], cause)
        self.renew(cause)

    def renew(self, cause: str) -> None:
        """Go on with a new executor."""
        self.broken += 1
        if self.make is None or self.broken > MOST_BROKEN:
            raise UnlikeError(f"a process of the executor died ({cause}); pass a function that makes a new executor")
        self.under_way.clear()
        self.executor.shutdown(wait=False, cancel_futures=True)
        self.executor = self.make()

    def end(self) -> None:
        """Let go of an executor that was made here."""
        if self.make is not None:
            self.executor.shutdown(wait=False, cancel_futures=True)


def _work_all(work: Callable[[Any], Any], items: Sequence[Any]) -> list[Told]:
    results: list[Told] = []
    for item in items:
        try:
            results.append((True, work(item)))
        except Exception as error:  # the code under test may raise anything
            results.append((False, describe_error(error)))
        except SystemExit as error:  # it would end a worker of the executor
            results.append((False, f"SystemExit: {error}"))
        except KeyboardInterrupt:  # nobody pressed Ctrl-C: the code under test raised it
            results.append((None, "killed by SIGINT"))
    return results
