"""From the tree of a type to its shape: the choices that cover it.

Classes and aliases become references, so that types may refer to themselves; in the end all of them are unrolled to one
finite shape. What cannot be made is refused with the path to it, the reason and the remedy.
"""

from __future__ import annotations

import enum
import functools
import itertools
import operator
import typing
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from unlike.errors import SpecError
from unlike.structure.shapes import (
    EACH,
    SPREAD,
    Build,
    Choice,
    Constants,
    Described,
    Field,
    ItemsShape,
    NamedFields,
    Path,
    Reference,
    Shape,
    Texts,
    shown_path,
)
from unlike.structure.unroll import DEPTH, unroll
from unlike.types.classes import NO_VALUES
from unlike.types.leaves import LEAVES, LIST_MOST, MADE_BY, PYDANTIC
from unlike.types.own_values import shape_of_value
from unlike.types.read import TypeReader
from unlike.types.resolve import signature_of
from unlike.types.rules import OpaqueRule, Rule, constrained
from unlike.types.tree import (
    AliasType,
    AnyType,
    ClassType,
    EitherType,
    FieldType,
    FlagType,
    ItemsType,
    ListedType,
    MappingType,
    NewNameType,
    OwnValueType,
    PlacesType,
    PlainType,
    RecordType,
    RuledType,
    TypeNode,
    UnreadableType,
    VariableType,
    bare_type,
    inner_types,
    rules_on,
    type_name,
    words_on,
)
from unlike.types.written import has_default, type_parameters, written_name

MOST_ENUM = 10_000
EXTRA = "extra items"
MOST_ARGUMENTS = 20  # ways to give one generic type its arguments: one that contains itself may need ever more
MOST_FLAGS = 10  # members of a Flag: with more, not all combinations are listed
# What stands for anything: a small JSON value of each kind.
SAMPLES: dict[str, object] = {
    "object": {},
    "array": [],
    "string": "text",
    "integer": 0,
    "fraction": 0.5,
    "boolean": True,
    "null": None,
}
ANYTHING = Constants(tuple(SAMPLES.values()), "anything", paired=False)
HASHABLE = Constants(tuple(each for each in SAMPLES.values() if each not in ({}, [])), "anything", paired=False)


@dataclass(slots=True)
class ReadType:
    """A type as it was read: its finite shape, its name, the words in its metadata, and what was read for it there.

    `remarks` says by name what a user should know: `payload: Any is read as small JSON values`.
    """

    shape: Shape
    name: str
    metadata: tuple[object, ...] = ()
    field_metadata: dict[str, tuple[object, ...]] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()


def shape_of(annotation: object, *, depth: int = DEPTH) -> Shape:
    """Return the finite shape of a type; references to itself are entered again so many times.

    >>> shape_of(list[bool])
    ItemsShape(item=Constants(values=(False, True), ...), least=0, most=3, kind='list', ...)
    """
    return read_type(annotation, depth=depth).shape


def read_type(annotation: object, *, depth: int = DEPTH) -> ReadType:
    """Return a type as it was read, with the metadata on it and on its fields.

    A dict from names to annotations is read as a dict of such values: the parameters of a function.
    """
    if type(depth) is not int or depth < 0:
        raise SpecError(f"depth={depth!r} must be an int of at least 0")
    maker = _ShapeMaker(depth)
    if isinstance(annotation, Mapping):
        fields = [FieldType(str(name), maker.reader.read(each), required=True) for name, each in annotation.items()]
        found = maker.fields(RecordType(tuple(fields), Build(), closed=True), ())
        shape = unroll(found, maker.definitions, depth)
        return ReadType(shape, "inputs", (), maker.metadata, tuple(maker.remarks))
    name = written_name(annotation)
    try:
        node = maker.reader.read(annotation)
        shape = unroll(maker.shape(node, ()), maker.definitions, depth)
    except SpecError as error:
        if not isinstance(annotation, type) or str(error).startswith((f"{name}:", f"{name}.", "value:")):
            raise
        raise SpecError(f"{name}: {error}") from None
    return ReadType(shape, name, words_on(node), maker.metadata, tuple(maker.remarks))


class _ShapeMaker:
    def __init__(self, depth: int = DEPTH) -> None:
        self.depth = depth
        self.reader = TypeReader()
        self.definitions: dict[str, Shape] = {}
        self.metadata: dict[str, tuple[object, ...]] = {}
        self.remarks: dict[str, None] = {}
        self.known: list[tuple[TypeNode, tuple[bool, bool], str]] = []
        self.validating = False  # whether a class around this place checks every value itself
        self.hashing = False  # whether the values at this place have to be hashable

    def shape(self, node: TypeNode, path: Path) -> Shape:
        """Return the shape of a type, with references for classes."""
        match node:
            case PlainType(cls) if cls in LEAVES:
                return LEAVES[cls]
            case ListedType(values, word):
                return self.listed(node, values, word, path)
            case FlagType(cls):
                return _flags(cls)
            case AnyType():
                self.remarks[f"{shown_path(path)}: {_anything(node)} is read as small JSON values"] = None
                return HASHABLE if self.hashing else ANYTHING
            case VariableType(_, bound, among):
                return self.variable(node, bound, among, path)
            case EitherType(alternatives):
                return Choice(tuple((word, self.shape(inner, path)) for word, inner in alternatives))
            case ItemsType(item, "set" | "frozenset" as kind):
                return ItemsShape(self.hashable(item, (*path, EACH), "a set"), 0, LIST_MOST, kind, unique=True)
            case ItemsType(item, kind):
                return ItemsShape(self.shape(item, (*path, EACH)), 0, LIST_MOST, kind)
            case PlacesType():
                return self.places(node, path)
            case MappingType(key, value):
                return self.mapping(key, value, path)
            case NewNameType(inner=inner):
                return self.shape(inner, path)
            case OwnValueType(Described() as described):
                return described.shape(self.depth)
            case OwnValueType(value):
                return shape_of_value(value)  # type: ignore[arg-type]
            case RuledType(inner, rules):
                return constrained(self.shape(inner, path), self.legible(rules), path)
            case AliasType():
                return self.named(node, path, lambda: self.shape(self.reader.meaning_of(node), path))
            case ClassType():
                return self.of_class(node, path)
            case UnreadableType(text, reason, remedy):
                raise refused(path, text, reason, remedy)
        raise refused(path, type_name(node), *NO_VALUES)

    def legible(self, rules: tuple[Rule, ...]) -> list[Rule]:
        """Return the rules that values are made by; what cannot be read is left to a class that checks it itself."""
        return [each for each in rules if not (self.validating and isinstance(each, OpaqueRule))]

    def listed(self, node: TypeNode, values: tuple[object, ...], word: str, path: Path) -> Shape:
        if word == "bool":
            return LEAVES[bool]  # the same leaf for the same type: covers remember leaves by identity
        if word == "None":
            return LEAVES[None]
        if len(values) > MOST_ENUM:
            raise refused(path, type_name(node), f"has {len(values):,} members", "cover a part of it with Literal[…]")
        return Constants(values, word)

    def variable(self, node: TypeNode, bound: TypeNode | None, among: tuple[TypeNode, ...], path: Path) -> Shape:
        if among:
            return Choice(tuple((type_name(each), self.shape(each, path)) for each in among))
        if bound is not None:
            return self.shape(bound, path)
        remedy = "give the generic type its arguments, like Box[int]"
        raise refused(path, f"~{type_name(node)}", "is an open type variable", remedy)

    def mapping(self, key: TypeNode, value: TypeNode, path: Path) -> Shape:
        keys = self.hashable(key, (*path, EACH, "key"), "the keys of a dict")
        values = self.shape(value, (*path, EACH, "value"))
        pair = NamedFields((Field("key", keys), Field("value", values)), Build("pair"))
        return ItemsShape(pair, 0, LIST_MOST, "dict", unique=True)

    def places(self, node: PlacesType, path: Path) -> Shape:
        if node.rest is not None:
            remedy = "write tuple[X, ...] or one type for each place"
            raise refused(path, type_name(node), "has places and a rest of any length", remedy)
        parts = (Field(str(index), self.shape(each, (*path, str(index)))) for index, each in enumerate(node.before))
        return NamedFields(tuple(parts), Build("tuple"))

    def of_class(self, node: ClassType, path: Path) -> Shape:
        cls = node.cls
        if cls.__module__.startswith("pydantic") and cls.__name__ in PYDANTIC:
            text, keyword = PYDANTIC[cls.__name__], MADE_BY.get(cls.__name__)
            if self.validating or keyword is None:
                return text  # the model around it makes the object
            return NamedFields((Field(keyword, text),), Build("call", cls), closed=True)
        missing = type_parameters(cls)[len(node.arguments) :]
        if any(not _is_bound(each) and not (node.arguments and _may_be_empty(each)) for each in missing):
            raise refused(path, cls.__name__, "is generic and open", f"give it its arguments, like {cls.__name__}[int]")
        record = self.reader.record_of(node)
        if record is None:
            raise refused(path, type_name(node), *NO_VALUES)
        if untaken := _not_taken(cls, record):
            remedy = f"let its constructor take {untaken!r}, or cover the parameters of a function that builds it"
            raise refused(path, cls.__name__, f"has a field {untaken!r} that its constructor does not take", remedy)
        return self.named(node, path, lambda: self.fields(record, path), validates=record.validates)

    def named(self, node: TypeNode, path: Path, make: Callable[[], Shape], *, validates: bool = False) -> Shape:
        """Return a reference to what is read once and may refer to itself."""
        around = (self.validating or validates, self.hashing)  # as it is inside: it refers to itself from there
        for known, then, name in self.known:
            if then == around and known == node and repr(known) == repr(node):  # rules with 0 and False are equal
                return Reference(name)
        same = [each for each, then, _ in self.known if then == around and _generic_of(each) is _generic_of(node)]
        if len(same) > MOST_ARGUMENTS:
            remedy = "let it contain itself with the same arguments"
            raise refused(path, type_name(same[0]), "contains itself with ever other arguments", remedy)
        name = type_name(node)
        while name in self.definitions:
            name += "'"
        self.known.append((node, around, name))
        self.definitions[name] = Constants((), name)  # until it is read
        self.definitions[name] = make()
        return Reference(name)

    def fields(self, record: RecordType, path: Path) -> Shape:
        around, self.validating = self.validating, self.validating or record.validates
        found = []
        for each in record.fields:
            if not path:
                self.metadata[each.name] = words_on(each.type)
            found.append(Field(each.name, self.shape(each.type, (*path, each.name)), each.required, each.key))
        self.validating = around
        if record.extra is None:
            return NamedFields(tuple(found), record.build, record.closed)
        return NamedFields((*found, self.extra_items(record, path)), Build("object"), closed=True)

    def extra_items(self, record: RecordType, path: Path) -> Field:
        """Return the entries of a TypedDict beside its fields, under keys that no field has."""
        assert record.extra is not None
        word = "extra"
        while any(each.name.startswith(word) for each in record.fields):
            word += "_"
        pair = (Field("key", Texts(f"{word}[0-9]?", 1, len(word) + 1)), Field("value", self.shape(record.extra, path)))
        return Field(EXTRA, ItemsShape(NamedFields(pair, Build("pair")), 0, LIST_MOST, "dict", unique=True), key=SPREAD)

    def hashable(self, node: TypeNode, path: Path, where: str) -> Shape:
        """Return the shape of what is in a set or the key of a dict."""
        if not is_hashable(node):
            remedy = "use frozenset, tuple, or a frozen class"
            raise refused(path, type_name(node), f"is not hashable and cannot be in {where}", remedy)
        around, self.hashing = self.hashing, True
        shape = self.shape(node, path)
        self.hashing = around
        return shape


def _generic_of(node: TypeNode) -> object:
    match node:
        case ClassType(named) | AliasType(named):
            return named
    return node


def _not_taken(cls: type, record: RecordType) -> str:
    """Return the field of a dataclass that the constructor, which somebody else wrote, does not take; usually none."""
    if "__dataclass_params__" not in vars(cls) or record.validates:
        return ""
    try:
        taken = signature_of(cls).parameters
    except (TypeError, ValueError):
        return ""
    if any(each.kind is each.VAR_KEYWORD for each in taken.values()):
        return ""
    return next((each.name for each in record.fields if (each.key or each.name) not in taken), "")


def has_opaque_rules(cls: type) -> bool:
    """Tell whether a class checks something of its fields that nobody else can read."""
    record = TypeReader().record_of(ClassType(cls))
    todo = [] if record is None else [each.type for each in record.fields]
    for node in todo:  # grows while we walk
        if any(isinstance(rule, OpaqueRule) for rule in rules_on(node)):
            return True
        todo += inner_types(node)
    return False


def is_hashable(node: TypeNode) -> bool:
    """Tell whether values of a type can be in a set, as far as the type says."""
    match bare_type(node):
        case ItemsType(kind="list" | "set") | MappingType():
            return False
        case ItemsType(item, "tuple"):
            return is_hashable(item)
        case PlacesType(before, rest, after):
            return all(is_hashable(each) for each in (*before, *after, *(() if rest is None else (rest,))))
        case EitherType(alternatives):
            return all(is_hashable(inner) for _, inner in alternatives)
        case ClassType(cls):
            return getattr(cls, "__hash__", None) is not None
    return True


def _anything(node: AnyType) -> str:
    return node.said or "what has no annotation"


def _may_be_empty(variable: object) -> bool:
    return isinstance(variable, typing.TypeVarTuple)  # Row[bool] gives it no types


def _is_bound(variable: object) -> bool:
    said = getattr(variable, "__constraints__", ()) or getattr(variable, "__bound__", None) is not None
    return bool(said) or has_default(variable)


def _flags(cls: type) -> Shape:
    """Return the values of a Flag: none, each member alone, all together, and every other combination."""
    shown, mixed, unlisted = flag_values(cls)
    return Constants((*shown, *mixed), "enum", single=len(shown), others="several members", unlisted=unlisted)


def flag_values(cls: type) -> tuple[list[enum.Flag], list[enum.Flag], int]:
    """Return the values of a Flag that are choices of their own, all other combinations if they are few, or how many.

    A member of several bits is a combination of others, unless nobody else has all of its bits.
    """
    flags = typing.cast("type[enum.Flag]", cls)
    single = functools.reduce(operator.or_, (each.value for each in flags), 0)
    members = [each for each in _members(flags) if each in list(flags) or each.value & ~single]
    shown = [flags(0), *members]
    shown += [functools.reduce(operator.or_, members)] if len(members) > 1 else []
    if len(members) > MOST_FLAGS:
        return shown, [], 2 ** len(members) - len(shown)
    sizes = range(2, len(members))
    mixed = [functools.reduce(operator.or_, some) for size in sizes for some in itertools.combinations(members, size)]
    return shown, [each for each in dict.fromkeys(mixed) if each not in shown], 0


def _members(flags: type[enum.Flag]) -> list[enum.Flag]:
    """Return the members by their own names, those of several bits, too; not the one for nothing."""
    return [each for name, each in flags.__members__.items() if each.name == name and each.value]


def refused(path: Path, text: str, reason: str, remedy: str) -> SpecError:
    """Return the error for a type that cannot be made: path, type, reason, remedy."""
    return SpecError(f"{shown_path(path)}: {text} {reason}; {remedy}")
