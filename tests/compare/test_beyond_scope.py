"""What a scope does not build is looked for beyond it, and the words say how far."""

from __future__ import annotations

import itertools
from typing import Any

import pytest
from built_beyond import Halved, History, Magic, Never, Sealed, Unsealed, Words, brute

from unlike.cli.invariants.compare import text_of, to_data
from unlike.compare import compare
from unlike.explore import explore
from unlike.invariants.verbs import structures

FLAGS = list(itertools.product([False, True], repeat=1))
SUBJECTS: list[tuple[type, int, list[tuple[str, tuple[Any, ...]]], int, set[Any]]] = [
    (History, 2, [("do", (0,)), ("do", (1,)), ("undo", ()), ("redo", ())], 6, set()),
    (Halved, 3, [*(("add", flag) for flag in FLAGS), ("clear", ())], 6, set()),
    (Words, 2, [*(("add", (word,)) for word in ("a", "b", ""))], 2, set()),
    (Magic, 3, [*(("turn", (level,)) for level in (-1, 0, 1, 2, 3, 42))], 0, set()),
    (Never, 3, [*(("turn", (level,)) for level in (-1, 0, 1, 2, 3, 42))], 0, {"is_open"}),
    (Sealed, 3, [*(("add", flag) for flag in FLAGS), ("seal", ()), ("cut", ())], 6, {"items"}),
    (Unsealed, 3, [*(("add", flag) for flag in FLAGS), ("seal", ()), ("cut", ())], 6, {"is_sealed"}),
]


def state_of(thing: Any) -> Any:
    return tuple(
        (name, repr(sorted(value) if isinstance(value, set) else value)) for name, value in vars(thing).items()
    )


@pytest.mark.few(1)
@pytest.mark.parametrize(("cls", "scope", "calls", "most", "gaps"), SUBJECTS, ids=[row[0].__name__ for row in SUBJECTS])
def test_what_larger_objects_or_other_values_build_is_no_gap(
    cls: type, scope: int, calls: list[tuple[str, tuple[Any, ...]]], most: int, gaps: set[str]
) -> None:
    built = brute(cls, calls, state_of, most)

    found = compare(cls, scope, in_process=True)

    accepted = {state_of(case.value) for case in structures(cls, scope).suite}
    assert found.missing == len(accepted - built)
    assert found.through_larger == found.accepted - found.missing - len(
        accepted & {state_of(case) for case in _within(cls, scope)}
    )
    assert {str(place) for gap in found.gaps for place in gap.places} == gaps


def _within(cls: type, scope: int) -> list[Any]:
    return [case.value for case in explore(cls, scope=scope, methods="(?!rep_ok$).*").suite]


@pytest.mark.corpus
def test_the_sentence_names_how_far_one_looked() -> None:
    never, unsealed = compare(Never, 3), compare(Unsealed, 3)

    # every object that calls with these ints build was met: there is no larger one
    assert "that no sequence of calls builds at any size from 0, 1, 2, 3, -1:" in text_of(never)
    # six more than the scope
    assert "builds within 9 objects per class and 9 elements: it is too weak" in text_of(unsealed)
    assert to_data(unsealed)["looked_for_within"] == unsealed.bound


@pytest.mark.parametrize(
    ("most", "words"),
    [
        # 31 lists of at most four and 16 that are sealed
        (60, "within 4 objects per class and 4 elements"),
        (20, "within 4 objects per class and 4 elements (the first 21 objects of it)"),
    ],
)
def test_an_exploration_that_was_cut_short_says_how_many_objects_it_met(
    most: int, words: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("unlike.compare.beyond_scope.MOST_OBJECTS", most)

    assert compare(Unsealed, 3).bound == words
