"""Containers as plain data, and back: which items they have, and what they are made by."""

from __future__ import annotations

import collections
import enum
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from unlike.invariants.fields.domains import DictOf, Keyed, ListOf, Maker, Mixed, SetOf
from unlike.recipe import CONTAINERS, Argument, Call, Items, Ref, Step, display, name_or_given

Kind: TypeAlias = Literal["list", "tuple", "set", "frozenset", "dict"]
MAKERS = (collections.deque, collections.OrderedDict, collections.Counter, collections.defaultdict)


@dataclass(frozen=True, slots=True)
class ObjectAt:
    """The object of this number."""

    number: int


@dataclass(frozen=True, slots=True)
class Content:
    """A container; the items of a dict are keys and values in turn.

    `kind` says how the items stand in it, `maker` what is made of them, where that is no plain list, tuple or dict.
    """

    kind: Kind
    items: tuple[Any, ...]
    maker: Maker | None = None

    def with_items(self, items: Iterable[Any]) -> Content:
        """Return the same container with other items."""
        return Content(self.kind, tuple(items), self.maker)

    @property
    def name(self) -> str:
        """What it is called."""
        return self.kind if self.maker is None else self.maker.cls.__name__


def content_of(part: ListOf | Mixed | Keyed | SetOf | DictOf, items: Iterable[Any]) -> Content:
    """Return a container of a part of a domain; the items of one with given keys are its values."""
    match part:
        case ListOf():
            return Content("list" if part.kind == "deque" else part.kind, tuple(items), part.maker)
        case Mixed():
            return Content("tuple", tuple(items), part.maker)
        case SetOf():
            return Content(part.kind, tuple(items))
        case Keyed(keys):
            return dict_content(keys, items)
        case DictOf():
            return Content("dict", tuple(items), part.maker)


def dict_content(keys: Iterable[Any], values: Iterable[Any], maker: Maker | None = None) -> Content:
    """Return a dict: keys and values in turn."""
    return Content("dict", tuple(in_turn(keys, values)), maker)


def in_turn(keys: Iterable[Any], values: Iterable[Any]) -> list[Any]:
    """Return keys and values in turn."""
    return [each for pair in zip(keys, values, strict=True) for each in pair]


def make_container(kind: str, items: Sequence[Any], maker: Maker | None = None) -> Any:
    """Return the container itself, of what is in it."""
    content: Any = dict(zip(items[::2], items[1::2], strict=True)) if kind == "dict" else CONTAINERS[kind](items)
    if maker is None:
        return content
    if kind == "tuple":
        return tuple.__new__(maker.cls, content)
    if kind == "list":
        return collections.deque(content, maker.argument)
    if maker.cls is collections.defaultdict:
        return collections.defaultdict(maker.argument, content)
    return maker.cls(content)


def take_apart(value: Any) -> tuple[Kind, list[Any], Maker | None] | None:
    """Return how a container is laid out, what is in it, and what made it; nothing for what is no container.

    A class derived from one is taken for what it is derived from, unless it is a named tuple.
    """
    match value:
        case list():
            return "list", list(list.__iter__(value)), None
        case tuple():
            named = type(value) is not tuple and isinstance(getattr(type(value), "_fields", None), tuple)
            return "tuple", list(tuple.__iter__(value)), Maker(type(value)) if named else None
        case frozenset():
            return "frozenset", list(value), None
        case set():
            return "set", list(set.__iter__(value)), None
        case collections.deque():
            return "list", list(collections.deque.__iter__(value)), Maker(collections.deque, value.maxlen)
        case dict():
            items = [part for pair in dict.items(value) for part in pair]
            return "dict", items, _maker_of_dict(value)
    return None


def _maker_of_dict(value: dict[Any, Any]) -> Maker | None:
    if isinstance(value, collections.defaultdict):
        return Maker(collections.defaultdict, value.default_factory)
    cls = next((each for each in (collections.OrderedDict, collections.Counter) if isinstance(value, each)), None)
    return None if cls is None else Maker(cls)


def in_order(value: Any) -> tuple[Any, ...]:
    """Return where a member of a set, or a key, stands: None, ints by size, other values, objects, containers."""
    match value:
        case None:
            return (0,)
        case enum.Enum():
            return (2, type(value).__name__, value.name)
        case int() if type(value) is int:
            return (1, value)
        case ObjectAt(number):
            return (3, number)
        case Content(_, items):
            return (4, value.name, len(items), *map(in_order, items))
    return (2, type(value).__name__, repr(value))


def argument_of(content: Content, items: tuple[Argument, ...], steps: list[Step]) -> Argument:
    """Return a container as an argument of a step: a display, or the result of the call that makes it."""
    if content.maker is None:
        return Items(content.kind, items)
    function = name_or_given(content.maker.cls)
    kwargs: tuple[tuple[str, Argument], ...] = ()
    args: tuple[Argument, ...] = (Items(content.kind, items),) if items else ()
    if content.kind == "tuple":
        args = items
    elif content.maker.cls is collections.defaultdict:
        factory = content.maker.argument
        args = (None if factory is None else name_or_given(factory), *args)
    elif content.maker.argument is not None:
        kwargs = (("maxlen", content.maker.argument),)
    steps.append(Call(function, args, kwargs))
    return Ref(len(steps) - 1)


def describe_content(content: Content, items: Sequence[str]) -> str:
    """Return a container as Python writes it, from the texts of its items."""
    maker = content.maker
    if maker is None:
        return display(content.kind, items)
    if content.kind == "tuple":
        names: tuple[str, ...] = maker.cls._fields  # type: ignore[attr-defined]
        return f"{content.name}({', '.join(f'{name}={item}' for name, item in zip(names, items, strict=True))})"
    inside = [display(content.kind, items)] if items else []
    if maker.cls is collections.defaultdict:
        inside.insert(0, str(getattr(maker.argument, "__name__", maker.argument)))
    elif maker.argument is not None:
        inside = [*(inside or ["[]"]), f"maxlen={maker.argument}"]
    return f"{content.name}({', '.join(inside)})"
