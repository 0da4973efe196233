"""From a class to the parts of its instances that are state.

Everything else in this room knows objects through a Layout only, in one of three shapes:

- an **atom** has a value and nothing inside: numbers, strings, enum members, classes, plain functions. Two equal
  atoms are one; they are kept in a table and shared;
- a **record** is immutable and stands for its parts: tuples, frozensets, bound methods. It is written where it is
  met, because Python code cannot (well) tell two equal tuples apart;
- a **node** has an identity: instances, lists, dicts, sets, deques. Its state is a flat sequence of values that can be
  read, and written back in place.

Fields are read through slot descriptors and the instance dictionary, never through `getattr`: no property,
`__getattr__`, `__eq__` or `__hash__` of the user's runs during a walk.
"""

from __future__ import annotations

import datetime
import decimal
import enum
import fractions
import inspect
import operator
import pathlib
import re
import struct
import sys
import types
import uuid
import weakref
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from unlike.errors import UnlikeError
from unlike.scope import Limits

HEAP_TYPE = 1 << 9  # Py_TPFLAGS_HEAPTYPE: a class that was made at run time


class OpaqueError(UnlikeError):
    """An object whose state cannot be seen: the message names its class and what to declare."""


class _Absent:
    def __repr__(self) -> str:
        return "ABSENT"


ABSENT = _Absent()  # a field that an object could have and has not

Values = Sequence[Any]


class Layout:
    """What is state in the instances of one class."""

    is_node: ClassVar[bool] = False
    is_record: ClassVar[bool] = False

    def __init__(self, cls: type) -> None:
        self.cls = cls
        self.number = -1  # given by the table that holds it


# -- atoms -----------------------------------------------------------------------------------------


class Atom(Layout):
    """A value with nothing inside; `key` is equal exactly for equal values of equal type."""

    def __init__(self, cls: type, key: Callable[[Any], object]) -> None:
        super().__init__(cls)
        self.key = key


VALUE_TYPES = (
    datetime.date,
    datetime.time,
    datetime.timedelta,
    datetime.tzinfo,
    decimal.Decimal,
    fractions.Fraction,
    uuid.UUID,
    pathlib.PurePath,
    range,
    complex,
)
IDENTITY_TYPES = (
    type,
    types.ModuleType,
    types.CodeType,
    types.MethodDescriptorType,
    types.WrapperDescriptorType,
    types.ClassMethodDescriptorType,
    types.GetSetDescriptorType,
    types.MemberDescriptorType,
    types.GenericAlias,
)
SINGLETONS = (type(None), type(Ellipsis), type(NotImplemented), _Absent)
PLAIN_BASES: tuple[tuple[type, Callable[[Any], object]], ...] = (
    (int, int.__pos__),
    (float, lambda value: struct.pack("<d", value)),
    (str, lambda value: str.__getitem__(value, slice(None))),
    (bytes, lambda value: bytes.__getitem__(value, slice(None))),
)


def _atom(cls: type) -> Layout | None:
    if cls in (int, str, bytes):
        return Atom(cls, lambda value: value)
    if cls is float:
        return Atom(cls, lambda value: struct.pack("<d", value))
    if cls in SINGLETONS or issubclass(cls, (enum.Enum, *IDENTITY_TYPES)):
        return Atom(cls, id)
    if cls is re.Pattern:
        return Atom(cls, lambda value: (value.pattern, value.flags))
    if issubclass(cls, VALUE_TYPES) and not _has_own_fields(cls):
        return Atom(cls, repr)
    for base, plain in PLAIN_BASES:
        if issubclass(cls, base) and not _has_own_fields(cls):
            return Atom(cls, plain)
    return None


def _has_own_fields(cls: type) -> bool:
    """Tell whether a class derived from a value type adds fields in Python."""
    if not cls.__flags__ & HEAP_TYPE or cls.__module__ in (
        "pathlib",
        "pathlib._local",
        "uuid",
        "fractions",
        "zoneinfo",
    ):
        return False
    return _dict_getter(cls) is not None or bool(_slot_descriptors(cls))


# -- records ---------------------------------------------------------------------------------------


class Record(Layout):
    """An immutable value that stands for its parts."""

    is_record = True
    unordered: ClassVar[bool] = False
    counted: ClassVar[bool] = True  # its parts count as elements of a container

    def parts(self, value: Any) -> Values:
        """Return the parts of the value."""
        raise NotImplementedError

    def make(self, parts: Values) -> object:
        """Return a value with the parts."""
        raise NotImplementedError


class TupleRecord(Record):
    """A tuple, or a subclass without fields of its own: a named tuple."""

    def parts(self, value: Any) -> Values:
        """Return the items."""
        plain: tuple[Any, ...] = tuple.__getitem__(value, slice(None))
        return plain

    def make(self, parts: Values) -> object:
        """Return the tuple without running its constructor."""
        return tuple.__new__(self.cls, parts)


class FrozensetRecord(Record):
    """A frozenset, or a subclass without fields of its own."""

    unordered = True

    def parts(self, value: Any) -> Values:
        """Return the members in any order."""
        return tuple(frozenset.__iter__(value))

    def make(self, parts: Values) -> object:
        """Return the frozenset without running its constructor."""
        return frozenset.__new__(self.cls, parts)


class MethodRecord(Record):
    """A function bound to its object; a builtin one is bound to its module or to an object, by name."""

    counted = False

    def parts(self, value: Any) -> Values:
        """Return the function (or its name) and the object."""
        return (value.__func__ if self.cls is types.MethodType else value.__name__, value.__self__)

    def make(self, parts: Values) -> object:
        """Return the function bound to the object."""
        function, owner = parts
        return types.MethodType(function, owner) if self.cls is types.MethodType else getattr(owner, function)


class FunctionRecord(Record):
    """A function: its code is an atom; its defaults and the variables it closed over are parts.

    A function that closed over nothing is shared, so that a comparison by identity still holds.
    """

    counted = False

    def parts(self, value: Any) -> Values:
        """Return code, defaults and cells."""
        self.first.setdefault(id(value.__code__), value)
        named = tuple((value.__kwdefaults__ or {}).items())
        return (value.__code__, value.__defaults__, named, *(value.__closure__ or ()))

    def make(self, parts: Values) -> object:
        """Return the function seen first with this code if it fits, or a new one."""
        code, defaults, named, *cells = parts
        first = self.first[id(code)]
        if not cells and defaults == first.__defaults__ and dict(named) == (first.__kwdefaults__ or {}):
            return first
        made = types.FunctionType(code, first.__globals__, first.__name__, defaults, tuple(cells) or None)
        made.__kwdefaults__ = dict(named) or None
        return made

    def __init__(self, cls: type) -> None:
        super().__init__(cls)
        self.first: dict[int, types.FunctionType] = {}  # keeps the code alive, so that its id stays its own


class WeakRecord(Record):
    """A weak reference; a dead one has no parts."""

    counted = False

    def parts(self, value: Any) -> Values:
        """Return the object referred to, if it lives."""
        if value.__callback__ is not None:
            raise OpaqueError("a weak reference with a callback cannot be made again; omit the field that holds it")
        target = value()
        return () if target is None else (target,)

    def make(self, parts: Values) -> object:
        """Return a weak reference to the object, or a dead one."""
        return weakref.ref(parts[0] if parts else _Absent())


def _record(cls: type) -> Layout | None:
    if issubclass(cls, tuple) and not _has_own_fields(cls):
        return TupleRecord(cls)
    if issubclass(cls, frozenset) and not _has_own_fields(cls):
        return FrozensetRecord(cls)
    if cls in (types.MethodType, types.BuiltinFunctionType, types.MethodWrapperType):
        return MethodRecord(cls)
    if cls is types.FunctionType:
        return FunctionRecord(cls)
    return WeakRecord(cls) if cls is weakref.ref else None


# -- nodes -----------------------------------------------------------------------------------------


class Node(Layout):
    """An object with an identity: a flat sequence of values, read and written in place.

    The first values are the fields (`names` in order), the rest are the content of a container. Where both the
    number of fields and the content may vary, the number of fields comes first.
    """

    is_node = True
    fixed_size: bool = False  # always the same number of values
    stride: int = 1  # values per element of the content
    unordered: bool = False  # the order of the content does not count
    counted: bool = False  # instances count against the limit per class
    needs_parts: bool = False  # cannot be made before the objects it holds
    restorable: bool = True  # can be written back in place
    rebuildable: bool = True  # can be made again from its values
    hashes: bool = False  # writing it hashes its values
    is_container: bool = False  # the content counts as elements

    def __init__(self, cls: type) -> None:
        super().__init__(cls)
        self.limit: int | None = None
        self.names: list[str] = []
        self.maker = maker_of(cls)

    def read(self, thing: Any) -> Values:
        """Return the values that are the object's state."""
        raise NotImplementedError

    def write(self, thing: Any, values: Values) -> None:
        """Give the object the values, in place."""
        raise NotImplementedError

    def blank(self, values: Values) -> object:
        """Return a new object of the class, still to be written."""
        del values
        return self.maker(self.cls)

    def content_start(self, values: Values) -> int:
        """Return how many values come before the content."""
        del values
        return 0

    def split(self, values: Values) -> tuple[dict[str, Any], Values]:
        """Return the fields by name, and the values that are no fields."""
        return {}, values

    def joined(self, fields: dict[str, Any], rest: Values) -> Values:
        """Return the values that `split` would take apart again."""
        del fields
        return rest

    def elements(self, values: Values) -> Values:
        """Return the content of a container."""
        return values[self.content_start(values) :]


class Fields:
    """The slots and the instance dictionary of one class, in the order in which names were first seen."""

    __slots__ = ("at_once", "cls", "dictionary", "getters", "hidden", "names", "orders", "positions", "slots")

    def __init__(self, cls: type, limits: Limits, names: list[str]) -> None:
        self.cls = cls
        shown = [slot for slot in _slot_descriptors(cls) if not limits.omits(cls, slot.__name__)]
        self.slots = tuple(shown)
        self.getters = [slot.__get__ for slot in shown]
        self.at_once = _fetcher(cls, self.slots)
        self.dictionary = _dict_getter(cls)
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
        if self.dictionary is None:
            return self._read_slots(thing)
        found = self.dictionary(thing)
        names = (*found,)
        order = self.orders.get(names, ())
        if order == ():
            order = self._learn(names)
        # the usual case: names in the order in which they are known
        values = [*found.values()] if order is None else self._arranged(found, order)
        return [*self._read_slots(thing), *values] if self.slots else values

    def _read_slots(self, thing: Any) -> list[Any]:
        try:
            return [*self.at_once(thing)]
        except AttributeError:
            return [_slot_or_absent(get, thing) for get in self.getters]

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
        wanted = dict(zip(self.names[count:] if count else self.names, values[count:], strict=False))
        found = self.dictionary(thing)
        if id(ABSENT) not in map(id, values) and (not found or found.keys() == wanted.keys()):
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
    found = [inspect.getattr_static(cls, name, None) for name in names]
    if len(names) > 1 and found == [*slots] and _asks_nobody(cls):
        fetch: Callable[[Any], Sequence[Any]] = operator.attrgetter(*names)
        return fetch
    getters = [slot.__get__ for slot in slots]
    return lambda thing: [get(thing) for get in getters]


def _asks_nobody(cls: type) -> bool:
    """Tell whether looking up an attribute of an instance runs no code of the class."""
    plain: object = object.__getattribute__
    return cls.__getattribute__ is plain and not hasattr(cls, "__getattr__")


def _slot_or_absent(get: Callable[[Any], Any], thing: Any) -> Any:
    try:
        return get(thing)
    except AttributeError:
        return ABSENT


class ObjectNode(Node):
    """An instance of a class written in Python: its slots and its dictionary."""

    counted = True

    def __init__(self, cls: type, limits: Limits) -> None:
        super().__init__(cls)
        self.fields = Fields(cls, limits, self.names)
        self.fixed_size = self.fields.dictionary is None
        self.read = self.fields.read  # type: ignore[method-assign]  # one call less in the hot loop
        self.write = self.fields.write  # type: ignore[method-assign]

    def split(self, values: Values) -> tuple[dict[str, Any], Values]:
        """Return the fields by name."""
        return self.fields.by_name(values), ()

    def joined(self, fields: dict[str, Any], rest: Values) -> Values:
        """Return the values of fields given by name."""
        del rest
        return self.fields.placed(fields)

    def content_start(self, values: Values) -> int:
        """Return the number of values: all are fields."""
        return len(values)


# -- what Python shows of a class ------------------------------------------------------------------


def _slot_descriptors(cls: type) -> list[types.MemberDescriptorType]:
    """Return the slots of the class and its bases, base first; `__dict__` and `__weakref__` are none of them."""
    return [
        member
        for each in reversed(cls.__mro__)
        if "__slots__" in vars(each)
        for member in vars(each).values()
        if isinstance(member, types.MemberDescriptorType) and member.__objclass__ is each
    ]


def _dict_getter(cls: type) -> Callable[[Any], dict[str, Any]] | None:
    """Return a function that gives the instance dictionary, whatever `__getattribute__` says."""
    if not cls.__dictoffset__:
        return None
    for each in cls.__mro__:
        found = vars(each).get("__dict__")
        if isinstance(found, (types.GetSetDescriptorType, types.MemberDescriptorType)):
            getter: Callable[[Any], dict[str, Any]] = found.__get__
            return operator.attrgetter("__dict__") if _asks_nobody(cls) else getter
    return None


def hidden_bytes(cls: type) -> int:
    """Return how many bytes of an instance are neither its header nor a field that Python shows."""
    pointer = 8 if sys.maxsize > 2**32 else 4
    visible = object.__basicsize__ + pointer * len(_slot_descriptors(cls))
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


def plain_layout(cls: type, limits: Limits) -> Layout | None:
    """Return the layout of a class whose instances are atoms, records or instances with visible fields."""
    found = _atom(cls) or _record(cls)
    if found is not None:
        return found
    return ObjectNode(cls, limits) if hidden_bytes(cls) == 0 else None
