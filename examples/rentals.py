"""Rentals of a tool shop: moments, spans of time, decimals, a total over lines, and the bounds of each.

A rental ends when it began plus how long it lasts; its lines are of different tools, the dearest first, and at most
one of them is insured. The total is the sum of the lines.

    unlike generate examples.rentals:rentals -n 12      # lengths at each place between their bounds, and totals
    unlike generate examples.rentals:Invoice --all      # a type whose conditions are said where it is generated
"""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from typing import Annotated

from annotated_types import Interval, Len

from unlike import Bool, DateTime, Decimal, List, OneOf, Spec, Suite, Timedelta, boundary, distance, generate, record

line = record(tool=OneOf("drill", "saw", "lamp"), price=Decimal(1, 49.99), insured=Bool())

rentals = Spec(
    {
        "begin": DateTime(datetime(2024, 1, 1), datetime(2024, 12, 31, 23, 45), step=900),
        "lasts": Timedelta(timedelta(hours=1), timedelta(days=14), step=900),
        "end": DateTime(datetime(2024, 1, 1), datetime(2025, 1, 14, 23, 45), step=900),
        "lines": List(line, 1, 3),
        "total": Decimal(0, 150),
    },
    where=[
        lambda begin, lasts, end: end == begin + lasts,
        lambda begin, end: (begin.hour >= 8) & (end.hour < 20),
        lambda lines, total: total == lines.sum(lambda each: each.price),
        lambda lines: lines.distinct(lambda each: each.tool),
        lambda lines: lines.sorted(lambda each: each.price, descending=True),
        lambda lines: lines.count(lambda each: each.insured) <= 1,
    ],
    different=[boundary("lasts"), boundary("lines")],
    name="rentals",
)


@dataclass
class Item:
    """So many of one thing, in cents each."""

    quantity: Annotated[int, Interval(ge=1, le=9)]
    price: Annotated[int, Interval(ge=1, le=10_000)]


@dataclass
class Invoice:
    """What a customer pays; the labels are for whoever prints it, and nothing speaks of them."""

    items: Annotated[list[Item], Len(1, 3)]
    total: Annotated[int, Interval(ge=0, le=270_000)]
    labels: dict[str, str] = field(default_factory=dict)


def invoices(n: int) -> Suite:
    """Return invoices that add up, any two of them 500.00 apart."""
    return generate(
        Invoice,
        n,
        where=lambda items, total: total == items.sum(lambda each: each.quantity * each.price),
        different=distance("total", 50_000),
    )
