"""An unbalanced binary search tree of distinct ints."""

from __future__ import annotations

from collections.abc import Iterator


class Node:
    """A key and the keys below and above it."""

    key: int
    left: Node | None
    right: Node | None

    def __init__(self, key: int) -> None:
        self.key = key
        self.left = None
        self.right = None


class BinarySearchTree:
    """A set of ints in sorted order."""

    root: Node | None
    size: int

    def __init__(self) -> None:
        self.root = None
        self.size = 0

    def insert(self, key: int) -> bool:
        """Insert the key and say whether it was new."""
        if self.root is None:
            self.root = Node(key)
            self.size = 1
            return True
        node = self.root
        while node.key != key:
            child = node.left if key < node.key else node.right
            if child is None:
                self._hang(node, Node(key))
                self.size += 1
                return True
            node = child
        return False

    def remove(self, key: int) -> bool:
        """Remove the key and say whether it was there."""
        parent, node = None, self.root
        while node is not None and node.key != key:
            parent, node = node, node.left if key < node.key else node.right
        if node is None:
            return False
        if node.left is not None and node.right is not None:
            self._take_key_of_successor(node)
        else:
            self._replace(parent, node, node.right if node.left is None else node.left)
        self.size -= 1
        return True

    def minimum(self) -> int:
        node = self._nonempty_root()
        while node.left is not None:
            node = node.left
        return node.key

    def maximum(self) -> int:
        node = self._nonempty_root()
        while node.right is not None:
            node = node.right
        return node.key

    def height(self) -> int:
        """Return the number of nodes on the longest way down."""
        height, level = 0, [self.root] if self.root else []
        while level:
            height += 1
            level = [child for node in level for child in (node.left, node.right) if child is not None]
        return height

    def to_list(self) -> list[int]:
        keys: list[int] = []
        above: list[Node] = []
        node = self.root
        while node is not None or above:
            while node is not None:
                above.append(node)
                node = node.left
            node = above.pop()
            keys.append(node.key)
            node = node.right
        return keys

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
        """Check for a tree, counted by `size`, whose keys rise from left to right."""
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
        return self.size == len(visited) and self._ordered(self.root, None, None)

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

    def _nonempty_root(self) -> Node:
        if self.root is None:
            raise ValueError("the tree is empty")
        return self.root

    def _hang(self, parent: Node, child: Node) -> None:
        if child.key < parent.key:
            parent.left = child
        else:
            parent.right = child

    def _replace(self, parent: Node | None, node: Node, child: Node | None) -> None:
        if parent is None:
            self.root = child
        elif parent.left is node:
            parent.left = child
        else:
            parent.right = child

    def _take_key_of_successor(self, node: Node) -> None:
        parent, successor = node, node.right
        assert successor is not None
        while successor.left is not None:
            parent, successor = successor, successor.left
        node.key = successor.key
        self._replace(parent, successor, successor.right)


class BuggyBinarySearchTree(BinarySearchTree):
    """Loses what hangs below the successor when a key with two children is removed.

    `size` no longer counts the nodes, so `rep_ok` fails:
    `BuggyBinarySearchTree(); insert(1); insert(0); insert(2); insert(3); remove(1)`.
    """

    def _take_key_of_successor(self, node: Node) -> None:
        parent, successor = node, node.right
        assert successor is not None
        while successor.left is not None:
            parent, successor = successor, successor.left
        node.key = successor.key
        self._replace(parent, successor, None)
