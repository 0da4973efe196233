"""Fewer candidates than usual: the rules are the same, and tests are quick."""

import pytest

from unlike.behaviour import pool, search


@pytest.fixture
def few_candidates(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the candidates be few: the rules are the same, and tests are quick."""
    monkeypatch.setattr(pool, "MOST", 120)
    monkeypatch.setattr(pool, "OF_SPACE", 70)
    monkeypatch.setattr(pool, "OF_SPACE_MIXED", 50)
    monkeypatch.setattr(pool, "MISSES", 20)
    monkeypatch.setattr(search, "BUDGET", 120)
    monkeypatch.setattr(search, "ROUND", 60)
    monkeypatch.setattr(search, "AIMED", 40)
