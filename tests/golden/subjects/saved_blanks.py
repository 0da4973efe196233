"""Tests whose saved inputs, and their fingerprints, must stay as they are: each asks for something else.

A fingerprint that changes makes every user's saved inputs be generated anew.
"""

from typing import Annotated

import attrs
from annotated_types import Interval, Len
from cart import Cart, Chain
from shop import Order, Point, Price, Room, Row, Size, checked, covered, nested, tied, words

import unlike
from unlike import Int, List, Matching, OneOf, Str, cover, different_lengths, differs_by, distance, predicate, spec

Loan = spec("examples/specs/library.yaml")["Loan"]
Contact = spec("examples/specs/contact.json")["#"]
Time = spec("examples/specs/calendar.json")["time"]
LIMIT = 7


def is_small(x: int) -> bool:
    return x < LIMIT


@unlike.inputs(3, different=[differs_by("category"), distance("price", 50)])
def test_of_values(category: OneOf("Music", "Shoes"), price: Int(1, 500)): ...


@unlike.inputs(3, where=predicate(is_small), seed=3)
def test_of_a_predicate_that_reads_a_constant(x: Int(0, 99)): ...


@unlike.inputs(3, different=different_lengths("xs"), where=lambda xs: xs.length < 3)
def test_of_a_list(xs: List(Int(0, 3))): ...


@unlike.inputs(3, different=cover.regex("code", r"(a|b)\d+"))
def test_of_a_pattern(code: Str(r"(a|b)\d+")): ...


@unlike.inputs(3, spec=tied)
def test_of_a_spec(low, high): ...


@unlike.inputs(3, spec=words)
def test_of_a_spec_of_strings(code, note): ...


@unlike.inputs(2, spec=nested)
def test_of_a_spec_with_parts(order, day, hour, rate): ...


@unlike.inputs(2, spec=checked)
def test_of_a_spec_with_a_predicate(x): ...


@unlike.inputs("all", spec=covered)
def test_of_a_spec_that_covers(id): ...  # noqa: A002


@unlike.inputs(3)
def test_of_a_dataclass(room: Room): ...


@unlike.inputs(3)
def test_of_an_attrs_class(price: Price): ...


@unlike.inputs(3)
def test_of_a_pydantic_model(order: Order): ...


@unlike.inputs(3)
def test_of_a_typed_dict(row: Row): ...


@unlike.inputs(3)
def test_of_a_named_tuple_and_an_enum(point: Point, size: Size): ...


@unlike.inputs(3)
def test_of_annotations(
    x: Annotated[int, Interval(ge=1, le=9)], names: Annotated[list[Annotated[str, Matching("[ab]c?")]], Len(1, 2)]
): ...


@unlike.inputs(3, invalid=True)
def test_of_broken_rules(price: Price): ...


@unlike.inputs(3)
def test_of_a_model_of_a_service(loan: Loan): ...


@unlike.inputs(3)
def test_of_a_json_schema(contact: Contact): ...


@unlike.inputs(3)
def test_of_a_named_pattern(time: Time): ...


@unlike.objects(Cart, scope=2, guess="none")
def test_of_objects(cart: Cart): ...


@unlike.fields(Chain, scope=2)
def test_of_fields(chain: Chain): ...


@attrs.frozen
class Local:
    """A class of the test file itself."""

    flag: bool


@unlike.inputs("all")
def test_of_a_class_of_the_test_file(local: Local): ...
