"""One structure as plain data: its objects in breadth-first order, what each field holds; and its recipe.

Equal structures are equal data, whoever found them, as long as no set holds objects.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from unlike.heap.field_values import label_objects
from unlike.indexed import Integers
from unlike.invariants.fields.domains import DictOf, Domain, FieldTable, ListOf, Mixed, Objects, Part, SetOf, Values
from unlike.recipe import Argument, BareInstance, Items, Recipe, Ref, Step, Store, name_or_given, quote, run

Kind: TypeAlias = Literal["list", "tuple", "set", "frozenset", "dict"]


@dataclass(frozen=True, slots=True)
class ObjectAt:
    """The object of this number."""

    number: int


@dataclass(frozen=True, slots=True)
class Content:
    """A container; the items of a dict are keys and values in turn."""

    kind: Kind
    items: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class ObjectRecord:
    """An object: its class and what its fields hold (plain values, ObjectAt, Content), in order."""

    cls: type
    fields: tuple[tuple[str, Any], ...]


@dataclass(frozen=True, slots=True)
class Structure:
    """Objects, the root first."""

    objects: tuple[ObjectRecord, ...]

    def __str__(self) -> str:
        return describe_structure(self)


@dataclass(frozen=True, slots=True)
class LabelledStructure:
    """A structure whose objects have names: their numbers in a pool of objects of their class."""

    structure: Structure
    labels: tuple[int, ...]

    def __str__(self) -> str:
        return describe_structure(
            self.structure, [f"{r.cls.__name__}{n}" for r, n in zip(self.structure.objects, self.labels, strict=True)]
        )


def breadth_first(objects: list[ObjectRecord]) -> Structure:
    """Return the structure with its objects in the order in which a walk from the first one meets them."""
    order, place = [0], {0: 0}
    for number in order:  # grows while we walk
        for _, value in objects[number].fields:
            for found in objects_in(value):
                if found not in place:
                    place[found] = len(order)
                    order.append(found)
    if order == list(range(len(objects))):
        return Structure(tuple(objects))

    def renumber(value: Any) -> Any:
        return ObjectAt(place[value.number]) if isinstance(value, ObjectAt) else value

    return Structure(tuple(map_record(objects[number], renumber) for number in order))


def structure_of(root: Any, table: FieldTable) -> Structure | None:
    """Return an object as a structure over the fields of the table; nothing if it lacks one, or holds other objects."""
    fields = {each.cls: [f.name for f in each.fields] for each in table.classes}
    order, numbers = [root], {id(root): 0}

    def describe(value: Any) -> Any:
        if type(value) in fields:
            if id(value) not in numbers:
                numbers[id(value)] = len(order)
                order.append(value)
            return ObjectAt(numbers[id(value)])
        match value:
            case dict():
                pairs = sorted(value.items(), key=lambda pair: _in_domain_order(pair[0]))
                return Content("dict", tuple(describe(each) for pair in pairs for each in pair))
            case list() | tuple():
                return Content("list" if isinstance(value, list) else "tuple", tuple(map(describe, value)))
            case set() | frozenset():
                return Content(
                    "set" if isinstance(value, set) else "frozenset", tuple(map(describe, sorted(value, key=repr)))
                )
        return value

    records = []
    for thing in order:  # grows while we walk
        names = fields.get(type(thing))
        if names is None or not all(hasattr(thing, name) for name in names):
            return None
        records.append(ObjectRecord(type(thing), tuple((name, describe(getattr(thing, name))) for name in names)))
    return Structure(tuple(records))


def _in_domain_order(key: object) -> tuple[str, int, str]:
    """Order keys as their domains do: ints by size, what is no int by what it looks like."""
    return type(key).__name__, key if isinstance(key, int) else 0, repr(key)


def recipe_of_structure(structure: Structure) -> Recipe:
    """Return the recipe: blank objects, and stores into them; sets last, because hashing may need the fields."""
    classes = [record.cls for record in structure.objects]
    return _recipe(structure, classes, list(range(len(classes))))


def build_structure(structure: Structure) -> Any:
    """Return the root of a structure, all its objects made anew."""
    return run(recipe_of_structure(structure))


def recipe_of_labelled(labelled: LabelledStructure, pools: Sequence[tuple[type, int]]) -> Recipe:
    """Return the recipe of a structure that takes its objects from pools: so many blank ones of each class."""
    first, classes = dict[type, int](), list[type]()
    for cls, count in pools:
        first[cls] = len(classes)
        classes += [cls] * count
    numbers = [first[r.cls] + label for r, label in zip(labelled.structure.objects, labelled.labels, strict=True)]
    return _recipe(labelled.structure, classes, numbers)


def _recipe(structure: Structure, classes: Sequence[type], steps_of: Sequence[int]) -> Recipe:
    """Return the recipe whose blank objects have these classes; object n is made by step `steps_of[n]`."""
    steps: list[Step] = [BareInstance(name_or_given(cls)) for cls in classes]  # type: ignore[arg-type]
    late: list[Store] = []
    for number, record in enumerate(structure.objects):
        raw = is_frozen(record.cls)
        for name, value in record.fields:
            store = Store(Ref(steps_of[number]), name, _argument(value, steps, steps_of), raw=raw)
            (late if _hashes(value) else steps).append(store)
    return Recipe((*steps, *late), Ref(steps_of[0]))


def is_frozen(cls: type) -> bool:
    """Tell whether the class has a `__setattr__` of its own, which a blank object has to get past."""
    own: object = cls.__setattr__
    return own is not object.__setattr__


def _argument(value: Any, steps: list[Step], steps_of: Sequence[int]) -> Argument:
    match value:
        case ObjectAt(number):
            return Ref(steps_of[number])
        case Content(kind, items):
            return Items(kind, tuple(_argument(item, steps, steps_of) for item in items))
    return quote(value, steps)


def _hashes(value: Any) -> bool:
    """Tell whether making the value hashes an object: a member of a set, a key of a dict."""
    if not isinstance(value, Content):
        return False
    hashed = {"list": (), "tuple": (), "dict": value.items[::2]}.get(value.kind, value.items)
    return any(isinstance(item, ObjectAt) for item in hashed) or any(map(_hashes, value.items))


def objects_in(value: Any) -> Iterator[int]:
    """Yield the numbers of the objects that a value refers to, in order."""
    match value:
        case ObjectAt(number):
            yield number
        case Content(_, items):
            for item in items:
                yield from objects_in(item)


def map_leaves(value: Any, change: Callable[[Any], Any]) -> Any:
    """Return a value in which everything that is no container is changed."""
    if isinstance(value, Content):
        return Content(value.kind, tuple(map_leaves(item, change) for item in value.items))
    return change(value)


def map_record(record: ObjectRecord, change: Callable[[Any], Any]) -> ObjectRecord:
    """Return an object in whose fields everything that is no container is changed."""
    return ObjectRecord(record.cls, tuple((name, map_leaves(value, change)) for name, value in record.fields))


# -- for readers ---------------------------------------------------------------------------------------------

LONGEST = 200  # characters of a line; what is longer is cut


def describe_structure(structure: Structure, labels: Sequence[str] | None = None) -> str:
    """Return the structure on one line: every object with its fields, named by class and number.

    BinarySearchTree(root=Node0, size=1), Node0(key=0, left=None, right=None)
    """
    labels = labels or labels_of(structure)
    texts = []
    for label, record in zip(labels, structure.objects, strict=True):
        fields = ", ".join(f"{name}={_text(value, labels)}" for name, value in record.fields)
        texts.append(f"{label}({fields})")
    return ", ".join(texts)


def shorten(text: str) -> str:
    """Return a text that fits on a line or two."""
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


def labels_of(structure: Structure) -> list[str]:
    """Return a name for each object: its class and its number, of which a root alone in its class needs none."""
    classes = [record.cls for record in structure.objects]
    first, *rest = map(str, label_objects(classes))
    return [first if classes[0] in classes[1:] else classes[0].__name__, *rest]


def _text(value: Any, labels: Sequence[str]) -> str:
    match value:
        case ObjectAt(number):
            return labels[number]
        case Content("dict", items):
            pairs = zip(items[::2], items[1::2], strict=True)
            return "{" + ", ".join(f"{_text(key, labels)}: {_text(each, labels)}" for key, each in pairs) + "}"
        case Content("list", items):
            return "[" + ", ".join(_text(item, labels) for item in items) + "]"
        case Content("tuple", items):
            return "(" + ", ".join(_text(item, labels) for item in items) + ("," if len(items) == 1 else "") + ")"
        case Content(kind, items):
            inside = "{" + ", ".join(_text(item, labels) for item in items) + "}"
            return inside if items and kind == "set" else f"{kind}({inside if items else ''})"
    return repr(value)


# -- within a table ------------------------------------------------------------------------------------------


def find_outside(structure: Structure, table: FieldTable) -> str:
    """Say in words why a structure is not within the table; nothing if it is."""
    for each in table.classes:
        count = sum(record.cls is each.cls for record in structure.objects)
        if count > each.most:
            return f"it has {count} objects of {each.cls.__name__}, more than {each.most}"
    for record in structure.objects:
        for name, value in record.fields:
            if not _holds(table.of(record.cls).domain(name), value, structure):
                return f"{record.cls.__name__}.{name} holds what it may not: {_text(value, labels_of(structure))}"
    return ""


def _holds(domain: Domain, value: Any, structure: Structure) -> bool:
    """Tell whether a value is in a domain."""
    return any(_part_holds(part, value, structure) for part in domain.parts)


def _part_holds(part: Part, value: Any, structure: Structure) -> bool:
    match part, value:
        case Objects(classes), ObjectAt(number):
            return structure.objects[number].cls in classes
        case Integers(low, high), int():
            return type(value) is int and low <= value <= high
        case Values(values), _ if not isinstance(value, ObjectAt | Content):
            return any(type(value) is type(each) and value == each for each in values)
        case ListOf(element, least, most, kind), Content(found, items):
            return kind == found and least <= len(items) <= most and all(_holds(element, x, structure) for x in items)
        case Mixed(places), Content("tuple", items):
            return len(places) == len(items) and all(map(lambda d, x: _holds(d, x, structure), places, items))
        case SetOf(element, most, kind), Content(found, items):
            return kind == found and len(items) <= most and all(_holds(element, item, structure) for item in items)
        case DictOf(key, inner, most), Content("dict", items):
            keys, values = items[::2], items[1::2]
            held = all(_holds(key, each, structure) for each in keys)
            return len(keys) <= most and held and all(_holds(inner, each, structure) for each in values)
    return False
