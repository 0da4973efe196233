"""From an object graph to the bytes that stand for its state, and only for it.

Two graphs have equal bytes exactly when one can be laid over the other: same classes, same values, same sharing,
same cycles. Nodes are numbered breadth-first from the roots, so neither addresses nor hashes show.

    state  := count(nodes) class* count(roots) value*           one class number per node, then the roots
              (values of node 0) (values of node 1) …           each: [count] value*
    value  := 00 None | 01 absent | 02 False | 03 True
            | 05 int64 | 06 float64                             8 bytes, little-endian
            | 07 number                                         an atom of the table
            | 08 number                                         node 127 or later
            | 09 count value*                                   a tuple
            | 0a class count value*                             another record
            | 20 … 7f                                           the integers -16 … 79
            | 80 … fe                                           node 0 … 126
    count, number, class := LEB128

The count of values is left out where a class always has the same number (slots without a dictionary). Class
numbers, atoms and field positions come from tables that grow in order of first sight, so bytes are comparable within
one walker only; `Heap` (module rebuild) is the form that travels.
"""

from __future__ import annotations

import itertools
import struct
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from unlike.errors import UnlikeError, with_article
from unlike.heap.colouring import Colouring, NumberOf, leb128
from unlike.heap.fields import ABSENT
from unlike.heap.layout import Atom, Layout, Node, RecordLayout
from unlike.heap.numbered_names import Table
from unlike.heap.plain import PATIENCE, SMALL, beyond
from unlike.scope import Outside

NONE, MISSING, FALSE, TRUE, INT64, FLOAT, ATOM, REF, TUPLE, RECORD = 0, 1, 2, 3, 5, 6, 7, 8, 9, 10
SMALL_INT, LEAST_SMALL, MOST_SMALL = 0x30, -16, 79  # an integer i in this range is the byte 0x30 + i
SMALL_REF, MOST_REF = 0x80, 126  # a node up to this number is the byte 0x80 + number
DEEPEST_RECORD = 100  # tuples within tuples
MOST_ORDERS = 5040  # ways to order look-alikes in sets that are tried


class HeapError(UnlikeError):
    """An object graph that cannot be brought into canonical form."""


class TooMuchError(Exception):
    """The walk met the first object or element too many."""

    def __init__(self, reason: str) -> None:
        super().__init__(reason)
        self.outside = Outside(reason)


def canonical(table: Table, roots: Sequence[object], bounded: bool = True) -> bytes | Outside:
    """Return the bytes of the graph that the roots reach, or why it is outside the limits."""
    plain = table.plain
    if plain.misses < PATIENCE and not table.pinned:
        state = plain.walk(roots, bounded)
        if state is not None:
            plain.misses = 0
            return state
        plain.learn(table.nodes)
    walk = Walk(table, bounded)
    try:
        state = walk.run(roots)
        return _least(table, roots, state, walk, bounded) if walk.branches else state
    except TooMuchError as error:
        return error.outside


def _least(table: Table, roots: Sequence[object], first: bytes, walk: Walk, bounded: bool) -> bytes:
    """Return the least bytes over all ways to order look-alikes in sets: the same for equal graphs."""
    least, choices = first, walk.branches
    for _ in range(MOST_ORDERS):
        path = [choice for choice, _ in choices]
        while path and path[-1] + 1 == choices[len(path) - 1][1]:
            path.pop()
        if not path:
            return least
        path[-1] += 1
        other = Walk(table, bounded, path, walk.colouring)
        least = min(least, other.run(roots))
        choices = other.branches
    raise HeapError(
        f"more than {MOST_ORDERS} ways to order look-alikes in sets; use smaller sets (--scope, --elements)"
    )


class Walk:
    """One breadth-first pass over a graph."""

    def __init__(
        self,
        table: Table,
        bounded: bool,
        path: Sequence[int] = (),
        colouring: Colouring | None = None,
        codes: Mapping[int, int] = SMALL,
    ) -> None:
        self.table = table
        self.bounded = bounded
        self.most = table.limits.elements if bounded else None
        self.out = bytearray()
        self.order: list[Any] = []
        self.layouts: list[Node] = []
        self.codes = dict(codes)  # the byte of every value that has one, by id
        self.kept_met: dict[tuple[Node, int], int] = {}  # containers of a length that is kept inside
        self.late: dict[int, int] = {}  # the numbers of nodes beyond those that have a byte
        self.kept: list[object] = []  # values that reading made: they must outlive the walk, or ids repeat
        self.path = path
        self.branches: list[tuple[int, int]] = []  # (choice taken, choices there were) among look-alikes
        self.colouring = colouring  # made when the first set of new objects is met
        self.roots: Sequence[object] = ()

    def run(self, roots: Sequence[object]) -> bytes:
        """Walk the graph and return its bytes."""
        self.roots = roots
        for root in roots:
            self.put(root)
        self.drain(0)
        return self.header(len(roots)) + self.out

    def drain(self, index: int) -> None:
        """Write the values of every node from the index on."""
        append, keep = self.out.append, self.kept.append
        code_of, meet = self.codes.get, self.greeter()
        order, layouts = iter(self.order), iter(self.layouts)
        if index:
            order, layouts = itertools.islice(order, index, None), itertools.islice(layouts, index, None)
        for thing, layout in zip(order, layouts, strict=True):  # both grow while we walk
            encode = layout.encode
            if encode is not None and encode(thing, code_of, append, meet):
                continue
            values = layout.read(thing)
            if not layout.fixed_size:
                self.count(len(values))
            if not layout.holds_values:
                keep(values)
            if layout.is_container:
                values = self.content(layout, values)
            for value in values:
                if (code := code_of(id(value))) is not None:
                    append(code)
                else:
                    meet(value)

    def greeter(self) -> Callable[[Any], None]:
        """Return `put` for values that have no byte yet: quick for the usual one, a new object."""
        put, append, order, layouts, codes = self.put, self.out.append, self.order, self.layouts, self.codes
        layout_of, bounded = ({} if self.table.pinned else self.table.nodes).get, self.bounded
        join, join_layout = order.append, layouts.append

        def meet(value: Any) -> None:
            layout = layout_of(type(value))
            number = len(order)
            if layout is None or number > MOST_REF:
                put(value)
                return
            if number >= layout.most and bounded and layouts.count(layout) >= layout.most:
                raise TooMuchError(beyond(layout).reason)
            join(value)
            join_layout(layout)
            number += SMALL_REF
            codes[id(value)] = number
            append(number)

        return meet

    def number_of(self, ident: int) -> int | None:
        """Return the number of the node with this id, if it was met."""
        code = self.codes.get(ident)
        return self.late.get(ident) if code is None else code - SMALL_REF

    def content(self, layout: Node, values: Sequence[Any]) -> Sequence[Any]:
        """Return the values of a container in the order in which they are written, unless there are too many."""
        if self.most is not None:
            self.check(layout, values)
        return self.arrange(layout, values) if layout.unordered else values

    def header(self, roots: int) -> bytes:
        """Return the part before the roots: the classes of the nodes and the number of roots."""
        numbers = [len(self.order), *[layout.number for layout in self.layouts], roots]
        return bytes(numbers) if max(numbers) < 128 else b"".join(map(leb128, numbers))

    def check(self, layout: Node, values: Sequence[object]) -> None:
        """Stop at the first container that has too many elements."""
        count = (len(values) - layout.content_start(values)) // layout.stride
        if self.most is None or count <= self.most:
            return
        if count not in layout.lengths:
            raise TooMuchError(f"{with_article(layout.cls.__name__)} of {count} elements, of at most {self.most}")
        met = self.kept_met[layout, count] = self.kept_met.get((layout, count), 0) + 1
        if met > layout.lengths[count]:
            most = layout.lengths[count]
            raise TooMuchError(f"{met} objects of class {layout.cls.__name__}, of at most {most}")

    def count(self, number: int) -> None:
        """Write a number that is not negative."""
        if number < 128:
            self.out.append(number)
        else:
            self.out += leb128(number)

    def put(self, value: object, depth: int = 0) -> None:
        """Write one value; a node that is met for the first time joins the queue."""
        out = self.out
        if value is ABSENT:
            out.append(MISSING)
            return
        cls = type(value)
        layout = self.table.by_class.get(cls) or self.table.layout(cls)
        if layout.is_node:
            number = self.number_of(id(value))
            self.refer(self.visit(value, layout) if number is None else number)  # type: ignore[arg-type]
        elif isinstance(layout, RecordLayout):
            self.put_record(value, layout, depth)
        elif cls is int:
            self.put_int(value, layout)  # type: ignore[arg-type]
        elif cls is float:
            out.append(FLOAT)
            out += struct.pack("<d", value)
        elif value is None or value is False or value is True:
            out.append(NONE if value is None else TRUE if value else FALSE)
        else:
            assert isinstance(layout, Atom)
            out.append(ATOM)
            self.count(self.table.atom(value, layout))

    def refer(self, number: int) -> None:
        """Write a reference to a node."""
        if number <= MOST_REF:
            self.out.append(SMALL_REF + number)
        else:
            self.out.append(REF)
            self.out += leb128(number)

    def put_int(self, value: int, layout: Layout) -> None:
        """Write an integer of any size."""
        if LEAST_SMALL <= value <= MOST_SMALL:
            self.out.append(SMALL_INT + value)
        elif -(2**63) <= value < 2**63:
            self.out.append(INT64)
            self.out += struct.pack("<q", value)
        else:
            assert isinstance(layout, Atom)
            self.out.append(ATOM)
            self.count(self.table.atom(value, layout))

    def put_record(self, value: object, layout: RecordLayout, depth: int) -> None:
        """Write a tuple or another record where it stands."""
        if depth > DEEPEST_RECORD:
            raise TooMuchError(f"more than {DEEPEST_RECORD} tuples within each other")
        parts = layout.parts(value)
        if self.most is not None and len(parts) > self.most and layout.counted and len(parts) not in layout.lengths:
            raise TooMuchError(f"{with_article(layout.cls.__name__)} of {len(parts)} elements, of at most {self.most}")
        if layout.cls is tuple:
            self.out.append(TUPLE)
        else:
            self.out.append(RECORD)
            self.count(layout.number)
        self.count(len(parts))
        for part in self.arrange(layout, parts) if layout.unordered else parts:
            self.put(part, depth + 1)

    def visit(self, thing: object, layout: Node) -> int:
        """Give the node the next number, or stop if it is one too many of its class."""
        number = len(self.order)
        if self.table.pinned and id(thing) in self.table.pinned:
            layout = self.table.pinned[id(thing)]
        elif number >= layout.most and self.bounded and self.layouts.count(layout) >= layout.most:
            raise TooMuchError(beyond(layout).reason)
        if number <= MOST_REF:
            self.codes[id(thing)] = SMALL_REF + number
        else:
            self.late[id(thing)] = number
        self.order.append(thing)
        self.layouts.append(layout)
        return number

    # -- sets, whose order must not show --------------------------------------------------------------

    def arrange(self, layout: Node | RecordLayout, values: Sequence[Any]) -> list[Any]:
        """Return the values with the unordered elements in an order that depends on the graph alone."""
        start = layout.content_start(values) if isinstance(layout, Node) else 0
        stride = layout.stride if isinstance(layout, Node) else 1
        elements = [tuple(values[index : index + stride]) for index in range(start, len(values), stride)]
        arranged: list[Any] = list(values[:start])
        while elements:
            ranked = sorted(((self.rank(element), element) for element in elements), key=lambda pair: pair[0])
            fixed = [element for rank, element in ranked if rank[0] == 0]
            if fixed:  # atoms and nodes that are numbered already: their bytes order them
                arranged.extend(part for element in fixed for part in element)
                elements = [element for rank, element in ranked if rank[0] != 0]
                continue
            alike = [element for rank, element in ranked if rank == ranked[0][0]]
            chosen = alike[self.choose(alike)]
            arranged.extend(chosen)
            elements = [element for element in elements if element is not chosen]
            self.mark(chosen[0])
        return arranged

    def rank(self, element: tuple[Any, ...]) -> tuple[int, bytes]:
        """Return (0, bytes) for an element whose key is settled, else (1, bytes with colours for new nodes)."""
        trial = Trial(self.table, self.number_of, {})
        if trial.write_values(element[:1]):
            return (0, bytes(trial.out))
        if self.colouring is None:
            self.colouring = Colouring(self.table, self.roots, self.write_colours)
        trial = Trial(self.table, self.number_of, self.colouring.colours)
        trial.write_values(element)
        return (1, bytes(trial.out))

    def write_colours(self, values: Sequence[Any], colours: dict[int, int]) -> bytes:
        """Return values as bytes, every node in them as its colour."""
        trial = Trial(self.table, lambda _: None, colours)
        for value in values:
            trial.put(value)
        return bytes(trial.out)

    def choose(self, alike: Sequence[tuple[Any, ...]]) -> int:
        """Return which of several look-alikes comes first; branch only where it could make a difference."""
        if len(alike) == 1 or self.symmetric(alike):
            return 0
        step = len(self.branches)
        choice = self.path[step] if step < len(self.path) else 0
        self.branches.append((choice, len(alike)))
        return choice

    def symmetric(self, alike: Sequence[tuple[Any, ...]]) -> bool:
        """Tell whether look-alikes are certainly interchangeable: private, and equal all the way down."""
        assert self.colouring is not None
        if not self.colouring.private(alike, self.number_of):
            return False
        views = set()
        for element in alike:
            view = Walk(self.table, bounded=False, colouring=self.colouring, codes=self.codes)
            view.late, view.order, view.layouts = dict(self.late), list(self.order), list(self.layouts)
            view.roots = self.roots
            for part in element:
                view.put(part)
            view.drain(len(self.order))
            views.add(view.header(1) + view.out)
            if view.branches:
                return False
        return len(views) == 1

    def mark(self, value: object) -> None:
        """Give the new nodes that an element holds their numbers, as writing it will."""
        out, self.out = self.out, bytearray()
        self.put(value)
        self.out = out


class Trial(Walk):
    """Write one value without numbering anything; nodes without a number are written as their colours."""

    def __init__(self, table: Table, number_of: NumberOf, colours: dict[int, int]) -> None:
        super().__init__(table, bounded=False, codes={})
        self.number_of = number_of  # type: ignore[method-assign,assignment]
        self.colours = colours
        self.all_settled = True

    def write_values(self, values: Sequence[Any]) -> bool:
        """Write the values and tell whether every node in them has a number."""
        for value in values:
            self.put(value)
        return self.all_settled

    def visit(self, thing: object, layout: Node) -> int:
        """Return a number that stands for the node's colour."""
        del layout
        self.all_settled = False
        return 2**20 + self.colours.get(id(thing), 0)

    def arrange(self, layout: Node | RecordLayout, values: Sequence[Any]) -> list[Any]:
        """Order the elements by their own trial bytes."""
        del layout
        return sorted(values, key=lambda value: bytes(self.trial_bytes(value)))

    def trial_bytes(self, value: object) -> bytearray:
        """Return the bytes of one value alone."""
        trial = Trial(self.table, self.number_of, self.colours)
        trial.put(value)
        self.all_settled &= trial.all_settled
        return trial.out
