"""The fields of an instance: its slots and its dictionary, read and written without asking the class.

Positions are given to names when they are first seen, slots first, so that the values of equal objects line up.
"""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Sequence
from typing import Any

from unlike.scope import Limits

HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class that was made at run time


class _Absent:
    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = _Absent()  # a field that an object could have and has not

Values = Sequence[Any]


class Fields:
    """The slots and the instance dictionary of one class, in the order in which names were first seen."""

    __slots__ = ("cls", "dictionary", "getters", "hidden", "names", "orders", "positions", "slots")

    def __init__(self, cls: type, limits: Limits, names: list[str]) -> None:
        self.cls = cls
        shown = [slot for slot in slot_descriptors(cls) if not limits.omits(cls, slot.__name__)]
        self.slots = tuple(shown)
        self.getters = tuple(slot.__get__ for slot in shown)
        self.dictionary = dict_getter(cls)
        self.names = names  # shared with the layout
        self.names.extend(slot.__name__ for slot in shown)
        self.positions: dict[str, int] = {}
        self.orders: dict[tuple[str, ...], tuple[int, ...] | None] = {}
        self.hidden: Callable[[str], bool] = (
            (lambda name: limits.omits(cls, name)) if limits.omit else (lambda _: False)
        )

    def __bool__(self) -> bool:
        return bool(self.slots) or self.dictionary is not None

    def read(self, thing: Any) -> list[Any]:
        """Return the values, ABSENT where there is none, without absent ones at the end of the dictionary."""
        try:
            values = [get(thing) for get in self.getters]
        except AttributeError:  # an empty slot
            values = [_slot_value(get, thing) for get in self.getters]
        if self.dictionary is None:
            return values
        found = self.dictionary(thing)
        order = self.orders.get((*found,), ())
        if order == ():
            order = self._learn((*found,))
        if order is None:  # the usual case: names in the order in which they are known
            values.extend(found.values())
            return values
        return values + self._arranged(found, order)

    def quick_reader(self) -> Callable[[Any], Values]:
        """Return `read`, made for classes with either slots or a dictionary: the walk spends most of its time here."""
        slow, dictionary = self.read, self.dictionary
        if self.slots and dictionary is None and len(self.getters) <= 8:
            return _slot_reader(self.getters, slow)
        if self.slots or dictionary is None:
            return slow
        orders = self.orders

        def read(thing: Any) -> Values:
            found = dictionary(thing)
            if orders.get((*found,), ()) is None:
                return [*found.values()]
            return slow(thing)

        return read

    def quick_writer(self) -> Callable[[Any, Values], None]:
        """Return `write`, made for classes with slots alone."""
        slow = self.write
        setters = tuple(slot.__set__ for slot in self.slots)
        if self.dictionary is not None:
            return slow

        def write(thing: Any, values: Values) -> None:
            for put, value in zip(setters, values, strict=True):
                if value is ABSENT:
                    slow(thing, values)
                    return
                put(thing, value)

        return write

    def _learn(self, names: tuple[str, ...]) -> tuple[int, ...] | None:
        """Give new names a position, and return where each name stands, or None if they stand in order."""
        for name in names:
            if name not in self.positions and not self.hidden(name):
                self.positions[name] = len(self.positions)
                self.names.append(name)
        order = tuple(self.positions.get(name, -1) for name in names)
        known = None if order == tuple(range(len(names))) else order
        self.orders[names] = known
        return known

    def _arranged(self, found: dict[str, Any], order: tuple[int, ...]) -> list[Any]:
        values: list[Any] = [ABSENT] * (max(order, default=-1) + 1)
        for position, value in zip(order, found.values(), strict=True):
            if position >= 0:
                values[position] = value
        return values

    def by_name(self, values: Values) -> dict[str, Any]:
        """Return the fields that are there, by name."""
        return {name: value for name, value in zip(self.names, values, strict=False) if value is not ABSENT}

    def placed(self, fields: dict[str, Any]) -> list[Any]:
        """Return the values of fields given by name."""
        count = len(self.slots)
        inner = tuple(name for name in fields if name not in self.names[:count])
        order = self._learn(inner) if inner else ()
        values = [fields.get(name, ABSENT) for name in self.names[:count]]
        known = {name: fields[name] for name in inner}
        return [*values, *(known.values() if order is None else self._arranged(known, order))]

    def write(self, thing: Any, values: Values) -> None:
        """Give the object the fields, in place; fields it has beyond them go away."""
        count = len(self.slots)
        for slot, value in zip(self.slots, values, strict=False):
            if value is not ABSENT:
                slot.__set__(thing, value)
            else:
                try:
                    slot.__delete__(thing)
                except AttributeError:
                    continue
        if self.dictionary is None:
            return
        wanted = {
            name: value for name, value in zip(self.names[count:], values[count:], strict=False) if value is not ABSENT
        }
        found = self.dictionary(thing)
        for name in [name for name in found if name not in wanted and not self.hidden(name)]:
            del found[name]
        for name, value in wanted.items():
            if found.get(name, ABSENT) is not value:
                found[name] = value


def _slot_reader(getters: Sequence[Callable[[Any], Any]], slow: Callable[[Any], Values]) -> Callable[[Any], Values]:
    """Return a function that reads these slots in one expression, as if it were written for the class."""
    names = [f"get{number}" for number in range(len(getters))]
    source = f"lambda thing: [{', '.join(f'{name}(thing)' for name in names)}]"
    read: Callable[[Any], Values] = eval(source, dict(zip(names, getters, strict=True)))

    def read_or_look(thing: Any) -> Values:
        try:
            return read(thing)
        except AttributeError:  # an empty slot
            return slow(thing)

    return read_or_look


def _slot_value(get: Callable[[Any], Any], thing: Any) -> Any:
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


def dict_getter(cls: type) -> Callable[[Any], dict[str, Any]] | None:
    """Return a function that gives the instance dictionary, whatever `__getattribute__` says."""
    if not cls.__dictoffset__:
        return None
    for each in cls.__mro__:
        found = vars(each).get("__dict__")
        if isinstance(found, (types.GetSetDescriptorType, types.MemberDescriptorType)):
            getter: Callable[[Any], dict[str, Any]] = found.__get__
            return getter
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
    while base.__flags__ & HEAP_TYPE and base.__base__ is not None:
        base = base.__base__
    new: Any = base.__new__
    made: Callable[[type], object] = new
    return made
