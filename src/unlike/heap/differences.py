"""From two object graphs to the fields in which they differ, as paths from the first object: `_head.next`, `items`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from unlike.heap.rebuild import Heap, NodeRef, RecordValue, distinguish_values

ITSELF = "its content"  # of an object that is a container


def different_fields(one: Heap, other: Heap) -> list[str]:
    """Return where two graphs differ, each place once, those nearest to the first object first."""
    found = dict.fromkeys(_Comparison(distinguish_values(one), distinguish_values(other)).places())
    return [place or ITSELF for place in found]


class _Comparison:
    def __init__(self, one: Heap, other: Heap) -> None:
        self.one, self.other = one, other
        self.waiting: list[tuple[str, Any, Any]] = [("", *each) for each in zip(one.roots, other.roots, strict=True)]
        self.met: set[tuple[int, int]] = set()

    def places(self) -> Iterator[str]:
        for place, one, other in self.waiting:  # grows while we walk: what is near comes first
            match one, other:
                case NodeRef(node=first), NodeRef(node=second):
                    if (first, second) not in self.met:
                        self.met.add((first, second))
                        yield from self.in_nodes(place, first, second)
                case RecordValue(), RecordValue() if one.cls is other.cls and len(one.parts) == len(other.parts):
                    self.waiting += [(place, *each) for each in zip(one.parts, other.parts, strict=True)]
                case _ if type(one) is not type(other) or one != other:
                    yield place

    def in_nodes(self, place: str, first: int, second: int) -> Iterator[str]:
        one, other = self.one.nodes[first], self.other.nodes[second]
        if one.cls is not other.cls:
            yield place
            return
        fields, others = dict(one.fields), dict(other.fields)
        for name in dict.fromkeys((*fields, *others)):
            inner = f"{place}.{name}" if place else name
            if name in fields and name in others:
                self.waiting.append((inner, fields[name], others[name]))
            else:
                yield inner
        if len(one.content) != len(other.content):
            yield place
        else:
            self.waiting += [(place, *each) for each in zip(one.content, other.content, strict=True)]
