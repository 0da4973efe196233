"""A red-black tree of distinct ints with parent pointers.

Red nodes have black children and every way down meets the same number of black nodes, so that the longest way is at
most twice the shortest. A missing child counts as black.
"""

from __future__ import annotations

RED = False
BLACK = True


class Node:
    """A key with a color; a new node is red."""

    key: int
    color: bool
    left: Node | None
    right: Node | None
    parent: Node | None

    def __init__(self, key: int, parent: Node | None) -> None:
        self.key = key
        self.color = RED
        self.left = None
        self.right = None
        self.parent = parent


class RedBlackTree:
    """A set of ints, balanced."""

    root: Node | None
    size: int

    def __init__(self) -> None:
        self.root = None
        self.size = 0

    def add(self, key: int) -> bool:
        """Add the key and say whether it was new."""
        parent, node = None, self.root
        while node is not None:
            if key == node.key:
                return False
            parent, node = node, node.left if key < node.key else node.right
        new = Node(key, parent)
        if parent is None:
            self.root = new
        elif key < parent.key:
            parent.left = new
        else:
            parent.right = new
        self.size += 1
        self._repair_red(new)
        return True

    def remove(self, key: int) -> bool:
        """Remove the key and say whether it was there."""
        node = self._find(key)
        if node is None:
            return False
        if node.left is not None and node.right is not None:
            successor = _leftmost(node.right)
            node.key, node = successor.key, successor
        # from here on the node has at most one child
        child = node.right if node.left is None else node.left
        parent = node.parent
        self._replace(node, child)
        if node.color == BLACK:
            self._repair_black(child, parent)
        self.size -= 1
        return True

    def minimum(self) -> int:
        return _leftmost(self._nonempty_root()).key

    def maximum(self) -> int:
        node = self._nonempty_root()
        while node.right is not None:
            node = node.right
        return node.key

    def to_list(self) -> list[int]:
        return _keys(self.root)

    def __len__(self) -> int:
        return self.size

    def __contains__(self, key: int) -> bool:
        return self._find(key) is not None

    def rep_ok(self) -> bool:
        """Check for a search tree, no red below red, equally many blacks on every way down, `size` nodes."""
        if self.root is None:
            return self.size == 0
        if self.root.parent is not None:
            return False
        visited = {self.root}
        work = [self.root]
        while work:
            node = work.pop(0)
            for child in (node.left, node.right):
                if child is not None:
                    if child in visited or child.parent is not node:
                        return False
                    if node.color == RED and child.color == RED:
                        return False
                    visited.add(child)
                    work.append(child)
        if self.size != len(visited):
            return False
        return self._black_height(self.root) >= 0 and self._ordered(self.root, None, None)

    def rep_ok_black_root(self) -> bool:
        """Check `rep_ok` and that the root is black, which `add` and `remove` promise."""
        if self.root is not None and self.root.color == RED:
            return False
        return self.rep_ok()

    def _black_height(self, node: Node | None) -> int:
        if node is None:
            return 0
        left = self._black_height(node.left)
        right = self._black_height(node.right)
        if left < 0 or right < 0 or left != right:
            return -1
        if node.color == BLACK:
            return left + 1
        return left

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

    def _find(self, key: int) -> Node | None:
        node = self.root
        while node is not None and node.key != key:
            node = node.left if key < node.key else node.right
        return node

    def _repair_red(self, node: Node) -> None:
        """Move a red node under a red parent upwards until it can be rotated away."""
        parent = node.parent
        while parent is not None and parent.color == RED and parent.parent is not None:
            grandparent = parent.parent
            uncle = grandparent.right if parent is grandparent.left else grandparent.left
            if _is_black(uncle):
                self._rotate_red(node, parent, grandparent)
                break
            assert uncle is not None
            parent.color = uncle.color = BLACK
            grandparent.color = RED
            node, parent = grandparent, grandparent.parent
        assert self.root is not None
        self.root.color = BLACK

    def _rotate_red(self, node: Node, parent: Node, grandparent: Node) -> None:
        top = parent
        if (node is parent.left) != (parent is grandparent.left):
            self._rotate_up(node)  # an inner grandchild first becomes an outer one
            top = node
        top.color = BLACK
        grandparent.color = RED
        self._rotate_up(top)

    def _repair_black(self, node: Node | None, parent: Node | None) -> None:
        """Give back the black that every way through `node`, a child of `parent`, has lost."""
        while parent is not None and _is_black(node):
            sibling = self._black_sibling(node, parent)
            if _is_black(sibling.left) and _is_black(sibling.right):
                sibling.color = RED
                node, parent = parent, parent.parent
                continue
            self._borrow(sibling, parent)
            return
        if node is not None:
            node.color = BLACK

    def _black_sibling(self, node: Node | None, parent: Node) -> Node:
        left = node is parent.left
        sibling = parent.right if left else parent.left
        assert sibling is not None
        if sibling.color == BLACK:
            return sibling
        sibling.color = BLACK
        parent.color = RED
        self._rotate_up(sibling)
        nephew = parent.right if left else parent.left
        assert nephew is not None
        return nephew

    def _borrow(self, sibling: Node, parent: Node) -> None:
        """Rotate a red child of the black sibling into place."""
        outer, inner = (sibling.left, sibling.right) if sibling is parent.left else (sibling.right, sibling.left)
        if outer is None or outer.color == BLACK:
            assert inner is not None
            self._rotate_up(inner)
            sibling, outer = inner, sibling
        sibling.color = parent.color
        parent.color = outer.color = BLACK
        self._rotate_up(sibling)

    def _rotate_up(self, node: Node) -> None:
        """Make a node the parent of its parent."""
        parent = node.parent
        assert parent is not None
        self._replace(parent, node)
        if node is parent.left:
            parent.left = inner = node.right
            node.right = parent
        else:
            parent.right = inner = node.left
            node.left = parent
        if inner is not None:
            inner.parent = parent
        parent.parent = node

    def _replace(self, node: Node, child: Node | None) -> None:
        """Put `child` where `node` hangs."""
        parent = node.parent
        if parent is None:
            self.root = child
        elif node is parent.left:
            parent.left = child
        else:
            parent.right = child
        if child is not None:
            child.parent = parent


def _is_black(node: Node | None) -> bool:
    return node is None or node.color == BLACK


def _leftmost(node: Node) -> Node:
    while node.left is not None:
        node = node.left
    return node


def _keys(node: Node | None) -> list[int]:
    return [] if node is None else [*_keys(node.left), node.key, *_keys(node.right)]


class BuggyRedBlackTree(RedBlackTree):
    """Rotates an inner grandchild like an outer one.

    A red node stays below a red node, so `rep_ok` fails:
    `BuggyRedBlackTree(); add(2); add(0); add(1)`.
    """

    def _rotate_red(self, node: Node, parent: Node, grandparent: Node) -> None:  # noqa: ARG002  (the bug)
        parent.color = BLACK
        grandparent.color = RED
        self._rotate_up(parent)
