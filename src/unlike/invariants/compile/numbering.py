"""Which object of an open heap is the first, which the second: numbers that are tied to the structure.

Breadth-first: objects of a class are numbered in the order in which a walk from the root, queue in hand, first meets
them. Depth-first: the same with a walk that goes into each object as soon as it meets it.
"""

from __future__ import annotations

import itertools

from unlike.invariants.compile.formula import FALSE, TRUE, Formula, Literal
from unlike.invariants.compile.heap import OpenHeap, Slot
from unlike.invariants.compile.values import Algebra, Number, Thing


def number_objects(heap: OpenHeap, *, depth_first: bool) -> None:
    """Assert that objects are numbered in the order of a walk, and that those in the structure are those met."""
    groups = [group for group in heap.things.values() if len(group) > 1 or group[0] is not heap.root]
    for group in groups:
        for one, following in itertools.pairwise(group):
            heap.algebra.formula.add(-following.active, one.active)
    if depth_first:
        _Descent(heap).assert_order()
    elif len(groups) == 1:
        _one_class(heap, groups[0])
    elif groups:
        _NumberingWalk(heap, groups).assert_order()


def _one_class(heap: OpenHeap, group: list[Thing]) -> None:
    """With one class of objects the walk takes them in the order of their numbers."""
    formula = heap.algebra.formula
    seen = [TRUE if thing is heap.root else FALSE for thing in group]
    owners = [heap.root, *(thing for thing in group if thing is not heap.root)]
    for owner in owners:
        if owner is not heap.root:
            formula.add(-owner.active, seen[owner.number])
        for slot in heap.slots_of(owner):
            for thing, literal in slot.holds.items():
                if thing is not heap.root and thing.number > 0:
                    formula.add(-literal, seen[thing.number - 1])
            for thing, literal in slot.holds.items():
                if thing in group:
                    seen[thing.number] = formula.either(seen[thing.number], literal)
    for thing in group:
        formula.equate(seen[thing.number], thing.active)


class _NumberingWalk:
    """With several classes the order in which the walk takes objects is part of what is to be found.

    `before` says it for every two objects. Each object has one slot where it was first met; slots are ordered by their
    owners and then by their place; and who was met first is taken first.
    """

    def __init__(self, heap: OpenHeap, groups: list[list[Thing]]) -> None:
        self.heap = heap
        self.formula: Formula = heap.algebra.formula
        self.things = [thing for group in groups for thing in group if thing is not heap.root]
        self.slots = heap.slots
        self.order: dict[tuple[Thing, Thing], Literal] = {}
        self.first: dict[tuple[Thing, Slot], Literal] = {}

    def assert_order(self) -> None:
        for thing in self.things:
            self.meet(thing)
        for one in self.things:
            for other in self.things:
                if one is not other:
                    self.take_in_turn(one, other)
        self.transitive()

    def before(self, one: Thing, other: Thing) -> Literal:
        """Return whether the walk takes one object before the other."""
        if one is other or other is self.heap.root:
            return FALSE
        if one is self.heap.root:
            return TRUE
        if one.cls is other.cls:
            return TRUE if one.number < other.number else FALSE
        if (one, other) not in self.order:
            literal = self.formula.new()
            self.order[one, other], self.order[other, one] = literal, -literal
        return self.order[one, other]

    def earlier(self, one: Slot, other: Slot) -> Literal:
        """Return whether the walk looks into one slot before the other."""
        if one.owner is other.owner:
            return TRUE if one.place < other.place else FALSE
        return self.before(one.owner, other.owner)

    def meet(self, thing: Thing) -> None:
        """Give an object that is there one slot where it is first met, whose owner was there before."""
        slots = [slot for slot in self.slots if thing in slot.holds]
        firsts = [self.formula.new() for _ in slots]
        self.formula.add(-thing.active, *firsts)
        for slot, first in zip(slots, firsts, strict=True):
            self.first[thing, slot] = first
            self.formula.add(-first, slot.holds[thing])
            self.formula.add(-first, self.before(slot.owner, thing))
            for other in slots:
                if other is not slot:
                    self.formula.add(-first, -other.holds[thing], self.earlier(slot, other))

    def take_in_turn(self, one: Thing, other: Thing) -> None:
        """Say that who is taken before the other was met before it."""
        follows = one.cls is other.cls and other.number == one.number + 1
        if one.cls is other.cls and not follows:
            return  # by transitivity
        for slot in self.slots:
            for later in self.slots:
                if one in slot.holds and other in later.holds:
                    firsts = -self.first[one, slot], -self.first[other, later]
                    self.formula.add(*firsts, -self.before(one, other), self.earlier(slot, later))

    def transitive(self) -> None:
        for one in self.things:
            for two in self.things:
                for three in self.things:
                    if len({one, two, three}) == 3 and len({one.cls, two.cls, three.cls}) > 1:
                        self.formula.add(-self.before(one, two), -self.before(two, three), self.before(one, three))


class _Descent:
    """Each object knows how many objects of each class were met before it and when its walk was over."""

    def __init__(self, heap: OpenHeap) -> None:
        self.heap = heap
        self.algebra: Algebra = heap.algebra
        self.formula = heap.algebra.formula
        self.classes = list(heap.things)
        self.start: dict[tuple[Thing, type], Number] = {}
        self.end: dict[tuple[Thing, type], Number] = {}

    def assert_order(self) -> None:
        for thing in self.heap.all_things:
            for cls in self.classes:
                self.start[thing, cls] = self.at_start(thing, cls)
                self.end[thing, cls] = self.algebra.fresh_number(self.start[thing, cls].low, len(self.heap.things[cls]))
        for thing in self.heap.all_things:
            self.descend(thing)
        root = self.heap.root
        for cls, group in self.heap.things.items():
            for thing in group:
                self.formula.equate(thing.active, self.end[root, cls].at_least(thing.number + 1))

    def at_start(self, thing: Thing, cls: type) -> Number:
        """Return how many objects of the class were met when the walk went into the object, itself included."""
        if cls is thing.cls:
            return Number(thing.number + 1, thing.number + 1, ())
        if thing is self.heap.root:
            return Number(0, 0, ())
        least = 1 if cls is self.heap.root.cls else 0
        number = self.algebra.fresh_number(least, len(self.heap.things[cls]))
        for step in number.steps[:1]:
            self.formula.add(-step, thing.active)
        return number

    def descend(self, owner: Thing) -> None:
        met = {cls: self.start[owner, cls] for cls in self.classes}
        for slot in self.heap.slots_of(owner):
            met = self.after(slot, met)
        for cls in self.classes:
            self.algebra.tie_numbers(self.end[owner, cls], met[cls], -owner.active)
            for step in self.end[owner, cls].steps[:1]:
                self.formula.add(-step, owner.active)

    def after(self, slot: Slot, met: dict[type, Number]) -> dict[type, Number]:
        """Return how many objects were met after a slot: as before, or as after the walk into a new object."""
        news: list[tuple[Literal, Thing]] = []
        for thing, literal in slot.holds.items():
            self.formula.add(-literal, met[thing.cls].at_least(thing.number))
            is_new = self.formula.both(literal, self.algebra.is_exactly(met[thing.cls], thing.number))
            if is_new != FALSE:
                news.append((is_new, thing))
        if not news:
            return met
        for is_new, thing in news:
            for cls in self.classes:
                if cls is not thing.cls:
                    self.algebra.tie_numbers(self.start[thing, cls], met[cls], -is_new)
        any_new = self.formula.either(*(is_new for is_new, _ in news))
        return {cls: self.join_counts(met[cls], news, any_new, cls) for cls in self.classes}

    def join_counts(self, before: Number, news: list[tuple[Literal, Thing]], any_new: Literal, cls: type) -> Number:
        if all(self.end[thing, cls].high == before.low for _, thing in news):
            return before
        high = max([before.high, *(self.end[thing, cls].high for _, thing in news)])
        joined = self.algebra.fresh_number(before.low, high)
        self.algebra.tie_numbers(joined, before, any_new)
        for bound in range(before.low + 1, high + 1):
            self.formula.add(-before.at_least(bound), joined.at_least(bound))
        for is_new, thing in news:
            self.algebra.tie_numbers(joined, self.end[thing, cls], -is_new)
        return joined
