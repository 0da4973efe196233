"""Classes that say nothing about what they take."""

import collections
import functools
import queue
import time
import typing

K = typing.TypeVar("K")
V = typing.TypeVar("V")


class Register:
    """Keeps numbers by name; everything without an annotation."""

    def __init__(self):
        self.entries = {}

    def put(self, key, value):
        self.entries[key] = value

    def update(self, other):
        for key in other.keys():  # noqa: SIM118  # what has no keys is refused
            self.entries[key] = other[key]

    def extend(self, iterable, mark=None):
        self.entries.update(dict.fromkeys(iterable, mark))

    def join(self, other):
        if not isinstance(other, Register):
            raise TypeError("a Register is needed")
        self.entries |= other.entries

    def names(self):
        return list(self.entries)


class Words:
    """Takes texts alone, and says so with an AttributeError."""

    def __init__(self):
        self.words = []

    def add(self, item):
        if item.upper() not in self.words:
            self.words.append(item.upper())

    def has(self, item):
        return item.upper() in self.words

    def remove(self, item):
        self.words.remove(item.upper())


class Hooks:
    """Takes any callback, and calls it later: an int is taken at first and breaks the next call."""

    def __init__(self):
        self.hooks = []

    def register(self, what):
        self.hooks.append(what)

    def fire(self):
        return [hook() for hook in self.hooks]


class Site:
    """Refuses every text that is no address."""

    def __init__(self, url: str) -> None:
        if "://" not in url:
            raise ValueError(f"{url!r} is no address")
        self.url = url

    def scheme(self) -> str:
        return self.url.partition(":")[0]


class Clock:
    """What a Plan needs: an object of the same module."""

    def __init__(self):
        self.now = 0

    def tick(self):
        self.now += 1


class Plan:
    """Is made with an object of another class, which its annotation names."""

    def __init__(self, clock: Clock) -> None:
        self.clock, self.steps = clock, 0

    def step(self, action):
        if not callable(action):
            raise TypeError("an action is a function")
        self.steps = min(2, self.steps + 1)


class Inbox(queue.Queue):
    """Waits for what never comes, unless it is told not to."""


class Line(collections.deque):
    """Written in C: most signatures cannot be read."""


class Picky:
    """Refuses whatever it gets."""

    def take(self, thing):
        raise TypeError(f"{thing!r} is nothing I know")

    def count(self) -> int:
        return 0


class Ending:
    """One call ends the process, another never returns."""

    def __init__(self):
        self.done = 0

    def work(self, amount):
        self.done = amount

    def leave(self, code):
        import os

        os._exit(code)

    def wait_forever(self, what):
        while True:
            pass


class Wide:
    """Eight parameters that may be left out: more than 40 ways."""

    def __init__(self, p1=None, p2=None, p3=None, p4=None, p5=None, p6=None, p7=None, p8=None):
        self.given = sum(each is not None for each in (p1, p2, p3, p4, p5, p6, p7, p8)) % 3


class Counted:
    """Takes a share, and says so only by its default."""

    def __init__(self, threshold=0.001):
        if not 0 < threshold < 1:
            raise ValueError(f"{threshold!r} is no share")
        self.threshold, self.found = threshold, set()

    def add(self, key):
        self.found.add(key)


class Tasks:
    """Each of several arguments is a node, which nothing but their name says before `prepare` was called."""

    def __init__(self):
        self.waiting, self.is_ready = set(), False

    def add(self, node):
        if self.is_ready:
            raise ValueError("too late")
        self.waiting.add(node)

    def prepare(self):
        self.is_ready = True

    def done(self, *nodes):
        if not self.is_ready:
            raise ValueError("prepare() must be called first")
        for node in nodes:
            if node not in self.waiting:
                raise ValueError(f"{node!r} was not added")
            self.waiting.remove(node)


class Ticket:
    """Seventeen things to say before there is one."""

    def __init__(self, a1, a2, a3, a4, a5, a6, a7, a8, a9, b1, b2, b3, b4, b5, b6, b7, b8):
        self.said = (a1, b8)


class Stamp:
    """Made of nothing that can be guessed, but for its class method."""

    def __init__(self, press, ink):
        if press is not ink or type(press) is not Ending:
            raise TypeError("one press for both")
        self.level = 0

    @classmethod
    def from_level(cls, level: int):
        made = cls.__new__(cls)
        made.level = level
        return made


class Office:
    """Takes tickets and stamps."""

    def __init__(self):
        self.seen = 0

    def book(self, ticket: Ticket):
        self.seen = 1 if ticket.said else 0

    def mark(self, stamp: Stamp):
        self.seen = stamp.level


class Crowd:
    """Three operations with some four thousand ways each."""

    def one(self, first: list[int], second: list[int], third: int) -> None: ...

    def two(self, first: list[int], second: list[int], third: int) -> None: ...

    def three(self, first: list[int], second: list[int], third: int) -> None: ...


class Later:
    """A descriptor that makes a method when it is asked for, as some packages have their own."""

    def __init__(self, function):
        self.function = function

    def __get__(self, instance, owner):
        return self.function if instance is None else functools.partial(self.function, instance)


class Dial:
    """Methods that are no functions."""

    def __init__(self):
        self.at = 0

    def turn(self, by):
        self.at = (self.at + by) % 7

    def _back(self, by):
        self.at = (self.at - by) % 7

    twice = functools.partialmethod(turn, 2)
    back = Later(_back)

    @functools.singledispatchmethod
    def reset(self, place):
        self.at = place % 7


class Ratio:
    """Takes something that is for itself alone."""

    def __init__(self, top, *, _reduced=True):
        if not _reduced:
            raise RuntimeError("who said so?")
        self.top = top


class Label(str):
    """Text under a name of its own: its `maketrans` is C and names no module."""


class Drawer:
    """Takes objects of a class that nobody asked for, which adds nothing to one of Python's own."""

    def __init__(self):
        self.label = None

    def put(self, label: Label):
        self.label = label


class Ledger(typing.Generic[K, V]):
    """Takes many pairs of what nobody says more about."""

    def __init__(self):
        self.rows = {}

    def put_all(self, pairs: typing.Iterable[tuple[K, V]], on_clash: typing.Literal["a", "b", "c"] = "a"):
        self.rows |= dict(pairs)

    def put(self, key: K, value: V):
        self.rows[key] = value


class Slow:
    """Takes its time with everything."""

    def __init__(self):
        self.items = []

    def add(self, item, where=None, how=None):
        time.sleep(0.2)
        self.items.append((item, where, how))

    def take(self, item, where=None, how=None):
        time.sleep(0.2)
        self.items.remove((item, where, how))


class Plot:
    """Takes a function that returns a number, and reckons with what it returns."""

    def __init__(self):
        self.height = 1

    def apply(self, function: typing.Callable[[int], int]):
        self.height = function(self.height)

    def double(self):
        return self.height * 2 - 1
