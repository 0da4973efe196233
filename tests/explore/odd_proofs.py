"""Classes in the style of other people's code, each with something that a proof is easily wrong about.

They were chosen before anything was mended for them, and none is left out.
"""

from __future__ import annotations

import functools
import operator
import pathlib
from collections import OrderedDict
from typing import Any, Literal, NamedTuple


class TaskPool:
    """Hands out the first of a set, whichever that is: 8 and 0 collide."""

    def __init__(self) -> None:
        self.waiting: set[int] = set()

    def add(self, task: Literal[0, 8]) -> None:
        self.waiting.add(task)

    def take(self) -> int:
        for task in self.waiting:
            self.waiting.remove(task)
            return task
        raise LookupError("nothing is waiting") from None


class Connections:
    """Pops from a set of numbers and remembers the last one it closed."""

    def __init__(self) -> None:
        self.open: set[int] = set()
        self.last: int | None = None

    def connect(self, port: Literal[0, 8, 16]) -> None:
        self.open.add(port)

    def close_any(self) -> None:
        if self.open:
            self.last = self.open.pop()


class Tags:
    """Joins a set of texts as it comes: another text in another run."""

    def __init__(self) -> None:
        self.tags: set[str] = set()
        self.line = ""

    def tag(self, word: Literal["red", "green", "blue"]) -> None:
        self.tags.add(word)

    def render(self) -> None:
        self.line = ",".join(self.tags)


class Unique:
    """Removes repeats with a set of its own, and loses the order of its argument."""

    def __init__(self) -> None:
        self.items: list[str] = []

    def extend(self, words: list[str]) -> None:
        self.items = list(set(words))


class Members:
    """Has a set and never goes through it, but for sorting."""

    def __init__(self) -> None:
        self.ids: set[int] = set()

    def join(self, number: int) -> None:
        self.ids.add(number)

    def leave(self, number: int) -> None:
        self.ids.discard(number)

    def roll(self) -> list[int]:
        return sorted(self.ids)


class Importer:
    """Takes a set as argument and keeps its order."""

    def __init__(self) -> None:
        self.rows: list[int] = []

    def load(self, rows: set[int]) -> None:
        self.rows = [row * 8 for row in rows]


class Frozen:
    """Keeps a frozenset, and the first of it."""

    def __init__(self) -> None:
        self.keys: frozenset[int] = frozenset()
        self.head = -1

    def add(self, key: Literal[0, 8, 1]) -> None:
        self.keys |= {key}

    def look(self) -> None:
        self.head = next(iter(self.keys), -1)


class AttrDict:
    """Attributes are items: what is set is kept, what is missing is 0."""

    def __init__(self) -> None:
        object.__setattr__(self, "data", {})

    def __getattr__(self, name: str) -> int:
        if name.startswith("_") or name == "data":
            raise AttributeError(name)
        return self.data.setdefault(name, 0)

    def __setattr__(self, name: str, value: int) -> None:
        self.data[name] = value

    def __delattr__(self, name: str) -> None:
        del self.data[name]


class Proxy:
    """Counts how often anything is asked of it, by `__getattribute__`."""

    def __init__(self) -> None:
        self.asked = 0

    def __getattribute__(self, name: str) -> Any:
        if name == "flag":
            object.__setattr__(self, "asked", min(2, object.__getattribute__(self, "asked") + 1))
            return True
        return object.__getattribute__(self, name)


class Money:
    """A value with every comparison, a hash and conversions; `__hash__` keeps what it found."""

    def __init__(self, cents: int = 0) -> None:
        self.cents = cents
        self.cached: int | None = None

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Money) and self.cents == other.cents

    def __lt__(self, other: Money) -> bool:
        return self.cents < other.cents

    def __hash__(self) -> int:
        if self.cached is None:
            self.cached = hash(self.cents)
        return self.cached

    def __int__(self) -> int:
        return self.cents

    def __float__(self) -> float:
        return self.cents / 100

    def __str__(self) -> str:
        return f"{self.cents} ct"

    def __copy__(self) -> Money:
        return Money(self.cents)


class Silent:
    """Nothing but operators that nobody calls."""

    def __init__(self, _secret: object) -> None:
        self.secret = _secret

    def __format__(self, spec: str) -> str:
        return "…"


class Star:
    """A default before a star."""

    def __init__(self, n: int = 7, *names: str) -> None:
        self.n, self.names = n, list(names)

    def put(self, at: int = 0, *names: str, sep: str = "") -> None:
        self.names[at:at] = [sep + each for each in names]

    @classmethod
    def of(cls, n: int = 3, *names: str) -> Star:
        return cls(n, *names)


class Skips:
    """The first parameter cannot be supplied; what follows it is another."""

    def __init__(self, part=None, size: int = 0) -> None:
        self.part, self.size = part, size

    def grow(self, by=None, /, *, times: int = 1) -> None:
        self.size = (self.size + times) % 3

    def move(self, where=None, steps: int = 1, *rest, loud: bool = False, **more) -> None:
        self.part = (steps, loud, rest, where)


class Positional:
    """Positional-only parameters with defaults, and a callable nobody can supply between them."""

    def __init__(self, a: int = 5, b: int = 6, /, key: functools.partial | None = None, c: int = 9) -> None:
        self.all = (a, b, c, key is None)


class Options(dict):
    """Keyword-only, star and double star at once."""

    def change(self, *keys: str, default: int = 0, **others: int) -> None:
        for key in keys:
            self[key] = default


class Notes:
    """Writes a file wherever it stands, and reads it again."""

    def __init__(self, name: Literal["a", "b", "c"]) -> None:
        self.path = pathlib.Path(name)
        self.size = 0

    def save(self, text: str) -> None:
        self.path.write_text(text, encoding="ascii")
        self.size = len(text)

    def load(self) -> bool:
        return self.path.exists()


class Lazily:
    """The class of an extension module comes in with the first call."""

    def __init__(self) -> None:
        self.number: Any = None

    def parse(self, text: Literal["1", "2"]) -> None:
        from _decimal import Decimal

        self.number = Decimal(text)

    def queue(self) -> None:
        from _queue import SimpleQueue

        SimpleQueue()


class Huge:
    """Numbers with more digits than Python writes."""

    def __init__(self) -> None:
        self.n = 1

    def blow(self) -> None:
        self.n = 10**5000

    def value(self) -> int:
        return self.n


class Merge:
    """`|` with any number of others, as some set classes have it."""

    def __init__(self, *items: int) -> None:
        self.items = OrderedDict.fromkeys(items)

    def __or__(self, *others: list[int]) -> Merge:
        return Merge(*self.items, *(each for other in others for each in other))

    def __len__(self) -> int:
        return len(self.items)


class Doubling:
    """Keeps a list of numbers with very many digits, and returns one."""

    def __init__(self) -> None:
        self.numbers = [7]

    def square(self) -> int:
        self.numbers = [7**5200 if self.numbers == [7] else -(7**5200)]
        return self.numbers[0]


class Combined:
    """Other operators that take any number of others, or have them by name."""

    def __init__(self) -> None:
        self.total = 0

    def __add__(self, *others: int) -> Combined:
        made = Combined()
        made.total = min(1, self.total + sum(others))
        return made

    def __and__(self, *others: int, twice: bool = False) -> Combined:
        made = Combined()
        made.total = 2 if twice else self.total
        return made

    def __getitem__(self, *places: int) -> int:
        return self.total + len(places)


class OnTwice(NamedTuple):
    """What to do with keys and values that are there already: it has a name in the module, and no literal."""

    key: int
    value: int


RAISE = OnTwice(0, 0)


class TwoWay:
    """Takes a policy object as default, and passes it on."""

    def __init__(self) -> None:
        self.pairs: dict[int, int] = {}

    def put(self, key: int, value: int, on_twice: OnTwice = RAISE) -> None:
        if value in self.pairs.values() and on_twice.value == 0:
            raise ValueError(value)
        self.pairs[key] = value


class Wide:
    """So many fields, methods and long values that its tests do not fit on a page."""

    def __init__(self) -> None:
        self.first_description = "a text of some length that nobody wants to read in the middle of a test at all"
        self.second_description = {"key " * 8: "value " * 12}
        self.numbers = list(range(40))
        self.on = False

    def switch(self) -> None:
        self.on = not self.on

    def report(self) -> dict[str, object]:
        return {"first": self.first_description, "second": self.second_description, "numbers": self.numbers, "on": 1}

    def lines(self) -> list[str]:
        return [self.first_description] * 12


class Deep:
    """Long sequences make its objects, with long arguments."""

    def __init__(self) -> None:
        self.rows: tuple[tuple[str, int], ...] = ()

    def append(self, row: Literal["the first of all rows, written out in full", "another row, no shorter than that"]):
        self.rows = (*self.rows, (row, len(self.rows)))


class Weekdays:
    """Iterates over a set of members of an enum-like kind: their hashes differ from run to run, too."""

    def __init__(self) -> None:
        self.days: set[object] = set()

    def toggle(self, day: Literal["mon", "tue"] | None) -> None:
        self.days ^= {day}

    def __iter__(self):
        return iter(list(self.days))

    def __len__(self) -> int:
        return len(self.days)


class Graph:
    """Neighbours in sets of objects, gone through in the order of their addresses."""

    def __init__(self) -> None:
        self.next: set[Graph] = set()
        self.seen = 0

    def link(self, other: Graph) -> None:
        self.next.add(other)

    def walk(self) -> list[int]:
        for number, each in enumerate(self.next):
            each.seen = number
        return sorted(map(operator.attrgetter("seen"), self.next))


class Shrinking:
    """A set that was large goes in another order than one that never was."""

    def __init__(self) -> None:
        self.items: set[int] = set()

    def fill(self) -> None:
        self.items.update(range(6))

    def keep(self, key: Literal[8, 0]) -> None:
        self.items = self.items - set(range(1, 6))
        self.items.add(key)

    def first(self) -> int:
        return next(iter(self.items), -1)


class Sorted:
    """Compares with `<` alone, and stores what was compared."""

    def __init__(self, key: int) -> None:
        self.key, self.less = key, False

    def __lt__(self, other: Sorted) -> bool:
        self.less = self.key < other.key
        return self.less

    def __bool__(self) -> bool:
        return self.key > 0
