"""Copies that share a level find what one alone finds: the same states, calls, counts and errors, in the same order."""

import itertools
import sys
from pathlib import Path
from typing import Any

import pytest
import specimens
from examples.structures.lru_cache import LRUCache
from examples.structures.node_caching_linked_list import NodeCachingLinkedList
from examples.structures.red_black_tree import RedBlackTree
from examples.structures.union_find import UnionFind
from tests.corpora import few_of

from unlike.classes import caller
from unlike.classes.executors import in_copy
from unlike.explore import Outcome, explore
from unlike.suite import Ending

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there is no fork")
sys.path.insert(0, str(Path(__file__).parent))
from findings import found  # noqa: E402
from minefield import Loud, ManyExits, Minefield, Typewriter  # noqa: E402

CLASSES: list[tuple[type, dict[str, Any]]] = [
    (RedBlackTree, {"scope": 4, "methods": "add|remove"}),
    (RedBlackTree, {"scope": 3, "invariant": "rep_ok", "omit_fields": "color"}),
    (NodeCachingLinkedList, {"scope": 2}),  # iterators and views are found objects, too
    (UnionFind, {"scope": 2}),
    (LRUCache, {"scope": 2}),
    (specimens.Everything, {}),
    (specimens.Bag, {"scope": 2}),  # calls that need several objects
    (Loud, {}),
]


@pytest.fixture
def pieces(monkeypatch: pytest.MonkeyPatch) -> list[bool]:
    """Let three copies share every level, in small pieces; return whether each piece could be taken in."""
    taken = []

    def noted(*arguments: Any) -> bool:
        taken.append(takes(*arguments))
        return taken[-1]

    takes = in_copy.Member.takes
    monkeypatch.setattr(in_copy.Member, "takes", noted)
    monkeypatch.setattr(in_copy, "MOST_UNITS", 3)
    monkeypatch.setattr(in_copy, "LEAST_SHARED", 1)
    monkeypatch.setattr(caller, "CHECKED_TWICE", 2)
    return taken


@pytest.mark.few(1)
@pytest.mark.parametrize(("cls", "options"), few_of(CLASSES, 3, ids=[each[0].__name__ for each in CLASSES]))
def test_a_shared_level_comes_to_what_one_copy_finds(cls: type, options: dict[str, Any], pieces: list[bool]) -> None:
    alone, together = explore(cls, values="concrete", **options), explore(cls, workers=3, **options)

    assert found(together) == found(alone)
    assert pieces.count(True) > pieces.count(False)


def test_texts_that_copies_number_each_on_its_own_are_not_mixed_up(pieces: list[bool]) -> None:
    options: dict[str, Any] = {"literals": {"letter": ["a", "b", "C"]}}

    alone, together = explore(Typewriter, values="concrete", **options), explore(Typewriter, workers=3, **options)

    assert found(together) == found(alone)
    assert {case.value.text for case in together.suite} == {
        "".join(letters) for n in range(4) for letters in itertools.product("abABcC", repeat=n)
    }
    assert pieces


@pytest.mark.corpus
def test_a_death_ends_the_sharing_of_its_level_and_nothing_else(pieces: list[bool]) -> None:
    options: dict[str, Any] = {"methods": "right|up|leave", "calls": 7}

    alone, together = explore(Minefield, values="concrete", **options), explore(Minefield, workers=3, **options)

    assert found(together) == found(alone)
    assert together.states == 28
    assert any(pieces)
    assert found(explore(ManyExits, workers=3)) == found(explore(ManyExits, values="concrete"))


@pytest.mark.corpus
def test_a_bound_on_states_and_one_on_time_end_it(pieces: list[bool]) -> None:
    bounded = explore(Minefield, methods="right|up", workers=3, most_states=30)
    late = explore(Minefield, methods="right|up|sleep", workers=3, seconds_per_call=20, timeout=3)

    assert bounded.status.ending is Ending.UNKNOWN
    assert 30 < bounded.states < 50
    assert late.status.ending is Ending.TIMEOUT
    assert late.states > 1
    assert pieces


def test_narrow_levels_are_not_shared(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(in_copy, "InCopies", None)  # which nobody may use

    result = explore(Minefield, methods="right|up", calls=6, workers=2)

    assert result.outcomes[Outcome.NEW] == result.states == 21
