"""What a class keeps inside, told from what is put in: containers that always have the same length.

The bound on elements is for containers that grow. A container that is longer counts as kept inside when no other length
was ever seen at its place: an argument tuple, a list that is used as a record, a table that the constructor lays out.
Its length is allowed from then on, and the search begins again. What is seen there with another length grows, and
stays within the bound; unless every constructor begins with more. Likewise objects of which every constructor makes
more than the bound.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from unlike.errors import UnlikeError
from unlike.heap.canonical import canonical
from unlike.heap.layout import Node, RecordLayout
from unlike.heap.numbered_names import Table
from unlike.heap.rebuild import NodeRef, RecordValue, StateReader
from unlike.scope import Kept, Outside, name_of

Place = tuple[str, ...]  # ("Cache", "links", "[1]"): a field of a class, and how far inside
DEEPEST = 4  # steps of a place: what is further inside stands at the same place
LOOKED_AT = 2_000  # states that are looked through for another length


class KeptMore(Exception):  # noqa: N818  # news, not an error
    """The classes keep more inside than was known."""

    def __init__(self, kept: Kept) -> None:
        super().__init__(kept)
        self.kept = kept


class Stretch(NamedTuple):
    """A container at a place, and how long it is."""

    place: Place
    name: str
    length: int


@dataclass(frozen=True, slots=True)
class Larger:
    """What is in a graph that is outside the scope: its long containers, and objects of each class that is bounded."""

    stretches: tuple[Stretch, ...]
    containers: Mapping[tuple[str, int], int]  # of each class and length, how many
    objects: Mapping[str, int]


def measure(walker: Any, roots: Sequence[object]) -> Larger | None:
    """Return what is large in a graph, or nothing where it cannot be seen."""
    table: Table = walker.twin.tables[0]
    try:
        state = canonical(table, roots, bounded=False)
    except UnlikeError:
        return None
    if isinstance(state, Outside):  # tuples within tuples, without end
        return None
    parsed = StateReader(table, state).parse()
    most = table.limits.elements
    found = list(stretches_in(table, state))
    return Larger(
        tuple(each for each in found if most is None or each.length > most),
        Counter((each.name, each.length) for each in found),
        Counter(name_of(layout.cls) for layout in parsed.layouts if layout.counted),
    )


def stretches_in(table: Table, state: bytes) -> Iterator[Stretch]:
    """Yield every container of a state, at the place by which it is met first."""
    parsed = StateReader(table, state).parse()
    places: dict[int, Place] = {}
    waiting: list[tuple[Place, Any]] = [(("",), root) for root in parsed.roots]
    for place, value in waiting:  # grows while we walk
        if isinstance(value, RecordValue):
            layout = table.layout(value.cls)
            if isinstance(layout, RecordLayout) and layout.counted:
                yield Stretch(place, name_of(value.cls), len(value.parts))
            waiting.extend((_inside(place, f"({at})"), part) for at, part in enumerate(value.parts))
        elif isinstance(value, NodeRef) and value.node not in places:
            places[value.node] = place
            node, values = parsed.layouts[value.node], parsed.values[value.node]
            if node.is_container:
                start = node.content_start(values)
                yield Stretch(place, name_of(node.cls), (len(values) - start) // node.stride)
            waiting.extend(_parts_of(node, values, place))


def _parts_of(node: Node, values: list[Any], place: Place) -> Iterator[tuple[Place, Any]]:
    """Yield what a node holds, each with its place: a field by its name, an element by the kind of container."""
    fields, rest = node.split(values)
    for name, value in fields.items():
        yield (node.cls.__qualname__, name), value
    for at, value in enumerate(rest):
        kind = f"[{at if node.cls is list else at % node.stride}]"
        yield _inside(place, kind if node.is_container else f".{at}"), value


def _inside(place: Place, step: str) -> Place:
    return (*place, step) if len(place) < DEEPEST + 2 else place


class Judge:
    """Tells what is kept inside from what grows, as far as a search has come."""

    def __init__(self) -> None:
        self.grows: set[Place] = set()

    def find_kept(
        self, larger: Sequence[Larger], table: Table, states: Sequence[bytes], known: Kept, *, is_any: bool
    ) -> Kept:
        """Return what is kept inside beyond what is known; `states` are some of those that were found.

        `is_any` tells whether one of them is of a class that is explored.
        """
        least = self._least(larger, known)
        for state in states if least else ():
            for each in stretches_in(table, state):
                if each.place in least and each.length != least[each.place].length:
                    self.grows.add(least.pop(each.place).place)
            if not least:
                break
        if least or is_any:
            return {(each.name, each.length): _fewest(larger, each) for each in least.values()}
        return self._smallest(larger, known) or self._objects(larger, table, known)

    def _smallest(self, larger: Sequence[Larger], known: Kept) -> Kept:
        """Return what the smallest graph holds, where nothing is within the bound: objects begin with that much."""
        if not larger:
            return {}
        graph = min(larger, key=lambda each: sum(stretch.length for stretch in each.stretches))
        found = {(each.name, each.length) for each in graph.stretches} - known.keys()
        return {key: graph.containers[key] for key in sorted(found)}

    def _least(self, larger: Iterable[Larger], known: Kept) -> dict[Place, Stretch]:
        """Return the shortest of the long containers at each place that is not known to grow."""
        least: dict[Place, Stretch] = {}
        for each in (stretch for graph in larger for stretch in graph.stretches):
            if each.place in self.grows or (each.name, each.length) in known:
                continue
            if each.place not in least or each.length < least[each.place].length:
                least[each.place] = each
        return least

    def _objects(self, larger: Sequence[Larger], table: Table, known: Kept) -> Kept:
        """Return the objects that every graph has more of than the bound, where nothing is within it."""
        names = set.intersection(*(set(each.objects) for each in larger)) if larger else set()
        bound = table.limits.objects
        fewest = {name: min(each.objects[name] for each in larger) for name in sorted(names)}
        return {
            (name, 0): count
            for name, count in fewest.items()
            if bound is not None and count > bound and (name, 0) not in known
        }


def _fewest(larger: Iterable[Larger], stretch: Stretch) -> int:
    """Return how many containers of this class and length a graph has at least, where it has any."""
    counts = [each.containers.get((stretch.name, stretch.length), 0) for each in larger]
    return min((count for count in counts if count), default=1)
