"""The field values of very many structures, block by block: a block is read off its zone, and not listed.

A block has the same objects and references in all its structures; what differs are ints within a zone, and plain values
in places that the invariant did not look at. Every int between the bounds of a slot is the value of the slot at some
point of the zone, since the bounds are tight. So the field values of a block are those of its slots and places, one by
one, and a few points show them all.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from unlike.field_exhaustive.by_clauses import Shown, Wish
from unlike.field_exhaustive.pairs import Pair, labels_of, pairs_of, pairs_within
from unlike.heap.field_values import ObjectLabel
from unlike.indexed import members
from unlike.invariants.fields.domains import FieldTable, SetOf
from unlike.invariants.search.template import OpenAt, SlotAt, TemplateStructures
from unlike.invariants.structure import Structure
from unlike.zones.zone import Zone

MOST_VALUES = 1_000  # of a place that was not looked at; where there are more, structures are listed
Unknown = tuple[type, int]  # a slot of the zone, or an open place, by its number


class ProjectedBlock:
    """A block, and which pairs each value of each of its unknowns shows."""

    def __init__(self, block: TemplateStructures, wish: Wish) -> None:
        self.block, self.wish = block, wish
        template = block.template
        self.zone = Zone(template.bounds)
        self.values: dict[Unknown, dict[Any, set[Pair]]] = {}
        self.fixed: set[Pair] = set()
        labels = labels_of(Structure(template.objects), wish.numbering)
        for label, record in zip(labels, template.objects, strict=True):
            for name, value in record.fields:
                if wish.wanted(f"{label.cls}.{name}"):
                    self.fixed.update(pairs_within(f"{label.cls}.{name}", label, value, labels, self.read))

    def read(self, field: str, label: ObjectLabel, value: Any, labels: Sequence[ObjectLabel]) -> Iterator[Pair] | None:
        """Note what an unknown shows in a place; None for what is known."""
        match value:
            case SlotAt(slot, offset) if slot:
                every = [(v, v + offset) for v in range(self.zone.low(slot), self.zone.high(slot) + 1)]
            case SlotAt(_, offset):
                return pairs_within(field, label, offset, labels)
            case OpenAt(slot):
                every = [(v, v) for v in members(self.flat(slot))]
            case _:
                return None
        shown = self.values.setdefault((type(value), slot), {})
        for chosen, held in every:
            shown.setdefault(chosen, set()).update(pairs_within(field, label, held, labels))
        return iter(())

    def flat(self, place: int) -> Any:
        """Return the values of an open place."""
        return self.block.filling.flat[self.block.places[place]]

    @property
    def pairs(self) -> set[Pair]:
        """All pairs that its structures show."""
        return self.fixed.union(*(pairs for values in self.values.values() for pairs in values.values()))

    def cover(self, known: set[Pair]) -> Iterator[Structure]:
        """Yield structures that show what is not known yet; `known` grows with what is yielded, by whoever asks."""
        while True:
            missing = {
                unknown: [value for value, pairs in values.items() if not pairs <= known]
                for unknown, values in self.values.items()
            }
            if not any(missing.values()) and self.fixed <= known:
                return
            yield self.structure({unknown: values for unknown, values in missing.items() if values})

    def structure(self, missing: dict[Unknown, list[Any]]) -> Structure:
        """Return a structure with values that are missing, as many of them as go together."""
        zone = self.zone
        for (kind, slot), values in missing.items():
            if kind is SlotAt:
                wanted = next((v for v in values if zone.low(slot) <= v <= zone.high(slot)), None)
                narrowed = None if wanted is None else zone.equal(slot, 0, wanted)
                zone = zone if narrowed is None else narrowed
        places = [
            missing[OpenAt, place][0] if (OpenAt, place) in missing else self.flat(place).at(0)
            for place in range(len(self.block.places))
        ]
        return self.block.fill(zone.first_point(), places)


def can_be_projected(block: object) -> bool:
    """Tell whether the structures of a block differ in nothing but plain values, of which no place has very many."""
    if not isinstance(block, TemplateStructures):
        return False
    flat = [block.filling.flat[place] for place in block.places]
    return all(each is not None and each.count() <= MOST_VALUES for each in flat)


def cover_blocks(blocks: Sequence[Any], wish: Wish, keep: Callable[[Shown], None], most: int) -> bool:
    """Hand on structures that together show every pair that some structure of the blocks shows.

    False if blocks whose structures have to be listed have more than so many of them, so that pairs may be missing.
    """
    known: set[Pair] = set()
    listed = 0
    for block in wish.deadline.each(blocks):
        if can_be_projected(block):
            found = ProjectedBlock(block, wish).cover(known)
        else:
            found = itertools.islice(members(block), max(0, most - listed))
            listed += block.count()
        for structure in wish.deadline.each(found):
            pairs = frozenset(pairs_of(structure, wish.numbering, wish.wanted))
            if not pairs <= known or not known:
                known |= pairs
                keep(Shown(structure, pairs))
    return listed <= most


def needed_at_least(pairs: Sequence[Pair], table: FieldTable) -> int:
    """Return how many structures it takes at least: a structure shows one value of a field of an object, or none."""
    sets = {name for name, domain in table.named if any(isinstance(part, SetOf) for part in domain.parts)}
    counts: dict[tuple[str, ObjectLabel], int] = {}
    for pair in pairs:
        if pair.field.partition("[")[0] not in sets:
            counts[pair.field, pair.thing] = counts.get((pair.field, pair.thing), 0) + 1
    return max(counts.values(), default=min(1, len(pairs)))
