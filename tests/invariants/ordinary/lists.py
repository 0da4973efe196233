"""Linked lists of various shapes."""

from typing import Generic, Iterable, Iterator, Optional, TypeVar

T = TypeVar("T")


class SinglyLinkedList:
    """Singly linked list with head, tail and a cached length."""

    class Node:
        def __init__(self, value: int, next: "Optional[SinglyLinkedList.Node]" = None):
            self.value = value
            self.next = next

    head: Optional[Node]
    tail: Optional[Node]
    length: int

    def __init__(self, values: Iterable[int] = ()):
        self.head = self.tail = None
        self.length = 0
        for value in values:
            self.append(value)

    def append(self, value: int) -> None:
        node = self.Node(value)
        if self.tail is None:
            self.head = node
        else:
            self.tail.next = node
        self.tail = node
        self.length += 1

    def prepend(self, value: int) -> None:
        self.head = self.Node(value, self.head)
        if self.tail is None:
            self.tail = self.head
        self.length += 1

    def pop_first(self) -> int:
        if self.head is None:
            raise IndexError("list is empty")
        value = self.head.value
        self.head = self.head.next
        if self.head is None:
            self.tail = None
        self.length -= 1
        return value

    def reverse(self) -> None:
        previous, node = None, self.head
        self.tail = self.head
        while node is not None:
            node.next, previous, node = previous, node, node.next
        self.head = previous

    def rep_ok(self) -> bool:
        if self.head is None or self.tail is None:
            return self.head is None and self.tail is None and self.length == 0
        if self.tail.next is not None:
            return False
        visited = set()
        last = None
        current = self.head
        while current is not None:
            if id(current) in visited:
                return False
            visited.add(id(current))
            last, current = current, current.next
        return last is self.tail and len(visited) == self.length


class _Link(Generic[T]):
    __slots__ = ("prev", "next", "item")

    prev: "_Link[T]"
    next: "_Link[T]"
    item: Optional[T]

    def __init__(self, item: Optional[T] = None) -> None:
        self.prev = self
        self.next = self
        self.item = item


class DoublyLinkedList(Generic[T]):
    """Doubly linked list closed into a ring through a sentinel that holds no item."""

    def __init__(self) -> None:
        self._sentinel: _Link[T] = _Link()
        self._size: int = 0

    def __iter__(self) -> Iterator[T]:
        link = self._sentinel.next
        while link is not self._sentinel:
            yield link.item
            link = link.next

    def __len__(self) -> int:
        return self._size

    def append(self, item: T) -> None:
        self._insert_before(self._sentinel, item)

    def appendleft(self, item: T) -> None:
        self._insert_before(self._sentinel.next, item)

    def remove(self, item: T) -> None:
        link = self._sentinel.next
        while link is not self._sentinel:
            if link.item == item:
                link.prev.next, link.next.prev = link.next, link.prev
                self._size -= 1
                return
            link = link.next
        raise ValueError(f"{item!r} is not in the list")

    def _insert_before(self, where: _Link[T], item: T) -> None:
        if item is None:
            raise TypeError("None cannot be stored")
        link = _Link(item)
        link.prev, link.next = where.prev, where
        where.prev.next = link
        where.prev = link
        self._size += 1

    def rep_ok(self) -> bool:
        if self._sentinel.item is not None or self._size < 0:
            return False
        link, steps = self._sentinel, 0
        while True:
            if link.next.prev is not link:
                return False
            link = link.next
            if link is self._sentinel:
                break
            steps += 1
            if link.item is None or steps > self._size:
                return False
        return steps == self._size


class CircularPlayerRing:
    """Players around a table: a circular list with a pointer to whose turn it is."""

    MAX_PLAYERS = 8

    class Seat:
        def __init__(self, name: str) -> None:
            self.name: str = name
            self.following: "CircularPlayerRing.Seat" = self

    def __init__(self) -> None:
        self.current: Optional[CircularPlayerRing.Seat] = None
        self.names: set[str] = set()

    def join(self, name: str) -> None:
        """Seat a new player right after the current one."""
        if not name:
            raise ValueError("a player needs a name")
        if name in self.names:
            raise ValueError(f"{name} is already seated")
        if len(self.names) >= self.MAX_PLAYERS:
            raise OverflowError("table is full")
        seat = self.Seat(name)
        if self.current is None:
            self.current = seat
        else:
            seat.following = self.current.following
            self.current.following = seat
        self.names.add(name)

    def advance(self) -> Optional[str]:
        if self.current is None:
            return None
        self.current = self.current.following
        return self.current.name

    def eliminate_next(self) -> str:
        if self.current is None:
            raise LookupError("nobody is seated")
        victim = self.current.following
        if victim is self.current:
            self.current = None
        else:
            self.current.following = victim.following
        self.names.discard(victim.name)
        return victim.name

    def rep_ok(self) -> bool:
        if self.current is None:
            return not self.names
        around: list[str] = []
        seat = self.current
        for _ in range(self.MAX_PLAYERS):
            around.append(seat.name)
            seat = seat.following
            if seat is self.current:
                break
        else:
            return False
        return all(around) and len(around) == len(set(around)) and set(around) == self.names
