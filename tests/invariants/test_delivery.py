"""Structures as cases: each is checked, built as its recipe builds it, and streamed as it is reached by index."""

from __future__ import annotations

from typing import Any

import pytest
from examples.structures.binary_search_tree import BinarySearchTree
from examples.structures.binomial_heap import BinomialHeap
from examples.structures.hash_map import HashMap
from examples.structures.lru_cache import LRUCache
from examples.structures.node_caching_linked_list import NodeCachingLinkedList
from examples.structures.red_black_tree import RedBlackTree
from tests.corpora import few_of
from tests.invariants.test_container_fields import Everything, Link, Picture, Ring

import unlike
from unlike.classes.verb import explore
from unlike.errors import InvariantError
from unlike.heap.walkers import make_walker
from unlike.recipe import run
from unlike.scope import Limits

SUBJECTS: list[tuple[type, int]] = [
    (NodeCachingLinkedList, 3),
    (Ring, 2),
    (BinarySearchTree, 4),
    (RedBlackTree, 4),
    (BinomialHeap, 3),
    (HashMap, 2),
    (LRUCache, 2),
    (Everything, 2),
    (Picture, 2),
]


@pytest.mark.parametrize(("cls", "scope"), few_of(SUBJECTS, 4))
def test_a_case_builds_what_its_recipe_builds_and_streams_in_order(cls: type, scope: int) -> None:
    walker = make_walker(Limits())
    suite = unlike.structures(cls, scope).suite

    streamed = list(suite.stream())

    assert streamed == [suite[place] for place in range(len(suite))]
    assert [walker.walk(case.value) for case in streamed] == [walker.walk(run(case.recipe)) for case in streamed]


@pytest.mark.parametrize("values", ["symbolic", "concrete"])
def test_sequences_that_share_their_beginning_are_those_that_are_made_alone(values: Any) -> None:
    def found() -> Any:
        return explore(NodeCachingLinkedList, scope=3, methods="add_last|remove_index", values=values).suite

    alone = [found()[place].recipe for place in (17, 0, 9)]
    cases = list(found().stream())

    assert [cases[place].recipe for place in (17, 0, 9)] == alone
    assert len({case.id for case in cases}) == len({case.recipe for case in cases}) == 18


def test_an_invariant_that_changes_what_it_looks_at_is_refused_when_a_case_is_handed_out() -> None:
    changing = False

    def look(self: Any) -> bool:
        if changing:
            object.__setattr__(self, "value", 1 - self.value)
        return True

    found = unlike.structures(Link, 1, invariant=look, in_process=True)
    changing = True

    with pytest.raises(InvariantError, match="changes the object it looks at"):
        next(found.suite.stream())
