"""Object graphs with values left open: from a graph to its shape and terms, and back.

A shape is the canonical bytes of a graph (module `unlike.heap.canonical`) in which every open value is the byte 04;
the terms say, in the same order, what stands there. A place that ever holds an open value (a field of a class, the
elements of lists …) always does: a plain number met there is written as a constant term, or one state would have two
shapes. Keys of dicts and members of sets are plain always: whoever hashed them has chosen their values.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

from unlike.heap.canonical import TooMuchError, Walk
from unlike.heap.layout import Atom, Node, RecordLayout
from unlike.heap.numbered_names import Table
from unlike.heap.rebuild import StateReader, _Builder
from unlike.heap.walkers import native_module
from unlike.scope import Outside
from unlike.zones.open_values import CODES, TOKENS, RankedToken, Scale, Token, choose_number, choose_value
from unlike.zones.paths import TooManyPathsError, UnsteadyError
from unlike.zones.zone import Term

OPEN = 4  # the code of an open value in what the compiled walk returns
RANKED = {code: cls for cls, code in CODES.items()}
IN_RECORDS = (-1, -1)  # the parts of tuples and the like, one place for all


class OpenedError(BaseException):  # not an Exception: code under test must not catch it by the way
    """A place that was written as plain numbers now holds an open value: shapes made so far are not comparable."""


class CannotStayOpenError(BaseException):  # as above
    """A graph whose canonical form depends on values that are open; the message says where."""


@dataclass(slots=True)
class Places:
    """Which places hold open values, and which were seen with plain numbers."""

    opened: set[tuple[int, ...]] = field(default_factory=set)
    plain: set[tuple[int, ...]] = field(default_factory=set)

    def again(self) -> Places:
        """Return the places known to hold open values, to start again with."""
        return Places(set(self.opened))

    def open_at(self, *place: int) -> None:
        """Note that a place holds open values; if it held plain numbers before, everything starts again."""
        if place not in self.opened:
            self.opened.add(place)
            if place in self.plain:
                raise OpenedError

    def is_open(self, *place: int) -> bool:
        """Tell whether a plain number at the place is written as open; if not, remember that it was not."""
        if place in self.opened:
            return True
        self.plain.add(place)
        return False


def register_tokens(table: Table) -> None:
    """Let the walks of the table pass tokens by, each as itself."""
    table.layout(int)  # the compiled walk asks for it
    for kind in (Token, *TOKENS.values()):
        if kind not in table.by_class:
            table.by_class[kind] = table._add(Atom(kind, id))


def walk_open(table: Table, places: Places, roots: Sequence[object]) -> tuple[bytes, tuple[Term, ...]] | Outside:
    """Return shape and terms of the graph that the roots reach, or why it is outside the limits."""
    walk = _OpenWalk(table, places)
    try:
        shape = walk.run(roots)
    except TooMuchError as error:
        return error.outside
    return shape, tuple(walk.terms)


def rebuild_open(
    table: Table, shape: bytes, value: Callable[[int], object], filled: list[Any] | None = None
) -> list[Any]:
    """Return fresh roots with the shape; the n-th open value, from 1 on, is what the function gives for n.

    What was filled in, a token of a scale for a rank included, is added to the list.
    """
    return _Builder(table, _OpenReader(table, shape, value, filled).parse()).build()


class _OpenWalk(Walk):
    """One breadth-first pass; open values are written as such and collected."""

    def __init__(self, table: Table, places: Places) -> None:
        super().__init__(table, bounded=True)
        self.places = places
        self.terms: list[Term] = []
        self.hashed = 0

    def drain(self, index: int) -> None:
        """Write the values of every node from the index on."""
        assert index == 0
        for thing, layout in zip(self.order, self.layouts, strict=True):  # both grow while we walk
            values = layout.read(thing)
            if not layout.fixed_size:
                self.count(len(values))
            self.kept.append(values)
            if layout.is_container:
                values = self.content(layout, values)
            self.put_values(layout, values)

    def put_values(self, layout: Node, values: Sequence[Any]) -> None:
        """Write the values of one node."""
        start = layout.content_start(values) if layout.is_container else len(values)
        for index, value in enumerate(values):
            part = (index - start) % layout.stride if index >= start else -1
            key = layout.hashes and part == 0
            self.hashed += key
            if type(value) is int or type(value) is Token:
                self.put_number(value, (layout.number, index if part < 0 else -1 - part))
            elif (scale := self.scale_of(value)) is not None:
                self.put_ranked(value, scale, (layout.number, index if part < 0 else -1 - part))
            else:
                self.put(value)
            self.hashed -= key

    def put(self, value: object, depth: int = 0) -> None:
        """Write one value; a node that is met for the first time joins the queue."""
        if type(value) is Token or (type(value) is int and depth):
            self.put_number(value, IN_RECORDS)
        elif (scale := self.scale_of(value)) is not None and (depth or type(value) is scale.token):
            self.put_ranked(value, scale, IN_RECORDS)
        else:
            super().put(value, depth)

    def scale_of(self, value: object) -> Scale | None:
        """Return the scale of a token or of a plain value, if its type is left open."""
        found: Scale | None = self.table.scales.get(type(value))
        if found is None and isinstance(type(value), type(RankedToken)):
            found = value.scale  # type: ignore[attr-defined]
        return found

    def put_ranked(self, value: Any, scale: Scale, place: tuple[int, int]) -> None:
        """Write an open value of a scale, or a plain one, as the place demands; one beside the scale stays plain."""
        rank = None if type(value) is scale.token else scale.place(value)
        if self.hashed:
            super().put(choose_value(value))
        elif type(value) is scale.token:
            self.places.open_at(*place, scale.code)
            self.out.append(scale.code)
            self.terms.append((value.slot, 0))
        elif rank is not None and self.places.is_open(*place, scale.code):
            self.out.append(scale.code)
            self.terms.append((0, rank))
        else:
            super().put(value)

    def put_record(self, value: object, layout: RecordLayout, depth: int) -> None:
        """Write a tuple or another record where it stands."""
        self.hashed += layout.unordered
        super().put_record(value, layout, depth)
        self.hashed -= layout.unordered

    def put_number(self, value: Any, place: tuple[int, int]) -> None:
        """Write an open value, or a number, as the place demands."""
        if self.hashed:
            self.put_int(choose_number(value), self.table.layout(int))
        elif type(value) is Token:
            self.places.open_at(*place)
            self.out.append(OPEN)
            self.terms.append((value.slot, value.offset))
        elif self.places.is_open(*place):
            self.out.append(OPEN)
            self.terms.append((0, value))
        else:
            self.put_int(value, self.table.layout(int))

    def arrange(self, layout: Node | RecordLayout, values: Sequence[Any]) -> list[Any]:
        """Return the values of a set in the order of their bytes; they are chosen, for they were hashed."""
        start = layout.content_start(values) if isinstance(layout, Node) else 0
        return super().arrange(layout, [*values[:start], *map(self.choose_member, values[start:])])

    def choose_member(self, value: Any) -> Any:
        """Return a member of a set with its tokens made numbers; objects in sets may hold open values."""
        layout = self.table.layout(type(value))
        if isinstance(layout, RecordLayout):
            made = layout.make([self.choose_member(part) for part in layout.parts(value)])
            self.kept.append(made)
            return made
        if isinstance(layout, Node) and self.number_of(id(value)) is None:
            raise CannotStayOpenError(f"a set holds objects of class {layout.cls.__name__}, ordered by their values")
        return choose_value(value)


class _OpenReader(StateReader):
    """Reads a shape; open values are given by a function."""

    def __init__(
        self, table: Table, state: bytes, given: Callable[[int], object], filled: list[Any] | None = None
    ) -> None:
        super().__init__(table, state)
        self.given = given
        self.filled = filled
        self.open = 0

    def values(self, count: int) -> list[Any]:
        """Read so many values."""
        return [self.value() for _ in range(count)]

    def value(self) -> Any:
        """Read one value."""
        code = self.state[self.position]
        if code != OPEN and code not in RANKED:
            return super().value()
        self.position += 1
        self.open += 1
        given = self.given(self.open)
        value = given if code == OPEN else self.table.scales[RANKED[code]].of(given)
        if self.filled is not None:
            self.filled.append(value)
        return value


if (_native := native_module()) is not None:
    _native.know(UnsteadyError, TooManyPathsError, CannotStayOpenError)  # what compiled runs raise
