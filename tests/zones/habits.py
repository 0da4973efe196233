"""Classes that do with their values what code does with values: each is explored both ways, and must not tell."""

from __future__ import annotations

import bisect
import collections
import enum
import functools
import heapq
import itertools
import math
import operator
import struct
from dataclasses import dataclass, field
from decimal import Decimal
from typing import Any, NamedTuple


class KeysByValue:
    """Dicts and sets hash their members; order of insertion shows."""

    def __init__(self) -> None:
        self.table: dict[Any, Any] = {}

    def put(self, key: int, value: int) -> None:
        self.table = {key: value, **dict(list(self.table.items())[:1])}

    def move(self, key: int) -> None:
        self.table[key] = self.table.pop(key)

    def members(self, one: int, other: int) -> None:
        self.table = {0: {one, other}, 1: frozenset([one]), 2: list({one} ^ {other})}

    def pair(self, key: int) -> None:
        self.table = {(key, key): key, str(key): [key]}


class Ordered:
    """Sorting, heaps and bisection compare in C."""

    def __init__(self) -> None:
        self.items: list[int] = []

    def add(self, x: int) -> None:
        if len(self.items) < 2:
            bisect.insort(self.items, x)

    def push(self, x: int) -> int:
        return heapq.heappushpop(self.items, x)

    def largest(self, x: int) -> None:
        self.items = heapq.nlargest(2, [*self.items, x])

    def by_distance(self, x: int) -> None:
        self.items.sort(key=lambda each: abs(each - x), reverse=True)

    def remove(self, x: int) -> None:
        place = bisect.bisect_left(self.items, x)
        if place == len(self.items) or self.items[place] != x:
            raise KeyError(x)
        del self.items[place]

    def clamp(self, x: int) -> None:
        self.items = [max(min(self.items, default=0), min(x, 2))]


class InSequences:
    """`in`, index, count, remove, slices, repetition, ranges."""

    def __init__(self) -> None:
        self.items: list[int] = []
        self.found: tuple[int, ...] = ()

    def add(self, x: int) -> None:
        if x not in self.items:
            self.items = [*self.items[-1:], x]

    def remove(self, x: int) -> None:
        self.items.remove(x)

    def look(self, x: int) -> None:
        self.found = (self.items.index(x), self.items.count(x))

    def cut(self, x: int, y: int) -> None:
        self.items = self.items[x:y]

    def fill(self, x: int) -> None:
        self.items = [x] * min(x, 2)

    def count(self, x: int) -> None:
        self.items = [each for each, _ in zip(range(1, x), itertools.count(), strict=False)][:2]

    def swap(self, i: int, j: int) -> None:
        self.items[i], self.items[j] = self.items[j], self.items[i]


class Arithmetic:
    """What zones carry, and what they cannot."""

    def __init__(self) -> None:
        self.a, self.b = 0, 0.0

    def parts(self, x: int) -> None:
        self.a, self.b = divmod(x + 1, 2)

    def bits(self, x: int) -> None:
        self.a = (1 << x) & 6 if x & 1 else ~x & 3

    def signs(self, x: int) -> None:
        self.a = abs(-x - self.a) % 3

    def power(self, x: int) -> None:
        self.b = pow(x, 2, 5) / 2

    def shifted(self, x: int) -> None:
        if x + 2 < 4 and self.a < 3:
            self.a = x - 1

    def distance(self, x: int, y: int) -> None:
        if 3 - x > y:
            self.a = x - y if x >= y else y - x


class Converts:
    """From numbers to other things."""

    def __init__(self) -> None:
        self.thing: object = None

    def texts(self, x: int) -> None:
        self.thing = f"{x:02d}{x!r}" + "%d" % x + str((x,))  # noqa: UP031

    def numbers(self, x: int) -> None:
        self.thing = (int(x), float(x), bool(x), math.trunc(x), math.floor(x), operator.index(x), math.gcd(x, 2))

    def packed(self, x: int) -> None:
        self.thing = (struct.pack("B", x), bytes([x]), x.to_bytes(1, "big"), bytearray(x)[:1])

    def named(self, x: int) -> None:
        self.thing = (x.__class__ is int, type(x).__name__, isinstance(x, bool), callable(x), getattr(x, "no", 1))

    def parsed(self) -> None:
        self.thing = [7, 8][int(str(self.thing))]


class Compares:
    """Comparisons with constants, floats, None, text, objects; chains, tuples, truth."""

    def __init__(self) -> None:
        self.v: Any = 0

    def floats(self, x: int) -> None:
        self.v = 1 if x < 1.5 else 2 if x == 2.0 else x

    def strangers(self, x: Any) -> None:
        self.v = x if x is not None and x != "a" and not x == None else 9  # noqa: E711, SIM201

    def refused(self, x: Any) -> bool:
        self.v = x
        return bool(x < None)

    def reflected(self, x: int) -> None:
        self.v = x + Agreeable() if x == Agreeable() else Agreeable() + x

    def chained(self, x: int, y: int) -> None:
        if x < y < 3 or (x, y) == (self.v, 0) or [x, 1] > [y, self.v]:
            self.v = y

    def truth(self, x: int, y: int) -> None:
        self.v = x or (y and 2)


class Agreeable:
    """Is equal to large numbers, and can be added to any."""

    def __eq__(self, other: object) -> bool:
        return isinstance(other, int) and other > 1

    def __hash__(self) -> int:
        return 0

    def __add__(self, other: int) -> int:
        return other

    __radd__ = __add__


class Matches:
    """The match statement."""

    def __init__(self) -> None:
        self.v: int | None = None
        self.kind = ""

    def one(self, x: int | None) -> None:
        match x:
            case None:
                self.kind = "none"
            case 0:
                self.kind = "zero"
            case 1 | 2:
                self.v = x
            case int() if self.v is not None and x > self.v:
                self.kind = "more"

    def two(self, x: int, y: int) -> None:
        match (x, y):
            case (a, b) if a == b:
                self.kind = "same"
            case (0, b):
                self.v = b
            case [int(), 1]:
                self.kind = "one"


class Fails:
    """Errors of all kinds, some in helpers, some with the value in the message, some after a change."""

    def __init__(self) -> None:
        self.v = 0

    def divides(self, x: int) -> None:
        self.v = 6 // x

    def indexes(self, x: int) -> None:
        self.v = [1, 2][x]

    def adds(self, x: int) -> None:
        self.v = x + "a"  # type: ignore[operator]

    def misuses(self, x: Any) -> None:
        self.v = x[0] if self.v else len(x)

    def says(self, x: int) -> None:
        if x > self.v:
            raise RuntimeError(f"{x} is above {self.v}")

    def breaks(self, x: int) -> None:
        self.v = x
        raise ArithmeticError(x)

    def helped(self, x: int) -> None:
        self._check(x)
        self.v = {0: 1}[x]

    def _check(self, x: int) -> None:
        if x == 1:
            raise ValueError(x)

    def deep(self, x: int) -> int:
        return position(x)

    def catches(self, x: int) -> None:
        try:
            self.v = [5, 6][x]
        except IndexError as error:
            self.v = len(str(error))


def position(x: int) -> int:
    return [0].index(x)


@functools.total_ordering
class Version:
    """Compares by value."""

    def __init__(self, n: int) -> None:
        self.n = n

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Version) and self.n == other.n

    def __lt__(self, other: Version) -> bool:
        return self.n < other.n

    def __hash__(self) -> int:
        return hash(self.n)


@dataclass(order=True)
class Task:
    """Compares by its first field."""

    priority: int
    name: int = field(compare=False, default=0)


class Pair(NamedTuple):
    """A record."""

    a: int
    b: int


class Holds:
    """Objects that hold values: ordered, as records, hashed."""

    def __init__(self) -> None:
        self.held: Any = None

    def release(self, x: int) -> None:
        if not isinstance(self.held, Version) or Version(x) >= self.held:
            self.held = Version(x)

    def plan(self, priority: int, name: int) -> None:
        before = self.held[:1] if isinstance(self.held, list) else []
        self.held = [*before, Task(priority, name)]
        heapq.heapify(self.held)

    def couple(self, x: int) -> None:
        pair = self.held._replace(b=x) if isinstance(self.held, Pair) else Pair(x, 0)
        self.held = Pair(*sorted(pair))


class Collects:
    """The collections of the standard library, and functional style; it holds one at a time."""

    def __init__(self) -> None:
        self.held: Any = collections.deque(maxlen=2)

    def add(self, x: int) -> None:
        self.held.append(x)

    def turn(self, x: int) -> None:
        self.held.rotate(x)

    def fold(self, x: int) -> None:
        self.held.appendleft(functools.reduce(min, self.held, x))

    def order(self, x: int, y: int) -> None:
        self.held = collections.OrderedDict({0: 1, x: y})
        self.held.move_to_end(x, last=y < 1)

    def group(self, x: int) -> None:
        self.held = collections.defaultdict(list, {x % 2: [x]})

    def number(self, x: int) -> None:
        self.held = collections.Counter([x, x, 0])


class Enumerates:
    """Booleans and enum members are passed one after the other."""

    def __init__(self) -> None:
        self.color, self.level, self.flags = Color.RED, Level.LOW, [False]

    def paint(self, color: Color) -> None:
        self.color = color

    def raise_to(self, level: Level, x: int) -> None:
        self.level = level if x > level else Level(x)

    def flip(self, flag: bool, x: int) -> None:
        self.flags = [not flag, x == flag]


class Color(enum.Enum):
    """Two colours."""

    RED = 1
    GREEN = 2


class Level(enum.IntEnum):
    """Two numbers with names."""

    LOW = 1
    HIGH = 2


class Opaque:
    """Objects of no particular type, of which it asks only whether they are equal."""

    def __init__(self) -> None:
        self.items: list[object] = []
        self.last: Any = None

    def add(self, x: object) -> None:
        if x in self.items:
            raise ValueError(x)
        self.items = [*self.items, x][-2:]

    def keep(self, x: Any) -> None:
        self.last = x

    def drop(self) -> None:
        self.items.remove(self.last)


class Passes:
    """Defaults, keywords, stars, lists and tuples of values."""

    def __init__(self, start: int = 1, *, step: int = 1) -> None:
        self.v, self.step = [start], step

    def add(self, x: int = 2, flag: bool = False) -> None:
        self.v = [x] if flag or x > self.v[0] else [self.step]

    def many(self, *values: int) -> None:
        self.v = [*values[:2]] or [0]

    def all(self, values: list[int]) -> None:
        self.v = values[:2] or [0]

    def some(self, values: list[int | None]) -> None:
        self.v = [each for each in values[:2] if each is not None] or [0]

    def both(self, values: tuple[int, int]) -> None:
        self.v = [max(values)]


class Texts:
    """Strings under comparison, and beyond."""

    def __init__(self, name: str = "b") -> None:
        self.name, self.seen = name, ["a"]

    def lower(self, name: str) -> None:
        if name < self.name:
            self.name = name

    def see(self, name: str) -> None:
        if name not in self.seen:
            self.seen = sorted([*self.seen[:1], name])

    def rename(self, name: str | None = None) -> None:
        if name == self.name:
            raise ValueError(name)
        self.name = name or "z"

    def capital(self, name: str) -> None:
        self.name = name.upper()[:1]

    def third(self, name: str) -> str:
        return name[2]

    def several(self, names: list[str]) -> None:
        self.seen = names[:1]


class Measures:
    """Floats under comparison, and beyond; ints and floats in one field."""

    def __init__(self) -> None:
        self.low: Any = None
        self.n: Any = 0

    def see(self, x: float) -> None:
        if self.low is None or x < self.low:
            self.low = x
        elif x >= 0.75 or x == 0:
            self.n = 2

    def mix(self, x: float, n: int) -> None:
        self.n, self.low = (x, n) if x <= n else (n, x)

    def halve(self, x: float) -> None:
        self.low = x / 2 if x.is_integer() else -1.5

    def index(self, x: Any, y: float) -> None:
        self.n = [1, 2][y]  # type: ignore[call-overload]


class Merges:
    """Objects that take objects, also themselves."""

    def __init__(self, v: int = 0) -> None:
        self.v = v

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Merges) and self.v == other.v

    def __hash__(self) -> int:
        return hash(self.v)

    def take(self, other: Merges) -> None:
        self.v = 0 if other is self else max(self.v, other.v)

    def both(self, one: Merges, other: Merges) -> None:
        if one == other and one is not other:
            raise RuntimeError("equal")

    def bigger(self, x: int) -> Merges:
        if x <= self.v:
            raise ValueError(f"{x} is not above {self.v}")
        return Merges(x)


class Derived(Merges):
    """May stand wherever its parent may."""


class Jar:
    """Can be spoilt by who looks into it."""

    def __init__(self) -> None:
        self.content, self.spoilt = 0, False

    def open(self) -> Hand:
        return Hand(self)

    def rep_ok(self) -> bool:
        return not self.spoilt


class Hand:
    """Looks into a jar; it has no invariant of its own."""

    def __init__(self, jar: Jar) -> None:
        self.jar = jar

    def spoil(self) -> None:
        self.jar.spoilt = True

    def put(self, x: int) -> None:
        self.jar.content = x


# -- code that sees that values are left open -------------------------------------------------------------


class BoundsADeque:
    """deque insists on an int in C."""

    def __init__(self, most: int) -> None:
        self.items: collections.deque[int] = collections.deque(maxlen=most)

    def add(self, x: int) -> None:
        self.items.append(x)


class DecimalsLate:
    """Gives a value to compiled code that insists on ints, but only once it has three."""

    def __init__(self) -> None:
        self.items: list[int] = []
        self.sum = ""

    def add(self, x: int) -> None:
        self.items.append(x)
        if len(self.items) > 2:
            self.sum = str(Decimal(x))


class KeepsText:
    """Keeps a string that it holds outside its objects."""

    def __init__(self) -> None:
        self.name = ""

    def rename(self, name: str) -> None:
        self.name = name

    def keep(self) -> None:
        remembered(self.name)


@functools.cache
def remembered(name: str) -> str:
    return name


class HashesAll:
    """Looks at every string it is given."""

    def __init__(self) -> None:
        self.names: dict[str, int] = {}

    def put(self, one: str, other: str) -> None:
        self.names = {one: len(self.names), other: 1, **self.names}
        while len(self.names) > 3:
            self.names.popitem()
