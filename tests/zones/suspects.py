"""Classes that could see, or spoil, values that are left open."""

import functools
import itertools
import json


class AsksType:
    """Treats ints by their exact type."""

    def __init__(self) -> None:
        self.seen = 0

    def put(self, v: int) -> None:
        if type(v) is int:
            self.seen = v


class DumpsJson:
    """Gives the value to compiled code that knows exact ints only."""

    def __init__(self) -> None:
        self.text = ""

    def put(self, v: int) -> None:
        self.text = json.dumps(v)


class Caches:
    """Remembers values by their hash, outside its objects."""

    def __init__(self) -> None:
        self.last = 0

    def put(self, v: int) -> None:
        self.last = doubled(v)


@functools.cache
def doubled(v: int) -> int:
    return 2 * v


SEEN: list[int] = []


class KeepsGlobally:
    """Writes its values into a list of the module."""

    def __init__(self) -> None:
        self.last = 0

    def put(self, v: int) -> None:
        if len(SEEN) < 1000:
            SEEN.append(v)
        self.last = v


class ComparesIdentity:
    """Compares numbers by identity, which happens to work for small ones."""

    def __init__(self) -> None:
        self.last = 0
        self.same = False

    def put(self, v: int) -> None:
        self.same = v is self.last
        self.last = v


class CatchesAll:
    """Catches whatever is raised."""

    def __init__(self) -> None:
        self.last = 0

    def put(self, v: int) -> None:
        try:
            if v < self.last:
                self.last = v
        except BaseException:
            self.last = 7


class Flips:
    """Does something else every time it is called."""

    turn = 0

    def __init__(self) -> None:
        self.last = 0

    def put(self, v: int) -> None:
        Flips.turn += 1
        if Flips.turn % 2 and v < self.last:
            self.last = v


class Inspects:
    """Needs nearly every number."""

    def __init__(self) -> None:
        self.buckets: dict[int, int] = {}

    def put(self, key: int, value: int) -> None:
        self.buckets[key % 3] = value * 2


class Sorts:
    """Gives values to compiled code that compares them."""

    def __init__(self) -> None:
        self.items: list[int] = []

    def add(self, v: int) -> None:
        self.items.append(v)
        self.items.sort()


NUMBERS = itertools.count()


class NeverTheSame:
    """Holds another number after each call."""

    def __init__(self) -> None:
        self.items: list[int] = []
        self.kept = 0

    def push(self, v: int) -> None:
        self.items.append(v)

    def count(self) -> None:
        self.kept = next(NUMBERS)
