"""Field values of very many structures are read off the zones of their blocks: the same pairs as listing them gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from examples.structures.binary_search_tree import BinarySearchTree
from examples.structures.binomial_heap import BinomialHeap
from examples.structures.node_caching_linked_list import NodeCachingLinkedList
from examples.structures.sorted_chain import SortedChain
from tests.corpora import few_of
from tests.invariants.test_container_fields import Everything

from unlike.field_exhaustive import fields, verbs
from unlike.field_exhaustive.pairs import pairs_of
from unlike.invariants.structure import structure_of
from unlike.suite import Ending


class PairingNode:
    def __init__(self, key: int) -> None:
        self.key = key
        self.child: PairingNode | None = None
        self.sibling: PairingNode | None = None


class PairingHeap:
    def __init__(self) -> None:
        self.root: PairingNode | None = None
        self.size = 0

    def rep_ok(self) -> bool:
        seen: set[int] = set()
        if self.root is None:
            return self.size == 0
        if self.root.sibling is not None:
            return False
        work = [(self.root, self.root.key)]
        while work:
            node, least = work.pop()
            if id(node) in seen or node.key < least:
                return False
            seen.add(id(node))
            if node.sibling is not None:
                work.append((node.sibling, least))
            if node.child is not None:
                work.append((node.child, node.key))
        return self.size == len(seen)


class Unread:
    def __init__(self, low: int, high: int, name: str) -> None:
        self.low, self.high, self.name = low, high, name

    def rep_ok(self) -> bool:
        return self.low < self.high


SUBJECTS: list[tuple[type, int, Callable[[Any], bool] | None]] = [
    (PairingHeap, 4, None),
    (BinarySearchTree, 4, None),
    (NodeCachingLinkedList, 3, None),
    (SortedChain, 4, None),
    (BinomialHeap, 4, None),
    (Unread, 5, None),
    (Everything, 2, lambda self: len(self.spans) == 1 and not (self.waiting or self.counts or self.names)),
    (Unread, 5, lambda self: self.low + 2 <= self.high),
]


@pytest.mark.few(2)
@pytest.mark.parametrize(("cls", "scope", "invariant"), few_of(SUBJECTS, 4))
@pytest.mark.parametrize("numbering", ["breadth-first", "depth-first"])
def test_projecting_shows_the_same_pairs_as_listing(
    cls: type, scope: int, invariant: Any, numbering: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked = {"engine": "search", "numbering": numbering, "invariant": invariant or "rep_ok"}
    listed = fields(cls, scope, **asked)  # type: ignore[arg-type]
    monkeypatch.setattr(verbs, "MOST_LISTED", 0)

    projected = fields(cls, scope, **asked)  # type: ignore[arg-type]

    assert projected.shown == listed.shown
    assert projected.infeasible == listed.infeasible
    assert projected.proved
    assert 1 <= projected.bound <= projected.count
    made = [structure_of(case.value, projected.table) for case in projected.suite]
    assert {pair for each in made if each for pair in pairs_of(each, numbering, lambda _: True)} == projected.shown


def test_blocks_that_would_have_to_be_listed_for_very_long_prove_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(verbs, "MOST_LISTED", 0)
    monkeypatch.setattr(verbs, "MOST_STRUCTURES", 4)

    found = fields(PairingHeap, 2, engine="search", invariant=lambda heap: heap.size == 0)  # other objects stay open

    assert found.status.ending is Ending.UNKNOWN
    assert not found.proved


@pytest.mark.corpus
def test_a_pairing_heap_of_scope_6_is_covered_exactly() -> None:
    found = fields(PairingHeap, 6, engine="search")

    assert found.proved
    assert found.shown == fields(PairingHeap, 6, engine="clauses").shown
