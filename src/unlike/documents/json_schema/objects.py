"""Objects: properties by name, by pattern, and all others; required or not, evaluated or not."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from unlike.documents.json_schema.demands import Demands
from unlike.documents.json_schema.leaves import get_each
from unlike.documents.json_schema.located import MISSING, ContradictionError, Located, SchemaInForce
from unlike.documents.json_schema.patterns import python_pattern
from unlike.structure import shapes
from unlike.types.leaves import LEAVES, LIST_MOST

if TYPE_CHECKING:
    from unlike.documents.json_schema.reader import SchemaReader

DEEP = 3  # lists in lists: further in, one item has to do


@dataclass(frozen=True, slots=True)
class PropertyCount:
    """How many properties there may be."""

    least: int
    most: int | None

    def __call__(self, value: object) -> bool:
        """Tell whether an object keeps it."""
        return isinstance(value, dict) and self.least <= len(value) and (self.most is None or len(value) <= self.most)

    def __str__(self) -> str:
        return f"{self.least} to {'any number of' if self.most is None else self.most} properties"


def object_shape(reader: SchemaReader, place: Demands, path: shapes.Path) -> shapes.Shape:
    """Return the objects that keep all rules at a place."""
    size = PropertyCount(
        max((int(value) for _, value in get_each(place, "minProperties")), default=0),
        min((int(value) for _, value in get_each(place, "maxProperties")), default=None),
    )
    required = dict.fromkeys(name for node in place.nodes for name in node.located.listing("required"))
    if size.most is not None and max(size.least, len(required)) > size.most:
        raise ContradictionError(f"{max(size.least, len(required))} properties are the least, {size.most} the most")
    fields = list(_named_fields(reader, place, required, path))
    possible = list(_others(reader, place, path))
    if size.least > len(fields) and not possible:
        raise ContradictionError(f"at least {size.least} properties, but only {len(fields)} are possible")
    wanted = [each for each in possible if each.described or (not fields and len(possible) == 1)]
    if size.least > len(fields) and not wanted:
        wanted = possible[:1]
    fields = _require_last(fields, place.some)
    if size.most is not None and sum(each.required for each in fields) >= size.most:
        for each in fields:
            if not each.required:
                reader.note((*path, each.name), "present", f"{size.most} properties are the most")
        fields, wanted = [each for each in fields if each.required], []
    whole = _Whole(fields, wanted, size, place.some, not possible, default_most(path))
    return whole.one_of() if size.most == 1 and len(fields) + len(wanted) > 1 else whole.shape()


def default_most(path: shapes.Path) -> int:
    """Return how many items or properties there are where nothing is said: few, one in what is nested deeply."""
    return LIST_MOST if path.count(shapes.EACH) < DEEP else 1


def _require_last(fields: list[shapes.Field], some: tuple[tuple[str, ...], ...]) -> list[shapes.Field]:
    """Return the fields, those required that are the only one left of names of which one must be there."""
    for names in some:
        left = [each for each in fields if each.name in names]
        if not left:
            raise ContradictionError(f"one of {', '.join(names)} must be there, but none can be")
        if len(left) == 1:
            fields = [replace(each, required=True) if each is left[0] else each for each in fields]
    return fields


@dataclass(frozen=True, slots=True)
class _Whole:
    """All properties that an object may have, by name and others, and how many of them there may be."""

    fields: list[shapes.Field]
    others: list[Others]
    size: PropertyCount
    some: tuple[tuple[str, ...], ...]
    closed: bool
    default: int

    def one_of(self) -> shapes.Shape:
        """Return objects of at most one property: which one is a choice like any other, as is none at all."""
        ways: list[tuple[str, shapes.Shape]] = [
            (each.name, shapes.NamedFields((replace(each, required=True),), closed=self.closed))
            for each in self.fields
            if all(each.name in names for names in self.some)
        ]
        if not self.some:
            ways += [(each.word, shapes.ItemsShape(each.shape, 1, 1, "dict", unique=True)) for each in self.others]
        if not self.size.least and not self.some:
            ways.append(("empty", shapes.Constants(({},), "object")))
        if not ways:
            raise ContradictionError("of several properties one must be there, but one is the most")
        return ways[0][1] if len(ways) == 1 else shapes.Choice(tuple(ways))

    def shape(self) -> shapes.Shape:
        """Return the objects, checked where the fields alone do not keep the number of properties."""
        if not self.others and not self.fields:
            return shapes.Constants(({},), "object")
        if not self.fields and len(self.others) == 1:
            return self.mapping()
        spread = list(self.spread_fields())
        build = shapes.Build("object") if spread else shapes.Build()
        fields = (*self.fields, *spread)
        counted = tuple(self.entry_counts(fields))
        whole = shapes.NamedFields(fields, build, self.closed, counted)
        checks = tuple(shapes.Check(str(each), _Keeps(each)) for each in counted if each.names != _names(fields))
        if any(each.names == _names(fields) for each in counted):
            checks = (shapes.Check(str(self.size), self.size), *checks)
        return shapes.Checked(whole, checks) if checks else whole

    def mapping(self) -> shapes.Shape:
        """Return objects that consist of properties without a name of their own."""
        (only,) = self.others
        size = self.size
        most = max(self.default, size.least) if size.most is None else size.most
        stated = ("fewest items",) * bool(size.least) + ("most items",) * (size.most is not None)
        return shapes.ItemsShape(only.shape, size.least, most, "dict", unique=True, stated=stated)

    def spread_fields(self) -> Iterator[shapes.Field]:
        """Yield a field for each kind of properties without a name of their own."""
        lacking = max(0, self.size.least - len(self.fields))
        known = {each.name for each in self.fields}
        for index, each in enumerate(self.others):
            least = lacking if index == 0 else 0
            most = max(self.default, least)
            if self.size.most is not None:
                most = min(most, self.size.most - sum(field.required for field in self.fields))
            name = each.word
            while name in known:
                name += "'"
            known.add(name)
            entries = shapes.ItemsShape(each.shape, least, max(least, most), "dict", unique=True)
            yield shapes.Field(name, entries, key=shapes.SPREAD)

    def entry_counts(self, fields: tuple[shapes.Field, ...]) -> Iterator[shapes.EntryCount]:
        """Yield how many properties there must be together, where that is more than each field says by itself."""
        items = [each.shape for each in fields if each.key == shapes.SPREAD]
        least = sum(each.required for each in self.fields)
        least += sum(each.least for each in items if isinstance(each, shapes.ItemsShape))
        most = len(self.fields) + sum(each.most for each in items if isinstance(each, shapes.ItemsShape))
        if least < self.size.least or (self.size.most is not None and most > self.size.most):
            yield shapes.EntryCount(_names(fields), self.size.least, self.size.most)
        for names in self.some:
            left = [each for each in self.fields if each.name in names]
            if not any(each.required for each in left):
                yield shapes.EntryCount(_names(left), 1)


def _names(fields: Iterable[shapes.Field]) -> tuple[str, ...]:
    return tuple(each.name for each in fields)


@dataclass(frozen=True, slots=True)
class _Keeps:
    """Whether an object has as many of some properties as it must."""

    counted: shapes.EntryCount

    def __call__(self, value: object) -> bool:
        return isinstance(value, dict) and sum(name in value for name in self.counted.names) >= self.counted.least


# -- properties by name --------------------------------------------------------------------------------------------


def _named_fields(
    reader: SchemaReader, place: Demands, required: Collection[str], path: shapes.Path
) -> Iterator[shapes.Field]:
    names = dict.fromkeys(name for _, inner in get_each(place, "properties") for name in inner)
    names |= dict.fromkeys(required)
    for name in names:
        if name not in required and reader.leaves_out((*path, name), "present"):
            continue
        try:
            _check_name(place, name)
            matching = {each for node in place.nodes for each in node.located.matching_patterns(name)}
            shape = reader.read(list(_goals(place, matching, name)), (*path, name))
        except ContradictionError as error:
            if name in required:
                raise ContradictionError(f"{name} is required, but {error}") from None
            reader.note((*path, name), "present", str(error))
            continue
        yield shapes.Field(name, shape, name in required)


def _check_name(place: Demands, name: str) -> None:
    for node, inner in get_each(place, "propertyNames"):
        if not node.located.sub(inner).accepts(name):
            raise ContradictionError(f"propertyNames refuses {name!r}")


def patterns_at(place: Demands) -> dict[str, None]:
    """Return the patterns that properties are described by."""
    return dict.fromkeys(pattern for _, inner in get_each(place, "patternProperties") for pattern in inner)


def _goals(place: Demands, matching: Collection[str], name: str | None) -> Iterator[Located]:
    for node in place.nodes:
        yield from node.located.property_schemas(name, matching)
    for node, inner in get_each(place, "unevaluatedProperties"):
        within = [each for each in place.nodes if not each.silent and node.located.key in each.scopes]
        evaluated = _evaluates(node, matching, name, itself=True)
        if not evaluated and not any(_evaluates(each, matching, name) for each in within):
            yield node.located.sub(inner)


def _evaluates(node: SchemaInForce, matching: Collection[str], name: str | None, *, itself: bool = False) -> bool:
    located = node.located
    if name is not None and name in located.mapping("properties"):
        return True
    if any(pattern in matching for pattern in located.mapping("patternProperties")):
        return True
    keywords = ("additionalProperties",) if itself else ("additionalProperties", "unevaluatedProperties")
    return any(located.get(each) is not MISSING for each in keywords)


# -- all others ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Others:
    """Properties without a name: what they are called, a key with its value, whether described."""

    word: str
    shape: shapes.NamedFields
    described: bool


def _others(reader: SchemaReader, place: Demands, path: shapes.Path) -> Iterator[Others]:
    """Yield the properties without a name that can be there."""
    for pattern in patterns_at(place):
        if (entry := _entry(reader, place, pattern, path)) is not None:
            yield Others(pattern, entry, described=True)
    speaks = [
        value
        for keyword in ("additionalProperties", "unevaluatedProperties", "propertyNames")
        for _, value in get_each(place, keyword)
    ]
    described = any(isinstance(each, Mapping) and each for each in speaks)
    if (entry := _entry(reader, place, None, path)) is not None:
        yield Others("other properties", entry, described)


def _entry(reader: SchemaReader, place: Demands, pattern: str | None, path: shapes.Path) -> shapes.NamedFields | None:
    """Return a key with its value: a key that matches this pattern alone, or none, and is no name of a property."""
    matching = () if pattern is None else (pattern,)
    keys = [node.located.sub(inner) for node, inner in get_each(place, "propertyNames")]
    if pattern is not None:
        made = place.making.made.setdefault(("key", pattern), {"type": "string", "pattern": pattern})
        keys.insert(0, place.nodes[0].located.sub(made))
    elif keys:
        made = place.making.made.setdefault(("key", None), {"type": "string"})
        keys.insert(0, keys[0].sub(made))
    place.making.muted |= {id(each.schema) for each in keys[:1]}
    try:
        value = reader.read(list(_goals(place, matching, None)), (*path, shapes.EACH, "value"))
        key = reader.read(keys, (*path, shapes.EACH, "key")) if keys else LEAVES[str]
    except ContradictionError:
        return None
    names = frozenset(name for _, inner in get_each(place, "properties") for name in inner)
    names |= {name for node in place.nodes for name in node.located.listing("required")}
    others = tuple(each for each in patterns_at(place) if each != pattern)
    if names or others:
        key = shapes.Checked(key, (shapes.Check("a name of its own", OtherName(names, others)),))
    return shapes.NamedFields((shapes.Field("key", key), shapes.Field("value", value)), shapes.Build("pair"))


@dataclass(frozen=True, slots=True)
class OtherName:
    """Whether a name is none of those described elsewhere."""

    names: frozenset[str]
    patterns: tuple[str, ...]

    def __call__(self, name: object) -> bool:
        """Tell whether it is."""
        return name not in self.names and not any(re.search(python_pattern(each), str(name)) for each in self.patterns)
