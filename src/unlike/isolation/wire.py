"""What crosses from a copy to its parent: values as bytes, bytes in frames.

Foreign code lives in the copy, so whatever comes from there is only read: unpickling would call what the bytes name.

    pack(("a", 5))                   ->  b'{"tuple":["a",5]}'
    make_frames(b"s", those bytes)   ->  b"unl1" + their length + b"s" + their crc-32 + those bytes

What an exploration found is still pickled by itself and crosses as bytes, of which nothing is known here.

A frame that is not ours (another beginning, a length beyond the bound, a wrong sum) and bytes that are no value are a
`NonsenseError`, and the parent takes that for the death of the copy.
"""

from __future__ import annotations

import binascii
import builtins
import dataclasses
import enum
import fractions
import functools
import json
import struct
import types
import zlib
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from unlike.errors import RecipeError
from unlike.recipe import Name, constructor_arguments, import_name, name_of, public_class

HEAD = struct.Struct("<4sIcI")  # magic, length of the payload, kind, crc-32 of the payload
MAGIC = b"unl1"
MOST_BYTES = 1 << 26  # of one frame: a length beyond it is no length, and would be waited for until memory is full
MORE = b"m"  # the kind of a frame whose payload goes on in the next one
LARGE = 1 << 2_000  # whole numbers beyond it are written in hex: Python refuses to read very long decimals
SEQUENCES: dict[str, type] = {each.__name__: each for each in (list, tuple, set, frozenset)}
ENCODER = json.JSONEncoder(separators=(",", ":"))
OURS = "unlike"
# Values of these modules' classes are made again by their classes; see `constructor_arguments`.
STANDARD = ("datetime", "decimal", "fractions", "ipaddress", "pathlib", "uuid", "zoneinfo")


class NonsenseError(Exception):
    """Bytes that no copy of ours has sent."""


class CannotPackError(Exception):
    """A value that cannot cross; the message says which."""


# -- frames ----------------------------------------------------------------------------------------


def make_frames(kind: bytes, payload: bytes) -> Iterator[bytes]:
    """Yield the frames of one message, which is as long as it likes."""
    for start in range(0, max(len(payload), 1), MOST_BYTES):
        part = payload[start : start + MOST_BYTES]
        yield HEAD.pack(MAGIC, len(part), MORE if start + MOST_BYTES < len(payload) else kind, zlib.crc32(part)) + part


class Frames:
    """Puts messages together from the bytes that have come so far."""

    def __init__(self) -> None:
        self.buffer, self.message = bytearray(), bytearray()

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
            if zlib.crc32(payload) != crc:
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
        return ENCODER.encode(_lower(value, numbers, {})).encode()
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


def _lower(value: Any, numbers: Mapping[int, int], names: dict[int, str]) -> Any:
    """Return a value as JSON can write it; `names` are those of things that came before, by their identity."""
    kind = type(value)
    if value is None or kind in (bool, float, str):
        return value
    if kind is int:
        return value if abs(value) < LARGE else {"int": hex(value)}
    if id(value) in numbers:
        return {"known": numbers[id(value)]}
    if kind is bytes:
        return {"bytes": binascii.b2a_base64(value, newline=False).decode()}
    if kind is dict:
        return {"dict": [_lower([*value], numbers, names), _lower([*value.values()], numbers, names)]}
    if kind in SEQUENCES.values():
        items = [_lower(each, numbers, names) for each in value]
        return items if kind is list else {kind.__name__: items}
    if isinstance(value, type | types.FunctionType | types.BuiltinFunctionType):
        if id(value) not in names:
            names[id(value)] = _name_of(value)
        return {"name": names[id(value)]}
    if isinstance(value, enum.Enum):
        tag, cls, parts = "member", kind, [value.name if value.name in kind.__members__ else None, value.value]
    elif is_record(kind):
        tag, cls, parts = "record", kind, _parts_of(value)
    elif kind is fractions.Fraction:
        tag, cls, parts = "standard", kind, [value.numerator, value.denominator]
    elif (arguments := constructor_arguments(value)) is not None and _is_standard(kind):
        tag, cls, parts = "standard", public_class(kind), [*arguments]
    else:
        raise CannotPackError(f"{kind.__module__}.{kind.__qualname__} does not cross to another process")
    return {tag: _lower([cls, *parts], numbers, names)}


def _name_of(thing: object) -> str:
    try:
        name = name_of(thing)
        if import_name(name) is thing:
            return f"{name.module}:{name.qualname}"
    except RecipeError as error:
        raise CannotPackError(str(error)) from None
    raise CannotPackError(f"{name.module}:{name.qualname} is something else than it was")


def _raise(known: Sequence[object], named: dict[str, object], given: dict[str, Any]) -> Any:
    """Return what an object of one key stands for; what is inside it stands there already, what is `named` before."""
    ((tag, inner),) = given.items()
    match tag, inner:
        case "tuple" | "set" | "frozenset", list():
            return SEQUENCES[tag](inner)
        case "int", str():
            return int(inner, 16)
        case "known", int():
            return known[inner]
        case "bytes", str():
            return binascii.a2b_base64(inner, strict_mode=True)
        case "dict", [keys, values]:
            return dict(zip(keys, values, strict=True))
        case "name", str():
            if inner not in named:
                module, _, qualname = inner.partition(":")
                named[inner] = import_name(Name(module, qualname))
            return named[inner]
        case "member", [enum.EnumMeta() as cls, name, value]:
            return cls(value) if name is None else cls.__members__[name]  # several flags together have no name
        case "record", [type() as cls, *parts] if is_record(cls):
            return _make_record(cls, parts)
        case "standard", [type() as cls, *arguments] if _is_standard(cls):
            return cls(*arguments)
    raise NonsenseError(f"{tag!r} stands for nothing")


def _is_standard(cls: type) -> bool:
    return cls.__module__ in STANDARD or cls in (complex, bytearray)


# -- records: what this package defines as data ----------------------------------------------------


def is_record(cls: type) -> bool:
    """Tell whether values of the class cross field by field; of exceptions also those that Python has."""
    if issubclass(cls, BaseException):
        return cls.__module__.partition(".")[0] == OURS or getattr(builtins, cls.__name__, None) is cls
    is_data = dataclasses.is_dataclass(cls) or (issubclass(cls, tuple) and hasattr(cls, "_fields"))
    return is_data and cls.__module__.partition(".")[0] == OURS


def _parts_of(record: Any) -> list[Any]:
    if isinstance(record, BaseException):
        return [record.args, vars(record)]
    if isinstance(record, tuple):
        return list(record)
    return [getattr(record, field.name) for field in dataclasses.fields(record)]


def _make_record(cls: Any, parts: list[Any]) -> Any:
    if issubclass(cls, BaseException):
        error = cls.__new__(cls)
        error.args, given = parts
        vars(error).update(given)
        return error
    if issubclass(cls, tuple):
        return tuple.__new__(cls, parts)
    made = object.__new__(cls)
    for field, part in zip(dataclasses.fields(cls), parts, strict=True):
        object.__setattr__(made, field.name, part)
    return made
