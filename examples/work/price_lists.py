"""Entries of a price list with a discount for quantity, for the code that finds the price of so many pieces.

An article has a list price in cents and one to four steps. A step says from how many pieces on it holds and what a
piece costs then. The first step is for one piece and costs the list price; every further one is for more pieces, and
cheaper. No step is below half of the list price.

Two entries differ in how many steps they have, in whether the last step is exactly half of the list price, or their
list prices are at least 100.00 apart.

What it guarantees: lists that get cheaper step by step, of every length, at prices all over the range.
"""

from unlike import Int, List, Spec, Str, different_lengths, differs_by, distance, implies, record

MOST = 4


def cheaper_by_the_dozen(steps):
    """Hold if each step is for more pieces than the one before it, and cheaper."""
    holds = steps.length >= 1
    for place in range(MOST - 1):
        this, following = steps[place], steps[place + 1]
        further = (this.pieces < following.pieces) & (this.price > following.price)
        holds = holds & implies(steps.length > place + 1, further)
    return holds


price_lists = Spec(
    {
        "article": Str(r"[A-Z]{3}\d{4}"),
        "list_price": Int(100, 99_900),
        "steps": List(record(pieces=Int(1, 1_000), price=Int(50, 99_900)), 1, MOST),
    },
    where=[
        lambda list_price, steps: (steps[0].pieces == 1) & (steps[0].price == list_price),
        cheaper_by_the_dozen,
        lambda list_price, steps: steps.each(lambda step: step.price * 2 >= list_price),
    ],
    different=[
        different_lengths("steps"),
        differs_by(lambda list_price, steps: steps.some(lambda step: step.price * 2 == list_price)),
        distance("list_price", 10_000),
    ],
    name="price_lists",
    n=20,
)
