"""Items in portions: what a worker is given at once."""

from __future__ import annotations

import itertools
import math
import pickle
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

Sizes = int | Iterable[int]  # of the jobs: all alike, or one after the other


def piece_sizes(total: int, hands: int, *, most: int = 64, few: int = 8) -> Iterator[int]:
    """Yield sizes of jobs: large at first, small towards the end, where nobody is to wait long for the others.

    A job of less than a `few` items costs more to hand out than it saves, unless there is no more for each hand.
    """
    while total > 0:
        size = min(most, max(total // (2 * hands), min(few, math.ceil(total / hands))))
        yield size
        total -= size


def group_items(items: Iterable[Any], sizes: Sizes) -> Iterator[tuple[int, Sequence[Any]]]:
    """Yield the items in groups of these sizes, each with the number of its first."""
    remaining, start = iter(items), 0
    for size in itertools.repeat(sizes) if isinstance(sizes, int) else sizes:
        group = tuple(itertools.islice(remaining, size))
        if not group:
            return
        yield start, group
        start += len(group)


class Job:
    """A few items in a row, ready to be sent."""

    def __init__(self, start: int, items: Sequence[Any]) -> None:
        self.start = start  # the number of the first of them
        self.items = items
        self.packed = pickle.dumps(items, -1)


class Jobs:
    """The jobs of one run that are still to be done."""

    def __init__(self, items: Iterable[Any], sizes: Sizes) -> None:
        self.fresh = group_items(items, sizes)
        self.again: list[Job] = []  # what dead workers left undone
        self.next: Job | None = None

    def prepare(self) -> None:
        """Have the next new job ready, so that no worker waits for it."""
        if self.next is None and (following := next(self.fresh, None)) is not None:
            self.next = Job(*following)

    def take(self, after: int) -> Job | None:
        """Return a job that lies behind the item, if there is one; what was left undone comes first."""
        for job in self.again:
            if job.start > after:
                self.again.remove(job)
                return job
        self.prepare()
        following, self.next = self.next, None
        return following

    def put_back(self, job: Job, at: int) -> None:
        """Note what is left of a job whose worker died at one of its items."""
        rest = ((job.start, job.items[:at]), (job.start + at + 1, job.items[at + 1 :]))
        self.again.extend(Job(start, items) for start, items in rest if items)
