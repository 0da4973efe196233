"""An AVL tree of distinct ints: the heights of two siblings differ by at most one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(eq=False, slots=True)
class Node:
    """A key and the height of the tree below it, itself included."""

    key: int
    height: int = 1
    left: Node | None = None
    right: Node | None = None


class AVLTree:
    """A set of ints, balanced by height."""

    root: Node | None
    size: int

    def __init__(self) -> None:
        self.root = None
        self.size = 0

    def insert(self, key: int) -> bool:
        """Insert the key and say whether it was new."""
        if key in self:
            return False
        self.root = self._with_key(self.root, key)
        self.size += 1
        return True

    def remove(self, key: int) -> bool:
        """Remove the key and say whether it was there."""
        if self.root is None or key not in self:
            return False
        self.root = self._without_key(self.root, key)
        self.size -= 1
        return True

    def minimum(self) -> int:
        if self.root is None:
            raise ValueError("the tree is empty")
        return _leftmost(self.root).key

    def height(self) -> int:
        return _height(self.root)

    def to_list(self) -> list[int]:
        return _keys(self.root)

    def __len__(self) -> int:
        return self.size

    def __contains__(self, key: int) -> bool:
        node = self.root
        while node is not None and node.key != key:
            node = node.left if key < node.key else node.right
        return node is not None

    def __iter__(self) -> Iterator[int]:
        return iter(self.to_list())

    def rep_ok(self) -> bool:
        """Check for a search tree of `size` nodes with true heights, siblings differing by one at most."""
        if self.root is None:
            return self.size == 0
        visited = {self.root}
        work = [self.root]
        while work:
            node = work.pop(0)
            for child in (node.left, node.right):
                if child is not None:
                    if child in visited:
                        return False
                    visited.add(child)
                    work.append(child)
        if self.size != len(visited):
            return False
        return self._true_height(self.root) >= 0 and self._ordered(self.root, None, None)

    def _true_height(self, node: Node | None) -> int:
        """Return the height of a balanced tree whose heights are all noted, or -1."""
        if node is None:
            return 0
        left = self._true_height(node.left)
        right = self._true_height(node.right)
        if left < 0 or right < 0 or left - right > 1 or right - left > 1:
            return -1
        height = left + 1 if left > right else right + 1
        if node.height != height:
            return -1
        return height

    def _ordered(self, node: Node, above: int | None, below: int | None) -> bool:
        key = node.key
        if above is not None and key <= above:
            return False
        if below is not None and key >= below:
            return False
        left, right = node.left, node.right
        if left is not None and not self._ordered(left, above, key):
            return False
        return right is None or self._ordered(right, key, below)

    def _with_key(self, node: Node | None, key: int) -> Node:
        if node is None:
            return Node(key)
        if key < node.key:
            node.left = self._with_key(node.left, key)
        else:
            node.right = self._with_key(node.right, key)
        return _balanced(node)

    def _without_key(self, node: Node, key: int) -> Node | None:
        if key == node.key:
            if node.left is None or node.right is None:
                return node.right if node.left is None else node.left
            node.key = key = _leftmost(node.right).key
            node.right = self._without_key(node.right, key)
        elif key < node.key and node.left is not None:
            node.left = self._without_key(node.left, key)
        elif node.right is not None:
            node.right = self._without_key(node.right, key)
        return _balanced(node)


def _height(node: Node | None) -> int:
    return 0 if node is None else node.height


def _lean(node: Node) -> int:
    """Say how much higher the left side is."""
    return _height(node.left) - _height(node.right)


def _note_height(node: Node) -> None:
    node.height = 1 + max(_height(node.left), _height(node.right))


def _balanced(node: Node) -> Node:
    """Note the height, rotate if one side is too high, and return what is now on top."""
    _note_height(node)
    if _lean(node) > 1 and node.left is not None:
        if _lean(node.left) < 0:
            node.left = _rotated_left(node.left)
        return _rotated_right(node)
    if _lean(node) < -1 and node.right is not None:
        if _lean(node.right) > 0:
            node.right = _rotated_right(node.right)
        return _rotated_left(node)
    return node


def _rotated_left(node: Node) -> Node:
    top = node.right
    assert top is not None
    node.right, top.left = top.left, node
    _note_height(node)
    _note_height(top)
    return top


def _rotated_right(node: Node) -> Node:
    top = node.left
    assert top is not None
    node.left, top.right = top.right, node
    _note_height(node)
    _note_height(top)
    return top


def _leftmost(node: Node) -> Node:
    while node.left is not None:
        node = node.left
    return node


def _keys(node: Node | None) -> list[int]:
    return [] if node is None else [*_keys(node.left), node.key, *_keys(node.right)]


class BuggyAVLTree(AVLTree):
    """Notes the heights after a removal but does not rotate.

    One side can grow two higher than the other, so `rep_ok` fails:
    `BuggyAVLTree(); insert(1); insert(0); insert(2); insert(3); remove(0)`.
    """

    def _without_key(self, node: Node, key: int) -> Node | None:
        if key == node.key:
            if node.left is None or node.right is None:
                return node.right if node.left is None else node.left
            node.key = key = _leftmost(node.right).key
            node.right = self._without_key(node.right, key)
        elif key < node.key and node.left is not None:
            node.left = self._without_key(node.left, key)
        elif node.right is not None:
            node.right = self._without_key(node.right, key)
        _note_height(node)
        return node
