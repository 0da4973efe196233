"""What is known of each keyword of JSON Schema, in one table, and of the kinds of values that they speak of.

A new keyword is a row here, its contrary in `negation`, and what it leaves in the module of its kind of values
(`objects`, `arrays`, `leaves`); one that the validator does not know brings its check along.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

from unlike.language.values import exact

KINDS = ("object", "array", "string", "integer", "fraction", "boolean", "null")
KIND_OF = {list: "array", str: "string", int: "integer", bool: "boolean", type(None): "null"}
EXPANDED = {"number": ("integer", "fraction")}
BY_NAME = ("properties", "patternProperties", "dependentSchemas", "dependencies")  # keywords with schemas by name
EXAMPLES = "x-unlike-examples"  # values that a description gives here, each after the word it gives them by
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
    idle: object = None  # what it may say that rejects nothing: `minLength: 0`
    hands_on: bool = False  # to schemas inside it; where one of these is false, it rejects by itself


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


class FalseInside:
    """The check of a keyword with schemas inside: what `false` rejects there is rejected by the keyword."""

    def __init__(self, keyword: str, usual: KeywordCheck | None) -> None:
        assert usual is not None
        self.keyword = keyword
        self.usual = usual

    def __call__(self, validator: Any, value: Any, instance: Any, schema: Any) -> Iterator[Any]:
        """Yield the errors, each with the keyword and the schema that it is due to."""
        for error in self.usual(validator, value, instance, schema) or ():
            if error.validator is None:
                error.validator, error.validator_value, error.schema = self.keyword, value, schema
            yield error


def _handing_on(keyword: str, about: str) -> Keyword:
    return Keyword(about, check=partial(FalseInside, keyword), hands_on=True)


def is_idle(keyword: str, value: object) -> bool:
    """Tell whether what a keyword says rejects nothing by itself."""
    known = KEYWORDS[keyword]
    if known.hands_on:
        inside = list(value.values()) if keyword in BY_NAME and isinstance(value, Mapping) else value
        several = inside if isinstance(inside, list) else [inside]
        return not any(each is False or (keyword == "dependencies" and _lists_names(each)) for each in several)
    return known.idle is not None and type(known.idle) is type(value) and known.idle == value


def _lists_names(said: object) -> bool:
    return isinstance(said, list) and bool(said)


KEYWORDS = {
    "type": Keyword(rejects=True, validates=True),
    "enum": Keyword(rejects=True, validates=True, check=ListedValues),
    "const": Keyword(rejects=True, validates=True),
    "not": Keyword(rejects=True),
    "oneOf": Keyword(rejects=True),
    "allOf": Keyword(check=partial(FalseInside, "allOf"), hands_on=True),
    "if": Keyword(check=partial(FalseInside, "if")),
    "dependentSchemas": Keyword(check=partial(FalseInside, "dependentSchemas"), hands_on=True),
    "dependencies": Keyword(check=partial(FalseInside, "dependencies"), hands_on=True),
    "$ref": Keyword(check=partial(FalseInside, "$ref")),
    "then": Keyword(brought_by="if"),
    "else": Keyword(brought_by="if"),
    "dependentRequired": Keyword(rejects=True, validates=True, idle={}),
    "properties": _handing_on("properties", "object"),
    "patternProperties": _handing_on("patternProperties", "object"),
    "additionalProperties": _handing_on("additionalProperties", "object"),
    "unevaluatedProperties": _handing_on("unevaluatedProperties", "object"),
    "propertyNames": _handing_on("propertyNames", "object"),
    "required": Keyword("object", rejects=True, validates=True, idle=[]),
    "minProperties": Keyword("object", rejects=True, validates=True, idle=0),
    "maxProperties": Keyword("object", rejects=True, validates=True),
    "items": _handing_on("items", "array"),
    "prefixItems": _handing_on("prefixItems", "array"),
    "additionalItems": _handing_on("additionalItems", "array"),
    "unevaluatedItems": _handing_on("unevaluatedItems", "array"),
    "contains": Keyword("array", rejects=True),
    "minContains": Keyword(validates=True, brought_by="dependentRequired"),
    "maxContains": Keyword(validates=True, brought_by="dependentRequired"),
    "minItems": Keyword("array", rejects=True, validates=True, idle=0),
    "maxItems": Keyword("array", rejects=True, validates=True),
    "uniqueItems": Keyword("array", rejects=True, validates=True, idle=False),
    "minLength": Keyword("string", rejects=True, validates=True, idle=0),
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
REJECTING = frozenset(word for word, each in KEYWORDS.items() if each.rejects or each.hands_on)
BROUGHT_BY = {word: each.brought_by for word, each in KEYWORDS.items() if each.brought_by}


def states_rule(part: Mapping[str, object]) -> bool:
    """Tell whether a schema has a keyword that rejects anything by itself, or defines what is false."""
    defined = (part.get(word) for word in ("$defs", "definitions"))
    if any(False in each.values() for each in defined if isinstance(each, Mapping)):
        return True
    idle = "contains" if part.get("minContains") == 0 and "maxContains" not in part else None
    return any(word in REJECTING and word != idle and not is_idle(word, value) for word, value in part.items())


def kinds_named(value: Any) -> tuple[str, ...]:
    """Return the kinds that a type names; a number is whole or not."""
    names = [value] if isinstance(value, str) else value
    return tuple(dict.fromkeys(kind for name in names for kind in EXPANDED.get(name, (name,)) if kind in KINDS))


def kinds_of(value: object) -> tuple[str, ...]:
    """Return the kind of a value; a whole number written with a point may count as either."""
    if isinstance(value, float):
        return ("integer", "fraction") if value.is_integer() else ("fraction",)
    return (KIND_OF.get(type(value), "object"),)


def bound_of(value: float) -> Fraction:
    """Return the number that a bound means: as it is written, or what a computer makes of it where that is another one.

    >>> bound_of(0.1), bound_of(1e23) == 10**23
    (Fraction(1, 10), False)
    """
    return Fraction(value) if isinstance(value, float) and abs(value) >= 2**53 else exact(value)


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
