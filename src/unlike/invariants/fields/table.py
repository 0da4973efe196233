"""From a class and a scope to its FieldTable: what the class says of its fields, and what a user says instead.

Which fields there are is read from dataclass and attrs definitions, annotations, `__slots__` and the constructor. What
an int means is read from the constructor: one that is passed in is a value (0 to k - 1, as exploration passes them);
one that starts at 0, 1 or -1 counts something (up to k); one that starts elsewhere is a setting, and stays what it is.
"""

from __future__ import annotations

import dataclasses
import inspect
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from unlike.core import FOREVER, USUAL, Deadline, Isolation
from unlike.errors import ScopeError, TargetError, nearest
from unlike.heap.fields import slot_descriptors
from unlike.indexed import Integers
from unlike.invariants.fields.domains import (
    ClassFields,
    DictOf,
    Domain,
    FieldDomain,
    FieldTable,
    ListOf,
    Maker,
    Objects,
    Part,
)
from unlike.invariants.fields.reading import (
    Reading,
    concrete_classes,
    domain_of_values,
    given_domain,
    is_made_by_fields,
    union,
)
from unlike.invariants.fields.stores import (
    AnnotatedStore,
    Constant,
    NewObject,
    Passed,
    RepeatedList,
    StandardContainer,
    Stored,
    Unclear,
    later_stores_of,
    mangle,
    stores_of,
)
from unlike.scope import Limits, Scope, by_name
from unlike.specs.given import list_given
from unlike.types.as_annotated import belongs_to_class, class_name, find_fault
from unlike.types.first_values import NoValuesError
from unlike.types.read import read_annotation, read_field
from unlike.types.resolve import written_annotations
from unlike.types.tree import AnyType, ClassType

MISSING = inspect.Parameter.empty
DEFAULTS = (str, float, bytes)  # what an int by default means is read from it


def fields_of(
    root: type,
    scope: Scope,
    *,
    given: Mapping[str, object] | None = None,
    isolation: Isolation = USUAL,
    deadline: Deadline = FOREVER,
) -> FieldTable:
    """Return what every field of the class, and of every class its objects lead to, may hold within the scope.

    `given` has domains by "Class.field", which come before what the class says: values, ranges, classes (whose objects
    are meant), annotations, or a text that lists them. Fields without a known domain are refused, all in one message.
    """
    _check_root(root)
    _check_pools(scope)
    given = dict(given or {})
    limits = Limits(scope.objects, scope.objects_of, scope.most_elements)
    classes, unknown, used, literals = [root], list[str](), set[str](), set[str]()
    tables: list[ClassFields] = []
    arguments: dict[type, ClassType] = {}
    for cls in classes:  # grows while we walk
        fields = []
        node = arguments.get(cls, ClassType(cls))
        for name in field_names(cls):
            try:
                reading = Reading(scope, cls, None, arguments, {}, literals, isolation, deadline)
                field = _field(node, name, reading, given, used)
            except NoValuesError as error:
                unknown.append(f"{cls.__name__}.{name} has no known domain: {error}; --field {cls.__name__}.{name}=…")
                continue
            fields.append(field)
            classes.extend(each for each in field.domain.classes if each not in classes)
        most = limits.most_objects(cls)
        tables.append(ClassFields(cls, tuple(fields), scope.objects if most is None else most))
    _check_given(given, used, tables)
    _check_objects(scope, tables)
    if unknown:
        raise ScopeError(
            "\n".join(unknown) + f"\n(give each its values: --field {unknown[0].split()[0]}=None,0..2 or =Node)"
        )
    return FieldTable(root, tuple(_with_lone_root(tables, root)), scope, frozenset(literals))


def check_literals(literals: Mapping[Any, object] | None, table: FieldTable) -> None:
    """Refuse values that are given for what no field holds: they would have no effect, and say nothing."""
    for name in by_name(literals or {}):
        if name not in table.used:
            fields = [f"{each.cls.__name__}.{field.name}" for each in table.classes for field in each.fields]
            raise ScopeError(
                f"literals of {name}: no field takes its values from it; give them to a field, as in "
                f"literals={{{(fields or ['Class.field'])[0]!r}: …}} (--literals {(fields or ['Class.field'])[0]}=…)"
            )


def field_names(cls: type) -> list[str]:
    """Return the names of the fields of an instance, in the order in which the class tells of them."""
    names: dict[str, None] = {}
    for each in reversed(cls.__mro__):
        if each is object:
            continue
        for name, annotation in written_annotations(each).items():
            if not belongs_to_class(annotation):
                names[name] = None
    names |= dict.fromkeys(_slot_names(cls))
    names |= dict.fromkeys(stores_of(cls))
    return [name for name in names if not isinstance(inspect.getattr_static(cls, name, None), property)]


def _slot_names(cls: type) -> list[str]:
    """Return the names of the slots of a class and its bases, as they are declared: Python itself sorts them."""
    names = [slot.__name__ for slot in slot_descriptors(cls)]
    declared: list[str] = []
    for each in reversed(cls.__mro__):
        slots = vars(each).get("__slots__", ())
        if isinstance(slots, str | tuple | list | dict):
            given = (slots,) if isinstance(slots, str) else slots
            declared += [mangle(name, each) for name in given if isinstance(name, str)]
    return sorted(names, key=lambda name: declared.index(name) if name in declared else len(declared))


def _field(node: ClassType, name: str, reading: Reading, given: Mapping[str, object], used: set[str]) -> FieldDomain:
    cls = node.cls
    keys = (f"{cls.__module__}:{cls.__qualname__}.{name}", f"{cls.__qualname__}.{name}", f"{cls.__name__}.{name}")
    for key in keys:
        if key in given:
            used.add(key)
            return FieldDomain(name, given_domain(given[key], reading, key), "given")
    for key in (*keys, name):
        if key in reading.scope.literals:
            reading.used.add(key)
            values = reading.scope.literals[key]
            return FieldDomain(name, given_domain(list_given(values) or values, reading, key), "given")
    stored = _stores_into(cls, name)
    ints, meaning = _ints(stored, reading.scope)
    reading = replace(reading, ints=ints)
    if ints is not None and "int" in reading.scope.literals:
        reading.remarks[f"{meaning.strip(', ')}, whatever is declared for int"] = None
    declared = next((each.type for each in stored if isinstance(each, AnnotatedStore)), None)
    written = read_field(node, name) or declared
    if written is not None:
        domain = _made_as_stored(reading.domain(written), stored)
        domain = union([domain, *(each for each in _usual(stored) if not _has(domain, each))])
        domain = _beside_annotation(domain, stored, reading)
        return FieldDomain(name, domain, f"annotation{meaning}", tuple(reading.remarks))
    return FieldDomain(
        name, _domain_of_stores(stored, reading, cls, name), f"constructor{meaning}", tuple(reading.remarks)
    )


def _beside_annotation(domain: Domain, stored: Sequence[Stored], reading: Reading) -> Domain:
    """Return a domain with what the constructor stores although the annotation does not say it, and note that."""
    found = [domain]
    for each in stored:
        match each:
            case Constant(value) if type(value) is not int and not _has(domain, domain_of_values([value])):
                found.insert(0 if value is None else len(found), domain_of_values([value]))
                reading.remarks[f"{value!r} beside what is annotated, as the constructor stores it"] = None
            case NewObject(cls) if cls not in domain.classes and is_made_by_fields(cls):
                found.append(Domain((Objects((cls,)),)))
                reading.remarks[f"{cls.__name__} beside what is annotated, as the constructor stores it"] = None
            case RepeatedList(length) if lists := [part for part in domain.parts if isinstance(part, ListOf)]:
                if not any(part.least <= length <= part.most for part in lists):
                    found.append(Domain((replace(lists[0], least=length, most=length),)))
                    reading.remarks[f"lists of {length}, as the constructor makes them"] = None
    return union(found)


def _made_as_stored(domain: Domain, stored: Sequence[Stored]) -> Domain:
    """Return a domain with the greatest length of a deque, and the default_factory, that the constructor gives."""
    makers = {each.maker.cls: each.maker for each in stored if isinstance(each, StandardContainer)}

    def with_maker(part: Part) -> Part:
        if not isinstance(part, ListOf | DictOf) or part.maker is None or part.maker.cls not in makers:
            return part
        given = makers[part.maker.cls].argument
        if isinstance(part, ListOf):
            bound = given if isinstance(given, int) else part.most
            return replace(part, most=min(part.most, bound), least=min(part.least, bound), maker=Maker(deque, given))
        return part if given is None else replace(part, maker=Maker(part.maker.cls, given))

    return Domain(tuple(map(with_maker, domain.parts))) if makers else domain


def _has(domain: Domain, other: Domain) -> bool:
    known = {(type(value), repr(value)) for value in domain.plain_values()}
    return all((type(value), repr(value)) in known for value in other.plain_values())


def _usual(stored: Sequence[Stored]) -> list[Domain]:
    """Return the texts and floats that a field has by default: an object has them, wherever they stand in the type."""
    values = [each.value if isinstance(each, Constant) else getattr(each, "default", None) for each in stored]
    return [domain_of_values([each]) for each in values if type(each) in DEFAULTS]


def _stores_into(cls: type, name: str) -> list[Stored]:
    """Return what the class stores into the field when an object is made: by its constructor, or as a default."""
    default = _default(cls, name)
    if name in _made_fields(cls):  # its constructor was written by a decorator
        return [Passed(AnyType())] if default is MISSING else [Constant(default)]
    found = list(stores_of(cls).get(name, ()))
    return found if found or default is MISSING else [Constant(default)]


def _made_fields(cls: type) -> Mapping[str, object]:
    """Return the fields of a dataclass or attrs class with their defaults, MISSING where there is none."""
    if dataclasses.is_dataclass(cls):
        return {
            field.name: MISSING if field.default is dataclasses.MISSING else field.default
            for field in dataclasses.fields(cls)
        }
    attributes = getattr(cls, "__attrs_attrs__", ())
    return {each.name: MISSING if type(each.default).__name__ == "_Nothing" else each.default for each in attributes}


def _default(cls: type, name: str) -> object:
    """Return the value that an object has without anybody storing one."""
    made = _made_fields(cls)
    value = made[name] if name in made else inspect.getattr_static(cls, name, MISSING)
    plain = value is None or isinstance(value, bool | int | float | str | bytes)
    return value if plain else MISSING


def _ints(stored: Sequence[Stored], scope: Scope) -> tuple[Integers | None, str]:
    """Return the range of an int that nobody passes in, and what it is, in words."""
    starts = [each.value for each in stored if isinstance(each, Constant) and type(each.value) is int]
    if not starts or any(isinstance(each, Passed) for each in stored):
        return None, ""
    if all(start in (-1, 0, 1) for start in starts):
        return Integers(min(0, *starts, 0), scope.objects), ", a counter"
    return Integers(min(starts), max(starts)), ", a setting"


def _domain_of_stores(stored: Sequence[Stored], reading: Reading, cls: type, name: str) -> Domain:
    """Return the domain of a field that has no annotation, from what is stored into it."""
    if not stored:
        raise NoValuesError("it has no annotation, and the constructor does not set it")
    if all(each == Constant(None) for each in stored):
        stored = [*stored, *(each for each in later_stores_of(cls).get(name, ()) if not isinstance(each, Unclear))]
    domains = [_domain_of_store(each, reading) for each in stored]
    domains += _usual([each for each in stored if isinstance(each, Passed)])
    if all(each == Constant(None) for each in stored):
        raise NoValuesError("it has no annotation, and the constructor sets it to None")
    return union(domains)


def _domain_of_store(stored: Stored, reading: Reading) -> Domain:
    match stored:
        case Constant(None):
            return domain_of_values([None])
        case Constant(value):
            return reading.domain(read_annotation(type(value)))
        case NewObject(cls):
            return Domain((Objects(concrete_classes(cls)),))
        case Passed(node, _) | AnnotatedStore(node):
            return reading.domain(node)
        case Unclear(text) | StandardContainer(_, text) | RepeatedList(_, text):
            raise NoValuesError(f"it has no annotation, and the constructor sets it to {text}")


# -- what cannot be right ----------------------------------------------------------------------------------


def _check_pools(scope: Scope) -> None:
    """Refuse a pool without values: no field could hold anything of it."""
    for name, values in scope.literals.items():
        if isinstance(values, list | tuple) and not values:
            raise ScopeError(f"literals of {name}: the pool is empty; give at least one value, like {name}=0,1")


def _check_root(root: type) -> None:
    if fault := find_fault(root):
        raise TargetError(f"{class_name(root)} has no structures to find: {fault}; mend that first")
    try:
        if concrete_classes(root)[0] is not root:
            raise TargetError(f"{root.__qualname__} is abstract; name a concrete subclass")
    except NoValuesError as error:
        raise TargetError(f"{root.__qualname__} has no structures to find: {error}") from None


def _check_given(given: Mapping[str, object], used: set[str], tables: Sequence[ClassFields]) -> None:
    known = [f"{each.cls.__name__}.{name}" for each in tables for name in field_names(each.cls)]
    for key in given:
        if key not in used:
            raise ScopeError(f"--field {key}: no class here has this field; {nearest(key, known)}")


def _check_objects(scope: Scope, tables: Sequence[ClassFields]) -> None:
    known = [each.cls for each in tables]
    names = {name for cls in known for name in (f"{cls.__module__}:{cls.__qualname__}", cls.__qualname__, cls.__name__)}
    for name, bound in scope.objects_of.items():
        if name not in names:
            raise ScopeError(f"--objects {name}={bound}: no such class here; {nearest(name, sorted(names))}")


def _with_lone_root(tables: Sequence[ClassFields], root: type) -> list[ClassFields]:
    """Return the tables with one object of the root class where nothing refers to a second one."""
    referred = {cls for table in tables for field in table.fields for cls in field.domain.classes}
    return [
        ClassFields(table.cls, table.fields, 1) if table.cls is root and root not in referred else table
        for table in tables
    ]
