from __future__ import annotations

import logging
from dataclasses import dataclass, field
from typing import Generator, Optional

log = logging.getLogger(__name__)


class Treap:
    """Search tree on ``key`` that is a max-heap on ``priority``."""

    @dataclass
    class Node:
        key: int
        priority: int
        left: Optional[Treap.Node] = field(default=None, repr=False)
        right: Optional[Treap.Node] = field(default=None, repr=False)

    def __init__(self, *items: tuple[int, int]) -> None:
        self._root: Optional[Treap.Node] = None
        for key, priority in items:
            self.insert(key, priority)

    def insert(self, key: int, priority: int) -> None:
        self.erase(key)
        lower, upper = self._split(self._root, key)
        self._root = self._merge(self._merge(lower, Treap.Node(key, priority)), upper)

    def erase(self, key: int) -> bool:
        lower, rest = self._split(self._root, key)
        target, upper = self._split(rest, key + 1)
        self._root = self._merge(lower, upper)
        return target is not None

    @classmethod
    def _split(
        cls, node: Optional[Node], key: int
    ) -> tuple[Optional[Node], Optional[Node]]:
        """Split into keys < key and keys >= key."""
        if node is None:
            return None, None
        if node.key < key:
            node.right, upper = cls._split(node.right, key)
            return node, upper
        lower, node.left = cls._split(node.left, key)
        return lower, node

    @classmethod
    def _merge(cls, a: Optional[Node], b: Optional[Node]) -> Optional[Node]:
        if a is None or b is None:
            return a or b
        if a.priority >= b.priority:
            a.right = cls._merge(a.right, b)
            return a
        b.left = cls._merge(a, b.left)
        return b

    def rep_ok(self) -> bool:
        seen: set[int] = set()
        previous: Optional[int] = None

        def visit(node: Optional[Treap.Node]) -> bool:
            nonlocal previous
            if node is None:
                return True
            if id(node) in seen:
                return False
            seen.add(id(node))
            if any(c is not None and c.priority > node.priority for c in (node.left, node.right)):
                return False
            if not visit(node.left):
                return False
            if previous is not None and previous >= node.key:
                return False
            previous = node.key
            return visit(node.right)

        return visit(self._root)


class MinHeap:
    """Binary min-heap stored in a list, with the root at index 0."""

    def __init__(self, items: Optional[list[int]] = None):
        self.items: list[int] = list(items or [])
        for i in reversed(range(len(self.items) // 2)):
            self._sift_down(i)

    def push(self, item: int) -> None:
        self.items.append(item)
        i = len(self.items) - 1
        while i > 0 and self.items[i] < self.items[parent := (i - 1) // 2]:
            self.items[i], self.items[parent] = self.items[parent], self.items[i]
            i = parent

    def pop(self) -> int:
        if not self.items:
            raise IndexError("pop from an empty heap")
        last = self.items.pop()
        if not self.items:
            return last
        top, self.items[0] = self.items[0], last
        self._sift_down(0)
        return top

    def replace(self, item: int) -> int:
        top, self.items[0] = self.items[0], item
        self._sift_down(0)
        return top

    def _sift_down(self, i: int) -> None:
        n = len(self.items)
        while (child := 2 * i + 1) < n:
            if child + 1 < n and self.items[child + 1] < self.items[child]:
                child += 1
            if self.items[i] <= self.items[child]:
                break
            self.items[i], self.items[child] = self.items[child], self.items[i]
            i = child

    def rep_ok(self) -> bool:
        return all(
            self.items[(i - 1) // 2] <= item
            for i, item in enumerate(self.items)
            if i > 0
        )


@dataclass(eq=False, slots=True)
class LeftistNode:
    value: int
    rank: int = 1
    left: Optional[LeftistNode] = None
    right: Optional[LeftistNode] = None


class LeftistHeap:
    """Mergeable min-heap; rank is the distance to the nearest missing child."""

    def __init__(self) -> None:
        self.root: Optional[LeftistNode] = None
        self.count: int = 0

    def push(self, value: int) -> None:
        self.root = self._meld(self.root, LeftistNode(value))
        self.count += 1

    def pop(self) -> int:
        if self.root is None:
            raise IndexError("heap is empty")
        value = self.root.value
        self.root = self._meld(self.root.left, self.root.right)
        self.count -= 1
        return value

    def absorb(self, other: LeftistHeap) -> None:
        """Move everything from ``other`` into this heap."""
        if other is self:
            return
        self.root = self._meld(self.root, other.root)
        self.count += other.count
        other.root, other.count = None, 0

    @staticmethod
    def _rank(node: Optional[LeftistNode]) -> int:
        return 0 if node is None else node.rank

    def _meld(
        self, a: Optional[LeftistNode], b: Optional[LeftistNode]
    ) -> Optional[LeftistNode]:
        if a is None:
            return b
        if b is None:
            return a
        if b.value < a.value:
            a, b = b, a
        a.right = self._meld(a.right, b)
        if self._rank(a.left) < self._rank(a.right):
            a.left, a.right = a.right, a.left
        a.rank = self._rank(a.right) + 1
        return a

    def _nodes(self) -> Generator[LeftistNode, None, None]:
        """Pre-order walk that stops with an error on sharing or cycles."""
        seen = set()
        stack = [self.root] if self.root else []
        while stack:
            node = stack.pop()
            if id(node) in seen:
                raise RuntimeError(f"node with value {node.value} is shared")
            seen.add(id(node))
            yield node
            stack.extend(child for child in (node.right, node.left) if child is not None)

    def rep_ok(self) -> bool:
        total = 0
        try:
            for node in self._nodes():
                total += 1
                left, right = self._rank(node.left), self._rank(node.right)
                if left < right or node.rank != right + 1:
                    return False
                children = filter(None, (node.left, node.right))
                if min((c.value for c in children), default=node.value) < node.value:
                    return False
        except RuntimeError as exc:
            log.debug("leftist heap is broken: %s", exc)
            return False
        return total == self.count
