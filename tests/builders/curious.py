"""Small classes, each with one peculiarity that matters to the choice of builders."""

from __future__ import annotations

import itertools
import random


class Shelf:
    """Looks at itself in every way there is."""

    def __init__(self) -> None:
        self.books: list[int] = []

    def put(self, book: int) -> None:
        self.books.append(book)

    def inside(self) -> list[int]:
        return self.books

    def listed(self) -> list[int]:
        return list(self.books)

    def longest(self) -> int:
        return max(self.books)

    def twin(self) -> Shelf:
        made = Shelf()
        made.books = list(self.books)
        return made

    def itself(self) -> Shelf:
        return self

    def sort_three(self) -> None:
        """Changes something only in a state that takes three calls to reach."""
        if len(self.books) == 3:
            self.books.sort()

    def tidy(self) -> None:
        """Writes what is there already."""
        self.books = list(self.books)


class Late:
    """`jump` alone leads to where `step` and `turn` lead together."""

    def __init__(self) -> None:
        self.place = 0
        self.turned = False

    def step(self) -> None:
        self.place = min(self.place + 1, 2)

    def turn(self) -> None:
        self.turned = not self.turned

    def jump(self, place: int, turned: bool) -> None:
        self.place, self.turned = place, turned


class Sealed:
    """Nobody can make one."""

    def __init__(self, lock: complex) -> None:
        raise ValueError("sealed")


class Exploding:
    """Its constructor is wrong."""

    def __init__(self) -> None:
        raise ZeroDivisionError("no object")

    def never(self) -> None: ...


class Grumpy:
    """Every method fails."""

    def __init__(self) -> None:
        self.mood = 0

    def smile(self) -> None:
        raise ValueError("no")

    def laugh(self) -> None:
        raise RuntimeError("never")


class Dice:
    """Not deterministic."""

    def __init__(self) -> None:
        self.eyes = 0

    def roll(self) -> None:
        self.eyes = random.randrange(100)


CALLS = itertools.count()


class Tired:
    """Does its work the first ten times, whatever object is asked: nobody can see that from outside."""

    def __init__(self) -> None:
        self.value = 0

    def up(self) -> None:
        if next(CALLS) < 10:
            self.value = min(self.value + 1, 3)


class Endless:
    """Counts without end."""

    def __init__(self) -> None:
        self.value = 0

    def up(self) -> None:
        self.value += 1


class Settable:
    """A property to set and to delete."""

    def __init__(self) -> None:
        self._size = 0

    @property
    def size(self) -> int:
        return self._size

    @size.setter
    def size(self, size: int) -> None:
        self._size = size

    @size.deleter
    def size(self) -> None:
        self._size = -1


class Interrupted:
    """Somebody presses Ctrl-C while it works."""

    def work(self) -> None:
        raise KeyboardInterrupt


class Loud:
    """Prints whatever happens."""

    def __init__(self) -> None:
        print("made")
        self.value = 0

    def flip(self) -> None:
        print("flipped")
        self.value = 1 - self.value


class Masked:
    """`step` leads where `crawl` leads, but only if the object is fast."""

    def __init__(self, fast: bool = False) -> None:
        self.fast = fast
        self.place = 0

    @classmethod
    def quick(cls) -> Masked:
        return cls(fast=True)

    def step(self) -> None:
        self.place = 1 if self.fast else 0

    def crawl(self, way: int) -> None:
        self.place = 1
