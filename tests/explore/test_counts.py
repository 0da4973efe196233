"""The published counts, with the builders, at every scope up to 20,000 states."""

import importlib
import math
from typing import Any

import pytest

from unlike.explore import explore
from unlike.heap.walkers import PythonWalker, native_is_built

# class, builders, then the counts for scopes 3, 4, 5, …, as two published tools found them
PUBLISHED: dict[str, tuple[str, str, list[int]]] = {
    "node_caching_linked_list:NodeCachingLinkedList": ("add_last|remove_index", "", [18, 112, 975, 11_196]),
    "binary_search_tree:BinarySearchTree": ("insert", "", [15, 51, 188, 731, 2_950, 12_235]),
    "singly_linked_list:SinglyLinkedList": ("add", "", [13, 85, 781, 9_331]),
    "doubly_linked_ring:DoublyLinkedRing": ("add", "", [40, 341, 3_906]),
    "sorted_ring:SortedRing": ("add", "", [6, 20, 70, 252, 924, 3_432, 12_870]),
    "red_black_tree:RedBlackTree": ("add|remove", "", [11, 29, 72, 197, 561, 1_657, 4_748, 14_077]),
    "binomial_heap:BinomialHeap": ("insert|extract_min", "", [28, 120, 936, 7_602]),
}


def cases() -> list[Any]:
    return [
        pytest.param(name, methods, scope, count, id=f"{name.partition(':')[2]}-{scope}")
        for name, (methods, _, counts) in PUBLISHED.items()
        for scope, count in enumerate(counts, start=3)
    ]


def cls_of(name: str) -> type:
    module, _, qualname = name.partition(":")
    found = getattr(importlib.import_module(f"examples.structures.{module}"), qualname)
    assert isinstance(found, type)
    return found


@pytest.mark.corpus
@pytest.mark.parametrize(("name", "methods", "scope", "count"), cases())
def test_exploration_finds_the_published_number_of_states(name: str, methods: str, scope: int, count: int) -> None:
    result = explore(cls_of(name), scope=scope, methods=methods, values="concrete")

    assert result.states == count
    assert not result.status.cut_short
    assert not result.errors
    assert result.steady


def test_the_walk_that_a_test_is_named_after_is_the_one_it_uses(walk_in_use: str) -> None:
    result = explore(cls_of("red_black_tree:RedBlackTree"), scope=3, methods="add", values="concrete")

    assert isinstance(result.search.code.walker, PythonWalker) == (walk_in_use == "python")


@pytest.mark.parametrize("scope", [3, 4])
def test_the_compiled_and_the_python_walker_find_the_same_states(scope: int) -> None:
    cls, walks = cls_of("red_black_tree:RedBlackTree"), ["python", *(["native"] if native_is_built() else [])]

    states = [
        [
            case.label
            for case in explore(cls, scope=scope, methods="add|remove", implementation=which, values="concrete").suite
        ]
        for which in walks
    ]

    assert states[0] == states[-1]


def test_with_add_alone_fewer_red_black_trees_are_found() -> None:
    cls = cls_of("red_black_tree:RedBlackTree")

    assert [explore(cls, scope=scope, methods="add", values="concrete").states for scope in (4, 5, 6)] == [25, 62, 165]


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("name", "builders", "scope"),
    [
        ("binary_search_tree:BinarySearchTree", "insert", 4),
        ("red_black_tree:RedBlackTree", "add|remove", 5),
        ("binomial_heap:BinomialHeap", "insert|extract_min", 3),
        ("singly_linked_list:SinglyLinkedList", "add", 3),
        ("sorted_ring:SortedRing", "add", 4),
    ],
)
def test_all_methods_and_the_builders_alone_find_the_same_states(name: str, builders: str, scope: int) -> None:
    cls = cls_of(name)

    whole = explore(cls, scope=scope)
    few = explore(cls, scope=scope, methods=builders)

    assert whole.states == few.states
    walker = few.search.code.walker
    states = {walker.walk(case.value) for case in whole.suite}
    assert states == {walker.walk(case.value) for case in few.suite}


@pytest.mark.parametrize(
    ("name", "methods", "calls"),
    [
        ("node_caching_linked_list:NodeCachingLinkedList", "add_last|remove_index", 5),
        ("binary_search_tree:BinarySearchTree", "insert", 5),
        ("red_black_tree:RedBlackTree", "add|remove", 5),
    ],
)
def test_every_sequence_run_from_its_start_finds_the_same_states(name: str, methods: str, calls: int) -> None:
    cls = cls_of(name)

    matched = explore(cls, scope=3, methods=methods, calls=calls)
    plain = explore(cls, scope=3, methods=methods, calls=calls, state_matching=False)

    assert [case.label for case in plain.suite] == [case.label for case in matched.suite]
    assert plain.calls > matched.calls


def test_the_number_of_search_trees_follows_its_law() -> None:
    cls = cls_of("binary_search_tree:BinarySearchTree")
    scope = 6

    # choose the keys, then the shape: C(k, s) Catalan(s)
    law = sum(math.comb(scope, size) * math.comb(2 * size, size) // (size + 1) for size in range(scope + 1))

    assert explore(cls, scope=scope, methods="insert", values="concrete").states == law == 731
