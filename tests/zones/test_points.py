"""Points of zones: counting, indexing, streaming and brute force must agree, in Python and compiled."""

from __future__ import annotations

import itertools
import math
import random
from collections.abc import Iterable, Sequence

import pytest

from unlike.errors import ScopeError
from unlike.heap.walkers import native_is_built
from unlike.indexed import draw_indices
from unlike.zones import counting as counting_module, points as points_module
from unlike.zones.counting import Counted
from unlike.zones.points import How, Points
from unlike.zones.zone import Difference, FreeZone, Zone, find_free

TWINS = ["python", "auto"] if native_is_built() else ["python"]
both = pytest.mark.parametrize("twin", TWINS)


def find_piece(
    ranges: Sequence[tuple[int, int]], at_most: Iterable[Difference] = (), unequal: Iterable[Difference] = ()
) -> Zone | None:
    """Return the zone of slots within ranges, with x_i - x_j <= c, and x_i - x_j != c; slots count from 1."""
    zone: Zone | None = Zone.box(*ranges)
    for each in at_most:
        zone = zone and zone.at_most(*each)
    for each in unequal:
        zone = zone and zone.not_equal(*each)
    return zone


def piece(
    ranges: Sequence[tuple[int, int]], at_most: Iterable[Difference] = (), unequal: Iterable[Difference] = ()
) -> Zone:
    """Return the same, which must have a point."""
    zone = find_piece(ranges, at_most, unequal)
    assert zone is not None
    return zone


def free(zone: Zone) -> FreeZone:
    return find_free(zone.bounds, zone.unequal)


def chain(slots: int, values: int) -> Zone:
    return piece([(0, values - 1)] * slots, [(i, i + 1, -1) for i in range(1, slots)])


def all_different(slots: int, values: int) -> Zone:
    return piece([(0, values - 1)] * slots, unequal=[(i, j, 0) for i in range(1, slots + 1) for j in range(1, i)])


def random_zone(chance: random.Random, slots: int) -> Zone:
    def difference(least: int, most: int) -> Difference:
        i, j = chance.sample(range(slots + 1), 2)
        return i, j, chance.randint(least, most)

    while True:
        lows = [chance.randint(-2, 2) for _ in range(slots)]
        ranges = [(low, low + chance.randint(0, 4)) for low in lows]
        at_most = [difference(-3, 2) for _ in range(chance.randint(0, slots))]
        unequal = [difference(-1, 1) for _ in range(chance.randint(0, 2 * slots))]
        if (zone := find_piece(ranges, at_most, unequal)) is not None:
            return zone


def brute_force(zones: Sequence[Zone]) -> set[tuple[int, ...]]:
    slots = len(zones[0].bounds) - 1
    return {point for point in itertools.product(range(-2, 7), repeat=slots) if any(point in zone for zone in zones)}


@both
@pytest.mark.parametrize("seed", range(4))
def test_points_of_random_overlapping_zones_are_those_of_brute_force_each_once(twin, seed):
    chance = random.Random(seed)
    for _ in range(120):
        slots = chance.choice([1, 2, 2, 3, 3, 3])
        zones = [random_zone(chance, slots) for _ in range(chance.choice([1, 1, 2, 3]))]

        found = Points(zones, twin)

        listed = [found.at(index) for index in range(found.count())]
        assert set(listed) == brute_force(zones)
        assert len(set(listed)) == len(listed)
        assert list(found) == listed


@pytest.mark.skipif(len(TWINS) == 1, reason="no compiled module")
@pytest.mark.parametrize("seed", range(3))
def test_both_twins_have_the_same_points_in_the_same_order(seed):
    chance = random.Random(f"twins {seed}")
    for _ in range(150):
        slots = chance.randint(1, 6)
        zones = [random_zone(chance, slots) for _ in range(chance.choice([1, 1, 2, 4]))]

        one, other = Points(zones, "python"), Points(zones, "auto")

        assert one.count() == other.count()
        assert one.how == other.how
        start = chance.randint(0, one.count())
        assert list(one.stream(start, start + 50)) == list(other.stream(start, start + 50))
        assert one.sample(5, seed=7) == other.sample(5, seed=7)


@both
def test_slots_without_bounds_between_them_are_a_product(twin):
    found = Points([piece([(0, 9)] * 40)], twin)

    assert found.how is How.PRODUCT
    assert found.count() == 10**40
    assert found.at(10**39 + 7) == (1, *[0] * 38, 7)


@both
def test_a_chain_of_slots_is_a_binomial(twin):
    found = Points([chain(5, 20)], twin)

    assert found.how is How.SUMS
    assert found.count() == math.comb(20, 5)
    assert list(found) == list(itertools.combinations(range(20), 5))


@both
def test_a_heap_order_is_counted_by_sums(twin):
    # a[i] <= a[2i], a[2i + 1]: the number of such arrays, by summing over the root
    heap_order = piece([(0, 2)] * 7, [(i // 2, i, 0) for i in range(2, 8)])

    found = Points([heap_order], twin)

    assert found.how is How.SUMS
    assert found.count() == len(list(found)) == len(brute_force_heaps())


def brute_force_heaps() -> list[tuple[int, ...]]:
    return [
        each
        for each in itertools.product(range(3), repeat=7)
        if all(each[i // 2 - 1] <= each[i - 1] for i in range(2, 8))
    ]


@both
def test_slots_that_are_all_different_are_a_product(twin):
    found = Points([all_different(15, 15)], twin)

    assert found.how is How.PRODUCT
    assert found.count() == math.factorial(15)
    assert sorted(found.at(10**12)) == list(range(15))
    assert list(Points([all_different(3, 3)], twin)) == list(itertools.permutations(range(3)))


@both
def test_counts_beyond_64_bits_are_exact(twin):
    found = Points([chain(30, 100)], twin)

    assert found.count() == math.comb(100, 30)
    assert found.at(found.count() - 1) == tuple(range(70, 100))
    assert found.at(0) == tuple(range(30))


@both
def test_no_zones_have_no_points(twin):
    assert Points([], twin).count() == 0
    assert list(Points([], twin)) == []


@both
def test_a_zone_without_slots_has_one_point(twin):
    assert list(Points([piece([])], twin)) == [()]


@both
def test_streams_begin_and_end_anywhere_across_zones(twin):
    zones = [piece([(0, 3), (0, 3)]), piece([(2, 6), (2, 6)], [(1, 2, 0)])]
    found = Points(zones, twin)
    listed = list(found)

    assert all(
        list(found.stream(start, stop)) == listed[start:stop]
        for start in range(len(listed) + 1)
        for stop in range(start, len(listed) + 2)
    )


@both
def test_an_index_outside_is_refused(twin):
    found = Points([chain(2, 3)], twin)

    with pytest.raises(IndexError, match="point 3 of 3"):
        found.at(3)
    with pytest.raises(IndexError, match="point -1 of 3"):
        found.at(-1)


@both
def test_every_point_is_drawn_equally_often(twin):
    # 4000 draws of one among 10: the number of each has mean 400 and deviation 19
    found = Points([chain(2, 5)], twin)

    drawn = [found.sample(1, seed=seed)[0] for seed in range(4000)]

    assert all(320 < drawn.count(each) < 480 for each in found)


def test_samples_are_different_and_repeat_with_their_seed():
    assert len(set(draw_indices(1000, 900, seed=3))) == 900
    assert draw_indices(10**40, 5, seed=1) == draw_indices(10**40, 5, seed=1) != draw_indices(10**40, 5, seed=2)
    assert draw_indices(3, 10) == [0, 1, 2]
    with pytest.raises(ScopeError, match="n=-1"):
        draw_indices(3, -1)


def test_zones_of_different_shapes_are_refused():
    with pytest.raises(ScopeError, match=r"\[1, 2\]"):
        Points([chain(1, 2), chain(2, 2)])


# -- where neither product nor sums apply ------------------------------------------------------------


def test_a_component_that_takes_too_much_work_is_listed_and_says_so(monkeypatch):
    zone = piece([(0, 3)] * 4, [(1, 2, 0)], [(1, 3, 0), (2, 4, 1), (3, 4, 2)])
    counted = Points([zone], "python")
    monkeypatch.setattr(counting_module, "MOST_WORK", 1)

    listed = Points([zone], "python")

    assert (counted.how, listed.how) == (How.SUMS, How.LISTED)
    assert sorted(listed) == sorted(counted)
    assert listed.count() == counted.count()


@both
def test_a_component_that_is_too_large_to_be_listed_is_refused(twin, monkeypatch):
    monkeypatch.setattr(counting_module, "MOST_LISTED", 1000)
    # a cycle of twelve that differ, each from its six neighbours, over 40 values, no two of them alike
    ring = [
        (max(i, j), min(i, j), 1) for i in range(1, 13) for j in ((i % 12) + 1, ((i + 1) % 12) + 1, ((i + 4) % 12) + 1)
    ]

    with pytest.raises(ScopeError, match=r"12 values .* more than 1,000 combinations"):
        Points([piece([(0, 39)] * 12, unequal=ring)], twin)


def test_zones_that_fall_into_too_many_pieces_are_listed_and_say_so(monkeypatch):
    chance = random.Random(5)
    zones = [random_zone(chance, 3) for _ in range(4)]
    expected = brute_force(zones)
    monkeypatch.setattr(points_module, "MOST_PARTS", 1)

    found = Points(zones, "python")

    assert found.how is How.LISTED
    assert list(found) == sorted(expected)


@both
def test_thousands_of_single_points_in_one_shape_are_counted_at_once(twin):
    chance = random.Random(8)
    drawn = [tuple(chance.randrange(6) for _ in range(6)) for _ in range(8_000)]
    wide = piece([(0, 1)] * 6)

    found = Points([*(piece([(value, value) for value in point]) for point in drawn), wide], twin)

    assert found.count() == len({*drawn, *itertools.product(range(2), repeat=6)})
    assert not found.listed


# -- the steps ------------------------------------------------------------------------------------------


def test_tied_slots_and_constants_are_not_free():
    # x2 = x1 + 1, x3 = 5
    zone = piece([(0, 9), (0, 9), (5, 5)], [(1, 2, -1), (2, 1, 1)])

    reduced = free(zone)

    assert (reduced.free, reduced.which, reduced.offset) == (1, (1, 1, 0), (0, 1, 5))


def test_a_difference_at_the_end_of_a_range_moves_the_bound():
    # x1 <= x2 and x1 != x2: the same as x1 < x2
    reduced = free(piece([(0, 4), (0, 4)], [(1, 2, 0)], [(1, 2, 0)]))

    assert not reduced.unequal
    assert reduced.bounds == free(chain(2, 5)).bounds


def test_components_are_independent_digits():
    # two chains of two over five values, and a slot on its own
    zone = piece([(0, 4)] * 5, [(1, 2, -1), (3, 4, -1)])

    counted = Counted(free(zone))

    assert counted.radices == (10, 10, 5)


def test_every_bound_is_as_small_as_the_others_make_it():
    ordered = chain(3, 4)

    assert ordered.bounds[1][3] == -2
    assert (ordered.high(1), ordered.low(3)) == (1, 2)


@pytest.mark.skipif(len(TWINS) == 1, reason="no compiled module")
def test_bad_zones_do_not_break_the_compiled_twin():
    from unlike import _native

    with pytest.raises(ValueError, match="square"):
        _native.digits([Zone(((0, 1), (2,)))])
    with pytest.raises(ValueError, match="not there"):
        _native.digits([Zone(((0, 0), (1, 0)), ((7, 0, 0),))])
    with pytest.raises(ValueError, match="no point"):
        _native.digits([Zone(((0, -1), (0, 0)))])
    with pytest.raises(ValueError, match="different slots"):
        _native.count_points([chain(1, 2), chain(2, 2)])
    with pytest.raises(IndexError, match="digits"):
        _native.digits([chain(2, 3)])[0].point([3])
    assert _native.digits([Zone(((0, 0), (2**40, 0)))]) is None


@pytest.mark.skipif(len(TWINS) == 1, reason="no compiled module")
def test_both_twins_have_the_same_limits():
    from unlike import _native

    assert (counting_module.MOST_WORK, points_module.MOST_PARTS) == (_native.MOST_WORK, _native.MOST_PARTS)
