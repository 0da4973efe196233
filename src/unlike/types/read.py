"""From an annotation to its tree: the one place that looks into annotations.

A reader remembers the classes it entered, so that a class is read once for one question. Nothing is refused here: what
cannot be read is a node, which says why.
"""

from __future__ import annotations

import collections.abc
import dataclasses
import inspect
import sys
import types
import typing
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from unlike.errors import SpecError, how_many
from unlike.language.values import VALUES
from unlike.structure.shapes import Described
from unlike.types import as_annotated, tree
from unlike.types.records import (
    DeclaredField,
    attrs_validator,
    declared_annotation,
    declared_class,
    pydantic_field,
    regex_engine,
)
from unlike.types.resolve import Names, UnresolvedName, names_of_class, names_of_function, resolve, signature_of
from unlike.types.rules import RUST, OpaqueRule, rules_in
from unlike.types.validators import validated_type

Variables: typing.TypeAlias = Mapping[object, tree.TypeNode]


@dataclass(frozen=True, slots=True)
class AnnotationContext:
    """Where an annotation stands: the names it may use, what type variables mean there, and the class around it."""

    names: Names = ()
    variables: Variables = field(default_factory=dict)
    owner: tree.ClassType | None = None


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
    type: tree.TypeNode

    @property
    def is_optional(self) -> bool:
        """Whether a call may leave it out."""
        return self.default is not inspect.Parameter.empty or self.kind is inspect.Parameter.VAR_POSITIONAL


def read_annotation(annotation: object, names: Names = (), owner: type | None = None) -> tree.TypeNode:
    """Return the tree of an annotation; names in texts are looked up among the names given.

    >>> read_annotation(list[int | None])
    ItemsType(item=EitherType(alternatives=(('int', PlainType(...)), ('None', ListedType(...)))), kind='list')
    """
    return TypeReader().read(annotation, AnnotationContext(names, {}, None if owner is None else tree.ClassType(owner)))


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
    where = AnnotationContext(names_of_function(source, owner), {}, None if owner is None else tree.ClassType(owner))
    if owner is not None:
        where = replace(where, variables=reader.inherited_variables(tree.ClassType(owner), source))
    fields = _fields_by_parameter(function) if isinstance(function, type) else {}
    found = []
    for each in parameters:
        annotation = tree.AnyType() if each.annotation is each.empty else each.annotation
        node = read_field(tree.ClassType(function), fields[each.name]) if each.name in fields else None
        node = _without_validators(node or reader.read(annotation, where))
        found.append(ReadParameter(each.name, each.kind, each.default, node))
    return found


def _fields_by_parameter(cls: type) -> dict[str, str]:
    """Return the fields that the parameters of a constructor fill which a decorator wrote: dataclass or attrs."""
    if "__attrs_attrs__" in vars(cls):
        return {(each.alias or each.name): each.name for each in cls.__attrs_attrs__ if each.init}  # type: ignore[attr-defined]
    made = vars(cls).get("__dataclass_params__")
    return {} if made is None or not made.init else {each.name: each.name for each in dataclasses.fields(cls)}


def _without_validators(node: tree.TypeNode) -> tree.TypeNode:
    """Return the type of an argument: what nobody can read is left to the constructor, which refuses what it must."""
    if not isinstance(node, tree.RuledType):
        return node
    opaque = [each for each in node.rules if isinstance(each, OpaqueRule) and each.name.startswith("validator ")]
    return replace(node, rules=tuple(each for each in node.rules if each not in opaque))


def read_field(node: tree.ClassType, name: str) -> tree.TypeNode | None:
    """Return the type of a field that a class, or the nearest of its bases, annotates; with what attrs checks of it."""
    declared, validator = declared_annotation(node.cls, name), attrs_validator(node.cls, name)
    if declared is None and validator is None:
        return None
    annotation, owner = declared or (tree.AnyType(), node.cls)
    annotation, metadata = pydantic_field(node.cls, name) or (annotation, ())
    reader = TypeReader()
    read = reader.read(annotation, reader.inside(node, owner))
    return _put_under(validated_type(read, validator), metadata, node)


class TypeReader:
    """Reads annotations, and for one question each class once."""

    def __init__(self) -> None:
        self._records: dict[int, tuple[tree.ClassType, tree.RecordType | None]] = {}
        self._entered: list[NamedUnion] = []

    def read(self, annotation: object, where: AnnotationContext = NOWHERE) -> tree.TypeNode:
        """Return the tree of an annotation."""
        found = resolve(annotation, where.names)
        if found is annotation or typing.get_origin(found) is None:
            return self._read_resolved(found, where)
        # Json = list["Json"] | None names itself in a text
        entered = NamedUnion(str(getattr(annotation, "__forward_arg__", annotation)), found, where)
        if entered in self._entered:
            return tree.AliasType(entered)
        self._entered.append(entered)
        try:
            return self._read_resolved(found, where)
        finally:
            self._entered.pop()

    def _read_resolved(self, annotation: object, where: AnnotationContext) -> tree.TypeNode:
        match annotation:
            case UnresolvedName(text, missing):
                return _unknown_name(text, missing, where)
            case tree.AnyType():  # nothing was written
                return annotation
            case typing.TypeVar():
                return self._variable(annotation, where)
            case typing.NewType():
                inner = self.read(annotation.__supertype__, where)
                return tree.NewNameType(str(annotation.__module__), annotation.__name__, inner)
            case dataclasses.InitVar():
                return self.read(annotation.type, where)
            case Described():
                return tree.OwnValueType(annotation)
        if isinstance(annotation, VALUES):
            return tree.OwnValueType(annotation)
        if as_annotated.is_alias(annotation):
            return tree.AliasType(annotation)
        origin = typing.get_origin(annotation)
        # tuple[()] has no arguments, as the bare typing.Tuple has none, and is empty
        is_places = origin is tuple and annotation is not typing.Tuple  # noqa: UP006 - it is what somebody wrote
        if origin is not None and (is_places or typing.get_args(annotation)):
            return self._generic(annotation, origin, where)
        return self._read_name(annotation if origin is None else origin, where)  # typing.List says no more than list

    def _read_name(self, annotation: object, where: AnnotationContext) -> tree.TypeNode:
        if annotation is None or annotation is type(None):
            return as_annotated.NOTHING
        if annotation is typing.Any or annotation is object:
            return tree.AnyType("object" if annotation is object else "Any")
        if annotation is typing.Self:
            return where.owner or tree.UnreadableType("Self", "stands in no class", "name the class")
        if annotation is typing.LiteralString:
            return tree.PlainType(str)
        if isinstance(annotation, type):
            return as_annotated.class_node(annotation)
        return tree.UnreadableType(as_annotated.written_name(annotation), *as_annotated.why_not(annotation))

    def _variable(self, variable: typing.TypeVar, where: AnnotationContext) -> tree.TypeNode:
        if variable in where.variables:
            return where.variables[variable]
        if as_annotated.has_default(variable):
            return self.read(variable.__default__, where)  # type: ignore[attr-defined]
        among = tuple(self.read(each, where) for each in variable.__constraints__)
        bound = None if variable.__bound__ is None else self.read(variable.__bound__, where)
        return tree.VariableType(variable.__name__, bound, among)

    def _generic(self, annotation: object, origin: object, where: AnnotationContext) -> tree.TypeNode:
        args = typing.get_args(annotation)
        if origin is typing.Annotated:
            if ours := [each for each in args[1:] if isinstance(each, VALUES)]:
                return tree.with_rules(tree.OwnValueType(ours[-1]), (), args[1:])  # a value says all there is to say
            return _put_under(self.read(args[0], where), args[1:], where.owner)
        if origin in (typing.Union, types.UnionType):
            return _either([(as_annotated.written_name(each), self.read(each, where)) for each in args])
        if origin is typing.Literal:
            return _literal(annotation, args)
        if as_annotated.wrapper_of(annotation) is not None:
            return self.read(args[0], where)
        if origin in as_annotated.ITEMS and len(args) == 1:
            return tree.ItemsType(self.read(args[0], where), as_annotated.ITEMS[origin])
        if origin in as_annotated.MAPPINGS and len(args) == 2:
            return tree.MappingType(*(self.read(each, where) for each in args))
        if origin in as_annotated.ITEMS or origin in as_annotated.MAPPINGS:
            needed = "one type" if origin in as_annotated.ITEMS else "the types of its keys and of its values"
            return tree.UnreadableType(
                as_annotated.written_name(annotation), f"has {how_many(len(args), 'argument')}", f"give it {needed}"
            )
        if origin is tuple:
            return self._tuple(args, where)
        if origin is collections.abc.Callable:
            text = as_annotated.written_name(annotation)
            return tree.UnreadableType(text, *as_annotated.why_not(origin), "function", self.read(args[-1], where))
        if any(as_annotated.what_is_unpacked(each) is not None for each in args):
            return tree.UnreadableType(
                as_annotated.written_name(annotation), "has unpacked arguments", "write them one by one"
            )
        arguments = tuple(self.read(each, where) for each in args if not isinstance(each, list))
        if as_annotated.is_alias(origin):
            return tree.AliasType(origin, arguments)
        if origin is type:
            text = as_annotated.written_name(annotation)
            return tree.UnreadableType(text, *as_annotated.why_not(type), "class", arguments[0])
        if isinstance(origin, type) and origin.__name__ != "Callable":
            node = as_annotated.class_node(origin)
            return replace(node, arguments=arguments) if isinstance(node, tree.ClassType) else node
        return tree.UnreadableType(as_annotated.written_name(annotation), *as_annotated.why_not(origin))

    def _tuple(self, args: tuple[object, ...], where: AnnotationContext) -> tree.TypeNode:
        if len(args) == 2 and args[1] is ...:
            return tree.ItemsType(self.read(args[0], where), "tuple")
        parts: list[list[tree.TypeNode]] = [[], []]
        rest: tree.TypeNode | None = None
        for each in args if args != ((),) else ():
            inside = as_annotated.what_is_unpacked(each)
            found = None if inside is None else self._unpacked_places(inside, where)
            match found:
                case tree.UnreadableType():
                    return found
                case tree.ItemsType(item, "tuple") if rest is None:
                    rest = item
                case tree.PlacesType(before, None, ()):
                    parts[rest is not None] += before
                case tree.PlacesType(before, among, after) if rest is None:
                    parts[0] += before
                    rest = among
                    parts[1] += after
                case None:
                    parts[rest is not None].append(self.read(each, where))
                case _:
                    reason = "is a second rest of any length"
                    return tree.UnreadableType(as_annotated.written_name(each), reason, "write one of them")
        return tree.PlacesType(tuple(parts[0]), rest, tuple(parts[1]))

    def _unpacked_places(self, inner: object, where: AnnotationContext) -> tree.TypeNode:
        """Return the places that stand for `*tuple[X, ...]`, or for `*Ts` where `Ts` is given its types."""
        if not isinstance(inner, typing.TypeVarTuple):
            return self._tuple(typing.get_args(inner), where)
        reason, remedy = "is an open type variable", f"give the generic type its arguments for {inner.__name__}"
        return where.variables.get(inner) or tree.UnreadableType(f"*{inner.__name__}", reason, remedy)

    # -- classes ---------------------------------------------------------------------------------------------------

    def meaning_of(self, node: tree.AliasType) -> tree.TypeNode:
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
            return _unknown_name(str(alias), str(error.name), NOWHERE)
        return self.read(value, AnnotationContext(names, variables))

    def record_of(self, node: tree.ClassType) -> tree.RecordType | None:
        """Return the fields of a class; nothing for one that is no dataclass, model or the like."""
        for known, record in self._records.values():
            if known.cls is node.cls and known == node and repr(known) == repr(node):  # 0 == False, in rules
                return record
        declared = declared_class(node.cls)
        record = None
        if declared is not None:
            fields = tuple(self._field(each, node, declared.build.kind == "dict") for each in declared.fields)
            extra = None if declared.extra is None else self._field(declared.extra, node, is_key=False).type
            record = tree.RecordType(fields, declared.build, declared.closed, declared.validates, extra)
        self._records[len(self._records)] = node, record
        return record

    def _field(self, declared: DeclaredField, node: tree.ClassType, is_key: bool) -> tree.FieldType:
        where = self.inside(node, declared.owner)
        annotation = resolve(declared.annotation, where.names)
        required = declared.required
        if is_key and as_annotated.wrapper_of(annotation) in ("Required", "NotRequired"):
            # where annotations are texts, the class itself cannot know
            required = as_annotated.wrapper_of(annotation) == "Required"
        read = validated_type(self.read(annotation, where), declared.validator)
        return tree.FieldType(declared.name, _put_under(read, declared.metadata, node), required, declared.key)

    def inside(self, node: tree.ClassType, owner: type) -> AnnotationContext:
        """Return where the annotations of a class stand that is looked at as a part of another, or is that class."""
        return AnnotationContext(names_of_class(owner), self._variables_by_class(node).get(owner, {}), node)

    def inherited_variables(self, node: tree.ClassType, function: object) -> Variables:
        """Return what type variables mean in a method of a class, which one of its bases may have written."""
        name = getattr(function, "__name__", "")
        known = self._variables_by_class(node)
        owner = next((each for each in node.cls.__mro__ if vars(each).get(name) is function), node.cls)
        return known.get(owner, {})

    def _variables_by_class(self, node: tree.ClassType) -> dict[type, Variables]:
        """Return what the type variables of a class and of its bases mean: `class Child(Base[bool])` says it."""
        found: dict[type, Variables] = {}
        todo = [(node.cls, node.arguments)]
        for cls, arguments in todo:  # grows while we walk
            if cls in found:
                continue
            variables = _given_variables(as_annotated.type_parameters(cls), arguments)
            found[cls] = variables
            where = AnnotationContext(names_of_class(cls), variables, node)
            for base in vars(cls).get("__orig_bases__", cls.__bases__):
                origin = typing.get_origin(base) or base
                if isinstance(origin, type) and origin not in (typing.Generic, typing.Protocol):
                    todo.append((origin, tuple(self.read(each, where) for each in typing.get_args(base))))
        return found


def _either(alternatives: Sequence[tuple[str, tree.TypeNode]]) -> tree.TypeNode:
    words: dict[str, int] = {}
    found = []
    for word, node in alternatives:
        words[word] = words.get(word, 0) + 1
        found.append((word if words[word] == 1 else f"{word} #{words[word]}", node))
    return tree.EitherType(tuple(found))


def _literal(annotation: object, args: tuple[object, ...]) -> tree.TypeNode:
    """Return the values of a Literal, each once; 1 and True are equal, and two."""
    try:
        return tree.ListedType(tuple({(type(each), each): each for each in args}.values()), "literal")
    except TypeError:
        reason, remedy = "has a value that no Literal can have", "list ints, texts, bools, None and members of an Enum"
        return tree.UnreadableType(as_annotated.written_name(annotation), reason, remedy)


def _put_under(node: tree.TypeNode, metadata: Sequence[object], owner: tree.ClassType | None) -> tree.TypeNode:
    """Return a type under what its metadata say, in a class that may choose how pydantic reads patterns."""
    try:
        said = rules_in(metadata, engine=RUST if owner is None else regex_engine(owner.cls))
    except SpecError as error:
        reason, _, remedy = str(error).partition("; ")
        return tree.UnreadableType(tree.type_name(node), f"is under a rule that cannot be read: {reason}", remedy)
    return tree.with_rules(node, said, tuple(metadata))


def _given_variables(parameters: Sequence[object], arguments: tuple[tree.TypeNode, ...]) -> Variables:
    """Return what the arguments of a generic class mean; a TypeVarTuple takes all that the others leave."""
    places = [place for place, each in enumerate(parameters) if isinstance(each, typing.TypeVarTuple)]
    if not places or not arguments:
        return dict(zip(parameters, arguments, strict=False))
    start, after = places[0], len(parameters) - places[0] - 1
    end = max(start, len(arguments) - after)
    taken = (*arguments[:start], tree.PlacesType(arguments[start:end]), *arguments[end:])
    return dict(zip(parameters, taken, strict=False))


def _unknown_name(text: str, missing: str, where: AnnotationContext) -> tree.UnreadableType:
    owner = None if where.owner is None else where.owner.cls
    module = "its module" if owner is None else owner.__module__
    remedy = f"define it at the top of {module}, outside of functions and of `if TYPE_CHECKING`"
    return tree.UnreadableType(missing or text, "is a name that could not be resolved", remedy)
