"""Specs and types of a shop: small, and between them every way to an answer is gone."""

from __future__ import annotations

import datetime
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Literal, NamedTuple, TypedDict

import annotated_types
import attrs
import pydantic

from unlike import (
    Bool,
    Date,
    Int,
    List,
    Matching,
    OneOf,
    Option,
    Real,
    Spec,
    Str,
    Time,
    cover,
    different_lengths,
    differs_by,
    distance,
    edit_distance,
    email,
    iban,
    predicate,
    python_difference,
    record,
    relation,
)

items = Spec(
    {"category": OneOf("Music", "Shoes", "Books"), "price": Int(1, 200)},
    where=lambda price: price % 5 == 0,
    different=[differs_by("category"), distance("price", 50)],
    name="items",
)
tied = Spec({"low": Int(0, 9), "high": Int(0, 9)}, where=lambda low, high: low + 3 < high, name="tied")
words = Spec(
    {"code": Str(r"[A-Z]{2}-[0-9]{1,3}"), "note": Str(max_length=3)},
    where=lambda code, note: code.startswith("A") & (note != ""),
    different=[different_lengths("code"), edit_distance("note", 2)],
    name="words",
)
nested = Spec(
    {
        "order": record(id=Int(1, 9), lines=List(OneOf("a", "b"), 0, 2), gift=Option(Bool())),
        "day": Date(datetime.date(2024, 2, 27), datetime.date(2024, 3, 2)),
        "hour": Time(datetime.time(9), datetime.time(11), 1800),
        "rate": Real(0, 1, 2),
    },
    different=[differs_by("order.gift"), differs_by("day")],
    name="nested",
)
ready = Spec({"mail": email(), "account": iban()}, name="ready")
covered = Spec({"id": Str(r"(a|b)-\d{1,2}")}, different=cover.regex("id", r"(a|b)-\d{1,2}"), name="covered")
related = Spec({"x": Int(0, 99)}, different=relation(lambda a, b: abs(a.x - b.x) > 30), name="related")
checked = Spec({"x": Int(0, 30)}, where=predicate(lambda x: x % 7 == 3), name="checked")
apart = Spec({"x": Int(0, 9)}, different=python_difference(lambda a, b: a["x"] % 3 != b["x"] % 3), name="apart")
failing = Spec({"x": Int(0, 9)}, where=predicate(lambda x: 1 // (x - 3) or True), name="failing")
nothing = Spec({"x": Int(0, 9)}, where=[lambda x: x > 5, lambda x: x < 5], name="nothing")
both = {"first": tied, "second": Spec({"x": Int(1, 2)})}
answer = 42


class Size(Enum):
    """How large something is."""

    SMALL = "s"
    LARGE = "l"


@dataclass
class Room:
    """A dataclass."""

    size: Literal["small", "large"]
    beds: Literal[1, 2, 3]
    view: str | None = None
    tags: list[Size] = field(default_factory=list)


@attrs.define
class Price:
    """An attrs class, with a validator."""

    amount: int = attrs.field(validator=[attrs.validators.ge(0), attrs.validators.lt(100)])
    currency: Literal["EUR", "USD"] = "EUR"


class Order(pydantic.BaseModel):
    """A pydantic model."""

    number: Annotated[int, pydantic.Field(ge=1, le=9)]
    code: Annotated[str, Matching(r"[A-Z]{2}\d")]
    paid: bool = False
    rooms: Annotated[list[Literal["a", "b"]], annotated_types.Len(1, 2)] = ["a"]


class Row(TypedDict, total=False):
    """A typed dict."""

    key: Size
    value: int | None


class Point(NamedTuple):
    """A named tuple."""

    x: Annotated[int, annotated_types.Interval(ge=0, le=2)]
    y: bool = False


class Tree:
    """A class that is no type: it has no annotations to follow."""

    def __init__(self, left: Tree | None, right: Tree | None) -> None:
        self.left, self.right = left, right


choice = Annotated[int, annotated_types.MultipleOf(3), annotated_types.Interval(ge=1, le=20)] | Literal["none"]
pairs = dict[Size, tuple[bool, ...]]
