"""Objects of plain classes and functions are written as JSON without their addresses: the same bytes in every run."""

from __future__ import annotations

import dataclasses

from rich.cells import cell_len

import unlike
from unlike.writers.inputs import as_table, plain


class Point:
    """Two slots."""

    __slots__ = ("x", "y")

    def __init__(self, x: int, y: object) -> None:
        self.x, self.y = x, y


class Box:
    """An ordinary class."""

    def __init__(self, inside: object) -> None:
        self.inside = inside


def test_objects_are_written_by_their_attributes() -> None:
    assert plain(Box([Point(1, Box(None))])) == {"inside": [{"x": 1, "y": {"inside": None}}]}


def test_an_object_that_holds_itself_is_written_by_its_class() -> None:
    box = Box(None)
    box.inside = box
    seen = str(plain(box))

    assert "Box object" in seen
    assert "0x" not in seen


def test_functions_are_written_without_an_address() -> None:
    assert "0x" not in str(plain({"call": plain, "other": lambda: None}))


@dataclasses.dataclass
class Named:
    name: str
    size: int


def test_a_table_shows_every_field_and_is_as_wide_as_it_may_be() -> None:
    objects = unlike.generate(Named, literals={"name": ["日本語のとても長い名前"], "size": [12345]})
    many = unlike.generate({f"field_{number}": bool for number in range(14)})

    assert "12345" in as_table([objects])
    for suite in (objects, many):
        for width in (40, 80, 120):
            table = as_table([suite], width=width)
            assert max(map(cell_len, table.splitlines())) <= width
            assert "true" in table or "12345" in table  # and not letter by letter
