"""A hash map from ints to ints with chained entries.

An entry waits in the bucket of its key modulo the number of buckets, which doubles when there are more entries than
buckets.
"""

from __future__ import annotations

from collections.abc import Iterator


class Entry:
    """A key, its value, and the next entry of the same bucket."""

    __slots__ = ("key", "next", "value")

    key: int
    value: int
    next: Entry | None

    def __init__(self, key: int, value: int, following: Entry | None) -> None:
        self.key = key
        self.value = value
        self.next = following


class HashMap:
    """A mapping that is used like a dict."""

    __slots__ = ("buckets", "size")

    buckets: list[Entry | None]
    size: int

    def __init__(self) -> None:
        self.buckets = [None, None]
        self.size = 0

    def __setitem__(self, key: int, value: int) -> None:
        entry = self._find(key)
        if entry is not None:
            entry.value = value
            return
        bucket = key % len(self.buckets)
        self.buckets[bucket] = Entry(key, value, self.buckets[bucket])
        self.size += 1
        if self.size > len(self.buckets):
            self._grow()

    def __delitem__(self, key: int) -> None:
        self.pop(key)

    def pop(self, key: int) -> int:
        """Remove a key and return its value."""
        entry = self._find(key)
        if entry is None:
            raise KeyError(key)
        self._unlink(entry)
        self.size -= 1
        return entry.value

    def clear(self) -> None:
        self.buckets = [None, None]
        self.size = 0

    def __getitem__(self, key: int) -> int:
        entry = self._find(key)
        if entry is None:
            raise KeyError(key)
        return entry.value

    def get(self, key: int, default: int | None = None) -> int | None:
        entry = self._find(key)
        return default if entry is None else entry.value

    def items(self) -> list[tuple[int, int]]:
        return [(entry.key, entry.value) for bucket in self.buckets for entry in _chain(bucket)]

    def __len__(self) -> int:
        return self.size

    def __contains__(self, key: int) -> bool:
        return self._find(key) is not None

    def __iter__(self) -> Iterator[int]:
        return iter([key for key, _ in self.items()])

    def rep_ok(self) -> bool:
        """Check that every key waits once, in its own bucket, and `size` counts the keys, no more than buckets."""
        if self.size > len(self.buckets):
            return False
        visited = set()
        keys = set()
        for bucket, first in enumerate(self.buckets):
            entry = first
            while entry is not None:
                if entry in visited or entry.key in keys:
                    return False
                if entry.key % len(self.buckets) != bucket:
                    return False
                visited.add(entry)
                keys.add(entry.key)
                entry = entry.next
        return self.size == len(visited)

    def _find(self, key: int) -> Entry | None:
        entry = self.buckets[key % len(self.buckets)]
        while entry is not None and entry.key != key:
            entry = entry.next
        return entry

    def _unlink(self, entry: Entry) -> None:
        bucket = entry.key % len(self.buckets)
        if self.buckets[bucket] is entry:
            self.buckets[bucket] = entry.next
            return
        for before in _chain(self.buckets[bucket]):
            if before.next is entry:
                before.next = entry.next

    def _grow(self) -> None:
        entries = [entry for bucket in self.buckets for entry in _chain(bucket)]
        self.buckets = [None] * (2 * len(self.buckets))
        for entry in entries:
            bucket = entry.key % len(self.buckets)
            entry.next = self.buckets[bucket]
            self.buckets[bucket] = entry


def _chain(entry: Entry | None) -> list[Entry]:
    entries = []
    while entry is not None:
        entries.append(entry)
        entry = entry.next
    return entries


class BuggyHashMap(HashMap):
    """Makes room for more entries but leaves them in their old buckets.

    A key larger than the old number of buckets is no longer found, and `rep_ok` fails:
    `BuggyHashMap(); x[0] = 0; x[1] = 0; x[2] = 0`.
    """

    __slots__ = ()

    def _grow(self) -> None:
        self.buckets = [*self.buckets, *([None] * len(self.buckets))]
