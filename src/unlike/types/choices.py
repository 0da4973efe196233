"""From the tree of a type to its shape: the choices that cover it.

Classes and aliases become references, so that types may refer to themselves; in the end all of them are unrolled to one
finite shape. What cannot be made is refused with the path to it, the reason and the remedy.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Annotated, Any

from unlike.errors import SpecError
from unlike.structure import shapes
from unlike.structure.unroll import DEPTH, unroll
from unlike.types import tree
from unlike.types.as_annotated import written_name
from unlike.types.asked_pydantic import check_words
from unlike.types.class_shapes import NotMadeError, class_shape, refusal, schema_shape, stand_in_shape
from unlike.types.core_schema import has_own_schema
from unlike.types.given import GivenTypes
from unlike.types.leaves import LEAVES, LIST_MOST, flag_values, shape_of_value
from unlike.types.read import TypeReader
from unlike.types.rules import UNREADABLE, LengthRule, OpaqueRule, PatternRule, Rule, apply_rules
from unlike.types.validator_source import find_mentioned

MOST_ENUM = 10_000  # members that are listed one by one
EXTRA = "extra items"
MOST_ARGUMENTS = 20  # ways to give one generic type its arguments: one that contains itself may need ever more
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
ANYTHING = shapes.Constants(tuple(SAMPLES.values()), "anything", paired=False)
NAMED = 3  # places left out of a large type that are named
HASHABLE = shapes.Constants(tuple(each for each in SAMPLES.values() if each not in ({}, [])), "anything", paired=False)

NO_ITEMS = shapes.ItemsShape(shapes.NamedFields(()), 0, 0, stated=("most items",))  # of what cannot be made


@dataclass(slots=True)
class ReadType:
    """A type as it was read: its finite shape, its name, the words in its metadata, and what was read for it there.

    `remarks` says by name what a user should know: `payload: Any is read as small JSON values`. Those in `left_out` say
    that there are values which are not made.
    """

    shape: shapes.Shape
    name: str
    metadata: tuple[object, ...] = ()
    field_metadata: dict[str, tuple[object, ...]] = field(default_factory=dict)
    remarks: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()


def shape_of(
    annotation: object, *, depth: int = DEPTH, literals: Mapping[str | type, object] | None = None
) -> shapes.Shape:
    """Return the finite shape of a type, all of which can be made; references to itself are entered so many times.

    >>> shape_of(list[bool])
    ItemsShape(item=Constants(values=(False, True), ...), least=0, most=3, kind='list', ...)
    """
    read = read_type(annotation, depth=depth, literals=literals)
    if read.left_out:
        raise SpecError(f"{read.left_out[0]}; here every value has to be known: generate covers the others")
    return read.shape


def read_type(
    annotation: object,
    *,
    depth: int = DEPTH,
    as_data: bool = False,
    literals: Mapping[str | type, object] | None = None,
) -> ReadType:
    """Return a type as it was read, with the metadata on it and on its fields.

    With `as_data` a URL or a secret is the text that its class is made from, and only fields are left out that cannot
    be made: what an alternative that is missing allows, nobody may call invalid. A dict from names to annotations is
    read as a dict of such values: the parameters of a function. `literals` are annotations that stand for others.
    """
    if type(depth) is not int or depth < 0:
        raise SpecError(f"depth={depth!r} must be an int of at least 0")
    maker = _ShapeMaker(depth, as_data=as_data)
    maker.given = GivenTypes(literals or {})
    if isinstance(annotation, Mapping):
        found = _shape_of_names(maker, annotation)
        maker.given.check()
        return ReadType(maker.finite(found), "inputs", (), maker.metadata, tuple(maker.remarks), maker.left_out())
    name = written_name(annotation)
    try:
        node = maker.reader.read(annotation)
        shape = maker.finite(maker.shape(node, ()))
        maker.given.check()
    except SpecError as error:
        if not isinstance(annotation, type) or str(error).startswith((f"{name}:", f"{name}.", "value:")):
            raise
        raise SpecError(f"{name}: {error}") from None
    return ReadType(shape, name, tree.words_on(node), maker.metadata, tuple(maker.remarks), maker.left_out())


def literals_used(annotation: object, literals: Mapping[str | type, object]) -> set[str | type]:
    """Return which of the names, types and classes that values are given for stand in a type."""
    maker = _ShapeMaker()
    maker.given = GivenTypes(literals)
    with contextlib.suppress(SpecError):  # whoever makes values says so again
        if isinstance(annotation, Mapping):
            _shape_of_names(maker, annotation)
        else:
            maker.shape(maker.reader.read(annotation), ())
    return maker.given.used


def _shape_of_names(maker: _ShapeMaker, annotations: Mapping[Any, object]) -> shapes.Shape:
    """Return the shape of a dict from names to values of their types."""
    types = {str(name): maker.reader.read(each) for name, each in annotations.items()}
    fields = tuple(tree.FieldType(name, each, required=True) for name, each in types.items())
    return maker.fields(tree.RecordType(fields, shapes.Build(), closed=True), ())


class _ShapeMaker:
    def __init__(self, depth: int = DEPTH, *, as_data: bool = False) -> None:
        self.depth = depth
        self.as_data = as_data  # whether what a library makes of a text is left a text
        self.reader = TypeReader()
        self.given = GivenTypes({})
        self.definitions: dict[str, shapes.Shape] = {}
        self.metadata: dict[str, tuple[object, ...]] = {}
        self.remarks: dict[str, None] = {}
        self.known: list[tuple[tree.TypeNode, tuple[str, bool], str]] = []
        self.validating = ""  # the library whose class around this place checks every value itself
        self.hashing = False  # whether the values at this place have to be hashable
        self.gone: set[str] = set()  # the remarks on what is not made
        self.filled = False  # whether a rule at this place asks for items
        self.refused: list[tuple[tree.TypeNode, tuple[str, bool], NotMadeError]] = []
        self.constructed: dict[type, tree.RecordType | None] = {}  # by its own constructor, each read once

    def finite(self, shape: shapes.Shape) -> shapes.Shape:
        """Return the shape without references; what a large one leaves out is named."""
        if self.as_data:
            return unroll(shape, self.definitions, self.depth)
        left_out: list[tuple[str, str]] = []
        found = unroll(shape, self.definitions, self.depth, left_out=left_out)
        if left_out:
            places = list(dict.fromkeys(place for place, _ in left_out))
            more = f" and {len(places) - NAMED} more" if len(places) > NAMED else ""
            self.leave_out(f"{', '.join(places[:NAMED])}{more} not shown: {left_out[0][1]}")
        return found

    def leave_out(self, words: str) -> None:
        """Remember what is not made, by name."""
        self.remarks[words] = None
        self.gone.add(words)

    def left_out(self) -> tuple[str, ...]:
        """Return what is said of things that are not made, in the order in which they stand."""
        return tuple(each for each in self.remarks if each in self.gone)

    def attempt(self, node: tree.TypeNode, path: shapes.Path) -> shapes.Shape | NotMadeError:
        """Return the shape of a type, or why it cannot be made; then nothing is left of what was read for it."""
        known, remarks = len(self.known), dict(self.remarks)
        around = self.validating, self.hashing, self.filled
        try:
            return self.shape(node, path)
        except NotMadeError as error:
            for _, _, name in self.known[known:]:
                self.definitions.pop(name, None)
            del self.known[known:]
            self.remarks = remarks
            self.validating, self.hashing, self.filled = around
            return error

    def shape(self, node: tree.TypeNode, path: shapes.Path) -> shapes.Shape:
        """Return the shape of a type, with references for classes; or of what is given for it."""
        if (given := self.given_shape(node, path)) is not None:
            return given
        match node:
            case tree.PlainType(cls):
                return LEAVES.get(cls) or class_shape(self, tree.ClassType(cls), path)
            case tree.ListedType(values, word):
                return self.constants(node, values, word, path)
            case tree.FlagType(cls):  # none, each member alone, all together, and every other combination
                shown, mixed, rest = flag_values(cls)
                every = (*shown, *mixed)
                return shapes.Constants(every, "enum", single=len(shown), others="several members", unlisted=rest)
            case tree.AnyType():
                said = node.said or "what has no annotation"
                self.remarks[f"{shapes.shown_path(path)}: {said} is read as small JSON values"] = None
                return HASHABLE if self.hashing else ANYTHING
            case tree.VariableType(_, _, (_, *_) as among):
                return shapes.Choice(tuple((tree.type_name(each), self.shape(each, path)) for each in among))
            case tree.VariableType(_, bound) if bound is not None:
                return self.shape(bound, path)
            case tree.VariableType(name):
                self.remarks[f"{shapes.shown_path(path)}: the open {name} is read as small JSON values"] = None
                return HASHABLE if self.hashing else ANYTHING
            case tree.EitherType():
                return self.either(node, path)
            case tree.ItemsType(item, kind):
                return self.items(item, kind, path)
            case tree.PlacesType():
                return self.places(node, path)
            case tree.MappingType(key, value):
                return self.mapping(key, value, path)
            case tree.NewNameType(inner=inner):
                return self.shape(inner, path)
            case tree.OwnValueType(shapes.Described() as described):
                return described.shape(self.depth)
            case tree.OwnValueType(value):
                return shape_of_value(value)  # type: ignore[arg-type]
            case tree.RuledType(tree.ClassType(cls) | tree.PlainType(cls), _, words) if self.is_schema_read(words):
                return schema_shape(self, Annotated[cls, *words], path) or self.under_rules(node, path)
            case tree.RuledType():
                return self.under_rules(node, path)
            case tree.AliasType():
                return self.refer_to(node, path, lambda: self.shape(self.reader.meaning_of(node), path))
            case tree.ClassType():
                return class_shape(self, node, path)
            case tree.UnreadableType():
                return stand_in_shape(self, node, path)

    def is_schema_read(self, words: tuple[object, ...]) -> bool:
        """Tell whether metadata say by themselves what the model around them takes."""
        return self.validating == "pydantic" and not self.as_data and any(map(has_own_schema, words))

    def under_rules(self, node: tree.RuledType, path: shapes.Path) -> shapes.Shape:
        """Return the shape of a type under rules."""
        self.filled = any(isinstance(each, LengthRule) and each.side == "least" and each.value for each in node.rules)
        rules = self.legible_rules(node.inner, node.rules, node.words)
        inner = self.shape(node.inner, path)
        try:
            return apply_rules(inner, rules, path)
        except SpecError as error:
            unread = [each for each in rules if isinstance(each, OpaqueRule)]
            if not unread or UNREADABLE[0] not in str(error):
                raise
            # nobody says which values it allows: what may be absent need not be understood
            raise refusal(path, f"'{unread[0]}'", *UNREADABLE) from None

    def given_shape(self, node: tree.TypeNode, path: shapes.Path) -> shapes.Shape | None:
        found = self.given.shape_of(node, path, lambda each: self.shape(self.reader.read(each), path))
        if self.as_data and isinstance(found, shapes.Constants):
            return replace(found, word="anything", paired=False)  # samples: whatever else there is, may be legal, too
        return found

    def legible_rules(self, inner: tree.TypeNode, rules: tuple[Rule, ...], words: tuple[object, ...]) -> list[Rule]:
        """Return rules as they are read at this place, without those that the class around it decides by itself."""
        found: list[Rule] = []
        for rule in rules:
            if not isinstance(rule, OpaqueRule) or rule.by != self.validating:
                found.append(rule)
            elif rule.given_as:
                found.append(PatternRule(rule.given_as))
        if not self.validating and isinstance(inner, tree.PlainType):
            found += check_words(inner.cls, words)
        return found

    def constants(self, node: tree.TypeNode, values: tuple[object, ...], word: str, path: shapes.Path) -> shapes.Shape:
        if word in ("bool", "None"):
            return LEAVES[bool if word == "bool" else None]  # the same leaf: covers remember leaves by identity
        if len(values) > MOST_ENUM:
            remedy = "cover a part of it with Literal[…]"
            raise refusal(path, tree.type_name(node), f"has {len(values):,} members", remedy)
        return shapes.Constants(values, word)

    def either(self, node: tree.EitherType, path: shapes.Path) -> shapes.Shape:
        """Return the alternatives that can be made."""
        if self.as_data:
            return shapes.Choice(tuple((word, self.shape(inner, path)) for word, inner in node.alternatives))
        filled = self.filled
        found, errors = [], []
        for word, inner in node.alternatives:
            self.filled = filled
            made = self.attempt(inner, path)
            if isinstance(made, NotMadeError):
                errors.append(made)
            else:
                found.append((word, made))
        if not found:
            raise errors[0]
        if errors:
            gone = " and ".join(dict.fromkeys(each.text for each in errors))
            said = f"always {found[0][0]}, {gone}" if len(found) == 1 else f"never {gone}, which"
            self.leave_out(f"{shapes.shown_path(path)}: {said} cannot be made")
        return shapes.Choice(tuple(found), whole=not errors)

    def items(self, item: tree.TypeNode, kind: tree.Container, path: shapes.Path) -> shapes.Shape:
        filled, self.filled = self.filled, False
        is_set = kind in ("set", "frozenset")
        if is_set:
            self.refuse_unhashable(item, path, "a set")
        around, self.hashing = self.hashing, self.hashing or is_set
        inner = self.item(item, (*path, shapes.EACH), path, filled)
        self.hashing = around
        if inner is None:
            return replace(NO_ITEMS, kind=kind)
        return shapes.ItemsShape(inner, 0, LIST_MOST, kind, unique=is_set)

    def item(self, node: tree.TypeNode, path: shapes.Path, around: shapes.Path, filled: bool) -> shapes.Shape | None:
        """Return the shape of what a container holds; nothing if it cannot be made, and the container may be empty."""
        if self.as_data or filled:
            return self.shape(node, path)
        made = self.attempt(node, path)
        if not isinstance(made, NotMadeError):
            return made
        self.leave_out(f"{shapes.shown_path(around)}: always empty, {made.text} cannot be made")
        return None

    def mapping(self, key: tree.TypeNode, value: tree.TypeNode, path: shapes.Path) -> shapes.Shape:
        filled, self.filled = self.filled, False
        self.refuse_unhashable(key, (*path, shapes.EACH, "key"), "the keys of a dict")
        around, self.hashing = self.hashing, True
        keys = self.item(key, (*path, shapes.EACH, "key"), path, filled)
        self.hashing = around
        values = None if keys is None else self.item(value, (*path, shapes.EACH, "value"), path, filled)
        if keys is None or values is None:
            return replace(NO_ITEMS, kind="dict")
        pair = shapes.NamedFields((shapes.Field("key", keys), shapes.Field("value", values)), shapes.Build("pair"))
        return shapes.ItemsShape(pair, 0, LIST_MOST, "dict", unique=True)

    def places(self, node: tree.PlacesType, path: shapes.Path) -> shapes.Shape:
        if node.rest is not None:
            remedy = "write tuple[X, ...] or one type for each place"
            raise refusal(path, tree.type_name(node), "has places and a rest of any length", remedy)
        parts = (
            shapes.Field(str(index), self.shape(each, (*path, str(index)))) for index, each in enumerate(node.before)
        )
        return shapes.NamedFields(tuple(parts), shapes.Build("tuple"))

    def modules(self) -> list[str]:
        """Return the modules whose classes are being read."""
        return [each.cls.__module__ for each, _, _ in self.known if isinstance(each, tree.ClassType)]

    def refer_to(
        self, node: tree.TypeNode, path: shapes.Path, make: Callable[[], shapes.Shape], *, inside: str | None = None
    ) -> shapes.Shape:
        """Return a reference to what is read once and may refer to itself."""
        # as it is inside: it refers to itself from there
        around = (self.validating if inside is None else inside, self.hashing)
        for known, then, name in self.known:
            if then == around and known == node and repr(known) == repr(node):  # rules with 0 and False are equal
                return shapes.Reference(name)
        for known, then, error in self.refused:
            if then == around and known == node and repr(known) == repr(node):
                raise error
        same = [each for each, then, _ in self.known if then == around and _generic_of(each) is _generic_of(node)]
        if len(same) > MOST_ARGUMENTS:
            remedy = "let it contain itself with the same arguments"
            raise refusal(path, tree.type_name(same[0]), "contains itself with ever other arguments", remedy)
        name = tree.type_name(node)
        while name in self.definitions:
            name += "'"
        self.known.append((node, around, name))
        self.definitions[name] = shapes.Constants((), name)  # until it is read
        try:
            self.definitions[name] = make()
        except NotMadeError as error:
            self.refused.append((node, around, error))
            raise
        return shapes.Reference(name)

    def fields(self, record: tree.RecordType, path: shapes.Path) -> shapes.Shape:
        around, self.validating = self.validating, self.validator_in(record)
        mentioned = find_mentioned(record.build.target, [each.name for each in record.fields])
        found = []
        for each in record.fields:
            if not path:
                self.metadata[each.name] = tree.words_on(each.type)
            place = (*path, each.name)
            is_given = self.given.key_of(each.type, place) is not None
            if not each.required and not is_given and (unknown := _never_made(each.type)):
                self.leave_out(f"{shapes.shown_path(place)} is left out: no {unknown} can be made")
                continue
            shape = self.shape(each.type, place) if each.required else self.attempt(each.type, place)
            if isinstance(shape, NotMadeError):
                self.leave_out(f"{shapes.shown_path(place)} is left out: {shape.text} cannot be made")
                continue
            found.append(shapes.Field(each.name, shape, each.required, each.key, mentioned.get(each.name)))
        for name in record.unread:
            self.leave_out(f"{shapes.shown_path((*path, name))} is never given")
        self.validating = around
        if record.extra is None:
            whole = len(found) == len(record.fields) and not record.unread
            return shapes.NamedFields(tuple(found), record.build, record.closed, whole=whole)
        return shapes.NamedFields((*found, self.extra_items(record, path)), shapes.Build("object"), closed=True)

    def validator_in(self, record: tree.RecordType) -> str:
        """Return the library that checks the fields of a class; those of a dict are checked by a model around it."""
        if record.validates:
            return "pydantic" if hasattr(record.build.target, "__pydantic_fields__") else "attrs"
        return self.validating if record.build.kind == "dict" and self.validating == "pydantic" else ""

    def extra_items(self, record: tree.RecordType, path: shapes.Path) -> shapes.Field:
        """Return the entries of a TypedDict beside its fields, under keys that no field has."""
        assert record.extra is not None
        word = "extra"
        while any(each.name.startswith(word) for each in record.fields):
            word += "_"
        pair = (
            shapes.Field("key", shapes.Texts(f"{word}[0-9]?", 1, len(word) + 1)),
            shapes.Field("value", self.shape(record.extra, path)),
        )
        return shapes.Field(
            EXTRA,
            shapes.ItemsShape(shapes.NamedFields(pair, shapes.Build("pair")), 0, LIST_MOST, "dict", unique=True),
            key=shapes.SPREAD,
        )

    def refuse_unhashable(self, node: tree.TypeNode, path: shapes.Path, where: str) -> None:
        """Refuse what can neither be in a set nor be the key of a dict."""
        if not tree.is_hashable(node):
            remedy = "use frozenset, tuple, or a frozen class"
            raise refusal(path, tree.type_name(node), f"is not hashable and cannot be in {where}", remedy)


def _generic_of(node: tree.TypeNode) -> object:
    match node:
        case tree.ClassType(named) | tree.AliasType(named):
            return named
    return node


def _never_made(node: tree.TypeNode) -> str:
    """Return the rule on a type that nobody can keep, whoever checks it: a file that exists."""
    return next((each.name for each in tree.rules_on(node) if isinstance(each, OpaqueRule) and each.by == "nobody"), "")


def has_validators(cls: object) -> bool:
    """Tell whether a class is known to check what it is given: it may refuse values that keep the stated rules."""
    if hasattr(cls, "__post_init__") or hasattr(cls, "__attrs_post_init__"):
        return True
    if any(each.validator is not None for each in getattr(cls, "__attrs_attrs__", ())):
        return True
    if isinstance(cls, type) and _has_opaque_rules(cls):
        return True
    decorators = getattr(cls, "__pydantic_decorators__", None)
    kinds = ("validators", "field_validators", "root_validators", "model_validators")
    return any(getattr(decorators, kind, None) for kind in kinds)


def _has_opaque_rules(cls: type) -> bool:
    """Tell whether a class checks something of its fields that nobody else can read."""
    record = TypeReader().record_of(tree.ClassType(cls))
    todo = [] if record is None else [each.type for each in record.fields]
    for node in todo:  # grows while we walk
        if any(isinstance(rule, OpaqueRule) for rule in tree.rules_on(node)):
            return True
        todo += tree.inner_types(node)
    return False
