"""Random exploration: some of what exhaustion finds, the same for the same seed, and nothing claimed."""

import curious
import pytest
from examples.structures.red_black_tree import RedBlackTree

from unlike.classes.builders import AtRandom
from unlike.errors import ScopeError
from unlike.explore import explore
from unlike.suite import Ending


def test_what_is_found_at_random_is_found_by_exhaustion_too() -> None:
    every = set(explore(RedBlackTree, scope=5).all_states())

    found = explore(RedBlackTree, scope=5, search=AtRandom(seed=1, attempts=300))

    states = found.all_states()
    assert len(states) == len(set(states)) > 10
    assert every > set(states)


def test_enough_attempts_find_everything() -> None:
    found = explore(RedBlackTree, scope=3, search=AtRandom(attempts=3000))

    assert found.states == 11


def test_the_same_seed_gives_the_same_calls_and_another_seed_others() -> None:
    suites = [
        [case.label for case in explore(RedBlackTree, scope=6, search=AtRandom(seed, attempts=400)).suite]
        for seed in (1, 1, 2)
    ]

    assert suites[0] == suites[1] != suites[2]


def test_completeness_is_never_claimed_and_a_used_up_budget_is_no_failure() -> None:
    found = explore(RedBlackTree, scope=4, search=AtRandom(seed=5, attempts=50))

    assert found.status.ending is Ending.FOUND
    assert found.status.exit_code == 0
    assert "50 attempts of random exploration, seed 5; more objects may exist" in str(found.suite.status)
    assert found.suite.guarantee.startswith("some of the objects")


def test_time_ends_it_as_it_was_meant_to_end() -> None:
    found = explore(RedBlackTree, scope=12, timeout=1.5, search=AtRandom())

    assert found.status.ending is Ending.FOUND
    assert "1.5 s of random exploration" in found.status.detail
    assert found.states > 12


def test_without_an_end_it_does_not_begin() -> None:
    with pytest.raises(ScopeError, match="never ends by itself; give it --timeout S or --attempts N"):
        explore(RedBlackTree, search=AtRandom())
    with pytest.raises(ScopeError, match="attempts=0 must be at least 1"):
        explore(RedBlackTree, search=AtRandom(attempts=0))


def test_a_class_whose_methods_all_fail_ends_too() -> None:
    found = explore(curious.Grumpy, search=AtRandom(attempts=20))

    assert found.states == 1
