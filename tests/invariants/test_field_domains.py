"""What each field may hold is read from the class; what cannot be read is named with the flag that gives it."""

from typing import Generic, Literal, TypeVar

import pytest
from examples.structures.node_caching_linked_list import NodeCachingLinkedList
from invariant_specimens import (
    Bad,
    Box,
    Card,
    Chain,
    Colour,
    Drawing,
    Link,
    Plane,
    Private,
    Shelf,
    Slotted,
    Square,
    Untold,
)

import unlike
from unlike.errors import ScopeError, TargetError
from unlike.indexed import Integers
from unlike.invariants.fields.domains import DictOf, Domain, FieldTable, ListOf, Mixed, Objects, SetOf, Values
from unlike.invariants.fields.table import fields_of
from unlike.scope import Scope

NONE = Values((None,))


def table(cls: type, scope: int = 3, **options: object) -> FieldTable:
    given = options.pop("given", None)
    return fields_of(cls, Scope(objects=scope, **options), given=given)  # type: ignore[arg-type]


def parts(found: FieldTable, cls: type, name: str) -> tuple[object, ...]:
    return found.of(cls).domain(name).parts


def test_an_int_from_outside_is_a_value_one_that_starts_at_zero_counts_and_any_other_is_a_setting() -> None:
    found = table(NodeCachingLinkedList, 5)

    node = found.classes[1].cls
    assert parts(found, node, "value") == (NONE, Integers(0, 4))
    assert parts(found, NodeCachingLinkedList, "size") == (Integers(0, 5),)
    assert parts(found, NodeCachingLinkedList, "maximum_cache_size") == (Integers(20, 20),)


def test_a_class_without_annotations_is_read_from_its_constructor() -> None:
    found = table(Chain)

    assert parts(found, Chain, "first") == (NONE, Objects((Link,)))
    assert parts(found, Chain, "size") == (Integers(0, 3),)
    assert parts(found, Link, "value") == (Integers(0, 2),)
    assert parts(found, Link, "after") == (NONE, Objects((Link,)))


def test_the_root_is_one_object_unless_something_refers_to_its_class() -> None:
    assert [(each.cls, each.most) for each in table(Chain).classes] == [(Chain, 1), (Link, 3)]
    assert table(Bad).of(Bad).most == 3


def test_dataclasses_attrs_enums_and_literals_are_read() -> None:
    found = table(Box, 2)

    assert parts(found, Box, "card") == (NONE, Objects((Card,)))
    assert parts(found, Box, "lids") == (Integers(0, 2),)
    assert parts(found, Card, "colour") == (Values(tuple(Colour)),)
    assert parts(found, Card, "name") == (Values(("a", "b")),)
    assert parts(found, Card, "faces") == (Values(("up", "down")),)
    assert parts(found, Card, "rank") == (Integers(0, 1),)
    assert parts(found, Card, "count") == (Integers(0, 2),)
    assert [field.name for field in found.of(Card).fields] == ["colour", "rank", "name", "faces", "count"]


def test_private_fields_are_known_by_the_names_under_which_they_are_stored() -> None:
    found = table(Private, 2)

    assert parts(found, Private, "_Private__first") == (NONE, Objects((Link,)))
    assert parts(found, Private, "_Private__size") == (Integers(0, 2),)


def test_slots_are_fields() -> None:
    found = table(Slotted, 2)

    assert parts(found, Slotted, "left") == (Integers(0, 2),)
    assert parts(found, Slotted, "right") == (Integers(0, 2),)


def test_containers_are_bounded_by_elements() -> None:
    found = table(Shelf, 3, elements=2)

    assert parts(found, Shelf, "numbers") == (ListOf(Domain((Integers(0, 2),)), 0, 2),)
    assert parts(found, Shelf, "pair") == (Mixed((Domain((Integers(0, 2),)), Domain((Values((False, True)),)))),)
    assert parts(found, Shelf, "some") == (SetOf(Domain((Integers(0, 2),)), 2),)
    assert parts(found, Shelf, "by_name") == (DictOf(Domain((Values(("a", "b", "c")),)), Domain((Integers(0, 2),)), 2),)
    assert parts(found, Shelf, "links") == (ListOf(Domain((NONE, Objects((Link,)))), 0, 2),)


def test_an_abstract_class_stands_for_its_concrete_subclasses() -> None:
    found = table(Drawing)

    assert parts(found, Drawing, "shape") == (NONE, Objects((Square, Plane)))
    assert {each.cls for each in found.classes} == {Drawing, Square, Plane}


def test_every_field_without_a_known_domain_is_named_with_its_flag_in_one_message() -> None:
    with pytest.raises(ScopeError) as caught:
        table(Untold)

    message = str(caught.value)
    assert "Untold.other has no known domain" in message
    assert "--field Untold.other=…" in message
    assert "Untold.size" not in message


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("0..3", (Integers(0, 3),)),
        ("None,0..3", (NONE, Integers(0, 3))),
        ("1,3", (Values((1, 3)),)),
        ("'a','b'", (Values(("a", "b")),)),
        ("Link,None", (NONE, Objects((Link,)))),
        ("list[int]", (ListOf(Domain((Integers(0, 2),)), 0, 3),)),
        ("Link | None", (NONE, Objects((Link,)))),
        (range(4), (Integers(0, 3),)),
        ([None, Link], (NONE, Objects((Link,)))),
        (bool, (Values((False, True)),)),
        (Domain((Integers(5, 6),)), (Integers(5, 6),)),
        ("True", (Values((True,)),)),
    ],
)
def test_a_field_takes_what_a_user_gives_it(given: object, expected: object) -> None:
    found = table(Untold, given={"Untold.mystery": given, "Untold.other": [None]})

    assert parts(found, Untold, "mystery") == expected


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"Chain.frist": "0..3"}, "did you mean 'Chain.first'"),
        ({"Chain.size": "Nod"}, "'Nod' is neither a value nor a name"),
        ({"Chain.size": "exit()"}, "is a call"),
        ({"Chain.size": ""}, "there is no value in it"),
        ({"Chain.size": []}, "there is no value in it"),
    ],
)
def test_a_wrong_field_is_one_clear_message(given: dict[str, object], message: str) -> None:
    with pytest.raises(ScopeError, match=r".*") as caught:
        table(Chain, given=given)

    assert message in str(caught.value)


def test_literals_of_a_type_go_to_the_fields_that_hold_values_and_leave_counters_alone() -> None:
    found = table(Chain, literals={"int": [7, 8, 9]})

    assert parts(found, Link, "value") == (Integers(7, 9),)
    assert parts(found, Chain, "size") == (Integers(0, 3),)
    assert found.remarks == "with a counter, whatever is declared for int (Chain.size)"
    assert table(Chain).remarks == ""


def test_objects_of_a_class_are_bounded_by_name_and_an_unknown_name_is_refused() -> None:
    assert table(Chain, objects_of={"Link": 2}).of(Link).most == 2
    with pytest.raises(ScopeError, match="--objects Lnik=2: no such class here; did you mean 'Link'"):
        table(Chain, objects_of={"Lnik": 2})


@pytest.mark.parametrize("cls", [int, dict, Colour])
def test_a_class_whose_objects_cannot_be_made_field_by_field_is_refused(cls: type) -> None:
    with pytest.raises(TargetError):
        table(cls)


def test_the_table_can_be_read() -> None:
    listing = table(Chain).listing()

    assert "Chain: at most 1 object" in listing
    assert "Chain.size: 0..3  (constructor, a counter)" in listing
    assert "Link: at most 3 objects" in listing


def test_literals_go_to_fields_by_name_and_to_types_by_class() -> None:
    found = table(Chain, literals={"size": [7], int: Literal[3, 4]})

    assert found.used == {"size", "int"}
    sizes = [field.domain for each in found.classes for field in each.fields if field.name == "size"]
    assert [list(each.plain_values()) for each in sizes] == [[7]]


class OnlyCounts:
    def __init__(self) -> None:
        self.size = 0

    def rep_ok(self) -> bool:
        return True


def test_literals_that_no_field_takes_are_refused() -> None:
    with pytest.raises(ScopeError, match=r"literals of int: no field takes .* \(--literals OnlyCounts.size=…\)"):
        unlike.structures(OnlyCounts, 2, literals={"int": [5, 6]})

    assert unlike.structures(OnlyCounts, 2, literals={"OnlyCounts.size": [5, 6]}).count == 2


Item = TypeVar("Item")


class Crate(Generic[Item]):
    item: Item


class CrateOfInts(Crate[int]):
    pass


class CrateOfTexts(Crate[str]):
    pass


class Cellar:
    crate: Crate[int]
    gone: Crate[bool]


class Store:
    crate: Crate[int]


def test_a_subclass_with_other_arguments_does_not_stand_for_a_generic_class() -> None:
    assert parts(table(Store), Store, "crate") == (Objects((Crate, CrateOfInts)),)
    with pytest.raises(ScopeError, match=r"Crate\[int\] and Crate\[bool\] are one class"):
        table(Cellar)
