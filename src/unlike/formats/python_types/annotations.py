"""From an annotation to a shape.

Classes are read once and named, so that types may refer to themselves; in the end all names are unrolled to one
finite shape. What cannot be read is refused with the path to it, the reason and the remedy.
"""

from __future__ import annotations

import collections
import collections.abc
import dataclasses
import datetime
import decimal
import enum
import functools
import ipaddress
import itertools
import operator
import pathlib
import types
import typing
import uuid
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from unlike.errors import SpecError
from unlike.formats.python_types import classes
from unlike.formats.python_types.constraints import constrained, constraints_in
from unlike.formats.python_types.language_values import VALUES, shape_of_value
from unlike.structure.shapes import (
    EACH,
    Build,
    Choice,
    Constants,
    Described,
    Field,
    Fields,
    Items,
    Line,
    Numbers,
    Path,
    Reference,
    Shape,
    Texts,
    shown_path,
)
from unlike.structure.unroll import DEPTH, unroll

INT_LOW, INT_HIGH = -(2**31), 2**31 - 1
REAL = 1_000_000
STR_MOST, PATTERN_MOST, LIST_MOST = 20, 64, 3
DAY = 86_400
MOST_ENUM = 10_000
MOST_FLAGS = 10  # members of a Flag: with more, not all combinations are listed


def _seconds(moment: datetime.datetime) -> int:
    return int((moment - datetime.datetime(1970, 1, 1)).total_seconds())


# What a type without bounds means: the default bounds, stated here and in docs/types.md.
LEAVES: dict[object, Shape] = {
    int: Numbers(Line("int"), INT_LOW, INT_HIGH),
    float: Numbers(Line("float", 2), -REAL * 100, REAL * 100),
    decimal.Decimal: Numbers(Line("decimal", 2), -REAL * 100, REAL * 100),
    bool: Constants((False, True), "bool"),
    str: Texts(None, 0, STR_MOST),
    bytes: Texts(None, 0, STR_MOST, made="bytes"),
    type(None): Constants((None,), "None"),
    None: Constants((None,), "None"),
    datetime.date: Numbers(
        Line("date"), datetime.date(2000, 1, 1).toordinal(), datetime.date(2099, 12, 31).toordinal()
    ),
    datetime.time: Numbers(Line("time"), 0, DAY - 1),
    datetime.datetime: Numbers(
        Line("datetime"),
        _seconds(datetime.datetime(2000, 1, 1)),
        _seconds(datetime.datetime(2099, 12, 31, 23, 59, 59)),
    ),
    datetime.timedelta: Numbers(Line("timedelta"), -365 * DAY, 365 * DAY),
    uuid.UUID: Numbers(Line("uuid"), 0, 2**62 - 1),
    ipaddress.IPv4Address: Numbers(
        Line("ipv4"), int(ipaddress.IPv4Address("1.0.0.1")), int(ipaddress.IPv4Address("223.255.255.254"))
    ),
    ipaddress.IPv6Address: Numbers(
        Line("ipv6"), int(ipaddress.IPv6Address("2001:db8::1")), int(ipaddress.IPv6Address("2001:db8::ffff:ffff"))
    ),
    pathlib.Path: Texts(r"/?[a-z]+(/[a-z]+)?(\.txt)?", 1, PATTERN_MOST, made="path"),
    pathlib.PurePath: Texts(r"/?[a-z]+(/[a-z]+)?(\.txt)?", 1, PATTERN_MOST, made="path"),
}
WEB = Texts(r"https?://example\.(com|org)(/[a-z]{1,8})?(\?[a-z]=[0-9])?", 0, PATTERN_MOST)
EMAIL = Texts(r"[a-z][a-z0-9]{0,9}([._+-][a-z0-9]{1,8})?@example\.(com|org)", 0, PATTERN_MOST)
DATETIME = LEAVES[datetime.datetime]
assert isinstance(DATETIME, Numbers)
PYDANTIC: dict[str, Shape] = {  # given as what pydantic makes them from
    "EmailStr": EMAIL,
    "AnyUrl": WEB,
    "AnyHttpUrl": WEB,
    "HttpUrl": WEB,
    "SecretStr": LEAVES[str],
    "SecretBytes": LEAVES[bytes],
    "NaiveDatetime": DATETIME,
    "AwareDatetime": dataclasses.replace(DATETIME, line=Line("datetime", zone="UTC")),
}
LISTS: dict[object, typing.Literal["list", "set", "frozenset"]] = {
    list: "list",
    collections.abc.Sequence: "list",
    collections.abc.MutableSequence: "list",
    collections.abc.Collection: "list",
    collections.abc.Iterable: "list",
    set: "set",
    collections.abc.MutableSet: "set",
    collections.abc.Set: "frozenset",
    frozenset: "frozenset",
}
DICTS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
WRAPPERS = {"Required", "NotRequired", "Final", "ClassVar", "ReadOnly"}


@dataclass(slots=True)
class ReadType:
    """A type as it was read: its finite shape, the words in its own metadata, and its name."""

    shape: Shape
    name: str
    metadata: tuple[object, ...] = ()
    field_metadata: dict[str, tuple[object, ...]] = field(default_factory=dict)


def shape_of(annotation: object, *, depth: int = DEPTH) -> Shape:
    """Return the finite shape of a type; references to itself are entered again so many times."""
    return read_type(annotation, depth=depth).shape


def read_type(annotation: object, *, depth: int = DEPTH) -> ReadType:
    """Return a type as it was read, with the metadata on it and on its fields.

    A dict from names to annotations is read as a dict of such values: the parameters of a function.
    """
    if type(depth) is not int or depth < 0:
        raise SpecError(f"depth={depth!r} must be an int of at least 0")
    reader = _Reader(depth)
    try:
        if isinstance(annotation, Mapping):
            fields = [classes.ReadField(str(name), each, required=True) for name, each in annotation.items()]
            found = reader.fields(classes.ReadClass(fields, closed=True), (), {})
            return ReadType(unroll(found, reader.definitions, depth), "inputs", (), reader.metadata)
        shape = unroll(reader.read(annotation, ()), reader.definitions, depth)
    except SpecError as error:
        name = name_of_type(annotation)
        if not isinstance(annotation, type) or str(error).startswith((f"{name}:", f"{name}.", "value:")):
            raise
        raise SpecError(f"{name}: {error}") from None
    metadata = annotation.__metadata__ if typing.get_origin(annotation) is typing.Annotated else ()  # type: ignore[attr-defined]
    return ReadType(shape, name_of_type(annotation), tuple(metadata), reader.metadata)


def name_of_type(annotation: object) -> str:
    """Return a type as one would write it, without module names."""
    if annotation is None or annotation is type(None):
        return "None"
    if isinstance(annotation, Described):
        return str(getattr(annotation, "name", annotation))
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return name_of_type(args[0])
    if origin is typing.Literal:
        return f"Literal[{', '.join(map(repr, args))}]"
    if origin in (typing.Union, types.UnionType):
        return " | ".join(map(name_of_type, args))
    name = getattr(origin or annotation, "__name__", None) or repr(annotation)
    if not args:
        return name
    return f"{name}[{', '.join('...' if each is ... else name_of_type(each) for each in args)}]"


def is_alias(annotation: object) -> bool:
    """Tell whether an annotation is a `type` statement, or its twin from typing_extensions, which is another class."""
    return type(annotation).__name__ == "TypeAliasType" and hasattr(annotation, "__type_params__")


class _Reader:
    def __init__(self, depth: int = DEPTH) -> None:
        self.depth = depth
        self.definitions: dict[str, Shape] = {}
        self.metadata: dict[str, tuple[object, ...]] = {}
        self.known: list[tuple[object, str]] = []

    def read(self, annotation: object, path: Path, variables: Mapping[object, object] | None = None) -> Shape:
        """Return the shape of an annotation, with references for classes."""
        variables = variables or {}
        leaf = _hashable(annotation) and LEAVES.get(annotation)
        if leaf:
            return leaf
        if isinstance(annotation, typing.TypeVar):
            return self.variable(annotation, path, variables)
        if isinstance(annotation, typing.NewType):
            return self.read(annotation.__supertype__, path, variables)
        if isinstance(annotation, dataclasses.InitVar):
            return self.read(annotation.type, path, variables)
        if is_alias(annotation):
            return self.named(annotation, path, lambda: self.read(annotation.__value__, path, variables))  # type: ignore[attr-defined]
        if isinstance(annotation, VALUES):
            return shape_of_value(annotation)
        if isinstance(annotation, Described):
            return annotation.shape(self.depth)
        if isinstance(annotation, str | typing.ForwardRef):
            raise refused(
                path, annotation, "is a name that could not be resolved", "define it at the top of its module"
            )
        origin = typing.get_origin(annotation)
        if origin is not None:
            return self.generic(annotation, origin, path, variables)
        if annotation is typing.LiteralString or annotation is typing.AnyStr:
            return LEAVES[str]
        if isinstance(annotation, type):
            return self.cls(annotation, path, variables)
        raise refused(path, annotation, *_why_not(annotation))

    def variable(self, annotation: typing.TypeVar, path: Path, variables: Mapping[object, object]) -> Shape:
        if annotation in variables:
            return self.read(variables[annotation], path, {})
        if annotation.__constraints__:
            return self.union(annotation.__constraints__, path, variables)
        if annotation.__bound__ is not None:
            return self.read(annotation.__bound__, path, variables)
        raise refused(
            path, annotation, "is an open type variable", "give the generic type its arguments, like Box[int]"
        )

    def generic(self, annotation: object, origin: object, path: Path, variables: Mapping[object, object]) -> Shape:
        args = typing.get_args(annotation)
        if origin is typing.Annotated:
            ours = [each for each in annotation.__metadata__ if isinstance(each, VALUES)]  # type: ignore[attr-defined]
            if ours:
                return shape_of_value(ours[-1])  # a value says all there is to say
            shape = self.read(args[0], path, variables)
            return constrained(shape, constraints_in(annotation.__metadata__), path)  # type: ignore[attr-defined]
        if origin in (typing.Union, types.UnionType):
            return self.union(args, path, variables)
        if origin is typing.Literal:
            # 1 and True are equal, and two literals
            return Constants(tuple({(type(each), each): each for each in args}.values()), "literal")
        if getattr(origin, "_name", None) in WRAPPERS:  # from typing, or from typing_extensions
            return self.read(args[0], path, variables)
        if origin in LISTS:
            kind = LISTS[origin]
            if kind != "list":
                _check_hashable(args[0], (*path, EACH), "a set")
            item = self.read(args[0], (*path, EACH), variables)
            return Items(item, 0, LIST_MOST, kind, unique=kind != "list")
        if origin in DICTS:
            return self.mapping(args, path, variables)
        if origin is tuple:
            return self.tuple(args, path, variables)
        if is_alias(origin):
            inner = dict(zip(origin.__type_params__, args, strict=False))  # type: ignore[attr-defined]
            return self.named(annotation, path, lambda: self.read(origin.__value__, path, inner))  # type: ignore[attr-defined]
        if isinstance(origin, type) and origin.__name__ != "Callable":
            return self.cls(origin, path, self.substituted(origin, args, variables), annotation)
        raise refused(path, annotation, *_why_not(origin))

    def substituted(
        self, origin: type, args: tuple[object, ...], variables: Mapping[object, object]
    ) -> dict[object, object]:
        parameters = getattr(origin, "__parameters__", ())
        return {
            each: variables.get(arg, arg) if _hashable(arg) else arg
            for each, arg in zip(parameters, args, strict=False)
        }

    def union(self, args: Iterable[object], path: Path, variables: Mapping[object, object]) -> Shape:
        words: dict[str, int] = {}
        found = []
        for each in args:
            word = name_of_type(each)
            words[word] = words.get(word, 0) + 1
            found.append((word if words[word] == 1 else f"{word} #{words[word]}", self.read(each, path, variables)))
        return Choice(tuple(found))

    def mapping(self, args: tuple[object, ...], path: Path, variables: Mapping[object, object]) -> Shape:
        _check_hashable(args[0], (*path, EACH, "key"), "the keys of a dict")
        key = self.read(args[0], (*path, EACH, "key"), variables)
        value = self.read(args[1], (*path, EACH, "value"), variables)
        pair = Fields((Field("key", key), Field("value", value)), Build("pair"))
        return Items(pair, 0, LIST_MOST, "dict", unique=True)

    def tuple(self, args: tuple[object, ...], path: Path, variables: Mapping[object, object]) -> Shape:
        if len(args) == 2 and args[1] is ...:
            return Items(self.read(args[0], (*path, EACH), variables), 0, LIST_MOST, "tuple")
        parts = (Field(str(index), self.read(each, (*path, str(index)), variables)) for index, each in enumerate(args))
        return Fields(tuple(parts), Build("tuple"))

    def cls(self, cls: type, path: Path, variables: Mapping[object, object], annotation: object = None) -> Shape:
        if issubclass(cls, enum.Enum):
            return _members(cls, path)
        if cls is tuple or cls in LISTS or cls in DICTS:
            raise refused(path, cls, "says nothing of what is in it", f"write {cls.__name__}[int] or the like")
        if cls.__module__.startswith("pydantic") and cls.__name__ in PYDANTIC:
            return PYDANTIC[cls.__name__]
        reader = classes.reader_for(cls)
        if reader is None:
            raise refused(path, cls, *_why_not(cls))
        parameters = getattr(cls, "__parameters__", ())
        if any(each not in variables and not _is_bound(each) for each in parameters):
            raise refused(path, cls, "is generic and open", f"give it its arguments, like {cls.__name__}[int]")
        return self.named(annotation or cls, path, lambda: self.fields(reader(cls), path, variables))

    def named(self, thing: object, path: Path, read: Callable[[], Shape]) -> Shape:
        """Return a reference to what is read once and may refer to itself."""
        del path
        for known, name in self.known:
            if known is thing or known == thing:
                return Reference(name)
        name = name_of_type(thing)
        while name in self.definitions:
            name += "'"
        self.known.append((thing, name))
        self.definitions[name] = Constants((), name)  # until it is read
        self.definitions[name] = read()
        return Reference(name)

    def fields(self, read: classes.ReadClass, path: Path, variables: Mapping[object, object]) -> Shape:
        fields = []
        for each in read.fields:
            inner = (*path, each.name)
            shape = self.read(each.annotation, inner, variables)
            shape = constrained(shape, [*constraints_in(each.metadata), *each.constraints], inner)
            fields.append(Field(each.name, shape, each.required, each.key))
            if not path:
                own = getattr(each.annotation, "__metadata__", ())
                self.metadata[each.name] = (*own, *each.metadata)
        return Fields(tuple(fields), read.build, read.closed)


def _check_hashable(annotation: object, path: Path, where: str) -> None:
    origin = typing.get_origin(annotation) or annotation
    if isinstance(origin, type) and getattr(origin, "__hash__", None) is None:
        remedy = "use frozenset, tuple, or a frozen class"
        raise refused(path, annotation, f"is not hashable and cannot be in {where}", remedy)


def _is_bound(variable: object) -> bool:
    return bool(getattr(variable, "__constraints__", ()) or getattr(variable, "__bound__", None) is not None)


def _members(cls: type[enum.Enum], path: Path) -> Shape:
    members: tuple[object, ...] = tuple(cls)
    if issubclass(cls, enum.Flag):
        return _flags(cls, path)
    if not members:
        raise refused(path, cls, "is an Enum without members", "give it some")
    if len(members) > MOST_ENUM:
        raise refused(path, cls, f"has {len(members):,} members", "cover a part of it with Literal[…]")
    return Constants(members, "enum")


def _flags(cls: type[enum.Flag], path: Path) -> Shape:
    """Return the values of a Flag: none, each member alone, all together, and every other combination."""
    members = list(cls)
    if not members:
        raise refused(path, cls, "is a Flag without members", "give it some")
    shown = [cls(0), *members]
    shown += [functools.reduce(operator.or_, members)] if len(members) > 1 else []
    sizes = range(2, len(members)) if len(members) <= MOST_FLAGS else ()
    mixed = [functools.reduce(operator.or_, some) for size in sizes for some in itertools.combinations(members, size)]
    unlisted = 2 ** len(members) - len(shown) - len(mixed)
    return Constants((*shown, *mixed), "enum", single=len(shown), others="several members", unlisted=unlisted)


def refused(path: Path, annotation: object, reason: str, remedy: str) -> SpecError:
    """Return the error for a type that cannot be read: path, type, reason, remedy."""
    shown = annotation if isinstance(annotation, str) else name_of_type(annotation)
    return SpecError(f"{shown_path(path)}: {shown} {reason}; {remedy}")


def _why_not(annotation: object) -> tuple[str, str]:
    if annotation in (typing.Any, object):
        return "may be anything", "say which types it may be, like int | str"
    if annotation is collections.abc.Callable or annotation is typing.Callable:
        return (
            "is a function type, and functions cannot be generated",
            "give the field a default and init=False, or a Literal",
        )
    if annotation in (typing.Never, typing.NoReturn):
        return "has no value", "remove it"
    return (
        "is not a type whose values can be generated",
        "use a dataclass, attrs class, pydantic model, TypedDict, NamedTuple, Enum or a standard type",
    )


def _hashable(annotation: object) -> bool:
    try:
        hash(annotation)
    except TypeError:
        return False
    return True
