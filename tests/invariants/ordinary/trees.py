"""Balanced and unbalanced search trees."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Iterator, Optional


class BinarySearchTree:
    """A plain binary search tree of distinct integers."""

    class Node:
        __slots__ = ("key", "left", "right")

        def __init__(self, key: int) -> None:
            self.key: int = key
            self.left: Optional[BinarySearchTree.Node] = None
            self.right: Optional[BinarySearchTree.Node] = None

    def __init__(self) -> None:
        self.root: Optional[BinarySearchTree.Node] = None
        self.size: int = 0

    def __len__(self) -> int:
        return self.size

    def __contains__(self, key: int) -> bool:
        node = self.root
        while node is not None and node.key != key:
            node = node.left if key < node.key else node.right
        return node is not None

    def add(self, key: int) -> bool:
        parent, node = None, self.root
        while node is not None:
            if key == node.key:
                return False
            parent, node = node, node.left if key < node.key else node.right
        fresh = self.Node(key)
        if parent is None:
            self.root = fresh
        elif key < parent.key:
            parent.left = fresh
        else:
            parent.right = fresh
        self.size += 1
        return True

    def remove(self, key: int) -> bool:
        if key not in self:
            return False
        self.root = self._remove(self.root, key)
        self.size -= 1
        return True

    def _remove(self, node: Optional[Node], key: int) -> Optional[Node]:
        assert node is not None
        if key < node.key:
            node.left = self._remove(node.left, key)
        elif key > node.key:
            node.right = self._remove(node.right, key)
        elif node.left is None:
            return node.right
        elif node.right is None:
            return node.left
        else:
            successor = node.right
            while successor.left is not None:
                successor = successor.left
            node.key = successor.key
            node.right = self._remove(node.right, successor.key)
        return node

    def rep_ok(self) -> bool:
        seen: set[int] = set()
        work: list[tuple[Optional[BinarySearchTree.Node], float, float]] = [
            (self.root, float("-inf"), float("inf"))
        ]
        while work:
            node, low, high = work.pop()
            if node is None:
                continue
            if id(node) in seen:
                return False
            seen.add(id(node))
            if not low < node.key < high:
                return False
            work.append((node.left, low, node.key))
            work.append((node.right, node.key, high))
        return len(seen) == self.size


@dataclass(eq=False)
class AVLNode:
    key: int
    height: int = 1
    left: Optional[AVLNode] = None
    right: Optional[AVLNode] = None


def _height(node: Optional[AVLNode]) -> int:
    return node.height if node else 0


class AVLTree:
    """AVL tree; every node caches the height of its subtree."""

    def __init__(self) -> None:
        self.root: Optional[AVLNode] = None

    def insert(self, key: int) -> None:
        self.root = self._insert(self.root, key)

    def pop_min(self) -> int:
        if self.root is None:
            raise KeyError("pop_min from an empty tree")
        smallest, self.root = self._pop_min(self.root)
        return smallest

    def _insert(self, node: Optional[AVLNode], key: int) -> AVLNode:
        if node is None:
            return AVLNode(key)
        if key < node.key:
            node.left = self._insert(node.left, key)
        elif key > node.key:
            node.right = self._insert(node.right, key)
        return self._rebalance(node)

    def _pop_min(self, node: AVLNode) -> tuple[int, Optional[AVLNode]]:
        if node.left is None:
            return node.key, node.right
        smallest, node.left = self._pop_min(node.left)
        return smallest, self._rebalance(node)

    @staticmethod
    def _update(node: AVLNode) -> None:
        node.height = 1 + max(_height(node.left), _height(node.right))

    def _rotate_right(self, node: AVLNode) -> AVLNode:
        pivot = node.left
        node.left, pivot.right = pivot.right, node
        self._update(node)
        self._update(pivot)
        return pivot

    def _rotate_left(self, node: AVLNode) -> AVLNode:
        pivot = node.right
        node.right, pivot.left = pivot.left, node
        self._update(node)
        self._update(pivot)
        return pivot

    def _rebalance(self, node: AVLNode) -> AVLNode:
        self._update(node)
        balance = _height(node.left) - _height(node.right)
        if balance > 1:
            if _height(node.left.left) < _height(node.left.right):
                node.left = self._rotate_left(node.left)
            return self._rotate_right(node)
        if balance < -1:
            if _height(node.right.right) < _height(node.right.left):
                node.right = self._rotate_right(node.right)
            return self._rotate_left(node)
        return node

    def rep_ok(self) -> bool:
        return self._check(self.root, None, None, set()) >= 0

    def _check(
        self,
        node: Optional[AVLNode],
        low: Optional[int],
        high: Optional[int],
        seen: set[int],
    ) -> int:
        """Return the real height of the subtree, or -1 if it is malformed."""
        if node is None:
            return 0
        if id(node) in seen:
            return -1
        seen.add(id(node))
        if (low is not None and node.key <= low) or (high is not None and node.key >= high):
            return -1
        left = self._check(node.left, low, node.key, seen)
        if left < 0:
            return -1
        right = self._check(node.right, node.key, high, seen)
        if right < 0 or abs(left - right) > 1:
            return -1
        height = 1 + max(left, right)
        return height if node.height == height else -1


class Color(Enum):
    RED = "red"
    BLACK = "black"


class RedBlackTree:
    """Left-leaning red-black tree mapping string keys to integers."""

    class Node:
        def __init__(self, key: str, value: int, color: Color = Color.RED) -> None:
            self.key: str = key
            self.value: int = value
            self.color: Color = color
            self.left: Optional["RedBlackTree.Node"] = None
            self.right: Optional["RedBlackTree.Node"] = None

    def __init__(self) -> None:
        self.root: Optional[RedBlackTree.Node] = None

    def put(self, key: str, value: int) -> None:
        self.root = self._put(self.root, key, value)
        self.root.color = Color.BLACK

    def increment(self, key: str, by: int = 1) -> int:
        for node in self._in_order(self.root):
            if node.key == key:
                node.value += by
                return node.value
        self.put(key, by)
        return by

    def clear(self) -> None:
        self.root = None

    def _put(self, h: Optional[Node], key: str, value: int) -> Node:
        if h is None:
            return self.Node(key, value)
        if key < h.key:
            h.left = self._put(h.left, key, value)
        elif key > h.key:
            h.right = self._put(h.right, key, value)
        else:
            h.value = value
        if self._is_red(h.right) and not self._is_red(h.left):
            x = h.right
            h.right, x.left = x.left, h
            x.color, h.color = h.color, Color.RED
            h = x
        if self._is_red(h.left) and self._is_red(h.left.left):
            x = h.left
            h.left, x.right = x.right, h
            x.color, h.color = h.color, Color.RED
            h = x
        if self._is_red(h.left) and self._is_red(h.right):
            h.color = Color.RED
            h.left.color = h.right.color = Color.BLACK
        return h

    @staticmethod
    def _is_red(node: Optional[Node]) -> bool:
        return node is not None and node.color is Color.RED

    @classmethod
    def _in_order(cls, node: Optional[Node]) -> Iterator[Node]:
        if node is not None:
            yield from cls._in_order(node.left)
            yield node
            yield from cls._in_order(node.right)

    def rep_ok(self) -> bool:
        visited: set[int] = set()

        def black_height(node: Optional[RedBlackTree.Node]) -> int:
            if node is None:
                return 1
            if id(node) in visited:
                raise ValueError(f"node {node.key!r} is reachable twice")
            visited.add(id(node))
            if self._is_red(node.right):
                raise ValueError(f"red link leans right at {node.key!r}")
            if self._is_red(node) and self._is_red(node.left):
                raise ValueError(f"two reds in a row at {node.key!r}")
            left, right = black_height(node.left), black_height(node.right)
            if left != right:
                raise ValueError(f"black heights {left} and {right} differ at {node.key!r}")
            return left + (node.color is Color.BLACK)

        if self._is_red(self.root):
            return False
        try:
            black_height(self.root)
        except ValueError:
            return False
        keys = [node.key for node in self._in_order(self.root)]
        return all(a < b for a, b in zip(keys, keys[1:]))
