"""What an annotation is, as it was written: a type or a value, an alias, a word around a type, its name; a class.

Built-in types, Enums and containers have nodes of their own; all other classes are names. A class whose own methods
raise when it is looked at is a node as well, which says so: nobody else asks it again.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import datetime
import decimal
import enum
import ipaddress
import pathlib
import re
import types
import typing
import uuid
from collections.abc import Callable, Iterator

from unlike.language.values import VALUES
from unlike.structure.shapes import Described
from unlike.types import tree

PLAIN = {
    int, float, complex, str, bytes, decimal.Decimal, datetime.date, datetime.time, datetime.datetime,
    datetime.timedelta, uuid.UUID, ipaddress.IPv4Address, ipaddress.IPv6Address, pathlib.Path, pathlib.PurePath,
}  # fmt: skip
NOTHING = tree.ListedType((None,), "None")
ITEMS: dict[object, tree.Container] = {
    list: "list",
    collections.abc.Sequence: "list",
    collections.abc.MutableSequence: "list",
    collections.abc.Collection: "list",
    collections.abc.Iterable: "list",
    collections.abc.Container: "list",
    collections.abc.Reversible: "list",
    set: "set",
    collections.abc.MutableSet: "set",
    collections.abc.Set: "frozenset",
    frozenset: "frozenset",
}
MAPPINGS = (dict, collections.abc.Mapping, collections.abc.MutableMapping)
NO_VALUES = (
    "is not a type whose values can be generated",
    "use a dataclass, attrs class, pydantic model, TypedDict, NamedTuple, Enum or a standard type",
)
WRAPPERS = {"Required", "NotRequired", "Final", "ClassVar", "ReadOnly"}


def is_annotation(thing: object) -> bool:
    """Tell whether something stands for a type: a class, list[int], a NewType; and not a value."""
    named = isinstance(thing, type | typing.NewType | typing.TypeVar) or is_alias(thing)
    return named or typing.get_origin(thing) is not None or thing is typing.Any


def is_given_type(thing: object) -> bool:
    """Tell whether something given for a place lists no values itself: an annotation, a value of the language.

    A class of the user's stands for its objects that are found, and is no such thing.
    """
    if isinstance(thing, type):
        return thing in PLAIN or thing is bool or issubclass(thing, enum.Enum)
    return isinstance(thing, VALUES) or is_annotation(thing)


def is_alias(annotation: object) -> bool:
    """Tell whether an annotation is a `type` statement, or its twin from typing_extensions, which is another class."""
    return type(annotation).__name__ == "TypeAliasType" and hasattr(annotation, "__type_params__")


def wrapper_of(annotation: object) -> str | None:
    """Return the word around a type that says something of its place, not of its values, like Required or Final."""
    origin = typing.get_origin(annotation)
    if isinstance(origin, type) and origin.__module__.startswith("sqlalchemy.") and origin.__name__ == "Mapped":
        return "Mapped"
    name = getattr(origin, "_name", None)  # from typing, or from typing_extensions
    return name if name in WRAPPERS else None


def belongs_to_class(annotation: object) -> bool:
    """Tell whether an annotation, resolved or not, is of something that its objects do not hold: ClassVar, InitVar."""
    if annotation is dataclasses.KW_ONLY:
        return True
    text = annotation if isinstance(annotation, str) else str(annotation)
    named = re.match(r"(?:\w+\.)*(\w+)", text)
    return named is not None and named[1] in ("ClassVar", "InitVar", "KW_ONLY")


def type_parameters(cls: type) -> tuple[object, ...]:
    """Return the type variables of a class; those of types.GenericAlias are of its objects, and not its own."""
    found = getattr(cls, "__parameters__", ())
    return found if isinstance(found, tuple) else ()


def has_default(variable: object) -> bool:
    """Tell whether a type variable says what it means where no argument is given."""
    asked = getattr(variable, "has_default", None)
    return callable(asked) and bool(asked())


def what_is_unpacked(annotation: object) -> object | None:
    """Return what is unpacked in `*tuple[X, ...]`, Unpack[tuple[X, ...]] or `*Ts`; nothing for what is not."""
    if getattr(annotation, "__unpacked__", False):
        return annotation
    if typing.get_origin(annotation) is typing.Unpack:
        return typing.get_args(annotation)[0]  # type: ignore[no-any-return]
    return None


def written_name(annotation: object) -> str:
    """Return an annotation as one would write it, without module names and metadata."""
    if annotation is None or annotation is type(None):
        return "None"
    if isinstance(annotation, str | typing.ForwardRef):
        return getattr(annotation, "__forward_arg__", str(annotation))
    if isinstance(annotation, Described):
        return str(getattr(annotation, "name", annotation))
    origin, args = typing.get_origin(annotation), typing.get_args(annotation)
    if origin is typing.Annotated:
        return written_name(args[0])
    if origin is typing.Literal:
        return f"Literal[{', '.join(map(repr, args))}]"
    if origin in (typing.Union, types.UnionType):
        return " | ".join(map(written_name, args))
    named = origin or annotation
    name = class_name(named) if isinstance(named, type) else getattr(named, "__name__", None) or repr(annotation)
    if not args:
        return str(name)
    return f"{name}[{', '.join('...' if each is ... else written_name(each) for each in args)}]"


# -- classes -------------------------------------------------------------------------------------------------------


def class_node(cls: type) -> tree.TypeNode:
    """Return the node of a class without arguments."""
    if fault := find_fault(cls):
        return tree.UnreadableType(class_name(cls), f"cannot be looked at: {fault}", "mend that, or use another type")
    if cls is bool:
        return tree.ListedType((False, True), "bool")
    if cls in PLAIN:
        return tree.PlainType(cls)
    if issubclass(cls, enum.Enum):
        kind = "a Flag" if issubclass(cls, enum.Flag) else "an Enum"
        if not cls.__members__:
            return tree.UnreadableType(cls.__name__, f"is {kind} without members", "give it some")
        return tree.FlagType(cls) if issubclass(cls, enum.Flag) else tree.ListedType(tuple(cls), "enum", cls)
    if cls is tuple:
        return tree.ItemsType(tree.AnyType(), "tuple")
    if cls in ITEMS:
        return tree.ItemsType(tree.AnyType(), ITEMS[cls])
    if cls in MAPPINGS:
        return tree.MappingType(tree.AnyType(), tree.AnyType())
    if cls is type:
        return tree.UnreadableType("type", *why_not(cls), "class", tree.AnyType("object"))
    if cls is types.FunctionType or cls.__name__ == "Callable":
        return tree.UnreadableType(cls.__name__, *why_not(cls), "function", tree.AnyType("Any"))
    return tree.ClassType(cls)


def class_name(cls: type) -> str:
    """Return the name of a class, whatever its metaclass says."""
    return str(type.__dict__["__name__"].__get__(cls))


def find_fault(cls: type) -> str:
    """Return which method of a metaclass, or of the members of an Enum, raises when it is asked; usually none."""
    for name, ask in _questions(cls):
        try:
            ask()
        except (Exception, SystemExit) as error:
            return f"its {name} raises {type(error).__name__}: {error}"
    return ""


def _questions(cls: type) -> Iterator[tuple[str, Callable[[], object]]]:
    if type(cls) is not type:
        yield "metaclass's __hash__", lambda: hash(cls)
        yield "metaclass's __eq__", lambda: cls == object  # noqa: E721 - this is what is tried
        yield "metaclass's __repr__", lambda: repr(cls)
        yield "metaclass", lambda: (cls.__name__, cls.__qualname__, cls.__module__, getattr(cls, "_is_protocol", None))
    if not issubclass(cls, enum.Enum):
        return
    yield "metaclass's __members__", lambda: cls.__members__.items()
    yield "metaclass's __iter__", lambda: tuple(cls)
    yield "metaclass's __len__", lambda: len(cls)
    yield "metaclass's __instancecheck__", lambda: isinstance(None, cls)
    yield "metaclass's __subclasscheck__", lambda: issubclass(type(None), cls)
    for each in cls.__members__.values():
        yield "__eq__", lambda each=each: each == each  # type: ignore[misc]
        yield "__hash__", lambda each=each: getattr(each, "__hash__", None) and hash(each)  # type: ignore[misc]
        yield "__repr__", lambda each=each: repr(each)  # type: ignore[misc]
        yield "__getattribute__", lambda each=each: (each.name, each.value)  # type: ignore[misc]


def why_not(annotation: object) -> tuple[str, str]:
    """Return why there are no values of something that is no type to make values of, and the remedy."""
    if annotation is collections.abc.Callable or annotation is typing.Callable or annotation is types.FunctionType:
        return (
            "is a function type, and functions cannot be generated",
            "give the field a default and init=False, or a Literal",
        )
    if annotation in (typing.Never, typing.NoReturn):
        return "has no value", "remove it"
    return NO_VALUES
