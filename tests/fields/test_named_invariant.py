"""A method called invariant is the invariant, where nothing else is said."""

from __future__ import annotations

from dataclasses import dataclass

import pytest

import unlike
from unlike.errors import TargetError


@dataclass
class Span:
    start: int
    end: int

    def invariant(self) -> bool:
        return self.start < self.end


@dataclass
class Checked:
    least: int
    most: int

    def invariant(self) -> bool:
        return False

    def rep_ok(self) -> bool:
        return self.least < self.most


class Silent:
    number: int

    def check(self) -> bool:
        return True


def test_fields_honours_it() -> None:
    found = unlike.fields(Span, 3)
    assert found.suite.cases
    assert all(case.value.start < case.value.end for case in found.suite)


def test_structures_honours_it() -> None:
    assert sorted((each.value.start, each.value.end) for each in unlike.structures(Span, 3).suite) == [
        (0, 1),
        (0, 2),
        (1, 2),
    ]


def test_rep_ok_comes_first() -> None:
    assert sum(1 for _ in unlike.structures(Checked, 3).suite) == 3


def test_no_other_name_is_guessed() -> None:
    with pytest.raises(TargetError, match="there are: check"):
        unlike.structures(Silent, 2)
