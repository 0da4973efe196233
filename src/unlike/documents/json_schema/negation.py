"""What it takes to break a schema: one schema for each keyword of it that can be broken.

A schema is broken exactly if one of these holds. Where JSON Schema has no words for the contrary of a keyword, the
schema names only the type, and `inexact` says that a value has to be tried.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from unlike.documents.json_schema.keywords import ABOUT
from unlike.documents.json_schema.located import MISSING, REFERENCES, Located
from unlike.documents.json_schema.patterns import shortest

NEVER: dict[str, object] = {"not": {}}
BEYOND = {
    "minimum": "exclusiveMaximum",
    "maximum": "exclusiveMinimum",
    "exclusiveMinimum": "maximum",
    "exclusiveMaximum": "minimum",
}


@dataclass(frozen=True, slots=True)
class Contrary:
    """One way to break a schema: in words, and the schema of what breaks it.

    `inexact`: also accepts what does not break it. `narrow`: leaves out some of what breaks it. `beyond`: a property
    that the schema does not describe breaks it; which one depends on what else holds.
    """

    word: str
    schema: object
    inexact: bool = False
    narrow: bool = False
    beyond: bool = False


def contraries(located: Located) -> list[Contrary]:
    """Return the ways to break a schema; none if everything is an instance of it."""
    if located.schema is False:
        return [Contrary("anything", True)]
    ways = (_break_value, _break_object, _break_array, _break_schemas)
    said = [(keyword, located.get(keyword)) for keyword in located.keywords()]
    return [found for keyword, value in said for way in ways for found in way(located, keyword, value)]


def _break_value(located: Located, keyword: str, value: Any) -> Iterator[Contrary]:
    """Yield the contrary of what is said of any value, of numbers, strings, and sizes."""
    of_kind = {"type": ABOUT.get(keyword)}
    match keyword:
        case "type":
            yield Contrary(f"not type {value}", {"not": {"type": value}})
        case "enum" | "const":
            yield Contrary("another value", {"not": {"enum": value if keyword == "enum" else [value]}})
        case "minimum" | "maximum" | "exclusiveMinimum" | "exclusiveMaximum" if located.knows("exclusiveMinimum"):
            yield Contrary(f"not {keyword} {value}", {**of_kind, BEYOND[keyword]: value})
        case "minimum" | "maximum":  # draft 4, where `exclusiveMinimum` is true or false
            other = BEYOND[f"exclusive{keyword.capitalize()}"]
            strict = located.schema.get(f"exclusive{keyword.capitalize()}") is not True
            yield Contrary(f"not {keyword} {value}", {**of_kind, other: value, BEYOND[keyword]: strict})
        case "minLength" | "minItems" | "minProperties" if value > 0:
            yield Contrary(f"not {keyword} {value}", {**of_kind, keyword.replace("min", "max"): value - 1})
        case "maxLength" | "maxItems" | "maxProperties":
            yield Contrary(f"not {keyword} {value}", {**of_kind, keyword.replace("max", "min"): int(value) + 1})
        case "multipleOf" | "pattern" | "format":
            yield Contrary(f"not {keyword}", of_kind, inexact=True)


def _break_object(_located: Located, keyword: str, value: Any) -> Iterator[Contrary]:
    match keyword:
        case "required":
            for name in value:
                yield Contrary(f"without {name}", {"type": "object", "properties": {name: NEVER}})
        case "properties":
            for name, inner in value.items():
                yield Contrary(f"another {name}", _with_property(name, {"not": inner}))
        case "patternProperties":  # that it is a property of this name leaves others out
            for pattern, inner in value.items():
                if (name := shortest(pattern)) is not None:
                    yield Contrary(f"another {pattern}", _with_property(name, {"not": inner}), narrow=True)
        case "additionalProperties":
            yield Contrary("another property", value, beyond=True)
        case "propertyNames":
            said = {"type": "object", "minProperties": 1, "propertyNames": {"not": value}}
            yield Contrary("another name", said, narrow=True)
        case "unevaluatedProperties":
            yield Contrary(f"not {keyword}", {"type": "object", "minProperties": 1}, inexact=True)
        case "dependentRequired" | "dependentSchemas" | "dependencies":
            for name, inner in value.items():
                present = {"type": "object", "required": [name]}
                if not isinstance(inner, list):
                    yield Contrary(f"{name} otherwise", {**present, "not": inner})
                    continue
                for other in inner:
                    yield Contrary(f"{name} without {other}", {**present, "properties": {other: NEVER}})


def _with_property(name: str, said: object) -> object:
    return {"type": "object", "required": [name], "properties": {name: said}}


def _break_array(located: Located, keyword: str, value: Any) -> Iterator[Contrary]:
    match keyword:
        case "prefixItems" | "items" if isinstance(value, list):
            for index, inner in enumerate(value):
                said = {"type": "array", "minItems": index + 1, keyword: [*({} for _ in range(index)), {"not": inner}]}
                yield Contrary(f"another item {index}", said)
        case "items" if located.get("prefixItems") is MISSING and located.knows("contains"):
            yield Contrary("another item", {"type": "array", "contains": {"not": value}})
        case "items":
            behind = len(located.listing("prefixItems")) + 1
            yield Contrary("another item", {"type": "array", "minItems": behind}, inexact=True)
        case "additionalItems" | "unevaluatedItems":
            yield Contrary(f"not {keyword}", {"type": "array", "minItems": 1}, inexact=True)
        case "uniqueItems" if value is True:
            yield Contrary("an item twice", {"type": "array", "minItems": 2}, inexact=True)
        case "contains":
            least, most = located.get("minContains"), located.get("maxContains")
            such = {"type": "array", "contains": value}
            if least is MISSING or least == 1:
                yield Contrary("no such item", {"type": "array", "items": {"not": value}})
            elif least > 1:
                yield Contrary("fewer such items", {**such, "minContains": 0, "maxContains": least - 1})
            if most is not MISSING:
                yield Contrary("more such items", {**such, "minContains": int(most) + 1})


def _break_schemas(located: Located, keyword: str, value: Any) -> Iterator[Contrary]:
    """Yield the contrary of what combines schemas and refers to them."""
    match keyword:
        case "allOf":
            for index, inner in enumerate(value):
                yield Contrary(f"not allOf {index}", {"not": inner})
        case "anyOf" | "oneOf":
            yield Contrary("none of anyOf", {"allOf": [{"not": inner} for inner in value]})
            for second, inner in enumerate(value if keyword == "oneOf" else ()):
                for first in range(second):
                    yield Contrary(f"oneOf {first} and {second}", {"allOf": [value[first], inner]})
        case "not":
            yield Contrary("what not excludes", value)
        case "if":
            then, other = located.get("then"), located.get("else")
            if then is not MISSING:
                yield Contrary("if but not then", {"allOf": [value, {"not": then}]})
            if other is not MISSING:
                yield Contrary("neither if nor else", {"allOf": [{"not": value}, {"not": other}]})
        case _ if keyword in REFERENCES:
            yield Contrary(f"not {value}", {"not": {keyword: value}})
