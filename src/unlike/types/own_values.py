"""From a value of the term language to a shape: `Int(0, 9)` may stand where an annotation may."""

from __future__ import annotations

from unlike.language.values import (
    DAY_SECONDS,
    Bool,
    Date,
    Int,
    List,
    OneOf,
    Option,
    Real,
    Record,
    Str,
    Time,
    Value,
)
from unlike.structure.shapes import (
    Build,
    Choice,
    CodeLine,
    Constants,
    Field,
    ItemsShape,
    NamedFields,
    Numbers,
    Shape,
    Texts,
)

BOUNDS = ("least", "most")


def shape_of_value(value: Value) -> Shape:
    """Return the shape of a value; all its bounds count as stated."""
    match value:
        case Bool():
            return Constants((False, True), "bool")
        case OneOf():
            return Constants(value.members)
        case Int(low, high):
            return Numbers(CodeLine("int"), low, high, stated=BOUNDS)
        case Real(places=places):
            low, high = value.steps
            return Numbers(CodeLine("float", places), low, high, stated=BOUNDS)
        case Date():
            return Numbers(CodeLine("date"), value.low.toordinal(), value.high.toordinal(), stated=BOUNDS)
        case Time(step=step):
            first, last = value.seconds
            low, high = -(-first // step) * step, min(last, DAY_SECONDS - 1) // step * step
            return Numbers(CodeLine("time"), low, high, step, (*BOUNDS, "multiple"))
        case Str(pattern, least, _, flags):
            stated = ("shortest", "longest") if pattern is None else ("pattern",)
            return Texts(pattern, least, value.most, flags, stated=stated)
        case Option(inner):
            return Choice((("value", shape_of_value(inner)), ("None", Constants((None,)))))
        case List(inner, least, _):
            return ItemsShape(shape_of_value(inner), least, value.most, stated=("fewest items", "most items"))
        case Record(fields, build):
            parts = tuple(Field(name, shape_of_value(inner)) for name, inner in fields)
            return NamedFields(parts, Build() if build is None else Build("call", build), closed=True)
