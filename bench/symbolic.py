"""Values left open against values chosen: exploration with exact counts, counting, indexing, streaming.

`python -m bench symbolic` takes about a minute. Both contestants explore the same class within the same bounds in the
same process, the compiled concrete engine once, the symbolic one several times (the fastest counts); both counts must
be equal. Calls are made in this process (`in_process`), and times are those of the process, not of the wall.
"""

from __future__ import annotations

import gc
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from examples.structures.binary_search_tree import BinarySearchTree
from examples.structures.node_caching_linked_list import NodeCachingLinkedList
from examples.structures.red_black_tree import RedBlackTree

from bench.rows import Row, show
from unlike.classes.open.result import OpenResult
from unlike.explore import Result, explore
from unlike.zones.points import Points
from unlike.zones.zone import Zone


class Chains:
    """A set of numbers in three chains: the worst case, since every value is looked at."""

    def __init__(self) -> None:
        self.chains: tuple[list[int], list[int], list[int]] = ([], [], [])

    def add(self, value: int) -> None:
        """Put a number in."""
        chain = self.chains[value % 3]
        if value not in chain:
            chain.append(value)

    def remove(self, value: int) -> None:
        """Take a number out."""
        self.chains[value % 3].remove(value)


@dataclass(frozen=True, slots=True)
class Subject:
    """A class and bounds; the promise is how many times faster exploring it with open values is."""

    title: str
    cls: type
    bounds: dict[str, Any]
    promise: float
    runs: int = field(default=3)

    def explored(self, values: str) -> Result:
        """Explore with values open or chosen."""
        return explore(self.cls, **self.bounds, values=values, in_process=True)  # type: ignore[arg-type]


LIST = "add_last|remove_index"
SUBJECTS = (
    Subject("node-caching list 7, counted", NodeCachingLinkedList, {"scope": 7, "methods": LIST}, 300, runs=10),
    Subject("red-black tree 12", RedBlackTree, {"scope": 12, "methods": "add|remove"}, 10),
    Subject("binary search tree 10", BinarySearchTree, {"scope": 10, "methods": "insert"}, 3),
    Subject(
        "binary search tree, 5 nodes, 16 values",
        BinarySearchTree,
        {"scope": 5, "literals": {"int": range(16)}, "methods": "insert"},
        500,
        runs=10,
    ),
    Subject("chains by remainder 8, which look at every value", Chains, {"scope": 8, "methods": "add|remove"}, 0.5),
)


def timed(work: Callable[[], Any], runs: int = 1) -> tuple[float, Any]:
    """Return the seconds of the fastest run, and what it returned."""
    best, result = float("inf"), None
    for _ in range(runs):
        gc.collect()
        began = time.process_time()
        result = work()
        best = min(best, time.process_time() - began)
    return best, result


def run() -> Iterator[Row]:
    """Yield all rows."""
    yield from map(exploration, SUBJECTS)
    yield counted()
    yield from streamed()
    yield indexed()


def exploration(subject: Subject) -> Row:
    """Explore both ways and compare."""
    opened, found = timed(lambda: subject.explored("symbolic"), subject.runs)
    chosen, expected = timed(lambda: subject.explored("concrete"))
    assert found.states == expected.states, f"{subject.title}: {found.states} and {expected.states} objects"
    ratio = chosen / opened
    return Row(
        subject=subject.title,
        figure=f"{found.states:,} objects, {_milliseconds(opened)}, {ratio:,.1f} times as fast",
        baseline=f"compiled concrete engine: {_milliseconds(chosen)}",
        promise=f"at least {subject.promise:g} times" if subject.promise >= 1 else "at most 2 times slower",
        kept=ratio >= subject.promise,
    )


def counted() -> Row:
    """Explore and count a list with more objects than anybody could run through."""
    large = Subject("", NodeCachingLinkedList, {"scope": 15, "methods": LIST}, 0)
    seconds, found = timed(lambda: large.explored("symbolic"), 5)
    assert found.states == 33_512_287_529_147_400
    return Row(
        subject="node-caching list 15, explored and counted",
        figure=f"{found.states:,} objects in {_milliseconds(seconds)}",
        promise="under 0.1 s",
        kept=seconds < 0.1,
    )


def streamed() -> Iterator[Row]:
    """Stream states and objects out of shapes."""
    found = Subject("", NodeCachingLinkedList, {"scope": 8, "methods": LIST}, 0).explored("symbolic")
    assert isinstance(found, OpenResult)
    for what in ("states", "objects"):
        began, count = time.process_time(), 0
        for shape in found.shapes:
            for _ in getattr(shape, what)(0, 50_000):
                count += 1
        rate = count / (time.process_time() - began)
        yield Row(
            subject=f"{what} of the node-caching list 8, streamed",
            figure=f"{rate:,.0f} a second, {count:,} of them",
            promise="at least 300,000 a second",
            kept=rate >= 300_000,
        )


def indexed() -> Row:
    """Reach points by index, compiled and in Python."""
    slots = 11  # in order, below 30
    zone: Zone | None = Zone.box(*[(0, 29)] * slots)
    for i in range(1, slots):
        zone = zone and zone.at_most(i, i + 1, -1)
    assert zone is not None
    rates = []
    for twin in ("auto", "python"):
        found = Points([zone], twin)  # type: ignore[arg-type]
        step = found.count() // 5_000
        seconds, _ = timed(lambda found=found, step=step: [found.at(i * step) for i in range(5_000)])  # type: ignore[misc]
        rates.append(5_000 / seconds)
    return Row(
        subject=f"{found.count():,} points reached by index",
        figure=f"{rates[0]:,.0f} a second, {rates[0] / rates[1]:.1f} times as fast",
        baseline=f"in Python: {rates[1]:,.0f} a second",
    )


def _milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:,.1f} ms" if seconds < 10 else f"{seconds:,.1f} s"


if __name__ == "__main__":
    rows = list(run())
    show("values left open", rows)
    sys.exit(any(row.kept is False for row in rows))
