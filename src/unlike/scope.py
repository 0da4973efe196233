"""The bounds of a space, in the user's words, and the limits of one object graph that follow from them.

A `Scope` is what a user says: so many objects of each class, these literals, so many elements. `Limits` is the
part of it that a walk over an object graph can check, object by object.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from unlike.errors import ScopeError

Key = Callable[[object], object]


@dataclass(frozen=True, slots=True)
class Limits:
    """What one object graph may hold, and which parts of it make it different from another.

    `objects` bounds the instances of every class written in Python or derived from a builtin; `objects_of`
    overrides it by class name ("Node" or "shop.lists:Node"). `elements` bounds every container, tuples included.
    Fields whose "name" or "Class.name" matches `omit` do not tell states apart. A class in `keys` is compared by
    the given function of the object alone.
    """

    objects: int | None = None
    objects_of: Mapping[str, int] = field(default_factory=dict)
    elements: int | None = None
    omit: str | None = None
    dict_order: bool = True
    keys: Mapping[type, Key] = field(default_factory=dict)

    def __post_init__(self) -> None:
        bounds = [("objects", self.objects), ("elements", self.elements), *self.objects_of.items()]
        for name, bound in bounds:
            if bound is not None and bound < (0 if name == "elements" else 1):
                raise ScopeError(f"{name}={bound!r} must be at least {0 if name == 'elements' else 1}")
        compiled_pattern(self.omit or "", "omit-fields")

    def most_objects(self, cls: type) -> int | None:
        """Return how many instances of the class a graph may hold."""
        for name in (f"{cls.__module__}:{cls.__qualname__}", cls.__qualname__, cls.__name__):
            if name in self.objects_of:
                return self.objects_of[name]
        return self.objects

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
    try:
        return re.compile(pattern)
    except re.error as error:
        raise ScopeError(f"{name}={pattern!r} is not a regular expression: {error}") from None
