"""A singly linked list behind a header node.

The header carries no value, so that every insertion and removal happens behind some node and no case is special.
"""

from __future__ import annotations

from collections.abc import Iterator


class Node:
    """A link of the chain; the header is the one whose value is None."""

    __slots__ = ("next", "value")

    value: int | None
    next: Node | None

    def __init__(self, value: int | None, following: Node | None = None) -> None:
        self.value = value
        self.next = following


class SinglyLinkedList:
    """A list of ints; `add` appends."""

    __slots__ = ("header", "size")

    header: Node
    size: int

    def __init__(self) -> None:
        self.header = Node(None)
        self.size = 0

    def add(self, value: int) -> None:
        self._insert_behind(self._node_before(self.size), value)

    def add_first(self, value: int) -> None:
        self._insert_behind(self.header, value)

    def insert(self, index: int, value: int) -> None:
        if not 0 <= index <= self.size:
            raise IndexError(f"index {index!r} is not between 0 and {self.size}")
        self._insert_behind(self._node_before(index), value)

    def remove_index(self, index: int) -> int | None:
        self._check(index)
        return self._remove_behind(self._node_before(index))

    def remove(self, value: int) -> bool:
        """Remove the first occurrence and say whether there was one."""
        index = self.index_of(value)
        if index < 0:
            return False
        self._remove_behind(self._node_before(index))
        return True

    def reverse(self) -> None:
        previous, node = None, self.header.next
        while node is not None:
            node.next, previous, node = previous, node, node.next
        self.header.next = previous

    def clear(self) -> None:
        self.header.next = None
        self.size = 0

    def get(self, index: int) -> int | None:
        self._check(index)
        return self._node_before(index + 1).value

    def index_of(self, value: int) -> int:
        """Return the first position of the value, or -1."""
        for index, present in enumerate(self.to_list()):
            if present == value:
                return index
        return -1

    def to_list(self) -> list[int | None]:
        values = []
        node = self.header.next
        while node is not None:
            values.append(node.value)
            node = node.next
        return values

    def __len__(self) -> int:
        return self.size

    def __contains__(self, value: int) -> bool:
        return self.index_of(value) >= 0

    def __iter__(self) -> Iterator[int | None]:
        return iter(self.to_list())

    def rep_ok(self) -> bool:
        """Check that the chain ends, only the header is without a value, and `size` counts the others."""
        node = self.header
        if node is None or node.value is not None:
            return False
        visited = {node}
        while node.next is not None:
            node = node.next
            if node in visited or node.value is None:
                return False
            visited.add(node)
        return self.size == len(visited) - 1

    def _check(self, index: int) -> None:
        if not 0 <= index < self.size:
            raise IndexError(f"index {index!r} is not below {self.size}")

    def _node_before(self, index: int) -> Node:
        node = self.header
        for _ in range(index):
            assert node.next is not None
            node = node.next
        return node

    def _insert_behind(self, node: Node, value: int) -> None:
        node.next = Node(value, node.next)
        self.size += 1

    def _remove_behind(self, node: Node) -> int | None:
        removed = node.next
        assert removed is not None
        node.next = removed.next
        self.size -= 1
        return removed.value


class BuggySinglyLinkedList(SinglyLinkedList):
    """Counts the new element before looking whether the index is legal.

    `insert` raises IndexError as it should, but leaves `size` one too large:
    `BuggySinglyLinkedList(); insert(1, 0)`.
    """

    __slots__ = ()

    def insert(self, index: int, value: int) -> None:
        self.size += 1
        if not 0 <= index < self.size:
            raise IndexError(f"index {index!r} is not between 0 and {self.size - 1}")
        node = self._node_before(index)
        node.next = Node(value, node.next)
