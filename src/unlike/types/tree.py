"""A type as it was written, read once: the frozen data that every reading of types starts from.

    Annotated[int, Ge(0)] | None   ->  EitherType((("int", RuledType(PlainType(int), (Bound(">= 0"),))), ("None", …)))
    dict[str, list["Node"]]        ->  MappingType(PlainType(str), ItemsType(ClassType(Node), "list"))

A class or a type alias is a name: what is in it is read when somebody enters it (`TypeReader.record_of`), so every tree
is finite, whatever refers to itself. What nobody can read is a node, too; whoever needs it refuses it with its reason.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from unlike.structure.shapes import Build
    from unlike.types.rules import Rule

Container: TypeAlias = Literal["list", "tuple", "set", "frozenset"]


@dataclass(frozen=True, slots=True)
class PlainType:
    """A built-in type of plain values, like int, str, date, UUID."""

    cls: type


@dataclass(frozen=True, slots=True)
class ListedType:
    """One of these values: None, a Literal, the members of an Enum (then `cls` is the Enum)."""

    values: tuple[object, ...]
    word: str = "constant"
    cls: type | None = None


@dataclass(frozen=True, slots=True)
class FlagType:
    """The members of a Flag and all their combinations."""

    cls: type


@dataclass(frozen=True, slots=True)
class AnyType:
    """Anything: `Any`, `object`, or (with the empty text) no annotation at all."""

    said: Literal["", "Any", "object"] = ""


@dataclass(frozen=True, slots=True)
class VariableType:
    """A type variable that is still open once all arguments are put in."""

    name: str
    bound: TypeNode | None = None
    among: tuple[TypeNode, ...] = ()


@dataclass(frozen=True, slots=True)
class EitherType:
    """One of several types, each with a word for it."""

    alternatives: tuple[tuple[str, TypeNode], ...]


@dataclass(frozen=True, slots=True)
class ItemsType:
    """A container of items of one type; where nothing is said of them, that type is AnyType("")."""

    item: TypeNode
    kind: Container = "list"


@dataclass(frozen=True, slots=True)
class PlacesType:
    """A tuple with a type for each place: tuple[X, *tuple[Y, ...], Z] has X before, Y as the rest, Z after."""

    before: tuple[TypeNode, ...]
    rest: TypeNode | None = None
    after: tuple[TypeNode, ...] = ()


@dataclass(frozen=True, slots=True)
class MappingType:
    """A dict."""

    key: TypeNode
    value: TypeNode


@dataclass(frozen=True, slots=True)
class ClassType:
    """A class, with the types that it is given as arguments."""

    cls: type
    arguments: tuple[TypeNode, ...] = ()


@dataclass(frozen=True, slots=True)
class AliasType:
    """A `type` statement, with its arguments."""

    alias: object
    arguments: tuple[TypeNode, ...] = ()


@dataclass(frozen=True, slots=True)
class NewNameType:
    """A NewType: values may be declared under its name."""

    module: str
    name: str
    inner: TypeNode


@dataclass(frozen=True, slots=True)
class OwnValueType:
    """A value of the term language, Int(0, 9), or a schema of a document: it says all there is to say."""

    value: object


@dataclass(frozen=True, slots=True)
class RuledType:
    """A type under rules; `words` are the metadata as they were written. Never directly inside another one."""

    inner: TypeNode
    rules: tuple[Rule, ...]
    words: tuple[object, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class UnreadableType:
    """What is no data: how it was written, why, and what to write instead.

    Of a function or a class, something can stand for it where objects are made: `inner` is what the function returns,
    or what the class is derived from.
    """

    text: str
    reason: str
    remedy: str
    means: Literal["", "function", "class"] = ""
    inner: TypeNode | None = None


TypeNode: TypeAlias = (
    PlainType
    | ListedType
    | FlagType
    | AnyType
    | VariableType
    | EitherType
    | ItemsType
    | PlacesType
    | MappingType
    | ClassType
    | AliasType
    | NewNameType
    | OwnValueType
    | RuledType
    | UnreadableType
)


@dataclass(frozen=True, slots=True)
class FieldType:
    """A field of a class: its type, the keyword that gives it, whether it must be given."""

    name: str
    type: TypeNode
    required: bool
    key: str = ""


@dataclass(frozen=True, slots=True)
class RecordType:
    """The fields of a class, how an object of it is built, and whether that checks what nobody could read.

    A TypedDict may say that it has no other keys (`closed`), or what others hold (`extra`). A constructor may take what
    it does not describe (`unread`).
    """

    fields: tuple[FieldType, ...]
    build: Build
    closed: bool = False
    validates: bool = False
    extra: TypeNode | None = None
    unread: tuple[str, ...] = ()


def bare_type(node: TypeNode) -> TypeNode:
    """Return the type without its rules and without a new name."""
    while True:
        match node:
            case RuledType(inner) | NewNameType(inner=inner):
                node = inner
            case _:
                return node


def rules_on(node: TypeNode) -> tuple[Rule, ...]:
    """Return the rules at one place, also those inside a new name."""
    match node:
        case RuledType(inner, rules):
            return (*rules_on(inner), *rules)
        case NewNameType(inner=inner):
            return rules_on(inner)
    return ()


def words_on(node: TypeNode) -> tuple[object, ...]:
    """Return the metadata written at one place."""
    return node.words if isinstance(node, RuledType) else ()


def with_rules(node: TypeNode, rules: tuple[Rule, ...], words: tuple[object, ...] = ()) -> TypeNode:
    """Return a type under further rules: all rules at one place stand in one node."""
    if not rules and not words:
        return node
    if isinstance(node, RuledType):
        return RuledType(node.inner, (*node.rules, *rules), (*node.words, *words))
    return RuledType(node, rules, words)


def inner_types(node: TypeNode) -> Iterator[TypeNode]:
    """Yield the types directly inside a type; classes and aliases are names, and have none but their arguments."""
    match node:
        case EitherType(alternatives):
            yield from (inner for _, inner in alternatives)
        case ItemsType(inner) | NewNameType(inner=inner) | RuledType(inner):
            yield inner
        case PlacesType(before, rest, after):
            yield from before
            yield from () if rest is None else (rest,)
            yield from after
        case MappingType(key, value):
            yield from (key, value)
        case ClassType(arguments=arguments) | AliasType(arguments=arguments):
            yield from arguments
        case VariableType(bound=bound, among=among):
            yield from () if bound is None else (bound,)
            yield from among


def is_open(node: TypeNode) -> bool:
    """Tell whether an annotation says nothing: there is none, or Any, object, a type variable that is still open."""
    return isinstance(node, AnyType) or (isinstance(node, VariableType) and node.bound is None and not node.among)


def holds_open(node: TypeNode) -> bool:
    """Tell whether a type holds parts of which nothing is said: `list[T]`, `dict[str, Any]`, an alias of T."""
    inside = [*inner_types(node)]
    holds = isinstance(node, ItemsType | PlacesType | MappingType | ClassType | AliasType) and any(map(is_open, inside))
    return holds or any(map(holds_open, inside))


def type_name(node: TypeNode) -> str:
    """Return a type as one would write it, without module names and rules."""
    match node:
        case RuledType(inner):
            return type_name(inner)
        case PlainType(cls) | FlagType(cls):
            return cls.__name__
        case ListedType(cls=type() as cls):
            return cls.__name__
        case ListedType((None,)):
            return "None"
        case ListedType(values, word):
            return "bool" if word == "bool" else f"Literal[{', '.join(map(repr, values))}]"
        case AnyType(said):
            return said or "no annotation"
        case VariableType(name) | NewNameType(name=name):
            return name
        case EitherType(alternatives):
            return " | ".join(type_name(inner) for _, inner in alternatives)
        case ItemsType(AnyType(""), kind):
            return kind
        case ItemsType(item, kind):
            return f"{kind}[{type_name(item)}{', ...' if kind == 'tuple' else ''}]"
        case MappingType(AnyType(""), AnyType("")):
            return "dict"
        case MappingType(key, value):
            return f"dict[{type_name(key)}, {type_name(value)}]"
        case PlacesType(before, rest, after):
            middle = () if rest is None else (f"*tuple[{type_name(rest)}, ...]",)
            places = [*map(type_name, before), *middle, *map(type_name, after)]
            return f"tuple[{', '.join(places) or '()'}]"
        case ClassType(cls, arguments):
            return _applied_name(cls.__name__, arguments)
        case AliasType(alias, arguments):
            return _applied_name(str(getattr(alias, "__name__", alias)), arguments)
        case OwnValueType(value):
            return str(getattr(value, "name", None) or value)
        case UnreadableType(text):
            return text


def _applied_name(name: str, arguments: tuple[TypeNode, ...]) -> str:
    return f"{name}[{', '.join(map(type_name, arguments))}]" if arguments else name


def value_names(node: TypeNode) -> list[str]:
    """Return the names under which values of a type may be declared, the nearest first."""
    match node:
        case RuledType(inner):
            return value_names(inner)
        case NewNameType(module, name, inner):
            return [f"{module}:{name}", name, *value_names(inner)]
        case AnyType(said):
            return [*([said] if said else []), "any"]
        case PlainType(cls) | FlagType(cls) | ClassType(cls) | ListedType(cls=type() as cls):
            return [f"{cls.__module__}:{cls.__qualname__}", cls.__qualname__, cls.__name__]
        case ListedType(word="bool"):
            return ["bool"]
        case ItemsType(AnyType(""), name):
            return [name]
        case MappingType(AnyType(""), AnyType("")):
            return ["dict"]
    return []


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
