"""What the invariants of the structures accept, against the counts that two published tools agree on.

Every field of every object within the scope is chosen when the invariant first reads it, in all ways; a reference is
None, an object already met, or the one next new object, so that no two structures differ by the names of objects only.
"""

import pytest
from examples.structures import (
    binary_search_tree,
    binary_tree,
    binomial_heap,
    doubly_linked_ring,
    node_caching_linked_list,
    red_black_tree,
    singly_linked_list,
    sorted_chain,
    sorted_ring,
)

NODE = "a node or None"


class Choices:
    """Replays a list of choices, then takes the first way; `next_way` leads to the next list until all were taken."""

    def __init__(self):
        self.taken = []
        self.at = 0

    def choose(self, options):
        if self.at == len(self.taken):
            self.taken.append([0, len(options)])
        index, _ = self.taken[self.at]
        self.at += 1
        return options[index]

    def next_way(self):
        self.at = 0
        while self.taken and self.taken[-1][0] + 1 == self.taken[-1][1]:
            self.taken.pop()
        if self.taken:
            self.taken[-1][0] += 1
        return bool(self.taken)


def accepted(cls, node_class, fields, *, scope, invariant="rep_ok"):
    """Count the structures within the scope that an invariant accepts."""
    choices, nodes = Choices(), []

    def chosen(self, name):
        domain = fields[cls if isinstance(self, cls) else node_class].get(name)
        if domain is None:
            raise AttributeError(name)
        if domain is not NODE:
            value = choices.choose(domain)
        else:
            fresh = [open_node.__new__(open_node)] if len(nodes) < scope else []
            value = choices.choose([None, *nodes, *fresh])
            if value in fresh:
                nodes.append(value)
        setattr(self, name, value)
        return value

    open_class = type(cls.__name__, (cls,), {"__getattr__": chosen})
    open_node = type(node_class.__name__, (node_class,), {"__getattr__": chosen})
    count = 0
    while True:
        nodes.clear()
        thing = open_class.__new__(open_class)
        if getattr(thing, invariant)():
            settle(thing, nodes, fields)
            count += 1
        if not choices.next_way():
            return count


def settle(thing, nodes, fields):
    """Choose every field that the invariant did not read."""
    of_thing, of_node = fields.values()
    for name in of_thing:
        getattr(thing, name)
    for node in nodes:  # grows while we walk
        for name in of_node:
            getattr(node, name)


def links(*names):
    return dict.fromkeys(names, NODE)


def list_case(module, name, head, node_fields):
    cls = getattr(module, name)
    return lambda k: (cls, module.Node, {cls: links(head) | {"size": range(k + 1)}, module.Node: node_fields(k)})


def caching_list(k):
    cls, node = node_caching_linked_list.NodeCachingLinkedList, node_caching_linked_list.Node
    sizes = {"size": range(k + 1), "cache_size": range(k + 1), "maximum_cache_size": [20]}
    values = {"value": [None, *range(k)]}
    return cls, node, {cls: links("header", "first_cached") | sizes, node: links("next", "previous") | values}


SEARCH_TREE = list_case(
    binary_search_tree, "BinarySearchTree", "root", lambda k: links("left", "right") | {"key": range(k)}
)
RED_BLACK_TREE = list_case(
    red_black_tree,
    "RedBlackTree",
    "root",
    lambda k: links("left", "right", "parent") | {"key": range(k), "color": [False, True]},
)
HEAP = list_case(
    binomial_heap,
    "BinomialHeap",
    "head",
    lambda k: links("parent", "sibling", "child") | {"key": range(k), "degree": range(k + 1)},
)
SINGLY = list_case(
    singly_linked_list, "SinglyLinkedList", "header", lambda k: links("next") | {"value": [None, *range(k)]}
)
RING = list_case(
    doubly_linked_ring, "DoublyLinkedRing", "head", lambda k: links("next", "previous") | {"value": range(k)}
)
SORTED_RING = list_case(sorted_ring, "SortedRing", "header", lambda k: links("next", "previous") | {"value": range(k)})
CHAIN = list_case(sorted_chain, "SortedChain", "header", lambda k: links("next") | {"key": [None, *range(k)]})
SHAPES = list_case(binary_tree, "BinaryTree", "root", lambda _: links("left", "right"))

COUNTS = [
    ("node caching list, original", caching_list, "rep_ok_original", [228, 2_930]),
    ("node caching list, repaired", caching_list, "rep_ok", [18, 112, 975]),
    ("search tree", SEARCH_TREE, "rep_ok", [15, 51, 188]),
    ("singly linked list", SINGLY, "rep_ok", [13, 85, 781]),
    ("ring", RING, "rep_ok", [40, 341]),
    ("sorted ring", SORTED_RING, "rep_ok", [6, 20, 70]),
    ("sorted chain", CHAIN, "rep_ok", [10, 35, 126]),  # C(2k-1, k)
    ("red-black tree, red root allowed", RED_BLACK_TREE, "rep_ok", [16, 41, 115]),
    ("red-black tree, black root", RED_BLACK_TREE, "rep_ok_black_root", [12, 29, 74]),
    ("binomial heap", HEAP, "rep_ok", [28, 120]),
    ("binary tree shapes", SHAPES, "rep_ok", [1 + 1 + 2 + 5, 1 + 1 + 2 + 5 + 14]),  # Catalan
]


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("case", "invariant", "scope", "count"),
    [
        pytest.param(case, invariant, scope, count, id=f"{name}-{scope}")
        for name, case, invariant, counts in COUNTS
        for scope, count in enumerate(counts, start=3)
    ],
)
def test_invariants_accept_exactly_the_published_number_of_structures(case, invariant, scope, count):
    assert accepted(*case(scope), scope=scope, invariant=invariant) == count
