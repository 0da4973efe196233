"""Values that a user gives for fields, types and classes: what stands there instead of what an annotation says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from unlike.errors import SpecError, nearest
from unlike.structure.shapes import Path, Shape, shown_path
from unlike.types import tree

if TYPE_CHECKING:
    from unlike.observe.mentions import Mentions


BESIDE = (0, -1, 1)  # a number itself, and those that lie beside it


@dataclass(frozen=True, slots=True)
class SourceValues:
    """Values that some source mentions, in all and by the name of what they flow into: they stand beside usual ones."""

    values: tuple[object, ...]
    named: tuple[tuple[str, tuple[object, ...]], ...] = ()

    @classmethod
    def of(cls, found: Mentions) -> SourceValues:
        """Return what source mentions as values, by name and in all; numbers with those beside them."""
        named: dict[str, dict[object, None]] = {}
        values: dict[object, None] = {}
        for value, names in (*found.numbers.items(), *found.texts.items()):
            near = [value] if isinstance(value, str) else [value + step for step in BESIDE]
            values |= dict.fromkeys(near)
            for name in names:
                named.setdefault(name, {}).update(dict.fromkeys(near))
        return cls(tuple(values), tuple((name, tuple(each)) for name, each in named.items()))

    def for_part(self, cls: type, name: str) -> tuple[object, ...]:
        """Return the values of a class for what has a name: those that flow into it, or all where none does."""
        flowing = dict(self.named).get(name, ())
        own = tuple(each for each in flowing if type(each) is cls)
        return own or tuple(each for each in self.values if type(each) is cls)

    def annotation(self, cls: object, name: str) -> object:
        """Return the type with the values beside it; nothing where there are none."""
        values = self.for_part(cls, name) if cls in (int, str, bytes) and isinstance(cls, type) else ()
        return cls | Literal[values] if values else None


class GivenTypes:
    """Annotations by the field, the end of a dotted place, or the type (by name, or itself) that they stand for."""

    def __init__(self, given: Mapping[str | type, object]) -> None:
        self.given = dict(given)
        self.used: set[str | type] = set()
        self.open: list[str | type] = []  # what is being read: inside of what stands for int, int is int
        self.seen: dict[str, None] = {}

    def key_of(self, node: tree.TypeNode, path: Path) -> str | type | None:
        """Return under which key something is given for a type at a place."""
        if not self.given:
            return None
        place, cls = shown_path(path).replace("[]", ""), getattr(node, "cls", None)
        self.seen |= dict.fromkeys([each for each in (place.rpartition(".")[2], getattr(cls, "__name__", "")) if each])
        for key in self.given:
            is_place = isinstance(key, str) and bool(path) and f".{place}".endswith(f".{key}")
            if key not in self.open and (is_place or (cls is not None and key in (cls, cls.__name__))):
                return key
        return None

    def shape_of(self, node: tree.TypeNode, path: Path, make: Callable[[object], Shape]) -> Shape | None:
        """Return the shape, made as told, of what is given for a type at a place; nothing if nothing is."""
        key = self.key_of(node, path)
        if key is None:
            return None
        self.used.add(key)
        given = self.given[key]
        if isinstance(given, SourceValues):
            name = shown_path(path).replace("[]", "").rpartition(".")[2]
            given = given.annotation(getattr(node, "cls", None), name)
            if given is None:
                return None
        self.open.append(key)
        try:
            return make(given)
        finally:
            self.open.pop()

    def check(self) -> None:
        """Refuse what stands for nothing in the type: it would have no effect, and say nothing."""
        for key in self.given:
            if key not in self.used:
                name = key if isinstance(key, str) else key.__name__
                raise SpecError(f"literals of {name}: there is no such field or type; {nearest(name, self.seen)}")
