"""Every structure does what its model does, after every sequence of calls within a small scope."""

import pickle

import pytest
from examples.structures.avl_tree import AVLTree
from examples.structures.binary_search_tree import BinarySearchTree
from examples.structures.binary_tree import BinaryTree
from examples.structures.binomial_heap import BinomialHeap
from examples.structures.doubly_linked_ring import DoublyLinkedRing
from examples.structures.fibonacci_heap import FibonacciHeap
from examples.structures.hash_map import HashMap
from examples.structures.lru_cache import LRUCache
from examples.structures.node_caching_linked_list import NodeCachingLinkedList
from examples.structures.red_black_tree import RedBlackTree
from examples.structures.scheduler import Scheduler
from examples.structures.singly_linked_list import SinglyLinkedList
from examples.structures.sorted_chain import SortedChain
from examples.structures.sorted_ring import SortedRing
from examples.structures.union_find import UnionFind
from examples.structures.variable_store import VariableStore
from plain_models import (
    CachingValues,
    DistinctValues,
    Facts,
    PositiveValues,
    Queue,
    Queues,
    Recent,
    RingValues,
    Sets,
    Shape,
    SortedValues,
    Values,
)
from small_explorer import calls, canonical, objects_per_class

PAIRS = [
    (AVLTree, DistinctValues, 4, set()),
    (BinarySearchTree, DistinctValues, 4, set()),
    (BinaryTree, Shape, 4, set()),
    (BinomialHeap, Queue, 3, {"merge"}),
    (DoublyLinkedRing, RingValues, 3, set()),
    (FibonacciHeap, Queue, 3, set()),
    (HashMap, dict, 3, {"items"}),
    (LRUCache, Recent, 3, {"capacity"}),
    (NodeCachingLinkedList, CachingValues, 3, {"with_maximum_cache_size", "from_values", "sub_list"}),
    (RedBlackTree, DistinctValues, 5, set()),
    (Scheduler, Queues, 3, set()),
    (SinglyLinkedList, Values, 4, set()),
    (SortedChain, SortedValues, 4, set()),
    (SortedRing, PositiveValues, 4, set()),
    (UnionFind, Sets, 3, set()),
    (VariableStore, Facts, 2, set()),
]
PROTOCOLS = {"__len__", "__contains__", "__str__", "__getitem__", "__setitem__", "__delitem__"}
NOT_MODELLED = {"rep_ok", "rep_ok_original", "rep_ok_black_root", "list_iterator", "list_iterator_at"}


def methods(cls):
    names = [name for name in vars(cls) if name in PROTOCOLS or not name.startswith("_")]
    return " ".join(name for name in names if callable(vars(cls)[name]) and name not in NOT_MODELLED)


def result(thing, call):
    try:
        return getattr(thing, call.method)(*call.arguments)
    except (ValueError, IndexError, KeyError) as error:
        return type(error)


def walk_together(cls, model_class, scope, *, names):
    """Call everything on structure and model alike, from every pair of states so met; return the number of pairs."""
    start = (cls(2) if cls is LRUCache else cls()), model_class()
    seen, frontier = set(), [pickle.dumps(start)]
    for before in frontier:  # grows while we walk
        for call in calls(cls, names, scope):
            thing, model = pickle.loads(before)
            expected, got = result(model, call), result(thing, call)
            assert got == expected or expected is ..., f"{call} on {model!r} gave {got!r}, not {expected!r}"
            state = canonical(thing)
            key = state, pickle.dumps(model)
            if key not in seen and objects_per_class(state) <= scope:
                seen.add(key)
                frontier.append(pickle.dumps((thing, model)))
    return len(seen)


@pytest.mark.parametrize(
    ("cls", "model", "scope", "left_out"), [pytest.param(*pair, id=pair[0].__name__) for pair in PAIRS]
)
def test_a_structure_does_what_its_model_does(cls, model, scope, left_out):
    names = " ".join(name for name in methods(cls).split() if name not in left_out)

    assert walk_together(cls, model, scope, names=names) > 5


@pytest.mark.parametrize(
    ("cls", "number"),
    [
        (NodeCachingLinkedList, 34),
        (UnionFind, 9),
        (FibonacciHeap, 7),
        (RedBlackTree, 8),
        (BinaryTree, 7),
        (BinomialHeap, 10),
        (VariableStore, 26),
        (Scheduler, 10),
    ],
)
def test_the_interface_is_as_rich_as_in_the_published_table(cls, number):
    dunders = PROTOCOLS | {"__init__", "__iter__"}
    dunders |= {"__eq__"} if cls is NodeCachingLinkedList else set()

    public = [name for name in vars(cls) if name in dunders or not name.startswith("_")]
    callables = [name for name in public if callable(getattr(cls, name)) and not name.startswith("rep_ok")]

    assert len(callables) == number


@pytest.mark.parametrize(
    "cls", [AVLTree, BinarySearchTree, DoublyLinkedRing, SinglyLinkedList, SortedChain, SortedRing]
)
def test_iteration_gives_what_to_list_gives(cls):
    thing = cls()
    for value in (2, 1, 3):
        getattr(thing, "insert" if "Tree" in cls.__name__ else "add")(value)

    assert list(thing) == thing.to_list()
    assert sorted(thing) == [1, 2, 3]


def test_a_hash_map_gives_the_items_of_a_dict():
    ours, model = HashMap(), {}
    for key in (5, 1, 8, 3, 2, 13):
        ours[key] = model[key] = key + 1

    assert dict(ours.items()) == model
    assert sorted(ours) == sorted(model)
    assert ours.rep_ok()


@pytest.mark.parametrize("first", range(8))
@pytest.mark.parametrize("second", range(8))
def test_merging_empties_one_heap_into_the_other(first, second):
    target, source = BinomialHeap(), BinomialHeap()
    for key in range(first):
        target.insert(key)
    for key in range(second):
        source.insert(-key)

    target.merge(source)

    assert target.to_list() == sorted([*range(first), *(-key for key in range(second))])
    assert source.to_list() == []
    assert target.rep_ok()
    assert source.rep_ok()
    with pytest.raises(ValueError, match="itself"):
        target.merge(target)


def test_a_smaller_capacity_drops_the_oldest_entries():
    cache = LRUCache(3)
    for key in range(3):
        cache.put(key, key)
    cache.get(0)

    cache.capacity = 2

    assert (cache.to_list(), cache.capacity) == ([0, 2], 2)
    assert cache.rep_ok()
    with pytest.raises(ValueError, match="0 is below 1"):
        cache.capacity = 0
    with pytest.raises(ValueError, match="0 is below 1"):
        LRUCache(0)


def test_the_cache_of_a_node_caching_list_holds_no_more_than_its_maximum():
    values = NodeCachingLinkedList.with_maximum_cache_size(1)
    values.add_all([4, 5, 6])

    values.clear()

    assert values.cache_size == 1
    assert values.rep_ok()
    with pytest.raises(ValueError, match="-1 is below 0"):
        NodeCachingLinkedList.with_maximum_cache_size(-1)


def test_node_caching_lists_are_equal_by_their_values_whatever_is_cached():
    values, other = NodeCachingLinkedList.from_values([1, 2]), NodeCachingLinkedList.from_values([1, 2, 3])
    assert values != other

    other.remove_last()

    assert values == other
    assert values != [1, 2]


def test_a_list_iterator_walks_both_ways_and_changes_the_list():
    values = NodeCachingLinkedList.from_values([1, 2, 3])
    place = values.list_iterator_at(1)

    assert (next(place), place.previous(), place.previous()) == (2, 2, 1)
    assert (place.has_previous(), place.has_next()) == (False, True)
    place.set(7)
    place.remove()
    place.add(8)

    assert list(values) == [8, 2, 3]
    assert next(place) == 2
    place.remove()
    with pytest.raises(ValueError, match="no value was passed"):
        place.remove()
    assert list(place) == [3]
    assert values.rep_ok()
    with pytest.raises(IndexError):
        values.list_iterator().previous()
    with pytest.raises(IndexError):
        values.list_iterator_at(3)


def test_a_sub_list_is_a_window_on_its_list():
    values = NodeCachingLinkedList.from_values([1, 2, 3, 4])
    window = values.sub_list(1, 3)

    window.add(9)
    assert (window.to_list(), values.to_list()) == ([2, 3, 9], [1, 2, 3, 9, 4])
    assert (window.get(2), window.remove_index(0), len(window)) == (9, 2, 2)
    with pytest.raises(IndexError):
        window.get(2)
    window.clear()

    assert values.to_list() == [1, 4]
    assert values.rep_ok()
    with pytest.raises(IndexError):
        values.sub_list(2, 1)
