"""From a class and a scope to its FieldTable: what the class says of its fields, and what a user says instead.

Which fields there are is read from dataclass and attrs definitions, annotations, `__slots__` and the constructor. What
an int means is read from the constructor: one that is passed in is a value (0 to k - 1, as exploration passes them);
one that starts at 0, 1 or -1 counts something (up to k); one that starts elsewhere is a setting, and stays what it is.
"""

from __future__ import annotations

import ast
import builtins
import dataclasses
import enum
import inspect
import textwrap
import types
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias

from unlike.core import FOREVER, USUAL, Deadline, Isolation
from unlike.errors import ScopeError, TargetError, nearest
from unlike.heap.fields import slot_descriptors
from unlike.indexed import Integers
from unlike.invariants.fields.domains import ClassFields, Domain, FieldDomain, FieldTable, Objects
from unlike.invariants.fields.reading import Reading, concrete_classes, domain_of_values, given_domain, union
from unlike.scope import Limits, Scope, by_name
from unlike.specs.given import list_given
from unlike.types.as_annotated import belongs_to_class, class_name, find_fault
from unlike.types.first_values import NoValuesError
from unlike.types.read import ReadParameter, read_annotation, read_field, read_parameters
from unlike.types.resolve import written_annotations
from unlike.types.tree import AnyType, ClassType, TypeNode

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
    names |= dict.fromkeys(slot.__name__ for slot in slot_descriptors(cls))
    names |= dict.fromkeys(stores_of(cls))
    return [name for name in names if not isinstance(inspect.getattr_static(cls, name, None), property)]


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
        domain = reading.domain(written)
        domain = union([domain, *(each for each in _usual(stored) if not _has(domain, each))])
        return FieldDomain(name, domain, f"annotation{meaning}", tuple(reading.remarks))
    return FieldDomain(
        name, _domain_of_stores(stored, reading, cls, name), f"constructor{meaning}", tuple(reading.remarks)
    )


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
        case Unclear(text):
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
        if concrete_classes(root) != (root,):
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


# -- what a class's own code stores into its fields: read from the source of its methods, never run ---------


@dataclass(frozen=True, slots=True)
class Constant:
    """A plain value that stands in the source."""

    value: object


@dataclass(frozen=True, slots=True)
class Passed:
    """An argument of the method, with its type, and the value it has if it is not passed."""

    type: TypeNode
    default: object = inspect.Parameter.empty


@dataclass(frozen=True, slots=True)
class NewObject:
    """A new object of a class, or the object itself."""

    cls: type


@dataclass(frozen=True, slots=True)
class AnnotatedStore:
    """Something under an annotation of its own: `self.items: list[int] = []`."""

    type: TypeNode


@dataclass(frozen=True, slots=True)
class Unclear:
    """Something that only running the code could tell."""

    text: str


Stored: TypeAlias = Constant | Passed | NewObject | AnnotatedStore | Unclear


def stores_of(cls: type, name: str = "__init__") -> dict[str, list[Stored]]:
    """Return what the methods of that name, own and inherited, store into each field of `self`, in order."""
    found: dict[str, list[Stored]] = {}
    for each in reversed(cls.__mro__):
        function = vars(each).get(name)
        if isinstance(function, types.FunctionType):
            for field, stored in _MethodStores(function, cls).stores():
                found.setdefault(_mangle(field, each), []).append(stored)
    return found


def later_stores_of(cls: type) -> dict[str, list[Stored]]:
    """Return what methods other than the constructor store into each field of `self`."""
    names = dict.fromkeys(name for each in cls.__mro__ if each is not object for name in vars(each))
    found: dict[str, list[Stored]] = {}
    for name in names:
        if name != "__init__":
            for field, stored in stores_of(cls, name).items():
                found.setdefault(field, []).extend(stored)
    return found


def _mangle(name: str, owner: type) -> str:
    """Return the name under which a private field of a class is stored."""
    return f"_{owner.__name__.lstrip('_')}{name}" if name.startswith("__") and not name.endswith("__") else name


class _MethodStores:
    """Reads the source of one method."""

    def __init__(self, function: types.FunctionType, cls: type) -> None:
        self.function = function
        self.cls = cls
        self.parameters: dict[str, ReadParameter] = {}
        self.names: dict[str, Any] = {**vars(builtins), **function.__globals__, cls.__name__: cls}

    def stores(self) -> Iterator[tuple[str, Stored]]:
        """Yield each field with what is stored into it."""
        try:
            tree = ast.parse(textwrap.dedent(inspect.getsource(self.function)))
            self.parameters = {each.name: each for each in read_parameters(self.function, self.cls)}
        except (OSError, TypeError, SyntaxError, ValueError):
            return
        self.me = next(iter(self.parameters), "")
        for node in ast.walk(tree):
            yield from self.stores_in(node)

    def stores_in(self, node: ast.AST) -> Iterator[tuple[str, Stored]]:
        match node:
            case ast.AnnAssign(target=ast.Attribute(value=ast.Name(id=owner), attr=name)) if owner == self.me:
                yield name, AnnotatedStore(self.read_type(node.annotation))
                if node.value is not None:
                    yield from ((name, each) for each in self.list_stores(node.value) if not isinstance(each, Unclear))
            case ast.Assign(targets=targets, value=value):
                for target in targets:
                    yield from self.pairs(target, value)

    def pairs(self, target: ast.expr, value: ast.expr) -> Iterator[tuple[str, Stored]]:
        """Yield the fields among the targets of an assignment."""
        match target, value:
            case ast.Attribute(value=ast.Name(id=owner), attr=name), _ if owner == self.me:
                yield from ((name, each) for each in self.list_stores(value))
            case ast.Tuple(elts=targets), ast.Tuple(elts=values) if len(targets) == len(values):
                for one, other in zip(targets, values, strict=True):
                    yield from self.pairs(one, other)
            case (ast.Tuple(elts=targets), _) | (ast.List(elts=targets), _):
                for one in targets:
                    if isinstance(one, ast.Attribute) and isinstance(one.value, ast.Name) and one.value.id == self.me:
                        yield one.attr, Unclear(ast.unparse(value))

    def list_stores(self, value: ast.expr) -> Iterator[Stored]:
        """Yield what an expression can be."""
        match value:
            case ast.IfExp(body=one, orelse=other):
                yield from self.list_stores(one)
                yield from self.list_stores(other)
            case ast.BoolOp(values=values):
                for each in values:
                    yield from self.list_stores(each)
            case ast.Name(id=name) if name == self.me:
                yield NewObject(self.cls)
            case ast.Name(id=name) if name in self.parameters:
                default = self.parameters[name].default
                yield Passed(self.parameters[name].type, default)
                if default is None:
                    yield Constant(None)
            case ast.Call(func=function):
                made = self.evaluate(function)
                if isinstance(made, type) and made.__module__ != "builtins":
                    yield NewObject(made)
                else:
                    yield Unclear(ast.unparse(value))
            case _:
                yield self.constant(value)

    def constant(self, value: ast.expr) -> Stored:
        """Return a literal, or a constant that the module defines."""
        try:
            found = ast.literal_eval(value)
        except (ValueError, TypeError, SyntaxError, MemoryError, RecursionError):
            if not isinstance(value, ast.Name | ast.Attribute):
                return Unclear(ast.unparse(value))
            found = self.evaluate(value)
        if found is None or isinstance(found, bool | int | float | str | bytes | enum.Enum):
            return Constant(found)
        return Unclear(ast.unparse(value))

    def read_type(self, node: ast.expr) -> TypeNode:
        """Return the type that an annotation inside the method stands for."""
        text = node.value if isinstance(node, ast.Constant) and isinstance(node.value, str) else ast.unparse(node)
        return read_annotation(text, (self.names,), self.cls)

    def evaluate(self, node: ast.expr) -> object:
        """Return what a name, or an attribute of a name, stands for in the module; no calls are made."""
        if any(isinstance(each, ast.Call | ast.Lambda | ast.Await) for each in ast.walk(node)):
            return Unclear(ast.unparse(node))
        try:
            return eval(ast.unparse(node), self.names)
        except Exception:  # a name that is not there, a subscript that fails
            return Unclear(ast.unparse(node))
