"""The fields of an object: slots and instance dictionary, read and written past `getattr`.

No property, `__getattr__`, `__eq__` or `__hash__` of the user's runs: slots are reached through their descriptors, or
by name where the class defines nothing that could interfere, and the instance dictionary is a plain dict.
"""

from __future__ import annotations

import inspect
import operator
import sys
import types
from collections.abc import Callable, Sequence
from typing import Any

from unlike.scope import Limits

HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class that was made at run time


class Absent:
    """The class of ABSENT."""

    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = Absent()  # a field that an object could have and has not

Values = Sequence[Any]


class Fields:
    """The slots and the instance dictionary of one class, in the order in which names were first seen."""

    __slots__ = ("cls", "dictionary", "hidden", "names", "orders", "positions", "read", "setters", "slots")

    def __init__(self, cls: type, limits: Limits, names: list[str]) -> None:
        self.cls = cls
        shown = [slot for slot in slot_descriptors(cls) if not limits.omits(cls, slot.__name__)]
        self.slots = tuple(shown)
        self.setters = [(slot.__set__, slot) for slot in shown]
        self.dictionary = dict_getter(cls)
        self.names = names  # shared with the layout
        self.names.extend(slot.__name__ for slot in shown)
        self.positions: dict[str, int] = {}
        self.orders: dict[tuple[str, ...], tuple[int, ...] | None] = {}
        self.hidden: Callable[[str], bool] = (
            (lambda name: limits.omits(cls, name)) if limits.omit else (lambda _: False)
        )
        self.read = self.reader()

    def __bool__(self) -> bool:
        return bool(self.slots) or self.dictionary is not None

    def reader(self) -> Callable[[Any], Values]:
        """Return a function that returns the values, ABSENT where there is none, without absent ones at the end of
        the dictionary. It is the inner loop of everything, so it is put together from what the class has.
        """
        if self.dictionary is None:
            return self._slots_reader()
        if not self.slots:
            return self._dictionary_reader(self.dictionary)
        first, second = self._slots_reader(), self._dictionary_reader(self.dictionary)
        return lambda thing: [*first(thing), *second(thing)]

    def _slots_reader(self) -> Callable[[Any], Values]:
        getters, at_once = [slot.__get__ for slot in self.slots], _fetcher(self.cls, self.slots)

        def read(thing: Any) -> Values:
            try:
                return at_once(thing)
            except AttributeError:
                return [_slot_or_absent(get, thing) for get in getters]

        return read

    def _dictionary_reader(self, dictionary: Callable[[Any], dict[str, object]]) -> Callable[[Any], Values]:
        known = self.orders.get

        def read(thing: Any) -> Values:
            found = dictionary(thing)
            order = known((*found,), ())
            if order is None:  # the usual case: names in the order in which they are known
                return [*found.values()]
            order = order or self.learn((*found,))
            return [*found.values()] if order is None else self._arrange(found, order)

        return read

    def learn(self, names: tuple[str, ...]) -> tuple[int, ...] | None:
        """Give new names a position, and return where each name stands, or None if they stand in order."""
        for name in names:
            if name not in self.positions and not self.hidden(name):
                self.positions[name] = len(self.positions)
                self.names.append(name)
        order = tuple(self.positions.get(name, -1) for name in names)
        known = None if order == tuple(range(len(names))) else order
        self.orders[names] = known
        return known

    def usual(self) -> tuple[str, ...]:
        """Return the most names that were seen together, in the order in which they are known."""
        return max((names for names, order in self.orders.items() if order is None), key=len, default=())

    def _arrange(self, found: dict[str, object], order: tuple[int, ...]) -> list[Any]:
        values: list[Any] = [ABSENT] * (max(order, default=-1) + 1)
        for position, value in zip(order, found.values(), strict=True):
            if position >= 0:
                values[position] = value
        return values

    def by_name(self, values: Values) -> dict[str, object]:
        """Return the fields that are there, by name."""
        return {name: value for name, value in zip(self.names, values, strict=False) if value is not ABSENT}

    def list_values(self, fields: dict[str, object]) -> list[Any]:
        """Return the values of fields given by name."""
        count = len(self.slots)
        if not count and self.orders.get((*fields,), ()) is None:
            return [*fields.values()]  # the usual case
        inner = tuple(name for name in fields if name not in self.names[:count])
        order = self.learn(inner) if inner else ()
        values = [fields.get(name, ABSENT) for name in self.names[:count]]
        known = {name: fields[name] for name in inner}
        return [*values, *(known.values() if order is None else self._arrange(known, order))]

    def write(self, thing: Any, values: Values) -> None:
        """Give the object the fields, in place; fields it has beyond them go away."""
        count = len(self.slots)
        for (put, slot), value in zip(self.setters, values, strict=False):
            if value is not ABSENT:
                put(thing, value)
            elif _slot_or_absent(slot.__get__, thing) is not ABSENT:
                slot.__delete__(thing)
        if self.dictionary is None:
            return
        names = self.names[count:] if count else self.names
        wanted = dict(zip(names, values[count:], strict=False))
        found = self.dictionary(thing)
        if (not found or found.keys() == wanted.keys()) and id(ABSENT) not in map(id, values):
            found.update(wanted)  # the usual case
            return
        wanted = {name: value for name, value in wanted.items() if value is not ABSENT}
        for name in [name for name in found if name not in wanted and not self.hidden(name)]:
            del found[name]
        for name, value in wanted.items():
            if found.get(name, ABSENT) is not value:
                found[name] = value


def _fetcher(cls: type, slots: Sequence[types.MemberDescriptorType]) -> Callable[[Any], Sequence[Any]]:
    """Return a function that gives all slots of an instance; by name where no code of the class can interfere."""
    names = [slot.__name__ for slot in slots]
    if len(names) > 1 and is_plainly_read(cls, slots):
        fetch: Callable[[Any], Sequence[Any]] = operator.attrgetter(*names)
        return fetch
    getters = [slot.__get__ for slot in slots]
    return lambda thing: [get(thing) for get in getters]


def is_plainly_read(cls: type, slots: Sequence[types.MemberDescriptorType]) -> bool:
    """Tell whether asking an instance for its dictionary and these slots by name gives them, and runs no other code."""
    shown = [inspect.getattr_static(cls, slot.__name__, None) for slot in slots]
    return shown == [*slots] and _asks_nobody(cls) and not _hides_dictionary(cls)


def _hides_dictionary(cls: type) -> bool:
    """Tell whether a class defines a `__dict__` of its own."""
    first: object = next((vars(each)["__dict__"] for each in cls.__mro__ if "__dict__" in vars(each)), None)
    return first is not None and not isinstance(first, (types.GetSetDescriptorType, types.MemberDescriptorType))


def _asks_nobody(cls: type) -> bool:
    """Tell whether looking up an attribute of an instance runs no code of the class."""
    asked: object = cls.__getattribute__
    return asked is object.__getattribute__ and not hasattr(cls, "__getattr__")


def _slot_or_absent(get: Callable[[Any], Any], thing: Any) -> Any:
    try:
        return get(thing)
    except AttributeError:
        return ABSENT


# -- what Python shows of a class ------------------------------------------------------------------


def slot_descriptors(cls: type) -> list[types.MemberDescriptorType]:
    """Return the slots of the class and its bases, base first; `__dict__` and `__weakref__` are none of them."""
    return [
        member
        for each in reversed(cls.__mro__)
        if "__slots__" in vars(each)
        for member in vars(each).values()
        if isinstance(member, types.MemberDescriptorType) and member.__objclass__ is each
    ]


def dict_getter(cls: type) -> Callable[[Any], dict[str, object]] | None:
    """Return a function that gives the instance dictionary, whatever `__getattribute__` says."""
    if not cls.__dictoffset__:
        return None
    for each in cls.__mro__:
        found = vars(each).get("__dict__")
        if isinstance(found, (types.GetSetDescriptorType, types.MemberDescriptorType)):
            getter: Callable[[Any], dict[str, object]] = found.__get__
            return operator.attrgetter("__dict__") if is_plainly_read(cls, ()) else getter
    return None


def hidden_bytes(cls: type) -> int:
    """Return how many bytes of an instance are neither its header nor a field that Python shows."""
    pointer = 8 if sys.maxsize > 2**32 else 4
    visible = object.__basicsize__ + pointer * len(slot_descriptors(cls))
    visible += pointer * (cls.__weakrefoffset__ > 0) + pointer * (cls.__dictoffset__ > 0)
    return cls.__basicsize__ - visible + cls.__itemsize__


def maker_of(cls: type) -> Callable[[type], object]:
    """Return the `__new__` of the class's nearest base in C: it makes an instance and runs no Python code."""
    base = cls
    while base.__base__ is not None and not isinstance(vars(base).get("__new__"), types.BuiltinFunctionType):
        base = base.__base__
    new: Any = base.__new__
    made: Callable[[type], object] = new
    return made
