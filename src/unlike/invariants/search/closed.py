"""Containers that are complete and cannot be written to: an invariant only looks.

Compiled code reads them without asking, so everything in them was chosen before.
"""

from __future__ import annotations

import collections
from collections.abc import Iterable, Sequence
from typing import Any, NoReturn

from unlike.errors import with_article
from unlike.invariants.fields.contents import make_container, take_apart
from unlike.invariants.fields.domains import Maker
from unlike.invariants.search.guards import SearchEndError

LIST_WRITES = ("append", "extend", "insert", "remove", "pop", "clear", "sort", "reverse",
               "__setitem__", "__delitem__", "__iadd__", "__imul__")  # fmt: skip
DICT_WRITES = ("pop", "popitem", "clear", "update", "setdefault", "__setitem__", "__delitem__", "__ior__",
               "move_to_end", "subtract", "__iadd__", "__isub__", "__iand__")  # fmt: skip
SET_WRITES = ("add", "remove", "discard", "pop", "clear", "update", "intersection_update", "difference_update",
              "symmetric_difference_update", "__ior__", "__iand__", "__isub__", "__ixor__")  # fmt: skip
DEQUE_WRITES = ("append", "appendleft", "extend", "extendleft", "insert", "remove", "pop", "popleft", "clear",
                "reverse", "rotate", "__setitem__", "__delitem__", "__iadd__", "__imul__")  # fmt: skip
COPIES = ("copy", "__copy__", "__add__", "__mul__", "__rmul__", "__or__", "__ror__", "__reduce_ex__", "__repr__")


def _refuse(name: str) -> Any:
    def write(self: Any, *_: Any, **__: Any) -> NoReturn:
        kind = type(self).__mro__[1].__name__
        raise SearchEndError("wrote", f"{with_article(kind)} (by {name.strip('_')})")

    return write


def refuse_writes(cls: type, names: Iterable[str]) -> None:
    """Let the methods of a class that write end the search."""
    for name in names:
        if hasattr(cls, name):
            setattr(cls, name, _refuse(name))


class ClosedSet(set[Any]):
    """A set that is complete, and cannot be written to."""

    __slots__ = ()


class ClosedDict(dict[Any, Any]):
    """A dict that is complete."""

    __slots__ = ()


class ClosedDeque(collections.deque[Any]):
    """A deque that is complete."""

    __slots__ = ()


class ClosedOrderedDict(collections.OrderedDict[Any, Any]):
    """An OrderedDict that is complete."""


class ClosedCounter(collections.Counter[Any]):
    """A Counter that is complete."""


class ClosedDefaultDict(collections.defaultdict[Any, Any]):
    """A defaultdict that is complete: whoever reads what is not there would put it in."""

    __slots__ = ()

    def __missing__(self, key: Any) -> NoReturn:
        if self.default_factory is None:
            raise KeyError(key)
        raise SearchEndError("wrote", f"a defaultdict (by reading a key that is not there: {key!r})")


def close_container(kind: str, items: Sequence[Any], maker: Maker | None) -> Any:
    """Return a container that is complete: a dict of keys and values in turn, a tuple, or a deque."""
    if kind == "tuple":
        return tuple.__new__(tuple if maker is None else maker.cls, items)
    if kind == "list":
        assert maker is not None
        return ClosedDeque(items, maker.argument)
    made: Any
    if maker is None:
        made = ClosedDict()
    elif maker.cls is collections.defaultdict:
        made = ClosedDefaultDict(maker.argument)
    else:
        cls: Any = ClosedCounter if maker.cls is collections.Counter else ClosedOrderedDict
        made = cls.__new__(cls)  # a Counter would call its own `update`
    ordered = isinstance(made, collections.OrderedDict)
    store: Any = collections.OrderedDict.__setitem__ if ordered else dict.__setitem__
    for key, value in zip(items[::2], items[1::2], strict=True):
        store(made, key, value)
    return made


def _ask_plain(name: str) -> Any:
    """Return a method that makes another container: of a plain one, since what it makes may be written to."""

    def ask(self: Any, *others: Any) -> Any:
        return getattr(make_plain(self), name)(*others)

    return ask


def make_plain(container: Any) -> Any:
    """Return a complete container as one that can be written to."""
    taken = take_apart(container)
    assert taken is not None
    kind, items, maker = taken
    return make_container(kind, items, maker)


CLOSED_DICTS = (ClosedDict, ClosedOrderedDict, ClosedCounter, ClosedDefaultDict)
COMPLETE = (*CLOSED_DICTS, ClosedDeque)
CLOSED = (tuple, set, frozenset, *COMPLETE)  # all of them, with those of Python that are


for _cls in (ClosedSet, *COMPLETE):  # as what the invariant asks, and raises, calls them
    _cls.__name__ = _cls.__qualname__ = _cls.__mro__[1].__name__
for _cls in COMPLETE:
    for _name in COPIES:
        if hasattr(_cls, _name):
            setattr(_cls, _name, _ask_plain(_name))
for _cls in CLOSED_DICTS:
    refuse_writes(_cls, DICT_WRITES)
refuse_writes(ClosedDeque, DEQUE_WRITES)
refuse_writes(ClosedSet, SET_WRITES)
