"""Classes of the standard library that are made from plainer values: complex, Fraction, deque, ZoneInfo, re.Pattern.

Each is made by a call in order. Different arguments give different objects: Fraction takes decimals, as 1/2 and 2/4 are
the same.
"""

from __future__ import annotations

import collections
import collections.abc
import datetime
import decimal
import fractions
import inspect
import io
import ipaddress
import logging
import pathlib
import re
import types
import typing
import zoneinfo
from typing import Protocol

from unlike.structure import shapes
from unlike.types import tree
from unlike.types.leaves import LEAVES
from unlike.types.rules import BoundRule
from unlike.types.stand_ins import AsyncIterating, Awaited, Iterating

MOST_RANGE = 1_000  # numbers in a range, so that a loop over it ends soon
ZONES = ("UTC", "Europe/Paris", "America/New_York", "Asia/Kathmandu")  # no shift, summer time, west, a quarter hour
PATTERNS = ("[a-z]+", "", "a|b", "(?P<year>[0-9]{4})-[0-9]{2}")


class ShapeMaking(Protocol):
    """Who makes shapes of the types inside."""

    def shape(self, node: tree.TypeNode, path: shapes.Path) -> shapes.Shape:
        """Return the shape of a type."""

    def items(self, item: tree.TypeNode, kind: tree.Container, path: shapes.Path) -> shapes.Shape:
        """Return the shape of a container."""

    def mapping(self, key: tree.TypeNode, value: tree.TypeNode, path: shapes.Path) -> shapes.Shape:
        """Return the shape of a dict."""

    def leave_out(self, words: str) -> None:
        """Remember what is not made."""


def in_order(target: object, *parts: tuple[str, shapes.Shape]) -> shapes.Shape:
    """Return the shape of objects that are made by a call with the parts in order."""
    fields = tuple(shapes.Field(name, shape) for name, shape in parts)
    return shapes.NamedFields(fields, shapes.Build("in order", target), closed=True)


def text_matching(pattern: str) -> shapes.Texts:
    """Return the shape of texts that match a pattern."""
    return shapes.Texts(pattern, 0, 64)  # no pattern here asks for more characters


FLOAT, PATH = LEAVES[float], text_matching(r"/?[a-z]+(/[a-z]+)?(\.txt)?")
MINUTES = shapes.Numbers(shapes.CodeLine("timedelta"), -12 * 3600, 14 * 3600, 900)  # zones on Earth, by quarter hours
# made from values of which nothing more is said
SIMPLE: dict[object, shapes.Shape] = {
    complex: in_order(complex, ("real", FLOAT), ("imag", FLOAT)),
    fractions.Fraction: in_order(fractions.Fraction, ("value", LEAVES[decimal.Decimal])),
    bytearray: in_order(bytearray, ("bytes", LEAVES[bytes])),
    memoryview: in_order(memoryview, ("bytes", LEAVES[bytes])),
    range: in_order(range, ("stop", shapes.Numbers(shapes.CodeLine("int"), 0, MOST_RANGE))),
    zoneinfo.ZoneInfo: in_order(zoneinfo.ZoneInfo, ("key", shapes.Constants(ZONES))),
    datetime.tzinfo: in_order(zoneinfo.ZoneInfo, ("key", shapes.Constants(ZONES))),
    datetime.timezone: in_order(datetime.timezone, ("offset", MINUTES)),
    pathlib.PurePosixPath: in_order(pathlib.PurePosixPath, ("path", PATH)),
    pathlib.PureWindowsPath: in_order(pathlib.PureWindowsPath, ("path", PATH)),
    ipaddress.IPv4Network: in_order(ipaddress.IPv4Network, ("network", text_matching(r"10\.[0-9]\.0\.0/(16|24)"))),
    ipaddress.IPv6Network: in_order(ipaddress.IPv6Network, ("network", text_matching(r"2001:db8:[1-9]::/(48|64)"))),
    ipaddress.IPv4Interface: in_order(ipaddress.IPv4Interface, ("address", text_matching(r"10\.0\.0\.[0-9]/(16|24)"))),
    ipaddress.IPv6Interface: in_order(ipaddress.IPv6Interface, ("address", text_matching(r"2001:db8::[1-9]/(48|64)"))),
    io.StringIO: in_order(io.StringIO, ("text", LEAVES[str])),
    io.BytesIO: in_order(io.BytesIO, ("bytes", LEAVES[bytes])),
    typing.TextIO: in_order(io.StringIO, ("text", LEAVES[str])),
    typing.BinaryIO: in_order(io.BytesIO, ("bytes", LEAVES[bytes])),
    logging.Logger: in_order(logging.getLogger, ("name", text_matching("[a-z]{1,8}"))),
}
# what is not made of a class, where that is more than a bound
ONLY: dict[object, str] = {
    zoneinfo.ZoneInfo: f"of all time zones only {', '.join(ZONES)}",
    datetime.tzinfo: f"of all time zones only {', '.join(ZONES)}",
    range: "of all ranges only those that count from 0",
    re.Pattern: f"of all patterns only {len(PATTERNS)}",
    collections.defaultdict: "only without a default_factory",
    collections.ChainMap: "only of one dict",
    collections.abc.Iterator: "of all iterators only those of lists",
    collections.abc.AsyncIterator: "of all iterators only those of lists",
    collections.abc.AsyncIterable: "of all iterators only those of lists",
    collections.abc.Awaitable: "only such as give the same value always",
    collections.abc.Coroutine: "only such as give the same value always",
    typing.IO: "of all files only those in memory",
    typing.TextIO: "of all files only those in memory",
    typing.BinaryIO: "of all files only those in memory",
}
ANYTHING = tree.AnyType("Any")
COUNT = tree.with_rules(tree.PlainType(int), (BoundRule("least", 1, open=False), BoundRule("most", 9, open=False)))


def standard_shape(making: ShapeMaking, node: tree.ClassType, path: shapes.Path) -> shapes.Shape | None:
    """Return the shape of a class of the standard library; nothing for others."""
    cls = node.cls
    first, second = (*node.arguments, ANYTHING, ANYTHING)[:2]
    if cls in ONLY:
        making.leave_out(f"{shapes.shown_path(path)}: {ONLY[cls]}")
    if cls in SIMPLE:
        return SIMPLE[cls]
    if cls is collections.deque:
        return in_order(cls, ("items", making.items(first, "list", path)))
    if cls in (collections.OrderedDict, types.MappingProxyType, collections.ChainMap):
        return in_order(cls, ("items", making.mapping(first, second, path)))
    if cls is collections.Counter:
        return in_order(cls, ("items", making.mapping(first, COUNT, path)))
    if cls is collections.defaultdict:
        items = making.mapping(first, second, path)
        return in_order(cls, ("default_factory", shapes.Constants((None,), "None")), ("items", items))
    if cls is re.Pattern:
        as_bytes = tuple(map(str.encode, PATTERNS))
        chosen = shapes.Constants(as_bytes if first == tree.PlainType(bytes) else PATTERNS)
        return in_order(re.compile, ("pattern", chosen))
    if cls is typing.IO:
        return SIMPLE[io.BytesIO if first == tree.PlainType(bytes) else io.StringIO]
    if cls is collections.abc.Iterator:
        return in_order(Iterating, ("items", making.items(first, "list", path)))
    if cls in (collections.abc.AsyncIterator, collections.abc.AsyncIterable):
        return in_order(AsyncIterating, ("items", making.items(first, "list", path)))
    if cls in (collections.abc.Awaitable, collections.abc.Coroutine):
        result = node.arguments[-1] if node.arguments else ANYTHING
        return in_order(Awaited, ("value", making.shape(result, path)))
    return _derived_shape(making, node, path)


def _derived_shape(making: ShapeMaking, node: tree.ClassType, path: shapes.Path) -> shapes.Shape | None:
    """Return the shape of a class that is made as the built-in class is from which it is derived."""
    cls = node.cls
    made_by: tuple[object, ...] = (cls.__init__, cls.__new__)  # type: ignore[misc]
    if cls.__module__.startswith("pydantic") or hasattr(cls, "__required_keys__"):  # a TypedDict has fields
        return None
    if issubclass(cls, BaseException) and all(each in _C_MADE for each in made_by):
        return in_order(cls, ("message", LEAVES[str]))
    for base in (str, bytes, int, float, decimal.Decimal):
        if issubclass(cls, base) and made_by == (base.__init__, base.__new__):
            return in_order(cls, ("value", LEAVES[base]))
    if issubclass(cls, list | set | frozenset) and not any(isinstance(each, types.FunctionType) for each in made_by):
        return in_order(cls, ("items", making.items((*node.arguments, ANYTHING)[0], "list", path)))
    is_mapping = issubclass(cls, collections.abc.Mapping) and not inspect.isabstract(cls)
    if is_mapping and not any(isinstance(each, types.FunctionType) for each in made_by):
        key, value = (tree.PlainType(str), *node.arguments, ANYTHING)[-3:-1] if node.arguments else (ANYTHING, ANYTHING)
        return in_order(cls, ("items", making.mapping(key, value, path)))
    return None


_C_MADE = {Exception.__init__, BaseException.__init__, Exception.__new__, BaseException.__new__}
