"""Worker processes: two against one, on a class whose calls cost 20 µs; and what a copy of the process costs.

Needs two idle cores to mean anything.
"""

from __future__ import annotations

import itertools
import os
import time

from examples.structures.node_caching_linked_list import NodeCachingLinkedList

from bench.rows import Row, show
from bench.slow_class import HANDS, MINUTES, Clock
from unlike.explore import explore

TURNS = 3


def seconds(workers: int) -> float:
    """Return the wall time of one exploration, after a first one that starts the server of processes."""
    explore(Clock, scope=2, workers=workers, calls=2)
    began = time.perf_counter()
    result = explore(Clock, scope=1, literals={"minutes": range(HANDS)}, workers=workers)
    assert result.states == MINUTES, result.states
    return time.perf_counter() - began


def copied() -> Row:
    """Return how fast exploration in a copy is, as is usual, against one in this process."""
    methods = "add_last|remove_index"
    times: dict[bool, list[float]] = {True: [], False: []}
    for _, (in_process, taken) in itertools.product(range(TURNS), times.items()):
        began = time.perf_counter()
        result = explore(NodeCachingLinkedList, scope=6, methods=methods, in_process=in_process, values="concrete")
        taken.append(time.perf_counter() - began)
        assert result.states == 11_196, result.states
    here, elsewhere = (min(times[in_process]) for in_process in (True, False))
    return Row(
        "exploration in a copy, node-caching list 6",
        f"{result.calls / elsewhere:,.0f} calls/s",
        f"in this process {result.calls / here:,.0f} calls/s",
        f"{here / elsewhere:.2f} times, at least 0.6",
        here / elsewhere >= 0.6,
    )


def run() -> list[Row]:
    """Return how much faster two workers are than one, and what a copy costs."""
    turns = [(seconds(1), seconds(2)) for _ in range(TURNS)]
    one, two = (min(each) for each in zip(*turns, strict=True))  # the turn that was disturbed least
    ratio = one / two
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    load = f", load {os.getloadavg()[0]:.1f}" if hasattr(os, "getloadavg") else ""
    return [
        Row(
            "two workers, calls of 20 µs",
            f"{HANDS * MINUTES / two:,.0f} calls/s",
            f"one worker {HANDS * MINUTES / one:,.0f} calls/s ({cores} cores{load})",
            f"{ratio:.2f} times, at least 1.7",
            ratio >= 1.7,
        ),
        copied(),
    ]


if __name__ == "__main__":
    show("workers", run())
