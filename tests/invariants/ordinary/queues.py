"""Queues and bags."""

from __future__ import annotations

from collections import Counter
from typing import Generic, Iterable, Optional, TypeVar

T = TypeVar("T")


class IndexedPriorityQueue:
    """Binary min-heap of (priority, item) pairs with an item -> position index."""

    __slots__ = ("_heap", "_index")

    def __init__(self) -> None:
        self._heap: list[tuple[float, str]] = []
        self._index: dict[str, int] = {}

    def push(self, item: str, priority: float) -> None:
        if item in self._index:
            raise ValueError(f"{item!r} is already queued")
        self._index[item] = len(self._heap)
        self._heap.append((priority, item))
        self._up(len(self._heap) - 1)

    def pop(self) -> str:
        if not self._heap:
            raise IndexError("queue is empty")
        self._swap(0, len(self._heap) - 1)
        _, item = self._heap.pop()
        del self._index[item]
        if self._heap:
            self._down(0)
        return item

    def reprioritize(self, item: str, priority: float) -> None:
        i = self._index[item]
        self._heap[i] = (priority, item)
        self._up(i)
        self._down(self._index[item])

    def _swap(self, i: int, j: int) -> None:
        heap = self._heap
        heap[i], heap[j] = heap[j], heap[i]
        self._index[heap[i][1]] = i
        self._index[heap[j][1]] = j

    def _up(self, i: int) -> None:
        while i and self._heap[i] < self._heap[(i - 1) // 2]:
            self._swap(i, (i - 1) // 2)
            i = (i - 1) // 2

    def _down(self, i: int) -> None:
        while True:
            children = range(2 * i + 1, min(2 * i + 3, len(self._heap)))
            smallest = min(children, key=self._heap.__getitem__, default=i)
            if self._heap[i] <= self._heap[smallest]:
                return
            self._swap(i, smallest)
            i = smallest

    def rep_ok(self) -> bool:
        if self._index != {item: i for i, (_, item) in enumerate(self._heap)}:
            return False
        if len(self._index) != len(self._heap):
            return False
        for i in range(1, len(self._heap)):
            if self._heap[(i - 1) // 2] > self._heap[i]:
                return False
        return True


class RingBuffer(Generic[T]):
    """Bounded FIFO over a fixed list; free slots hold None."""

    CAPACITY = 5

    def __init__(self) -> None:
        self.slots: list[Optional[T]] = [None] * self.CAPACITY
        self.head: int = 0
        self.count: int = 0

    @property
    def full(self) -> bool:
        return self.count == self.CAPACITY

    @property
    def tail(self) -> int:
        """Index of the next slot to write."""
        return (self.head + self.count) % self.CAPACITY

    def put(self, item: T) -> None:
        if item is None:
            raise TypeError("None marks a free slot")
        if self.full:
            raise OverflowError("buffer is full")
        self.slots[self.tail] = item
        self.count += 1

    def get(self) -> T:
        if self.count == 0:
            raise LookupError("buffer is empty")
        item, self.slots[self.head] = self.slots[self.head], None
        self.head = (self.head + 1) % self.CAPACITY
        self.count -= 1
        return item

    def drain(self) -> list[T]:
        return [self.get() for _ in range(self.count)]

    def rep_ok(self) -> bool:
        if len(self.slots) != self.CAPACITY:
            return False
        if not (0 <= self.head < self.CAPACITY and 0 <= self.count <= self.CAPACITY):
            return False
        unrolled = self.slots[self.head:] + self.slots[:self.head]
        used, free = unrolled[:self.count], unrolled[self.count:]
        return None not in used and free == [None] * len(free)


class Bag:
    """Multiset of strings that remembers its size and its most common element."""

    def __init__(self, items: Iterable[str] = ()) -> None:
        self.counts: Counter[str] = Counter(items)
        self.total: int = sum(self.counts.values())
        self.favourite: Optional[str] = self._best()

    def _best(self) -> Optional[str]:
        """The most frequent item; ties go to the alphabetically first."""
        return min(self.counts, key=lambda item: (-self.counts[item], item), default=None)

    def add(self, item: str, times: int = 1) -> None:
        if times < 1:
            raise ValueError("times must be positive")
        self.counts[item] += times
        self.total += times
        self.favourite = self._best()

    def remove(self, item: str) -> None:
        if item not in self.counts:
            raise KeyError(item)
        self.counts[item] -= 1
        self.counts = +self.counts
        self.total -= 1
        self.favourite = self._best()

    def merge(self, other: Bag) -> None:
        self.counts.update(other.counts)
        self.total += other.total
        self.favourite = self._best()

    def rep_ok(self) -> bool:
        if any(map(lambda n: n <= 0, self.counts.values())):
            return False
        if self.total != sum(self.counts.values()):
            return False
        if self.favourite is None:
            return not self.counts
        top = self.counts[self.favourite]
        rivals = filter(lambda item: self.counts[item] >= top, self.counts)
        return next(iter(sorted(rivals)), None) == self.favourite and top == max(
            self.counts.values()
        )
