"""From an annotation to its tree: the one place that looks into annotations.

A reader remembers the classes it entered, so that a class is read once for one question. Nothing is refused here: what
cannot be read is a node, which says why.
"""

from __future__ import annotations

import dataclasses
import inspect
import sys
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from unlike.errors import SpecError
from unlike.language.values import VALUES
from unlike.structure.shapes import Described
from unlike.types.classes import ITEMS, MAPPINGS, NOTHING, class_node, why_not
from unlike.types.records import DeclaredField, attrs_validator, declared_annotation, fields_reader, pydantic_field
from unlike.types.resolve import (
    Names,
    UnresolvedName,
    names_of_class,
    names_of_function,
    resolve,
    signature_of,
    written_annotations,
)
from unlike.types.rules import rules_in
from unlike.types.tree import (
    AliasType,
    AnyType,
    ClassType,
    EitherType,
    FieldType,
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
    type_name,
    with_rules,
)
from unlike.types.validators import is_opaque_validator, validated_type
from unlike.types.written import (
    has_default,
    is_alias,
    says_no_places,
    type_parameters,
    unpacked,
    wrapper_of,
    written_name,
)

Variables: typing.TypeAlias = Mapping[object, TypeNode]


@dataclass(frozen=True, slots=True)
class AnnotationContext:
    """Where an annotation stands: the names it may use, what type variables mean there, and the class around it."""

    names: Names = ()
    variables: Variables = field(default_factory=dict)
    owner: ClassType | None = None


NOWHERE = AnnotationContext()


@dataclass(frozen=True, slots=True)
class NamedUnion:
    """An annotation that was found under a text, and that names itself in it; read again when somebody enters it."""

    name: str
    meaning: object
    where: AnnotationContext = field(compare=False, repr=False)

    @property
    def __name__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True)
class ReadParameter:
    """A parameter of a function with its type; without an annotation that is AnyType("")."""

    name: str
    kind: inspect._ParameterKind
    default: object
    type: TypeNode

    @property
    def is_optional(self) -> bool:
        """Whether a call may leave it out."""
        return self.default is not inspect.Parameter.empty or self.kind is inspect.Parameter.VAR_POSITIONAL


def read_annotation(annotation: object, names: Names = (), owner: type | None = None) -> TypeNode:
    """Return the tree of an annotation; names in texts are looked up among the names given.

    >>> read_annotation(list[int | None])
    ItemsType(item=EitherType(alternatives=(('int', PlainType(...)), ('None', ListedType(...)))), kind='list')
    """
    return TypeReader().read(annotation, AnnotationContext(names, {}, None if owner is None else ClassType(owner)))


def read_parameters(function: typing.Any, owner: type | None = None) -> list[ReadParameter]:
    """Return the parameters of a function, or of the constructor of a class, each with its type.

    A constructor that passes on all it gets (`__new__(cls, *args)`, a metaclass) has the parameters of `__init__`.
    """
    parameters = list(signature_of(function).parameters.values())
    source = function
    if isinstance(function, type):
        made = [each for each in (function.__init__, function.__new__) if isinstance(each, types.FunctionType)]  # type: ignore[misc]
        if made and all(each.kind in (each.VAR_POSITIONAL, each.VAR_KEYWORD) for each in parameters):
            parameters = list(signature_of(made[0]).parameters.values())[1:]
        source = made[0] if made else function
    reader = TypeReader()
    where = AnnotationContext(names_of_function(source, owner), {}, None if owner is None else ClassType(owner))
    if owner is not None:
        where = replace(where, variables=reader.inherited_variables(ClassType(owner), source))
    fields = _fields_by_parameter(function) if isinstance(function, type) else {}
    found = []
    for each in parameters:
        written = AnyType() if each.annotation is each.empty else each.annotation
        node = read_field(ClassType(function), fields[each.name]) if each.name in fields else None
        node = _without_validators(node or reader.read(written, where))
        found.append(ReadParameter(each.name, each.kind, each.default, node))
    return found


def _fields_by_parameter(cls: type) -> dict[str, str]:
    """Return the fields that the parameters of a constructor fill which a decorator wrote: dataclass or attrs."""
    if "__attrs_attrs__" in vars(cls):
        return {(each.alias or each.name): each.name for each in cls.__attrs_attrs__ if each.init}  # type: ignore[attr-defined]
    made = vars(cls).get("__dataclass_params__")
    return {} if made is None or not made.init else {each.name: each.name for each in dataclasses.fields(cls)}


def _without_validators(node: TypeNode) -> TypeNode:
    """Return the type of an argument: what nobody can read is left to the constructor, which refuses what it must."""
    if not isinstance(node, RuledType):
        return node
    return replace(node, rules=tuple(each for each in node.rules if not is_opaque_validator(each)))


def read_field(node: ClassType, name: str) -> TypeNode | None:
    """Return the type of a field that a class, or the nearest of its bases, annotates; with what attrs checks of it."""
    declared, validator = declared_annotation(node.cls, name), attrs_validator(node.cls, name)
    if declared is None and validator is None:
        return None
    annotation, owner = declared or (AnyType(), node.cls)
    annotation, metadata = pydantic_field(node.cls, name) or (annotation, ())
    reader = TypeReader()
    read = reader.read(annotation, reader.inside(node, owner))
    return _ruled(validated_type(read, validator), metadata)


def read_return(function: typing.Any) -> TypeNode:
    """Return the type of what a function returns."""
    written = written_annotations(function).get("return", AnyType())
    return read_annotation(written, names_of_function(function))


class TypeReader:
    """Reads annotations, and for one question each class once."""

    def __init__(self) -> None:
        self._records: dict[int, tuple[ClassType, RecordType | None]] = {}
        self._entered: list[NamedUnion] = []

    def read(self, annotation: object, where: AnnotationContext = NOWHERE) -> TypeNode:
        """Return the tree of an annotation."""
        found = resolve(annotation, where.names)
        if found is annotation or typing.get_origin(found) is None:
            return self._resolved(found, where)
        # Json = list["Json"] | None names itself in a text
        entered = NamedUnion(str(getattr(annotation, "__forward_arg__", annotation)), found, where)
        if entered in self._entered:
            return AliasType(entered)
        self._entered.append(entered)
        try:
            return self._resolved(found, where)
        finally:
            self._entered.pop()

    def _resolved(self, annotation: object, where: AnnotationContext) -> TypeNode:
        match annotation:
            case UnresolvedName(text, missing):
                return _unresolved(text, missing, where)
            case AnyType():  # nothing was written
                return annotation
            case typing.TypeVar():
                return self._variable(annotation, where)
            case typing.NewType():
                inner = self.read(annotation.__supertype__, where)
                return NewNameType(str(annotation.__module__), annotation.__name__, inner)
            case dataclasses.InitVar():
                return self.read(annotation.type, where)
            case Described():
                return OwnValueType(annotation)
        if isinstance(annotation, VALUES):
            return OwnValueType(annotation)
        if is_alias(annotation):
            return AliasType(annotation)
        origin = typing.get_origin(annotation)
        if origin is not None and (typing.get_args(annotation) or (origin is tuple and not says_no_places(annotation))):
            return self._generic(annotation, origin, where)
        return self._named(annotation if origin is None else origin, where)  # typing.List says no more than list

    def _named(self, annotation: object, where: AnnotationContext) -> TypeNode:
        if annotation is None or annotation is type(None):
            return NOTHING
        if annotation is typing.Any:
            return AnyType("Any")
        if annotation is object:
            return AnyType("object")
        if annotation is typing.Self:
            return where.owner or UnreadableType("Self", "stands in no class", "name the class")
        if annotation is typing.LiteralString:
            return PlainType(str)
        if isinstance(annotation, type):
            return class_node(annotation)
        return UnreadableType(written_name(annotation), *why_not(annotation))

    def _variable(self, variable: typing.TypeVar, where: AnnotationContext) -> TypeNode:
        if variable in where.variables:
            return where.variables[variable]
        if has_default(variable):
            return self.read(variable.__default__, where)  # type: ignore[attr-defined]
        among = tuple(self.read(each, where) for each in variable.__constraints__)
        bound = None if variable.__bound__ is None else self.read(variable.__bound__, where)
        return VariableType(variable.__name__, bound, among)

    def _generic(self, annotation: object, origin: object, where: AnnotationContext) -> TypeNode:
        args = typing.get_args(annotation)
        if origin is typing.Annotated:
            return self._annotated(args[0], args[1:], where)
        if origin in (typing.Union, types.UnionType):
            return _either([(written_name(each), self.read(each, where)) for each in args])
        if origin is typing.Literal:
            return _literal(annotation, args)
        if wrapper_of(annotation) is not None:
            return self.read(args[0], where)
        if origin in ITEMS and len(args) == 1:
            return ItemsType(self.read(args[0], where), ITEMS[origin])
        if origin in MAPPINGS and len(args) == 2:
            return MappingType(*(self.read(each, where) for each in args))
        if origin in ITEMS or origin in MAPPINGS:
            needed = "one type" if origin in ITEMS else "the types of its keys and of its values"
            return UnreadableType(written_name(annotation), f"has {len(args)} arguments", f"give it {needed}")
        if origin is tuple:
            return self._tuple(args, where)
        if any(unpacked(each) is not None for each in args):
            return UnreadableType(written_name(annotation), "has unpacked arguments", "write them one by one")
        arguments = tuple(self.read(each, where) for each in args if not isinstance(each, list))
        if is_alias(origin):
            return AliasType(origin, arguments)
        if origin is type:
            return UnreadableType(written_name(annotation), *why_not(type))
        if isinstance(origin, type) and origin.__name__ != "Callable":
            node = class_node(origin)
            return replace(node, arguments=arguments) if isinstance(node, ClassType) else node
        return UnreadableType(written_name(annotation), *why_not(origin))

    def _annotated(self, inner: object, metadata: Sequence[object], where: AnnotationContext) -> TypeNode:
        ours = [each for each in metadata if isinstance(each, VALUES)]
        if ours:
            return with_rules(OwnValueType(ours[-1]), (), tuple(metadata))  # a value says all there is to say
        return _ruled(self.read(inner, where), metadata)

    def _tuple(self, args: tuple[object, ...], where: AnnotationContext) -> TypeNode:
        if len(args) == 2 and args[1] is ...:
            return ItemsType(self.read(args[0], where), "tuple")
        parts: list[list[TypeNode]] = [[], []]
        rest: TypeNode | None = None
        for each in args if args != ((),) else ():
            inside = unpacked(each)
            found = None if inside is None else self._unpacked_places(inside, where)
            match found:
                case UnreadableType():
                    return found
                case ItemsType(item, "tuple") if rest is None:
                    rest = item
                case PlacesType(before, None, ()):
                    parts[rest is not None] += before
                case None:
                    parts[rest is not None].append(self.read(each, where))
                case _:
                    return UnreadableType(written_name(each), "is a second rest of any length", "write one of them")
        return PlacesType(tuple(parts[0]), rest, tuple(parts[1]))

    def _unpacked_places(self, inner: object, where: AnnotationContext) -> TypeNode:
        """Return the places that stand for `*tuple[X, ...]`, or for `*Ts` where `Ts` is given its types."""
        if not isinstance(inner, typing.TypeVarTuple):
            return self._tuple(typing.get_args(inner), where)
        remedy = f"give the generic type its arguments for {inner.__name__}"
        return where.variables.get(inner) or UnreadableType(f"*{inner.__name__}", "is an open type variable", remedy)

    # -- classes ---------------------------------------------------------------------------------------------------

    def meaning_of(self, node: AliasType) -> TypeNode:
        """Return what an alias stands for."""
        alias: typing.Any = node.alias
        if isinstance(alias, NamedUnion):
            return self.read(alias.meaning, alias.where)
        variables = _given_variables(alias.__type_params__, node.arguments)
        module = vars(sys.modules[alias.__module__]) if alias.__module__ in sys.modules else {}
        names = ({**module, alias.__name__: alias},)
        try:
            value = alias.__value__
        except NameError as error:
            return _unresolved(str(alias), str(error.name), NOWHERE)
        return self.read(value, AnnotationContext(names, variables))

    def record_of(self, node: ClassType) -> RecordType | None:
        """Return the fields of a class; nothing for one that is no dataclass, model or the like."""
        for known, record in self._records.values():
            if known.cls is node.cls and known == node and repr(known) == repr(node):  # 0 == False, in rules
                return record
        read = fields_reader(node.cls)
        record = None
        if read is not None:
            declared = read(node.cls)
            fields = tuple(self._field(each, node, declared.build.kind == "dict") for each in declared.fields)
            extra = None if declared.extra is None else self._field(declared.extra, node, is_key=False).type
            record = RecordType(fields, declared.build, declared.closed, declared.validates, extra)
        self._records[len(self._records)] = node, record
        return record

    def _field(self, declared: DeclaredField, node: ClassType, is_key: bool) -> FieldType:
        where = self.inside(node, declared.owner)
        annotation = resolve(declared.annotation, where.names)
        required = declared.required
        if is_key and wrapper_of(annotation) in ("Required", "NotRequired"):
            # where annotations are texts, the class itself cannot know
            required = wrapper_of(annotation) == "Required"
        read = validated_type(self.read(annotation, where), declared.validator)
        return FieldType(declared.name, _ruled(read, declared.metadata), required, declared.key)

    def inside(self, node: ClassType, owner: type) -> AnnotationContext:
        """Return where the annotations of a class stand that is looked at as a part of another, or is that class."""
        return AnnotationContext(names_of_class(owner), self._variables_by_class(node).get(owner, {}), node)

    def inherited_variables(self, node: ClassType, function: object) -> Variables:
        """Return what type variables mean in a method of a class, which one of its bases may have written."""
        name = getattr(function, "__name__", "")
        known = self._variables_by_class(node)
        owner = next((each for each in node.cls.__mro__ if vars(each).get(name) is function), node.cls)
        return known.get(owner, {})

    def _variables_by_class(self, node: ClassType) -> dict[type, Variables]:
        """Return what the type variables of a class and of its bases mean: `class Child(Base[bool])` says it."""
        found: dict[type, Variables] = {}
        todo = [(node.cls, node.arguments)]
        for cls, arguments in todo:  # grows while we walk
            if cls in found:
                continue
            variables = _given_variables(type_parameters(cls), arguments)
            found[cls] = variables
            where = AnnotationContext(names_of_class(cls), variables, node)
            for base in types.get_original_bases(cls) if hasattr(types, "get_original_bases") else _original_bases(cls):
                origin = typing.get_origin(base) or base
                if isinstance(origin, type) and origin not in (typing.Generic, typing.Protocol):
                    todo.append((origin, tuple(self.read(each, where) for each in typing.get_args(base))))
        return found


def _original_bases(cls: type) -> tuple[object, ...]:
    return tuple(vars(cls).get("__orig_bases__", cls.__bases__))


def _either(alternatives: Sequence[tuple[str, TypeNode]]) -> TypeNode:
    words: dict[str, int] = {}
    found = []
    for word, node in alternatives:
        words[word] = words.get(word, 0) + 1
        found.append((word if words[word] == 1 else f"{word} #{words[word]}", node))
    return EitherType(tuple(found))


def _literal(annotation: object, args: tuple[object, ...]) -> TypeNode:
    """Return the values of a Literal, each once; 1 and True are equal, and two."""
    try:
        return ListedType(tuple({(type(each), each): each for each in args}.values()), "literal")
    except TypeError:
        reason = "has a value that no Literal can have"
        return UnreadableType(written_name(annotation), reason, "list ints, texts, bools, None and members of an Enum")


def _ruled(node: TypeNode, metadata: Sequence[object]) -> TypeNode:
    """Return a type under what its metadata say."""
    try:
        said = rules_in(metadata)
    except SpecError as error:
        reason, _, remedy = str(error).partition("; ")
        return UnreadableType(type_name(node), f"is under a rule that cannot be read: {reason}", remedy)
    return with_rules(node, said, tuple(metadata))


def _given_variables(parameters: Sequence[object], arguments: tuple[TypeNode, ...]) -> Variables:
    """Return what the arguments of a generic class mean; a TypeVarTuple takes all that the others leave."""
    places = [place for place, each in enumerate(parameters) if isinstance(each, typing.TypeVarTuple)]
    if not places or not arguments:
        return dict(zip(parameters, arguments, strict=False))
    start, after = places[0], len(parameters) - places[0] - 1
    end = max(start, len(arguments) - after)
    taken = (*arguments[:start], PlacesType(arguments[start:end]), *arguments[end:])
    return dict(zip(parameters, taken, strict=False))


def _unresolved(text: str, missing: str, where: AnnotationContext) -> UnreadableType:
    owner = None if where.owner is None else where.owner.cls
    module = "its module" if owner is None else owner.__module__
    remedy = f"define it at the top of {module}, outside of functions and of `if TYPE_CHECKING`"
    return UnreadableType(missing or text, "is a name that could not be resolved", remedy)
