"""From an abstract state to a line that a person reads: the shape with named unknowns, and what is known of them.

    BinarySearchTree(root=Node(key=a, right=Node(key=b)), size=2) where a < b

Fields that are None are left out. An object that occurs more than once has a number, `Node#1(…)`, and is `#1` where it
occurs again.
"""

from __future__ import annotations

import collections
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from unlike.heap.canonical import Table
from unlike.heap.rebuild import Heap, HeapNode, NodeRef, RecordValue, heap_of_parsed
from unlike.points.words import Usual, Words, words
from unlike.symbolic.shapes.filling import positions_of
from unlike.symbolic.walking import OPEN, RANKED, _OpenReader
from unlike.symbolic.zone import Zone


@dataclass(frozen=True, slots=True)
class Shown:
    """A shape with named unknowns, and what is known of the names."""

    shape: str
    known: str

    def __str__(self) -> str:
        return f"{self.shape} where {self.known}" if self.known else self.shape


@dataclass(frozen=True, slots=True)
class _Unknown:
    term: str


def shown(table: Table, shape: bytes, zone: Zone, numbers: tuple[int, int]) -> Shown:
    """Return an abstract state in words; the usual range of numbers is not mentioned."""
    usual = [_usual(table, shape[position], numbers) for position in positions_of(table, shape)]
    said: Words = words(zone, usual)
    parsed = _OpenReader(table, shape, lambda n: _Unknown(said.terms[n - 1])).parsed()
    return Shown(_Picture(heap_of_parsed(table, parsed)).text(), said.known)


def _usual(table: Table, code: int, numbers: tuple[int, int]) -> Usual:
    """Return what is usual for a value written with the code: a number, or a rank on a scale."""
    if code == OPEN:
        return Usual(*numbers)
    values = table.scales[RANKED[code]].values
    return Usual(0, len(values) - 1, lambda rank: repr(values[rank]))


class _Picture:
    """A heap as one line of text."""

    def __init__(self, heap: Heap) -> None:
        self.heap = heap
        met = collections.Counter(node for value in _values(heap) for node in _references(value))
        self.numbers = {node: place for place, node in enumerate((n for n in sorted(met) if met[n] > 1), start=1)}
        self.written: set[int] = set()

    def text(self) -> str:
        """Return the roots."""
        return ", ".join(map(self.value, self.heap.roots))

    def value(self, value: Any) -> str:
        """Return one value."""
        match value:
            case NodeRef(node):
                return self.node(node)
            case RecordValue(cls, parts):
                return self.record(cls, parts)
            case _Unknown(term):
                return term
        return repr(value)

    def record(self, cls: type, parts: Sequence[Any]) -> str:
        """Return a tuple or another record."""
        inside = ", ".join(map(self.value, parts))
        if cls is tuple:
            return f"({inside},)" if len(parts) == 1 else f"({inside})"
        return f"{cls.__name__}({inside})"

    def node(self, number: int) -> str:
        """Return an object, or its number where it was written before."""
        label = f"#{self.numbers[number]}" if number in self.numbers else ""
        if number in self.written:
            return label
        self.written.add(number)
        node = self.heap.nodes[number]
        if node.cls in (list, dict, set) and not label:
            return self.display(node)
        fields = [f"{name}={self.value(value)}" for name, value in node.fields if value is not None]
        content = [self.display(node)] if node.content else []
        return f"{node.cls.__name__}{label}({', '.join([*fields, *content])})"

    def display(self, node: HeapNode) -> str:
        """Return the content of a container."""
        parts = list(map(self.value, node.content))
        if issubclass(node.cls, dict):
            pairs = zip(parts[::2], parts[1::2], strict=False)
            return "{" + ", ".join(f"{key}: {value}" for key, value in pairs) + "}"
        inside = ", ".join(parts)
        if issubclass(node.cls, (set, frozenset)):
            return "{" + inside + "}" if inside else "set()"
        return f"[{inside}]"


def _values(heap: Heap) -> Iterator[Any]:
    yield from heap.roots
    for node in heap.nodes:
        yield from (value for _, value in node.fields)
        yield from node.content


def _references(value: Any) -> Iterator[int]:
    match value:
        case NodeRef(node):
            yield node
        case RecordValue(_, parts):
            for part in parts:
                yield from _references(part)
