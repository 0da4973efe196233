"""Corpora: tests that try the same rule on very many subjects. `make test` tries a few of them, `make corpora` the rest."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from typing import Any

import pytest


def few_of(rows: Iterable[Any], few: int, *, ids: Iterable[str] | None = None) -> list[Any]:
    """Return parameters of which so many, spread evenly, are tried by `make test`, and the others by `make corpora`."""
    listed = list(rows)
    names = [None] * len(listed) if ids is None else list(ids)
    kept = {number * len(listed) // few for number in range(few)} if few < len(listed) else set(range(len(listed)))
    return [
        pytest.param(*(row if type(row) is tuple else (row,)), id=name, marks=() if at in kept else pytest.mark.corpus)
        for at, (row, name) in enumerate(zip(listed, names, strict=True))
    ]


def but_slow(classes: Iterable[type], slow: Collection[type]) -> list[Any]:
    """Return classes as parameters, of which the slow ones are left to `make corpora`."""
    return [pytest.param(cls, id=cls.__name__, marks=pytest.mark.corpus if cls in slow else ()) for cls in classes]
