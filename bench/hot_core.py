"""The walk over object graphs: speed against a pickle loop and a deepcopy loop, memory per known state.

`python -m bench.hot_core` takes about two minutes. Subject and baseline take turns on the same states, a few at a time,
so that a machine that is busy with something else slows both. Times are those of the process, not of the wall.
"""

from __future__ import annotations

import copy
import gc
import multiprocessing
import pickle
import resource
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

from examples.structures.binary_search_tree import BinarySearchTree
from examples.structures.node_caching_linked_list import Node as ListNode, NodeCachingLinkedList
from examples.structures.red_black_tree import RedBlackTree

from bench.rows import Row, show
from unlike.core import Implementation
from unlike.heap.store import States, WalkerCall
from unlike.heap.walkers import Walker, make_store, make_walker, native_is_built
from unlike.scope import Limits

BLOCK = 200  # states per turn of the subject; the baseline takes its turn on some of them


@dataclass(frozen=True, slots=True)
class Subject:
    """A class, the methods that build its objects, and the scope."""

    cls: type
    methods: tuple[str, ...]
    scope: int
    states: int  # as known from two other tools

    def __str__(self) -> str:
        return f"{self.cls.__name__} {self.scope}"

    @property
    def calls(self) -> tuple[WalkerCall, ...]:
        """Every method with every int below the scope."""
        return tuple(WalkerCall(name, (value,)) for name in self.methods for value in range(self.scope))


LIST = ("add_last", "remove_index")
LARGE = (
    Subject(NodeCachingLinkedList, LIST, 7, 160_132),
    Subject(BinarySearchTree, ("insert",), 9, 51_822),
    Subject(RedBlackTree, ("add", "remove"), 10, 14_077),
)
SMALL = (
    Subject(NodeCachingLinkedList, LIST, 6, 11_196),
    Subject(BinarySearchTree, ("insert",), 8, 12_235),
    Subject(RedBlackTree, ("add", "remove"), 9, 4_748),
)
HUGE = Subject(NodeCachingLinkedList, LIST, 8, 2_739_136)


class Clock:
    """Adds up the processor time and the calls of one contestant."""

    def __init__(self) -> None:
        self.seconds = 0.0
        self.calls = 0

    def take(self, calls: int, work: Callable[[], object]) -> None:
        """Do the work and count it."""
        gc.collect()
        gc.freeze()  # what one contestant keeps must not slow the other's collections
        began = time.process_time()
        work()
        self.seconds += time.process_time() - began
        self.calls += calls

    @property
    def rate(self) -> float:
        """Calls a second."""
        return self.calls / self.seconds


# -- the baselines ---------------------------------------------------------------------------------


def pickle_loop(states: list[bytes], calls: tuple[WalkerCall, ...], known: set[bytes]) -> None:
    """Load, call, dump, look up."""
    for state in states:
        for call in calls:
            thing = pickle.loads(state)
            try:
                getattr(thing, call.target)(*call.args)  # type: ignore[arg-type]
            except IndexError:
                continue
            known.add(pickle.dumps(thing, -1))


def deepcopy_loop(things: list[Any], calls: tuple[WalkerCall, ...], known: set[object]) -> None:
    """Copy, call, write down, look up."""
    for thing in things:
        for call in calls:
            copied = copy.deepcopy(thing)
            try:
                getattr(copied, call.target)(*call.args)  # type: ignore[arg-type]
            except IndexError:
                continue
            known.add(written_down(copied))


def written_down(thing: Any) -> tuple[object, ...]:
    """Return the graph as a tuple, objects named in the order in which they are met: what one writes first."""
    numbers, order = {id(thing): 0}, [thing]
    rows: list[object] = []
    for each in order:  # grows while we walk
        rows.append(type(each))
        for name in getattr(each, "__slots__", None) or vars(each):
            part = getattr(each, name)
            if part is None or isinstance(part, (int, str)):
                rows.append(part)
                continue
            if id(part) not in numbers:
                numbers[id(part)] = len(order)
                order.append(part)
            rows.append(("#", numbers[id(part)]))
    return tuple(rows)


# -- the contest -----------------------------------------------------------------------------------


def expand_all(walker: Walker, states: States, calls: tuple[WalkerCall, ...], numbers: range) -> None:
    for number in numbers:
        walker.expand(states, number, None, calls)


def blocks(states: States) -> Iterator[range]:
    """Yield the numbers of the states, block by block, while their number grows."""
    done = 0
    while done < len(states):
        upto = min(done + BLOCK, len(states))
        yield range(done, upto)
        done = upto


def contest(subject: Subject, implementation: Implementation, share: int) -> tuple[Clock, Clock]:
    """Explore the subject; after each block, let the baseline do one in `share` of its states again."""
    walker = make_walker(Limits(objects=subject.scope), implementation=implementation)
    states, calls = make_store(implementation), subject.calls
    first = walker.walk(subject.cls())
    assert isinstance(first, bytes)
    states.add(first)
    ours, theirs, known = Clock(), Clock(), set[Any]()
    for block in blocks(states):
        ours.take(len(block) * len(calls), lambda numbers=block: expand_all(walker, states, calls, numbers))  # type: ignore[misc]
        things = [walker.rebuild(states.state(number))[0] for number in block[::share]]
        if implementation == "python":
            work: Callable[[], object] = partial(deepcopy_loop, things, calls, known)
        else:
            work = partial(pickle_loop, [pickle.dumps(thing, -1) for thing in things], calls, known)
        theirs.take(len(things) * len(calls), work)
    assert len(states) == subject.states, (str(subject), len(states))
    return ours, theirs


def speed(subject: Subject, implementation: Implementation, promised: float) -> Row:
    """Return how many times faster than its baseline a walk explores the subject."""
    baseline = "deepcopy loop" if implementation == "python" else "pickle loop"
    ours, theirs = contest(subject, implementation, 8 if implementation == "python" else 20)
    ratio = ours.rate / theirs.rate
    return Row(
        f"{subject}, {implementation} walk",
        f"{ours.rate:,.0f} calls/s",
        f"{baseline} {theirs.rate:,.0f} calls/s",
        f"{ratio:.1f} times, at least {promised:g}",
        ratio >= promised,
    )


# -- memory ----------------------------------------------------------------------------------------


def peak_bytes() -> int:
    unit = 1 if sys.platform == "darwin" else 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * unit


def explore_alone(subject: Subject, answer: Connection) -> None:
    """Explore in a process of its own; send the peak before, the peak after, the states and the seconds."""
    walker, states = make_walker(Limits(objects=subject.scope)), make_store()
    first = walker.walk(subject.cls())
    assert isinstance(first, bytes)
    states.add(first)
    before, began = resident_bytes(), time.process_time()  # not the peak so far: that was while modules were loaded
    for block in blocks(states):
        expand_all(walker, states, subject.calls, block)
    answer.send((before, peak_bytes(), len(states), time.process_time() - began))


def memory(subject: Subject) -> list[Row]:
    """Return what exploring the subject takes. The frontier is part of the store: a state is its own bytes."""
    here, there = multiprocessing.get_context("spawn").Pipe()
    process = multiprocessing.get_context("spawn").Process(target=explore_alone, args=(subject, there))
    process.start()
    before, after, states, seconds = here.recv()
    process.join()
    assert states == subject.states
    each = (after - before) / states
    return [
        Row(f"{subject}, memory per known state", f"{each:.0f} bytes", "", "at most 100", each <= 100),
        Row(
            f"{subject}, whole process", f"{after / 1e6:,.0f} MB in {seconds:.1f} s", "", "under 1,000 MB", after < 1e9
        ),
    ]


# -- leaks -----------------------------------------------------------------------------------------


def resident_bytes() -> int:
    """Return how much memory the process holds now; at its peak, where that is not said."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
    except OSError:
        return peak_bytes()
    return pages * resource.getpagesize()


def held() -> tuple[list[int], int, int]:
    """Return reference counts of what every walk meets, the number of objects, and the size of the process."""
    gc.collect()
    watched = (None, True, 1, NodeCachingLinkedList, ListNode, int, str)
    return [sys.getrefcount(each) for each in watched], len(gc.get_objects()), resident_bytes()


def leaks(implementation: Implementation, rounds: int) -> Row:
    """Return what is left behind by exploring a list again and again: calls, walks, snapshots, graphs made again."""
    subject = Subject(NodeCachingLinkedList, LIST, 5, 975)
    calls = 0

    def once() -> int:
        walker, states = (
            make_walker(Limits(objects=subject.scope), implementation=implementation),
            make_store(implementation),
        )
        first = walker.walk(subject.cls())
        assert isinstance(first, bytes)
        states.add(first)
        for block in blocks(states):
            expand_all(walker, states, subject.calls, block)
            for number in block:
                (thing,) = walker.rebuild(states.state(number))
                snapshot = walker.snapshot(thing)
                thing.add_last(0)
                assert snapshot.changed()
                assert snapshot.restore()
                assert walker.walk(thing) == states.state(number)
        return len(states) * (len(subject.calls) + 1)

    for _ in range(5):
        once()
    before = held()
    for _ in range(rounds):
        calls += once()
    after = held()
    references = max(abs(a - b) for a, b in zip(before[0], after[0], strict=True))
    objects, size = after[1] - before[1], after[2] - before[2]
    return Row(
        f"what {calls:,} calls leave behind, {implementation} walk",
        f"{references} references, {objects} objects, {size / 1e6:.1f} MB",
        "",
        "at most 1 reference per 1,000 calls, 100 objects, 2 MB",
        references <= calls / 1000 and objects <= 100 and size <= 2e6,
    )


def run() -> list[Row]:
    """Return every figure that the walk promises."""
    rows = [speed(subject, "python", 3) for subject in SMALL]
    rows.append(leaks("python", 10))
    if native_is_built():
        rows += [speed(subject, "native", 9) for subject in LARGE]
        rows.append(leaks("native", 200))
        rows += memory(HUGE)
    return rows


if __name__ == "__main__":
    show(f"the {'compiled' if native_is_built() else 'Python'} walk", run())
