"""Objects of plain classes and functions are written as JSON without their addresses: the same bytes in every run."""

from __future__ import annotations

from unlike.writers.inputs import plain


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
