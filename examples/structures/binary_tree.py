"""The bare shape of a binary tree: nodes without a key.

A tree of n nodes has n + 1 open places where a node can be added; both are numbered from left to right.
"""

from __future__ import annotations


class Node:
    """A fork with up to two branches."""

    __slots__ = ("left", "right")

    left: Node | None
    right: Node | None

    def __init__(self) -> None:
        self.left = None
        self.right = None


class BinaryTree:
    """A shape; there are Catalan(n) of n nodes."""

    root: Node | None
    size: int

    def __init__(self) -> None:
        self.root = None
        self.size = 0

    def add(self, place: int) -> None:
        """Add a leaf at an open place."""
        if not 0 <= place <= self.size:
            raise IndexError(f"place {place!r} is not between 0 and {self.size}")
        if self.root is None:
            self.root = Node()
        else:
            parent, is_left = _open_places(self.root)[place]
            self._hang(parent, is_left, Node())
        self.size += 1

    def prune(self, index: int) -> int:
        """Remove a node with everything below it and return how many nodes that were."""
        if not 0 <= index < self.size:
            raise IndexError(f"index {index!r} is not below {self.size}")
        node = _nodes(self.root)[index]
        removed = self._cut(node)
        self.size -= removed
        return removed

    def mirror(self) -> None:
        """Exchange left and right everywhere."""
        for node in _nodes(self.root):
            node.left, node.right = node.right, node.left

    def height(self) -> int:
        """Return the number of nodes on the longest way down."""
        return _height(self.root)

    def shape(self) -> str:
        """Return the shape in brackets, `(left right)` for a node and a dot for no node."""
        return _shape(self.root)

    def __len__(self) -> int:
        return self.size

    def rep_ok(self) -> bool:
        """Check for a tree of `size` nodes."""
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
        return self.size == len(visited)

    def _hang(self, parent: Node, is_left: bool, child: Node | None) -> None:
        if is_left:
            parent.left = child
        else:
            parent.right = child

    def _cut(self, node: Node) -> int:
        """Unhook a node and return how many nodes that takes away."""
        if node is self.root:
            self.root = None
        for parent in _nodes(self.root):
            if node in (parent.left, parent.right):
                self._hang(parent, parent.left is node, None)
        return len(_nodes(node))


def _nodes(node: Node | None) -> list[Node]:
    """Return the nodes from left to right."""
    return [] if node is None else [*_nodes(node.left), node, *_nodes(node.right)]


def _open_places(node: Node) -> list[tuple[Node, bool]]:
    """Return the open places from left to right: the node above, and whether it is on its left."""
    left = [(node, True)] if node.left is None else _open_places(node.left)
    right = [(node, False)] if node.right is None else _open_places(node.right)
    return left + right


def _height(node: Node | None) -> int:
    return 0 if node is None else 1 + max(_height(node.left), _height(node.right))


def _shape(node: Node | None) -> str:
    return "." if node is None else f"({_shape(node.left)} {_shape(node.right)})"


class BuggyBinaryTree(BinaryTree):
    """Takes off a whole branch but counts one node.

    `size` is too large afterwards, so `rep_ok` fails:
    `BuggyBinaryTree(); add(0); add(0); prune(1)`.
    """

    def _cut(self, node: Node) -> int:
        super()._cut(node)
        return 1
