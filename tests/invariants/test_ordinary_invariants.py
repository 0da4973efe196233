"""Thirty classes written without knowledge of the compiler: each compiles, or the construct that stops it is named."""

import pytest
from tests.corpora import few_of
from tests.invariants.ordinary_table import FILE, SUBJECTS, Subject, row_of

WRITTEN = FILE.read_text().splitlines()


@pytest.mark.few(2)
@pytest.mark.parametrize("subject", few_of(SUBJECTS, 8, ids=[subject.place for subject in SUBJECTS]))
def test_an_ordinary_class_compiles_to_its_structures_or_says_what_stops_it(subject: Subject) -> None:
    assert row_of(subject) in WRITTEN, "if this is meant: python -m tests.invariants.ordinary_table --write"
