"""The rentals and invoices of the example, judged by plain Python."""

import itertools
from datetime import datetime, timedelta

from examples.rentals import invoices, rentals

import unlike


def test_rentals_hold_what_they_say_and_show_every_place_of_both_bounds():
    suite = unlike.generate(rentals)

    places = set()
    for rental in (case.value for case in suite):
        prices = [line["price"] for line in rental["lines"]]
        assert rental["end"] == rental["begin"] + rental["lasts"]
        assert rental["begin"].hour >= 8
        assert rental["end"].hour < 20
        assert rental["total"] == sum(prices)
        assert prices == sorted(prices, reverse=True)
        assert len({line["tool"] for line in rental["lines"]}) == len(prices)
        assert sum(line["insured"] for line in rental["lines"]) <= 1
        assert rental["begin"] - datetime(2024, 1, 1) >= timedelta(0)
        above = (rental["lasts"] - timedelta(hours=1)) // timedelta(minutes=15)
        below = (timedelta(days=14) - rental["lasts"]) // timedelta(minutes=15)
        places.add((min(above, 2), min(below, 2), len(prices)))
    assert suite.status.ending is unlike.Ending.COMPLETE
    assert len(suite) == len(places) == 5 * 3  # at the least, beside it, between, beside the greatest, at it


def test_invoices_add_up_and_are_far_apart():
    found = [case.value for case in invoices(5)]

    assert len(found) == 5
    assert all(each.total == sum(item.quantity * item.price for item in each.items) for each in found)
    totals = sorted(each.total for each in found)
    assert all(two - one >= 50_000 for one, two in itertools.pairwise(totals))
