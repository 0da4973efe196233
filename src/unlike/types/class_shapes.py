"""From a class to the shape of its objects: by a library, its fields, its constructor, a text, or its subclasses.

They are tried in this order. What stands for functions and for classes themselves is made here, too.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from unlike.errors import SpecError
from unlike.structure import shapes
from unlike.types import tree
from unlike.types.as_annotated import NO_VALUES, written_name
from unlike.types.asked_pydantic import check_format
from unlike.types.core_schema import annotation_of_schema, has_own_schema
from unlike.types.known_classes import (
    called_type,
    concrete_subclasses,
    constructed_record,
    is_abstract,
    is_ordinary,
    known_classes,
    matching_classes,
    text_maker,
    untaken_field,
)
from unlike.types.leaves import MALFORMED, PYDANTIC, PYDANTIC_MADE
from unlike.types.read import TypeReader
from unlike.types.stand_ins import Returning
from unlike.types.standard import ShapeMaking, in_order, standard_shape
from unlike.types.validator_source import texts_mentioned

LONGEST = 40  # characters of a text that an object is made of: as long as a UUID
MOST_SUBCLASSES = 8  # of a base whose own objects cannot be made: enough to show that they differ


class NotMadeError(SpecError):
    """No value of a type can be made; `text` is how the type was written. Where it may be absent, it is."""

    def __init__(self, path: shapes.Path, text: str, reason: str, remedy: str) -> None:
        super().__init__(f"{shapes.shown_path(path)}: {text} {reason}; {remedy}")
        self.text = text


def refusal(path: shapes.Path, text: str, reason: str, remedy: str) -> NotMadeError:
    """Return the error for a type that cannot be made: path, type, reason, remedy."""
    return NotMadeError(path, text, reason, remedy)


class ObjectMaking(ShapeMaking, Protocol):
    """Who makes shapes of types, and knows what is around a place."""

    as_data: bool
    validating: str
    reader: TypeReader
    constructed: dict[type, tree.RecordType | None]

    def attempt(self, node: tree.TypeNode, path: shapes.Path) -> shapes.Shape | NotMadeError:
        """Return the shape of a type, or why it cannot be made."""

    def fields(self, record: tree.RecordType, path: shapes.Path) -> shapes.Shape:
        """Return the shape of an object with fields."""

    def modules(self) -> list[str]:
        """Return the modules whose classes are being read."""

    def refer_to(
        self, node: tree.TypeNode, path: shapes.Path, make: Callable[[], shapes.Shape], *, inside: str | None = None
    ) -> shapes.Shape:
        """Return a reference to what is read once and may refer to itself."""

    def validator_in(self, record: tree.RecordType) -> str:
        """Return the library that checks the fields of a class."""


def class_shape(making: ObjectMaking, node: tree.ClassType, path: shapes.Path) -> shapes.Shape:
    """Return the shape of the objects of a class."""
    cls = node.cls
    if cls.__module__.startswith("pydantic") and cls.__name__ in PYDANTIC:
        text, keyword = PYDANTIC[cls.__name__]
        if checks := check_format(cls, MALFORMED.get(cls.__name__, ())):
            text = shapes.Checked(text, checks)
        if making.validating == "pydantic" or keyword is None or making.as_data:
            return text  # the model around it makes the object
        return shapes.NamedFields((shapes.Field(keyword, text),), shapes.Build("call", cls), closed=True)
    is_told = not making.as_data and making.validating == "pydantic" and has_own_schema(cls)
    if is_told and (taken := schema_shape(making, cls, path)) is not None:
        return taken
    if not making.as_data and (found := _library_shape(making, node, path)) is not None:
        return found
    record = None if is_abstract(cls) and not making.as_data else making.reader.record_of(node)
    untaken = "" if record is None else untaken_field(cls, record)
    if not making.as_data and (untaken or (record is None and not is_abstract(cls))):
        if cls not in making.constructed:
            making.constructed[cls] = constructed_record(cls)
        record = making.constructed[cls]
    elif untaken:
        remedy = f"let its constructor take {untaken!r}, or cover the parameters of a function that builds it"
        raise refusal(path, cls.__name__, f"has a field {untaken!r} that its constructor does not take", remedy)
    if record is None and not making.as_data and not is_abstract(cls) and text_maker(cls) is not None:
        return _text_shape(making, cls, path)
    if record is None:
        return making.refer_to(node, path, lambda: _subclass_shape(making, node, path))
    inside = making.validator_in(record)
    try:
        return making.refer_to(node, path, lambda: making.fields(record, path), inside=inside)
    except NotMadeError:
        if making.as_data or not is_ordinary(cls) or text_maker(cls) is None:
            raise
    return _text_shape(making, cls, path)


def schema_shape(making: ObjectMaking, annotation: object, path: shapes.Path) -> shapes.Shape | None:
    """Return the shape of what pydantic says that it takes for an annotation; nothing where it does not say that."""
    taken = annotation_of_schema(annotation)
    if taken is ... or taken is annotation:
        return None
    found = making.attempt(making.reader.read(taken), path)
    if isinstance(found, NotMadeError):
        return None
    making.leave_out(f"{shapes.shown_path(path)}: {written_name(annotation)} only of {written_name(taken)}")
    return found


def _text_shape(making: ObjectMaking, cls: type, path: shapes.Path) -> shapes.Shape:
    """Return the shape of objects that a classmethod makes of texts."""
    method = text_maker(cls)
    assert method is not None
    making.leave_out(f"{shapes.shown_path(path)}: of {cls.__name__} only what {method.__name__} makes of a text")
    text = shapes.Field("text", shapes.Texts(None, 0, LONGEST), mentioned=texts_mentioned(cls, method))
    return shapes.NamedFields((text,), shapes.Build("in order", method), closed=True)


def _library_shape(making: ObjectMaking, node: tree.ClassType, path: shapes.Path) -> shapes.Shape | None:
    """Return the shape of a class of pydantic, or of the standard library; nothing for others."""
    if not node.cls.__module__.startswith("pydantic") or node.cls.__name__ not in PYDANTIC_MADE:
        return standard_shape(making, node, path)
    shape, is_called = PYDANTIC_MADE[node.cls.__name__]
    checked = shapes.Checked(shape, check_format(node.cls, ()))
    if node.cls.__name__ in ("Color", "PaymentCardNumber"):
        making.leave_out(f"{shapes.shown_path(path)}: only a few of each {node.cls.__name__}")
    called = is_called and making.validating != "pydantic"
    return in_order(node.cls, ("value", checked)) if called else checked


def _subclass_shape(making: ObjectMaking, node: tree.ClassType, path: shapes.Path) -> shapes.Shape:
    """Return the known subclasses of a class that has no objects of its own which could be made."""
    made: dict[str, shapes.Shape] = {}
    known = [] if making.as_data else concrete_subclasses(node.cls, making.modules())
    if not known and not making.as_data and called_type(node.cls) is None:
        known = matching_classes(node.cls, making.modules())
    for each in known:
        found = making.attempt(tree.ClassType(each), path)
        if not isinstance(found, NotMadeError):
            made.setdefault(each.__name__, found)
        if len(made) == MOST_SUBCLASSES:
            break
    if not made and not making.as_data and text_maker(node.cls) is not None:
        return _text_shape(making, node.cls, path)
    if not made and not making.as_data and (called := called_type(node.cls)) is not None:
        return stand_in_shape(making, called, path)
    if not made:
        raise refusal(path, tree.type_name(node), *NO_VALUES)
    making.leave_out(f"{shapes.shown_path(path)}: of {node.cls.__name__} only {', '.join(made)}")
    return shapes.Choice(tuple(made.items()), whole=False)


def stand_in_shape(making: ObjectMaking, node: tree.UnreadableType, path: shapes.Path) -> shapes.Shape:
    """Return what stands for a function that returns a type, or for a class."""
    if node.inner is None or making.as_data:
        raise refusal(path, node.text, node.reason, node.remedy)
    place = shapes.shown_path(path)
    if node.means == "function":
        making.leave_out(f"{place}: of all functions only such as return the same value always")
        return in_order(Returning, ("value", making.shape(node.inner, path)))
    found = known_classes(node.inner, making.modules())[:MOST_SUBCLASSES]
    making.leave_out(f"{place}: of all such classes only {', '.join(each.__name__ for each in found)}")
    return shapes.Constants(tuple(found), "class")
