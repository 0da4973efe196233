"""A doubly linked list that keeps removed nodes for later: the rich interface of Apache's NodeCachingLinkedList.

The main list is a ring through a header that holds no value. A removed node loses its value and joins the cache, a
chain linked by `next`; the next insertion takes it from there. Main list and cache never share a node.

The original has 34 constructors and methods. Here Python's own protocols stand for some of them (`len(x)` for size,
`in` for contains, `==` for equals, `iter` for iterator, `str` for toString), overloads have a name each (`insert` and
`insert_all` take an index), the constructor that takes a cache size is `with_maximum_cache_size`, the one that takes a
collection is `from_values`, and of the two conversions to an array one gives a list and one a tuple.
"""

from __future__ import annotations


class Node:
    """A place in the list or in the cache; the header and cached nodes hold None."""

    __slots__ = ("next", "previous", "value")

    next: Node | None
    previous: Node | None
    value: int | None

    def __init__(self, value: int | None = None) -> None:
        self.previous = self
        self.next = self
        self.value = value


class NodeCachingLinkedList:
    """A list of ints that reuses its nodes."""

    header: Node
    size: int
    first_cached: Node | None
    cache_size: int
    maximum_cache_size: int

    def __init__(self) -> None:
        self.header = Node()
        self.size = 0
        self.first_cached = None
        self.cache_size = 0
        self.maximum_cache_size = 20

    @classmethod
    def with_maximum_cache_size(cls, maximum: int) -> NodeCachingLinkedList:
        if maximum < 0:
            raise ValueError(f"maximum {maximum!r} is below 0")
        made = cls()
        made.maximum_cache_size = maximum
        return made

    @classmethod
    def from_values(cls, values: list[int]) -> NodeCachingLinkedList:
        made = cls()
        made.add_all(values)
        return made

    # adding

    def add(self, value: int) -> bool:
        return self.add_last(value)

    def add_first(self, value: int) -> bool:
        self._link(_next(self.header), self._take_node(value))
        return True

    def add_last(self, value: int) -> bool:
        self._link(self.header, self._take_node(value))
        return True

    def add_all(self, values: list[int]) -> bool:
        """Append the values and say whether there were any."""
        return self.insert_all(self.size, values)

    def insert(self, index: int, value: int) -> None:
        self._link(self._place(index), self._take_node(value))

    def insert_all(self, index: int, values: list[int]) -> bool:
        """Put the values before the one at the index and say whether there were any."""
        following = self._place(index)
        for value in values:
            self._link(following, self._take_node(value))
        return bool(values)

    def set(self, index: int, value: int) -> int | None:
        """Replace the value at the index and return the old one."""
        node = self._node(index)
        old, node.value = node.value, value
        return old

    # removing

    def remove(self, value: int) -> bool:
        """Remove the first occurrence and say whether there was one."""
        index = self.index_of(value)
        if index < 0:
            return False
        self._unlink(self._node(index))
        return True

    def remove_index(self, index: int) -> int | None:
        return self._unlink(self._node(index))

    def remove_first(self) -> int | None:
        return self._unlink(self._node(0))

    def remove_last(self) -> int | None:
        return self._unlink(self._node(self.size - 1))

    def remove_all(self, values: list[int]) -> bool:
        """Remove every occurrence of the values and say whether there was one."""
        return self._unlink_all([node for node in self._nodes() if node.value in values])

    def retain_all(self, values: list[int]) -> bool:
        """Remove everything but the values and say whether there was something."""
        return self._unlink_all([node for node in self._nodes() if node.value not in values])

    def clear(self) -> None:
        """Remove everything; as many nodes as the maximum allows go to the cache."""
        self._unlink_all(self._nodes())

    # looking

    def get(self, index: int) -> int | None:
        return self._node(index).value

    def get_first(self) -> int | None:
        return self._node(0).value

    def get_last(self) -> int | None:
        return self._node(self.size - 1).value

    def index_of(self, value: int) -> int:
        """Return the first position of the value, or -1."""
        values = self.to_list()
        return values.index(value) if value in values else -1

    def last_index_of(self, value: int) -> int:
        """Return the last position of the value, or -1."""
        values = self.to_list()
        return self.size - 1 - values[::-1].index(value) if value in values else -1

    def is_empty(self) -> bool:
        return self.size == 0

    def contains_all(self, values: list[int]) -> bool:
        return all(value in self for value in values)

    def to_list(self) -> list[int | None]:
        return [node.value for node in self._nodes()]

    def to_tuple(self) -> tuple[int | None, ...]:
        return tuple(self.to_list())

    def __contains__(self, value: int) -> bool:
        return self.index_of(value) >= 0

    def __eq__(self, other: object) -> bool:
        """Compare the values, whatever is cached."""
        if not isinstance(other, NodeCachingLinkedList):
            return NotImplemented
        return self.to_list() == other.to_list()

    __hash__ = None  # type: ignore[assignment]  # mutable, like list

    def __len__(self) -> int:
        return self.size

    def __str__(self) -> str:
        return str(self.to_list())

    # views

    def __iter__(self) -> ListIterator:
        return self.list_iterator()

    def list_iterator(self) -> ListIterator:
        return ListIterator(self, 0)

    def list_iterator_at(self, index: int) -> ListIterator:
        self._place(index)
        return ListIterator(self, index)

    def sub_list(self, start: int, stop: int) -> SubList:
        """Return a view of the values from start up to stop; what it changes, the list changes."""
        if not 0 <= start <= stop <= self.size:
            raise IndexError(f"{start!r}..{stop!r} is not within 0..{self.size}")
        return SubList(self, start, stop)

    # invariants

    def rep_ok(self) -> bool:
        """Check `rep_ok_original` and what it lacks: the nodes of the main list hold a value, no other node does."""
        if self.header is None or self.header.value is not None:
            return False
        if not self.rep_ok_original():
            return False
        node = self.header.next
        while node is not None and node is not self.header:
            if node.value is None:
                return False
            node = node.next
        node = self.first_cached
        while node is not None:
            if node.value is not None:
                return False
            node = node.next
        return True

    def rep_ok_original(self) -> bool:
        """Check the invariant of the ROOPS benchmark, which is too weak: it never looks at a value."""
        header = self.header
        if header is None or header.next is None or header.previous is None:
            return False
        if self.cache_size > self.maximum_cache_size or self.size < 0:
            return False
        cyclic_size = 0
        node = header
        while True:
            cyclic_size += 1
            if node.previous is None or node.previous.next is not node:
                return False
            if node.next is None or node.next.previous is not node:
                return False
            node = node.next
            if node is header:
                break
        if self.size != cyclic_size - 1:
            return False
        acyclic_size = 0
        visited = set()
        cached = self.first_cached
        while cached is not None:
            if cached in visited or cached.previous is not None:
                return False
            visited.add(cached)
            acyclic_size += 1
            cached = cached.next
        return self.cache_size == acyclic_size

    # nodes

    def _nodes(self) -> list[Node]:
        nodes = []
        node = _next(self.header)
        while node is not self.header:
            nodes.append(node)
            node = _next(node)
        return nodes

    def _node(self, index: int) -> Node:
        if not 0 <= index < self.size:
            raise IndexError(f"index {index!r} is not within a list of {self.size}")
        return self._place(index)

    def _place(self, index: int) -> Node:
        """Return the node at the index, or the header for the index behind the last."""
        if not 0 <= index <= self.size:
            raise IndexError(f"index {index!r} is not between 0 and {self.size}")
        node = _next(self.header)
        for _ in range(index):
            node = _next(node)
        return node

    def _link(self, following: Node, node: Node) -> None:
        previous = _previous(following)
        node.previous = previous
        node.next = following
        previous.next = node
        following.previous = node
        self.size += 1

    def _unlink(self, node: Node) -> int | None:
        previous, following = _previous(node), _next(node)
        previous.next = following
        following.previous = previous
        self.size -= 1
        value = node.value
        self._keep_node(node)
        return value

    def _unlink_all(self, nodes: list[Node]) -> bool:
        for node in nodes:
            self._unlink(node)
        return bool(nodes)

    def _take_node(self, value: int) -> Node:
        """Return a node from the cache, or a new one."""
        node = self.first_cached
        if node is None:
            return Node(value)
        self.first_cached = node.next
        self.cache_size -= 1
        node.value = value
        return node

    def _keep_node(self, node: Node) -> None:
        """Put a removed node into the cache, if there is room."""
        if self.cache_size >= self.maximum_cache_size:
            return
        node.previous = None
        node.value = None
        node.next = self.first_cached
        self.first_cached = node
        self.cache_size += 1


class ListIterator:
    """A place between two values of a list, moving both ways; `remove` and `set` act on the value passed last."""

    def __init__(self, target: NodeCachingLinkedList, index: int) -> None:
        self.target = target
        self.index = index
        self.passed: int | None = None

    def has_next(self) -> bool:
        return self.index < len(self.target)

    def has_previous(self) -> bool:
        return self.index > 0

    def previous(self) -> int | None:
        if not self.has_previous():
            raise IndexError("before the first value")
        self.index -= 1
        self.passed = self.index
        return self.target.get(self.index)

    def add(self, value: int) -> None:
        self.target.insert(self.index, value)
        self.index += 1
        self.passed = None

    def set(self, value: int) -> None:
        self.target.set(self._last_passed(), value)

    def remove(self) -> None:
        passed = self._last_passed()
        self.target.remove_index(passed)
        self.index = passed
        self.passed = None

    def __iter__(self) -> ListIterator:
        return self

    def __next__(self) -> int | None:
        if not self.has_next():
            raise StopIteration
        self.passed = self.index
        self.index += 1
        return self.target.get(self.passed)

    def _last_passed(self) -> int:
        if self.passed is None:
            raise ValueError("no value was passed since the last change")
        return self.passed


class SubList:
    """A window on a list, from start up to stop."""

    def __init__(self, target: NodeCachingLinkedList, start: int, stop: int) -> None:
        self.target = target
        self.start = start
        self.stop = stop

    def get(self, index: int) -> int | None:
        return self.target.get(self._inside(index))

    def add(self, value: int) -> bool:
        self.target.insert(self.stop, value)
        self.stop += 1
        return True

    def remove_index(self, index: int) -> int | None:
        removed = self.target.remove_index(self._inside(index))
        self.stop -= 1
        return removed

    def clear(self) -> None:
        while len(self):
            self.remove_index(0)

    def to_list(self) -> list[int | None]:
        return self.target.to_list()[self.start : self.stop]

    def __len__(self) -> int:
        return self.stop - self.start

    def _inside(self, index: int) -> int:
        if not 0 <= index < len(self):
            raise IndexError(f"index {index!r} is not within a view of {len(self)}")
        return self.start + index


def _next(node: Node) -> Node:
    assert node.next is not None  # in the main list
    return node.next


def _previous(node: Node) -> Node:
    assert node.previous is not None  # in the main list
    return node.previous


class BuggyNodeCachingLinkedList(NodeCachingLinkedList):
    """Puts removed nodes into the cache with their value still in them.

    `rep_ok` fails, the original invariant does not see it:
    `BuggyNodeCachingLinkedList(); add_last(0); remove_index(0)`.
    """

    def _keep_node(self, node: Node) -> None:
        if self.cache_size >= self.maximum_cache_size:
            return
        node.previous = None
        node.next = self.first_cached
        self.first_cached = node
        self.cache_size += 1
