"""What crosses from a copy to its parent: values as bytes, bytes in frames.

Foreign code lives in the copy, so whatever comes from there is only read: unpickling would call what the bytes name.

    pack(("a", 5))                   ->  b'{"tuple":["a",5]}'
    make_frames(b"s", those bytes)   ->  b"unl1" + their length + b"s" + their crc-32 + those bytes

Classes, functions, modules and code are named, since both processes have them (`both_have`); what only the copy has
does not cross.

A frame that is not ours (another beginning, a length beyond the bound, a wrong sum) and bytes that are no value are a
`NonsenseError`, and the parent takes that for the death of the copy.
"""

from __future__ import annotations

import binascii
import builtins
import collections
import dataclasses
import datetime
import decimal
import enum
import fractions
import functools
import json
import re
import struct
import types
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from unlike.foreign import module_of
from unlike.isolation.both_have import NAMED, CannotNameError, find_thing, name_thing
from unlike.recipe import constructor_arguments, public_class

HEAD = struct.Struct("<4sIcI")  # magic, length of the payload, kind, crc-32 of the payload
MAGIC = b"unl1"
MOST_BYTES = 1 << 26  # of one frame: a length beyond it is no length, and would be waited for until memory is full
MORE = b"m"  # the kind of a frame whose payload goes on in the next one
LARGE = 1 << 2_000  # whole numbers beyond it are written in hex: Python refuses to read very long decimals
SEQUENCES: dict[str, type] = {each.__name__: each for each in (list, tuple, set, frozenset)}
encode_json = json.JSONEncoder(separators=(",", ":")).encode  # bound here: code under test may replace it
OURS = "unlike"
# Values of these modules' classes are made again by their classes; see `constructor_arguments`.
STANDARD = ("datetime", "decimal", "fractions", "ipaddress", "pathlib", "uuid", "zoneinfo")
# Values of classes that extend these are made by `__new__` of the base, which runs nothing of theirs.
BASES: tuple[type, ...] = (
    int, float, str, bytes, complex, decimal.Decimal,
    datetime.datetime, datetime.date, datetime.time, datetime.timedelta,
)  # fmt: skip
THINGS = ("name", "module", "code", "attribute", "type", "here")  # what `both_have` knows
SINGLES = {id(each): name for name in ("Ellipsis", "NotImplemented") for each in [getattr(builtins, name)]}
UNSET = object()  # a field of a record that has no value yet


class NonsenseError(Exception):
    """Bytes that no copy of ours has sent."""


class CannotPackError(Exception):
    """A value that cannot cross; the message says which."""


# -- frames ----------------------------------------------------------------------------------------


def make_frames(kind: bytes, payload: bytes, key: int = 0) -> Iterator[bytes]:
    """Yield the frames of one message, which is as long as it likes; sums begin with a key that both sides know."""
    for start in range(0, max(len(payload), 1), MOST_BYTES):
        part = payload[start : start + MOST_BYTES]
        head = HEAD.pack(MAGIC, len(part), MORE if start + MOST_BYTES < len(payload) else kind, zlib.crc32(part, key))
        yield head + part


class Frames:
    """Puts messages together from the bytes that have come so far."""

    def __init__(self, key: int = 0) -> None:
        self.key, self.buffer, self.message = key, bytearray(), bytearray()

    def messages(self) -> Iterator[tuple[bytes, bytes]]:
        """Yield kind and payload of every message that is whole."""
        while len(self.buffer) >= HEAD.size:
            magic, length, kind, crc = HEAD.unpack_from(self.buffer)
            if magic != MAGIC or length > MOST_BYTES:
                raise NonsenseError("no frame begins here")
            if len(self.buffer) < HEAD.size + length:
                return
            payload = bytes(memoryview(self.buffer)[HEAD.size : HEAD.size + length])
            del self.buffer[: HEAD.size + length]
            if zlib.crc32(payload, self.key) != crc:
                raise NonsenseError("a frame was changed on its way")
            self.message += payload
            if kind != MORE:
                whole, self.message = bytes(self.message), bytearray()
                yield kind, whole


# -- values ----------------------------------------------------------------------------------------


def pack(value: object, known: Sequence[object] = ()) -> bytes:
    """Return a value as JSON, in which an object of one key stands for what JSON lacks.

        ("a", {1: b"x"}, Status(Ending.FOUND))
        {"tuple": ["a", {"dict": [[1], [{"bytes": "eA=="}]]}, {"record": [{"name": "unlike.suite:Status"}, …]}]}

    Besides plain data these cross: dates, decimals and other standard values; classes and functions, by their names;
    members of enums; dataclasses, named tuples and exceptions of this package, field by field; and objects that are
    `known` to both sides, which stay themselves.
    """
    numbers = {id(each): number for number, each in enumerate(known)}
    try:
        return encode_json(_lower(value, numbers, {})).encode()
    except RecursionError:
        raise CannotPackError("a value is nested too deeply") from None


def unpack(data: bytes, known: Sequence[object] = ()) -> Any:
    """Return the value.

    Classes and functions are imported by name, as by recipes; standard values are made by their constructors, records
    field by field. Nothing else that the bytes name is called.
    """
    try:
        return json.loads(data, object_hook=functools.partial(_raise, known, {}))
    except Exception as error:  # whatever wrong bytes lead to
        raise NonsenseError(f"{type(error).__name__}: {error}") from None


def _lower(value: Any, numbers: Mapping[int, int], names: dict[int, Any]) -> Any:
    """Return a value as JSON can write it; `names` are those of things that came before, by their identity."""
    kind: Any = type(value)
    if value is None or kind in (bool, float, str):
        return value
    if kind is int:
        return value if -LARGE < value < LARGE else {"int": hex(value)}
    if id(value) in numbers:
        return {"known": numbers[id(value)]}
    if kind is tuple or kind is list or kind is set or kind is frozenset:
        items = [
            each if type(each) is int and -LARGE < each < LARGE else _lower(each, numbers, names) for each in value
        ]
        return items if kind is list else {kind.__name__: items}
    if kind is dict or kind is collections.Counter:
        lowered = [_lower([*value], numbers, names), _lower([*value.values()], numbers, names)]
        return {"dict" if kind is dict else "counter": lowered}
    if kind is bytes:
        return {"bytes": binascii.b2a_base64(value, newline=False).decode()}
    if issubclass(kind, NAMED):
        if id(value) not in names:
            names[id(value)] = _name(value, numbers, names)
        return names[id(value)]
    if issubclass(kind, enum.Enum):
        name = value._name_ if value._name_ in kind._member_map_ else None
        return {"member": [_lower(kind, numbers, names), name, _lower(value._value_, numbers, names)]}
    if is_record(kind):
        return {"record": [_lower(each, numbers, names) for each in (kind, *_parts_of(value))]}
    if value is UNSET:
        return {"unset": None}
    tag, parts = _take_apart(value, kind)
    return {tag: _lower([*parts], numbers, names)}


def _name(thing: Any, numbers: Mapping[int, int], names: dict[int, Any]) -> dict[str, Any]:
    try:
        tag, inner = name_thing(thing)
    except CannotNameError as error:
        raise CannotPackError(str(error)) from None
    return {tag: _lower(inner, numbers, names)}


def _take_apart(value: Any, kind: type) -> tuple[str, tuple[Any, ...]]:
    """Return what stands for a value of the standard library, and its parts."""
    if kind is fractions.Fraction:
        return "standard", (kind, value.numerator, value.denominator)
    if kind is range:
        return "standard", (kind, value.start, value.stop, value.step)
    if kind is types.GenericAlias:
        return "alias", types.GenericAlias.__reduce__(value)[1]  # type: ignore[return-value]
    if kind is re.Pattern:
        return "pattern", (value.pattern, value.flags)
    if kind is datetime.timezone:
        return "standard", (kind, *value.__getinitargs__())
    if id(value) in SINGLES:
        return "single", (SINGLES[id(value)],)
    if _is_standard(kind) and (arguments := constructor_arguments(value)) is not None:
        return "standard", (public_class(kind), *arguments)
    base = next((each for each in BASES if issubclass(kind, each)), None)
    if base is not None and (arguments := _base_arguments(value, base)) is not None:
        return "derived", (kind, base, dict(getattr(value, "__dict__", ())), *arguments)
    raise CannotPackError(f"{module_of(kind)}.{kind.__qualname__} does not cross to another process")


def _base_arguments(value: Any, base: Any) -> tuple[object, ...] | None:
    """Return what to pass to `__new__` of the base for the same value; nothing of the class itself is asked."""
    if base in (int, float):
        return (base.__pos__(value),)
    if base in (str, bytes):
        return (base.__getitem__(value, slice(None)),)
    return (decimal.Decimal.__str__(value),) if base is decimal.Decimal else constructor_arguments(value)


def _raise(known: Sequence[object], named: dict[str, object], given: dict[str, Any]) -> Any:
    """Return what an object of one key stands for; what is inside it stands there already, what is `named` before."""
    ((tag, inner),) = given.items()
    match tag, inner:
        case "tuple" | "set" | "frozenset", list():
            return SEQUENCES[tag](inner)
        case "int", str():
            return int(inner, 16)
        case "known", int() if 0 <= inner < len(known):
            return known[inner]
        case "bytes", str():
            return binascii.a2b_base64(inner, strict_mode=True)
        case "dict" | "counter", [keys, values]:
            pairs = dict(zip(keys, values, strict=True))
            return pairs if tag == "dict" else collections.Counter(pairs)
        case "name", str():
            if inner not in named:
                named[inner] = find_thing(tag, inner)
            return named[inner]
        case "member", [enum.EnumMeta() as cls, name, value]:
            return cls(value) if name is None else cls._member_map_[name]  # several flags together have no name
        case "record", [type() as cls, *parts] if is_record(cls):
            return _make_record(cls, parts)
        case "unset", None:
            return UNSET
    return find_thing(tag, inner) if tag in THINGS else _put_together(tag, inner)


def _put_together(tag: str, inner: Any) -> Any:
    match tag, inner:
        case "standard", [type() as cls, *arguments] if _is_standard(cls):
            return cls(*arguments)
        case "derived", [type() as cls, type() as base, dict() as attributes, *rest] if base in BASES:
            return _make_derived(cls, base, attributes, rest)
        case "alias", [type() as cls, tuple() as arguments]:
            return types.GenericAlias(cls, arguments)
        case "pattern", [str() | bytes() as pattern, int() as flags]:
            return re.compile(pattern, flags)
        case "single", [str() as name] if name in SINGLES.values():
            return getattr(builtins, name)
    raise NonsenseError(f"{tag!r} stands for nothing")


def _make_derived(cls: Any, base: Any, attributes: dict[str, Any], arguments: list[Any]) -> Any:
    """Return a value of a class that extends the base, whole: with the attributes that its own `__new__` gave it."""
    made = base.__new__(cls, *arguments)
    if attributes:
        object.__getattribute__(made, "__dict__").update(attributes)
    return made


def _is_standard(cls: type) -> bool:
    return module_of(cls) in STANDARD or cls in (complex, bytearray, range)


# -- records: what this package defines as data ----------------------------------------------------


@functools.lru_cache(maxsize=512)
def is_record(cls: Any) -> bool:
    """Tell whether values of the class cross field by field; of exceptions also those that Python has."""
    if issubclass(cls, BaseException):
        return module_of(cls).partition(".")[0] == OURS or getattr(builtins, cls.__name__, None) is cls
    is_data = dataclasses.is_dataclass(cls) or (issubclass(cls, tuple) and hasattr(cls, "_fields"))
    return is_data and module_of(cls).partition(".")[0] == OURS


@functools.lru_cache(maxsize=512)
def _field_names(cls: Any) -> tuple[str, ...]:
    return tuple(field.name for field in dataclasses.fields(cls))


def _parts_of(record: Any) -> list[Any]:
    if isinstance(record, BaseException):
        return [record.args, vars(record)]
    if isinstance(record, tuple):
        return list(record)
    cls: Any = type(record)
    return [getattr(record, name, UNSET) for name in _field_names(cls)]


def _make_record(cls: Any, parts: list[Any]) -> Any:
    if issubclass(cls, BaseException):
        error = cls.__new__(cls)
        error.args, given = parts
        vars(error).update(given)
        return error
    if issubclass(cls, tuple):
        if len(parts) != len(cls._fields):
            raise NonsenseError(f"{len(parts)} parts of {cls.__name__}")
        return tuple.__new__(cls, parts)
    made = object.__new__(cls)
    for name, part in zip(_field_names(cls), parts, strict=True):
        if part is not UNSET:
            object.__setattr__(made, name, part)
    return made
