"""Twelve classes with state of released packages, in two halves of six.

Kinds of arguments: key, value (small numbers), index (negative ones, too), keys (a list of them), unique (without repetition), pairs (a list of keys
with values), lists (a key with a list), text, bool, size (1 to 3), share (0.1 to 0.9) and slice.
"""

from __future__ import annotations

from bench.power.subjects import Operation, StatefulClass


def calls(text: str) -> tuple[Operation, ...]:
    """Read operations: `add(key) pop() __setitem__(key,value)`."""
    found = []
    for each in text.split():
        method, arguments = each.rstrip(")").split("(")
        found.append(Operation(method, tuple(filter(None, arguments.split(",")))))
    return tuple(found)


SET = """
    add(key) discard(key) remove(key) pop() pop(index) clear() update(keys) index(key) __contains__(key)
    __getitem__(index) __getitem__(slice) union(keys) intersection(keys) difference(keys) symmetric_difference(keys)
    issubset(keys) issuperset(keys) difference_update(keys) intersection_update(keys) symmetric_difference_update(keys)
    __reversed__() __eq__(keys)
"""
MAPPING = """
    __setitem__(key,value) __setitem__(key,value) __getitem__(key) __delitem__(key) __contains__(key) get(key) get(key,value)
    pop(key) pop(key,value) popitem() setdefault(key,value) clear() keys() values() items()
"""

OPEN = [
    StatefulClass(
        "OrderedSet", "ordered-set==4.1.0", "ordered_set", "OrderedSet", calls(SET + "append(key) copy()"), ("keys",)
    ),
    StatefulClass(
        "pqdict", "pqdict==1.5.1", "pqdict", "pqdict",
        calls(MAPPING + """
            additem(key,value) updateitem(key,value) top() topitem() topvalue() popvalue() pushpopitem(key,value)
            replace_key(key,key) swap_priority(key,key) heapify() heapify(key) popkeys() popvalues() popitems() copy()
            update(pairs)
        """),
        ("pairs",),
    ),
    StatefulClass(
        "RangeMap", "collections-extended==2.0.2", "collections_extended.range_map", "RangeMap",
        calls("""
            set(value) set(value,index) set(value,index,index) delete(index,index) delete(index) empty(index,index) empty()
            __getitem__(index) __contains__(index) get(index) get(index,value) get_range(index,index) ranges() ranges(index,index)
            clear() keys() values() items() __setitem__(slice,value) __delitem__(slice) __eq__(key)
        """),
    ),
    StatefulClass(
        "LRU", "boltons==26.2.0", "boltons.cacheutils", "LRU", calls(MAPPING + "copy() update(pairs) __eq__(pairs)"), ("size",),
        flags=("--omit-fields", "_lock", "--elements", "4"), mutated=("LRU", "LRI"),  # the message asks for 4: a link is a list of 4
    ),
    StatefulClass(
        "MappedQueue", "networkx==3.6.1", "networkx.utils.mapped_queue", "MappedQueue",
        calls("push(key) push(key,value) push(key,value) pop() remove(key) update(key,key) update(key,key,value) __len__()"),
        ("unique",), mutated=("MappedQueue", "_HeapElement"),
    ),
    StatefulClass(
        "ManyToMany", "boltons==26.2.0", "boltons.dictutils", "ManyToMany",
        calls("""
            add(key,value) add(key,value) remove(key,value) replace(key,key) __setitem__(key,keys) __getitem__(key) get(key)
            __delitem__(key) update(pairs) __contains__(key) iteritems() keys() __len__() __eq__(key)
        """),
        ("pairs",),
    ),
]  # fmt: skip

KEPT = [  # not looked at before the study of behaviour ends
    StatefulClass("heapdict", "HeapDict==1.0.1", "heapdict", "heapdict", calls(MAPPING + "peekitem() update(pairs)"), ("pairs",)),
    StatefulClass(
        "DisjointSet", "disjoint-set==0.9.0", "disjoint_set.main", "DisjointSet",
        calls("union(key,key) union(key,key) find(key) connected(key,key) __contains__(key) __getitem__(key) itersets() __len__()"),
    ),
    StatefulClass(
        "IndexedSet", "boltons==26.2.0", "boltons.setutils", "IndexedSet",
        calls(SET + "reverse() sort() count(key) isdisjoint(keys) iter_slice(index,index)"), ("keys",),
    ),
    StatefulClass(
        "CharTrie", "pygtrie==2.6.2", "pygtrie", "CharTrie",
        calls("""
            __setitem__(text,value) __setitem__(text,value) __getitem__(text) __delitem__(text) __contains__(text) get(text)
            pop(text) popitem() setdefault(text,value) has_key(text) has_subtrie(text) has_node(text) longest_prefix(text)
            shortest_prefix(text) prefixes(text) keys() keys(text) items() values(text) clear() copy() enable_sorting(bool)
        """),
        flags=("--literals", "any=a,ab,b"), mutated=("CharTrie", "Trie", "_Node", "_OneChild", "_Children"),
    ),
    StatefulClass(
        "ThresholdCounter", "boltons==26.2.0", "boltons.cacheutils", "ThresholdCounter",
        calls("""
            add(key) add(key) update(keys) most_common() most_common(size) __getitem__(key) __contains__(key) get(key) get(key,value)
            get_common_count() get_uncommon_count() get_commonality() elements() items() keys() values() __len__()
        """),
        ("share",),
    ),
    StatefulClass(
        "TopologicalSorter", "python==3.11", "graphlib", "TopologicalSorter",
        calls("add(key) add(key,key) add(key,key,key) add(key,key) prepare() get_ready() is_active() done(key) done(key,key) static_order()"),
        mutated=("TopologicalSorter", "_NodeInfo"),
    ),
]  # fmt: skip


def stateful_classes() -> list[StatefulClass]:
    """Return the twelve classes, the open half first."""
    return OPEN + KEPT
