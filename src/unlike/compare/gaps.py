"""From structures that nobody builds to a few groups of them: the fields in which they differ from what is built.

A structure is a row of values, one for each field of each object. The nearest object that is built is the one that
differs in the fewest fields; structures are group_gaps by these fields, named by the way that leads to them.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from unlike.invariants.fields.contents import Content, ObjectAt
from unlike.invariants.structure import Structure, build_structure, labels_of, objects_in, shorten

MOST_FIELDS = 3  # in which a structure may differ to be called near
Row = tuple[Any, ...]
Skeleton = tuple[type, ...]


@dataclass(frozen=True, slots=True)
class FieldWay:
    """A field, named by the way to it: of the root, of an object the root holds, or of one further away."""

    way: tuple[str, ...]  # nothing, or the root's field that leads there
    further: bool  # behind the object that the root holds
    name: str

    def __str__(self) -> str:
        if not self.way:
            return self.name
        return f"{self.name} of objects behind {self.way[0]}" if self.further else f"{self.way[0]}.{self.name}"


@dataclass(slots=True)
class Gap:
    """Structures that the invariant accepts and nobody builds, and which differ from built ones in the same fields.

    `places` is empty for structures that are far from everything that is built.
    """

    places: tuple[FieldWay, ...]
    count: int = 0
    example: Structure | None = None
    nearest: Structure | None = None
    values: dict[str, None] = field(default_factory=dict)  # what stands there, in words

    def __str__(self) -> str:
        if not self.places:
            return f"{self.count:,} unlike anything that is built: more than {MOST_FIELDS} fields differ"
        return f"{self.count:,} in {' and '.join(map(str, self.places))}: {', '.join(self.values)}"

    def lines(self) -> list[str]:
        """Return the group for a reader; with an example, unless smaller groups explain it."""
        if self.example is None or len(self.places) > 1:
            return [str(self)]
        return [str(self), f"    {shorten(str(self.example))}"]


class Built:
    """What is built, so that the nearest of it can be found: rows by their classes, with some fields left out."""

    def __init__(self, structures: Sequence[Structure], things: Sequence[object] = ()) -> None:
        self.rows: dict[Skeleton, dict[Row, Structure]] = {}
        self.things = {(skeleton(each), row(each)): thing for each, thing in zip(structures, things, strict=False)}
        for structure in structures:
            self.rows.setdefault(skeleton(structure), {})[row(structure)] = structure
        self.without: dict[tuple[Skeleton, tuple[int, ...]], dict[Row, Structure]] = {}

    def twin(self, structure: Structure) -> tuple[FieldWay, str] | None:
        """Return the field in which a structure differs from a built one that holds the same, and how; or nothing."""
        key = skeleton(structure), row(structure)
        if key not in self.things:
            return None
        mine, built = build_structure(structure), self.things[key]
        for name, _ in structure.objects[0].fields:
            one, other = type(getattr(mine, name, None)), type(getattr(built, name, None))
            if one is not other:
                return FieldWay((), further=False, name=name), f"{one.__name__} where {other.__name__} is built"
        return FieldWay((), further=False, name="what it holds"), "containers of another class than those built"

    def nearest(self, structure: Structure) -> tuple[tuple[int, ...], Structure] | None:
        """Return the fields in which the structure differs from the nearest built one, and that one."""
        classes, values = skeleton(structure), row(structure)
        if classes not in self.rows:
            return None
        for size in range(1, MOST_FIELDS + 1):
            for places in itertools.combinations(range(len(values)), size):
                found = self._without(classes, places).get(_leave_out(values, places))
                if found is not None:
                    return places, found
        return None

    def _without(self, classes: Skeleton, places: tuple[int, ...]) -> dict[Row, Structure]:
        known = self.without.get((classes, places))
        if known is None:
            known = {}
            for values, structure in self.rows[classes].items():
                known.setdefault(_leave_out(values, places), structure)
            self.without[classes, places] = known
        return known


def group_gaps(structures: Iterable[Structure], built: Built) -> list[Gap]:
    """Return the groups of the structures, large ones first; those near to something built before the others."""
    gaps: dict[tuple[FieldWay, ...], Gap] = {}
    for structure in structures:
        if twin := built.twin(structure):
            gap = gaps.setdefault((twin[0],), Gap((twin[0],), example=structure))
            gap.count += 1
            gap.values[twin[1]] = None
            continue
        found = built.nearest(structure)
        places = tuple(dict.fromkeys(map(_places(structure).__getitem__, found[0]))) if found else ()
        gap = gaps.setdefault(tuple(sorted(places, key=str)), Gap(tuple(sorted(places, key=str))))
        gap.count += 1
        if gap.example is None:
            gap.example, gap.nearest = structure, found[1] if found else None
        if found is not None:
            for words in _differences(structure, found[1], found[0]):
                if len(gap.values) < 4:
                    gap.values[words] = None
    return sorted(gaps.values(), key=lambda gap: (not gap.places, len(gap.places), -gap.count))


def skeleton(structure: Structure) -> Skeleton:
    """Return the classes of the objects."""
    return tuple(record.cls for record in structure.objects)


def row(structure: Structure) -> Row:
    """Return what all fields hold, such that 1, 1.0 and True stay three."""
    return tuple(_tell_apart(value) for record in structure.objects for _, value in record.fields)


def _tell_apart(value: Any) -> Any:
    match value:
        case ObjectAt() | None | str():
            return value
        case Content(kind, items):
            return (kind, tuple(map(_tell_apart, items)))
    try:
        hash(value)
    except Exception:  # an object of a class beside those that the invariant lists: like nothing but itself
        return (type(value).__name__, id(value))
    return (type(value).__name__, value)


def _leave_out(values: Row, places: Sequence[int]) -> Row:
    return tuple(value for place, value in enumerate(values) if place not in places)


def _places(structure: Structure) -> list[FieldWay]:
    """Return the name of every field of every object."""
    ways: dict[int, tuple[tuple[str, ...], bool]] = {0: ((), False)}
    for number, record in enumerate(structure.objects):  # breadth-first: the way to an object is known before it
        way, _ = ways[number]
        for name, value in record.fields:
            for other in objects_in(value):
                ways.setdefault(other, ((name,), False) if not way else (way, True))
    return [
        FieldWay(*ways[number], name) for number, record in enumerate(structure.objects) for name, _ in record.fields
    ]


def _differences(one: Structure, other: Structure, places: Sequence[int]) -> Iterator[str]:
    """Yield what stands in the fields in which two structures differ, in words."""
    labels = labels_of(one), labels_of(other)
    values = [[value for record in each.objects for _, value in record.fields] for each in (one, other)]
    for place in places:
        found, near = values[0][place], values[1][place]
        mine, built = _kind(found, labels[0]), _kind(near, labels[1])
        if mine == built and isinstance(found, int | float | str):  # the kind says nothing, so the values must
            mine, built = repr(found), repr(near)
        yield f"{mine} where {built} is built"


def _kind(value: Any, labels: Sequence[str]) -> str:
    """Return a value in words that many values share."""
    match value:
        case None:
            return "None"
        case ObjectAt(number):
            return labels[number]
        case Content(kind):
            return f"another {kind}"
        case bool():
            return str(value)
        case int() | float() | str():
            return f"{'an' if isinstance(value, int) else 'a'} {type(value).__name__}"
    return repr(value)
