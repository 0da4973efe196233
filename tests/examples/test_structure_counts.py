"""What the builders of a structure reach, against the counts that two published tools agree on."""

import pytest
from examples.structures.binary_search_tree import BinarySearchTree
from examples.structures.binomial_heap import BinomialHeap
from examples.structures.doubly_linked_ring import DoublyLinkedRing
from examples.structures.node_caching_linked_list import NodeCachingLinkedList
from examples.structures.red_black_tree import RedBlackTree
from examples.structures.singly_linked_list import SinglyLinkedList
from examples.structures.sorted_chain import SortedChain
from examples.structures.sorted_ring import SortedRing
from small_explorer import explore

COUNTS = [
    (NodeCachingLinkedList, "add_last remove_index", [18, 112, 975]),
    (BinarySearchTree, "insert", [15, 51, 188, 731]),
    (SinglyLinkedList, "add", [13, 85, 781]),
    (DoublyLinkedRing, "add", [40, 341, 3_906]),
    (SortedRing, "add", [6, 20, 70, 252, 924]),
    (SortedChain, "add", [10, 35, 126, 462]),  # C(2k-1, k)
    (RedBlackTree, "add remove", [11, 29, 72, 197, 561]),
    (BinomialHeap, "insert extract_min", [28, 120, 936]),
]


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("cls", "builders", "scope", "count"),
    [
        pytest.param(cls, builders, scope, count, id=f"{cls.__name__}-{scope}")
        for cls, builders, counts in COUNTS
        for scope, count in enumerate(counts, start=3)
    ],
)
def test_builders_reach_exactly_the_published_number_of_objects(cls, builders, scope, count):
    exploration = explore(cls, builders=builders, scope=scope)

    assert len(exploration.objects) == count
    assert exploration.failures == []


def test_red_black_trees_need_remove_as_a_builder_from_scope_four_on():
    with_add_alone = [len(explore(RedBlackTree, builders="add", scope=scope).objects) for scope in (3, 4, 5)]

    assert with_add_alone == [11, 25, 62]


def test_red_black_trees_are_built_with_a_black_root():
    exploration = explore(RedBlackTree, builders="add remove", scope=5)

    assert all(tree.rep_ok_black_root() for tree in exploration.objects)
