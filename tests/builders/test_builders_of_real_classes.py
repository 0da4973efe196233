"""Classes that other people wrote: what docs/builders.md says about them is true."""

import collections

import networkx
import sortedcontainers

import unlike

BITS = [0, 1]


def plain(names: tuple[str, ...]) -> list[str]:
    return [name.partition(".")[2] for name in names]


def test_a_deque_needs_append_and_the_constructor_that_sets_its_length() -> None:
    elements = [(0,), (1,)]
    nothing = [()]
    found = unlike.builders(
        collections.deque, scope=2,
        literals={
            "deque": [(), ([], 0), ([], 1), ([], 2)], "append": elements, "appendleft": elements, "pop": nothing,
            "popleft": nothing, "clear": nothing, "extend": [([0, 1],)], "extendleft": [([0, 1],)], "reverse": nothing,
            "rotate": [(), (-1,)], "remove": elements, "insert": [(0, 0), (0, 1), (1, 0)], "copy": nothing,
            "count": elements, "index": elements,
        },
    )  # fmt: skip

    assert plain(found.names) == ["", "append"]
    assert (found.proved, found.minimal) == (True, True)
    # at most 2 bits, without a longest length or with 2: 7 each; with 1: 3; with 0: 1
    assert found.states.api == 7 + 7 + 3 + 1
    assert {"count", "index", "__len__"} <= set(plain(tuple(each.name for each in found.observers)))


def test_an_ordered_dict_needs_what_stores_every_value() -> None:
    settings = {"scope": 2, "literals": {"key": BITS, "default": BITS, "value": BITS, "last": [False], "iterable": []}}
    methods = "__setitem__|__delitem__|popitem|move_to_end|get"

    rich = unlike.builders(collections.OrderedDict, **settings, methods=f"{methods}|setdefault")
    poor = unlike.builders(collections.OrderedDict, **settings, methods=methods)

    # setdefault(0) stores None, which no other method is given
    assert plain(rich.names) == ["", "setdefault"]
    assert plain(poor.names) == ["", "__setitem__"]
    assert (rich.states.api, poor.states.api) == (1 + 2 * 3 + 2 * 9, 1 + 2 * 2 + 2 * 4)
    assert rich.proved
    assert poor.proved


def test_a_sorted_list_needs_add_alone() -> None:
    found = unlike.builders(
        sortedcontainers.SortedList, scope=2, elements=3, preconditions=[NotImplementedError, TypeError, ValueError, IndexError],
        literals={"any": BITS, "iterable": [None], "key": [None]},
    )  # fmt: skip

    assert plain(found.names) == ["", "add"]
    assert found.states.api == 1 + 2 + 3 + 4  # sorted lists of at most three bits
    assert found.proved
    assert {"append", "insert", "extend"} <= set(plain(tuple(each.name for each in found.failing)))


def test_a_graph_needs_edges_and_a_way_to_lose_them() -> None:
    found = unlike.builders(
        networkx.Graph, scope=2, elements=12, methods="(add|remove|clear)_.*|clear|copy", omit_fields="adj|nodes|edges|degree|__networkx_cache__",
        literals={"node_for_adding": BITS, "u_of_edge": BITS, "v_of_edge": BITS, "n": BITS, "u": BITS, "v": BITS,
                  "incoming_graph_data": [None], "as_view": [False]},
        preconditions=[networkx.NetworkXError, KeyError, TypeError],
        guess="none",  # guessed lists of nodes and edges with weights make 28,000 states, too many for a proof
    )  # fmt: skip

    # a node without an edge is one that lost it; `add_node` is not needed for that
    assert plain(found.names) == ["", "add_edge", "clear_edges"]
    assert (found.proved, found.minimal) == (True, True)
    assert "Graph.add_node" in [each.name for each in found.replaced]
