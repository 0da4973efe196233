"""The compiler of invariants makes the clauses that it made, and refuses what it refused, in the same words."""

from pathlib import Path

import pytest
from tests.corpora import few_of
from tests.invariants.pinned_clauses import (
    EXAMPLES,
    FILE,
    SEEDS,
    SUBJECTS,
    lines_of_example,
    lines_of_seed,
    lines_of_subject,
)

PINNED = frozenset(FILE.read_text().splitlines())
WORDS = "if this is meant: python -m tests.invariants.pinned_clauses --write"


@pytest.mark.corpus
@pytest.mark.parametrize("start", few_of(SEEDS[::20], 2))
def test_random_invariants_become_the_clauses_they_became(start: int, tmp_path: Path) -> None:
    lines = [line for seed in range(start, start + 20) for line in lines_of_seed(seed, tmp_path)]

    assert not [line for line in lines if line not in PINNED], WORDS


@pytest.mark.parametrize("place", EXAMPLES)
def test_examples_become_the_clauses_they_became(place: str) -> None:
    assert not [line for line in lines_of_example(place) if line not in PINNED], WORDS


@pytest.mark.parametrize("cls", SUBJECTS, ids=lambda cls: cls.__name__)
def test_features_become_the_clauses_they_became(cls: type) -> None:
    assert not [line for line in lines_of_subject(cls) if line not in PINNED], WORDS
