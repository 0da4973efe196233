"""Field values: which value which field of which object has, in a structure, in an open formula, or in a live object.

A pair is (object, value) of one field. Objects go by their class and their number among the objects of that class, in
the order in which a walk from the root meets them: so two trees of three nodes have the same three nodes. The walk is
breadth-first, or depth-first where that is asked for; it is part of what a pair means.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from unlike.errors import ScopeError, nearest
from unlike.heap.field_values import Extensions, ObjectLabel, label_objects
from unlike.invariants.compile.compiling import Compiled, Numbering
from unlike.invariants.compile.heap import Contents, Options
from unlike.invariants.compile.values import Algebra, Thing
from unlike.invariants.fields.contents import Content, ObjectAt
from unlike.invariants.fields.domains import FieldTable
from unlike.invariants.fields.flat_values import plain_value
from unlike.invariants.structure import Structure, objects_in


@dataclass(frozen=True, slots=True)
class PlainValue:
    """A value that is no object, by what it looks like: 1, True and 1.0 are three."""

    kind: str
    text: str

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True, slots=True)
class Pair:
    """The field ("Node.left", "Map.buckets[0]", "len(Map.buckets)") of this object has this value."""

    field: str
    thing: ObjectLabel
    value: ObjectLabel | PlainValue

    def __str__(self) -> str:
        inner = self.field.removeprefix("len(")
        place = inner.partition(".")[2]
        shown = f"len({self.thing}.{place}" if self.field.startswith("len(") else f"{self.thing}.{place}"
        return f"{shown} = {self.value}"


def plain(value: object) -> PlainValue:
    """Return a plain value as it is shown and compared."""
    if isinstance(value, enum.Enum):
        return PlainValue(type(value).__name__, f"{type(value).__name__}.{value.name}")
    return PlainValue(type(value).__name__, repr(value))


def wanted_fields(table: FieldTable, only: Sequence[str]) -> Callable[[str], bool]:
    """Return which fields count: all, or those named as "left" or "Node.left"."""
    known = [name for name, _ in table.named]
    chosen: set[str] = set()
    for name in only:
        found = [each for each in known if name in (each, each.partition(".")[2])]
        if not found:
            raise ScopeError(f"--only {name!r}: there is no such field; {nearest(name, known)}")
        chosen.update(found)
    return lambda owner: not only or owner in chosen


def extensions_of(pairs: Iterable[Pair], table: FieldTable) -> Extensions:
    """Return pairs as field extensions: fields in the order of the scope, objects and values in order."""
    order = [name for name, _ in table.named]

    def place(pair: Pair) -> tuple[Any, ...]:
        field, is_length = pair.field, pair.field.startswith("len(")
        owner = order.index(field.removeprefix("len(").rstrip(")").partition("[")[0])
        return owner, is_length, natural(field), pair.thing.number, *_value_order(pair.value)

    found: dict[str, list[tuple[ObjectLabel, object]]] = {}
    for pair in sorted(pairs, key=place):
        found.setdefault(pair.field, []).append((pair.thing, pair.value))
    return Extensions({name: tuple(values) for name, values in found.items()})


def natural(text: str) -> tuple[Any, ...]:
    """Return a key that orders "f[2]" before "f[10]"."""
    inside = text.partition("[")[2].rstrip("])")
    return (int(inside), "") if inside.lstrip("-").isdecimal() else (0, inside)


def _value_order(value: ObjectLabel | PlainValue) -> tuple[Any, ...]:
    if isinstance(value, ObjectLabel):
        return 1, value.cls, value.number, ""
    if value.kind == "int":
        return 2, "", int(value.text), ""
    return (0 if value.kind == "NoneType" else 3), value.kind, 0, value.text


# -- of a structure ------------------------------------------------------------------------------------------


def pairs_of(structure: Structure, numbering: Numbering, wanted: Callable[[str], bool]) -> Iterator[Pair]:
    """Yield the pairs of a structure."""
    labels = labels_of(structure, numbering)
    for label, record in zip(labels, structure.objects, strict=True):
        for name, value in record.fields:
            owner = f"{label.cls}.{name}"
            if wanted(owner):
                yield from pairs_within(owner, label, value, labels)


def labels_of(structure: Structure, numbering: Numbering) -> list[ObjectLabel]:
    """Return the label of each object of a structure."""
    count = len(structure.objects)
    order = range(count) if numbering == "breadth-first" else _depth_first(structure)
    labels = dict(zip(order, label_objects([structure.objects[place].cls for place in order]), strict=True))
    return [labels[place] for place in range(count)]


def _depth_first(structure: Structure) -> list[int]:
    order: list[int] = []
    seen: set[int] = set()
    todo = [0]
    while todo:
        place = todo.pop()
        if place in seen:
            continue
        seen.add(place)
        order.append(place)
        values = [value for _, value in structure.objects[place].fields]
        todo.extend(reversed([each for value in values for each in objects_in(value)]))
    return order


# what is shown by a value that is not yet known, or None for values that are
ReadUnknown = Callable[[str, ObjectLabel, Any, Sequence[ObjectLabel]], Iterator[Pair] | None]


def pairs_within(
    field: str, label: ObjectLabel, value: Any, labels: Sequence[ObjectLabel], read: ReadUnknown | None = None
) -> Iterator[Pair]:
    """Yield the pairs that a field of an object shows by holding a value; `read` says so of values not yet known."""
    if read is not None and (found := read(field, label, value, labels)) is not None:
        yield from found
        return
    match value:
        case ObjectAt(number):
            yield Pair(field, label, labels[number])
        case Content("dict", items):
            yield Pair(f"len({field})", label, plain(len(items) // 2))
            for key, inner in zip(items[::2], items[1::2], strict=True):
                yield from pairs_within(f"{field}[{_key(key, labels)}]", label, inner, labels, read)
        case Content("set" | "frozenset", items):
            yield Pair(f"len({field})", label, plain(len(items)))
            for item in items:
                yield from pairs_within(field, label, item, labels, read)
        case Content(_, items):
            yield Pair(f"len({field})", label, plain(len(items)))
            for index, item in enumerate(items):
                yield from pairs_within(f"{field}[{index}]", label, item, labels, read)
        case _:
            yield Pair(field, label, plain(value))


def _key(key: Any, labels: Sequence[ObjectLabel]) -> str:
    return str(labels[key.number]) if isinstance(key, ObjectAt) else str(plain(plain_value(key)))


# -- of a formula --------------------------------------------------------------------------------------------


def open_pairs(compiled: Compiled, wanted: Callable[[str], bool]) -> tuple[dict[Pair, int], list[Pair]]:
    """Return every pair of the scope with the literal that says that it is there; and those already refuted."""
    found: dict[Pair, int] = {}
    formula = compiled.formula
    for (thing, name), place in compiled.places.items():
        owner = f"{thing.cls.__name__}.{name}"
        if wanted(owner):
            label = ObjectLabel(thing.cls.__name__, thing.number)
            for pair, literal in _open_in(owner, label, place, compiled):
                found[pair] = formula.either(found[pair], literal) if pair in found else literal
    refuted = [pair for pair, literal in found.items() if -literal in formula.units]
    return {pair: literal for pair, literal in found.items() if -literal not in formula.units}, refuted


def _open_in(field: str, label: ObjectLabel, options: Options, compiled: Compiled) -> Iterator[tuple[Pair, int]]:
    for value, literal in options:
        match value:
            case Thing(cls, number):
                yield Pair(field, label, ObjectLabel(cls.__name__, number)), literal
            case Contents(kind, places):
                yield from _lengths(field, label, value, literal, compiled)
                for key, under, inner in places:
                    if inner is None:
                        yield from ((pair, under) for pair in pairs_within(field, label, key, []))
                    else:
                        index = str(plain(plain_value(key))) if kind == "dict" else str(key)
                        yield from _open_in(f"{field}[{index}]", label, inner, compiled)
            case _:
                yield Pair(field, label, plain(value)), literal


def _lengths(
    field: str, label: ObjectLabel, contents: Contents, literal: int, compiled: Compiled
) -> Iterator[tuple[Pair, int]]:
    formula = compiled.formula
    presents = [under for _, under, _ in contents.places]
    if contents.kind in ("list", "tuple"):  # each place only if all before it are there
        certain = sum(1 for under in presents if under == literal)
        steps = [literal] * (certain + 1) + presents[certain:]
        for size in range(certain, len(presents) + 1):
            more = presents[size] if size < len(presents) else -1
            yield Pair(f"len({field})", label, plain(size)), formula.both(steps[size], -more)
        return
    count = Algebra(formula).count(presents)
    for size in range(count.low, count.high + 1):
        exact = formula.both(literal, count.at_least(size), -count.at_least(size + 1))
        yield Pair(f"len({field})", label, plain(size)), exact
