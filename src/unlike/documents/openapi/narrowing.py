"""What of a schema can be sent: rules beside the schemas of a request, so that only requests are made.

Null has no text, an empty list leaves no trace in a query, lists within lists have no style. The rules stand in `allOf`
beside what the description says, and are no rules of the description: nobody breaks them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from urllib.parse import unquote

from unlike.documents.files import Data
from unlike.documents.json_schema.document import escape_pointer, unescape_pointer
from unlike.documents.json_schema.formats import FORMATS
from unlike.documents.openapi.references import Object
from unlike.documents.openapi.styles import WrittenParameter, is_json
from unlike.documents.openapi.writing import WrittenOperation

ALL = frozenset({"null", "string", "number", "boolean", "array", "object"})
SINGLE = frozenset({"string", "number", "boolean"})
MOST_STEPS = 200  # of references that lead to references, and schemas that are made of schemas
Frame = tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class Sendable:
    """What can be sent in a place: lists, objects, what they may hold, whether items must not be empty texts."""

    lists: bool = True
    objects: bool = True
    inner: Sendable | None = None  # of items and properties
    filled: bool = False
    texts: bool = True
    most: int | None = None  # items


TEXT = Sendable(lists=False, objects=False)
PIECE = replace(TEXT, filled=True)
FIELD = Sendable(objects=False, inner=TEXT)


def sendable(written: WrittenParameter) -> Sendable | None:
    """Return what a parameter can hold; nothing for one that can hold anything."""
    if written.media is not None and is_json(written.media):
        return None
    if written.where == "querystring":
        return Sendable(lists=False, inner=FIELD, texts=False)
    if written.media is not None:
        return TEXT
    if written.where == "query" and (written.style == "deepObject" or written.explode):
        text = TEXT if written.empty else PIECE
        field = Sendable(objects=False, inner=text, filled=text.filled)
        deep = replace(field, objects=True, inner=replace(field, objects=True, inner=field))
        return deep if written.style == "deepObject" else Sendable(inner=field, filled=text.filled)
    if written.where == "query":
        return Sendable(inner=PIECE, filled=not written.empty)
    if written.explode and written.where == "cookie":
        return Sendable(inner=PIECE, most=1)
    return Sendable(inner=PIECE)


def narrow(schema: Object, written: WrittenOperation) -> tuple[Object, Frame]:
    """Return the schema of requests with the rules of what can be sent, and where these rules stand."""
    rules = _Rules(schema)
    parts = schema["properties"]
    assert isinstance(parts, dict)
    found: Object = dict(parts)
    frame: list[tuple[str, str]] = []

    def add(inside: Object, name: str, pointer: str, can: Sendable) -> None:
        rule = rules.of([inside[name]], can)
        if rule:
            inside[name], at = _beside(inside[name], rule)
            frame.extend(_places(rule, f"{pointer}/{escape_pointer(name)}{at}"))

    for where, part in parts.items():
        if isinstance(part, dict) and isinstance(inside := part.get("properties"), dict) and where != "body":
            known = written.at(where)
            narrowed: Object = dict(inside)
            found[where] = {**part, "properties": narrowed}
            for name in inside:
                can = sendable(known[name]) if name in known else None
                if can is not None:
                    add(narrowed, name, f"/properties/{where}/properties", can)
    body = written.body
    if body is not None and "body" in found:
        if body.kind in ("form", "multipart"):
            field = replace(FIELD, objects=True, inner=None)
            add(found, "body", "/properties", Sendable(lists=False, inner=field, texts=False))
        elif body.kind == "text":
            add(found, "body", "/properties", PIECE)
    return {**schema, "properties": found}, tuple(frame)


def _beside(schema: Data, rule: Object) -> tuple[Data, str]:
    """Return a schema with one more rule, and the way to it."""
    if not isinstance(schema, dict):
        return {"allOf": [*([] if schema is True else [schema]), rule]}, f"/allOf/{0 if schema is True else 1}"
    known = schema.get("allOf")
    listed = known if isinstance(known, list) else []
    return {**schema, "allOf": [*listed, rule]}, f"/allOf/{len(listed)}"


def _places(rule: Object, pointer: str) -> Iterator[tuple[str, str]]:
    for keyword, said in rule.items():
        yield pointer, keyword
        if keyword in ("items", "additionalProperties", "propertyNames") and isinstance(said, dict):
            yield from _places(said, f"{pointer}/{keyword}")
        if keyword == "properties" and isinstance(said, dict):
            for name, inner in said.items():
                assert isinstance(inner, dict)
                yield from _places(inner, f"{pointer}/properties/{escape_pointer(name)}")


class _Rules:
    """Makes rules for schemas of one document."""

    def __init__(self, root: Object) -> None:
        self.root = root
        self.steps = 0

    def of(self, schemas: list[Data], can: Sendable) -> Object:
        """Return what has to hold beside these schemas, so that values can be sent; nothing if all of them can."""
        kinds = frozenset.intersection(*(kinds_of(each, self.root) for each in schemas)) if schemas else ALL
        able = {*(SINGLE if can.texts else ()), *["array"] * can.lists, *["object"] * can.objects}
        allowed = kinds & (self._kind_meant(schemas, can) if kinds == ALL else able)
        rule: Object = {}
        if allowed != kinds:
            rule["type"] = [*sorted(allowed)] if allowed else "string"  # nothing is left: a text is none of them
        if "string" in allowed and can.filled and not any(_is_filled(each) for each in schemas):
            rule["minLength"] = 1
        if "array" in allowed:
            rule |= self._of_items(schemas, can)
        if "object" in allowed:
            rule |= self._of_properties(schemas, can)
        return rule

    def _kind_meant(self, schemas: list[Data], can: Sendable) -> set[str]:
        """Return the kind that is meant where none is said: what the keywords speak of, else a text."""
        words = {word for each in made_of(schemas, self.root) for word in each}
        if can.objects and words & {"properties", "additionalProperties"}:
            return {"object"}
        if can.lists and words & {"items", "prefixItems"}:
            return {"array"}
        return {"string"} if can.texts else {"object"}

    def _of_items(self, schemas: list[Data], can: Sendable) -> Object:
        rule: Object = {"minItems": 1, **({} if can.most is None else {"maxItems": can.most})}
        no_null: Object = {"type": [*sorted(ALL - {"null"})]}
        inner = self.of(self._inside(schemas, "items"), can.inner) if can.inner is not None else no_null
        return {**rule, "items": inner} if inner else rule

    def _of_properties(self, schemas: list[Data], can: Sendable) -> Object:
        named: dict[str, list[Data]] = {}
        self.steps += 1
        if self.steps > MOST_STEPS or can.inner is None:
            return {}
        for each in made_of(schemas, self.root):
            inside = each.get("properties")
            for name, inner in inside.items() if isinstance(inside, dict) else ():
                named.setdefault(name, []).append(inner)
        rule: Object = {"minProperties": 1}
        properties: Object = {name: inner for name, each in named.items() if (inner := self.of(each, can.inner))}
        if properties:
            rule["properties"] = properties
        if not named:  # names that nobody knows
            rule["propertyNames"] = {"minLength": 1}
            inner = self.of(self._inside(schemas, "additionalProperties"), can.inner)
            rule |= {"additionalProperties": inner} if inner else {}
        return rule

    def _inside(self, schemas: list[Data], keyword: str) -> list[Data]:
        return [each[keyword] for each in made_of(schemas, self.root) if keyword in each]


def _is_filled(schema: Data) -> bool:
    """Tell whether the texts of a schema are of their own making, and hardly empty."""
    return isinstance(schema, dict) and (
        "enum" in schema or "const" in schema or schema.get("format") in FORMATS or bool(schema.get("minLength"))
    )


# -- what a schema speaks of ---------------------------------------------------------------------------------------


def kinds_of(schema: Data, root: Object, depth: int = 0) -> frozenset[str]:
    """Return the kinds of values that a schema may accept: all, where that is hard to tell."""
    if schema is False:
        return frozenset()
    if not isinstance(schema, dict) or depth > MOST_STEPS:
        return ALL
    found = ALL
    kind = schema.get("type")
    if kind is not None:
        found &= {"number" if each == "integer" else str(each) for each in (kind if isinstance(kind, list) else [kind])}
    listed = schema.get("enum", [schema["const"]] if "const" in schema else None)
    if isinstance(listed, list):
        found &= {kind_of(each) for each in listed}
    if isinstance(ref := schema.get("$ref"), str):
        found &= kinds_of(_target(ref, root), root, depth + 1)
    for each in _list(schema, "allOf"):
        found &= kinds_of(each, root, depth + 1)
    for word in ("anyOf", "oneOf"):
        if alternatives := _list(schema, word):
            found &= frozenset().union(*(kinds_of(each, root, depth + 1) for each in alternatives))
    return found


def kind_of(value: object) -> str:
    """Return the kind of a JSON value, numbers all of one kind."""
    match value:
        case None:
            return "null"
        case bool():
            return "boolean"
        case int() | float():
            return "number"
        case str():
            return "string"
    return "array" if isinstance(value, list) else "object"


def made_of(schemas: Iterable[Data], root: Object) -> list[Object]:
    """Return schemas and all that they are made of at the same place, each once."""
    found: dict[int, Object] = {}
    waiting = list(schemas)
    while waiting:
        each = waiting.pop(0)
        if not isinstance(each, dict) or id(each) in found:
            continue
        found[id(each)] = each
        if isinstance(ref := each.get("$ref"), str):
            waiting.append(_target(ref, root))
        for word in ("allOf", "anyOf", "oneOf"):
            waiting += _list(each, word)
        waiting += [each[word] for word in ("if", "then", "else") if word in each]
    return list(found.values())


def _list(schema: Object, word: str) -> list[Data]:
    found = schema.get(word)
    return found if isinstance(found, list) else []


def _target(ref: str, root: Object) -> Data:
    """Return what a reference within the document means; anything, if it leads nowhere."""
    found: Data = root
    for step in map(unescape_pointer, unquote(ref.removeprefix("#")).split("/")[1:]):
        if not isinstance(found, dict) or step not in found:
            return True
        found = found[step]
    return found
