"""The words of a schema as a service description writes them, in the words of JSON Schema 2020-12.

3.1 is JSON Schema already. 3.0 and Swagger 2 say `nullable`, exclusive bounds as true or false, and formats for the
sizes of numbers; beside a `$ref` they say nothing.
"""

from __future__ import annotations

from unlike.documents.openapi.places import DocumentPlace, Object

ONE = ("additionalProperties", "items", "not", "if", "then", "else", "contains", "propertyNames")
ONE_MORE = ("unevaluatedItems", "unevaluatedProperties", "additionalItems")
MANY = ("allOf", "anyOf", "oneOf", "prefixItems")
NAMED = ("properties", "patternProperties", "dependentSchemas")
INNER = (*ONE, *ONE_MORE, *MANY, *NAMED)

TYPES = ("string", "number", "integer", "boolean", "array", "object", "null")
SIZES = {"int32": 2**31, "int64": 2**63}
BASE64 = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
# what says nothing about instances, or what is said in another way here
SILENT = {
    "$anchor",
    "$comment",
    "$defs",
    "$dynamicAnchor",
    "$ref",
    "$schema",
    "default",
    "definitions",
    "deprecated",
    "description",
    "discriminator",
    "example",
    "examples",
    "externalDocs",
    "nullable",
    "readOnly",
    "summary",
    "title",
    "writeOnly",
    "xml",
}
NOT_READ = {
    "$id": "give the schema no address of its own",
    "$dynamicRef": "use $ref",
    "$recursiveRef": "use $ref",
}


def words_of(at: DocumentPlace, *, modern: bool) -> Object:
    """Return what a schema says itself, without its inner schemas and its reference."""
    schema = at.object()
    for word, remedy in NOT_READ.items():
        if word in schema:
            raise at.wrong(f"{word} is not supported in service descriptions", remedy)
    kept = {word: each for word, each in schema.items() if word not in SILENT and word not in INNER}
    found = {word: each for word, each in kept.items() if not word.startswith("x-")}
    _typed(found, schema, at, modern=modern)
    if not isinstance(found.get("required", []), list):
        del found["required"]  # a habit of older drafts: true beside a property says nothing
    _bounded(found)
    _sized(found)
    return found


def _typed(found: Object, schema: Object, at: DocumentPlace, *, modern: bool) -> None:
    kind = schema.get("type")
    if kind is None:
        return
    if kind == "file":  # Swagger 2: what is uploaded
        found["type"] = kind = "string"
    kinds = kind if isinstance(kind, list) else [kind]
    for each in kinds:
        if each not in TYPES:
            raise at.into("type").wrong(f"{each!r} is no type", f"there are: {', '.join(TYPES)}")
    if not modern and schema.get("nullable") is True and "null" not in kinds:
        found["type"] = [*kinds, "null"]


def _bounded(found: Object) -> None:
    for word, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if not isinstance(found.get(word), bool):
            continue
        excluded = found.pop(word)
        if excluded and bound in found:
            found[word] = found.pop(bound)


def _sized(found: Object) -> None:
    """Say what the formats of numbers and bytes mean."""
    form, kind = found.get("format"), found.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    if isinstance(form, str) and form in SIZES and "integer" in kinds:
        size = SIZES[form]
        if not _tighter(found, "minimum", "exclusiveMinimum", lambda given: given >= -size):
            found["minimum"] = -size
        if not _tighter(found, "maximum", "exclusiveMaximum", lambda given: given < size):
            found["maximum"] = size - 1
    if form == "byte" and "string" in kinds and "pattern" not in found:
        found["pattern"] = BASE64


def _tighter(found: Object, word: str, other: str, fits: object) -> bool:
    assert callable(fits)
    return any(isinstance(given := found.get(each), int | float) and fits(given) for each in (word, other))
