"""The compiled part gives back what it takes: memory does not grow, however often it is called."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from unlike.heap.walkers import make_store, make_walker, native_is_built
from unlike.scope import Limits

pytestmark = pytest.mark.skipif(
    not native_is_built() or not Path("/proc/self/statm").exists(), reason="the compiled walk, and Linux, are needed"
)
MILLION = 1_000_000
WARM = 50_000
GROWTH = 3_000_000  # bytes: three for each call, less than any object takes


class Node:
    def __init__(self, value: object, other: Node | None = None) -> None:
        self.value = value
        self.other = other
        self.items = [value, {"a": value}, (1, 2.5)]


def resident() -> int:
    """Return the memory of this process in bytes."""
    gc.collect()
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def calls() -> dict[str, Callable[[], Any]]:
    """Return what is called: walks, objects made again, snapshots and states that are met again."""
    walker, store = make_walker(Limits(), implementation="native"), make_store("native")
    node = Node("a", Node(2**70))
    captured = walker.capture(node)
    return {
        "walk": lambda: walker.walk(node),
        "capture": lambda: walker.capture(node),
        "rebuild": lambda: walker.rebuild(captured),
        "snapshot": lambda: walker.snapshot(node),
        "a walk that is refused": lambda: walker.walk(Node(open)),
        "store": lambda: store.add(captured),
    }


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["walk", "capture", "rebuild", "snapshot", "a walk that is refused", "store"])
def test_a_million_calls_take_no_memory(name: str) -> None:
    call = calls()[name]
    for _ in range(WARM):
        call()
    before = resident()

    for _ in range(MILLION):
        call()

    assert resident() - before < GROWTH
