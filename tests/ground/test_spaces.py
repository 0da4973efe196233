"""Counted spaces and streams: every member once, in the promised order."""

import itertools

import pytest

from unlike.core import CutShort, Deadline
from unlike.indexed import Integers, Listed, Mapped, Product, Sum, members, spread_indices
from unlike.specs.numbers import Intervals, far_apart
from unlike.specs.sources import Source, in_turn, list_source, order_space, plain_first, product, zip_sources
from unlike.suite import Ending, Status


def test_sums_products_ranges_and_maps_are_reached_by_index():
    space = Sum([Product([Integers(0, 2), Listed("ab")]), Mapped(Integers(5, 9, 2), lambda x: (x, "c"))])

    found = list(members(space))

    assert found == [(0, "a"), (0, "b"), (1, "a"), (1, "b"), (2, "a"), (2, "b"), (5, "c"), (7, "c"), (9, "c")]
    assert space.count() == 9


@pytest.mark.parametrize("start", [0, 1, 5])
@pytest.mark.parametrize("count", [0, 1, 2, 3, 10, 97, 1000])
def test_spreading_visits_every_index_once(count, start):
    assert sorted(spread_indices(count, start)) == list(range(count))


@pytest.mark.parametrize(("count", "anchor", "step"), [(1, 0, 1), (7, 3, 1), (64, 0, 1), (65, 64, 1), (1000, 300, 100)])
def test_plain_members_come_first_and_none_is_missed(count, anchor, step):
    found = list(plain_first(count, anchor, step))

    assert found[0] == anchor
    assert sorted(found) == list(range(count))


def test_spreading_over_a_huge_space_is_lazy():
    assert len(set(itertools.islice(spread_indices(10**30), 100))) == 100


@pytest.mark.parametrize("sizes", [(3, 4), (1, 1), (20, 30), (2, 3, 5), (70, 2), (5,)])
def test_a_product_has_every_combination_once(sizes):
    source = product([list_source(range(size), "") for size in sizes], "")

    found = list(source)

    assert len(found) == source.count
    assert sorted(found) == list(itertools.product(*map(range, sizes)))


def test_a_product_varies_every_part_early():
    first = list(
        itertools.islice(product([order_space(Integers(0, 10**6), ""), order_space(Integers(0, 10**6), "")], ""), 20)
    )

    assert len({a for a, _ in first}) > 5
    assert len({b for _, b in first}) > 5


def test_parts_side_by_side_end_with_the_shortest_and_in_turn_with_the_longest():
    one, two = list_source("abc", ""), list_source("xy", "")

    assert list(zip_sources([one, two], "")) == [("a", "x"), ("b", "y")]
    assert list(in_turn([one, two], "")) == ["a", "x", "b", "y", "c"]


def test_what_is_cut_short_keeps_what_was_read():
    def stream():
        yield 1
        yield 2
        raise CutShort(Status(Ending.FAILED, "oh"))

    source = Source(stream(), "")
    pairs = product([source, list_source("ab", "")], "")

    assert source.size(10) == 2
    assert source.cut == Status(Ending.FAILED, "oh")
    assert pairs.size(10) == 4
    assert pairs.cut == Status(Ending.FAILED, "oh")


def test_a_deadline_without_an_end_never_cuts_short():
    Deadline().check()

    with pytest.raises(CutShort):
        Deadline.of(1e-9).check()


@pytest.mark.parametrize(
    ("parts", "least"),
    [
        (((0, 20),), 3),
        (((-7, 20),), 5),
        (((0, 4), (6, 6), (9, 30)), 4),
        (((1, 1),), 9),
        ((), 2),
        (((0, 9), (11, 11)), 10),
    ],
)
def test_numbers_far_apart_are_as_many_as_can_be(parts, least):
    codes = Intervals(parts)
    legal = list(members(codes))

    found = list(members(Sum(far_apart(codes, least))))

    best = 0
    last = None
    for code in legal:  # the first, then always the next one far enough away
        if last is None or code - last >= least:
            best, last = best + 1, code
    assert set(found) <= set(legal)
    assert all(b - a >= least for a, b in itertools.pairwise(found))
    assert len(found) == best


def test_intervals_behave_like_sets():
    universe = range(-5, 6)
    samples = [Intervals(()), Intervals(((-5, 5),)), Intervals(((-2, 0), (3, 3))), Intervals(((-1, 4),))]
    for one, two in itertools.product(samples, repeat=2):
        a, b = set(members(one)), set(members(two))
        assert set(members(one & two)) == a & b
        assert set(members(one | two)) == a | b
        assert set(members(one.without(two))) == a - b
        for code in universe:
            if a:
                near = one.at(one.rank_near(code))
                assert abs(near - code) == min(abs(each - code) for each in a)
