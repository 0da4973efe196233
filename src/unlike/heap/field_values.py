"""Field extensions: which values each field takes over many states.

A value is an atom as it is, or stands for an object by its class and its number among the objects of that class
in its own state, in breadth-first order; so two lists of three nodes have the same three nodes. This is the measure of
field-exhaustive testing.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unlike.errors import how_many
from unlike.heap.rebuild import Heap, NodeRef, RecordValue
from unlike.recipe import write_plain


@dataclass(frozen=True, slots=True, order=True)
class ObjectLabel:
    """The object with this number among the objects of its class."""

    cls: str
    number: int

    def __str__(self) -> str:
        return f"{self.cls}{self.number}"


@dataclass(frozen=True, slots=True)
class Extensions:
    """For each field, named "Class.field", the pairs (object, value) that occur, in order of first sight."""

    pairs: Mapping[str, tuple[tuple[ObjectLabel, object], ...]]
    first: int | None = None  # how many states were looked at, where there are more

    def count(self) -> int:
        """Return how many pairs occur over all fields."""
        return sum(map(len, self.pairs.values()))

    def __str__(self) -> str:
        few = "" if self.first is None else f" in {self.first:,} objects looked at"
        return f"field values: {self.count():,} over {how_many(len(self.pairs), 'field')}{few}"


def extensions(heaps: Iterable[Heap], most: float = math.inf) -> Extensions:
    """Return the field extensions of the states; of the first ones, which have at most so many objects in them."""
    found: dict[str, dict[tuple[ObjectLabel, object], None]] = {}
    nodes, first = 0, None
    for looked_at, heap in enumerate(heaps):
        nodes += len(heap.nodes)
        if nodes > most:
            first = looked_at
            break
        labels = label_objects([node.cls for node in heap.nodes])
        for record in (root for root in heap.roots if isinstance(root, RecordValue)):  # an object that is a tuple
            label = ObjectLabel(record.cls.__name__, 0)
            for name, value in zip(_names(record), record.parts, strict=True):
                found.setdefault(f"{label.cls}{name}", {})[label, _label_value(value, labels)] = None
        for label, node in zip(labels, heap.nodes, strict=True):
            for name, value in node.fields:
                found.setdefault(f"{label.cls}.{name}", {})[label, _label_value(value, labels)] = None
            for value in node.content:
                found.setdefault(f"{label.cls}[]", {})[label, _label_value(value, labels)] = None
    return Extensions({name: tuple(pairs) for name, pairs in found.items()}, first)


def _names(record: RecordValue) -> list[str]:
    """Return how the parts of a record are told: by name where it has names."""
    names = getattr(record.cls, "_fields", ())
    return [f".{name}" for name in names] if len(names) == len(record.parts) else ["[]"] * len(record.parts)


def label_objects(classes: Sequence[type]) -> list[ObjectLabel]:
    """Return the label of each object, given their classes: Tree0, Node0, Node1."""
    seen = Counter[type]()
    labels = []
    for cls in classes:
        labels.append(ObjectLabel(cls.__name__, seen[cls]))
        seen[cls] += 1
    return labels


def _label_value(value: Any, labels: list[ObjectLabel]) -> object:
    """Return the value with objects as labels, hashable, and such that 1, 1.0 and True stay three."""
    match value:
        case NodeRef(node):
            return labels[node]
        case RecordValue(cls, parts):
            return (cls.__name__, *(_label_value(part, labels) for part in parts))
        case None | str():
            return value
    return (type(value).__name__, write_plain(value))
