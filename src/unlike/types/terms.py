"""From a type to a value of the term language, for what fits in it: terms can then speak about its fields."""

from __future__ import annotations

import datetime
from fractions import Fraction

from unlike.errors import SpecError, with_article
from unlike.language.moments import time_of
from unlike.language.terms import same_member
from unlike.language.values import (
    REAL_PLACES,
    VALUES,
    Bool,
    Date,
    DateTime,
    Decimal,
    Int,
    List,
    OneOf,
    Option,
    Real,
    Record,
    Str,
    Time,
    Timedelta,
    Value,
    build,
)
from unlike.structure import shapes
from unlike.types.choices import shape_of
from unlike.types.held import HeldPart, Hold
from unlike.types.read import read_annotation
from unlike.types.resolve import plain_value
from unlike.types.tree import EitherType, ItemsType, ListedType, OwnValueType, PlainType, RuledType, TypeNode


def value_of(annotation: object, *, depth: int = 2) -> Value:
    """Return the value of the term language that an annotation stands for, or refuse with the reason.

    Fields with a default are always given. What the language has no value for (unions of several types, sets,
    dicts, predicates, multiples) is refused; `unlike.generate` takes such types as they are.
    """
    return value_of_shape(shape_of(annotation, depth=depth))


def value_of_annotation(annotation: object, path: str) -> Value:
    """Return the value that the annotation of a blank stands for, or refuse it; `path` says where it is written.

    >>> value_of_annotation(Annotated[int, Ge(1), Le(9)], "stars")
    Int(low=1, high=9)
    """
    plain = plain_value(annotation)
    if plain is not None:
        return plain
    try:
        return _value_of_node(read_annotation(annotation)) or value_of(annotation)
    except SpecError as error:
        raise SpecError(
            f"{path}: no inputs can be made for the annotation {annotation!r}: {error}; annotate it with a value like "
            "Int(0, 9) or Str(), or name it in blanks={…}"
        ) from None


def _value_of_node(node: TypeNode) -> Value | None:
    """Return the value of a type that says it in the language's own words, or is made of such types."""
    match node:
        case OwnValueType(value) | RuledType(OwnValueType(value)) if isinstance(value, VALUES):
            return value
        case PlainType(cls):
            return plain_value(cls)
        case ListedType(word="bool"):
            return plain_value(bool)
        case ListedType(values, "literal" | "enum"):
            return OneOf(*values)
        case ItemsType(item, "list"):
            inner = _value_of_node(item)
            return None if inner is None else List(inner)
        case EitherType(((_, one), (_, ListedType((None,))))) | EitherType(((_, ListedType((None,))), (_, one))):
            inner = _value_of_node(one)
            return None if inner is None else Option(inner)
    return None


def value_of_shape(shape: shapes.Shape, path: shapes.Path = (), held: Hold | None = None) -> Value:
    """Return the value of the term language that a shape stands for, or refuse with the reason.

    A part that has none becomes what `held` makes of it, if that is given.
    """
    try:
        return _spoken_value(shape, path, held)
    except SpecError:
        if held is None:
            raise
        return held(shape)


def _spoken_value(shape: shapes.Shape, path: shapes.Path, held: Hold | None) -> Value:
    match shape:
        case shapes.Constants((False, True)):
            return Bool()
        case shapes.Constants(values) if not shape.unlisted and shape.word != "anything":
            return OneOf(*values)
        case shapes.Numbers():
            return _number(shape, path)
        case shapes.Texts(pattern, least, most, flags, "str"):
            return Str(pattern, least, most, flags, shape.unicode)
        case shapes.Checked(inner, checks) if all(check.again for check in checks):
            return value_of_shape(inner, path, held)
        case shapes.Choice(alternatives):
            return _choice([inner for _, inner in alternatives], path, held)
        case shapes.ItemsShape(item, least, most, "list", False):
            return List(value_of_shape(item, (*path, shapes.EACH), held), least, most)
        case shapes.NamedFields(fields, build) if build.kind in ("dict", "call") and fields:
            # an object does not show whether a default was given; a dict shows whether a key is there
            if all(each.given_by == each.name and (each.required or build.kind == "call") for each in fields):
                parts = tuple((each.name, value_of_shape(each.shape, (*path, each.name), held)) for each in fields)
                return Record(parts, None if build.kind == "dict" else build.target)  # type: ignore[arg-type]
    raise SpecError(
        f"{shapes.shown_path(path)}: the term language has no value for {_kind(shape)}; "
        "use unlike.generate(the type) without terms about it"
    )


def _number(shape: shapes.Numbers, path: shapes.Path) -> Value:
    line = shape.line
    if shape.step == 1:
        match line.kind:
            case "int":
                return Int(shape.low, shape.high)
            case ("float" | "decimal") as kind if line.places <= REAL_PLACES:
                low, high = Fraction(shape.low, line.unit), Fraction(shape.high, line.unit)
                return (Real if kind == "float" else Decimal)(low, high, line.places)
            case "date":
                return Date(datetime.date.fromordinal(shape.low), datetime.date.fromordinal(shape.high))
            case "time" if line.zone is None and not line.places:
                return Time(time_of(shape.low), time_of(shape.high), 1)
    if line.kind in ("datetime", "timedelta") and line.zone is None and not line.written:
        made = DateTime if line.kind == "datetime" else Timedelta
        tick = datetime.timedelta(microseconds=shape.step * 10**6 // line.unit)
        return made(line.value(shape.low), line.value(shape.high), tick)  # type: ignore[arg-type]
    place = shapes.shown_path(path)
    raise SpecError(f"{place}: the term language has no value for {_kind(shape)}; leave it out of terms")


def _choice(alternatives: list[shapes.Shape], path: shapes.Path, held: Hold | None) -> Value:
    rest = [each for each in alternatives if not _is_none(each)]
    constants = [each for each in alternatives if isinstance(each, shapes.Constants) and not each.unlisted]
    if len(rest) == 1 and len(rest) < len(alternatives):
        return Option(value_of_shape(rest[0], path, held))
    if len(constants) == len(alternatives):
        return OneOf(*(value for each in constants for value in each.values))
    if len(alternatives) == 1:
        return value_of_shape(alternatives[0], path, held)
    raise SpecError(f"{shapes.shown_path(path)}: the term language has no value for a union; leave it out of terms")


def plain_in_shape(shape: shapes.Shape, value: Value, plain: object) -> object:
    """Return a plain value of the term language as a plain value of the shape that it stands for."""
    match value, shape:
        case Record(_, HeldPart() as held), _:
            return held.plain(plain["number"])  # type: ignore[index]
        case _, shapes.Checked(inner):
            return plain_in_shape(inner, value, plain)
        case _, shapes.Choice(alternatives):
            shown = build(value, plain) if isinstance(value, OneOf) else plain
            which = next(i for i, (_, inner) in enumerate(alternatives) if _may_be(inner, value, shown))
            content = value.inner if isinstance(value, Option) and plain is not None else value
            inner = alternatives[which][1]
            is_constant = isinstance(inner, shapes.Constants)
            return shapes.Picked(which, shown if is_constant else plain_in_shape(inner, content, plain))
        case Record(parts), shapes.NamedFields(fields):
            by_name = dict(parts)
            return {each.name: plain_in_shape(each.shape, by_name[each.name], plain[each.name]) for each in fields}  # type: ignore[index]
        case List(content), shapes.ItemsShape(item):
            return tuple(plain_in_shape(item, content, each) for each in plain)  # type: ignore[attr-defined]
    return build(value, plain)


def _may_be(shape: shapes.Shape, value: Value, shown: object) -> bool:
    """Tell whether a plain value belongs to one of the alternatives of a choice."""
    if isinstance(value, OneOf):
        return isinstance(shape, shapes.Constants) and any(same_member(shown, each) for each in shape.values)
    return not isinstance(value, Option) or _is_none(shape) == (shown is None)


def _is_none(shape: shapes.Shape) -> bool:
    return isinstance(shape, shapes.Constants) and shape.values == (None,)


def _kind(shape: shapes.Shape) -> str:
    match shape:
        case shapes.Checked():
            return "a predicate"
        case shapes.Numbers(line, step=step):
            return f"multiples ({line.kind})" if step > 1 else f"{with_article(line.kind)}"
        case shapes.Texts(made=made):
            return f"a {made}"
        case shapes.ItemsShape(kind=kind):
            return f"{with_article(kind)}"
        case _:
            return "this type"
