"""What a search for structures found: their number, and a suite of cases that the unmodified invariant accepts."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from unlike.errors import InvariantError
from unlike.foreign import silence
from unlike.heap.walkers import make_walker
from unlike.indexed import Indexed, Integers, Listed, Mapped, Product, Sum, members
from unlike.invariants.fields.domains import FieldTable
from unlike.invariants.fields.flat_values import arrangement
from unlike.invariants.search.guards import InvariantNotes
from unlike.invariants.search.template import TemplateStructures
from unlike.invariants.structure import (
    LabelledStructure,
    Structure,
    all_held,
    build_objects,
    build_structure,
    recipe_of_labelled,
    recipe_of_structure,
)
from unlike.recipe import Recipe, run
from unlike.scope import Limits
from unlike.suite import Case, Ending, LazyCase, Status, Suite

Item = Structure | LabelledStructure
ENGINES = {
    "search": "search: the invariant ran on open objects",
    "hybrid": "hybrid: a solver gave the shapes, the invariant ran on each; in a smaller scope both ways agree",
    "korat": "plain Korat: the invariant ran on one candidate after the other",
}


@dataclass(slots=True)
class Structures:
    """Every structure that an invariant accepts within a scope; cases are made when they are asked for."""

    cls: type
    invariant: str
    table: FieldTable
    engine: str
    status: Status
    count: int
    seen: InvariantNotes
    notes: tuple[str, ...]
    seconds: float
    check: Callable[[Any], object] = field(repr=False)
    all_labels: bool = False
    blocks: Sequence[Indexed[Item]] = field(default=(), repr=False)

    @property
    def structures(self) -> Indexed[Item]:
        """The structures as data, counted and reached by index."""
        return Sum(self.blocks)

    @property
    def suite(self) -> Suite:
        """The structures as cases. Each is checked by the unmodified invariant when it is handed out."""
        pools = [(each.cls, each.most) for each in self.table.classes]
        cases = StructureCases(self.structures, self.check, self.cls.__name__, self.invariant, pools)
        return Suite(self.cls.__name__, cases, self.status, self.guarantee, self.explanation)

    @property
    def guarantee(self) -> str:
        """What the suite promises."""
        which = "every structure" if not self.status.cut_short and self.status.ending is not Ending.FOUND else "some"
        names = ", with every choice of objects from a pool" if self.all_labels else ", no two alike up to identity"
        return f"{which} that {self.cls.__name__}.{self.invariant} accepts within {self.table.scope}{names}"

    @property
    def explanation(self) -> str:
        """What each field may hold, how much was looked at, and what was noticed."""
        seen = self.seen
        lines = [self.table.listing(), f"engine: {ENGINES[self.engine]}"]
        lines.append(
            f"{seen.runs:,} runs of {self.invariant}, {seen.choices:,} choices of fields, "
            f"{seen.questions:,} questions about ints, {len(self.blocks):,} blocks"
        )
        lines += [f"{self.invariant} raised {name} {times:,} times" for name, times in seen.raised.items()]
        return "\n".join([*lines, *self.notes])


@dataclass(frozen=True, slots=True)
class StructureCases:
    """The cases of structures; each is checked when it is handed out."""

    structures: Indexed[Item]
    check: Callable[[Any], object]
    name: str
    invariant: str
    pools: Sequence[tuple[type, int]]

    def count(self) -> int:
        """Return how many there are."""
        return self.structures.count()

    def at(self, index: int) -> Case:
        """Return the case at the index, or say that the invariant has changed its mind."""
        return self._case(index, self.structures.at(index))

    def stream(self) -> Iterator[Case]:
        """Yield the cases in order of index."""
        for index, item in enumerate(members(self.structures)):
            yield self._case(index, item)

    def _case(self, index: int, item: Item) -> Case:
        structure = item if isinstance(item, Structure) else item.structure
        check_again(self.check, structure, f"{self.name}.{self.invariant}", item)
        return case_of_structure(item, f"{self.name}-{index}", self.pools)


def case_of_structure(item: Item, name: str, pools: Sequence[tuple[type, int]] = ()) -> Case:
    """Return the case of a structure; with labels its objects are taken from pools of blank ones."""

    def make() -> tuple[Recipe, str]:
        made = recipe_of_structure(item) if isinstance(item, Structure) else recipe_of_labelled(item, pools)
        return made, str(item)

    return LazyCase(
        id=name, make=make, shortcut=functools.partial(build_structure, item) if isinstance(item, Structure) else None
    )


def check_again(check: Callable[[Any], object], structure: Structure, name: str, item: object) -> None:
    """Run the unmodified invariant on a fresh object, and refuse what it does not accept, or changes."""
    things = build_objects(structure)
    before = all_held(things)
    with silence():
        try:
            answer = bool(check(things[0]))
        except Exception as error:
            raise InvariantError(
                f"{name} accepted {item} once, and now raises {type(error).__name__}: {error}"
            ) from None
    if not answer:
        raise InvariantError(
            f"{name} accepted {item} once and rejects it now; it is not deterministic, or keeps state between calls"
        )
    after = all_held(things)
    if len(after) != len(before) or not all(map(operator.is_, before, after)):
        raise InvariantError(f"{name} changes the object it looks at: {item}; an invariant only looks")


# -- labels ----------------------------------------------------------------------------------------------------


def label_structures(block: Indexed[Structure], table: FieldTable) -> Indexed[LabelledStructure]:
    """Return structures, each with every choice of its objects from the pools; the root is the first of its class."""
    if isinstance(block, TemplateStructures) and not any(domain.classes for domain in block.template.places):
        parts: list[Indexed[Structure]] = [block]  # all of the same objects
    else:
        parts = [Listed([structure]) for structure in members(block)]
    return Sum([_label_part(part, table) for part in parts if part.count()])


def _label_part(block: Indexed[Structure], table: FieldTable) -> Indexed[LabelledStructure]:
    """Return structures of the same objects with their labels."""
    most = {each.cls: each.most - (each.cls is table.root) for each in table.classes}
    others = [record.cls for record in block.at(0).objects[1:]]
    counts = {cls: others.count(cls) for cls in others}
    choices = math.prod(math.perm(most[cls], count) for cls, count in counts.items())

    def label(chosen: tuple[Any, ...]) -> LabelledStructure:
        structure, index = chosen
        labels: dict[type, Iterator[int]] = {}
        for cls, count in counts.items():
            index, digit = divmod(index, math.perm(most[cls], count))
            labels[cls] = iter([number + (cls is table.root) for number in arrangement(most[cls], count, digit)])
        return LabelledStructure(structure, (0, *(next(labels[cls]) for cls in others)))

    return Mapped(Product[Any]([block, Integers(0, choices - 1)]), label)


def drop_twins(blocks: Sequence[Indexed[Structure]]) -> list[Structure]:
    """Return the structures that differ by more than the order of what has no order: objects in sets."""
    walker = make_walker(Limits(dict_order=False))
    found: dict[object, Structure] = {}
    for structure in members(Sum(blocks)):
        found.setdefault(walker.walk(run(recipe_of_structure(structure))), structure)
    return list(found.values())
