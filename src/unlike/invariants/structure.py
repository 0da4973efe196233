"""One structure as plain data: its objects in breadth-first order, what each field holds; and its recipe.

Equal structures are equal data, whoever found them, as long as no set holds objects.
"""

from __future__ import annotations

import functools
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from unlike.heap.field_values import label_objects
from unlike.heap.fields import slot_descriptors
from unlike.indexed import Integers
from unlike.invariants.fields.contents import (
    Content,
    ObjectAt,
    argument_of,
    describe_content,
    in_order,
    make_container,
    take_apart,
)
from unlike.invariants.fields.domains import (
    DictOf,
    Domain,
    FieldTable,
    Keyed,
    ListOf,
    Mixed,
    Objects,
    Part,
    SetOf,
    Values,
)
from unlike.recipe import Argument, BareInstance, Recipe, Ref, Step, Store, name_or_given, quote


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
        taken = take_apart(value)
        if taken is None:
            return value
        kind, items, maker = taken
        found = Content(kind, tuple(map(describe, items)), maker)
        return found if kind in ("list", "tuple") or found.name == "OrderedDict" else _arrange_members(found)

    records = []
    for thing in order:  # grows while we walk
        names = fields.get(type(thing))
        if names is None or not all(hasattr(thing, name) for name in names):
            return None
        records.append(ObjectRecord(type(thing), tuple((name, describe(getattr(thing, name))) for name in names)))
    return breadth_first(records)


def _arrange_members(content: Content) -> Content:
    """Return a set, or a dict, with its members or its keys in the order that they have in every structure."""
    if content.kind != "dict":
        return content.with_items(sorted(content.items, key=in_order))
    pairs = sorted(zip(content.items[::2], content.items[1::2], strict=True), key=lambda pair: in_order(pair[0]))
    return content.with_items(part for pair in pairs for part in pair)


def recipe_of_structure(structure: Structure) -> Recipe:
    """Return the recipe: blank objects, and stores into them; sets last, because hashing may need the fields."""
    classes = [record.cls for record in structure.objects]
    return _recipe(structure, classes, list(range(len(classes))))


def build_structure(structure: Structure) -> Any:
    """Return the root of a structure, all its objects made anew, as its recipe makes them."""
    return build_objects(structure)[0]


def build_objects(structure: Structure) -> list[Any]:
    """Return the objects of a structure, made anew; those whose sets and keys need fields of others come last."""
    classes: list[Any] = [record.cls for record in structure.objects]
    made: list[Any] = [cls.__new__(cls) for cls in classes]
    late: list[tuple[Any, str, Content]] = []
    for thing, record in zip(made, structure.objects, strict=True):
        store = RAW if is_frozen(record.cls) else setattr
        for name, value in record.fields:
            kind = type(value)
            if kind is ObjectAt:
                store(thing, name, made[value.number])
            elif kind is not Content:
                store(thing, name, value)
            elif _hashes(value):
                late.append((thing, name, value))
            else:
                store(thing, name, _container(value, made))
    for thing, name, value in late:
        (RAW if is_frozen(type(thing)) else setattr)(thing, name, _container(value, made))
    return made


RAW = object.__setattr__
HOLDING = (list, tuple, set, frozenset, dict, deque)  # whose content counts as held


def _container(value: Any, made: Sequence[Any]) -> Any:
    match value:
        case ObjectAt(number):
            return made[number]
        case Content(kind, items, maker):
            return make_container(kind, [_container(item, made) for item in items], maker)
    return value


def all_held(things: Sequence[Any]) -> list[Any]:
    """Return all that objects hold, names included, and what stands in their containers: to see whether it changed."""
    found: list[Any] = []
    for thing in things:
        held = getattr(thing, "__dict__", None)
        if held:
            found += held
            found += held.values()
        for get in slot_getters(type(thing)):  # type: ignore[arg-type]
            try:
                found.append(get(thing))
            except AttributeError:  # it holds nothing there
                found.append(None)
    inside = [each for each in found if isinstance(each, HOLDING)]
    for each in inside:  # grows while we walk
        taken = take_apart(each)
        found += taken[1] if taken is not None else ()
        inside += [inner for inner in (taken[1] if taken is not None else ()) if isinstance(inner, HOLDING)]
    return found


@functools.lru_cache(maxsize=1_000)
def slot_getters(cls: Any) -> tuple[Callable[[Any], Any], ...]:
    """Return what reads the slots of an object."""
    return tuple(slot.__get__ for slot in slot_descriptors(cls))


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
    late: list[tuple[int, str, Any]] = []
    for number, record in enumerate(structure.objects):
        raw = is_frozen(record.cls)
        for name, value in record.fields:
            if isinstance(value, Content) and _hashes(value):
                late.append((number, name, value))
            else:
                steps.append(Store(Ref(steps_of[number]), name, _argument(value, steps, steps_of), raw=raw))
    for number, name, value in late:
        argument = _argument(value, steps, steps_of)
        steps.append(Store(Ref(steps_of[number]), name, argument, raw=is_frozen(structure.objects[number].cls)))
    return Recipe(tuple(steps), Ref(steps_of[0]))


def is_frozen(cls: type) -> bool:
    """Tell whether the class has a `__setattr__` of its own, which a blank object has to get past."""
    own: object = cls.__setattr__
    return own is not object.__setattr__


def _argument(value: Any, steps: list[Step], steps_of: Sequence[int]) -> Argument:
    match value:
        case ObjectAt(number):
            return Ref(steps_of[number])
        case Content(_, items):
            return argument_of(value, tuple(_argument(item, steps, steps_of) for item in items), steps)
    return quote(value, steps)


def _hashes(value: Any) -> bool:
    """Tell whether making the value hashes an object: a member of a set, a key of a dict."""
    if not isinstance(value, Content):
        return False
    hashed = {"list": (), "tuple": (), "dict": value.items[::2]}.get(value.kind, value.items)
    return any(True for item in hashed for _ in objects_in(item)) or any(map(_hashes, value.items))


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
        return value.with_items(map_leaves(item, change) for item in value.items)
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
        case Content(_, items):
            return describe_content(value, [_text(item, labels) for item in items])
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
            fits = found == ("tuple" if kind == "tuple" else "list") and part.maker == value.maker
            return fits and least <= len(items) <= most and all(_holds(element, x, structure) for x in items)
        case Mixed(places), Content("tuple", items):
            fits = len(places) == len(items) and part.maker == value.maker
            return fits and all(map(lambda d, x: _holds(d, x, structure), places, items))
        case SetOf(element, most, kind), Content(found, items):
            return kind == found and len(items) <= most and all(_holds(element, item, structure) for item in items)
        case Keyed(keys, places), Content("dict", items, None):
            return keys == items[::2] and all(map(lambda d, x: _holds(d, x, structure), places, items[1::2]))
        case DictOf(key, inner, most), Content("dict", items):
            keys, values = items[::2], items[1::2]
            held = part.maker == value.maker and all(_holds(key, each, structure) for each in keys)
            return len(keys) <= most and held and all(_holds(inner, each, structure) for each in values)
    return False
