"""Random types in four makes, and what their inputs must show, worked out by brute force."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import enum
import itertools
import random
from collections.abc import Iterator
from typing import Annotated, Literal, NotRequired, TypedDict

import annotated_types
import attrs
import pydantic

from unlike import Matching

Choices = frozenset[tuple[str, str]]


class Size(enum.Enum):
    SMALL = 1
    MEDIUM = 2
    LARGE = 3


@dataclasses.dataclass(frozen=True)
class Kind:
    """A type for a field: its annotation, and the words for its choices with the values that take them."""

    annotation: object
    choices: tuple[str, ...] = ("",)

    def choice(self, value: object) -> str:
        if value is None:
            return "None"
        if isinstance(value, enum.Enum):
            return value.name
        if isinstance(value, list | dict):
            return {0: "empty", 1: "one", 2: "several"}.get(len(value), "most")
        if "int" in self.choices:
            return type(value).__name__
        if "dashed" in self.choices and "-" in str(value):
            return "dashed"
        return repr(value) if repr(value) in self.choices else ("some" if "some" in self.choices else self.choices[0])


INT = Kind(Annotated[int, annotated_types.Ge(1), annotated_types.Le(50)])
TEXT = Kind(Annotated[str, annotated_types.MaxLen(6)])
FLAG = Kind(bool, ("False", "True"))
WORD = Kind(Literal["x", "y", "z"], ("'x'", "'y'", "'z'"))
SIZE = Kind(Size, ("SMALL", "MEDIUM", "LARGE"))
MAYBE = Kind(Annotated[int, annotated_types.Gt(0)] | None, ("some", "None"))
CODE = Kind(Annotated[str, Matching(r"[a-z]{2}(-[0-9]{2})?")], ("plain", "dashed"))
LIST = Kind(list[Annotated[int, annotated_types.Ge(0)]], ("empty", "one", "several", "most"))
DATE = Kind(Annotated[datetime.date, annotated_types.Ge(datetime.date(2024, 1, 1))])
MONEY = Kind(Annotated[decimal.Decimal, annotated_types.Interval(gt=0, le=99)])
EITHER = Kind(int | Annotated[str, annotated_types.MinLen(1)], ("int", "str"))
DICT = Kind(dict[str, bool], ("empty", "one", "several", "most"))
KINDS = [INT, TEXT, FLAG, WORD, SIZE, MAYBE, CODE, LIST, DATE, MONEY, EITHER, DICT]


@dataclasses.dataclass(frozen=True)
class Part:
    """A field: its kind or the structure in it, and whether it may be left out."""

    name: str
    kind: Kind | Structure
    required: bool


@dataclasses.dataclass(frozen=True)
class Structure:
    """Named fields, as every make of class has them."""

    name: str
    parts: tuple[Part, ...]


def random_structure(seed: int, *, depth: int = 1) -> Structure:
    chance = random.Random(seed)

    def made(level: int, name: str) -> Structure:
        parts = []
        for number in range(chance.randint(2, 5 if level == depth else 3)):
            nested = level > 0 and chance.random() < 0.3
            kind = made(level - 1, f"{name}{number}") if nested else chance.choice(KINDS)
            parts.append(Part(f"f{number}", kind, chance.random() < 0.5))
        parts.sort(key=lambda part: not part.required)  # a dataclass wants fields with defaults last
        return Structure(name, tuple(parts))

    return made(depth, "Thing")


# -- four makes ----------------------------------------------------------------------------------------------------


def as_dataclass(structure: Structure) -> type:
    fields = [
        (part.name, annotation(part, as_dataclass))
        if part.required
        else (part.name, annotation(part, as_dataclass), dataclasses.field(default=None))
        for part in structure.parts
    ]
    return dataclasses.make_dataclass(structure.name, fields)


def as_attrs(structure: Structure) -> type:
    fields = {
        part.name: attrs.field(type=annotation(part, as_attrs), default=attrs.NOTHING if part.required else None)
        for part in structure.parts
    }
    return attrs.make_class(structure.name, fields)


def as_pydantic(structure: Structure) -> type:
    fields = {part.name: (annotation(part, as_pydantic), ... if part.required else None) for part in structure.parts}
    return pydantic.create_model(structure.name, **fields)  # type: ignore[call-overload]


def as_typed_dict(structure: Structure) -> type:
    fields = {
        part.name: annotation(part, as_typed_dict) if part.required else NotRequired[annotation(part, as_typed_dict)]  # type: ignore[misc]
        for part in structure.parts
    }
    return TypedDict(structure.name, fields)  # type: ignore[operator,no-any-return]


def annotation(part: Part, make) -> object:  # type: ignore[no-untyped-def]
    return make(part.kind) if isinstance(part.kind, Structure) else part.kind.annotation


MAKES = [as_dataclass, as_attrs, as_pydantic, as_typed_dict]


# -- what must be shown, by brute force ----------------------------------------------------------------------------


def every_skeleton(structure: Structure, prefix: str = "") -> Iterator[Choices]:
    """Yield every combination of choices that an input of the structure can take."""
    columns = []
    for part in structure.parts:
        path = f"{prefix}{part.name}"
        inner: list[Choices] = (
            list(every_skeleton(part.kind, f"{path}."))
            if isinstance(part.kind, Structure)
            else [frozenset({(path, choice)}) for choice in part.kind.choices]
        )
        columns.append(inner if part.required else [frozenset({(path, "absent")}), *inner])
    for row in itertools.product(*columns):
        yield frozenset().union(*row)


def skeleton_of(structure: Structure, data: dict[str, object], prefix: str = "") -> Choices:
    """Return the choices that an input takes, read from its data."""
    found: set[tuple[str, str]] = set()
    for part in structure.parts:
        path = f"{prefix}{part.name}"
        if part.name not in data:
            found.add((path, "absent"))
        elif isinstance(part.kind, Structure):
            inner = data[part.name]
            assert isinstance(inner, dict)
            found |= skeleton_of(part.kind, inner, f"{path}.")
        else:
            found.add((path, part.kind.choice(data[part.name])))
    return frozenset(found)


def pairs_in(skeleton: Choices) -> Iterator[Choices]:
    return (frozenset(pair) for pair in itertools.combinations(sorted(skeleton), 2))
