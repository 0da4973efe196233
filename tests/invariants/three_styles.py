"""The invariants of twelve examples, each in three styles: recursive with a set of what was seen, a loop with a work list
(or a plain walk, for lists), and generators. All three accept what the example's own `rep_ok` accepts.
"""

from __future__ import annotations

# ruff: noqa: PERF401, RUF007, SIM300 - as people write them
from collections.abc import Callable
from typing import Any

# -- plain trees -----------------------------------------------------------------------------------------------


def tree_recursive(self: Any) -> bool:
    seen: set[int] = set()
    return _is_tree(self.root, seen) and len(seen) == self.size


def _is_tree(node: Any, seen: set[int]) -> bool:
    if node is None:
        return True
    if id(node) in seen:
        return False
    seen.add(id(node))
    return _is_tree(node.left, seen) and _is_tree(node.right, seen)


def tree_loop(self: Any) -> bool:
    work, seen = [self.root], set()
    while work:
        node = work.pop()
        if node is None:
            continue
        if node in seen:
            return False
        seen.add(node)
        work += [node.left, node.right]
    return len(seen) == self.size


def _nodes(root: Any) -> Any:
    seen, work = set(), [root]
    while work:
        if (node := work.pop()) is None:
            continue
        if id(node) in seen:
            raise ValueError("shared")
        seen.add(id(node))
        yield node
        work.extend((node.right, node.left))


def tree_generator(self: Any) -> bool:
    try:
        return sum(1 for _ in _nodes(self.root)) == self.size
    except ValueError:
        return False


# -- search trees ----------------------------------------------------------------------------------------------


def search_recursive(self: Any) -> bool:
    seen: set[int] = set()

    def visit(node: Any, low: int | None, high: int | None) -> bool:
        if node is None:
            return True
        if id(node) in seen:
            return False
        seen.add(id(node))
        if low is not None and node.key <= low:
            return False
        if high is not None and node.key >= high:
            return False
        return visit(node.left, low, node.key) and visit(node.right, node.key, high)

    return visit(self.root, None, None) and len(seen) == self.size


def search_loop(self: Any) -> bool:
    seen = set()
    work = [(self.root, float("-inf"), float("inf"))]
    while work:
        node, low, high = work.pop()
        if node is None:
            continue
        if id(node) in seen or not low < node.key < high:
            return False
        seen.add(id(node))
        work.append((node.left, low, node.key))
        work.append((node.right, node.key, high))
    return len(seen) == self.size


def _in_order(node: Any, above: tuple[Any, ...] = ()) -> Any:
    if node is None:
        return
    if any(node is each for each in above):
        raise ValueError("a circle")
    yield from _in_order(node.left, (*above, node))
    yield node
    yield from _in_order(node.right, (*above, node))


def search_generator(self: Any) -> bool:
    try:
        keys = [node.key for node in _in_order(self.root)]
    except ValueError:
        return False
    return len(keys) == self.size and all(a < b for a, b in zip(keys, keys[1:], strict=False))


# -- AVL trees -------------------------------------------------------------------------------------------------


def avl_recursive(self: Any) -> bool:
    seen: set[int] = set()
    return _avl_height(self.root, None, None, seen) >= 0 and len(seen) == self.size


def _avl_height(node: Any, low: int | None, high: int | None, seen: set[int]) -> int:
    if node is None:
        return 0
    if id(node) in seen:
        return -1
    seen.add(id(node))
    if (low is not None and node.key <= low) or (high is not None and node.key >= high):
        return -1
    left = _avl_height(node.left, low, node.key, seen)
    if left < 0:
        return -1
    right = _avl_height(node.right, node.key, high, seen)
    if right < 0 or abs(left - right) > 1 or node.height != 1 + max(left, right):
        return -1
    return 1 + max(left, right)


def avl_loop(self: Any) -> bool:
    if not search_loop(self):
        return False
    work = [self.root] if self.root else []
    while work:
        node = work.pop()
        left, right = (child.height if child else 0 for child in (node.left, node.right))
        if abs(left - right) > 1 or node.height != 1 + max(left, right):
            return False
        work.extend(child for child in (node.left, node.right) if child is not None)
    return True


def avl_generator(self: Any) -> bool:
    if not search_generator(self):
        return False
    for node in _in_order(self.root):
        heights = sorted(child.height if child else 0 for child in (node.left, node.right))
        if heights[1] - heights[0] > 1 or node.height != heights[1] + 1:
            return False
    return True


# -- red-black trees -------------------------------------------------------------------------------------------


def red_black_recursive(self: Any) -> bool:
    if not search_recursive(self):
        return False

    def blacks(node: Any, parent: Any) -> int:
        if node is None:
            return 0
        if node.parent is not parent or (parent is not None and not parent.color and not node.color):
            raise ValueError
        left, right = blacks(node.left, node), blacks(node.right, node)
        if left != right:
            raise ValueError
        return left + node.color

    try:
        blacks(self.root, None)
    except ValueError:
        return False
    return True


def red_black_loop(self: Any) -> bool:
    if not search_loop(self):
        return False
    work, ends = [(self.root, None, 0)], set()
    while work:
        node, parent, blacks = work.pop()
        if node is None:
            ends.add(blacks)
            continue
        if node.parent is not parent or (parent is not None and not (parent.color or node.color)):
            return False
        for child in (node.left, node.right):
            work.append((child, node, blacks + node.color))
    return len(ends) == 1


def red_black_generator(self: Any) -> bool:
    if not search_generator(self):
        return False

    def ways_down(node: Any, parent: Any, blacks: int) -> Any:
        if node is None:
            yield blacks
            return
        if node.parent is not parent or (parent is not None and not parent.color and not node.color):
            raise ValueError
        yield from ways_down(node.left, node, blacks + node.color)
        yield from ways_down(node.right, node, blacks + node.color)

    try:
        return len(set(ways_down(self.root, None, 0))) == 1
    except ValueError:
        return False


# -- binomial heaps --------------------------------------------------------------------------------------------


def binomial_recursive(self: Any) -> bool:
    seen: set[int] = set()

    def visit(node: Any, parent: Any, before: Any) -> bool:
        if node is None:
            return before is None or parent is None or before.degree == 0
        if id(node) in seen or node.parent is not parent:
            return False
        seen.add(id(node))
        if parent is not None:
            if node.key < parent.key or node.degree != (before.degree if before else parent.degree) - 1:
                return False
        elif before is not None and node.degree <= before.degree:
            return False
        if node.child is None and node.degree != 0:
            return False
        return visit(node.child, node, None) and visit(node.sibling, parent, node)

    return visit(self.head, None, None) and len(seen) == self.size


def binomial_loop(self: Any) -> bool:
    seen, work = set(), [(self.head, None, None)]
    while work:
        node, parent, before = work.pop()
        if node is None:
            if before is not None and parent is not None and before.degree != 0:
                return False
            continue
        if node in seen or node.parent is not parent:
            return False
        seen.add(node)
        match parent, before:
            case None, None:
                pass
            case None, _:
                if node.degree <= before.degree:
                    return False
            case _:
                above = parent.degree if before is None else before.degree
                if node.key < parent.key or node.degree != above - 1:
                    return False
        if node.child is None and node.degree:
            return False
        work.append((node.child, node, None))
        work.append((node.sibling, parent, node))
    return len(seen) == self.size


def binomial_generator(self: Any) -> bool:
    seen = []

    def family(first: Any, parent: Any) -> Any:
        node = first
        while node is not None:
            if any(node is each for each in seen) or node.parent is not parent:
                raise ValueError
            seen.append(node)
            yield node
            node = node.sibling

    def check(first: Any, parent: Any) -> None:
        members = list(family(first, parent))
        degrees = [each.degree for each in members]
        if parent is None:
            assert all(a < b for a, b in zip(degrees, degrees[1:], strict=False))
        else:
            assert degrees == list(range(parent.degree))[::-1]
            assert all(each.key >= parent.key for each in members)
        for each in members:
            check(each.child, each)

    try:
        check(self.head, None)
    except (ValueError, AssertionError):
        return False
    return len(seen) == self.size


# -- Fibonacci heaps -------------------------------------------------------------------------------------------


def fibonacci_recursive(self: Any) -> bool:
    seen: set[int] = set()

    def ring(first: Any, parent: Any, least: int) -> int:
        count, node = 0, first
        while True:
            if id(node) in seen or node.parent is not parent or node.key < least or node.right.left is not node:
                raise ValueError
            seen.add(id(node))
            count += 1
            if (0 if node.child is None else ring(node.child, node, node.key)) != node.degree:
                raise ValueError
            node = node.right
            if node is first:
                return count

    if self.smallest is None:
        return self.size == 0
    try:
        ring(self.smallest, None, self.smallest.key)
    except ValueError:
        return False
    return len(seen) == self.size


def fibonacci_loop(self: Any) -> bool:
    seen, rings = set(), [(self.smallest, None)] if self.smallest is not None else []
    while rings:
        first, parent = rings.pop()
        node, members = first, 0
        while node is not first or not members:
            if node in seen or node.parent is not parent or node.right.left is not node:
                return False
            if node.key < (parent or self.smallest).key:
                return False
            seen.add(node)
            members += 1
            if node.child is not None:
                rings.append((node.child, node))
            elif node.degree:
                return False
            node = node.right
        if parent is not None and parent.degree != members:
            return False
    return len(seen) == self.size


def fibonacci_generator(self: Any) -> bool:
    seen: set[int] = set()

    def ring(first: Any, parent: Any) -> Any:
        node = first
        while True:
            if id(node) in seen or node.parent is not parent or node.right.left is not node:
                raise ValueError
            seen.add(id(node))
            yield node
            node = node.right
            if node is first:
                return

    def everyone(first: Any, parent: Any, least: int) -> Any:
        members = list(ring(first, parent))
        if parent is not None and len(members) != parent.degree:
            raise ValueError
        for each in members:
            if each.key < least or (each.child is None and each.degree != 0):
                raise ValueError
            yield each
            if each.child is not None:
                yield from everyone(each.child, each, each.key)

    if self.smallest is None:
        return self.size == 0
    try:
        return len([*everyone(self.smallest, None, self.smallest.key)]) == self.size
    except ValueError:
        return False


# -- lists -----------------------------------------------------------------------------------------------------


def chain_recursive(self: Any) -> bool:
    def values(node: Any, seen: tuple[Any, ...]) -> list[Any]:
        if node is None:
            return []
        if any(node is each for each in seen):
            raise ValueError
        return [node.value, *values(node.next, (*seen, node))]

    try:
        first, *rest = values(self.header, ())
    except ValueError:
        return False
    return first is None and None not in rest and len(rest) == self.size


def chain_loop(self: Any) -> bool:
    seen, node = [], self.header
    while node is not None:
        if any(node is each for each in seen) or (node.value is None) != (not seen):
            return False
        seen.append(node)
        node = node.next
    return len(seen) == self.size + 1


def _links(node: Any) -> Any:
    seen = set()
    while node is not None and id(node) not in seen:
        seen.add(id(node))
        yield node
        node = node.next
    if node is not None:
        raise ValueError


def chain_generator(self: Any) -> bool:
    try:
        values = [node.value for node in _links(self.header)]
    except ValueError:
        return False
    return values[0] is None and all(value is not None for value in values[1:]) and len(values) == self.size + 1


def sorted_chain_recursive(self: Any) -> bool:
    seen: set[int] = set()

    def visit(node: Any, least: int | None) -> bool:
        if node is None:
            return True
        if id(node) in seen:
            return False
        seen.add(id(node))
        if (node.key is None) != (least is None) or (least is not None and node.key < least):
            return False
        return visit(node.next, 0 if least is None else node.key)

    return visit(self.header, None) and len(seen) == self.size + 1


def sorted_chain_loop(self: Any) -> bool:
    if self.header.key is not None:
        return False
    keys, seen, work = [], {self.header}, [self.header.next]
    while work:
        if (node := work.pop()) is None:
            break
        if node in seen or node.key is None:
            return False
        seen.add(node)
        keys.append(node.key)
        work.append(node.next)
    return keys == sorted(keys) and len(keys) == self.size


def sorted_chain_generator(self: Any) -> bool:
    try:
        first, *keys = [node.key for node in _links(self.header)]
    except ValueError:
        return False
    if first is not None or None in keys or len(keys) != self.size:
        return False
    return all(a <= b for a, b in zip(keys, keys[1:], strict=False))


# -- rings -----------------------------------------------------------------------------------------------------


def ring_recursive(self: Any) -> bool:
    def steps(node: Any, seen: frozenset[int]) -> int:
        if node.next.previous is not node or id(node) in seen:
            raise ValueError
        if node.next is self.head:
            return 1
        return 1 + steps(node.next, seen | {id(node)})

    if self.head is None:
        return self.size == 0
    try:
        return steps(self.head, frozenset()) == self.size
    except ValueError:
        return False


def ring_loop(self: Any) -> bool:
    if self.head is None:
        return not self.size
    node, count, seen = self.head, 0, []
    while not seen or node is not self.head:
        if node in seen or node.next.previous is not node:
            return False
        seen.append(node)
        node, count = node.next, count + 1
    return count == self.size


def _around(head: Any) -> Any:
    node, seen = head, set()
    while id(node) not in seen:
        if node.next.previous is not node:
            raise ValueError("no way back")
        seen.add(id(node))
        yield node
        node = node.next
    if node is not head:
        raise ValueError("no ring")


def ring_generator(self: Any) -> bool:
    if self.head is None:
        return self.size == 0
    try:
        return len(list(_around(self.head))) == self.size
    except ValueError:
        return False


def sorted_ring_recursive(self: Any) -> bool:
    seen: set[int] = set()

    def visit(node: Any, least: int) -> bool:
        if id(node) in seen:
            return False
        seen.add(id(node))
        if node.value < least or node.next.previous is not node:
            return False
        return node.next is self.header or visit(node.next, max(node.value, 1))

    return self.header.value == 0 and visit(self.header, 0) and len(seen) == self.size + 1


def sorted_ring_loop(self: Any) -> bool:
    node, values = self.header, []
    for _ in range(self.size + 1):
        values.append(node.value)
        if node.next.previous is not node or (node.next is self.header and len(values) <= self.size):
            return False
        node = node.next
    return node is self.header and values[0] == 0 and values == sorted(values) and 0 not in values[1:]


def sorted_ring_generator(self: Any) -> bool:
    try:
        values = [node.value for node in _around(self.header)]
    except ValueError:
        return False
    return (
        values[0] == 0
        and len(values) == self.size + 1
        and all(1 <= b and a <= b for a, b in zip(values, values[1:], strict=False))
    )


def caching_recursive(self: Any) -> bool:
    def around(node: Any, seen: set[int]) -> bool:
        if id(node) in seen or node.next is None or node.next.previous is not node:
            return False
        seen.add(id(node))
        if (node.value is None) != (node is self.header):
            return False
        return node.next is self.header or around(node.next, seen)

    def down(node: Any, seen: set[int]) -> bool:
        if node is None:
            return True
        if id(node) in seen or node.previous is not None or node.value is not None:
            return False
        seen.add(id(node))
        return down(node.next, seen)

    main: set[int] = set()
    cached: set[int] = set()
    if not around(self.header, main) or not down(self.first_cached, cached):
        return False
    return len(main) == self.size + 1 and len(cached) == self.cache_size <= self.maximum_cache_size


def caching_loop(self: Any) -> bool:
    seen, work = [], [self.header]
    while work:
        node = work.pop()
        if node in seen or node.next is None or node.next.previous is not node:
            return False
        if (node.value is None) != (not seen):
            return False
        seen.append(node)
        if node.next is not self.header:
            work.append(node.next)
    cached, node = set(), self.first_cached
    while node is not None:
        if node in cached or node.previous is not None or node.value is not None:
            return False
        cached.add(node)
        node = node.next
    return self.size == len(seen) - 1 and self.cache_size == len(cached) <= self.maximum_cache_size


def caching_generator(self: Any) -> bool:
    try:
        values = [node.value for node in _around(self.header)]
        cached = list(_links(self.first_cached))
    except (ValueError, AttributeError):
        return False
    if any(node.previous is not None or node.value is not None for node in cached):
        return False
    if len(values) - 1 != self.size or len(cached) != self.cache_size or self.cache_size > self.maximum_cache_size:
        return False
    return values[0] is None and None not in values[1:]


# -- hash maps -------------------------------------------------------------------------------------------------


def hash_recursive(self: Any) -> bool:
    seen: set[int] = set()
    keys: set[int] = set()

    def check(entry: Any, bucket: int) -> bool:
        if entry is None:
            return True
        if id(entry) in seen or entry.key in keys or entry.key % len(self.buckets) != bucket:
            return False
        seen.add(id(entry))
        keys.add(entry.key)
        return check(entry.next, bucket)

    if not all(check(first, bucket) for bucket, first in enumerate(self.buckets)):
        return False
    return len(seen) == self.size <= len(self.buckets)


def hash_loop(self: Any) -> bool:
    work = [(bucket, first) for bucket, first in enumerate(self.buckets) if first is not None]
    keys: dict[int, Any] = {}
    while work:
        bucket, entry = work.pop()
        if keys.setdefault(entry.key, entry) is not entry or entry.key % len(self.buckets) != bucket:
            return False
        if entry.next is not None:
            if entry.next.key in keys:
                return False
            work.append((bucket, entry.next))
    return len(keys) == self.size <= len(self.buckets)


def hash_generator(self: Any) -> bool:
    def places() -> Any:
        for bucket, first in enumerate(self.buckets):
            for entry in _links(first):
                yield entry.key, bucket

    try:
        found = list(places())
    except ValueError:
        return False
    keys = [key for key, _ in found]
    if len(set(keys)) != len(keys) or any(key % len(self.buckets) != bucket for key, bucket in found):
        return False
    return len(keys) == self.size and self.size <= len(self.buckets)


Invariant = Callable[[Any], bool]
STYLES: dict[str, tuple[Invariant, Invariant, Invariant]] = {
    "binary_tree:BinaryTree": (tree_recursive, tree_loop, tree_generator),
    "binary_search_tree:BinarySearchTree": (search_recursive, search_loop, search_generator),
    "avl_tree:AVLTree": (avl_recursive, avl_loop, avl_generator),
    "red_black_tree:RedBlackTree": (red_black_recursive, red_black_loop, red_black_generator),
    "binomial_heap:BinomialHeap": (binomial_recursive, binomial_loop, binomial_generator),
    "fibonacci_heap:FibonacciHeap": (fibonacci_recursive, fibonacci_loop, fibonacci_generator),
    "singly_linked_list:SinglyLinkedList": (chain_recursive, chain_loop, chain_generator),
    "sorted_chain:SortedChain": (sorted_chain_recursive, sorted_chain_loop, sorted_chain_generator),
    "doubly_linked_ring:DoublyLinkedRing": (ring_recursive, ring_loop, ring_generator),
    "sorted_ring:SortedRing": (sorted_ring_recursive, sorted_ring_loop, sorted_ring_generator),
    "node_caching_linked_list:NodeCachingLinkedList": (caching_recursive, caching_loop, caching_generator),
    "hash_map:HashMap": (hash_recursive, hash_loop, hash_generator),
}
