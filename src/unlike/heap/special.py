"""The layouts of objects that hide their state in C, or whose state is better left alone.

- **Locks** show whether they are held: made again, put back.
- **Weak containers** and **thread-local** objects show what they hold now.
- **Random generators**, **caches of functools** and **loggers** do not tell states apart. A generator is put back to
  the numbers that it gave when it was first seen, a cache is emptied, a logger stays itself.
- **Files** are told apart by mode, place and content, and made again by the calls that opened them.

A layout whose `remark` is not empty says how its objects were compared: a proof rests upon it.
"""

from __future__ import annotations

import _thread
import functools
import io
import logging
import os
import queue
import random
import sys
import weakref
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from unlike.heap.fields import Values
from unlike.heap.layout import Atom, Layout, Node, OpaqueError, RecordLayout
from unlike.scope import Limits

MOST_OF_FILE = 1 << 16  # bytes of a file that tell it from others


# -- locks -----------------------------------------------------------------------------------------


class LockNode(Node):
    """A lock: held or not."""

    made_alone = True

    def read(self, thing: Any) -> Values:
        return [thing.locked()]

    def write(self, thing: Any, values: Values) -> None:
        if values[0]:
            thing.acquire(blocking=False)
        elif thing.locked():
            thing.release()

    def blank(self, values: Values) -> object:
        del values
        return _thread.allocate_lock()


class ReentrantLockNode(Node):
    """A lock that its owner may take again: how often it is held; -1 by somebody else."""

    made_alone = True

    def read(self, thing: Any) -> Values:
        if thing._is_owned():
            held = thing._release_save()
            thing._acquire_restore(held)
            return [held[0]]
        if not thing.acquire(blocking=False):
            return [-1]
        thing.release()
        return [0]

    def write(self, thing: Any, values: Values) -> None:
        while thing._is_owned():
            thing.release()
        for _ in range(values[0]):
            thing.acquire(blocking=False)

    def blank(self, values: Values) -> object:
        del values
        return _thread.RLock()


# -- objects that hold others, and show them -------------------------------------------------------


class HolderNode(Node):
    """An object that is filled again with what it holds."""

    is_container = True
    made_alone = True

    def write(self, thing: Any, values: Values) -> None:
        self.refill(thing, values)

    def refill(self, thing: Any, values: Values) -> None:
        """Let it hold these, and nothing else."""
        raise NotImplementedError

    def blank(self, values: Values) -> object:
        del values
        return self.cls()


class SimpleQueueNode(HolderNode):
    """A queue in C: taken out and put in again, in order."""

    def read(self, thing: Any) -> Values:
        held = [thing.get_nowait() for _ in range(thing.qsize())]
        for each in held:
            thing.put(each)
        return held

    def refill(self, thing: Any, values: Values) -> None:
        while not thing.empty():
            thing.get_nowait()
        for each in values:
            thing.put(each)


class WeakValuesNode(HolderNode):
    """A WeakValueDictionary: keys, and weak references to the values that live."""

    stride = 2
    hashes = True

    def read(self, thing: Any) -> Values:
        alive = [(key, value) for key, held in list(thing.data.items()) if (value := held()) is not None]
        return [part for key, value in alive for part in (key, weakref.ref(value))]

    def refill(self, thing: Any, values: Values) -> None:
        thing.data.clear()
        for key, held in zip(values[::2], values[1::2], strict=True):
            if (value := held()) is not None:
                thing[key] = value


class WeakKeysNode(HolderNode):
    """A WeakKeyDictionary: weak references to the keys that live, and values."""

    stride = 2
    hashes = True

    def read(self, thing: Any) -> Values:
        alive = [(key, value) for held, value in list(thing.data.items()) if (key := held()) is not None]
        return [part for key, value in alive for part in (weakref.ref(key), value)]

    def refill(self, thing: Any, values: Values) -> None:
        thing.data.clear()
        for held, value in zip(values[::2], values[1::2], strict=True):
            if (key := held()) is not None:
                thing[key] = value


class WeakSetNode(HolderNode):
    """A WeakSet: weak references to the elements that live."""

    unordered = True
    hashes = True

    def read(self, thing: Any) -> Values:
        return [weakref.ref(each) for held in list(thing.data) if (each := held()) is not None]

    def refill(self, thing: Any, values: Values) -> None:
        thing.data.clear()
        for held in values:
            if (each := held()) is not None:
                thing.add(each)


class LocalNode(HolderNode):
    """A thread-local object: what it shows this thread."""

    stride = 2

    def read(self, thing: Any) -> Values:
        return [part for pair in thing.__dict__.items() for part in pair]

    def refill(self, thing: Any, values: Values) -> None:
        thing.__dict__.clear()
        thing.__dict__.update(zip(values[::2], values[1::2], strict=True))

    def blank(self, values: Values) -> object:
        del values
        made: object = _thread._local.__new__(self.cls)
        return made


class KeyedWeakRecord(RecordLayout):
    """A weak reference that knows its key: those that weak containers are made of."""

    counted = False

    def parts(self, value: Any) -> Values:
        target = value()
        return (value.key, value.__callback__) if target is None else (value.key, value.__callback__, target)

    def make(self, parts: Values) -> object:
        key, callback, *target = parts
        return self.cls(target[0] if target else _Gone(), callback, key)


class _Gone:
    """The class of what a dead weak reference was to."""


# -- objects that do not tell states apart ---------------------------------------------------------


@dataclass(eq=False, slots=True)
class Remembered:
    """What an object held that is put back and not compared: all of them have the same bytes."""

    state: Any = None


class RandomNode(Node):
    """A generator of random numbers: put back, not compared."""

    remark = "random generators are not compared: each gives the numbers that it gave at first"

    made_alone = True

    def __init__(self, cls: type) -> None:
        super().__init__(cls)
        self.known: dict[Any, Remembered] = {}

    def read(self, thing: Any) -> Values:
        state = random.Random.getstate(thing)
        known = self.known.get(state)
        if known is None:
            if len(self.known) > 1_000:
                self.known.clear()
            known = self.known[state] = Remembered(state)
        return [known]

    def write(self, thing: Any, values: Values) -> None:
        random.Random.setstate(thing, values[0].state)

    def blank(self, values: Values) -> object:
        del values
        return random.Random()


EMPTY = Remembered()


class CacheNode(Node):
    """A function with a cache of functools: what it remembers is not compared, and forgotten when it is put back."""

    remark = "caches of functools are not compared: each call begins with an empty one"
    needs_parts = True

    def read(self, thing: Any) -> Values:
        place = str(thing.__module__), str(thing.__qualname__)
        if _find_named(*place) is thing:
            return place
        used = thing.cache_info()
        settings = thing.cache_parameters()
        mark = EMPTY if used.hits == used.misses == used.currsize == 0 else Remembered()
        return [thing.__wrapped__, settings["maxsize"], settings["typed"], mark]

    def write(self, thing: Any, values: Values) -> None:
        if len(values) == 4:
            thing.cache_clear()

    def blank(self, values: Values) -> object:
        if len(values) == 2:
            return _find_named(*values)
        function, maxsize, typed, _ = values
        return functools.lru_cache(maxsize, typed)(function)


def _find_named(module: str, name: str) -> object:
    """Return what stands under a name in a module that is loaded, or nothing."""
    found: object = sys.modules.get(module)
    for part in name.split("."):
        found = getattr(found, part, None)
    return found


class LoggerNode(Node):
    """A logger: the one of its name, whatever it is set to."""

    remark = "loggers are not compared"

    def read(self, thing: Any) -> Values:
        return [thing.name]

    def write(self, thing: Any, values: Values) -> None:
        """Do nothing: it stays itself."""

    def blank(self, values: Values) -> object:
        return logging.getLogger(None if issubclass(self.cls, logging.RootLogger) else values[0])


class SystemRandomNode(Node):
    """A generator that asks the system: it holds nothing."""

    def read(self, thing: Any) -> Values:
        del thing
        return []

    def write(self, thing: Any, values: Values) -> None:
        """Do nothing."""


# -- objects that are compared, and made again by their calls --------------------------------------


class ComparedNode(Node):
    """An object that can be compared, not made again: states with it are reached by their calls."""

    restorable = False

    def write(self, thing: Any, values: Values) -> None:
        """Refuse: what is compared does not say what to put back."""
        del thing
        self.blank(values)

    def blank(self, values: Values) -> object:
        """Refuse: what is compared does not say how to make the object."""
        del values
        raise OpaqueError(f"{self.cls.__name__} cannot be made again from what it is compared by")


class FileNode(ComparedNode):
    """An open file: its mode, the place it stands at, and its content; a standard stream stays itself."""

    remark = "open files are compared by mode, place and content"

    def read(self, thing: Any) -> Values:
        if name := next((each for each in STREAMS if getattr(sys, each) is thing), None):
            return [name]
        if thing.closed:
            return [True]
        return [False, str(getattr(thing, "mode", "")), _place_of(thing), _content_of(thing)]

    def write(self, thing: Any, values: Values) -> None:
        if len(values) != 1 or getattr(sys, str(values[0]), None) is not thing:
            super().write(thing, values)

    def blank(self, values: Values) -> object:
        if values[0] in STREAMS:
            stream: object = getattr(sys, values[0])
            return stream
        return super().blank(values)


STREAMS = ("stdin", "stdout", "stderr")


def _place_of(file: Any) -> int:
    try:
        place: int = file.tell()
    except (OSError, ValueError):  # a pipe
        return -1
    return place


def _content_of(file: Any) -> bytes:
    """Return the first bytes of what the file holds, as far as it can be read."""
    try:
        if file.writable():
            file.flush()
        if isinstance(file.name, str):
            with io.open(file.name, "rb") as again:  # noqa: UP020  # `open` may be replaced by the code under test
                return again.read(MOST_OF_FILE)
        return os.pread(file.fileno(), MOST_OF_FILE, 0)
    except (OSError, ValueError, AttributeError):
        return b""


# -- which of them -----------------------------------------------------------------------------------

FILES = (io.TextIOWrapper, io.BufferedReader, io.BufferedWriter, io.BufferedRandom, io.BufferedRWPair, io.FileIO)
EXACTLY: dict[type, Callable[[type], Layout]] = {
    _thread.LockType: LockNode,
    _thread.RLock: ReentrantLockNode,
    queue.SimpleQueue: SimpleQueueNode,
    weakref.WeakValueDictionary: WeakValuesNode,
    weakref.WeakKeyDictionary: WeakKeysNode,
    weakref.WeakSet: WeakSetNode,
    weakref.KeyedRef: KeyedWeakRecord,
    type(functools.lru_cache(len)): CacheNode,
    Remembered: lambda cls: Atom(cls, lambda _: 0),
}
KINDS: tuple[tuple[type | tuple[type, ...], Callable[[type], Layout]], ...] = (
    (_thread._local, LocalNode),
    (random.SystemRandom, SystemRandomNode),
    (random.Random, RandomNode),
    (logging.Logger, LoggerNode),
    (FILES, FileNode),
)


def special_layout(cls: type, limits: Limits) -> Layout | None:
    """Return the layout of a class that is known to be special; one that is explored is compared."""
    kind = EXACTLY.get(cls) or next((make for kinds, make in KINDS if issubclass(cls, kinds)), None)
    if kind is None or (kind is RandomNode and cls is not random.Random):
        return None
    if kind in (RandomNode, CacheNode, LoggerNode) and issubclass(cls, limits.explored):
        return None
    return kind(cls)
