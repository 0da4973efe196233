"""Structures from an invariant: the search against our own plain Korat, and against published times.

Korat in Java took 75 s for search trees of scope 10 and 163 s for the node-caching list of scope 8, on a machine like
ours; 283 s for red-black trees of scope 12 are published.
"""

from __future__ import annotations

import time
from collections.abc import Iterator

from examples.structures.binary_search_tree import BinarySearchTree
from examples.structures.binomial_heap import BinomialHeap
from examples.structures.node_caching_linked_list import NodeCachingLinkedList
from examples.structures.red_black_tree import RedBlackTree

from bench.rows import Row, show
from unlike.invariants.result import Structures
from unlike.invariants.verbs import structures


def run() -> list[Row]:
    return [*against_korat(), *counted()]


def timed(cls: type, scope: int, **options: object) -> tuple[Structures, float]:
    """Search in this process, and return what was found with the processor's seconds."""
    began = time.process_time()
    found = structures(cls, scope, in_process=True, count_only=True, **options)  # type: ignore[arg-type]
    return found, time.process_time() - began


def against_korat() -> Iterator[Row]:
    """Find the same structures by both engines."""
    for scope, promised in ((7, 10), (8, 15)):
        found, seconds = timed(BinarySearchTree, scope, engine="search")
        reference, slow = timed(BinarySearchTree, scope, engine="korat")
        assert found.count == reference.count
        yield Row(
            f"BinarySearchTree {scope}, {found.count:,} structures",
            f"{seconds:.2f} s, {found.seen.runs:,} runs",
            f"plain Korat {slow:.2f} s, {reference.seen.runs:,} runs: {slow / seconds:.1f} ×",
            f"at least {promised} times faster",
            slow / seconds >= promised,
        )


def counted() -> Iterator[Row]:
    """Count larger scopes, for orientation."""
    for cls, scope, count, published in (
        (BinarySearchTree, 9, 51_822, "Korat in Java 9.5 s"),
        (BinarySearchTree, 10, 223_191, "Korat in Java 75 s"),
        (BinomialHeap, 8, 603_744, "Korat in Java 7.5 s at scope 9"),
        (NodeCachingLinkedList, 8, 2_739_136, "Korat in Java 163 s"),
        (RedBlackTree, 10, 18_439, "Korat in Java 4.9 s"),
        (RedBlackTree, 12, 146_073, "Korat in Java 283 s published"),
    ):
        found, seconds = timed(cls, scope)
        yield Row(
            f"{cls.__name__} {scope}, {found.count:,} structures",
            f"{seconds:.2f} s, {found.seen.runs:,} runs, {found.engine}",
            published,
            "counts right",
            found.count == count,
        )


if __name__ == "__main__":
    show("structures", run())
