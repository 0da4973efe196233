"""Arrays: items by place, all others, those that must be contained; so many, unique or not."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from unlike.documents.json_schema.demands import Demands
from unlike.documents.json_schema.keywords import identity
from unlike.documents.json_schema.leaves import get_each
from unlike.documents.json_schema.located import MISSING, ContradictionError, Located, SchemaInForce
from unlike.documents.json_schema.objects import default_most
from unlike.structure import shapes

if TYPE_CHECKING:
    from unlike.documents.json_schema.reader import SchemaReader

EMPTY = shapes.Constants(([],), "array")
# first items that have a schema of their own; each is a field, and pairs of fields grow with the square
MOST_PREFIX = 500


@dataclass(frozen=True, slots=True)
class Contained:
    """Items that must be contained: the schema that says so, their own, how many at least and at most."""

    node: SchemaInForce
    located: Located
    least: int
    most: int | None


@dataclass(slots=True)
class _ArraySchema:
    """What is known of an array: its lengths, the shapes of its first items, of the others, of those contained."""

    least: int
    most: int | None
    unique: bool
    prefix: list[shapes.Shape]
    rest: shapes.Shape | None
    described: bool
    contained: list[tuple[Contained, shapes.Shape | None]]
    others: shapes.Shape | None
    default: int


def array_shape(reader: SchemaReader, place: Demands, path: shapes.Path) -> shapes.Shape:
    """Return the arrays that keep all rules at a place."""
    array = _read(reader, place, path)
    if array.most is not None and array.least > array.most:
        raise ContradictionError(f"at least {array.least} items, but at most {array.most} are possible")
    if array.prefix:
        return _with_prefix(array)
    if array.contained:
        return _containing(array, [])
    return _plain(array)


def _read(reader: SchemaReader, place: Demands, path: shapes.Path) -> _ArraySchema:
    least = max((int(value) for _, value in get_each(place, "minItems")), default=0)
    most = min((int(value) for _, value in get_each(place, "maxItems")), default=None)
    places = max((len(node.located.first_items()) for node in place.nodes), default=0)
    prefix: list[shapes.Shape] = []
    for index in range(min(places, MOST_PREFIX)):
        try:
            prefix.append(reader.read(list(_goals(place, index)), (*path, str(index))))
        except ContradictionError as error:
            reader.note((*path, str(index)), "present", str(error))
            most = index if most is None else min(most, index)
            break
    rest: shapes.Shape | None = None
    spoken = [
        said for each in place.nodes for said in (each.located.item_at(places), each.located.get("unevaluatedItems"))
    ]
    described = any(isinstance(each, dict) and each for each in spoken)
    more = len(prefix) == places and (most is None or most > places)
    more = more and (least > places or bool(next(_contains(place), None)) or not reader.leaves_out(path, "items"))
    if more:
        try:
            rest = reader.read(list(_goals(place, places)), (*path, shapes.EACH))
        except ContradictionError as error:
            reader.note((*path, shapes.EACH), "present", str(error))
    default = default_most(path)
    unique = any(value is True for _, value in get_each(place, "uniqueItems"))
    found = _ArraySchema(least, most, unique, prefix, rest, described, [], rest, default)
    for each in _contains(place):
        _contain(reader, place, found, each, path, places if more else None)
    if more and rest is None and all(shape is None for _, shape in found.contained):
        found.most = places if most is None else min(most, places)
    return found


def _contain(
    reader: SchemaReader, place: Demands, array: _ArraySchema, each: Contained, path: shapes.Path, places: int | None
) -> None:
    """Note what one contains asks for; behind the places there may be further items, or there are none."""
    if each.most is not None and each.least > each.most:
        raise ContradictionError(f"at least {each.least} items that it contains, but at most {each.most}")
    if array.most is not None and each.least > array.most:
        raise ContradictionError(f"it contains at least {each.least} such items, but has at most {array.most}")
    shape: shapes.Shape | None = None
    place.making.muted.add(id(each.located.schema))
    if places is not None:
        try:
            shape = reader.read([*_goals(place, places, each), each.located], (*path, shapes.EACH))
        except ContradictionError as error:
            if each.least and not array.prefix:
                raise ContradictionError(f"it must contain an item, but {error}") from None
    elif each.least and not array.prefix:
        raise ContradictionError("it must contain an item, but can have none")
    array.contained.append((each, shape))
    if each.most is not None and array.others is not None and places is not None:
        contrary = place.making.made.setdefault(("contrary", each.located.key), {"not": each.located.schema})
        try:
            array.others = reader.read([*_goals(place, places), each.node.located.sub(contrary)], (*path, shapes.EACH))
        except ContradictionError:
            array.others = None


def _contains(place: Demands) -> Iterator[Contained]:
    for node, inner in get_each(place, "contains"):
        least, most = node.located.get("minContains"), node.located.get("maxContains")
        least = 1 if least is MISSING else int(least)
        if least or most is not MISSING or next(get_each(place, "unevaluatedItems"), None):
            yield Contained(node, node.located.sub(inner), least, None if most is MISSING else int(most))


# -- which schemas hold for an item --------------------------------------------------------------------------------


def _goals(place: Demands, index: int, contained: Contained | None = None) -> Iterator[Located]:
    """Yield the schemas that hold for the item at a place, or one that is contained somewhere."""
    for node in place.nodes:
        if (inner := node.located.item_at(index)) is not MISSING:
            yield node.located.sub(inner)
    for node, inner in get_each(place, "unevaluatedItems"):
        within = [each for each in place.nodes if not each.silent and node.located.key in each.scopes]
        # since 2020-12 what is contained counts as evaluated
        known = contained is not None and contained.node.located.knows("prefixItems")
        if known and contained is not None and contained.node in (node, *within):
            continue
        if node.located.item_at(index) is MISSING and not any(_evaluates(each, index) for each in within):
            yield node.located.sub(inner)


def _evaluates(node: SchemaInForce, index: int) -> bool:
    return node.located.item_at(index) is not MISSING or node.located.get("unevaluatedItems") is not MISSING


# -- shapes --------------------------------------------------------------------------------------------------------


def _plain(array: _ArraySchema) -> shapes.Shape:
    if array.rest is None:
        return EMPTY
    most = max(array.default, array.least) if array.most is None else array.most
    stated = ("fewest items",) * bool(array.least) + ("most items",) * (array.most is not None)
    return _items(array.rest, array.least, most, unique=array.unique, stated=stated)


def _items(
    item: shapes.Shape, least: int, most: int, *, unique: bool = False, stated: tuple[str, ...] = ()
) -> shapes.Shape:
    if unique and isinstance(item, shapes.Constants) and item.word != ANYTHING:
        different = len({identity(each) for each in item.values})
        if different < least:
            raise ContradictionError(f"at least {least} different items, but there are only {different}")
    return shapes.ItemsShape(item, least, most, unique=unique, stated=stated)


ANYTHING = "anything"


def _with_prefix(array: _ArraySchema) -> shapes.Shape:
    """Return arrays whose first items have places of their own: all of these, fewer, or more items behind them."""
    count = len(array.prefix) if array.most is None else min(len(array.prefix), array.most)
    ways: list[tuple[str, shapes.Shape]] = []
    if array.least <= count:
        ways.append((f"{count} items", _first_items(array, count)))
    if array.least < count:
        ways.append((f"{array.least} items", _first_items(array, array.least) if array.least else EMPTY))
    wanted = array.described or bool(array.contained) or array.least > count
    possible = array.rest is not None or any(shape is not None for _, shape in array.contained)
    if possible and wanted and (array.most is None or array.most > count):
        first = [shapes.Field(str(index), each) for index, each in enumerate(array.prefix[:count])]
        ways.append(("more items", _containing(array, first)))
    if not ways:
        raise ContradictionError("no length is possible")
    return ways[0][1] if len(ways) == 1 else shapes.Choice(tuple(ways))


def _first_items(array: _ArraySchema, count: int) -> shapes.Shape:
    if not count:
        return EMPTY
    fields = tuple(shapes.Field(str(index), each) for index, each in enumerate(array.prefix[:count]))
    return _check_array(array, shapes.NamedFields(fields, shapes.Build("array")), count, count)


def _containing(array: _ArraySchema, first: list[shapes.Field]) -> shapes.Shape:
    """Return arrays with items that must be contained, behind the first ones and before the others."""
    fields = list(first)
    low = high = len(first)
    least = max(0, array.least - low)
    room = None if array.most is None else array.most - low
    for number, (each, shape) in enumerate(array.contained):
        if shape is None:
            continue
        most = max(each.least, 2) if each.most is None else each.most
        if array.others is None:  # every item is one of these
            most = max(most, least) if each.most is None else most
        most = most if room is None else max(each.least, min(most, room))
        name = "contained" + (f" {number + 1}" if number else "")
        fields.append(shapes.Field(name, _items(shape, each.least, most), key=shapes.SPREAD))
        low, high = low + each.least, high + most
    if array.others is not None:
        lacking = max(0, array.least - high, 0 if array.contained else max(1, array.least - low))
        most = max(array.default, lacking)
        most = most if array.most is None else max(lacking, min(most, array.most - low))
        if most:
            fields.append(shapes.Field("others", _items(array.others, lacking, most), key=shapes.SPREAD))
            low, high = low + lacking, high + most
    if array.least > high:
        raise ContradictionError(f"at least {array.least} items, but at most {high} are possible")
    if len(fields) == 1 and not first and not array.unique:
        only = fields[0].shape
        assert isinstance(only, shapes.ItemsShape)
        if only.least >= array.least and (array.most is None or only.most <= array.most):
            return only
    return _check_array(array, shapes.NamedFields(tuple(fields), shapes.Build("array")), low, high)


def _check_array(array: _ArraySchema, shape: shapes.Shape, low: int, high: int) -> shapes.Shape:
    checks = []
    if low < array.least or (array.most is not None and high > array.most):
        checks.append(shapes.Check(f"{array.least} to {array.most} items", _Length(array.least, array.most)))
    if array.unique:
        checks.append(shapes.Check("uniqueItems", _is_unique))
    return shapes.Checked(shape, tuple(checks)) if checks else shape


@dataclass(frozen=True, slots=True)
class _Length:
    least: int
    most: int | None

    def __call__(self, value: object) -> bool:
        return isinstance(value, list) and self.least <= len(value) and (self.most is None or len(value) <= self.most)


def _is_unique(value: object) -> bool:
    return isinstance(value, list) and len({identity(each) for each in value}) == len(value)
