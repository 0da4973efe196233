"""Mappings with something extra."""

from __future__ import annotations

from bisect import bisect_right
from typing import Any, ClassVar, Iterator, NamedTuple, Optional


class LRUCache:
    """Least-recently-used cache: a dict into a doubly linked list, newest first."""

    class _Entry:
        __slots__ = ("key", "value", "newer", "older")

        def __init__(self, key: str, value: Any) -> None:
            self.key: str = key
            self.value: Any = value
            self.newer: Optional[LRUCache._Entry] = None
            self.older: Optional[LRUCache._Entry] = None

    def __init__(self, capacity: int = 4) -> None:
        if capacity < 1:
            raise ValueError("capacity must be positive")
        self.capacity: int = capacity
        self.table: dict[str, LRUCache._Entry] = {}
        self.newest: Optional[LRUCache._Entry] = None
        self.oldest: Optional[LRUCache._Entry] = None

    def get(self, key: str, default: Any = None) -> Any:
        entry = self.table.get(key)
        if entry is None:
            return default
        self._unlink(entry)
        self._link_newest(entry)
        return entry.value

    def put(self, key: str, value: Any) -> None:
        if key in self.table:
            self._unlink(self.table[key])
        elif len(self.table) == self.capacity:
            assert self.oldest is not None
            del self.table[self.oldest.key]
            self._unlink(self.oldest)
        self.table[key] = entry = self._Entry(key, value)
        self._link_newest(entry)

    def evict(self, key: str) -> None:
        self._unlink(self.table.pop(key))

    def _unlink(self, entry: _Entry) -> None:
        if entry.newer is None:
            self.newest = entry.older
        else:
            entry.newer.older = entry.older
        if entry.older is None:
            self.oldest = entry.newer
        else:
            entry.older.newer = entry.newer
        entry.newer = entry.older = None

    def _link_newest(self, entry: _Entry) -> None:
        entry.older = self.newest
        if self.newest is not None:
            self.newest.newer = entry
        else:
            self.oldest = entry
        self.newest = entry

    def check(self) -> None:
        assert len(self.table) <= self.capacity, f"{len(self.table)} entries > {self.capacity}"
        assert self.capacity >= 1
        keys: list[str] = []
        previous, entry = None, self.newest
        while entry is not None:
            assert entry.newer is previous, f"bad back link at {entry.key}"
            assert entry.key not in keys, f"{entry.key} is linked twice"
            assert self.table.get(entry.key) is entry, f"{entry.key} is not in the table"
            keys.append(entry.key)
            previous, entry = entry, entry.older
        assert self.oldest is previous
        assert set(keys) == set(self.table)

    def rep_ok(self) -> bool:
        try:
            self.check()
        except AssertionError:
            return False
        return True


class Span(NamedTuple):
    start: int
    stop: int
    label: str


class IntervalMap:
    """Maps integers to labels through disjoint, sorted, half-open spans.

    Adjacent spans never carry the same label: they are coalesced.
    """

    def __init__(self) -> None:
        self.spans: list[Span] = []

    def __getitem__(self, point: int) -> str:
        i = bisect_right(self.spans, point, key=lambda s: s.start) - 1
        if i >= 0 and point < self.spans[i].stop:
            return self.spans[i].label
        raise KeyError(point)

    def assign(self, start: int, stop: int, label: str) -> None:
        if start >= stop:
            raise ValueError(f"empty span {start}..{stop}")
        self.clear(start, stop)
        self.spans = self._coalesce(sorted([*self.spans, Span(start, stop, label)]))

    def clear(self, start: int, stop: int) -> None:
        if start >= stop:
            return
        kept: list[Span] = []
        for span in self.spans:
            if span.start < min(start, span.stop):
                kept.append(span._replace(stop=min(start, span.stop)))
            if max(stop, span.start) < span.stop:
                kept.append(span._replace(start=max(stop, span.start)))
        self.spans = kept

    @staticmethod
    def _coalesce(spans: list[Span]) -> list[Span]:
        result: list[Span] = []
        for span in spans:
            if result and result[-1].stop == span.start and result[-1].label == span.label:
                result[-1] = result[-1]._replace(stop=span.stop)
            else:
                result.append(span)
        return result

    def rep_ok(self) -> bool:
        if not all(start < stop for start, stop, _ in self.spans):
            return False
        for (_, stop, label), (start, _, next_label) in zip(self.spans, self.spans[1:]):
            if stop > start or (stop == start and label == next_label):
                return False
        return True


class BiMap:
    """One-to-one mapping between user names and numeric ids."""

    MIN_ID: ClassVar[int] = 1
    MAX_ID: ClassVar[int] = 2**16 - 1

    def __init__(self) -> None:
        self._ids: dict[str, int] = {}
        self._names: dict[int, str] = {}

    def __iter__(self) -> Iterator[tuple[str, int]]:
        return iter(self._ids.items())

    def bind(self, name: str, uid: int) -> None:
        """Bind the pair, dropping whatever either side was bound to before."""
        if not self.MIN_ID <= uid <= self.MAX_ID:
            raise ValueError(f"id {uid} out of range")
        self.unbind(name)
        if uid in self._names:
            del self._ids[self._names.pop(uid)]
        self._ids[name] = uid
        self._names[uid] = name

    def unbind(self, name: str) -> None:
        uid = self._ids.pop(name, None)
        if uid is not None:
            del self._names[uid]

    def swap(self, a: str, b: str) -> None:
        self._ids[a], self._ids[b] = self._ids[b], self._ids[a]
        self._names.update({self._ids[a]: a, self._ids[b]: b})

    def rep_ok(self) -> bool:
        return (
            len(self._ids) == len(self._names)
            and {uid: name for name, uid in self._ids.items()} == self._names
            and all(self.MIN_ID <= uid <= self.MAX_ID for uid in self._names)
        )
