"""From a graph to the colours of its nodes: equal for nodes that nothing around them tells apart."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from unlike.heap.layout import Node, RecordLayout
from unlike.heap.numbered_names import Table

NumberOf = Callable[[int], int | None]  # from the id of a node to its number, if it has one
Write = Callable[[Sequence[Any], dict[int, int]], bytes]  # values as bytes, nodes in them as their colours


class Colouring:
    """All nodes of a graph and its edges, told apart as far as their surroundings differ."""

    def __init__(self, table: Table, roots: Sequence[object], write: Write) -> None:
        self.table = table
        self.write = write
        self.nodes: dict[int, tuple[Any, Node, list[tuple[Any, ...]], list[Any]]] = {}
        self.kept: list[object] = []
        self.edges: dict[int, list[int]] = {}
        queue: list[Any] = []
        for root in roots:
            self._reach(root, queue, [])
        for thing in queue:  # grows while we walk
            self._add(thing, queue)
        self.colours = self._refine()

    def _add(self, thing: object, queue: list[Any]) -> None:
        layout = self.table.pinned.get(id(thing)) or self.table.layout(type(thing))
        assert isinstance(layout, Node)
        values = layout.read(thing)
        self.kept.append(values)
        start = layout.content_start(values) if layout.unordered else len(values)
        elements = [tuple(values[i : i + layout.stride]) for i in range(start, len(values), layout.stride)]
        self.nodes[id(thing)] = (thing, layout, elements, list(values[:start]))
        targets: list[int] = []
        for value in values:
            self._reach(value, queue, targets)
        self.edges[id(thing)] = targets

    def _reach(self, value: object, queue: list[Any], targets: list[int]) -> None:
        layout = self.table.layout(type(value))
        if isinstance(layout, Node):
            targets.append(id(value))
            if id(value) not in self.nodes:
                self.nodes[id(value)] = (value, layout, [], [])
                queue.append(value)
        elif isinstance(layout, RecordLayout):
            parts = layout.parts(value)
            self.kept.append(parts)
            for part in parts:
                self._reach(part, queue, targets)

    def _refine(self) -> dict[int, int]:
        """Refine until nothing more can be told apart; equal graphs get equal colours."""
        colours: dict[int, int] = dict.fromkeys(self.nodes, 0)
        distinct = 1
        while True:
            labels = {key: self._label(key, colours) for key in self.nodes}
            ranks = {label: rank for rank, label in enumerate(sorted(set(labels.values())))}
            colours = {key: ranks[label] for key, label in labels.items()}
            if len(ranks) == distinct:
                return colours
            distinct = len(ranks)

    def _label(self, key: int, colours: dict[int, int]) -> bytes:
        _, layout, elements, fields = self.nodes[key]

        own = leb128(colours[key]) + leb128(layout.number) + leb128(len(elements))
        told = sorted(self.write(each, colours) for each in elements)
        return own + self.write(fields, colours) + b"".join(told)

    def private(self, alike: Sequence[tuple[Any, ...]], number_of: NumberOf) -> bool:
        """Tell whether what each element reaches anew is reached through it alone."""
        together: set[int] = set()
        for element in alike:
            doors: list[int] = []
            for part in element:
                self._reach(part, [], doors)
            doors = [door for door in doors if number_of(door) is None]
            reach = self._reachable(doors, number_of)
            if together & reach or self._entries(reach) != len(doors):
                return False
            together |= reach
        return True

    def _reachable(self, doors: Sequence[int], number_of: NumberOf) -> set[int]:
        stack, reach = list(doors), set(doors)
        while stack:
            for target in self.edges[stack.pop()]:
                if target not in reach and number_of(target) is None:
                    reach.add(target)
                    stack.append(target)
        return reach

    def _entries(self, reach: set[int]) -> int:
        """Return how many references lead from elsewhere into these nodes."""
        return sum(target in reach for key, targets in self.edges.items() if key not in reach for target in targets)


def leb128(number: int) -> bytes:
    """Return a number that is not negative, seven bits at a time, least first."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)
