"""Zones are sets of points: everything they do is what brute force does with the points."""

import itertools
import pickle
import random
from collections.abc import Callable

import pytest

from unlike.classes.open.states import Origin, Sent, ZoneStates
from unlike.isolation.wire import NonsenseError, pack, unpack
from unlike.zones.zone import Zone, iterate_points

SLOTS, TOP = 3, 3
ALL = list(itertools.product(range(TOP + 1), repeat=SLOTS))


def points_of(zone: Zone | None) -> set[tuple[int, ...]]:
    return set() if zone is None else set(iterate_points(zone.bounds, zone.unequal))


def random_step(rng: random.Random) -> tuple[Callable[[Zone], Zone | None], Callable[[tuple[int, ...]], bool]]:
    """Return one way to narrow a zone, and what it means for a point."""
    i, j = rng.sample(range(SLOTS + 1), 2)
    c = rng.randint(-2, 3)

    def difference(point: tuple[int, ...]) -> int:
        values = (0, *point)
        return values[i] - values[j]

    match rng.randrange(4):
        case 0:
            return lambda zone: zone.at_most(i, j, c), lambda point: difference(point) <= c
        case 1:
            return lambda zone: zone.equal(i, j, c), lambda point: difference(point) == c
        case _:
            return lambda zone: zone.not_equal(i, j, c), lambda point: difference(point) != c


def random_zone(rng: random.Random, steps: int) -> tuple[Zone | None, set[tuple[int, ...]]]:
    zone: Zone | None = Zone.box(*[(0, TOP)] * SLOTS)
    expected = set(ALL)
    for _ in range(steps):
        narrow, holds = random_step(rng)
        expected = {point for point in expected if holds(point)}
        zone = zone and narrow(zone)
    return zone, expected


@pytest.mark.parametrize("seed", range(4))
def test_a_narrowed_zone_has_exactly_the_points_that_meet_every_condition(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(300):
        zone, expected = random_zone(rng, rng.randint(1, 7))

        assert points_of(zone) == expected
        assert (zone is None) == (not expected)
        assert zone is None or all((point in zone) == (point in expected) for point in ALL)


def test_bounds_are_as_small_as_bounds_and_single_disequalities_make_them() -> None:
    zone = Zone.box((0, 3), (0, 3))

    narrowed = zone.not_equal(1, 0, 3)

    assert narrowed == Zone.box((0, 2), (0, 3))  # what is not the largest value is below it


@pytest.mark.parametrize("seed", range(4))
def test_inclusion_is_that_of_the_points(seed: int) -> None:
    rng = random.Random(100 + seed)
    for _ in range(200):
        (a, a_points), (b, b_points) = (random_zone(rng, rng.randint(0, 5)) for _ in range(2))
        if a is None or b is None:
            continue

        assert a.includes(b) == (a_points >= b_points)


@pytest.mark.parametrize("seed", range(4))
def test_a_projection_has_exactly_the_points_that_can_be_completed(seed: int) -> None:
    rng = random.Random(200 + seed)
    for _ in range(300):
        zone, expected = random_zone(rng, rng.randint(1, 7))
        if zone is None:
            continue
        terms = [(rng.randint(0, SLOTS), rng.choice((0, 0, 1))) for _ in range(rng.randint(0, 3))]

        projected = zone.project(terms)

        wanted = {tuple((0, *point)[slot] + offset for slot, offset in terms) for point in expected}
        assert set().union(*map(points_of, projected)) == wanted


def test_more_values_that_all_differ_than_there_are_numbers_leave_no_point() -> None:
    # nine pigeons, eight holes: found without trying 8! orders
    zone: Zone | None = Zone.box(*[(0, 7)] * 9)

    for i, j in itertools.combinations(range(1, 10), 2):
        zone = zone and zone.not_equal(j, i, 0)

    assert zone is None


def test_the_same_set_of_points_reached_in_two_orders_is_the_same_zone() -> None:
    box = Zone.box((0, 3), (0, 3), (0, 3))

    first = box.not_equal(1, 2, 0)
    assert first is not None
    first = first.equal(2, 3, 1)
    second = box.equal(2, 3, 1)
    assert second is not None
    second = second.not_equal(1, 3, 1)

    assert first == second


def test_new_slots_are_independent_of_the_old_ones() -> None:
    zone = Zone.box((0, 3), (1, 2)).at_most(1, 2, -1)
    assert zone is not None

    extended = zone.extend((5, 6), (0, 0))

    assert points_of(extended) == {(*old, new, 0) for old in points_of(zone) for new in (5, 6)}


def test_an_empty_range_is_refused() -> None:
    with pytest.raises(ValueError, match="3 to 2"):
        Zone.box((3, 2))


@pytest.mark.parametrize("top", [1, 100, 30_000, 2**31 - 9, 2**40, 2**70])
def test_a_zone_travels_whatever_the_size_of_its_bounds(top: int) -> None:
    zone = Zone.box((-top, top), (0, 3)).not_equal(1, 0, 1)
    assert zone is not None

    assert pickle.loads(pickle.dumps(zone)) == zone
    assert len(pickle.dumps(zone, -1)) < 200


def test_states_from_another_process_are_numbers_and_nothing_else() -> None:
    states = ZoneStates()
    evil = unpack(pack(Sent([(b"shape", 0)], [0, print, 1], {})))  # type: ignore[list-item]

    with pytest.raises(NonsenseError, match="builtin_function_or_method is no part of a state"):
        states.take(evil)

    assert not len(states)
    assert not states.shape_count()


@pytest.mark.parametrize(
    "rows",
    [[0, 1, 10**18], [0, 1, -5], [0, 1, 0, 10**18], [0, 1, 0, 0, 10**18, 1], [0], [7, 1, 0, 0, 0, 1, 0, 0, 0, 0]],
)
def test_numbers_of_a_state_that_promise_more_than_there_is_are_refused_at_once(rows: list[int]) -> None:
    with pytest.raises(NonsenseError):
        ZoneStates().take(Sent([(b"shape", 0)], rows, {}))


def test_states_travel_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unlike.classes.open.states.SENT_AT_ONCE", 2)
    states, taken = ZoneStates(), ZoneStates()
    for value in range(5):
        shape = states.shape_number(bytes([value // 2]), 1)
        states.add(shape, Zone.box((value, value)), value, Origin((), value, (), Zone.box(), ()))

    parts = list(states.to_send())
    for part in parts:
        taken.take(part)

    assert len(parts) == 3
    assert [(taken.row(n), taken.zone(n), taken.origin(n)) for n in range(5)] == [
        (states.row(n), states.zone(n), states.origin(n)) for n in range(5)
    ]
