"""A sorted, singly linked list behind a header without a key. Repeats are allowed."""

from __future__ import annotations

from collections.abc import Iterator


class Node:
    """A link of the chain; the header is the one whose key is None."""

    key: int | None
    next: Node | None

    def __init__(self, key: int | None, following: Node | None = None) -> None:
        self.key = key
        self.next = following


class SortedChain:
    """A bag of ints from 0 up, smallest first."""

    header: Node
    size: int

    def __init__(self) -> None:
        self.header = Node(None)
        self.size = 0

    def add(self, key: int) -> None:
        if key < 0:
            raise ValueError(f"key {key!r} is below 0")
        before = self._last_below(key)
        before.next = Node(key, before.next)
        self.size += 1

    def remove(self, key: int) -> bool:
        """Remove one occurrence and say whether there was one."""
        before = self._last_below(key)
        if before.next is None or before.next.key != key:
            return False
        before.next = before.next.next
        self.size -= 1
        return True

    def pop_smallest(self) -> int | None:
        smallest = self.header.next
        if smallest is None:
            raise IndexError("the chain is empty")
        self.header.next = smallest.next
        self.size -= 1
        return smallest.key

    def to_list(self) -> list[int | None]:
        keys = []
        node = self.header.next
        while node is not None:
            keys.append(node.key)
            node = node.next
        return keys

    def __len__(self) -> int:
        return self.size

    def __contains__(self, key: int) -> bool:
        following = self._last_below(key).next
        return following is not None and following.key == key

    def __iter__(self) -> Iterator[int | None]:
        return iter(self.to_list())

    def rep_ok(self) -> bool:
        """Check that only the header is without a key, the chain ends and never falls, `size` counts its keys."""
        node = self.header
        if node is None or node.key is not None:
            return False
        visited = {node}
        least = 0
        while node.next is not None:
            node = node.next
            if node in visited:
                return False
            visited.add(node)
            if node.key is None or node.key < least:
                return False
            least = node.key
        return self.size == len(visited) - 1

    def _last_below(self, key: int) -> Node:
        node = self.header
        while node.next is not None and node.next.key is not None and node.next.key < key:
            node = node.next
        return node


class BuggySortedChain(SortedChain):
    """Counts a removal as soon as it has found a key that is not below the one to remove.

    `remove` of an absent key lowers `size`, so `rep_ok` fails:
    `BuggySortedChain(); add(1); remove(0)`.
    """

    def remove(self, key: int) -> bool:
        before = self._last_below(key)
        if before.next is None:
            return False
        self.size -= 1
        if before.next.key != key:
            return False
        before.next = before.next.next
        return True
