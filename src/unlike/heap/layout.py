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

import abc
import datetime
import decimal
import enum
import fractions
import gc
import itertools
import pathlib
import re
import struct
import sys
import types
import uuid
import weakref
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, ClassVar

from unlike.errors import UnlikeError
from unlike.foreign import module_of
from unlike.heap.fields import HEAP_TYPE, Absent, Fields, Values, dict_getter, hidden_bytes, maker_of, slot_descriptors
from unlike.heap.plain import WARM, Code, Encode, code_of
from unlike.scope import Limits

CANNOT_BE_SEEN = "cannot be seen"  # in the words of an OpaqueError of a state


class OpaqueError(UnlikeError):
    """An object whose state cannot be seen: the message names its class and what to declare."""


class Layout:
    """What is state in the instances of one class.

    What is abstract below is so for mypy, which checks every layout that is made: with `abc.ABCMeta` each `isinstance`
    of the walk would run Python code.
    """

    is_node: ClassVar[bool] = False
    rebuilt_exactly: bool = False  # making it again runs no code of the user's
    lengths: dict[int, int] = {}  # noqa: RUF012  # lengths that are kept inside, and how many of each; never changed
    remark: str = ""  # how its instances are compared, where that is worth a word

    def __init__(self, cls: type) -> None:
        self.cls = cls
        self.number = -1  # given by the table that holds it


# -- atoms -----------------------------------------------------------------------------------------


class Atom(Layout):
    """A value with nothing inside; `key` is equal exactly for equal values of equal type."""

    def __init__(self, cls: type, key: Callable[[Any], object]) -> None:
        super().__init__(cls)
        self.key = key


MOST_ORDERS = 120  # in which members are put into a set, so that it goes as another
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
NUMBERS_OF: dict[type, Callable[[Any], object]] = {  # numbers may have more digits than `repr` writes
    fractions.Fraction: lambda value: (value.numerator, value.denominator),
    range: lambda value: (value.start, value.stop, value.step),
}
VALUE_MODULES = ("pathlib", "pathlib._local", "uuid", "fractions", "zoneinfo")  # theirs are in Python
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
SINGLETONS = (type(None), type(Ellipsis), type(NotImplemented), Absent)
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
        return Atom(cls, NUMBERS_OF.get(cls, repr))
    for base, plain in PLAIN_BASES:
        if issubclass(cls, base) and not _has_own_fields(cls):
            return Atom(cls, plain)
    return None


def _has_own_fields(cls: type) -> bool:
    """Tell whether a class derived from a value type adds fields in Python."""
    if not cls.__flags__ & HEAP_TYPE or module_of(cls) in VALUE_MODULES:
        return False
    return dict_getter(cls) is not None or bool(slot_descriptors(cls))


# -- records ---------------------------------------------------------------------------------------


class RecordLayout(Layout):
    """An immutable value that stands for its parts."""

    unordered: ClassVar[bool] = False
    counted: bool = True  # its parts count as elements of a container

    @abc.abstractmethod
    def parts(self, value: Any) -> Values:
        """Return the parts of the value."""

    @abc.abstractmethod
    def make(self, parts: Values) -> object:
        """Return a value with the parts."""


def is_named(cls: type) -> bool:
    """Tell whether tuples of the class have names for their parts: then all of them have the same length."""
    return isinstance(getattr(cls, "_fields", None), tuple) or hasattr(cls, "n_fields")


class TupleRecord(RecordLayout):
    """A tuple, or a subclass without fields of its own: a named tuple, which always has the same length."""

    def __init__(self, cls: type) -> None:
        super().__init__(cls)
        self.counted = not is_named(cls)

    def parts(self, value: Any) -> Values:
        plain: tuple[Any, ...] = tuple.__getitem__(value, slice(None))
        return plain

    def make(self, parts: Values) -> object:
        """Return the tuple without running its constructor."""
        return tuple.__new__(self.cls, parts)


class FrozensetRecord(RecordLayout):
    """A frozenset, or a subclass without fields of its own."""

    unordered = True

    def parts(self, value: Any) -> Values:
        return tuple(frozenset.__iter__(value))

    def make(self, parts: Values) -> object:
        """Return the frozenset without running its constructor."""
        return frozenset.__new__(self.cls, parts)


class OrderedFrozensetRecord(FrozensetRecord):
    """A frozenset where the order in which it is gone through counts."""

    unordered = False

    def make(self, parts: Values) -> object:
        """Return a frozenset that goes in this order, if there is a way to make it so."""
        for each in ways_to_fill(parts):
            made: Any = super().make(each)
            if goes_as(frozenset.__iter__(made), parts):
                return made
        return super().make(parts)


def ways_to_fill(members: Sequence[Any]) -> Iterator[Sequence[Any]]:
    """Yield orders in which to put members into a set: as they come, then others, in some of which it may go so."""
    return itertools.islice(itertools.permutations(members), MOST_ORDERS)


def goes_as(found: Iterable[Any], members: Sequence[Any]) -> bool:
    """Tell whether a set goes in the order of the members."""
    return all(one is other for one, other in zip(found, members, strict=True))


class MethodRecord(RecordLayout):
    """A function bound to its object; a builtin one is bound to its module or to an object, by name."""

    counted = False

    def parts(self, value: Any) -> Values:
        return (value.__func__ if self.cls is types.MethodType else value.__name__, value.__self__)

    def make(self, parts: Values) -> object:
        function, owner = parts
        return types.MethodType(function, owner) if self.cls is types.MethodType else getattr(owner, function)


class FunctionRecord(RecordLayout):
    """A function: its code is an atom; its defaults and the variables it closed over are parts.

    A function that closed over nothing is shared, so that a comparison by identity still holds.
    """

    counted = False

    def parts(self, value: Any) -> Values:
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


class WeakRecord(RecordLayout):
    """A weak reference, and what it calls when its object dies; a dead one has no parts."""

    counted = False

    def parts(self, value: Any) -> Values:
        target, callback = value(), value.__callback__
        if callback is not None and target is not None:
            return (target, callback)
        return () if target is None else (target,)

    def make(self, parts: Values) -> object:
        return weakref.ref(*(parts or (Absent(),)))


class ViewRecord(RecordLayout):
    """The keys, values or items of a dict, or a mapping that cannot be written: it shows what the mapping holds."""

    counted = False

    def parts(self, value: Any) -> Values:
        return gc.get_referents(value)[:1]

    def make(self, parts: Values) -> object:
        return VIEWS[self.cls](parts[0])


VIEWS: dict[type, Callable[[Any], object]] = {
    type({}.keys()): dict.keys,
    type({}.values()): dict.values,
    type({}.items()): dict.items,
    types.MappingProxyType: types.MappingProxyType,
}


def _record(cls: type, limits: Limits) -> Layout | None:
    if cls in VIEWS:
        return ViewRecord(cls)
    if issubclass(cls, tuple) and not _has_own_fields(cls):
        return TupleRecord(cls)
    if issubclass(cls, frozenset) and not _has_own_fields(cls):
        return OrderedFrozensetRecord(cls) if limits.set_order else FrozensetRecord(cls)
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
    made_alone: bool = False  # `blank` needs none of the values
    made_early: bool = False  # `blank` needs values, but not what the nodes among them hold (none, if `needs_parts`)
    quiet: bool = False  # reading it runs no code of the user's, though it cannot be written back in place
    restorable: bool = True  # can be written back in place
    hashes: bool = False  # writing it hashes its values
    is_container: bool = False  # the content counts as elements
    holds_values: bool = False  # what is read is held by the object itself
    encode: Encode | None = None  # writes the values of an object, or says no and leaves it to `read`
    code: Code | None = None  # for the usual objects of the class, once it is made

    def __init__(self, cls: type) -> None:
        super().__init__(cls)
        self.limit: int | None = None
        self.most = sys.maxsize  # the limit, as a number in any case
        self.names: list[str] = []
        self.maker = maker_of(cls)

    @abc.abstractmethod
    def read(self, thing: Any) -> Values:
        """Return the values that are the object's state."""

    @abc.abstractmethod
    def write(self, thing: Any, values: Values) -> None:
        """Give the object the values, in place."""

    def blank(self, values: Values) -> object:
        """Return a new object of the class, still to be written."""
        del values
        return self.maker(self.cls)

    def content_start(self, values: Values) -> int:
        """Return how many values come before the content."""
        del values
        return 0

    def split(self, values: Values) -> tuple[dict[str, object], Values]:
        """Return the fields by name, and the values that are no fields."""
        return {}, values

    def join(self, fields: dict[str, object], rest: Values) -> Values:
        """Return the values that `split` would take apart again."""
        del fields
        return rest


class ObjectNode(Node):
    """An instance of a class written in Python: its slots and its dictionary."""

    counted = True
    holds_values = True
    rebuilt_exactly = True

    def __init__(self, cls: type, limits: Limits) -> None:
        super().__init__(cls)
        self.fields = Fields(cls, limits, self.names)
        self.fixed_size = self.fields.dictionary is None
        self.read = self.fields.read  # type: ignore[assignment,method-assign]  # one call less in the hot loop
        self.write = self.fields.write  # type: ignore[method-assign]
        self.encode = self._warm_up
        self.met = 0

    def _warm_up(self, *_: Any) -> bool:
        """Say no to the first objects of the class, then get code for it."""
        self.met += 1
        if self.met >= WARM:
            self.code = code_of(self.fields)
            self.encode = None if self.code is None else self.code.encode
        return False

    def read(self, thing: Any) -> Values:
        return self.fields.read(thing)

    def write(self, thing: Any, values: Values) -> None:
        self.fields.write(thing, values)

    def split(self, values: Values) -> tuple[dict[str, object], Values]:
        return self.fields.by_name(values), ()

    def join(self, fields: dict[str, object], rest: Values) -> Values:
        del rest
        return self.fields.list_values(fields)

    def content_start(self, values: Values) -> int:
        return len(values)


def plain_layout(cls: type, limits: Limits) -> Layout | None:
    """Return the layout of a class whose instances are atoms, records or instances with visible fields."""
    return _atom(cls) or _record(cls, limits) or (ObjectNode(cls, limits) if hidden_bytes(cls) == 0 else None)
