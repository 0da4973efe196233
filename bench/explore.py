"""Exploration at the larger published scopes: the counts must come out, and the whole search is timed.

`python -m bench.explore` takes about six minutes with the compiled walk. The baseline is a loop that copies the object
for every call (`copy.deepcopy`, call, `pickle.dumps` as the form, look up), timed on a scope it can finish. Both run in
this process; `python -m bench.workers` says what another process costs.
"""

from __future__ import annotations

import copy
import importlib
import pickle
import time
from dataclasses import dataclass
from typing import Any

from bench.rows import Row, show
from unlike.explore import explore
from unlike.heap.walkers import native_is_built


@dataclass(frozen=True, slots=True)
class Subject:
    """A class, its builders, a scope and the published count; and a scope small enough for the baseline."""

    place: str
    methods: str
    scope: int
    states: int
    small: int

    @property
    def cls(self) -> type:
        """The class itself."""
        module, _, name = self.place.partition(":")
        found = getattr(importlib.import_module(f"examples.structures.{module}"), name)
        assert isinstance(found, type)
        return found


SUBJECTS = (
    Subject("node_caching_linked_list:NodeCachingLinkedList", "add_last|remove_index", 7, 160_132, 5),
    Subject("binary_search_tree:BinarySearchTree", "insert", 10, 223_191, 7),
    Subject("red_black_tree:RedBlackTree", "add|remove", 12, 112_237, 8),
    Subject("singly_linked_list:SinglyLinkedList", "add", 7, 137_257, 5),
    Subject("doubly_linked_ring:DoublyLinkedRing", "add", 6, 55_987, 5),
    Subject("sorted_ring:SortedRing", "add", 10, 48_620, 8),
    Subject("binomial_heap:BinomialHeap", "insert|extract_min", 7, 107_416, 5),
)

CONCRETE: dict[str, Any] = {"values": "concrete", "in_process": True}  # one object after the other, in this process

LARGEST = (
    Subject("binary_search_tree:BinarySearchTree", "insert", 9, 51_822, 7),
    Subject("red_black_tree:RedBlackTree", "add|remove", 11, 39_942, 8),
    Subject("node_caching_linked_list:NodeCachingLinkedList", "add_last|remove_index", 8, 2_739_136, 5),
    Subject("singly_linked_list:SinglyLinkedList", "add", 8, 2_396_745, 5),
    Subject("doubly_linked_ring:DoublyLinkedRing", "add", 7, 960_800, 5),
    Subject("binomial_heap:BinomialHeap", "insert|extract_min", 8, 603_744, 5),
)


def run() -> list[Row]:
    """Return one row per class: the count, the calls a second, and how many times a deepcopy loop that is."""
    return [*measured(), *counted()]


def counted() -> list[Row]:
    """Return the counts at the largest published scopes."""
    rows = []
    for subject in LARGEST:
        began = time.process_time()
        result = explore(subject.cls, scope=subject.scope, methods=subject.methods, **CONCRETE)
        seconds = time.process_time() - began
        figure = f"{result.states:,} states, {result.calls:,} calls in {seconds:.1f} s"
        kept = result.states == subject.states and not result.status.cut_short
        rows.append(Row(f"{subject.cls.__name__} {subject.scope}", figure, "", f"{subject.states:,} states", kept))
    return rows


def measured() -> list[Row]:
    """Return the counts and the speed at scopes that take some seconds."""
    rows = []
    for subject in SUBJECTS:
        began = time.process_time()
        result = explore(subject.cls, scope=subject.scope, methods=subject.methods, **CONCRETE)
        seconds = time.process_time() - began
        speed = result.calls / seconds
        baseline = deepcopy_speed(subject)
        rows.append(
            Row(
                f"{subject.cls.__name__} {subject.scope}",
                f"{result.states:,} states, {result.calls:,} calls in {seconds:.1f} s: {speed:,.0f} calls/s",
                f"deepcopy loop {baseline:,.0f} calls/s: {speed / baseline:.1f} times",
                f"{subject.states:,} states, 3 times the loop",
                result.states == subject.states and not result.status.cut_short and speed >= 3 * baseline,
            )
        )
    return rows


def deepcopy_speed(subject: Subject) -> float:
    """Return the calls a second of a loop that copies the object for each call, at the small scope."""
    names = subject.methods.split("|")
    calls = [
        (name, (value,) if subject.cls.__dict__[name].__code__.co_argcount > 1 else ())
        for name in names
        for value in range(subject.small if subject.cls.__dict__[name].__code__.co_argcount > 1 else 1)
    ]
    frontier = [subject.cls()]
    known = {pickle.dumps(frontier[0])}
    made = 0
    began = time.process_time()
    for thing in frontier:  # grows while we walk
        for name, args in calls:
            other = copy.deepcopy(thing)
            made += 1
            try:
                getattr(other, name)(*args)
            except (ValueError, IndexError, KeyError):
                continue
            form = pickle.dumps(other)
            if len(form) < 40 * subject.small + 400 and form not in known and len(known) < 3_000:
                known.add(form)
                frontier.append(other)
        if made > 20_000:
            break
    return made / (time.process_time() - began)


def main() -> None:
    show(f"exploration ({'compiled' if native_is_built() else 'Python'} walk)", run())


if __name__ == "__main__":
    main()
