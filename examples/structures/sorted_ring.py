"""A sorted, doubly linked circular list whose header holds 0.

Data are 1 and up, so the header's 0 is smaller than all of them. Repeats are allowed.
"""

from __future__ import annotations

from collections.abc import Iterator


class Node:
    """A bead of the ring; a new one is a ring by itself."""

    __slots__ = ("next", "previous", "value")

    value: int
    next: Node
    previous: Node

    def __init__(self, value: int) -> None:
        self.value = value
        self.previous = self
        self.next = self


class SortedRing:
    """A bag of positive ints, smallest first."""

    __slots__ = ("header", "size")

    header: Node
    size: int

    def __init__(self) -> None:
        self.header = Node(0)
        self.size = 0

    def add(self, value: int) -> bool:
        """Insert the value behind all that are not larger; values below 1 are ignored."""
        if value < 1:
            return False
        following = self.header.next
        while following is not self.header and following.value <= value:
            following = following.next
        self._link_before(following, Node(value))
        self.size += 1
        return True

    def remove(self, value: int) -> bool:
        """Remove one occurrence and say whether there was one."""
        node = self.header.next
        while node is not self.header and node.value < value:
            node = node.next
        if node is self.header or node.value != value:
            return False
        self._unlink(node)
        return True

    def pop_smallest(self) -> int:
        return self._pop(self.header.next)

    def pop_largest(self) -> int:
        return self._pop(self.header.previous)

    def count(self, value: int) -> int:
        return self.to_list().count(value)

    def to_list(self) -> list[int]:
        values = []
        node = self.header.next
        while node is not self.header:
            values.append(node.value)
            node = node.next
        return values

    def __len__(self) -> int:
        return self.size

    def __contains__(self, value: int) -> bool:
        return value in self.to_list()

    def __iter__(self) -> Iterator[int]:
        return iter(self.to_list())

    def rep_ok(self) -> bool:
        """Check that the header holds 0, the ring is doubly linked and rises from 1 on, `size` counts its data."""
        header = self.header
        if header is None or header.value != 0:
            return False
        visited = {header}
        node, least = header, 1
        while True:
            following = node.next
            if following is None or following.previous is not node:
                return False
            if following is header:
                return self.size == len(visited) - 1
            if following in visited or following.value < least:
                return False
            visited.add(following)
            node, least = following, following.value

    def _pop(self, node: Node) -> int:
        if node is self.header:
            raise IndexError("the ring is empty")
        self._unlink(node)
        return node.value

    def _link_before(self, following: Node, node: Node) -> None:
        node.previous = following.previous
        node.next = following
        node.previous.next = node
        following.previous = node

    def _unlink(self, node: Node) -> None:
        node.previous.next = node.next
        node.next.previous = node.previous
        self.size -= 1


class BuggySortedRing(SortedRing):
    """Forgets the way back when a value goes in before another one.

    Only the header learns of its new predecessor, so `rep_ok` fails:
    `BuggySortedRing(); add(2); add(1)`.
    """

    __slots__ = ()

    def _link_before(self, following: Node, node: Node) -> None:
        node.previous = following.previous
        node.next = following
        node.previous.next = node
        if following is self.header:
            following.previous = node
