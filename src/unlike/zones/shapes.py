"""Shapes for programs and people: filled with the values of points, and written as a line of words.

    BinarySearchTree(root=Node(key=a, right=Node(key=b)), size=2) where a < b

In words, fields that are None are left out. An object that occurs more than once has a number, `Node#1(…)`, and is
`#1` where it occurs again.
"""

from __future__ import annotations

import collections
import struct
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from unlike.heap.canonical import INT64, LEAST_SMALL, MOST_SMALL, SMALL_INT, Walk
from unlike.heap.rebuild import Heap, HeapNode, NodeRef, RecordValue, heap_of_parsed
from unlike.heap.tables import Table
from unlike.zones.points import Point, Points
from unlike.zones.walking import OPEN, RANKED, _OpenReader
from unlike.zones.words import Usual, Words, describe_zone
from unlike.zones.zone import Zone


class ShapeFilling:
    """A shape whose open values can be filled in; its bytes are those of one table."""

    def __init__(self, table: Table, shape: bytes) -> None:
        self.table = table
        self.shape = shape
        self.positions = find_positions(table, shape)

    def states(self, points: Points, start: int = 0, stop: int | None = None) -> Iterator[bytes]:
        """Yield the canonical bytes of the shape with the values of every point."""
        if all(self.shape[position] == OPEN for position in self.positions):
            return points.states(self.shape, self.positions, fill_shape, start, stop)
        return map(self.fill_ranked, points.stream(start, stop))

    def fill_ranked(self, point: Point) -> bytes:
        """Return the same where some of the values are ranks."""
        walk, done = Walk(self.table, bounded=False), 0
        for position, value in zip(self.positions, point, strict=True):
            code = self.shape[position]
            walk.out += self.shape[done:position]
            walk.put(value if code == OPEN else self.table.scales[RANKED[code]].of(value))
            done = position + 1
        return bytes(walk.out + self.shape[done:])

    def objects(
        self, points: Points, rebuild: Callable[[bytes], list[Any]], start: int = 0, stop: int | None = None
    ) -> Iterator[list[Any]]:
        """Yield fresh roots of the shape with the values of every point; a walker's `rebuild` makes them."""
        return map(rebuild, self.states(points, start, stop))


def find_positions(table: Table, shape: bytes) -> tuple[int, ...]:
    """Return where the bytes of the open values stand in a shape, in the order of its slots."""
    found: list[int] = []
    reader = _OpenReader(table, shape, lambda _: found.append(reader.position - 1))
    reader.parse()
    return tuple(found)


def fill_shape(shape: bytes, positions: tuple[int, ...], point: Point) -> bytes:
    """Return the canonical bytes of the shape with the values of a point."""
    state, done = bytearray(), 0
    for position, value in zip(positions, point, strict=True):
        state += shape[done:position]
        done = position + 1
        if LEAST_SMALL <= value <= MOST_SMALL:
            state.append(SMALL_INT + value)
        else:
            state.append(INT64)
            state += struct.pack("<q", value)
    return bytes(state + shape[done:])


# -- words ---------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class ShapeWords:
    """A shape with named unknowns, and what is known of the names."""

    shape: str
    known: str

    def __str__(self) -> str:
        return f"{self.shape} where {self.known}" if self.known else self.shape


@dataclass(frozen=True, slots=True)
class _Unknown:
    term: str


def describe_shape(table: Table, shape: bytes, zone: Zone, numbers: tuple[int, int]) -> ShapeWords:
    """Return an abstract state in words; the usual range of numbers is not mentioned."""
    usual = [_usual(table, shape[position], numbers) for position in find_positions(table, shape)]
    said: Words = describe_zone(zone, usual)
    parsed = _OpenReader(table, shape, lambda n: _Unknown(said.terms[n - 1])).parse()
    return ShapeWords(_Picture(heap_of_parsed(table, parsed)).text(), said.known)


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
