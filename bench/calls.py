"""Explorations of classes as people write them, against the bare calls: dict and list subclasses, bound methods, views.

`python -m bench calls` takes half a minute. A bare call is the method alone, on an object made before with arguments
made before. What a search of one state takes (values are guessed, code is read) is not counted. Classes of released
packages are measured where they are installed.
"""

from __future__ import annotations

import heapq
import importlib
import random
import time
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from bench.rows import Row
from unlike.explore import explore
from unlike.recipe import run as run_recipe

SCOPE, STATES, PAIRS = 3, 4_000, 4_000
OWN = 4  # the scope of the classes here: they are small
SHORT = 5e-6  # seconds of a bare call
MOST = 20e-6  # seconds of an explored one, where the bare one is short: 50,000 a second
RATIO = 12  # the same promise where the machine is slower
PACKAGES = "ordered_set:OrderedSet", "boltons.queueutils:HeapPriorityQueue", "bidict:bidict", "networkx:DiGraph"


class Tally(dict[int, int]):
    """A dict subclass with a field and a method of its own as a field."""

    def __init__(self) -> None:
        super().__init__()
        self.total = 0
        self.note = self.add

    def add(self, key: int) -> None:
        """Count it once more."""
        self[key] = min(self.get(key, 0) + 1, 2)
        self.total = sum(self.values())

    def drop(self, key: int) -> int:
        """Count it no more."""
        count = self.pop(key)
        self.total -= count
        return count


class History(list[int]):
    """A list subclass that takes lists."""

    def keep(self, numbers: list[int]) -> None:
        """Keep the last three."""
        self[:] = [*self, *numbers][-3:]

    def forget(self, number: int) -> None:
        """Forget one."""
        self.remove(number)


class Schedule:
    """A heap of lists, and a dict of the same lists."""

    def __init__(self) -> None:
        self.heap: list[list[int]] = []
        self.entries: dict[int, list[int]] = {}

    def add(self, task: int, priority: int) -> None:
        """Add a task, or change its priority."""
        if task in self.entries:
            self.remove(task)
        self.entries[task] = entry = [priority, task]
        heapq.heappush(self.heap, entry)

    def remove(self, task: int) -> None:
        """Remove a task."""
        self.heap.remove(self.entries.pop(task))
        heapq.heapify(self.heap)

    def peek(self) -> int:
        """Return the first."""
        return self.heap[0][1]


class Graph:
    """Dicts of dicts, and a view that is kept once it was asked for."""

    def __init__(self) -> None:
        self.after: dict[int, dict[int, int]] = {}
        self.view: Any = None

    def link(self, one: int, other: int) -> None:
        """Link two nodes."""
        self.after.setdefault(one, {})[other] = 1
        self.after.setdefault(other, {})

    def unlink(self, one: int, other: int) -> None:
        """Take the link away."""
        del self.after[one][other]

    def nodes(self) -> Any:
        """Return the nodes."""
        if self.view is None:
            self.view = self.after.keys()
        return self.view


def run() -> Iterator[Row]:
    """Yield a row for each class."""
    for cls in (Tally, History, Schedule, Graph):
        yield measure(cls, OWN)
    for name in PACKAGES:
        module, _, cls_name = name.partition(":")
        try:
            yield measure(getattr(importlib.import_module(module), cls_name))
        except ModuleNotFoundError:
            continue


def measure(cls: type, scope: int = SCOPE) -> Row:
    """Return how many calls are made in a second of processor time, and what the calls alone take."""
    beginning, _ = timed(cls, scope, 1)
    spent, result = timed(cls, scope, STATES)
    each = max(spent / 2, spent - beginning) / result.calls  # a small one may take as long to begin
    bare = bare_seconds(cls, result)
    kept = each <= MOST or each <= RATIO * bare if bare <= SHORT else None
    return Row(
        cls.__name__,
        f"{1 / each:,.0f} calls/s, {each * 1e6:.1f} µs each",
        f"the call alone {bare * 1e6:.1f} µs: {each / bare:.1f} times",
        f"50,000 calls/s, or {RATIO} times, where the call alone takes less than {SHORT * 1e6:.0f} µs",
        kept,
    )


def timed(cls: type, scope: int, states: int) -> tuple[float, Any]:
    """Return the processor time of an exploration in this process, and what it found."""
    began = time.process_time()
    result = explore(cls, scope=scope, values="concrete", in_process=True, most_states=states, protocols=False)
    return time.process_time() - began, result


def bare_seconds(cls: type, result: Any) -> float:
    """Return the processor time of a call without anything around it, as a mean over states and calls."""
    rng, search = random.Random(0), result.search
    calls = [each for each in search.code.unary_calls(cls) if not each.template.kwargs]
    cases = rng.choices(list(result.suite), k=min(PAIRS, 40 * len(calls)))
    ready = []
    for case in cases:
        call = rng.choice(calls)
        thing = run_recipe(case.recipe)
        _, args, _ = call.template.fill([thing], lambda value: value)
        ready.append((call.template.operation.perform, thing, args))
    began = time.process_time()
    for perform, thing, args in ready:
        with suppress(Exception):  # refused
            perform(thing, args, {})
    return (time.process_time() - began) / len(ready)
