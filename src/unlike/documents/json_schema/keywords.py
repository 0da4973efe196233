"""What is known of each keyword of JSON Schema, in one table, and of the kinds of values that they speak of.

A new keyword is a row here, its contrary in `negation`, and what it leaves in the module of its kind of values
(`objects`, `arrays`, `leaves`); one that the validator does not know brings its check along.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

KINDS = ("object", "array", "string", "integer", "fraction", "boolean", "null")
KIND_OF = {list: "array", str: "string", int: "integer", bool: "boolean", type(None): "null"}
EXPANDED = {"number": ("integer", "fraction")}
HINT = "x-unlike-hint"  # a schema that values have if they can; it says nothing about what is valid
MANY = 100  # values of an enum; among fewer, looking at one after the other is as fast

# (validator, what the keyword says, value, the schema around it) -> the errors, as jsonschema calls it
KeywordCheck: TypeAlias = Callable[[Any, Any, Any, Any], Any]


@dataclass(frozen=True, slots=True)
class Keyword:
    """What is known of a keyword."""

    about: str | None = None  # the kind of values it speaks of; nothing: of any
    rejects: bool = False  # it rejects values by itself; others hand on to the schemas inside them
    validates: bool = False  # it is of the validation vocabulary, which a metaschema may leave out
    brought_by: str = ""  # known in the drafts that know this one: `exclusiveMinimum` is a flag of it in draft 4
    check: Callable[[KeywordCheck | None], KeywordCheck] | None = None  # from the validator's own check to ours


class ListedValues:
    """The check of `enum`: a text or an int among very many is found at once; all else goes the usual way."""

    def __init__(self, usual: KeywordCheck | None) -> None:
        assert usual is not None
        self.usual = usual
        self.known: dict[int, tuple[object, frozenset[object]]] = {}

    def __call__(self, validator: Any, values: Any, instance: Any, schema: Any) -> Any:
        """Return the errors of a value that is none of these."""
        if type(instance) in (str, int) and len(values) > MANY:
            known, found = self.known.get(id(values), (None, frozenset()))
            if known is not values:
                found = frozenset(each for each in values if type(each) in (str, int))
                self.known[id(values)] = values, found
            if instance in found:
                return ()
        return self.usual(validator, values, instance, schema)


KEYWORDS = {
    "type": Keyword(rejects=True, validates=True),
    "enum": Keyword(rejects=True, validates=True, check=ListedValues),
    "const": Keyword(rejects=True, validates=True),
    "not": Keyword(rejects=True),
    "oneOf": Keyword(rejects=True),
    "then": Keyword(brought_by="if"),
    "else": Keyword(brought_by="if"),
    "dependentRequired": Keyword(rejects=True, validates=True),
    "properties": Keyword("object"),
    "patternProperties": Keyword("object"),
    "additionalProperties": Keyword("object"),
    "unevaluatedProperties": Keyword("object"),
    "propertyNames": Keyword("object"),
    "required": Keyword("object", rejects=True, validates=True),
    "minProperties": Keyword("object", rejects=True, validates=True),
    "maxProperties": Keyword("object", rejects=True, validates=True),
    "items": Keyword("array"),
    "prefixItems": Keyword("array"),
    "additionalItems": Keyword("array"),
    "unevaluatedItems": Keyword("array"),
    "contains": Keyword("array", rejects=True),
    "minContains": Keyword(validates=True, brought_by="dependentRequired"),
    "maxContains": Keyword(validates=True, brought_by="dependentRequired"),
    "minItems": Keyword("array", rejects=True, validates=True),
    "maxItems": Keyword("array", rejects=True, validates=True),
    "uniqueItems": Keyword("array", rejects=True, validates=True),
    "minLength": Keyword("string", rejects=True, validates=True),
    "maxLength": Keyword("string", rejects=True, validates=True),
    "pattern": Keyword("string", rejects=True, validates=True),
    "format": Keyword("string"),
    "minimum": Keyword("number", rejects=True, validates=True),
    "maximum": Keyword("number", rejects=True, validates=True),
    "exclusiveMinimum": Keyword("number", rejects=True, validates=True, brought_by="minimum"),
    "exclusiveMaximum": Keyword("number", rejects=True, validates=True, brought_by="maximum"),
    "multipleOf": Keyword("number", rejects=True, validates=True),
}
ABOUT = {word: each.about for word, each in KEYWORDS.items() if each.about}
REJECTING = frozenset(word for word, each in KEYWORDS.items() if each.rejects)
BROUGHT_BY = {word: each.brought_by for word, each in KEYWORDS.items() if each.brought_by}


def kinds_named(value: Any) -> tuple[str, ...]:
    """Return the kinds that a type names; a number is whole or not."""
    names = [value] if isinstance(value, str) else value
    return tuple(dict.fromkeys(kind for name in names for kind in EXPANDED.get(name, (name,)) if kind in KINDS))


def kinds_of(value: object) -> tuple[str, ...]:
    """Return the kind of a value; a whole number written with a point may count as either."""
    if isinstance(value, float):
        return ("integer", "fraction") if value.is_integer() else ("fraction",)
    return (KIND_OF.get(type(value), "object"),)


def identity(value: object) -> object:
    """Return what is equal exactly for values that JSON Schema takes as equal."""
    match value:
        case bool() | str() | None:
            return type(value).__name__, value
        case int() | float():
            return "number", value
        case list():
            return "array", tuple(identity(each) for each in value)
        case Mapping():
            return "object", frozenset((key, identity(each)) for key, each in value.items())
    return "other", repr(value)
