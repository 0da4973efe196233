"""A Fibonacci heap of ints: heap-ordered trees in a ring, tidied up only when the smallest key is removed.

A node that lost a child is marked; when it loses a second one it is cut off too and becomes a root.
"""

from __future__ import annotations


class Node:
    """A key in a ring of siblings; a new node is a ring by itself."""

    __slots__ = ("child", "degree", "key", "left", "marked", "parent", "right")

    key: int
    degree: int
    marked: bool
    parent: Node | None
    child: Node | None
    left: Node
    right: Node

    def __init__(self, key: int) -> None:
        self.key = key
        self.degree = 0
        self.marked = False
        self.parent = None
        self.child = None
        self.left = self
        self.right = self


class FibonacciHeap:
    """A priority queue with cheap insertion and cheap decrease."""

    smallest: Node | None
    size: int

    def __init__(self) -> None:
        self.smallest = None
        self.size = 0

    def insert(self, key: int) -> None:
        self._add_root(Node(key))
        self.size += 1

    def find_min(self) -> int:
        return self._nonempty().key

    def remove_min(self) -> int:
        """Remove and return the smallest key."""
        removed = self._nonempty()
        orphans = _ring(removed.child)
        for child in orphans:
            child.parent = None
        self.size -= 1
        self._set_roots(_linked(_ring(removed)[1:] + orphans))
        return removed.key

    def decrease_key(self, key: int, smaller: int) -> None:
        """Replace one occurrence of the key by a smaller one."""
        if smaller > key:
            raise ValueError(f"{smaller!r} is larger than {key!r}")
        node = self._find(key)
        node.key = smaller
        parent = node.parent
        if parent is not None and smaller < parent.key:
            self._cut(node, parent)
        elif parent is None and self.smallest is not None and smaller < self.smallest.key:
            self.smallest = node

    def to_list(self) -> list[int]:
        """Return the keys, smallest first."""
        return sorted(node.key for node in self._nodes())

    def __len__(self) -> int:
        return self.size

    def rep_ok(self) -> bool:
        """Check that rings close, parents and degrees are true, no key is below its parent's, `size` counts nodes."""
        if self.smallest is None:
            return self.size == 0
        visited = {self.smallest}
        rings: list[tuple[Node, Node | None]] = [(self.smallest, None)]
        while rings:
            first, parent = rings.pop(0)
            least = self.smallest.key if parent is None else parent.key
            members = 0
            node = first
            while True:
                if node.parent is not parent or node.key < least:
                    return False
                if node.right is None or node.right.left is not node:
                    return False
                members += 1
                if node.child is not None:
                    if node.child in visited:
                        return False
                    visited.add(node.child)
                    rings.append((node.child, node))
                elif node.degree != 0:
                    return False
                node = node.right
                if node is first:
                    break
                if node in visited:
                    return False
                visited.add(node)
            if parent is not None and parent.degree != members:
                return False
        return self.size == len(visited)

    def _nonempty(self) -> Node:
        if self.smallest is None:
            raise IndexError("the heap is empty")
        return self.smallest

    def _nodes(self) -> list[Node]:
        nodes = _ring(self.smallest)
        for node in nodes:  # grows while we walk
            nodes.extend(_ring(node.child))
        return nodes

    def _find(self, key: int) -> Node:
        for node in self._nodes():
            if node.key == key:
                return node
        raise KeyError(key)

    def _add_root(self, node: Node) -> None:
        if self.smallest is None:
            self.smallest = node
            return
        _insert_left(self.smallest, node)
        if node.key < self.smallest.key:
            self.smallest = node

    def _set_roots(self, roots: list[Node]) -> None:
        _close(roots)
        self.smallest = min(roots, key=lambda root: root.key, default=None)

    def _cut(self, node: Node, parent: Node | None) -> None:
        """Make a node a root, and its ancestors too as far as they lose a child for the second time."""
        while parent is not None:
            siblings = _ring(node)[1:]
            _close(siblings)
            parent.child = siblings[0] if siblings else None
            parent.degree -= 1
            _close([node])
            node.parent = None
            node.marked = False
            self._add_root(node)
            if parent.parent is None:
                return
            if not parent.marked:
                parent.marked = True
                return
            node, parent = parent, parent.parent


def _ring(first: Node | None) -> list[Node]:
    if first is None:
        return []
    nodes = [first]
    while nodes[-1].right is not first:
        nodes.append(nodes[-1].right)
    return nodes


def _close(nodes: list[Node]) -> None:
    """Link nodes to a ring, in this order."""
    for left, right in zip(nodes, nodes[1:] + nodes[:1], strict=True):
        left.right = right
        right.left = left


def _insert_left(right: Node, node: Node) -> None:
    node.left, node.right = right.left, right
    right.left.right = node
    right.left = node


def _linked(roots: list[Node]) -> list[Node]:
    """Hang roots of equal degree below each other until all degrees differ; smallest degree first."""
    by_degree: dict[int, Node] = {}
    for root in roots:
        while (other := by_degree.pop(root.degree, None)) is not None:
            root = _link(other, root)
        by_degree[root.degree] = root
    return [by_degree[degree] for degree in sorted(by_degree)]


def _link(first: Node, second: Node) -> Node:
    parent, child = (second, first) if second.key < first.key else (first, second)
    _close([*_ring(parent.child), child])
    parent.child = parent.child or child
    parent.degree += 1
    child.parent = parent
    child.marked = False
    return parent


class BuggyFibonacciHeap(FibonacciHeap):
    """Takes the first root for the smallest after tidying up.

    A root can be below `smallest`, so `rep_ok` fails:
    `BuggyFibonacciHeap(); insert(0); insert(0); insert(0); insert(1); remove_min()`.
    """

    def _set_roots(self, roots: list[Node]) -> None:
        _close(roots)
        self.smallest = roots[0] if roots else None
