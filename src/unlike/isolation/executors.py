"""Any executor of `concurrent.futures` as a pool: a piece that breaks it is split until one item is left."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from dataclasses import replace
from typing import Any, Self

from unlike.errors import UnlikeError
from unlike.isolation.pieces import Sizes, group_items, hand_out
from unlike.isolation.verdicts import Answer, Death, Raised, Verdict, describe_error

AHEAD = 4  # pieces that are under way at once: how many processes an executor has is not known
MOST_BROKEN = 10  # executors in a row that break before they have done anything


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
