"""A binomial heap of ints: a list of heap-ordered binomial trees, at most one of each degree.

Two trees of the same degree are linked, the larger root below the smaller, as bits carry when numbers are added. Roots
rise in degree, the children of a node fall.
"""

from __future__ import annotations


class Node:
    """The root of a binomial tree; its first child has the largest degree."""

    __slots__ = ("child", "degree", "key", "parent", "sibling")

    key: int
    degree: int
    parent: Node | None
    sibling: Node | None
    child: Node | None

    def __init__(self, key: int) -> None:
        self.key = key
        self.degree = 0
        self.parent = None
        self.sibling = None
        self.child = None


class BinomialHeap:
    """A mergeable priority queue."""

    __slots__ = ("head", "size")

    head: Node | None
    size: int

    def __init__(self) -> None:
        self.head = None
        self.size = 0

    def insert(self, key: int) -> None:
        self._unite(Node(key))
        self.size += 1

    def extract_min(self) -> int:
        """Remove and return the smallest key."""
        smallest = self._smallest_root()
        self._remove_root(smallest)
        return smallest.key

    def find_min(self) -> int:
        return self._smallest_root().key

    def decrease_key(self, key: int, smaller: int) -> None:
        """Replace one occurrence of the key by a smaller one."""
        if smaller > key:
            raise ValueError(f"{smaller!r} is larger than {key!r}")
        _lift(self._find(key), smaller)

    def delete(self, key: int) -> None:
        """Remove one occurrence of the key."""
        node = self._find(key)
        while node.parent is not None:
            node.key, node.parent.key = node.parent.key, node.key
            node = node.parent
        self._remove_root(node)

    def merge(self, other: BinomialHeap) -> None:
        """Take all keys of another heap, which is empty afterwards."""
        if other is self:
            raise ValueError("a heap cannot be merged with itself")
        self._unite(other.head)
        self.size += other.size
        other.head = None
        other.size = 0

    def is_empty(self) -> bool:
        return self.head is None

    def to_list(self) -> list[int]:
        """Return the keys, smallest first."""
        return sorted(node.key for node in _nodes(self.head))

    def __len__(self) -> int:
        return self.size

    def rep_ok(self) -> bool:
        """Check that roots rise in degree, each tree is binomial and heap-ordered, `size` counts the nodes."""
        if self.head is None:
            return self.size == 0
        if self.head.parent is not None:
            return False
        visited = {self.head}
        work = [self.head]
        while work:
            node = work.pop(0)
            parent, sibling, child = node.parent, node.sibling, node.child
            if parent is not None and node.key < parent.key:
                return False
            if sibling is not None:
                if sibling in visited or sibling.parent is not parent:
                    return False
                if parent is None:
                    if sibling.degree <= node.degree:
                        return False
                elif sibling.degree != node.degree - 1:
                    return False
                visited.add(sibling)
                work.append(sibling)
            elif parent is not None and node.degree != 0:
                return False
            if child is None:
                if node.degree != 0:
                    return False
            else:
                if child in visited or child.parent is not node:
                    return False
                if child.degree != node.degree - 1:
                    return False
                visited.add(child)
                work.append(child)
        return self.size == len(visited)

    def _smallest_root(self) -> Node:
        if self.head is None:
            raise IndexError("the heap is empty")
        return min(_roots(self.head), key=lambda root: root.key)

    def _find(self, key: int) -> Node:
        for node in _nodes(self.head):
            if node.key == key:
                return node
        raise KeyError(key)

    def _remove_root(self, root: Node) -> None:
        self.head = _chain([other for other in _roots(self.head) if other is not root])
        self._unite(_chain(self._orphans(root)))
        self.size -= 1

    def _orphans(self, root: Node) -> list[Node]:
        """Set the children of a root free, smallest degree first."""
        children = _roots(root.child)[::-1]
        for child in children:
            child.parent = None
        return children

    def _unite(self, head: Node | None) -> None:
        """Take in another list of roots."""
        waiting = sorted(_roots(self.head) + _roots(head), key=lambda root: root.degree)
        merged: list[Node] = []
        while waiting:
            root = waiting.pop(0)
            # of three trees of one degree the first stays and the other two are linked
            if len(waiting) >= 2 and waiting[1].degree == root.degree:
                merged.append(root)
            elif waiting and waiting[0].degree == root.degree:
                waiting[0] = _link(root, waiting[0])
            else:
                merged.append(root)
        self.head = _chain(merged)


def _roots(head: Node | None) -> list[Node]:
    roots = []
    while head is not None:
        roots.append(head)
        head = head.sibling
    return roots


def _nodes(head: Node | None) -> list[Node]:
    """Return the nodes of all trees of a list, parents before their children."""
    nodes = _roots(head)
    for node in nodes:  # grows while we walk
        nodes.extend(_roots(node.child))
    return nodes


def _chain(roots: list[Node]) -> Node | None:
    """Link roots by their siblings and return the first."""
    head = None
    for root in reversed(roots):
        root.sibling = head
        head = root
    return head


def _link(first: Node, second: Node) -> Node:
    """Hang the larger of two roots of one degree below the other and return that one."""
    parent, child = (second, first) if second.key < first.key else (first, second)
    child.parent = parent
    child.sibling = parent.child
    parent.child = child
    parent.degree += 1
    return parent


def _lift(node: Node, key: int) -> None:
    """Let a smaller key rise to its place."""
    while node.parent is not None and node.parent.key > key:
        node.key = node.parent.key
        node = node.parent
    node.key = key


class BuggyBinomialHeap(BinomialHeap):
    """Leaves the children of an extracted root pointing at it.

    A root then has a parent, so `rep_ok` fails:
    `BuggyBinomialHeap(); insert(0); insert(0); extract_min()`.
    """

    __slots__ = ()

    def _orphans(self, root: Node) -> list[Node]:
        return _roots(root.child)[::-1]
