"""What users see of a value, as plain data: two values are alike exactly where their views are equal.

Plain values count with their types, containers by what they hold, iterators by what they give, objects of the code
under test by their public attributes, items and text, whatever they keep to themselves. Other objects count by their
own `==`, or where they have none like those of the code under test. What shows nothing of itself is named.
"""

from __future__ import annotations

import collections
import datetime
import decimal
import enum
import fractions
import functools
import itertools
import re
import types
import uuid
from collections.abc import Callable, ItemsView, Iterable, Iterator, KeysView, Mapping, Set, ValuesView
from dataclasses import dataclass, field
from typing import Any

from unlike.classes.evidence import HangError
from unlike.classes.public import may_change
from unlike.classes.sight import defines
from unlike.foreign import bases_of, is_of, name_of_class, text_of

MOST_ITEMS = 100  # that are taken from an iterator: it may have no end
MOST_HELD = 10_000  # items of a container that are looked at
DEEPEST = 8  # objects within objects
LONGEST = 80  # characters of a value that is shown
ADDRESS = re.compile(r"\b0x[0-9a-fA-F]{6,}")
PLAIN = (type(None), bool, int, str, bytes, complex, range, slice, type(NotImplemented), type(Ellipsis))
BY_VALUE = (
    *(decimal.Decimal, fractions.Fraction, datetime.date, datetime.time, datetime.timedelta, datetime.tzinfo),
    *(uuid.UUID, bytearray, memoryview, re.Pattern),
)
MAPS = (dict, collections.OrderedDict, collections.Counter, collections.defaultdict, types.MappingProxyType)
ROWS = (list, tuple, collections.deque)
SETS = (set, frozenset)
FUNCTIONS = (types.FunctionType, types.BuiltinFunctionType, types.MethodType, functools.partial, types.ModuleType)
View = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class SameValue:
    """A value that says itself what it equals."""

    value: Any

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, SameValue) or type(self.value) is not type(other.value):
            return False
        try:
            return bool(self.value == other.value)
        except Exception:  # an array that does not say
            return repr(self.value) == repr(other.value)

    def __hash__(self) -> int:
        return hash(type(self.value))


@dataclass(slots=True)
class Viewer:
    """Looks at values of one of two versions."""

    key_of: Callable[[type], str]  # what a class is called, the same for both versions of it
    is_own: Callable[[type], bool]  # of the code under test
    names: Mapping[str, str] = field(default_factory=dict)  # of classes that have another name in the other version
    dict_order: bool = True
    omits: Callable[[type, str], bool] = lambda _cls, _name: False  # attributes that are not compared
    unseen: dict[str, None] = field(default_factory=dict)  # classes that show nothing

    def see(self, value: Any, above: tuple[int, ...] = ()) -> View:
        """Return the view of a value; `above` are the objects that it is inside of."""
        cls = type(value)
        if cls is float:
            return "float", "nan" if value != value else value + 0.0  # 0.0 and -0.0 are equal
        if cls in PLAIN:
            return cls.__name__, self.normal(value) if cls is str else value
        if id(value) in above:
            return "again", len(above) - above.index(id(value))
        if len(above) > DEEPEST:
            self.unseen.setdefault(f"what is more than {DEEPEST} objects deep")
            return ("deep inside",)
        inner = (*above, id(value))
        if issubclass(cls, type):
            return "class", self.key_of(value)
        if issubclass(cls, enum.Enum):
            return "member", self.key_of(cls), value.name
        if issubclass(cls, BaseException):
            return "exception", self.key_of(cls), self.see(value.args, inner)
        if cls in FUNCTIONS:
            return "function", getattr(value, "__name__", cls.__name__)
        if cls in (*ROWS, *SETS, *MAPS):
            return cls.__name__, *self.contents(value, inner)
        if isinstance(value, (KeysView, ValuesView, ItemsView)):
            return "view", *self.contents(value, inner)
        if hasattr(cls, "__next__"):
            return "iterator", *self.take_from(value, inner)
        if cls in BY_VALUE or (issubclass(cls, BY_VALUE) and not self.is_own(cls)):
            return self.key_of(cls), SameValue(value)
        return self.object_view(value, inner)

    def normal(self, text: str) -> str:
        """Return a text without addresses, and with the names that classes have in the other version."""
        text = ADDRESS.sub("0x…", text)
        for name, other in self.names.items():
            text = re.sub(rf"\b{re.escape(name)}\b", lambda _, other=other: other, text)  # type: ignore[misc]
        return text

    def contents(self, value: Any, inner: tuple[int, ...]) -> Iterator[Any]:
        """Yield the views of what a container holds."""
        if isinstance(value, Mapping):
            pairs = [(self.see(key, inner), self.see(value[key], inner)) for key in _first(value, MOST_HELD)]
            yield from pairs if self.dict_order else sorted(pairs, key=repr)
        elif isinstance(value, (Set, *SETS)):
            yield from sorted((self.see(each, inner) for each in _first(value, MOST_HELD)), key=repr)
        else:
            yield from [self.see(each, inner) for each in _first(value, MOST_HELD)]

    def take_from(self, iterator: Any, inner: tuple[int, ...]) -> Iterator[Any]:
        """Yield the views of the first things that an iterator gives, and what it raises."""
        try:
            for each in itertools.islice(iterator, MOST_ITEMS):
                yield self.see(each, inner)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # the code under test may raise anything
            if is_of(error, HangError):
                raise
            yield "raises", self.key_of(type(error))

    def object_view(self, value: Any, inner: tuple[int, ...]) -> View:
        """Return the view of an object: items, attributes and text of one of the code under test; else its `==`."""
        cls = type(value)
        own = self.is_own(cls)
        if not own and isinstance(value, Iterable) and hasattr(cls, "__len__"):
            return self.key_of(cls), *self.contents(value, inner)
        if not own and defines(cls, "__eq__"):
            return self.key_of(cls), SameValue(value)
        parts = list(self.attributes(value, inner))
        if isinstance(value, Iterable):
            parts.append(("items", *self.items_of(value, inner)))
        if own and defines(cls, "__repr__"):
            parts.append(("text", self.answer(repr, value, inner)))
        if not parts and not own:
            self.unseen.setdefault(name_of_class(cls))
        return self.key_of(cls), *parts

    def items_of(self, value: Any, inner: tuple[int, ...]) -> list[Any]:
        """Return the views of the items of an object."""
        try:
            is_sorted = isinstance(value, (Set, set, frozenset))
            found = list(self.take_from(iter(value), inner))
            return sorted(found, key=repr) if is_sorted else found
        except Exception as error:
            return [("raises", self.key_of(type(error)))]

    def attributes(self, value: Any, inner: tuple[int, ...] = ()) -> Iterator[tuple[str, Any]]:
        """Yield the public attributes of an object, each with its view; asking for none of them changes it."""
        inner = inner or (id(value),)
        for name in [name for name in public_attributes(value) if not self.omits(type(value), name)]:
            yield name, self.answer(lambda thing, name=name: getattr(thing, name), value, inner)  # type: ignore[misc]

    def answer(self, ask: Callable[[Any], object], value: Any, inner: tuple[int, ...]) -> View:
        """Return the view of what is answered, or raised."""
        try:
            return self.see(ask(value), inner)
        except KeyboardInterrupt:
            raise
        except BaseException as error:  # the code under test may raise anything
            if is_of(error, HangError):
                raise
            return "raises", self.key_of(type(error))

    def see_error(self, error: BaseException, *, messages: bool) -> View:
        """Return the view of an exception that was raised."""
        return self.key_of(type(error)), self.normal(text_of(error)) if messages else ""


def _first(items: Iterable[Any], most: int) -> Iterator[Any]:
    return itertools.islice(iter(items), most)


def public_attributes(value: Any) -> list[str]:
    """Return the names of the attributes that users of an object read: fields, and properties that only read."""
    cls: type = type(value)
    names = _attributes_of_class(cls)
    own = [name for name in getattr(value, "__dict__", ()) if isinstance(name, str) and not name.startswith("_")]
    return sorted({*names, *own}) if own else list(names)


@functools.lru_cache(maxsize=1_000)
def _attributes_of_class(cls: type) -> tuple[str, ...]:
    """Return the public attributes that a class declares: slots, plain values, and properties that only read."""
    names: dict[str, None] = {}
    for base in reversed(bases_of(cls)[:-1]):
        if base.__module__ == "builtins":
            continue
        for name, member in vars(base).items():
            is_data = isinstance(member, (types.MemberDescriptorType, *PLAIN, float, tuple, list, dict, set, frozenset))
            if is_data or (isinstance(member, property) and not may_change(member.fget)):
                names.setdefault(name)
    return tuple(sorted(name for name in names if not name.startswith("_")))


def shorten(value: object) -> str:
    """Return a value as it is shown in words."""
    try:
        text = ADDRESS.sub("0x…", repr(value))
    except Exception:
        return f"a {name_of_class(type(value))}"
    return text if len(text) <= LONGEST else f"{text[:LONGEST]}…"
