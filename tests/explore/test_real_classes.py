"""Classes that other people wrote: what docs/explore.md says about them is true."""

import heapq
import itertools
from typing import Any

import bidict
import cachetools
import intervaltree
import networkx
import pytest
import sortedcontainers

from unlike.explore import explore
from unlike.suite import Ending

VALUES = [0, 1, 2]


def test_heapq_builds_every_heap_and_nothing_else() -> None:
    result = explore(
        list, heapq.heappush, heapq.heappop, scope=4, methods="heappush|heappop",
        literals={"heap": list, "item": VALUES, "iterable": []},
    )  # fmt: skip

    heaps = {
        items
        for size in range(5)
        for items in itertools.product(VALUES, repeat=size)
        if all(items[(i - 1) // 2] <= items[i] for i in range(1, size))
    }
    built = {tuple(case.value) for case in result.suite}
    assert built <= heaps
    assert result.errors == ()
    # pushes and pops reach every arrangement that is a heap at all
    assert built == heaps


def test_a_short_sorted_list_has_one_state_per_content() -> None:
    result = explore(
        sortedcontainers.SortedList, scope=3, elements=4, methods="add|discard|pop|clear",
        literals={"value": VALUES, "index": VALUES, "iterable": [None], "key": [None]},
    )  # fmt: skip

    contents = [tuple(case.value) for case in result.suite]
    assert result.errors == ()
    assert set(contents) == {c for n in range(5) for c in itertools.combinations_with_replacement(VALUES, n)}
    # the lists of lists and the index of positions inside say nothing more, as long as there is one list
    assert len(contents) == len(set(contents))


def test_an_lru_cache_never_holds_more_than_it_may() -> None:
    result = explore(
        cachetools.LRUCache, scope=2, methods="__setitem__|__getitem__|__delitem__|popitem",
        literals={"maxsize": [1, 2], "key": VALUES, "value": [0]}, guess="none",
    )  # fmt: skip

    assert result.errors == ()
    assert all(case.value.currsize <= case.value.maxsize for case in result.suite)
    # maxsize 1: empty or one of 3 keys; maxsize 2: empty, 3 keys, 6 ordered pairs; dict order and use order both count
    assert {(case.value.maxsize, tuple(case.value)) for case in result.suite} == {
        (size, keys) for size in (1, 2) for n in range(size + 1) for keys in itertools.permutations(VALUES, n)
    }


def test_a_cache_with_a_clock_is_found_out() -> None:
    result = explore(
        cachetools.TTLCache, scope=2, methods="__setitem__", most_states=40,
        literals={"maxsize": [2], "ttl": [10], "key": [0, 1], "value": [0]}, guess="none",
    )  # fmt: skip

    assert "TTLCache.__setitem__" in result.unsteady
    assert "_Link.expires" in str(result.status)  # grows without end
    assert result.suite.status.ending is Ending.FAILED


def test_a_bidict_stays_one_to_one() -> None:
    result = explore(
        bidict.bidict, scope=2, methods="__setitem__|forceput|pop|clear",
        literals={"key": [0, 1], "val": [0, 1], "args": [], "bidict.args": [], "default": [None]},
    )  # fmt: skip

    # DuplicationError is a type of the package's own; that a missing key is a KeyError stands in the docstring of pop
    assert result.errors == ()
    assert all(dict(case.value.inverse) == {v: k for k, v in case.value.items()} for case in result.suite)
    maps = {tuple(sorted(case.value.items())) for case in result.suite}
    assert maps == {(), ((0, 0),), ((0, 1),), ((1, 0),), ((1, 1),), ((0, 0), (1, 1)), ((0, 1), (1, 0))}


@pytest.mark.corpus
def test_an_interval_tree_refuses_empty_intervals_and_keeps_its_invariant() -> None:
    result = explore(
        intervaltree.IntervalTree, scope=3, elements=6, methods="addi|removei|clear",
        objects={"Interval": 3, "Node": 6},
        literals={"begin": [0, 1], "end": [1, 2], "data": [None], "intervals": [None]},
    )  # fmt: skip

    for case in result.suite:
        tree: Any = case.value
        tree.verify()
    # [0,1), [0,2), [1,2): every set of them is reached
    sets = {frozenset((i.begin, i.end) for i in case.value) for case in result.suite}
    assert len(sets) == 8


def test_a_graph_is_symmetric_whatever_was_called() -> None:
    result = explore(
        networkx.Graph, scope=2, elements=12, methods="add_node|add_edge|remove_node|clear_edges",
        literals={"node_for_adding": [0, 1], "u_of_edge": [0, 1], "v_of_edge": [0, 1], "n": [0, 1],
                  "incoming_graph_data": [None]},
        preconditions=[networkx.NetworkXError], guess="none",
    )  # fmt: skip

    assert result.errors == ()
    assert all(u in case.value[v] for case in result.suite for u, v in case.value.edges)
    found = {(frozenset(case.value.nodes), frozenset(map(frozenset, case.value.edges))) for case in result.suite}
    # no node; {0} or {1} with or without a loop; {0, 1} with any of three edges
    assert len(found) == 1 + 2 * 2 + 8
    assert result.states > len(found)  # networkx remembers the order of nodes and edges


@pytest.mark.parametrize("name", ["SortedDict", "SortedSet"])
def test_other_sorted_containers_can_be_listed(name: str) -> None:
    from unlike.classes.api import api_of
    from unlike.scope import Scope

    listing = api_of([getattr(sortedcontainers, name)], Scope(literals={"any": VALUES})).listing()

    assert f"{name}." in listing
