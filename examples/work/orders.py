"""Orders of a shop, for whoever tests the checkout.

An order has one to three lines of an article, a quantity and a price in cents. Its total is the sum of its lines plus
shipping, and shipping is free from 50.00 on. An order that is still a draft is not paid; one that is shipped is.

Two orders differ in their status, in how many lines they have, or in whether shipping is free.

What it guarantees: every status is there with every number of lines, with and without shipping: 24 orders, unless
fewer are asked for; no two of them are the same situation, and every total adds up.
"""

from dataclasses import dataclass
from typing import Annotated, Literal

from annotated_types import Interval, Len

from unlike import Matching, Spec, different_lengths, differs_by, implies, ite, value_of

FREE_FROM = 5_000
SHIPPING = 490


@dataclass(frozen=True)
class Line:
    """So many of one article, and what one of them costs in cents."""

    article: Annotated[str, Matching(r"[A-Z]{2}-\d{3}")]
    quantity: Annotated[int, Interval(ge=1, le=20)]
    price: Annotated[int, Interval(ge=1, le=10_000)]


@dataclass(frozen=True)
class Order:
    """What a customer wants, and what it comes to."""

    status: Literal["draft", "placed", "shipped", "returned"]
    lines: Annotated[list[Line], Len(1, 3)]
    shipping: Annotated[int, Interval(ge=0, le=SHIPPING)]
    total: Annotated[int, Interval(ge=0, le=1_000_000)]
    paid: bool


def goods(order):
    """Return the sum of the lines, a line that is not there being zero."""
    return sum(order.lines[place].quantity * order.lines[place].price for place in range(3))


orders = Spec(
    {"order": value_of(Order)},
    where=[
        lambda order: order.shipping == ite(goods(order) >= FREE_FROM, 0, SHIPPING),
        lambda order: order.total == goods(order) + order.shipping,
        lambda order: implies(order.status == "draft", ~order.paid),
        lambda order: implies(order.status == "shipped", order.paid),
    ],
    different=[
        differs_by("order.status"),
        different_lengths("order.lines"),
        differs_by(lambda order: order.shipping == 0),
    ],
    name="orders",
    n=20,
)
