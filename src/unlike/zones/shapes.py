"""Shapes for programs and people: filled with the values of points, and written as a line of words.

    BinarySearchTree(root=Node(key=a, right=Node(key=b)), size=2) where a < b

In words, fields that are None are left out. An object that occurs more than once has a number, `Node#1(…)`, and is
`#1` where it occurs again.
"""

from __future__ import annotations

import collections
import itertools
import struct
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from unlike.heap.canonical import INT64, LEAST_SMALL, MOST_SMALL, SMALL_INT, Walk
from unlike.heap.numbered_names import Table
from unlike.heap.rebuild import Heap, HeapNode, NodeRef, RecordValue, heap_of_parsed
from unlike.zones.points import Point, Points
from unlike.zones.walking import OPEN, RANKED, _OpenReader
from unlike.zones.zone import Bounds, Difference, FreeZone, Zone, find_free, tighten

LETTERS = "abcdefghijklmnopqrstuvwxyz"


@dataclass(frozen=True, slots=True)
class Words:
    """A term for every slot (`a`, `a + 1`, `5`), and what is known of the names in them."""

    terms: tuple[str, ...]
    known: str

    def __str__(self) -> str:
        return f"({', '.join(self.terms)})" + (f" where {self.known}" if self.known else "")


@dataclass(frozen=True, slots=True)
class Usual:
    """The usual range of a value, which is not mentioned, and how one of its values is written."""

    low: int
    high: int
    text: Callable[[int], str] = str


def describe_zone(zone: Zone, usual: Usual | Sequence[Usual]) -> Words:
    """Return the zone in words, given what is usual for all slots or for each.

    What is said, together with the range that all values have, says exactly what the zone says:

        a < b < c; d, e any            five values, three of them in order
        a + 2 <= b; b <= 5             a distance of two, and less than the whole range
        a, b, c all different; d != 3
    """
    reduced = find_free(zone.bounds, zone.unequal)
    names = ["0", *itertools.islice(_names(), reduced.free)]
    slots = [usual] * len(reduced.which) if isinstance(usual, Usual) else usual
    terms = tuple(
        _plus(names[v], c) if v else each.text(c)
        for v, c, each in zip(reduced.which, reduced.offset, slots, strict=True)
    )
    each_usual = [Usual(0, 0), *(slots[reduced.which.index(v)] for v in range(1, reduced.free + 1))]
    edges = reduced.edges()
    said = [
        *_orders(edges, names),
        *_ranges(reduced, edges, names, each_usual),
        *_unequal(reduced.unequal, names, each_usual),
    ]
    mentioned = {v for a, b, _ in [*edges, *reduced.unequal] for v in (a, b)} | _find_bounded(reduced, each_usual)
    free = [names[v] for v in range(1, reduced.free + 1) if v not in mentioned]
    return Words(terms, "; ".join([*said, *([f"{', '.join(free)} any"] if free else [])]))


def _names() -> Iterable[str]:
    """Yield a, b, …, z, a2, b2 and so on."""
    yield from LETTERS
    for round_ in itertools.count(2):
        yield from (f"{letter}{round_}" for letter in LETTERS)


def _plus(name: str, offset: int) -> str:
    return name if not offset else f"{name} + {offset}" if offset > 0 else f"{name} - {-offset}"


# -- order --------------------------------------------------------------------------------------------


def _orders(edges: Sequence[Difference], names: Sequence[str]) -> list[str]:
    """Return the bounds between names, those of order joined to chains: a < b <= c."""
    signs = {(a, b): "<" if c else "<=" for a, b, c in edges if c in (-1, 0)}
    said = []
    while signs:
        heads = {a for a, _ in signs} - {b for _, b in signs}
        at = min(heads or {a for a, _ in signs})
        text = names[at]
        while (after := min((b for a, b in signs if a == at), default=None)) is not None:
            text += f" {signs.pop((at, after))} {names[after]}"
            at = after
        said.append(text)
    for a, b, c in edges:
        if c not in (-1, 0):
            said.append(f"{_plus(names[a], max(0, -c))} <= {_plus(names[b], max(0, c))}")
    return said


# -- ranges -------------------------------------------------------------------------------------------


def _find_bounded(zone: FreeZone, usual: Sequence[Usual]) -> set[int]:
    """Return the names whose range is not the usual one."""
    return {
        v for v in range(1, zone.free + 1) if zone.bounds[v][0] != usual[v].high or -zone.bounds[0][v] != usual[v].low
    }


def _ranges(zone: FreeZone, edges: Sequence[Difference], names: Sequence[str], usual: Sequence[Usual]) -> list[str]:
    """Return the bounds on single names that follow neither from the usual range nor from anything else said."""
    singles = [(i, j, zone.bounds[i][j]) for v in range(1, zone.free + 1) for i, j in ((0, v), (v, 0))]
    for single in list(singles):
        others = [each for each in singles if each is not single]
        i, j, most = single
        if _derive_bounds(zone, [*edges, *others], usual)[i][j] <= most:
            singles = others
    said = []
    for v in range(1, zone.free + 1):
        low = next((-most for i, j, most in singles if j == v), None)
        high = next((most for i, j, most in singles if i == v), None)
        text = usual[v].text
        if low is not None and high is not None:
            said.append(f"{text(low)} <= {names[v]} <= {text(high)}")
        elif low is not None:
            said.append(f"{names[v]} >= {text(low)}")
        elif high is not None:
            said.append(f"{names[v]} <= {text(high)}")
    return said


def _derive_bounds(zone: FreeZone, said: Sequence[Difference], usual: Sequence[Usual]) -> Bounds:
    """Return the bounds that follow from the usual ranges, widened to hold the zone, and from others."""
    bounds = Zone.box(
        *(
            (min(usual[v].low, -zone.bounds[0][v]), max(usual[v].high, zone.bounds[v][0]))
            for v in range(1, zone.free + 1)
        )
    ).bounds
    for i, j, most in said:
        bounds = tighten(bounds, i, j, most)
    return bounds


# -- what differs -------------------------------------------------------------------------------------


def _unequal(unequal: Iterable[Difference], names: Sequence[str], usual: Sequence[Usual]) -> list[str]:
    """Return what differs; three or more names that all differ from each other in one phrase."""
    left = set(unequal)
    said = []
    while len(group := _all_different(left)) > 2:
        said.append(f"{', '.join(names[v] for v in group)} all different")
        left -= {(a, b, 0) for a in group for b in group}
    for a, b, c in sorted(left, key=lambda each: (each[1], each[0], each[2])):
        said.append(f"{names[a]} != {usual[a].text(c)}" if b == 0 else f"{names[b]} != {_plus(names[a], -c)}")
    return said


def _all_different(unequal: set[Difference]) -> list[int]:
    """Return names that all differ from each other, greedily from the first on."""
    best: list[int] = []
    for start in sorted({b for _, b, c in unequal if b and not c}):
        group = [start]
        for v in sorted({a for a, _, c in unequal if not c and a > start}):
            if all((v, other, 0) in unequal for other in group):
                group.append(v)
        best = max(best, group, key=len)
    return best


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

    def fill(self, point: Point) -> bytes:
        """Return the canonical bytes of the shape with the values of a point."""
        if all(self.shape[position] == OPEN for position in self.positions):
            return fill_shape(self.shape, self.positions, point)
        return self.fill_ranked(point)

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
