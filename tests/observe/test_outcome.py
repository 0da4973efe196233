"""The coarse shape of a result."""

import dataclasses
import datetime
import enum
import re
from decimal import Decimal

import pytest

from unlike.observe.outcome import shape_of


@dataclasses.dataclass(slots=True)
class Slotted:
    x: int
    name: str


class Rude:
    """Whoever asks it anything regrets it."""

    def __init__(self) -> None:
        self.kept = 12

    def __repr__(self) -> str:
        raise AssertionError("asked")

    __eq__ = __hash__ = __len__ = __iter__ = __repr__  # type: ignore[assignment]


class Colour(enum.Enum):
    RED = 1


@pytest.mark.parametrize(
    ("value", "shape"),
    [
        (None, "None"),
        (True, "True"),
        (12345, "00"),
        (-7, "-0"),
        (10**100, "0 many times"),
        ("2.0.0-rc1", "'0.0.0-aa0'"),
        (b"ab", "a'aa'"),
        (2.5, "0.0"),
        (Decimal("1.50"), "0.00"),
        (datetime.date(2024, 2, 29), "00-00-00"),
        ([12, None], "[00, None]"),
        ((), "()"),
        ({"a": [1]}, "{'a': [0]}"),
        ({3, 4, "x"}, "{'a', 0}"),
        ([1, 2, 3, 4, 5], "[0, 0, 0, 0, …]"),
        (Colour.RED, "Colour.RED"),
        (re.match("(a)|(b)", "b"), "match[False, True]"),
        (Slotted(3, "Bo"), "Slotted(x=0, name='Aa')"),
        (Rude(), "Rude(kept=00)"),
        (object(), "object"),
    ],
)
def test_values_of_one_shape_are_alike(value: object, shape: str) -> None:
    assert shape_of(value) == shape


def test_a_value_that_holds_itself_has_a_shape() -> None:
    value: list[object] = [1]
    value.append(value)

    assert shape_of(value) == "[0, [0, [0, list]]]"
