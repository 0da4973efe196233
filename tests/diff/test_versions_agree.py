"""Verdicts on two versions agree with brute force, which walks the tables that the classes were made of."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest
from random_machines import calls_to_tell, random_pair, source

from corpora import few_of
from unlike.cli.diff.loading import load_words
from unlike.core import Bounds, Deadline, Exploration
from unlike.diff.verb import compare_versions


@pytest.mark.parametrize("seed", few_of(range(200), 2))
def test_a_verdict_is_that_of_brute_force(seed: int, tmp_path: Path) -> None:
    one, other = random_pair(seed)
    (tmp_path / "old.py").write_text(source(one, as_text=False))
    (tmp_path / "new.py").write_text(source(other, as_text=True))
    expected = calls_to_tell(one, other)

    loaded = load_words(str(tmp_path / "old.py:Machine"), str(tmp_path / "new.py:Machine"))
    with loaded.sides.in_place():
        verdict = compare_versions(loaded.compared[0], Exploration())

    if expected is None:
        assert verdict.word == "same (proved)"
        _try_at_random(loaded.compared[0].old, loaded.compared[0].new, seed, 10 * verdict.counts["calls"])
    else:
        assert verdict.difference is not None
        assert verdict.difference.sequence.count(";") == expected  # the constructor comes first


def _try_at_random(old: type, new: type, seed: int, sequences: int) -> None:
    """Fail where sequences at random tell what is proved to be the same apart."""
    pick = random.Random(seed)
    names = [name for name in dir(old) if name.startswith("m")]
    for _ in range(min(sequences, 2_000)):
        pair = old(), new()
        for _ in range(12):
            name = pick.choice(names)
            assert _came_to(pair[0], name) == _came_to(pair[1], name)


def _came_to(thing: object, name: str) -> object:
    try:
        return getattr(thing, name)()
    except Exception as error:
        return type(error)


def test_half_of_the_random_pairs_are_equal() -> None:
    expected = [calls_to_tell(*random_pair(seed)) for seed in range(200)]

    assert all(each is None for each in expected[::2])
    assert sum(each is not None for each in expected[1::2]) > 60


TWINS = {  # the scope at which the planted bug of an example shows, where it is not 3
    "binary_search_tree": 4,
    "red_black_tree": 4,
    "avl_tree": 4,
    "fibonacci_heap": 4,
}


def _twins() -> list[tuple[str, str, str]]:
    """Return the examples that have a twin with a planted bug: module, class and twin."""
    found = []
    for path in sorted((Path(__file__).parents[2] / "examples" / "structures").glob("*.py")):
        for twin, cls in re.findall(r"^class (Buggy\w+)\((\w+)\)", path.read_text(), re.MULTILINE):
            found.append((path.stem, cls, twin))
    return found


@pytest.mark.corpus
@pytest.mark.parametrize(("module", "cls", "twin"), _twins(), ids=[each[2] for each in _twins()])
def test_a_planted_bug_is_shown_and_an_example_is_what_it_is(module: str, cls: str, twin: str) -> None:
    place = f"examples.structures.{module}"
    words = []
    for other in (twin, cls):
        loaded = load_words(f"{place}:{cls}", f"{place}:{other}")
        question = Exploration(bounds=Bounds(scope=TWINS.get(module, 3)), deadline=Deadline.of(60))
        with loaded.sides.in_place():
            words.append(compare_versions(loaded.compared[0], question).word)

    assert words == ["different", "same (proved)"]
