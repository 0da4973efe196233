"""A second way to prove that a schema has no instance: kind by kind, by what each keyword leaves at most.

It shares nothing with `unlike.documents`: values are judged by jsonschema-rs, and what a keyword may accept or reject
is reckoned here, always rather too much than too little. So an answer of `True` is a proof, and `False` says nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from typing import Any

Frames = list[Any]  # schemas that hold together
Judge = Callable[[Any, Any], bool]  # whether a schema accepts a value

NAMED = {
    "null": ("null",),
    "boolean": ("boolean",),
    "integer": ("integer",),
    "number": ("integer", "fraction"),
    "string": ("string",),
    "array": ("array",),
    "object": ("object",),
}
KINDS = ("null", "boolean", "integer", "fraction", "string", "array", "object")
ALL_VALUES: dict[str, list[Any]] = {"null": [None], "boolean": [False, True]}
ABOUT = {  # keywords that may reject values of one kind
    "integer": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
    "string": ("minLength", "maxLength", "pattern"),
    "array": ("items", "prefixItems", "additionalItems", "contains", "minItems", "maxItems", "uniqueItems"),
    "object": ("properties", "required", "additionalProperties", "patternProperties", "propertyNames", "dependencies"),
}
ABOUT["fraction"] = ABOUT["integer"]
ABOUT["array"] += ("unevaluatedItems",)
ABOUT["object"] += ("dependentRequired", "dependentSchemas", "minProperties", "maxProperties", "unevaluatedProperties")
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
SPLITS = 12  # alternatives that are entered one inside the other
MOST_NUMBERS = 1_000


def has_no_instance(schema: Any, accepts: Judge) -> bool:
    """Tell whether it is certain that a schema has no instance."""
    return not any(may_hold([schema], kind, accepts) for kind in KINDS)


def may_hold(frames: Frames, kind: str, accepts: Judge, splits: int = SPLITS, *, written: Frames | None = None) -> bool:
    """Tell whether a value of a kind may be accepted by all of these schemas; single values as they were written."""
    written = frames if written is None else written
    flat = list(_flatten(frames))
    if any(each is False for each in flat):
        return False
    there = [each for each in flat if isinstance(each, dict)]
    if any(word in each for each in there for word in REFERENCES):
        return True
    if (few := _few_values(there, kind)) is not None:
        return any(all(accepts(each, value) for each in written) for value in few)
    if not all(_may_hold_alone(each, kind, accepts) for each in there) or not _may_fit(there, kind, accepts):
        return False
    for number, each in enumerate(there):
        for rest, ways in _ways(each):
            if splits:
                others = [*there[:number], rest, *there[number + 1 :]]
                return any(may_hold([*others, *way], kind, accepts, splits - 1, written=written) for way in ways)
    return True


def _flatten(frames: Frames) -> Iterator[Any]:
    for each in frames:
        if not isinstance(each, dict):
            yield each
            continue
        yield {word: said for word, said in each.items() if word != "allOf"}
        yield from _flatten([*each.get("allOf", ())])
        excluded = each.get("not")
        if isinstance(excluded, dict) and [*excluded] == ["not"]:
            yield from _flatten([excluded["not"]])


def _ways(schema: dict[str, Any]) -> Iterator[tuple[dict[str, Any], list[Frames]]]:
    """Yield each choice of a schema: what is left of it, and what holds in each alternative."""
    for word in ("anyOf", "oneOf"):
        if word in schema:
            yield {key: said for key, said in schema.items() if key != word}, [[inner] for inner in schema[word]]
    if "if" in schema:
        rest = {key: said for key, said in schema.items() if key not in ("if", "then", "else")}
        met, other = [schema["if"], schema.get("then", True)], [{"not": schema["if"]}, schema.get("else", True)]
        yield rest, [met, other]


def _few_values(frames: list[dict[str, Any]], kind: str) -> list[Any] | None:
    """Return all values that can be accepted, where they are few; nothing otherwise."""
    for each in frames:
        if "enum" in each or "const" in each:
            listed = each["enum"] if "enum" in each else [each["const"]]
            return [value for value in listed if kind_of(value) == kind]
    if kind in ALL_VALUES:
        return ALL_VALUES[kind]
    if kind == "string" and _least(frames, "maxLength") == 0:
        return [""]
    if kind == "integer":
        low, high = _bounds(frames)
        if high < low:
            return []
        if high - low < MOST_NUMBERS:
            return [*range(math.ceil(low), math.floor(high) + 1)]
    return None


def kind_of(value: Any) -> str:
    """Return of which kind a value is; 1.0 is whole."""
    if isinstance(value, float):
        return "integer" if value.is_integer() else "fraction"
    kinds: dict[type, str] = {bool: "boolean", int: "integer", str: "string", list: "array", dict: "object"}
    return kinds.get(type(value), "null")


def _bounds(frames: list[dict[str, Any]]) -> tuple[float, float]:
    lows = [_greatest(frames, word) for word in ("minimum", "exclusiveMinimum")]
    highs = [_least(frames, word) for word in ("maximum", "exclusiveMaximum")]
    return max((each for each in lows if each is not None), default=-math.inf), min(
        (each for each in highs if each is not None), default=math.inf
    )


def _said(frames: list[dict[str, Any]], word: str) -> list[Any]:
    found = [each[word] for each in frames if word in each]
    return [each for each in found if isinstance(each, int | float) and not isinstance(each, bool)]


def _least(frames: list[dict[str, Any]], word: str) -> Any:
    return min(_said(frames, word), default=None)


def _greatest(frames: list[dict[str, Any]], word: str) -> Any:
    return max(_said(frames, word), default=None)


def _may_hold_alone(schema: dict[str, Any], kind: str, accepts: Judge) -> bool:
    """Tell whether the keywords of a schema that speak of whole values may accept one of a kind."""
    if "type" in schema:
        said = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(kind in NAMED.get(each, ()) for each in said):
            return False
    if "not" in schema and not may_reject(schema["not"], kind, accepts):
        return False
    for word in ("anyOf", "oneOf"):
        if word in schema and not any(may_hold([inner], kind, accepts, 0) for inner in schema[word]):
            return False
    certain = [inner for inner in schema.get("oneOf", ()) if not may_reject(inner, kind, accepts)]
    return len(certain) < 2


def may_reject(schema: Any, kind: str, accepts: Judge) -> bool:
    """Tell whether a value of a kind may be rejected."""
    if isinstance(schema, bool):
        return not schema
    if kind in ALL_VALUES and not any(word in schema for word in REFERENCES):
        return not all(accepts(schema, value) for value in ALL_VALUES[kind])
    if any(word in schema for word in ("enum", "const", *REFERENCES)):
        return True
    if "type" in schema:
        said = schema["type"] if isinstance(schema["type"], list) else [schema["type"]]
        if not any(kind in NAMED.get(each, ()) for each in said):
            return True
    if any(_keyword_may_reject(word, schema, accepts) for word in ABOUT[kind]):
        return True
    if "not" in schema and may_hold([schema["not"]], kind, accepts):
        return True
    if any(may_reject(inner, kind, accepts) for inner in schema.get("allOf", ())):
        return True
    if "anyOf" in schema and all(may_reject(inner, kind, accepts) for inner in schema["anyOf"]):
        return True
    if "oneOf" in schema and _one_of_may_reject(schema["oneOf"], kind, accepts):
        return True
    if "if" not in schema:
        return False
    met = may_hold([schema["if"]], kind, accepts) and may_reject(schema.get("then", True), kind, accepts)
    return met or (may_reject(schema["if"], kind, accepts) and may_reject(schema.get("else", True), kind, accepts))


def _one_of_may_reject(inner: list[Any], kind: str, accepts: Judge) -> bool:
    possible = sum(may_hold([each], kind, accepts) for each in inner)
    return possible > 1 or all(may_reject(each, kind, accepts) for each in inner)


def _keyword_may_reject(word: str, schema: dict[str, Any], accepts: Judge) -> bool:
    if word not in schema:
        return False
    said = schema[word]
    if word in ("minLength", "minItems", "minProperties"):
        return bool(said > 0)
    if word in ("items", "additionalItems", "additionalProperties", "propertyNames") or word.startswith("unevaluated"):
        return not isinstance(said, bool | dict) or _may_reject_any(said, accepts)
    if word in ("properties", "patternProperties"):
        return any(_may_reject_any(each, accepts) for each in said.values())
    if word == "dependentSchemas":
        return any(may_reject(each, "object", accepts) for each in said.values())
    if word == "contains":
        return bool(schema.get("minContains", 1)) or "maxContains" in schema
    return word not in ("required", "uniqueItems") or bool(said)


def _may_reject_any(schema: Any, accepts: Judge) -> bool:
    return any(may_reject(schema, kind, accepts) for kind in KINDS)


# -- what must be there ---------------------------------------------------------------------------------------------


def _may_fit(frames: list[dict[str, Any]], kind: str, accepts: Judge) -> bool:
    """Tell whether bounds leave something, and whether something may stand wherever something must."""
    match kind:
        case "fraction":
            low, high = _bounds(frames)
            return low < high and not any(float(each).is_integer() for each in _said(frames, "multipleOf"))
        case "string":
            return (_greatest(frames, "minLength") or 0) <= _or_no_end(_least(frames, "maxLength"))
        case "array":
            return _arrays_may_fit(frames, accepts)
        case "object":
            return _objects_may_fit(frames, accepts)
    return True


def _or_no_end(value: Any) -> float:
    return math.inf if value is None else float(value)


def _arrays_may_fit(frames: list[dict[str, Any]], accepts: Judge) -> bool:
    least = int(_greatest(frames, "minItems") or 0)
    wanted = [each for each in frames if "contains" in each and each.get("minContains", 1) > 0]
    least = max([least, *(math.ceil(each.get("minContains", 1)) for each in wanted)])
    if least > _or_no_end(_least(frames, "maxItems")):
        return False
    places = range(1 + max(len(_first_items(each)) for each in frames)) if frames else ()
    for each in wanted:
        if not any(
            _may_stand([each["contains"], *(_item_at(other, index) for other in frames)], accepts) for index in places
        ):
            return False
    return all(_may_stand([_item_at(each, index) for each in frames], accepts) for index in range(min(least, 20)))


def _item_at(schema: dict[str, Any], index: int) -> Any:
    """Return what an item has to be; `items` of earlier drafts may be a list."""
    items, first = schema.get("items", True), _first_items(schema)
    if index < len(first):
        return first[index]
    return schema.get("additionalItems", True) if isinstance(items, list) else items


def _first_items(schema: dict[str, Any]) -> list[Any]:
    items = schema.get("items", True)
    found: list[Any] = schema.get("prefixItems", items if isinstance(items, list) else [])
    return found


def _may_stand(frames: Frames, accepts: Judge) -> bool:
    return any(may_hold(frames, kind, accepts) for kind in KINDS)


def _objects_may_fit(frames: list[dict[str, Any]], accepts: Judge) -> bool:
    required = sorted({name for each in frames for name in each.get("required", ())})
    least = max(int(_greatest(frames, "minProperties") or 0), len(required))
    if least > _or_no_end(_least(frames, "maxProperties")):
        return False
    if not all(
        _may_stand([inner for each in frames for inner in _property_at(each, name)], accepts) for name in required
    ):
        return False
    named = [each["propertyNames"] for each in frames if "propertyNames" in each]
    if least and not may_hold(named, "string", accepts):
        return False
    return all(may_hold([*named, {"const": name}], "string", accepts) for name in required)


def _property_at(schema: dict[str, Any], name: str) -> Frames:
    """Return what a property has to be, as far as its name says so without a pattern."""
    if name in schema.get("properties", {}):
        return [schema["properties"][name]]
    if not schema.get("patternProperties") and "additionalProperties" in schema:
        return [schema["additionalProperties"]]
    return []
