"""The requests of an operation as one schema: what is in the path, the query, the headers, the cookies and the body.

Parameters come as values, before any style of writing them into a request is applied.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from unlike.documents.files import Data
from unlike.documents.json_schema.document import escape_pointer
from unlike.documents.openapi.places import DocumentPlace, Documents, Object
from unlike.errors import SpecError, nearest

if TYPE_CHECKING:
    from unlike.documents.openapi.schemas import Conversion

WHERE = ("path", "query", "header", "cookie")
NOT_PARAMETERS = ("accept", "content-type", "authorization")  # headers that other parts of a description speak of
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
NOT_SCHEMA = ("name", "in", "description", "required", "collectionFormat", "allowEmptyValue")


@dataclass(frozen=True, slots=True)
class Request:
    """An operation, the path item it shares with others, and the media type that is asked for."""

    at: DocumentPlace
    shared: DocumentPlace
    places: Documents
    swagger: bool = False
    media: str | None = None

    def parameters(self) -> list[DocumentPlace]:
        """Return the parameters: those of the path, unless the operation has one of the same name and place."""
        found: dict[tuple[str, str], DocumentPlace] = {}
        for owner in (self.shared, self.at):
            for each in owner.items("parameters"):
                at = self.places.follow(each)
                name, where = at.text("name"), at.text("in")
                if name is None or where is None:
                    raise at.wrong("a parameter says its name and where it is in", "write name: … and in: query")
                found[name, where] = at
        return list(found.values())


def request_schema(request: Request, conversion: Conversion) -> Object:
    """Return the schema of an operation's requests: an object of path, query, header, cookie and body."""
    parts: Object = {}
    required: list[Data] = []
    parameters = request.parameters()
    for where in WHERE:
        there = [each for each in parameters if each.text("in") == where]
        if where == "header":
            there = [each for each in there if str(each.text("name")).lower() not in NOT_PARAMETERS]
        if there:
            parts[where] = _parameters(there, where, conversion, swagger=request.swagger)
            required.append(where)
    body = _swagger_body(parameters, conversion) if request.swagger else _body(request, conversion)
    found: Object = {"type": "object", "properties": parts, "required": required, "additionalProperties": False}
    if body is not None:
        parts["body"], must = body
        if must:
            found["allOf"] = [{"required": ["body"]}]
    return found


def frame_of(request: Object) -> tuple[tuple[str, str], ...]:
    """Return the keywords that only hold a request together; a path without its parameters would be another path."""
    parts = request["properties"]
    assert isinstance(parts, dict)
    found = [("", word) for word in ("type", "required", "additionalProperties")]
    found += [
        (f"/properties/{where}", word) for where in parts if where in WHERE for word in ("type", "additionalProperties")
    ]
    match parts.get("path"):
        case {"properties": dict(parameters)}:
            found.append(("/properties/path", "required"))
            found += [
                (f"/properties/path/properties/{escape_pointer(name)}", "minLength")
                for name, schema in parameters.items()
                if isinstance(schema, dict) and schema.get("minLength") == 1
            ]
    return tuple(found)


def media_of(request: Request) -> list[str]:
    """Return the media types of an operation's body."""
    if request.swagger:
        parameters = request.parameters()
        if not any(each.text("in") in ("body", "formData") for each in parameters):
            return []
        owner = request.at if "consumes" in request.at.object() else request.places.root
        listed = [str(each.value) for each in owner.items("consumes")]
        return listed or [FORM if any(each.text("in") == "formData" for each in parameters) else JSON]
    body = _body_place(request)
    return [] if body is None else [name for name, _ in body.entries("content")]


def _parameters(there: list[DocumentPlace], where: str, conversion: Conversion, *, swagger: bool) -> Object:
    properties: Object = {}
    required: list[Data] = []
    for at in there:
        name = str(at.text("name"))
        schema = _parameter(at, conversion, swagger=swagger)
        properties[name] = _not_empty(schema) if where == "path" else schema
        if where == "path" or at.object().get("required") is True:
            required.append(name)
    return {"type": "object", "properties": properties, "required": required, "additionalProperties": False}


def _parameter(at: DocumentPlace, conversion: Conversion, *, swagger: bool) -> Data:
    if swagger:
        bare = {word: each for word, each in at.object().items() if word not in NOT_SCHEMA}
        return conversion.schema(DocumentPlace(at.address, at.pointer, bare))
    if "schema" in at.object():
        return conversion.schema(at.into("schema"))
    for _, content in at.entries("content"):
        inside = conversion.places.follow(content)
        if "schema" in inside.object():
            return conversion.schema(inside.into("schema"))
    return {}


def _not_empty(schema: Data) -> Data:
    """Return the schema of what stands in a path, where an empty text would be another path."""
    if schema is True:
        return {"minLength": 1}
    if not isinstance(schema, dict) or any(word in schema for word in ("format", "enum", "const")):
        return schema
    kind, given = schema.get("type", "string"), schema.get("minLength")
    if kind != "string" and not (isinstance(kind, list) and "string" in kind):
        return schema
    return {**schema, "minLength": max(1, given) if isinstance(given, int) else 1}


def _swagger_body(parameters: list[DocumentPlace], conversion: Conversion) -> tuple[Data, bool] | None:
    for at in parameters:
        if at.text("in") == "body":
            schema = conversion.schema(at.into("schema")) if "schema" in at.object() else {}
            return schema, at.object().get("required") is True
    fields = [at for at in parameters if at.text("in") == "formData"]
    if not fields:
        return None
    form = _parameters(fields, "formData", conversion, swagger=True)
    return form, bool(form["required"])


def _body_place(request: Request) -> DocumentPlace | None:
    if "requestBody" not in request.at.object():
        return None
    return request.places.follow(request.at.into("requestBody"))


def _body(request: Request, conversion: Conversion) -> tuple[Data, bool] | None:
    at = _body_place(request)
    contents = {} if at is None else dict(at.entries("content"))
    if at is None or not contents:
        if request.media is not None:
            raise SpecError(f"{request.at.shown} has no body, so no media type {request.media!r}; leave it out")
        return None
    media = _choose_media(request, list(contents))
    inside = conversion.places.follow(contents[media])
    schema = conversion.schema(inside.into("schema")) if "schema" in inside.object() else {}
    return schema, at.object().get("required") is True


def _choose_media(request: Request, there: list[str]) -> str:
    """Return the media type asked for, else JSON if it is there, else the first."""
    if request.media is None:
        alike = [each for each in there if each.split(";")[0].strip() == JSON or each.split(";")[0].endswith("+json")]
        return alike[0] if alike else there[0]
    if request.media not in there:
        raise SpecError(f"{request.at.shown} has no body of {request.media!r}; {nearest(request.media, there)}")
    return request.media
