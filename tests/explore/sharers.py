"""Classes whose methods take objects of their own kind."""

from __future__ import annotations


class Parcel:
    """A value and a tag, to be joined with others of its kind: joined with itself, it loses its value."""

    def __init__(self, value: int) -> None:
        self.values = [value]

    def take_from(self, other: Parcel) -> None:
        """Take the values of the other; a careless author clears before reading."""
        taken, other.values = other.values, []
        self.values = self.values + taken

    def both(self, one: Parcel, two: Parcel) -> bool:
        return one is two

    def link(self, other: Parcel) -> None:
        self.partner = other

    def __contains__(self, other: Parcel) -> bool:
        return other is self


def swapped(one: Parcel, two: Parcel) -> None:
    """Fail if both are the same."""
    if one is two:
        raise RuntimeError("the same one twice")
    one.values, two.values = two.values, one.values


def knot(one: Parcel, two: Parcel) -> None:
    """Do what exploration does not: call both after they share parts."""
    one.link(two)
    two.link(one)


class Boat:
    """Swims."""


class Car:
    """Drives, and tows boats."""

    def tow(self, boat: Boat) -> None:
        if boat is self:
            raise RuntimeError("tows itself")


class Amphibian(Car, Boat):
    """Is both."""


class Shelf:
    """Two of them hold equal lists, or one list: each alone is in the same state."""

    def __init__(self) -> None:
        self.items: list[int] = []

    def share(self, other: Shelf) -> None:
        if self.items == other.items:
            self.items = other.items
