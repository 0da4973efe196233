"""The paper's own examples run, and give what the paper says of them."""

import itertools

import pytest

from examples import calendar_events, prefer_small, products, retail, usernames
from unlike import Ending, generate


def test_a_hundred_times_and_places_for_the_calendar():
    suite = generate(calendar_events.calendar)

    pairs = [(value["suffix"], value["location"].zone) for value in suite.values]
    assert len(pairs) == len(set(pairs)) == 100
    assert suite.status.ending is Ending.FOUND
    assert len({case.label for case in suite}) == 11


def test_the_calendar_to_the_end_is_every_branch_in_every_zone():
    suite = generate(calendar_events.calendar, "all")

    assert len(suite) == 11 * 51
    assert suite.status.ending is Ending.COMPLETE


def test_retail_items_are_in_other_categories_or_fifty_apart():
    suite = generate(retail.items, "all")

    for one, two in itertools.combinations(suite.values, 2):
        assert one["category"] != two["category"] or abs(one["price"] - two["price"]) >= 50
    assert len(suite) == 8 * 21  # prices 1, 51, … 1001, or the same moved a little
    assert suite.status.ending is Ending.COMPLETE


def test_small_numbers_are_preferred():
    found = sorted(value["x"] for value in generate(prefer_small.numbers, "all").values)

    assert found == [*range(100), *range(100, 1000, 50)]


def test_every_subcategory_of_the_tree_has_an_item():
    suite = generate(products.products, "all")

    by_leaf = {name: [] for name in products.subcategories(products.TREE)}
    for value in suite.values:
        by_leaf[value["subcategory"]].append(value["price"])
    for prices in by_leaf.values():
        assert len(prices) == 4
        assert all(b - a >= 300 for a, b in itertools.pairwise(sorted(prices)))
    assert suite.status.ending is Ending.COMPLETE


@pytest.mark.parametrize("spec", usernames.usernames, ids=lambda spec: spec.name)
def test_usernames_differ_in_four_ways(spec):
    names = [value["username"] for value in generate(spec).values]

    assert len(names) == len(set(names)) >= 8
    assert all(name.isprintable() for name in names)
