"""Fields of deque, OrderedDict, defaultdict, Counter, NamedTuple and TypedDict, and what a constructor says of fields.

What the clauses find is held against brute force here, as `test_sets_and_keys` does it for the engines.
"""

from __future__ import annotations

import dataclasses
import json
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple, Optional, TypedDict

import pytest
from tests.corpora import few_of
from tests.invariants.test_sets_and_keys import SCOPE, STANDARD, every_thing, holder, holds, spelled, whole_look

import unlike
from unlike.compare import compare
from unlike.errors import InvariantError
from unlike.invariants.compile.compiling import compile_invariant
from unlike.invariants.compile.values import UnsupportedError
from unlike.invariants.fields.table import field_names, fields_of
from unlike.invariants.structure import build_structure
from unlike.recipe import run
from unlike.saved import recipe_from_data, recipe_to_data
from unlike.scope import Scope
from unlike.writers.json_file import save
from unlike.writers.python_source import source_of

# -- the clauses --------------------------------------------------------------------------------------------------


def anything(self: Any) -> bool:
    return True


def counts(self: Any) -> bool:
    return len(self.box) == self.count


def no_false_value(self: Any) -> bool:
    return all(self.box.values())


def no_false_member(self: Any) -> bool:
    return all(self.box) and self.count == 0


def in_order(self: Any) -> bool:
    return list(self.box) == sorted(self.box)


def first_is_least(self: Any) -> bool:
    for each in self.box:
        return all(each <= other for other in self.box)
    return self.count == 1


def attributes(self: Any) -> bool:
    return self.box.low < self.box.high and self.box[0] == self.count


def attributes_of_members(self: Any) -> bool:
    return all(each.low <= each.high for each in self.box)


def unpacked(self: Any) -> bool:
    return all(low != high for low, high in self.box)


def attribute_of_an_object(self: Any) -> bool:
    return self.box.node.tag and self.box.count == self.count


def items(self: Any) -> bool:
    return self.box["size"] > 0 or self.box["kept"]


def items_of_members(self: Any) -> bool:
    return all(each["size"] == self.count for each in self.box)


def items_of_values(self: Any) -> bool:
    return all(value["size"] > 0 and value.get("kept", True) for value in self.box.values())


def item_that_may_be_missing(self: Any) -> bool:
    return self.box.get("kept", self.count == 1)


def counted(self: Any) -> bool:
    return self.box["a"] == self.box.total() - self.box["b"] > 0


def total(self: Any) -> bool:
    return sum(self.box.values()) == self.count


def ends(self: Any) -> bool:
    return self.box[0] != self.box[-1] or len(self.box) == self.count


def reversed_is_same(self: Any) -> bool:
    return list(self.box) == list(reversed(self.box))


def slices(self: Any) -> bool:
    return len(self.box[1:]) == self.count  # of a deque, that is an exception


PREDICATES: list[Callable[[Any], bool]] = [
    anything, counts, no_false_value, no_false_member, in_order, first_is_least, attributes, attributes_of_members,
    unpacked, attribute_of_an_object, items, items_of_members, items_of_values, item_that_may_be_missing, counted,
    total, ends, reversed_is_same, slices,
]  # fmt: skip


@pytest.mark.parametrize("annotation", few_of(STANDARD, 3, ids=map(spelled, STANDARD)))
def test_the_clauses_and_brute_force_find_the_same_structures(annotation: Any) -> None:
    things = every_thing(annotation)
    looks = [whole_look(thing) for thing in things]
    table = fields_of(holder(annotation), Scope(objects=SCOPE), given={"Holder.count": range(SCOPE)})

    for predicate in PREDICATES:
        expected = {look for thing, look in zip(things, looks, strict=True) if holds(predicate, thing)}
        try:
            models = list(compile_invariant(table, predicate).models())
        except UnsupportedError:  # by name, and the search answers
            continue
        found = [whole_look(build_structure(each)) for each in models]

        assert len(found) == len(set(found)), predicate.__name__
        assert set(found) == expected, predicate.__name__


@pytest.mark.corpus
def test_most_of_these_invariants_become_clauses() -> None:
    compiled = 0
    for annotation in STANDARD:
        table = fields_of(holder(annotation), Scope(objects=SCOPE), given={"Holder.count": range(SCOPE)})
        for predicate in PREDICATES:
            try:
                compile_invariant(table, predicate)
            except UnsupportedError:
                continue
            compiled += 1

    assert compiled > 0.6 * len(STANDARD) * len(PREDICATES)


# -- what a class says of its fields ------------------------------------------------------------------------------


class Link:
    __slots__ = ("value", "next", "above")  # noqa: RUF023  # as people declare them

    def __init__(self, value: int) -> None:
        self.value: int = value
        self.next: Optional["Link"] = None  # noqa: UP037, UP045  # as people write it
        self.above: Link = None  # type: ignore[assignment]


class Ring:
    SIZE = 4
    LIMIT = 2

    def __init__(self) -> None:
        self.slots: list[int] = [0] * self.SIZE
        self.capacity = self.SIZE
        self.recent: deque[int] = deque(maxlen=self.LIMIT)
        self.groups: defaultdict[str, list[int]] = defaultdict(list)

    def rep_ok(self) -> bool:
        return len(self.slots) == self.capacity and sum(self.slots) == len(self.recent) == 1 and not self.groups


class Shape:
    def __init__(self, size: int) -> None:
        self.size = size


class Circle(Shape):
    pass


class Square(Shape):
    def __init__(self, size: int, turned: bool) -> None:
        super().__init__(size)
        self.turned = turned


class Picture:
    def __init__(self) -> None:
        self.first: Shape | None = None
        self.others: list[Shape] = []

    def rep_ok(self) -> bool:
        return isinstance(self.first, Square) and self.first.turned and not self.others and self.first.size == 0


def listing(cls: type, objects: int = 3) -> str:
    return fields_of(cls, Scope(objects=objects)).listing()


def test_slots_stand_as_they_are_declared() -> None:
    assert field_names(Link) == ["value", "next", "above"]


def test_an_optional_class_in_quotes_is_read_in_a_constructor() -> None:
    assert "Link.next: None, Link  (annotation)" in listing(Link)


def test_what_a_constructor_stores_counts_beside_the_annotation_and_is_noted() -> None:
    noted = "Link.above: None, Link  (annotation, None beside what is annotated, as the constructor stores it)"

    found = unlike.structures(Link, 1, invariant=lambda self: self.next is None)

    assert noted in listing(Link)
    assert {case.value.above is None for case in found.suite} == {True, False}
    assert "None beside what is annotated, as the constructor stores it (Link.above)" in found.status.detail


def test_a_default_of_a_dataclass_counts_beside_the_annotation() -> None:
    @dataclasses.dataclass
    class Item:
        next: Item = None  # type: ignore[assignment]

    Item.__annotations__["next"] = Item

    assert "Item.next: None, Item" in listing(Item)


def test_constants_of_the_class_are_bounds() -> None:
    found = listing(Ring)

    assert "Ring.capacity: 4  (constructor, a setting)" in found
    assert "list of 4 of (0..2)" in found
    assert "Ring.recent: deque of 0 to 2 of (0..2)" in found
    structures = unlike.structures(Ring, 2)
    assert structures.count == 4 * 2  # which slot is 1, and what was recent
    assert all(case.value.recent.maxlen == 2 for case in structures.suite)
    assert all(case.value.groups.default_factory is list for case in structures.suite)


def test_a_base_class_means_its_known_subclasses_too() -> None:
    assert "Picture.first: None, Shape, Circle, Square" in listing(Picture)
    (case,) = unlike.structures(Picture, 2).suite
    assert type(case.value.first) is Square


def test_reading_what_is_not_in_a_defaultdict_is_a_write_and_named() -> None:
    with pytest.raises(InvariantError, match=r"writes to a defaultdict .by reading a key that is not there: 'x'"):
        unlike.structures(Ring, 1, invariant=lambda self: self.groups["x"] == [])


class Span(NamedTuple):
    low: int
    high: int


class Line(TypedDict):
    size: int


class Everything:
    def __init__(self) -> None:
        self.spans: list[Span] = []
        self.names: OrderedDict[str, int] = OrderedDict()
        self.counts: Counter[str] = Counter()
        self.lines: dict[str, Line] = {}
        self.waiting: deque[int] = deque()

    def add(self, low: int, high: int) -> None:
        self.spans.append(Span(low, high))

    def rename(self, name: str) -> None:
        self.names[name] = 0

    def rep_ok(self) -> bool:
        empty = not self.counts and not self.lines and not self.waiting
        return empty and len(self.spans) + len(self.names) <= 1 and all(value == 0 for value in self.names.values())


def test_structures_fields_and_compare_agree_about_them() -> None:
    found = unlike.structures(Everything, 2)
    covered = unlike.fields(Everything, 2)
    compared = compare(Everything, 2, methods="rename")

    assert found.count == 1 + 4 + 2
    assert covered.engine == "clauses"
    assert covered.proved
    assert compared.accepted == found.count
    assert compared.missing == 4  # the spans, which nobody adds here
    assert [str(gap) for gap in compared.gaps] == ["4 in spans: another list where another list is built"]


def test_they_are_saved_and_written_as_python() -> None:
    suite = unlike.structures(Everything, 2, invariant=lambda self: len(self.spans) == len(self.counts) == 1).suite
    for case in suite.sample(20):
        again = recipe_from_data(json.loads(json.dumps(recipe_to_data(case.recipe))))
        source = source_of(again)
        names: dict[str, Any] = {}
        exec("\n".join([*source.imports, *source.lines, f"made = {source.result}"]), names)

        assert vars(run(again)) == vars(names["made"]) == vars(case.value)  # type: ignore[arg-type]
        assert [type(each) for each in vars(names["made"]).values()] == [list, OrderedDict, Counter, dict, deque]


def test_a_saved_suite_may_name_the_standard_containers(tmp_path: Path) -> None:
    suite = unlike.structures(Ring, 2).suite
    save(suite, tmp_path / "rings.json")

    again = unlike.load(tmp_path / "rings.json", Ring)

    assert [vars(case.value) for case in again] == [vars(case.value) for case in suite]
