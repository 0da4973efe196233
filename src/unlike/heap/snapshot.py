"""A remembered object graph: did anything in it change, and put back only what did.

Values are compared by identity, so no `__eq__` of the user's runs. An unchanged graph needs no walk: it is in
the state it was in. Objects that a call added are forgotten when the objects that lead to them are put back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from unlike.heap.canonical import Table
from unlike.heap.layout import Node, Record, Values


class Snapshot:
    """What every object that the roots reach held when the snapshot was taken."""

    __slots__ = ("_entries", "_table", "_touched", "_watched")

    def __init__(self, table: Table, roots: Sequence[object]) -> None:
        self._table = table
        self._entries: list[tuple[Any, type, Node, Values]] = []
        self._watched: list[tuple[Any, type, Callable[[Any], Values], list[int]]] = []
        self._touched: list[int] | None = None
        queue: list[Any] = []
        seen: set[int] = set()
        for root in roots:
            self._reach(root, queue, seen)
        for thing in queue:  # grows while we walk
            layout = table.pinned.get(id(thing)) or table.layout(type(thing))
            assert isinstance(layout, Node)
            values = layout.read(thing)
            self._entries.append((thing, type(thing), layout, values))
            self._watched.append((thing, type(thing), layout.read, [*map(id, values)]))
            for value in values:
                self._reach(value, queue, seen)

    def _reach(self, value: object, queue: list[Any], seen: set[int]) -> None:
        cls = type(value)
        if cls is int or cls is bool or value is None:
            return
        layout = self._table.by_class.get(cls) or self._table.layout(cls)
        if layout.is_node:
            if id(value) not in seen:
                seen.add(id(value))
                queue.append(value)
        elif isinstance(layout, Record):
            for part in layout.parts(value):
                self._reach(part, queue, seen)

    def changed(self) -> bool:
        """Tell whether any object holds something else than before."""
        self._touched = [
            index
            for index, (thing, cls, read, before) in enumerate(self._watched)
            if type(thing) is not cls or [*map(id, read(thing))] != before
        ]
        return bool(self._touched)

    def restore(self) -> bool:
        """Put back what was touched; False if some object cannot be put back and the graph must be made again.

        Looks only at what the last `changed` found, if that was asked since the last `restore`.
        """
        if self._touched is None:
            self.changed()
        touched, self._touched = self._touched or [], None
        if not all(self._entries[index][2].restorable for index in touched):
            return False
        late = [index for index in touched if self._entries[index][2].hashes]
        for index in touched:
            if index not in late:
                self._put_back(index)
        for index in reversed(late):  # hashing a key may need the key's fields
            self._put_back(index)
        return True

    def _put_back(self, index: int) -> None:
        thing, cls, layout, values = self._entries[index]
        if type(thing) is not cls:
            object.__setattr__(thing, "__class__", cls)
        layout.write(thing, values)
