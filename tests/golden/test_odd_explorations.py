"""An exploration finds of odd classes what it did, whichever way it goes."""

import json

import pytest
from tests.golden.odd_classes import CLASSES, PINNED, USUAL, digests_of


@pytest.mark.corpus
@pytest.mark.parametrize(
    "target", [pytest.param(each, marks=() if each in USUAL else (pytest.mark.corpus,)) for each in CLASSES]
)
def test_every_way_finds_of_an_odd_class_what_it_did(target: str) -> None:
    known = json.loads(PINNED.read_text())[target]

    found = digests_of(target)

    changed = [way for way in found if found[way] != known[way]]
    assert not changed, f"if this is meant: python -m tests.golden.odd_classes {target}"
