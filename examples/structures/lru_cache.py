"""A cache that forgets what was not used for longest.

A dict finds an entry, a doubly linked list from newest to oldest knows the order.
"""

from __future__ import annotations


class Entry:
    """A key and its value, between a newer and an older entry."""

    __slots__ = ("key", "newer", "older", "value")

    key: int
    value: int
    newer: Entry | None
    older: Entry | None

    def __init__(self, key: int, value: int) -> None:
        self.key = key
        self.value = value
        self.newer = None
        self.older = None


class LRUCache:
    """At most `capacity` entries; a full cache gives up its oldest one."""

    __slots__ = ("_capacity", "entries", "newest", "oldest")

    _capacity: int
    entries: dict[int, Entry]
    newest: Entry | None
    oldest: Entry | None

    def __init__(self, capacity: int) -> None:
        if capacity < 1:
            raise ValueError(f"capacity {capacity!r} is below 1")
        self._capacity = capacity
        self.entries = {}
        self.newest = None
        self.oldest = None

    @property
    def capacity(self) -> int:
        """The most entries there can be; a smaller one drops the oldest entries."""
        return self._capacity

    @capacity.setter
    def capacity(self, capacity: int) -> None:
        if capacity < 1:
            raise ValueError(f"capacity {capacity!r} is below 1")
        self._capacity = capacity
        self._evict()

    def put(self, key: int, value: int) -> None:
        """Store the value; the key is now the newest."""
        entry = self.entries.get(key)
        if entry is None:
            entry = self.entries[key] = Entry(key, value)
        else:
            entry.value = value
            self._unlink(entry)
        self._link_newest(entry)
        self._evict()

    def get(self, key: int) -> int:
        """Return the value; the key is now the newest."""
        entry = self.entries[key]
        self._unlink(entry)
        self._link_newest(entry)
        return entry.value

    def discard(self, key: int) -> bool:
        """Forget the key and say whether it was there."""
        entry = self.entries.pop(key, None)
        if entry is None:
            return False
        self._unlink(entry)
        return True

    def peek(self, key: int) -> int:
        """Return the value; the order stays."""
        return self.entries[key].value

    def to_list(self) -> list[int]:
        """Return the keys, newest first."""
        keys = []
        entry = self.newest
        while entry is not None:
            keys.append(entry.key)
            entry = entry.older
        return keys

    def __len__(self) -> int:
        return len(self.entries)

    def __contains__(self, key: int) -> bool:
        return key in self.entries

    def rep_ok(self) -> bool:
        """Check that the list leads from newest to oldest and back, over exactly the entries of the dict."""
        if self._capacity < 1 or len(self.entries) > self._capacity:
            return False
        count = 0
        newer, entry = None, self.newest
        while entry is not None:
            if entry.newer is not newer or entry.key not in self.entries:
                return False
            if self.entries[entry.key] is not entry:
                return False
            count += 1
            newer, entry = entry, entry.older
        return self.oldest is newer and count == len(self.entries)

    def _evict(self) -> None:
        while len(self.entries) > self._capacity and self.oldest is not None:
            del self.entries[self.oldest.key]
            self._unlink(self.oldest)

    def _link_newest(self, entry: Entry) -> None:
        entry.newer, entry.older = None, self.newest
        if self.newest is None:
            self.oldest = entry
        else:
            self.newest.newer = entry
        self.newest = entry

    def _unlink(self, entry: Entry) -> None:
        if entry.newer is None:
            self.newest = entry.older
        else:
            entry.newer.older = entry.older
        if entry.older is None:
            self.oldest = entry.newer
        else:
            entry.older.newer = entry.newer


class BuggyLRUCache(LRUCache):
    """Takes the oldest entry out of the order, but not out of the dict.

    It can still be read, and `rep_ok` fails:
    `BuggyLRUCache(1); put(0, 0); put(1, 0)`.
    """

    __slots__ = ()

    def _evict(self) -> None:
        if len(self.entries) > self._capacity and self.oldest is not None:
            self._unlink(self.oldest)
