"""The requests of an operation: a schema of values, each of which can be written as a request that is read back as it.

An instance is legal if the validator accepts it and what a server reads of the request is the instance again. A value
that breaks a rule counts as broken only if no reading of its request is legal.
"""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, cast

from unlike.documents.json_schema.document import Document, JsonSchema, escape_pointer
from unlike.documents.openapi.bodies import json_bytes
from unlike.documents.openapi.narrowing import kinds_of, made_of
from unlike.documents.openapi.reading_back import (
    Arrived,
    Readings,
    ReadList,
    ReadObject,
    how_many,
    means,
    media_of,
    read_body,
    read_parameter,
    take_apart,
    values_in,
)
from unlike.documents.openapi.styles import UnwritableError, WrittenParameter, is_json
from unlike.documents.openapi.writing import NO_CREDENTIALS, STYLES as WHERE, WrittenOperation
from unlike.errors import SpecError
from unlike.request import Request
from unlike.structure.shapes import Check, Judged, Shape

if TYPE_CHECKING:
    from unlike.documents.files import Data
    from unlike.documents.json_schema.reader import ReadSchema
    from unlike.documents.openapi.references import Object

MOST_READINGS = 2_000  # values that one parameter or body may mean, all of which are looked at
WORD = "abc"
UNKNOWN = "application/x-unknown"
NOWHERE = WrittenOperation("get", "/")


@dataclass(frozen=True, eq=False)
class Requests(JsonSchema):
    """The requests of an operation, as values; each can be written down as it is sent.

    `said` is the schema as the description has it, without what only says which values can be sent; `others` gives
    the same requests in every media type, where none was asked for.
    """

    written: WrittenOperation = field(default=NOWHERE, metadata={"told": False})
    said: Document = field(default=Document({}), metadata={"told": False})
    others: Callable[[], Requests] | None = field(default=None, metadata={"told": False})

    def __repr__(self) -> str:
        return f"Requests({self.name!r})"

    def pairing_bounds(self) -> JsonSchema:
        """Return the requests whose bounds, and whose media types unless one was asked for, enter pairs."""
        return replace(self if self.others is None else self.others(), bounds=True)

    def request(self, value: object) -> Request:
        """Return the request of a value; one that cannot be sent is refused."""
        try:
            return self.written.request(value)
        except UnwritableError as error:
            raise SpecError(f"{self.name}: {value!r:.200} cannot be sent: {error}") from None

    def request_or_none(self, value: object) -> Request | None:
        """Return the request of a value, if it can be sent."""
        try:
            return self.written.request(value)
        except UnwritableError:
            return None

    def judge(self, read: ReadSchema) -> Shape:
        """Return the shape of the requests, with values that the validator accepts and that can be sent."""
        checks = [Check("the schema", self.keeps_keywords, again=True)]
        if self.is_written:
            checks.append(Check("can be sent", self.can_be_sent, again=True))
        return Judged(self.shape_of(read), tuple(checks), self)

    @functools.cached_property
    def is_written(self) -> bool:
        """Whether requests of the operation can be written at all: bodies of some media types are not."""
        return self.written.body is None or self.written.body.kind != "none"

    @functools.cached_property
    def has_text_body(self) -> bool:
        """Whether the body is a text, which is sent as it is, whatever its media type."""
        contents = self.document.contents
        properties = contents.get("properties") if isinstance(contents, dict) else None
        body = properties.get("body") if isinstance(properties, dict) else None
        return isinstance(body, dict) and body.get("type") == "string"

    def can_be_sent(self, value: object) -> bool:
        """Tell whether a value has a request that is read as nothing but this value, or as what looks like it."""
        request = self.request_or_none(value)
        assert isinstance(value, dict) or request is None
        if request is None or not isinstance(value, dict) or self._splits_path(value):
            return False
        arrived = take_apart(request, self.written)
        if arrived is None:
            return False
        for each in self.written.parameters:
            inside = value.get(each.where, {})
            readings = self._readings(each, arrived)
            if each.name in inside:
                if readings is None or not means(readings, inside[each.name]):
                    return False
            elif readings is not None:
                return False
        return self._is_body_read(request, value)

    def value_of(self, request: Request) -> dict[str, object] | None:
        """Return what a request says: its first reading that is legal, if any is; nothing of another operation."""
        arrived = take_apart(request, self.written) if request.method == self.written.method.upper() else None
        if arrived is None:
            return None
        found: dict[str, dict[str, object]] = {}
        for each in self.written.parameters:
            readings = self._readings(each, arrived)
            if readings is not None:
                schema = self._schema_of(each)
                values = list(itertools.islice(values_in(readings), MOST_READINGS))
                kept = next((value for value in values if schema.accepts(value)), values[0])
                found.setdefault(each.where, {})[each.name] = kept
        value: dict[str, object] = {**found}
        body = media_of(request, self.written) if request.body is not None else None
        if body is not None:
            values = list(itertools.islice(values_in(read_body(request, body, self._field_names)), MOST_READINGS))
            if values:
                value["body"] = next((each for each in values if self._body_schema.accepts(each)), values[0])
        return value

    def _is_body_read(self, request: Request, value: dict[str, object]) -> bool:
        if "body" not in value:
            return request.body is None
        body = media_of(request, self.written)
        return body is not None and means(read_body(request, body), value["body"])

    def _splits_path(self, value: dict[str, object]) -> bool:
        """Tell whether a free text in a path has a slash, after which many servers see another path."""
        inside = value.get("path", {})
        assert isinstance(inside, dict)
        return any("/" in each and self._is_free(name) for name, each in inside.items() if isinstance(each, str))

    def _is_free(self, name: str) -> bool:
        schema = self.said.value_at(f"/properties/path/properties/{escape_pointer(name)}")
        return isinstance(schema, dict) and not schema.keys() & {"enum", "const", "pattern", "format", "$ref", "allOf"}

    def _readings(self, each: WrittenParameter, arrived: Arrived) -> Readings | None:
        return read_parameter(each, arrived, self._names[each.where, each.name])

    @functools.cached_property
    def _names(self) -> dict[tuple[str, str], frozenset[str] | None]:
        """The names of the properties of each parameter that may be an object."""
        found: dict[tuple[str, str], frozenset[str] | None] = {}
        for each in self.written.parameters:
            pointer = self._pointer(each)
            kinds = kinds_of(cast("Data", self.said.value_at(pointer)), cast("Object", self.said.contents))
            found[each.where, each.name] = self._names_in(pointer) if "object" in kinds else None
        return found

    def _names_in(self, pointer: str) -> frozenset[str]:
        """Return the names of the properties that a schema speaks of."""
        parts = made_of([cast("Data", self.said.value_at(pointer))], cast("Object", self.said.contents))
        return frozenset(name for part in parts for name in cast("Object", part.get("properties", {})))

    def _pointer(self, each: WrittenParameter) -> str:
        return f"/properties/{each.where}/properties/{escape_pointer(each.name)}"

    def _parameter(self, each: WrittenParameter) -> JsonSchema:
        return self.said.at(self._pointer(each), each.name).breaking_formats(self.formats)

    # -- what is still broken on the wire --------------------------------------------------------------------------

    def is_refused(self, value: object) -> bool:
        """Tell whether the request of a value breaks the description however it is read."""
        request = self.request_or_none(value)
        return request is not None and self.is_broken(request)

    def is_broken(self, request: Request) -> bool:
        """Tell whether no reading of a request keeps to the description; only if that is certain."""
        arrived = take_apart(request, self.written)
        if arrived is None:
            return False  # another operation, of which nothing is said here
        if not self._has_credentials(arrived):
            return True
        for each in self.written.parameters:
            readings = self._readings(each, arrived)
            if readings is None:
                if each.required and not each.has_default:
                    return True
            elif some_accepted(readings, self._schema_of(each)) is False:
                return True
        return self._is_body_broken(request)

    def _is_body_broken(self, request: Request) -> bool:
        written = self.written
        if request.body is None:
            return any(each.required for each in written.bodies.values())
        if not written.bodies:
            return False  # what nobody speaks of is passed over
        body = media_of(request, written)
        if body is None:
            return True
        if body.media != written.media:
            return False  # of another media type nothing is known here
        return some_accepted(read_body(request, body, self._field_names), self._body_schema) is False

    def _has_credentials(self, arrived: Arrived) -> bool:
        there = {"query": {name for name, _ in arrived.query}, "cookie": {name for name, _ in arrived.cookies}}
        headers = {name for name, text in arrived.headers.items() if text}

        def is_there(name: str) -> bool:
            scheme = self.written.schemes[name]
            return scheme.name.lower() in headers if scheme.where == "header" else scheme.name in there[scheme.where]

        return not self.written.required or any(all(map(is_there, each)) for each in self.written.required)

    @functools.cached_property
    def _schemas(self) -> dict[tuple[str, str], JsonSchema]:
        return {(each.where, each.name): self._parameter(each) for each in self.written.parameters}

    def _schema_of(self, each: WrittenParameter) -> JsonSchema:
        return self._schemas[each.where, each.name]

    @functools.cached_property
    def _field_names(self) -> frozenset[str]:
        return self._names_in("/properties/body")

    @functools.cached_property
    def _body_schema(self) -> JsonSchema:
        return self.said.at("/properties/body", "body").breaking_formats(self.formats)

    # -- what else can be wrong with a request ---------------------------------------------------------------------

    def broken_otherwise(self, values: Iterable[object]) -> Iterator[tuple[str, object]]:
        """Yield requests without credentials, of an unknown content type, with a body that is no JSON."""
        every = [each for each in values if isinstance(each, dict)]
        bodies = [each for each in every if "body" in each]
        tried: list[tuple[str, object]] = []
        if any(self.written.required):
            tried += [("security: missing", {**each, "security": NO_CREDENTIALS}) for each in every[:1]]
        for each in bodies[:1]:
            tried.append((f"content_type: {UNKNOWN} is none of the operation's", {**each, "content_type": UNKNOWN}))
        body = self.written.body
        for each in bodies if body is not None and body.kind == "json" else ():
            rest = {name: part for name, part in each.items() if name != "body"}
            text = json_bytes(each["body"]).decode()
            found = [("body: no JSON (cut off)", {**rest, "raw_body": text[:-1]})]
            if self.is_refused(found[0][1]):
                tried += found
                break
        yield from ((label, value) for label, value in tried if self.is_refused(value))

    def first_changes(self, values: Iterable[object]) -> Iterator[tuple[tuple[str, ...], str, object]]:
        """Yield requests with a word where a number or a truth belongs."""
        every = [each for each in values if isinstance(each, dict)]
        for each in self.written.parameters:
            there = [value for value in every if each.name in value.get(each.where, {})]
            for value in there[:1]:
                changed = {**value, each.where: {**value[each.where], each.name: WORD}}
                yield (each.where, each.name), f"{WORD!r} instead", changed

    def cannot_break(self, schema: object, keyword: str, place: str) -> bool:
        """Tell whether no text breaks a keyword: any text is a string and a list of one, and nothing is not sent."""
        if keyword == "required" and place in WHERE:
            return all(each.has_default for each in self.written.parameters if each.required and each.where == place)
        if not isinstance(schema, dict) or not self._is_text(place):
            return False
        said = schema.get(keyword)
        match keyword:
            case "minItems" | "minProperties":
                return said == 1
            case "additionalProperties":
                return place == "body" or any(place == f"{each.where}.{each.name}" for each in self._exploded)
            case "required":  # a form without any field is none
                return place == "body" and len(self._field_names) == 1
            case "type":
                kinds = said if isinstance(said, list) else [said]
                whole = place == "body" or any(place == f"{each.where}.{each.name}" for each in self._exploded)
                return "string" in kinds or "array" in kinds or (whole and "object" in kinds)
        return False

    @property
    def _exploded(self) -> list[WrittenParameter]:
        """The parameters that are written in pieces, none of which has the name of the parameter."""
        return [
            each
            for each in self.written.parameters
            if each.style == "deepObject" or (each.explode and each.where in ("query", "cookie"))
        ]

    def _is_text(self, place: str) -> bool:
        """Tell whether what stands at a place is sent as a text, of which each server makes something."""
        if place == "body" or place.startswith(("body.", "body[")):
            return self.written.body is not None and self.written.body.kind in ("form", "multipart", "text")
        for each in self.written.parameters:
            begin = f"{each.where}.{each.name}"
            if place == begin or place.startswith((f"{begin}.", f"{begin}[")):
                return each.media is None or not is_json(each.media)
        return False


def some_accepted(readings: Readings, schema: JsonSchema) -> bool | None:
    """Tell whether a schema accepts some reading; nothing, if there are too many to tell."""
    if how_many(readings) > MOST_READINGS:
        readings = list(_plausible(readings, schema))
        if how_many(readings) > MOST_READINGS:
            return None
    return any(schema.accepts(each) for each in values_in(readings))


def _plausible(readings: Readings, schema: JsonSchema) -> Iterator[object]:
    """Yield readings without those of a property or an item that its own schema refuses."""
    for each in readings:
        match each:
            case ReadObject(properties):
                kept = {
                    name: _keep_accepted(inner, _inside(schema, "properties", name))
                    for name, inner in properties.items()
                }
                if all(kept.values()):
                    yield ReadObject(kept)
            case ReadList(items):
                narrowed = tuple(_keep_accepted(inner, _inside(schema, "items")) for inner in items)
                if all(narrowed):
                    yield ReadList(narrowed)
            case _:
                yield each


def _inside(schema: JsonSchema, *steps: str) -> list[JsonSchema]:
    """Return the schemas that hold for a part of what a schema accepts."""
    way = "".join(f"/{escape_pointer(step)}" for step in steps)
    places = [at for at in _schemas_joined_by(schema) if _has(schema, at, *steps)]
    return [schema.document.at(f"{at}{way}").breaking_formats(schema.formats) for at in places]


def _keep_accepted(readings: Readings, schemas: list[JsonSchema]) -> Readings:
    if how_many(readings) > MOST_READINGS:
        return readings
    return [each for each in values_in(readings) if all(schema.accepts(each) for schema in schemas)]


def _schemas_joined_by(schema: JsonSchema) -> list[str]:
    """Return where the schemas stand that hold together with a schema: itself, what it refers to, allOf."""
    from urllib.parse import unquote

    found: list[str] = []
    waiting = [schema.pointer]
    while waiting:
        at = waiting.pop()
        said = schema.document.value_at(at)
        if at in found or not isinstance(said, dict):
            continue
        found.append(at)
        if isinstance(ref := said.get("$ref"), str):
            waiting.append(unquote(ref.removeprefix("#")))
        waiting += [f"{at}/allOf/{index}" for index in range(len(said.get("allOf", ())))]
    return found


def _has(schema: JsonSchema, at: str, *steps: str) -> bool:
    said = schema.document.value_at(at)
    for step in steps:
        if not isinstance(said, dict) or step not in said:
            return False
        said = said[step]
    return True
