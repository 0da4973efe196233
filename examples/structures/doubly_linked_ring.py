"""A doubly linked circular list without a sentinel: an empty ring is no node at all.

Adding goes behind the last node, which is the one before the head.
"""

from __future__ import annotations

from collections.abc import Iterator


class Node:
    """A bead of the ring; a new one is a ring by itself."""

    value: int
    previous: Node
    next: Node

    def __init__(self, value: int) -> None:
        self.value = value
        self.previous = self
        self.next = self


class DoublyLinkedRing:
    """A ring of ints with a head."""

    head: Node | None
    size: int

    def __init__(self) -> None:
        self.head = None
        self.size = 0

    def add(self, value: int) -> None:
        """Add the value behind the last one."""
        node = Node(value)
        if self.head is None:
            self.head = node
        else:
            self._link_before(self.head, node)
        self.size += 1

    def add_first(self, value: int) -> None:
        self.add(value)
        self.rotate(-1)

    def rotate(self, steps: int) -> None:
        """Move the head, forwards if steps are positive."""
        if self.head is None:
            return
        for _ in range(steps % self.size):
            self.head = self.head.next

    def remove(self, value: int) -> bool:
        """Remove the first occurrence, seen from the head, and say whether there was one."""
        node = self._find(value)
        if node is None:
            return False
        self._unlink(node)
        return True

    def pop(self) -> int:
        """Remove and return the value at the head."""
        node = self._first()
        self._unlink(node)
        return node.value

    def first(self) -> int:
        return self._first().value

    def last(self) -> int:
        return self._first().previous.value

    def to_list(self) -> list[int]:
        return [node.value for node in self._nodes()]

    def __len__(self) -> int:
        return self.size

    def __contains__(self, value: int) -> bool:
        return self._find(value) is not None

    def __iter__(self) -> Iterator[int]:
        return iter(self.to_list())

    def rep_ok(self) -> bool:
        """Check that every step forward can be taken back and `size` steps lead from the head to the head."""
        if self.head is None:
            return self.size == 0
        steps = 0
        node = self.head
        while True:
            following = node.next
            if following is None or following.previous is not node:
                return False
            steps += 1
            if following is self.head:
                return self.size == steps
            node = following

    def _first(self) -> Node:
        if self.head is None:
            raise IndexError("the ring is empty")
        return self.head

    def _nodes(self) -> list[Node]:
        nodes: list[Node] = []
        node = self.head
        while node is not None and len(nodes) < self.size:
            nodes.append(node)
            node = node.next
        return nodes

    def _find(self, value: int) -> Node | None:
        return next((node for node in self._nodes() if node.value == value), None)

    def _link_before(self, following: Node, node: Node) -> None:
        node.previous = following.previous
        node.next = following
        node.previous.next = node
        following.previous = node

    def _unlink(self, node: Node) -> None:
        node.previous.next = node.next
        node.next.previous = node.previous
        self.size -= 1
        if self.size == 0:
            self.head = None
        elif node is self.head:
            self.head = node.next


class BuggyDoublyLinkedRing(DoublyLinkedRing):
    """Keeps its head when the head is removed from a larger ring.

    The head then hangs outside the ring, and `rep_ok` fails:
    `BuggyDoublyLinkedRing(); add(0); add(0); pop()`.
    """

    def _unlink(self, node: Node) -> None:
        node.previous.next = node.next
        node.next.previous = node.previous
        self.size -= 1
        if self.size == 0:
            self.head = None
