"""The order of candidates: against the plainest greedy choice there is, on made-up runs."""

import itertools
import random
from collections import Counter
from fractions import Fraction

import pytest

from unlike.behaviour.choose import FADES, PER_LETTER, WEIGHTS, choose_fewest, order_by_news
from unlike.observe.run import Feature

Made = tuple[list[set[Feature]], list[int]]


def made_up(seed: int) -> Made:
    """Return what some candidates show, and how long they are."""
    pick = random.Random(seed)
    families = [each for each in WEIGHTS if each != "look"]
    features: list[Feature] = [(pick.choice(families), number) for number in range(12)]
    shown = [set(pick.sample(features, pick.randrange(7))) for _ in range(pick.randrange(1, 25))]
    return shown, [pick.randrange(1, 40) for _ in shown]


def plain_greedy(shown: list[set[Feature]], sizes: list[int]) -> list[int]:
    """Return the order by its definition: look at every candidate at every step."""
    times: Counter[Feature] = Counter()
    left, order = list(range(len(shown))), []
    while left:
        worth = {
            at: sum(WEIGHTS[str(each[0])] * Fraction(*FADES) ** times[each] for each in shown[at])
            - PER_LETTER * sizes[at]
            for at in left
        }
        best = min(left, key=lambda at: (-worth[at], sizes[at], at))
        order.append(best)
        left.remove(best)
        times.update(shown[best])
    return order


@pytest.mark.parametrize("seed", range(40))
def test_the_order_is_the_greedy_one(seed: int) -> None:
    shown, sizes = made_up(seed)

    # a dozen times and more a feature fades away a little earlier than by exact fractions: compared before that
    assert list(order_by_news(shown, sizes))[:8] == plain_greedy(shown, sizes)[:8]


@pytest.mark.parametrize("seed", range(20))
def test_every_candidate_comes_once(seed: int) -> None:
    shown, sizes = made_up(seed)

    assert sorted(order_by_news(shown, sizes)) == list(range(len(shown)))


@pytest.mark.parametrize("seed", range(40))
def test_the_fewest_show_everything_and_none_is_needless(seed: int) -> None:
    shown, sizes = made_up(seed)
    chosen = choose_fewest(shown, sizes)
    everything = set().union(*shown)

    assert set().union(*(shown[at] for at in chosen)) == everything
    for left_out in chosen:
        assert set().union(*(shown[at] for at in chosen if at != left_out)) != everything
    if everything and len(shown) < 14:
        least = next(
            size
            for size in range(1, len(shown) + 1)
            if any(set().union(*some) == everything for some in itertools.combinations(shown, size))
        )
        assert len(chosen) <= 2 * least


def test_among_equals_the_short_one_comes_first() -> None:
    one: set[Feature] = {("branches", 1)}

    assert next(order_by_news([one, one, one], [9, 3, 3])) == 1


def test_one_that_must_wait_comes_later_and_one_that_is_alike_never() -> None:
    shown: list[set[Feature]] = [{("branches", 1), ("branches", 2)}, {("branches", 1)}, {("branches", 3)}]
    late = order_by_news(shown, [1, 1, 1], admits=lambda index, chosen: index != 0 or len(chosen) == 2)
    apart = order_by_news(shown, [1, 1, 1], differs=lambda one, two: {one, two} != {0, 1})

    assert list(late) == [1, 2, 0]
    assert list(apart) == [0, 2]


def test_what_is_there_already_counts_as_shown() -> None:
    shown: list[set[Feature]] = [{("branches", 1), ("branches", 2)}, {("branches", 1)}, {("branches", 3)}]

    assert list(order_by_news(shown, [1, 1, 1], first=[0])) == [2, 1]
    assert choose_fewest(shown, [1, 1, 1], first=[0]) == [2]
