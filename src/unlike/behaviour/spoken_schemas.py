"""A JSON Schema as terms: what every instance keeps to at a place, read from keywords that nothing can take back.

    {"properties": {"price": {"type": "integer", "minimum": 1, "maximum": 9}}}    ->    body["price"], a blank Int(1, 9)

A keyword that is not read here can only make fewer instances legal: the blanks hold all that a legal one may have, and
perhaps more. What may be absent is spoken of where code looks it up, since that raises, not where it is passed by name.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

from unlike.behaviour.calls import PassedInput
from unlike.behaviour.spoken_parts import ANY_TEXT, SpokenInput, parameters_of
from unlike.documents.json_schema.changes import objects_in
from unlike.documents.json_schema.document import JsonSchema
from unlike.errors import SpecError
from unlike.language.values import Bool, Int, OneOf, Str, Value
from unlike.observe.chains import Chain
from unlike.regex.widths import usual_most

EXACT = 2**40  # greater numbers may be floats whose sums are rounded
MOST_DEEP = 12  # objects in objects, and references from one to the next: some go round in a circle
BASES = "$id", "id", "$anchor"  # where one stands inside of a document, references may lead elsewhere


def spoken_schema(schema: JsonSchema, passed: PassedInput) -> SpokenInput:
    """Return what conditions of a function can speak of in the instances of a schema."""
    made = SpokenInput(may_be_floats=True)
    contents = schema.document.contents
    inner = [each for each in objects_in(contents) if each is not contents]
    if any(isinstance(each.get(word), str) for each in inner for word in BASES):
        return made
    reader = SpokenPlaces(schema, made)
    root = schema.document.value_at(schema.pointer)
    if not passed.parts:
        for name in parameters_of(passed):
            reader.add((name, ()), root)
        return made
    for part in passed.parts:
        for node in reader.always_at(root, part.keys):
            reader.add((part.parameter, ()), node)
    return made


class SpokenPlaces:
    """Reads places of a schema into blanks."""

    def __init__(self, schema: JsonSchema, made: SpokenInput) -> None:
        self.schema, self.made = schema, made

    def add(self, chain: Chain, node: object, deep: int = 0) -> None:
        """Note what can be spoken of at a place, and inside of it."""
        conjuncts = list(self.conjuncts(node))
        for each in conjuncts:
            if chain not in self.made.parts and (value := _value_of(each)) is not None:
                self.made.add_value(chain, value, is_usual=not _is_stated(each))
        if deep == MOST_DEEP or not any(each.get("type") == "object" for each in conjuncts):
            return
        self.made.holders[chain] = ("dict",)
        parameter, steps = chain
        for each in conjuncts:
            for name, inner in _properties(each).items():
                self.add((parameter, (*steps, ("item", name))), inner, deep + 1)

    def always_at(self, root: object, keys: tuple[str, ...]) -> Iterator[object]:
        """Yield what is said of a place that every instance has."""
        nodes = [root]
        for key in keys:
            every = [each for node in nodes for each in self.conjuncts(node)]
            required = [name for each in every for name in _as_list(each.get("required"))]
            if key not in required or not any(each.get("type") == "object" for each in every):
                return
            nodes = [_properties(each)[key] for each in every if key in _properties(each)]
        yield from nodes

    def conjuncts(self, node: object, deep: int = 0) -> Iterator[Mapping[str, object]]:
        """Yield the parts of a schema that all hold: itself, or what it refers to, and all of `allOf`."""
        if not isinstance(node, Mapping) or deep > MOST_DEEP:
            return
        reference = node.get("$ref")
        if isinstance(reference, str):  # in older drafts nothing beside it counts
            if reference.startswith("#/") or reference == "#":
                try:
                    target = self.schema.document.value_at(unquote(reference).removeprefix("#"))
                except SpecError:  # it leads nowhere, as the validator will say
                    return
                yield from self.conjuncts(target, deep + 1)
            return
        yield node
        for each in _as_list(node.get("allOf")):
            yield from self.conjuncts(each, deep + 1)


def _as_list(said: object) -> list[object]:
    return said if isinstance(said, list) else []


def _properties(node: Mapping[str, object]) -> Mapping[str, object]:
    found = node.get("properties")
    return found if isinstance(found, Mapping) else {}


def _value_of(node: Mapping[str, object]) -> Value | None:
    """Return a value that holds every instance of a part; nothing for what terms do not speak of as Python does."""
    if node.get("nullable") is True:
        return None
    values = [node["const"]] if "const" in node else _as_list(node.get("enum"))
    if values:
        return OneOf(*values) if {type(each) for each in values} in ({int}, {str}) else None
    match node.get("type"):
        case "boolean":
            return Bool()
        case "integer":
            low, high = _least(node), _most(node)
            low, high = (Int().low if low is None else low), (Int().high if high is None else high)
            return Int(low, high) if -EXACT <= low <= high <= EXACT else None
        case "string":
            least, most = _length(node, "minLength"), _length(node, "maxLength")
            most = max(usual_most(ANY_TEXT), least or 0) if most is None else most
            return Str(ANY_TEXT, least or 0, most) if (least or 0) <= most else None
    return None


def _is_stated(node: Mapping[str, object]) -> bool:
    """Tell whether every bound of a part is that of the schema."""
    if "const" in node or "enum" in node or node.get("type") == "boolean":
        return True
    if node.get("type") == "string":
        return _length(node, "maxLength") is not None
    return _least(node) is not None and _most(node) is not None


def _length(node: Mapping[str, object], word: str) -> int | None:
    said = _number(node.get(word))
    return None if said is None else math.floor(said)


def _least(node: Mapping[str, object]) -> int | None:
    bounds = [math.ceil(each) for each in [_number(node.get("minimum"))] if each is not None]
    bounds += [math.floor(each) + 1 for each in [_number(node.get("exclusiveMinimum"))] if each is not None]
    return max(bounds, default=None)


def _most(node: Mapping[str, object]) -> int | None:
    bounds = [math.floor(each) for each in [_number(node.get("maximum"))] if each is not None]
    bounds += [math.ceil(each) - 1 for each in [_number(node.get("exclusiveMaximum"))] if each is not None]
    return min(bounds, default=None)


def _number(said: object) -> int | float | None:
    """Return a bound; older drafts say with a boolean that another bound is meant exclusively."""
    return said if isinstance(said, int | float) and not isinstance(said, bool) and math.isfinite(said) else None
