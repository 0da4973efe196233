"""Classes that say nothing about what they take."""

import collections
import queue


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
