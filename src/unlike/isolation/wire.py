"""What crosses from a copy to its parent: values as bytes, bytes in frames. Nothing that arrives is ever run.

Foreign code lives in the copy, so whatever comes from there is only read: unpickling would call what the bytes name.

    pack(("a", Status(Ending.FOUND)))   ->  b"(" 2 b"s" 1 b"a" b"r" b"n" 19 b"unlike.suite:Status" …
    make_frames(b"s", those bytes)      ->  b"unl1" + their length + b"s" + their crc-32 + those bytes

A frame that is not ours (another beginning, a length beyond the bound, a wrong sum) and bytes that are no value are a
`NonsenseError`, and the parent takes that for the death of the copy.
"""

from __future__ import annotations

import array
import builtins
import dataclasses
import enum
import functools
import struct
import types
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeAlias

from unlike.errors import RecipeError
from unlike.recipe import Name, constructor_arguments, import_name, name_of, public_class

# Plain data; `pack` takes a little more, see there.
Data: TypeAlias = bool | int | float | str | bytes | Sequence["Data"] | Mapping[Any, "Data"] | None

HEAD = struct.Struct("<4sIcI")  # magic, length of the payload, kind, crc-32 of the payload
MAGIC = b"unl1"
MOST_BYTES = 1 << 26  # of one frame: a length beyond it is no length, and would be waited for until memory is full
MORE = b"m"  # the kind of a frame whose payload goes on in the next one
LENGTH, INTEGER, FLOAT = struct.Struct("<I"), struct.Struct("<q"), struct.Struct("<d")
WORDS = range(-(1 << 63), 1 << 63)
SEQUENCES: dict[type, bytes] = {list: b"[", tuple: b"(", set: b"{", frozenset: b"<"}
MADE = {tag[0]: kind for kind, tag in SEQUENCES.items()}
OURS = "unlike"


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
    """Return a value as bytes.

    Besides plain data these cross: sets and arrays; dates, decimals and other standard values; classes and functions,
    by their names; members of enums; dataclasses, named tuples and exceptions of this package, field by field; and
    objects that are `known` to both sides, which stay themselves.
    """
    packer = _Packer(known)
    try:
        packer.put(value)
    except RecursionError:
        raise CannotPackError("a value is nested too deeply") from None
    return bytes(packer.out)


def unpack(data: bytes, known: Sequence[object] = ()) -> Any:
    """Return the value, made without running anything but constructors of standard values."""
    unpacker = _Unpacker(data, known)
    try:
        value = unpacker.take()
    except Exception as error:  # whatever wrong bytes lead to
        raise NonsenseError(f"{type(error).__name__}: {error}") from None
    if unpacker.at != len(data):
        raise NonsenseError("something follows the value")
    return value


class _Packer:
    def __init__(self, known: Sequence[object]) -> None:
        self.out = bytearray()
        self.names: dict[int, int] = {}  # of classes and functions that were written once
        self.numbers = {id(each): number for number, each in enumerate(known)}

    def put(self, value: Any) -> None:
        """Write one value: a letter for its kind, how much follows, and that."""
        kind, out = type(value), self.out
        if kind is int:
            if value in WORDS:
                out += b"i" + INTEGER.pack(value)
            else:
                self.put_bytes(b"I", value.to_bytes(value.bit_length() // 8 + 1, "little", signed=True))
        elif kind is str:
            self.put_bytes(b"s", value.encode("utf-8", "surrogatepass"))
        elif value is None or kind is bool:
            out += b"N" if value is None else b"T" if value else b"F"
        elif id(value) in self.numbers:
            out += b"k" + LENGTH.pack(self.numbers[id(value)])
        elif kind is bytes:
            self.put_bytes(b"b", value)
        elif kind is float:
            out += b"f" + FLOAT.pack(value)
        elif kind in SEQUENCES:
            self.put_all(SEQUENCES[kind], value)
        elif kind is dict:
            self.put_all(b"d", [*value, *value.values()])
        else:
            self.put_object(value)

    def put_bytes(self, tag: bytes, data: bytes) -> None:
        self.out += tag + LENGTH.pack(len(data)) + data

    def put_all(self, tag: bytes, values: Sequence[Any]) -> None:
        if len(values) > 1 and tag in b"[(" and set(map(type, values)) == {int}:  # many numbers are one block of them
            try:
                numbers = array.array("q", values)
            except OverflowError:
                pass
            else:
                self.put_bytes(b"]" if tag == b"[" else b")", numbers.tobytes())
                return
        self.out += tag + LENGTH.pack(len(values))
        for each in values:
            self.put(each)

    def put_object(self, value: Any) -> None:
        cls = type(value)
        if isinstance(value, type | types.FunctionType | types.BuiltinFunctionType):
            self.put_name(value)
        elif isinstance(value, array.array):
            self.put_bytes(b"a" + value.typecode.encode(), value.tobytes())
        elif isinstance(value, enum.Enum):
            self.put_record(b"e", cls, (value.name if value.name in cls.__members__ else None, value.value))
        elif is_record(cls):
            self.put_record(b"r", cls, _values_of(value))
        elif (arguments := constructor_arguments(value)) is not None and cls.__module__ in STANDARD:
            self.put_record(b"v", public_class(cls), arguments)
        else:
            raise CannotPackError(f"{cls.__module__}.{cls.__qualname__} does not cross to another process")

    def put_record(self, tag: bytes, cls: type, values: Sequence[object]) -> None:
        self.out += tag
        self.put_name(cls)
        self.put(tuple(values))

    def put_name(self, thing: object) -> None:
        if id(thing) in self.numbers:
            self.out += b"k" + LENGTH.pack(self.numbers[id(thing)])
            return
        if id(thing) in self.names:
            self.out += b"m" + LENGTH.pack(self.names[id(thing)])
            return
        try:
            name = name_of(thing)
            found = import_name(name)
        except RecipeError as error:
            raise CannotPackError(str(error)) from None
        if found is not thing:
            raise CannotPackError(f"{name.module}:{name.qualname} is something else than it was")
        self.names[id(thing)] = len(self.names)
        self.put_bytes(b"n", f"{name.module}:{name.qualname}".encode())


# Their values are made again by their classes; see `constructor_arguments`.
STANDARD = ("builtins", "datetime", "decimal", "ipaddress", "pathlib", "uuid", "zoneinfo")


class _Unpacker:
    def __init__(self, data: bytes, known: Sequence[object]) -> None:
        self.data, self.known, self.at = data, known, 0
        self.names: list[Any] = []
        self.readers: dict[int, Callable[[], Any]] = {
            ord("N"): lambda: None,
            ord("T"): lambda: True,
            ord("F"): lambda: False,
            ord("i"): functools.partial(self.number, INTEGER),
            ord("f"): functools.partial(self.number, FLOAT),
            ord("I"): lambda: int.from_bytes(self.bytes(), "little", signed=True),
            ord("s"): lambda: self.bytes().decode("utf-8", "surrogatepass"),
            ord("b"): self.bytes,
            ord("k"): lambda: self.known[self.number(LENGTH)],
            ord("d"): self.mapping,
            ord("]"): lambda: self.numbers("q").tolist(),
            ord(")"): lambda: tuple(self.numbers("q")),
            ord("a"): lambda: self.numbers(chr(self.byte())),
            ord("n"): self.name,
            ord("m"): lambda: self.names[self.number(LENGTH)],
            ord("e"): self.member,
            ord("r"): self.record,
            ord("v"): self.standard,
            **{tag: functools.partial(self.sequence, kind) for tag, kind in MADE.items()},
        }

    def take(self) -> Any:
        """Read one value."""
        return self.readers[self.byte()]()

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def number(self, form: struct.Struct) -> Any:
        self.at += form.size
        return form.unpack_from(self.data, self.at - form.size)[0]

    def bytes(self) -> bytes:
        length = self.number(LENGTH)
        self.at += length
        if self.at > len(self.data):
            raise NonsenseError("a value ends early")
        return self.data[self.at - length : self.at]

    def count(self) -> range:
        count = self.number(LENGTH)
        if count > len(self.data) - self.at:  # every value takes a byte at least
            raise NonsenseError("a value ends early")
        return range(count)

    def sequence(self, kind: Callable[[Iterator[Any]], Any]) -> Any:
        return kind(self.take() for _ in self.count())

    def mapping(self) -> dict[Any, Any]:
        values = [self.take() for _ in self.count()]
        half = len(values) // 2
        return dict(zip(values[:half], values[half:], strict=True))

    def numbers(self, typecode: str) -> array.array[Any]:
        return array.array(typecode, self.bytes())

    def name(self) -> Any:
        module, _, qualname = self.bytes().decode().partition(":")
        self.names.append(import_name(Name(module, qualname)))
        return self.names[-1]

    def member(self) -> enum.Enum:
        cls, (name, value) = self.take(), self.take()
        if not isinstance(cls, enum.EnumMeta):
            raise NonsenseError(f"{cls!r} is no enum")
        member: enum.Enum = cls(value) if name is None else cls.__members__[name]  # several flags together have no name
        return member

    def record(self) -> Any:
        cls, values = self.take(), self.take()
        if not isinstance(cls, type) or not is_record(cls):
            raise NonsenseError(f"{cls!r} is no record")
        return _make_record(cls, values)

    def standard(self) -> Any:
        cls, arguments = self.take(), self.take()
        if cls.__module__ not in STANDARD or not isinstance(cls, type) or cls in (type, object):
            raise NonsenseError(f"{cls!r} makes no standard value")
        return cls(*arguments)


# -- records: what this package defines as data ----------------------------------------------------


def is_record(cls: type) -> bool:
    """Tell whether values of the class cross field by field; of exceptions also those that Python has."""
    if issubclass(cls, BaseException):
        return cls.__module__.partition(".")[0] == OURS or getattr(builtins, cls.__name__, None) is cls
    is_data = dataclasses.is_dataclass(cls) or (issubclass(cls, tuple) and hasattr(cls, "_fields"))
    return is_data and cls.__module__.partition(".")[0] == OURS


def _values_of(record: Any) -> tuple[Any, ...]:
    if isinstance(record, BaseException):
        return record.args, vars(record)
    if isinstance(record, tuple):
        return tuple(record)
    return tuple([getattr(record, field.name) for field in dataclasses.fields(record)])


def _make_record(cls: Any, values: tuple[Any, ...]) -> Any:
    if issubclass(cls, BaseException):
        error = cls.__new__(cls)
        error.args, given = values
        vars(error).update(given)
        return error
    if issubclass(cls, tuple):
        return tuple.__new__(cls, values)
    made = object.__new__(cls)
    for field, value in zip(dataclasses.fields(cls), values, strict=True):
        object.__setattr__(made, field.name, value)
    return made
