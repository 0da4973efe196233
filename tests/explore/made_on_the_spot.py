"""Classes that hold objects of classes that nobody can import."""

import enum
from typing import Any


def make_classes() -> tuple[Any, Any]:
    """Return an enum and a class that no name leads to."""

    class Colour(enum.Enum):
        RED = 1
        BLUE = 2

    class Part:
        pass

    return Colour, Part


_colour, _part = make_classes()


class Nameless:
    """Holds objects of classes that are there before it is explored."""

    def __init__(self) -> None:
        self.colour, self.part, self.key = _colour.RED, _part(), lambda: 1

    def paint(self, blue: bool) -> None:
        self.colour = _colour.BLUE if blue else _colour.RED

    def grow(self, size: int) -> None:
        self.part.size = size


class Maker:
    """Holds an object of a class that a method makes."""

    def __init__(self) -> None:
        self.kept: object = None

    def make(self) -> None:
        self.kept = type("Made", (), {})()

    def put(self, flag: bool) -> None:
        self.kept = flag
