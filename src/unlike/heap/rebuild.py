"""From canonical bytes to a fresh object graph, or to a `Heap`: the same graph as plain data.

Objects are made first and written afterwards, so cycles are no obstacle. Objects that cannot exist before their
parts (a named number with fields, an iterator) are made once the parts are written; dicts and sets come last, because
hashing a key may need the key's fields.
"""

from __future__ import annotations

import enum
import struct
import weakref
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from unlike.heap.canonical import ATOM, FLOAT, INT64, MISSING, MOST_REF, RECORD, REF, SMALL_REF, TUPLE
from unlike.heap.containers import PinnedNode
from unlike.heap.fields import ABSENT
from unlike.heap.layout import Node, RecordLayout
from unlike.heap.numbered_names import Table
from unlike.heap.plain import VALUES, remake_plain


class Travels:
    """Plain data that is sent to other processes in great numbers: written as a call, not field by field."""

    __slots__: tuple[str, ...] = ()

    def __reduce__(self) -> tuple[type, tuple[Any, ...]]:
        return type(self), tuple([getattr(self, name) for name in self.__slots__])


@dataclass(frozen=True, slots=True)
class NodeRef(Travels):
    """The node of this number."""

    node: int


EARLY_NODES = [NodeRef(number) for number in range(MOST_REF + 1)]  # made once: most references are to these


@dataclass(frozen=True, slots=True)
class RecordValue(Travels):
    """A tuple or another record, and its parts."""

    cls: type
    parts: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class HeapNode(Travels):
    """One object: its class, its fields by name, and what follows them (the content of a container)."""

    cls: type
    fields: tuple[tuple[str, Any], ...]
    content: tuple[Any, ...]
    pin: int | None = None  # the number of a pinned object, which stays itself


@dataclass(frozen=True, slots=True)
class Heap(Travels):
    """An object graph as plain data: no numbers of any table, so it may travel to another process."""

    roots: tuple[Any, ...]
    nodes: tuple[HeapNode, ...]


WEAK: dict[type, tuple[int, int]] = {weakref.ref: (0, 1), weakref.KeyedRef: (2, 3)}  # which part is held weakly


def holds_only_weakly(heap: Heap) -> bool:
    """Tell whether weak references lead to nodes that nothing else holds: they die when only the roots are kept."""
    strong: set[int] = set()
    weak: list[Any] = []
    waiting: list[Any] = list(heap.roots)
    while waiting:
        match waiting.pop():
            case NodeRef(node=number) if number not in strong:
                strong.add(number)
                waiting.extend(value for _, value in heap.nodes[number].fields)
                waiting.extend(heap.nodes[number].content)
            case RecordValue(cls=cls, parts=parts):
                first, end = WEAK.get(cls, (0, 0))
                weak.extend(parts[first:end])
                waiting.extend((*parts[:first], *parts[end:]))
            case tuple() as parts:
                waiting.extend(parts)
    return any(isinstance(each, NodeRef) and each.node not in strong for each in weak)


def distinguish_values(heap: Heap) -> Heap:
    """Return the heap with 1, 1.0 and True (0.0 and -0.0) unlike each other, though equal, and NaN like NaN."""

    def tell_apart(value: Any) -> Any:
        if isinstance(value, RecordValue):
            return RecordValue(value.cls, tuple(map(tell_apart, value.parts)))
        if isinstance(value, enum.Enum):  # a class may say that members equal other values, or cannot be hashed
            known = value._value_ if type(value._value_) in (int, str) else None
            return RecordValue(type(value), (value.name, known))
        return RecordValue(type(value), (repr(value),)) if type(value) in (bool, float, complex) else value

    def tell_node(node: HeapNode) -> HeapNode:
        fields = tuple((name, tell_apart(value)) for name, value in node.fields)
        return replace(node, fields=fields, content=tuple(map(tell_apart, node.content)))

    return Heap(tuple(map(tell_apart, heap.roots)), tuple(map(tell_node, heap.nodes)))


@dataclass(slots=True)
class Parsed:
    """The parts of a state, references still as numbers."""

    layouts: list[Node]
    roots: list[Any]
    values: list[list[Any]]
    has_records: bool = True  # some value may be a record


class StateReader:
    """Reads one state from its beginning to its end."""

    def __init__(self, table: Table, state: bytes) -> None:
        self.table = table
        self.state = state
        self.position = 0
        self.has_records = False

    def parse(self) -> Parsed:
        """Return the classes, the roots and the values of each node."""
        known = self.table.layouts
        layouts = [known[number] for number in self.numbers()]
        roots = [self.value() for _ in range(self.number())]
        values = []
        for layout in layouts:
            assert isinstance(layout, Node)
            count = len(layout.names) if layout.fixed_size else self.number()
            values.append(self.values(count))
        if self.position != len(self.state):
            raise ValueError("these bytes are no captured state of this walker")
        return Parsed(layouts, roots, values, self.has_records)  # type: ignore[arg-type]

    def numbers(self) -> Sequence[int]:
        """Read a count and so many numbers."""
        count = self.number()
        numbers = self.state[self.position : self.position + count]
        if max(numbers, default=0) > 127:
            return [self.number() for _ in range(count)]
        self.position += count  # the usual case: one byte each
        return numbers

    def number(self) -> int:
        """Read a number that is not negative."""
        first = self.state[self.position]
        if first < 128:
            self.position += 1
            return first
        number = shift = 0
        while True:
            byte = self.state[self.position]
            self.position += 1
            number |= (byte & 127) << shift
            if byte < 128:
                return number
            shift += 7

    def values(self, count: int) -> list[Any]:
        """Read so many values."""
        codes = self.state[self.position : self.position + count]
        if LONGER.isdisjoint(codes):  # the usual case: one byte each
            self.position += count
            return [BY_CODE[code] for code in codes]
        return [self.value() for _ in range(count)]

    def value(self) -> Any:
        """Read one value; a node is a NodeRef, a record a RecordValue."""
        code = self.state[self.position]
        self.position += 1
        if code not in LONGER:
            return BY_CODE[code]
        match code:
            case c if c == ATOM:
                return self.table.atoms[self.number()]
            case c if c == REF:
                return NodeRef(self.number())
            case c if c == TUPLE:
                self.has_records = True
                return RecordValue(tuple, tuple(self.value() for _ in range(self.number())))
            case c if c == RECORD:
                self.has_records = True
                cls = self.table.layouts[self.number()].cls
                return RecordValue(cls, tuple(self.value() for _ in range(self.number())))
        assert code in (INT64, FLOAT), code
        self.position += 8
        return struct.unpack_from("<q" if code == INT64 else "<d", self.state, self.position - 8)[0]


LONGER = {INT64, FLOAT, ATOM, REF, TUPLE, RECORD}
BY_CODE = {**VALUES, MISSING: ABSENT, **{SMALL_REF + node: EARLY_NODES[node] for node in range(MOST_REF + 1)}}


def size_of(state: bytes) -> int:
    """Return how many objects a state has: a state begins with that number, seven bits to a byte."""
    size = 0
    for place, byte in enumerate(state):
        size |= (byte & 127) << 7 * place
        if byte < 128:
            break
    return size


def rebuild(table: Table, state: bytes) -> list[Any]:
    """Return fresh roots with the state; objects in it are new, atoms and pinned objects are shared."""
    plain = remake_plain(table.layouts, state)
    return plain[0] if plain is not None else _Builder(table, StateReader(table, state).parse()).build()


def is_exact(table: Table, state: bytes) -> bool:
    """Tell whether rebuilding certainly gives the same state: no code of the user's runs, nothing stays itself."""
    reader = StateReader(table, state)
    nodes = [table.layouts[number] for number in reader.numbers()]
    return RECORD not in state[reader.position :] and all(node.rebuilt_exactly for node in nodes)


class _Builder:
    def __init__(self, table: Table, parsed: Parsed) -> None:
        self.table = table
        self.layouts = parsed.layouts
        self.values = parsed.values
        self.roots = parsed.roots
        self.made: list[Any] = [None] * len(parsed.layouts)
        self.done = [False] * len(parsed.layouts)  # made, or being made
        self.written = [False] * len(parsed.layouts)
        self.parts_first = False  # some object cannot be made before the objects it holds
        self.has_records = parsed.has_records

    def build(self) -> list[Any]:
        """Return the roots, everything made and written."""
        if not self.has_records and all(layout.rebuilt_exactly for layout in self.layouts):
            return self.build_plain()
        indices = range(len(self.layouts))
        for index, layout in enumerate(self.layouts):
            if not layout.needs_parts:
                self.made[index] = layout.blank(self.values[index])
                self.done[index] = True
        self.parts_first = not all(self.done)
        if self.parts_first:
            for index in indices:
                self.make(index)
        late = [index for index in indices if self.hashes(index)]
        for index in [index for index in indices if index not in late] if late else indices:
            self.write(index)
        for index in reversed(late):
            self.write(index)
        return [self.real(root) for root in self.roots]

    def build_plain(self) -> list[Any]:
        """Do the same for the usual case: objects with fields, and no value inside another."""
        self.made = made = [layout.maker(layout.cls) for layout in self.layouts]
        for layout, thing, values in zip(self.layouts, made, self.values, strict=True):
            layout.write(thing, [made[each.node] if type(each) is NodeRef else each for each in values])
        return [self.real(root) for root in self.roots]

    def make(self, index: int) -> Any:
        """Return the object of the node, making it (and first writing its parts) if it is not there."""
        if self.done[index]:
            return self.made[index]
        self.done[index] = True
        parts = self.values[index]
        for part in nodes_in(parts):
            self.make(part)
        for part in nodes_in(parts):
            if self.made[part] is not None:
                self.write(part)
        self.made[index] = self.layouts[index].blank([self.real(part) for part in parts])
        return self.made[index]

    def write(self, index: int) -> None:
        """Write the values of a node once, and before them those that a reduced part needs."""
        if self.written[index]:
            return
        values, made = self.values[index], self.made
        if self.parts_first:
            for part in nodes_in(values):
                self.make(part)
        self.written[index] = True
        real = [made[each.node] if type(each) is NodeRef else each for each in values]
        if RecordValue in map(type, real):
            real = [self.real(each) for each in values]
        self.layouts[index].write(made[index], real)

    def hashes(self, index: int) -> bool:
        """Tell whether writing the node hashes an object."""
        values = self.values[index]
        if self.layouts[index].hashes:
            return True
        if RecordValue not in map(type, values):
            return False
        return any(isinstance(value, RecordValue) and self._hashes_in(value) for value in values)

    def _hashes_in(self, value: RecordValue) -> bool:
        if issubclass(value.cls, frozenset) and any(True for _ in nodes_in(value.parts)):
            return True
        return any(isinstance(part, RecordValue) and self._hashes_in(part) for part in value.parts)

    def real(self, value: Any) -> Any:
        """Return the object that a value of the state stands for."""
        if isinstance(value, NodeRef):
            return self.made[value.node]
        if isinstance(value, RecordValue):
            layout = self.table.layout(value.cls)
            assert isinstance(layout, RecordLayout)
            return layout.make([self.real(part) for part in value.parts])
        return value


def nodes_in(values: Sequence[Any]) -> list[int]:
    """Return the numbers of the nodes among the values, records opened."""
    found: list[int] = []
    for value in values:
        if isinstance(value, NodeRef):
            found.append(value.node)
        elif isinstance(value, RecordValue):
            found.extend(nodes_in(value.parts))
    return found


# -- the form that travels -------------------------------------------------------------------------


def heap_of(table: Table, state: bytes) -> Heap:
    """Return the state as plain data."""
    return heap_of_parsed(table, StateReader(table, state).parse())


def compared_heap(walker: Any, state: bytes) -> Heap:
    """Return the state that a walk gave, as plain data: what tells it from others, and no more."""
    return distinguish_values(heap_of(walker.twin.tables[0], state))


def heap_of_parsed(table: Table, parsed: Parsed) -> Heap:
    """Return the parts of a state as plain data."""
    nodes = []
    for layout, values in zip(parsed.layouts, parsed.values, strict=True):
        fields, rest = layout.split(values)
        pin = list(table.pinned.values()).index(layout) if isinstance(layout, PinnedNode) else None
        nodes.append(HeapNode(layout.cls, tuple(fields.items()), tuple(rest), pin))
    return Heap(tuple(parsed.roots), tuple(nodes))


def build_heap(table: Table, heap: Heap) -> list[Any]:
    """Return fresh roots with the state that the plain data describe."""
    pins = list(table.pinned.values())
    layouts: list[Node] = []
    values: list[list[Any]] = []
    for node in heap.nodes:
        layout = table.layout(node.cls) if node.pin is None else pins[node.pin]
        assert isinstance(layout, Node)
        layouts.append(layout)
        values.append(list(layout.join(dict(node.fields), node.content)))
    has_records = any(RecordValue in map(type, each) for each in values)
    return _Builder(table, Parsed(layouts, list(heap.roots), values, has_records)).build()
