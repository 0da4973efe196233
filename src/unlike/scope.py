"""The bounds of a space, in the user's words, and the limits of one object graph that follow from them.

A `Scope` is what a user says: so many objects of each class, these literals, so many elements. `Limits` is the
part of it that a walk over an object graph can check, object by object.
"""

from __future__ import annotations

import re
import types
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal, TypeVar

from unlike.errors import ScopeError
from unlike.foreign import module_of

T = TypeVar("T")
Key = Callable[[object], object]
Kept = Mapping[tuple[str, int], int]  # (class, length) of containers -> how many; (class, 0) of objects -> how many


@dataclass(frozen=True, slots=True)
class Scope:
    """How far to look: objects per class, elements per container, literals per type, calls per sequence.

    `literals` overrides what the numbers imply: by type, class or its name (int, "str", Colour), or by parameter
    ("key", "put.key", "Cache.put.key"). A value that is a class stands for every object found of that class.
    """

    objects: int = 3
    objects_of: Mapping[str, int] = field(default_factory=dict)
    elements: int | None = None
    ints: int | None = None
    literals: Mapping[Any, Any] = field(default_factory=dict)
    calls: int | None = None
    # what the classes keep inside, beside what is put in (see `Limits`): found out, not said
    kept: Kept = field(default_factory=dict, metadata={"told": False})

    def __post_init__(self) -> None:
        object.__setattr__(self, "literals", by_name(_table("literals", self.literals)))
        for name, least in (("objects", 1), ("calls", 1), ("elements", 0), ("ints", 0)):
            check_whole(name, getattr(self, name), least=least)
        for name, bound in _table("objects", self.objects_of).items():
            check_whole(f"objects of {name}", bound, optional=False)
        for name, values in self.literals.items():
            if isinstance(values, Mapping):
                raise ScopeError(f"literals of {name}: {values!r} is a table; give a list of values, like [0, 1]")
            if name in PLAIN and isinstance(values, Sequence) and not values:  # a parameter may be left out
                raise ScopeError(f"literals of {name}: the pool is empty; give at least one value, like {name}=0,1")
            some = values[:1] if isinstance(values, range) else values if isinstance(values, list | tuple) else ()
            wrong = [value for value in some if not is_of_type(name, value)]
            if wrong:
                raise ScopeError(f"literals of {name}: {wrong[0]!r} is not of that type; a pool cannot widen a type")

    @property
    def most_elements(self) -> int:
        """How many elements a container may hold: as many as there may be objects, unless said otherwise."""
        return self.objects if self.elements is None else self.elements

    @property
    def most_ints(self) -> int:
        """How many integers are passed as arguments: from 0 on, or the first that a type allows."""
        return self.objects if self.ints is None else self.ints

    def __str__(self) -> str:
        own = "".join(f", {number} of {name}" for name, number in self.objects_of.items())
        calls = "" if self.calls is None else f", at most {self.calls} calls"
        objects = f"{self.objects} objects per class{own}"
        return f"{objects}, the first {self.most_ints} ints, {self.most_elements} elements{calls}{self.kept_inside}"

    @property
    def kept_inside(self) -> str:
        """What the classes keep inside and is not bounded by the rest, in words."""
        words = [
            f"{most} {name.rpartition(':')[2]}" if not length else f"{name.rpartition(':')[2]} of {length}"
            for (name, length), most in self.kept.items()
        ]
        return f", beside what is kept inside ({', '.join(words)})" if words else ""


def is_of_type(name: str, value: object) -> bool:
    """Tell whether a value may be in the pool of a plain type; a class stands for its objects."""
    return name not in OF_TYPE or isinstance(value, type | OF_TYPE[name])


def scope_of(
    scope: int | Scope,
    *,
    objects: Mapping[str, int] | None = None,
    literals: Mapping[Any, Any] | None = None,
    elements: int | None = None,
    calls: int | None = None,
) -> Scope:
    """Return the scope with the bounds that refine it."""
    if not isinstance(scope, Scope) and (type(scope) is not int or scope < 1):
        raise ScopeError(f"scope={scope!r} must be a whole number of at least 1")
    base = scope if isinstance(scope, Scope) else Scope(objects=scope)
    objects, literals = _table("objects", objects or {}), by_name(_table("literals", literals or {}))
    return Scope(
        base.objects,
        {**base.objects_of, **objects},
        base.elements if elements is None else elements,
        base.ints,
        {**base.literals, **literals},
        base.calls if calls is None else calls,
        base.kept,
    )


def by_name(literals: Mapping[Any, T]) -> Mapping[str, T]:
    """Return what is given for names and classes by names alone: a class is called as its module knows it."""
    return {name_of(key) if isinstance(key, type) else key: values for key, values in literals.items()}


def name_of(cls: type) -> str:
    """Return how a class is called in bounds: by its module and name; a builtin one by its name."""
    return cls.__name__ if module_of(cls) == "builtins" else f"{module_of(cls)}:{cls.__qualname__}"


def _table(name: str, given: Mapping[Any, T]) -> Mapping[Any, T]:
    """Return a mapping from names, literals also from classes, or refuse what is none."""
    example = EXAMPLES.get(name, "{'Node': 2}")
    if not isinstance(given, Mapping):
        raise ScopeError(f"{name}={given!r} must be a mapping, like {example}")
    for key in given:
        if not isinstance(key, str) and not (name == "literals" and isinstance(key, type)):
            raise ScopeError(f"{name}={given!r}: {key!r} is not a name; write it as a text, like {example}")
    return given


OF_TYPE: dict[str, type | types.UnionType] = {
    "bool": bool, "bytes": bytes, "complex": int | float | complex, "float": int | float, "int": int, "str": str,
}  # fmt: skip
PLAIN = ("any", "object", *OF_TYPE)  # pools for types
EXAMPLES = {"literals": "{'int': [0, 1]}", "fields": "{'Node.key': '0..9'}"}


def check_table(name: str, value: object) -> None:
    """Refuse what is no mapping from names."""
    if value is not None:
        _table(name, value)  # type: ignore[arg-type]


MOST_NUMBER = 10**18  # of anything that is counted; larger ones are slips, and cost memory merely to look at
MOST_SCOPE = 1_000_000  # objects, ints and elements: these are listed


def check_whole(name: str, value: object, *, least: int = 1, optional: bool = True) -> None:
    """Refuse a bound that is not a whole number of at least so much."""
    if value is None and optional:
        return
    if not isinstance(value, int) or isinstance(value, bool) or value < least:
        raise ScopeError(f"{name}={value!r} must be a whole number of at least {least}")
    if value > MOST_NUMBER:
        raise ScopeError(f"{name}={_shorten_number(value)} is too large; write a number of at most {MOST_NUMBER:,}")


def _shorten_number(number: int) -> str:
    """Return a number in few signs."""
    return str(number) if number < 10**30 else f"about 2**{number.bit_length() - 1}"


def check_seconds(name: str, value: object) -> None:
    """Refuse a time that is not a number of seconds."""
    if value is not None and (type(value) not in (int, float) or not value > 0):  # type: ignore[operator]
        raise ScopeError(f"{name}={value!r} must be a number of seconds above 0")


NO_OTHERS: Literal["none"] = "none"  # among exceptions: no others than those named say that a call was not allowed


def exceptions_in(given: object) -> tuple[type[BaseException] | Literal["none"], ...]:
    """Return the exceptions that say a call was not allowed, or refuse what is not a list of exception classes."""
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise ScopeError(f"preconditions={given!r} must be a list of exception classes, like [ValueError]")
    classes = tuple(given)
    for cls in classes:
        if cls != NO_OTHERS and (not isinstance(cls, type) or not issubclass(cls, BaseException)):
            raise ScopeError(f"preconditions: {cls!r} is not an exception class; give a list like [ValueError]")
    return classes


def plain_values(cls: type, count: int) -> tuple[object, ...] | None:
    """Return the first so many values of a builtin type of plain values; nothing for other classes."""
    letters = [chr(ord("a") + index % 26) * (index // 26 + 1) for index in range(count)]
    match cls.__name__ if module_of(cls) == "builtins" else "":
        case "bool":
            return (False, True)
        case "int" | "object":
            return tuple(range(count))
        case "float" | "complex":
            return tuple(cls(number) for number in range(count))
        case "str":
            return tuple(letters)
        case "bytes":
            return tuple(letter.encode() for letter in letters)
    return None


@dataclass(frozen=True, slots=True)
class Limits:
    """What one object graph may hold, and which parts of it make it different from another.

    `objects` bounds the instances of every class written in Python or derived from a builtin; `objects_of`
    overrides it by class name ("Node" or "shop.lists:Node"). `elements` bounds every container, tuples included.
    Fields whose "name" or "Class.name" matches `omit` do not tell states apart. A class in `keys` is compared by
    the given function of the object alone.

    `kept` is what the classes keep inside, beside what is put in. A container of such a class and length keeps its
    length: it may be longer than `elements`, and counts like an object, with so many beside the bound. Of a class
    with length 0, so many objects are there from the start, beside the bound.
    """

    objects: int | None = None
    objects_of: Mapping[str, int] = field(default_factory=dict)
    elements: int | None = None
    omit: str | None = None
    dict_order: bool = True
    keys: Mapping[type, Key] = field(default_factory=dict)
    set_order: bool = False  # two sets that go in another order are not the same
    kept: Kept = field(default_factory=dict)
    explored: tuple[type, ...] = ()  # of these nothing is left alone: a random generator that is explored is compared

    def __post_init__(self) -> None:
        bounds = [("objects", self.objects), ("elements", self.elements), *self.objects_of.items()]
        for name, bound in bounds:
            if bound is not None and bound < (0 if name == "elements" else 1):
                raise ScopeError(f"{name}={bound!r} must be at least {0 if name == 'elements' else 1}")
        compiled_pattern("" if self.omit is None else self.omit, "omit-fields")

    def most_objects(self, cls: type) -> int | None:
        """Return how many instances of the class a graph may hold."""
        most = self.objects
        for name in (f"{module_of(cls)}:{cls.__qualname__}", cls.__qualname__, cls.__name__):
            if name in self.objects_of:
                most = self.objects_of[name]
                break
        return most if most is None else most + self.kept.get((name_of(cls), 0), 0)

    def kept_lengths(self, cls: type) -> dict[int, int]:
        """Return the lengths that containers of the class keep, and how many of each a graph may hold."""
        name, beside = name_of(cls), self.objects or 0
        return {length: beside + most for (known, length), most in self.kept.items() if known == name and length}

    def omits(self, cls: type, name: str) -> bool:
        """Tell whether the field is left out when states are compared."""
        if self.omit is None:
            return False
        pattern = re.compile(self.omit)
        return any(pattern.fullmatch(text) for text in (name, f"{cls.__name__}.{name}", f"{cls.__qualname__}.{name}"))

    @property
    def faithful(self) -> bool:
        """Whether states that compare equal are equal in every part."""
        return self.omit is None and self.dict_order and not self.keys


@dataclass(frozen=True, slots=True)
class Outside:
    """Why an object graph is outside the limits: the first class or container that is one too many."""

    reason: str

    def __str__(self) -> str:
        return self.reason


def compiled_pattern(pattern: str, name: str) -> re.Pattern[str]:
    """Return the compiled regular expression, or refuse it with its value."""
    if not isinstance(pattern, str):
        raise ScopeError(f"{name}={pattern!r} must be a text: a regular expression")
    try:
        return re.compile(pattern)
    except re.error as error:
        raise ScopeError(f"{name}={pattern!r} is not a regular expression: {error}") from None
