"""What the bytes of a walker stand for, and how the walker of a copy of this process gets to know it.

A walker numbers classes, names of fields, atoms and functions when it first meets them; its bytes hold these numbers.
What one walker has numbered, another takes in (`export_since`, `import_from`), and reads and writes the same bytes.
"""

from __future__ import annotations

import contextlib
import sys
import types
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from unlike.heap.containers import PinnedNode, layout_of
from unlike.heap.layout import Atom, FunctionRecord, Layout, Node, WeakRecord
from unlike.heap.plain import PlainWalk
from unlike.heap.reduced import opaque
from unlike.heap.special import KeyedWeakRecord
from unlike.scope import Limits

Counts = tuple[int, int, int]  # of classes, atoms, functions
Extent = tuple[Counts, tuple[int, ...]]  # and of names in each class


_refuse: Callable[[object], str] | None = None


def refuse_to_number(refuse: Callable[[object], str]) -> None:
    """Let tables of this process number no class and no atom of which this says why not."""
    global _refuse
    _refuse = refuse


@contextlib.contextmanager
def number_all() -> Iterator[None]:
    """Let everything be numbered meanwhile: every process comes to it by itself."""
    global _refuse
    before, _refuse = _refuse, None
    try:
        yield
    finally:
        _refuse = before


def why_refused(thing: object) -> str:
    """Return why a class or an atom is not numbered here, or nothing."""
    return "" if _refuse is None else _refuse(thing)


class Table:
    """What the numbers in the bytes stand for: classes and atoms, in order of first sight."""

    def __init__(self, limits: Limits, pinned: Sequence[object] = ()) -> None:
        self.limits = limits
        self.by_class: dict[type, Layout] = {}
        self.nodes: dict[type, Node] = {}  # those of them that have an identity
        self.layouts: list[Layout] = []
        self.atoms: list[object] = []
        self._atom_numbers: dict[tuple[type, object], int] = {}
        self.pinned: dict[int, PinnedNode] = {}
        self.has_weak = False  # some layout is of weak references
        self.scales: dict[type, Any] = {}  # of values left open (room zones): which types, in which order
        for thing in pinned:
            self._pin(thing)
        self.plain = PlainWalk()

    def layout(self, cls: type) -> Layout:
        """Return the layout of the class, numbering it when it is first seen."""
        known = self.by_class.get(cls)
        if known is None:
            if why := why_refused(cls):
                raise opaque(cls, why)
            known = self.by_class[cls] = self._add(layout_of(cls, self.limits))
            if isinstance(known, Node):
                self.nodes[cls] = known
        return known

    def atom(self, value: object, layout: Atom) -> int:
        """Return the number of an atom, numbering it when it is first seen."""
        key = (layout.cls, layout.key(value))
        number = self._atom_numbers.get(key)
        if number is None:
            if why := why_refused(value):
                raise opaque(layout.cls, why)
            number = self._atom_numbers[key] = len(self.atoms)
            self.atoms.append(value)
        return number

    def _add(self, layout: Layout) -> Layout:
        layout.number = len(self.layouts)
        self.layouts.append(layout)
        self.has_weak |= isinstance(layout, WeakRecord | KeyedWeakRecord)
        return layout

    def _pin(self, thing: object) -> None:
        layout = self.layout(type(thing))
        if isinstance(layout, Node) and id(thing) not in self.pinned:
            pinned = PinnedNode(thing, layout)
            self._add(pinned)
            self.pinned[id(thing)] = pinned


@dataclass(frozen=True, slots=True)
class News:
    """What a table has numbered since: classes, names of fields, atoms; and the functions it saw.

    A table that held the same before, and takes it in, reads and writes the same bytes from then on.
    """

    classes: tuple[type, ...]
    names: tuple[tuple[int, tuple[str, ...]], ...]
    atoms: tuple[object, ...]
    functions: tuple[tuple[types.CodeType, str, str], ...] = ()  # code, module, name


def export_since(walker: Any, since: Sequence[Counts] = ()) -> tuple[list[News], list[Counts]]:
    """Return what a walker has numbered since, and how far that goes: the `since` of the next time.

    At first everything: `[News(classes=(Pile, list), …)], [(2, 0, 0)]`; with those counts given,
    nothing new: `[News(classes=(), …)], [(2, 0, 0)]`.
    """
    tables: list[Table] = walker.twin.tables
    since = since or [(0, 0, 0)] * len(tables)
    news = [_news(table, each) for table, each in zip(tables, since, strict=True)]
    return news, list(map(_counts, tables))


def import_from(walker: Any, news: Sequence[News]) -> None:
    """Let a walker number what another one has numbered."""
    for table, each in zip(walker.twin.tables, news, strict=True):
        _take_in(table, each)


def extent(walker: Any) -> list[Extent]:
    """Return how much a walker has numbered: the same again means that it numbered nothing since."""
    return [
        (_counts(table), tuple(len(fields.positions) for _, fields in _named_fields(table)))
        for table in walker.twin.tables
    ]


def knows_weak(walker: Any) -> bool:
    """Tell whether a walker has ever met a weak reference."""
    table: Table = walker.twin.tables[-1]
    return table.has_weak


def remarks_of(walker: Any, states: Iterable[bytes]) -> list[str]:
    """Return how objects in some states were compared that hide what they hold."""
    remarks = {layout.number: layout.remark for layout in walker.twin.tables[0].layouts if layout.remark}
    found: dict[str, None] = {}
    for state in states if remarks else ():
        for number in [number for number in classes_in(state) if number in remarks]:
            found.setdefault(remarks.pop(number))
        if not remarks:
            break
    return list(found)


def classes_in(state: bytes) -> Iterator[int]:
    """Yield the numbers of the classes in a state, which begins with how many nodes there are and the class of each."""
    numbers, number, shift = list[int](), 0, 0
    for byte in state:
        number |= (byte & 127) << shift
        shift += 7
        if byte < 128:
            numbers.append(number)
            number = shift = 0
            if len(numbers) > numbers[0]:
                break
    yield from dict.fromkeys(numbers[1:])


def _counts(table: Table) -> Counts:
    """Return how many classes, atoms and functions the table knows."""
    return len(table.layouts), len(table.atoms), len(_functions(table))


def _news(table: Table, since: Counts) -> News:
    """Return what the table has numbered beyond so many classes, atoms and functions."""
    classes, atoms, functions = since
    names = tuple((number, tuple(fields.positions)) for number, fields in _named_fields(table))
    return News(
        tuple(layout.cls for layout in table.layouts[classes:]),
        names,
        tuple(table.atoms[atoms:]),
        tuple((each.__code__, each.__module__, each.__name__) for each in _functions(table)[functions:]),
    )


def _named_fields(table: Table) -> Iterator[tuple[int, Any]]:
    """Yield the classes whose fields have names, by number, with these."""
    for layout in table.layouts:
        fields = None if isinstance(layout, PinnedNode) else getattr(layout, "fields", None)
        if fields is not None:
            yield layout.number, fields


def _functions(table: Table) -> list[types.FunctionType]:
    """Return the first function of each code that was numbered."""
    seen, numbered = table.by_class.get(types.FunctionType), table._atom_numbers
    if not isinstance(seen, FunctionRecord):
        return []
    return [each for code, each in seen.first.items() if (types.CodeType, code) in numbered]


def share_functions(source: Any, target: Any) -> None:
    """Let one walker make the functions that another has met, as plain data name only their code."""
    seen = target.twin.tables[-1].layout(types.FunctionType)
    assert isinstance(seen, FunctionRecord)
    for function in _functions(source.twin.tables[-1]):
        seen.first.setdefault(id(function.__code__), function)


def _take_in(table: Table, news: News) -> None:
    """Give numbers to what another table has numbered, in the same order."""
    for cls in news.classes:
        table.layout(cls)
    for number, names in news.names:
        fields: Any = getattr(table.layouts[number], "fields", None)
        fields.learn(names)
    for atom in news.atoms:
        layout = table.layout(type(atom))
        assert isinstance(layout, Atom)
        table.atom(atom, layout)
    seen = table.by_class.get(types.FunctionType)
    for code, module, name in news.functions:
        assert isinstance(seen, FunctionRecord)
        if id(code) not in seen.first:
            cells = tuple(types.CellType() for _ in code.co_freevars)
            seen.first[id(code)] = types.FunctionType(code, vars(sys.modules[module]), name, None, cells or None)
