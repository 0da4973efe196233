"""The search finds the published number of structures, and the same ones as plain Korat and as exploration."""

from __future__ import annotations

import importlib
import math
from typing import Any

import pytest
from invariant_specimens import Bad, Box, Chain, Club, Drawing, Frozen, Private, Shelf, Slotted, Spoken

import unlike
from unlike.errors import InvariantError
from unlike.explore import explore
from unlike.heap.walkers import make_walker
from unlike.invariants.result import Structures
from unlike.invariants.structure import Structure
from unlike.invariants.verbs import structures
from unlike.scope import Limits

# class, invariant, the counts for scopes 3, 4, 5, …; two published tools agree on them
PUBLISHED: list[tuple[str, str, list[int]]] = [
    ("node_caching_linked_list:NodeCachingLinkedList", "rep_ok", [18, 112, 975, 11_196]),
    ("node_caching_linked_list:NodeCachingLinkedList", "rep_ok_original", [228, 2_930, 44_790, 800_667, 16_434_824]),
    ("binary_search_tree:BinarySearchTree", "rep_ok", [15, 51, 188, 731, 2_950, 12_235]),
    ("singly_linked_list:SinglyLinkedList", "rep_ok", [13, 85, 781, 9_331]),
    ("doubly_linked_ring:DoublyLinkedRing", "rep_ok", [40, 341, 3_906]),
    ("sorted_ring:SortedRing", "rep_ok", [6, 20, 70, 252, 924, 3_432, 12_870]),
    ("sorted_chain:SortedChain", "rep_ok", [math.comb(2 * k - 1, k) for k in range(3, 9)]),
    ("red_black_tree:RedBlackTree", "rep_ok", [16, 41, 115, 327, 911, 2_489, 6_753, 18_439]),
    ("red_black_tree:RedBlackTree", "rep_ok_black_root", [12, 29, 74, 201, 573, 1_673]),
    ("binomial_heap:BinomialHeap", "rep_ok", [28, 120, 936, 7_602]),
    ("binary_tree:BinaryTree", "rep_ok", [9, 23, 65, 197]),  # sums of Catalan numbers
]
# what the API builds is what the invariant accepts, at scope 3
EXACT = {
    "node_caching_linked_list:NodeCachingLinkedList": "add_last|remove_index",
    "binary_search_tree:BinarySearchTree": "insert",
    "singly_linked_list:SinglyLinkedList": "add",
    "doubly_linked_ring:DoublyLinkedRing": "add",
    "sorted_ring:SortedRing": "add",
    "sorted_chain:SortedChain": "add",
    "binomial_heap:BinomialHeap": "insert|extract_min",
    "avl_tree:AVLTree": "insert|remove",
}


def cls_of(name: str) -> type:
    module, _, qualname = name.partition(":")
    found = getattr(importlib.import_module(f"examples.structures.{module}"), qualname)
    assert isinstance(found, type)
    return found


def every(found: Structures) -> list[Structure]:
    return [found.structures.at(index) for index in range(found.count)]  # type: ignore[misc]


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("name", "invariant", "scope", "count"),
    [
        pytest.param(
            *(name, invariant, scope, count),
            id=f"{name.partition(':')[2]}-{invariant}-{scope}",
            marks=pytest.mark.corpus if scope > 5 else (),
        )
        for name, invariant, counts in PUBLISHED
        for scope, count in enumerate(counts, start=3)
    ],
)
def test_the_search_counts_the_published_number_of_structures(
    name: str, invariant: str, scope: int, count: int
) -> None:
    found = structures(cls_of(name), scope, invariant=invariant, count_only=True, in_process=scope > 3)

    assert found.count == count
    assert found.status.ending is unlike.Ending.COMPLETE


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("cls", "invariant", "scope"),
    [
        *(pytest.param(cls_of(name), invariant, 3, id=f"{name}-{invariant}") for name, invariant, _ in PUBLISHED),
        (cls_of("binary_search_tree:BinarySearchTree"), "rep_ok", 4),
        (cls_of("avl_tree:AVLTree"), "rep_ok", 4),
        (cls_of("fibonacci_heap:FibonacciHeap"), "rep_ok", 3),
        (cls_of("hash_map:HashMap"), "rep_ok", 3),
        (cls_of("lru_cache:LRUCache"), "rep_ok", 3),
        (cls_of("union_find:UnionFind"), "rep_ok", 2),
        (cls_of("variable_store:VariableStore"), "rep_ok", 2),
        (Chain, "rep_ok", 3),
        (Private, "rep_ok", 2),
        (Spoken, "rep_ok", 3),
        (Shelf, "rep_ok", 2),
        (Drawing, "rep_ok", 2),
        (Box, "rep_ok", 2),
        (Frozen, "rep_ok", 4),
        (Slotted, "rep_ok", 4),
        (Club, "rep_ok", 3),
        (Bad, "is_true", 1),
    ],
)
def test_search_and_plain_korat_find_the_same_structures(cls: type, invariant: str, scope: int) -> None:
    searched = structures(cls, scope, invariant=invariant, in_process=True)
    reference = structures(cls, scope, invariant=invariant, engine="korat", in_process=True)

    assert searched.count == reference.count > 0
    walk = make_walker(Limits(dict_order=False)).walk
    assert {walk(case.value) for case in searched.suite} == {walk(case.value) for case in reference.suite}
    assert len({walk(case.value) for case in searched.suite}) == searched.count
    if not searched.table.is_unordered:
        assert set(every(searched)) == set(every(reference))


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("name", "invariant", "scope"),
    [
        ("red_black_tree:RedBlackTree", "rep_ok", 4),
        ("red_black_tree:RedBlackTree", "rep_ok_black_root", 4),
        ("binary_search_tree:BinarySearchTree", "rep_ok", 5),
        ("node_caching_linked_list:NodeCachingLinkedList", "rep_ok_original", 3),
        ("binomial_heap:BinomialHeap", "rep_ok", 4),
        ("avl_tree:AVLTree", "rep_ok", 4),
        ("sorted_ring:SortedRing", "rep_ok", 4),
    ],
)
def test_the_hybrid_finds_the_same_structures(name: str, invariant: str, scope: int) -> None:
    pytest.importorskip("pysat")
    cls = cls_of(name)

    hybrid = structures(cls, scope, invariant=invariant, engine="hybrid", in_process=True)
    searched = structures(cls, scope, invariant=invariant, engine="search", in_process=True)

    assert hybrid.engine == "hybrid"
    assert hybrid.count == searched.count
    assert set(every(hybrid)) == set(every(searched))


@pytest.mark.corpus
def test_the_hybrid_is_taken_where_a_search_takes_many_runs() -> None:
    pytest.importorskip("pysat")
    cls = cls_of("red_black_tree:RedBlackTree")

    assert structures(cls, 4, count_only=True).engine == "search"
    assert structures(cls, 6, count_only=True).engine == "hybrid"
    assert structures(cls, 6, count_only=True, engine="search").count == 327


def test_clauses_that_know_a_shape_which_the_invariant_rejects_are_not_trusted(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("pysat")
    cls = cls_of("red_black_tree:RedBlackTree")
    root, node = cls, cls_of("red_black_tree:Node")
    wrong = [[((root, 0), "root", (node, 0)), ((node, 0), "left", (node, 0))]]  # a circle
    monkeypatch.setattr("unlike.invariants.search_in_copy._shapes", lambda _: iter(wrong))

    with pytest.raises(InvariantError, match="the hybrid cannot be used: it finds other structures than the search"):
        structures(cls, 4, engine="hybrid", in_process=True)
    assert structures(cls, 6, in_process=True).count == 327  # by the search


def test_the_hybrid_says_what_it_cannot_do() -> None:
    pytest.importorskip("pysat")
    with pytest.raises(
        InvariantError, match="the hybrid cannot be used: a field holds a container; use --engine search"
    ):
        structures(cls_of("hash_map:HashMap"), 3, engine="hybrid")


@pytest.mark.few(3)
@pytest.mark.parametrize("name", EXACT)
def test_search_and_exploration_find_the_same_objects(name: str) -> None:
    explored = explore(cls_of(name), scope=3, methods=EXACT[name], dict_order=False)
    found = structures(cls_of(name), 3, in_process=True)

    walk = make_walker(Limits(dict_order=False)).walk
    accepted = {walk(case.value) for case in found.suite}
    built = {walk(case.value) for case in explored.suite}
    assert accepted == built


def test_every_case_is_accepted_by_the_unmodified_invariant_and_unlike_the_others() -> None:
    found = structures(cls_of("binomial_heap:BinomialHeap"), 4)

    things: list[Any] = found.suite.values
    assert len(found.suite) == len(things) == 120
    assert all(thing.rep_ok() for thing in things)
    assert len({case.label for case in found.suite}) == 120
    assert len({case.id for case in found.suite}) == 120


def test_the_same_search_gives_the_same_cases_in_the_same_order() -> None:
    cls = cls_of("red_black_tree:RedBlackTree")

    first, second = (structures(cls, 4, in_process=flag).suite for flag in (False, True))

    assert list(first) == list(second)


def test_all_labels_tell_structures_apart_by_the_objects_they_are_made_of() -> None:
    cls = cls_of("binary_search_tree:BinarySearchTree")

    found = structures(cls, 4, all_labels=True)
    reference = structures(cls, 4, all_labels=True, engine="korat", in_process=True)

    # sum over n of C(4, n) Catalan(n) 4!/(4-n)!
    assert found.count == reference.count == 977
    assert {case.recipe for case in found.suite} == {case.recipe for case in reference.suite}
    assert len({case.recipe for case in found.suite}) == 977


def test_all_labels_count_objects_that_only_open_fields_lead_to() -> None:
    searched, reference = (
        structures(
            Bad, 1, invariant="is_true", all_labels=True, engine=engine, objects={"Bad": 3}, fields={"Bad.numbers": [0]}
        )
        for engine in ("search", "korat")
    )

    assert searched.count == reference.count
    assert {case.recipe for case in searched.suite} == {case.recipe for case in reference.suite}


def test_an_invariant_that_reads_nothing_is_counted_without_listing() -> None:
    found = structures(Bad, 8, invariant="is_true", fields={"Bad.numbers": [0]}, count_only=True)

    assert found.count > 10**7
    assert found.notes == ("is_true accepts every structure: it reads no field",)
    assert found.seen.runs == 1


def test_open_fields_are_counted_exactly() -> None:
    found = structures(Bad, 3, invariant="is_true", fields={"Bad.numbers": [0]})

    # a chain of n objects ends in None, or leads back to one of the n: n + 1 ways, and 3 numbers for each object
    assert found.count == sum((n + 1) * 3**n for n in (1, 2, 3))
    assert len(set(every(found))) == found.count


def test_n_ends_the_search_early() -> None:
    found = structures(cls_of("binary_search_tree:BinarySearchTree"), 9, n=25)

    assert found.count == len(found.suite) == 25
    assert found.status.ending is unlike.Ending.FOUND
    assert found.seen.runs < 10_000


def test_a_timeout_cuts_short_and_keeps_what_was_found() -> None:
    found = structures(cls_of("red_black_tree:RedBlackTree"), 12, timeout=0.5)

    assert found.status.ending is unlike.Ending.TIMEOUT
    assert found.status.exit_code == 3


def test_an_impossible_scope_is_an_answer() -> None:
    found = structures(cls_of("scheduler:Scheduler"), 2)  # it has three queues, and a list only two elements

    assert found.count == 0
    assert found.status.ending is unlike.Ending.UNSATISFIABLE
    assert "rep_ok rejects every structure within 2 objects per class" in found.status.detail


def test_a_function_can_be_the_invariant() -> None:
    found = structures(Slotted, 2, invariant=lambda thing: thing.left == thing.right)

    assert [(case.value.left, case.value.right) for case in found.suite] == [(0, 0), (1, 1), (2, 2)]  # type: ignore[attr-defined]


def test_frozen_classes_are_built_past_their_own_setattr() -> None:
    found = structures(Frozen, 3)

    assert {(each.low, each.high) for each in found.suite.values} == {  # type: ignore[attr-defined]
        (low, high) for low in range(3) for high in range(low, 3)
    }


def test_classes_are_as_they_were_after_a_search() -> None:
    before = dict(vars(Chain))

    structures(Chain, 2, in_process=True)

    assert dict(vars(Chain)) == before
    thing = Chain()
    thing.push(3)
    assert thing.rep_ok()


class Befriended:
    friends: set[Befriended]


class Unread:
    someone: Befriended | None

    def rep_ok(self) -> bool:
        return True


def test_objects_that_nobody_looked_at_have_every_set_of_objects() -> None:
    # nobody; and a graph of one or two objects from someone on: 2 and 8 ways, counted by plain Korat
    assert structures(Unread, 2).count == structures(Unread, 2, engine="korat").count == 11
