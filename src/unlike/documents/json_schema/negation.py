"""What it takes to break a schema: one schema for each keyword of it that can be broken.

A schema is broken exactly if one of these holds. Where JSON Schema has no words for the contrary of a keyword, the
schema names only the type, and `inexact` says that a value has to be tried.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from unlike.documents.json_schema.located import MISSING, REFERENCES, Located
from unlike.documents.json_schema.patterns import shortest

NEVER: dict[str, object] = {"not": {}}


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
    found = []
    for keyword in located.keywords():
        negate = NEGATIONS.get(keyword)
        if negate is not None:
            found += list(negate(located, located.said(keyword)))
    return found


def _primitive(keyword: str, kind: str, **more: object) -> Callable[[Located, Any], Iterator[Contrary]]:
    def negate(_located: Located, value: Any) -> Iterator[Contrary]:
        del value
        yield Contrary(f"not {keyword}", {"type": kind, **more}, inexact=True)

    return negate


def _type(_located: Located, value: Any) -> Iterator[Contrary]:
    yield Contrary(f"not type {value}", {"not": {"type": value}})


def _values(_located: Located, value: Any) -> Iterator[Contrary]:
    yield Contrary("another value", {"not": {"enum": value}})


def _constant(_located: Located, value: Any) -> Iterator[Contrary]:
    yield Contrary("another value", {"not": {"enum": [value]}})


def _bound(keyword: str) -> Callable[[Located, Any], Iterator[Contrary]]:
    contrary = {
        "minimum": "exclusiveMaximum",
        "maximum": "exclusiveMinimum",
        "exclusiveMinimum": "maximum",
        "exclusiveMaximum": "minimum",
    }[keyword]

    def negate(located: Located, value: Any) -> Iterator[Contrary]:
        if located.knows("exclusiveMinimum"):
            yield Contrary(f"not {keyword} {value}", {"type": "number", contrary: value})
        elif not keyword.startswith("exclusive"):
            other = {"minimum": "maximum", "maximum": "minimum"}[keyword]
            flag = f"exclusive{keyword.capitalize()}"
            strict = located.schema.get(flag) is not True
            mine = f"exclusive{other.capitalize()}"
            yield Contrary(f"not {keyword} {value}", {"type": "number", other: value, mine: strict})

    return negate


def _least(keyword: str, kind: str) -> Callable[[Located, Any], Iterator[Contrary]]:
    def negate(_located: Located, value: Any) -> Iterator[Contrary]:
        if value > 0:
            yield Contrary(f"not {keyword} {value}", {"type": kind, keyword.replace("min", "max"): value - 1})

    return negate


def _most(keyword: str, kind: str) -> Callable[[Located, Any], Iterator[Contrary]]:
    def negate(_located: Located, value: Any) -> Iterator[Contrary]:
        yield Contrary(f"not {keyword} {value}", {"type": kind, keyword.replace("max", "min"): int(value) + 1})

    return negate


def _unique(_located: Located, value: Any) -> Iterator[Contrary]:
    if value is True:
        yield Contrary("an item twice", {"type": "array", "minItems": 2}, inexact=True)


def _required(_located: Located, names: Any) -> Iterator[Contrary]:
    for name in names:
        yield Contrary(f"without {name}", {"type": "object", "properties": {name: NEVER}})


def _properties(_located: Located, properties: Any) -> Iterator[Contrary]:
    for name, inner in properties.items():
        said = {"type": "object", "required": [name], "properties": {name: {"not": inner}}}
        yield Contrary(f"another {name}", said)


def _additional(_located: Located, inner: Any) -> Iterator[Contrary]:
    yield Contrary("another property", inner, beyond=True)


def _pattern_properties(_located: Located, properties: Any) -> Iterator[Contrary]:
    """Yield objects with a property that a pattern speaks of; that it is this one leaves others out."""
    for pattern, inner in properties.items():
        name = shortest(pattern)
        if name is not None:
            said = {"type": "object", "required": [name], "properties": {name: {"not": inner}}}
            yield Contrary(f"another {pattern}", said, narrow=True)


def _property_names(_located: Located, inner: Any) -> Iterator[Contrary]:
    said = {"type": "object", "minProperties": 1, "propertyNames": {"not": inner}}
    yield Contrary("another name", said, narrow=True)


def _items(located: Located, inner: Any) -> Iterator[Contrary]:
    if not isinstance(inner, list) and located.said("prefixItems") is MISSING and located.knows("contains"):
        yield Contrary("another item", {"type": "array", "contains": {"not": inner}})
        return
    first = inner if isinstance(inner, list) else located.said("prefixItems")
    if isinstance(inner, list):
        yield from _prefix(located, inner)
    else:
        yield Contrary("another item", {"type": "array", "minItems": len(_list(first)) + 1}, inexact=True)


def _prefix(located: Located, items: Any) -> Iterator[Contrary]:
    keyword = "prefixItems" if located.knows("prefixItems") else "items"
    for index, inner in enumerate(items):
        said = {"type": "array", "minItems": index + 1, keyword: [*({} for _ in range(index)), {"not": inner}]}
        yield Contrary(f"another item {index}", said)


def _contains(located: Located, inner: Any) -> Iterator[Contrary]:
    least, most = located.said("minContains"), located.said("maxContains")
    if least is MISSING or least == 1:
        yield Contrary("no such item", {"type": "array", "items": {"not": inner}})
    elif least > 1:
        yield Contrary(
            "fewer such items", {"type": "array", "contains": inner, "minContains": 0, "maxContains": least - 1}
        )
    if most is not MISSING:
        yield Contrary("more such items", {"type": "array", "contains": inner, "minContains": int(most) + 1})


def _dependent(_located: Located, said: Any) -> Iterator[Contrary]:
    for name, inner in said.items():
        present = {"type": "object", "required": [name]}
        if isinstance(inner, list):
            for other in inner:
                yield Contrary(f"{name} without {other}", {**present, "properties": {other: NEVER}})
        else:
            yield Contrary(f"{name} otherwise", {**present, "not": inner})


def _reference(keyword: str) -> Callable[[Located, Any], Iterator[Contrary]]:
    def negate(_located: Located, value: Any) -> Iterator[Contrary]:
        yield Contrary(f"not {value}", {"not": {keyword: value}})

    return negate


def _all(_located: Located, schemas: Any) -> Iterator[Contrary]:
    for index, inner in enumerate(schemas):
        yield Contrary(f"not allOf {index}", {"not": inner})


def _any(_located: Located, schemas: Any) -> Iterator[Contrary]:
    yield Contrary("none of anyOf", {"allOf": [{"not": inner} for inner in schemas]})


def _one(located: Located, schemas: Any) -> Iterator[Contrary]:
    yield from _any(located, schemas)
    for second, inner in enumerate(schemas):
        for first in range(second):
            yield Contrary(f"oneOf {first} and {second}", {"allOf": [schemas[first], inner]})


def _not(_located: Located, inner: Any) -> Iterator[Contrary]:
    yield Contrary("what not excludes", inner)


def _if(located: Located, inner: Any) -> Iterator[Contrary]:
    then, other = located.said("then"), located.said("else")
    if then is not MISSING:
        yield Contrary("if but not then", {"allOf": [inner, {"not": then}]})
    if other is not MISSING:
        yield Contrary("neither if nor else", {"allOf": [{"not": inner}, {"not": other}]})


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


NEGATIONS: dict[str, Callable[[Located, Any], Iterator[Contrary]]] = {
    "type": _type,
    "enum": _values,
    "const": _constant,
    "minimum": _bound("minimum"),
    "maximum": _bound("maximum"),
    "exclusiveMinimum": _bound("exclusiveMinimum"),
    "exclusiveMaximum": _bound("exclusiveMaximum"),
    "multipleOf": _primitive("multipleOf", "number"),
    "minLength": _least("minLength", "string"),
    "maxLength": _most("maxLength", "string"),
    "pattern": _primitive("pattern", "string"),
    "format": _primitive("format", "string"),
    "minItems": _least("minItems", "array"),
    "maxItems": _most("maxItems", "array"),
    "uniqueItems": _unique,
    "minProperties": _least("minProperties", "object"),
    "maxProperties": _most("maxProperties", "object"),
    "required": _required,
    "properties": _properties,
    "additionalProperties": _additional,
    "patternProperties": _pattern_properties,
    "propertyNames": _property_names,
    "unevaluatedProperties": _primitive("unevaluatedProperties", "object", minProperties=1),
    "items": _items,
    "prefixItems": _prefix,
    "additionalItems": _primitive("additionalItems", "array", minItems=1),
    "unevaluatedItems": _primitive("unevaluatedItems", "array", minItems=1),
    "contains": _contains,
    "dependentRequired": _dependent,
    "dependentSchemas": _dependent,
    "dependencies": _dependent,
    "allOf": _all,
    "anyOf": _any,
    "oneOf": _one,
    "not": _not,
    "if": _if,
    **{keyword: _reference(keyword) for keyword in REFERENCES},
}
