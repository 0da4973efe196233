"""An operation of a description: its parameters, its media types, the schema of its requests, how they are written.

The requests are one schema: what is in the path, the query, the headers, the cookies, the body and the credentials.
Parameters come as values; how they are written into a request is said beside the schema.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase

from unlike.documents.files import Data
from unlike.documents.json_schema.document import escape_pointer
from unlike.documents.json_schema.keywords import EXAMPLES
from unlike.documents.openapi.bodies import FORM, WrittenBody, WrittenField, kind_of_media
from unlike.documents.openapi.references import DocumentPlace, Documents, Object
from unlike.documents.openapi.schemas import Conversion
from unlike.documents.openapi.styles import is_json
from unlike.documents.openapi.writing import (
    WrittenOperation,
    WrittenScheme,
    required_schemes,
    server_of,
    written_fields,
    written_parameter,
)
from unlike.errors import SpecError, nearest
from unlike.request import HERE

WHERE = ("path", "query", "querystring", "header", "cookie")
NOT_PARAMETERS = ("accept", "content-type", "authorization")  # headers that other parts of a description speak of
JSON = "application/json"
MULTIPART = "multipart/form-data"
NOT_SCHEMA = ("name", "in", "description", "required", "collectionFormat", "allowEmptyValue")


@dataclass(frozen=True, slots=True)
class ServiceOperation:
    """An operation: its own name if it has one, its method and path, where it stands, and what it shares with others.

    `shared` is the path item around it.
    """

    id: str | None
    method: str
    path: str
    at: DocumentPlace
    shared: DocumentPlace
    places: Documents
    swagger: bool
    is_webhook: bool = False

    @property
    def route(self) -> str:
        """The method and the path, which name an operation even if it has no name."""
        return f"{self.method.upper()} {self.path}"

    @property
    def name(self) -> str:
        """What the operation goes by."""
        return self.id or self.route

    def words(self) -> list[str]:
        """Return what the operation may be called by, alone or with others."""
        tags = [str(each.value) for each in self.at.items("tags")]
        return [*([self.id] if self.id else []), self.route, self.path, self.method.upper(), *tags]

    def is_meant_by(self, word: str) -> bool:
        """Tell whether a word or a pattern stands for the operation."""
        return any(fnmatchcase(each, word) for each in self.words()) or word.upper() == self.method.upper()

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

    @property
    def has_form(self) -> bool:
        """Whether the body is a form whose fields are parameters, as in Swagger 2."""
        return self.swagger and any(each.text("in") == "formData" for each in self.parameters())

    def sent_parameters(self) -> list[DocumentPlace]:
        """Return the parameters that are sent by themselves: no body, and no header that is said elsewhere."""
        return [each for each in self.parameters() if self._is_sent(str(each.text("in")), str(each.text("name")))]

    def _is_sent(self, where: str, name: str) -> bool:
        if where == "path":  # one that the path does not have goes nowhere
            return f"{{{name}}}" in self.path
        return where in WHERE and not (where == "header" and name.lower() in NOT_PARAMETERS)

    def media(self) -> list[str]:
        """Return the media types that its body may have."""
        if self.swagger:
            parameters = self.parameters()
            if not any(each.text("in") in ("body", "formData") for each in parameters):
                return []
            owner = self.at if "consumes" in self.at.object() else self.places.root
            listed = [str(each.value) for each in owner.items("consumes")]
            fields = [each for each in parameters if each.text("in") == "formData"]
            files = any(each.text("type") == "file" for each in fields)
            return listed or [MULTIPART if files else FORM if fields else JSON]
        body = _body_place(self)
        return [] if body is None else [name for name, _ in body.entries("content")]


# -- how they are written ------------------------------------------------------------------------------------------


def written_operation(
    operation: ServiceOperation, schemes: Mapping[str, WrittenScheme], media: str | None
) -> WrittenOperation:
    """Return how the requests of an operation are written, the body in one media type."""
    root, swagger = operation.places.root, operation.swagger
    parameters = tuple(
        replace(written_parameter(each, swagger=swagger), has_default=_has_default(each, operation.places))
        for each in operation.sent_parameters()
    )
    taken = {(each.where, each.name.lower()) for each in parameters}  # a key that is a parameter, too, is given as one
    known = {name: each for name, each in schemes.items() if (each.where, each.name.lower()) not in taken}
    needed = required_schemes([operation.at, root], schemes)
    sets = tuple(dict.fromkeys(tuple(name for name in each if name in known) for each in needed))
    bodies = _swagger_bodies(operation) if swagger else _bodies(operation)
    return WrittenOperation(
        operation.method,
        operation.path,
        parameters,
        bodies,
        _choose_media(operation, list(bodies), media),
        {name: each for name, each in known.items() if any(name in names for names in sets)},
        sets,
        HERE if operation.is_webhook else server_of([operation.at, operation.shared, root], swagger=swagger),
    )


def _has_default(at: DocumentPlace, places: Documents) -> bool:
    schema = at.object().get("schema")
    inside = places.follow(at.into("schema")).value if isinstance(schema, dict) else at.value
    return isinstance(inside, dict) and "default" in inside


def _bodies(operation: ServiceOperation) -> dict[str, WrittenBody]:
    at = _body_place(operation)
    if at is None:
        return {}
    found = {}
    for media, content in at.entries("content"):
        inside = operation.places.follow(content)
        schema = inside.into("schema") if "schema" in inside.object() else None
        form = kind_of_media(media) in ("form", "multipart")
        fields = written_fields(schema, dict(inside.entries("encoding")), operation.places) if form else {}
        found[media] = WrittenBody(media, at.object().get("required") is True, fields)
    return found


def _swagger_bodies(operation: ServiceOperation) -> dict[str, WrittenBody]:
    parameters = operation.parameters()
    required = any(
        each.object().get("required") is True for each in parameters if each.text("in") in ("body", "formData")
    )
    fields = {}
    for each in parameters:
        if each.text("in") == "formData":
            is_list = each.text("type") == "array"
            style = replace(written_parameter(each, swagger=True), where="query") if is_list else None
            fields[str(each.text("name"))] = WrittenField(style, is_file=each.text("type") == "file")
    listed = operation.media()
    if fields:
        suited = [each for each in listed if kind_of_media(each) in ("form", "multipart")]
        files = [each for each in suited if kind_of_media(each) == "multipart"]
        listed = files if files and any(each.is_file for each in fields.values()) else suited or [FORM]
    return {media: WrittenBody(media, required, fields) for media in listed}


def _choose_media(operation: ServiceOperation, there: list[str], media: str | None) -> str | None:
    """Return the media type asked for, else JSON if it is there, else the first that can be written."""
    if media is None:
        for wanted in (is_json, _is_written):
            if alike := [each for each in there if wanted(each)]:
                return alike[0]
        return there[0] if there else None
    if not there:
        raise SpecError(f"{operation.at.shown} has no body, so no media type {media!r}; leave it out")
    if media not in there:
        raise SpecError(f"{operation.at.shown} has no body of {media!r}; {nearest(media, there)}")
    return media


def _is_written(media: str) -> bool:
    return kind_of_media(media) != "none"


# -- the schema ----------------------------------------------------------------------------------------------------


def request_schema(operation: ServiceOperation, conversion: Conversion, written: WrittenOperation) -> Object:
    """Return the schema of an operation's requests: an object of path, query, header, cookie, body and security."""
    parts: Object = {}
    required: list[Data] = []
    parameters = operation.sent_parameters()
    for where in WHERE:
        there = [each for each in parameters if each.text("in") == where]
        if there:
            parts[where] = _parameters(there, where, conversion, swagger=operation.swagger)
            required.append(where)
    swagger = operation.swagger
    body = _swagger_body(operation.parameters(), conversion) if swagger else _body(operation, conversion, written)
    found: Object = {"type": "object", "properties": parts, "required": required, "additionalProperties": False}
    if body is not None:
        parts["body"], must = body
        if must:
            found["allOf"] = [{"required": ["body"]}]
    if any(written.required):
        parts["security"] = _security(written)
        required.append("security")
    return found


def join_media(schemas: Mapping[str, object]) -> Object:
    """Return one schema of requests in several media types: those that have a body say of which type it is."""
    ways: list[Data] = []
    for number, (media, schema) in enumerate(schemas.items()):
        assert isinstance(schema, dict)
        assert isinstance(schema["properties"], dict)
        parts: Object = {**schema["properties"], "content_type": {"const": media}}
        both: Data = {"body": ["content_type"], "content_type": ["body"]}
        # an address of its own: its references stay within it
        own: Object = {"$id": f"urn:unlike:media:{number}", "title": media}
        ways.append({**schema, **own, "properties": parts, "dependentRequired": both})
    return {"anyOf": ways}


def _security(written: WrittenOperation) -> Data:
    """Return the schema of the credentials: one of the sets that the operation takes, by name."""
    return {"enum": [*written.sets]}


def frame_of(request: Object, *, swagger_form: bool) -> tuple[tuple[str, str], ...]:
    """Return the keywords that only hold a request together; a path without its parameters would be another path."""
    parts = request["properties"]
    assert isinstance(parts, dict)
    found = [("", word) for word in ("type", "required", "additionalProperties")]
    found += [("/properties/security", "enum")] * ("security" in parts)
    found += [("/properties/body", word) for word in ("type", "additionalProperties")] * swagger_form
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
        return _with_examples(conversion.schema(at.into("schema")), at, conversion)
    for _, content in at.entries("content"):
        inside = conversion.places.follow(content)
        if "schema" in inside.object():
            return _with_examples(conversion.schema(inside.into("schema")), inside, conversion)
    return {}


def _with_examples(schema: Data, at: DocumentPlace, conversion: Conversion) -> Data:
    """Return a schema with the examples that are given beside it, for a parameter or a body."""
    beside = [at.object()["example"]] if "example" in at.object() else []
    named = at.entries("examples") if isinstance(at.object().get("examples"), dict) else []
    for _, each in named:
        with contextlib.suppress(SpecError, KeyError):  # one that cannot be read says nothing about what is valid
            beside.append(conversion.places.follow(each).object()["value"])
    if not beside or schema is False:
        return schema
    given: list[Data] = [["example", conversion.sendable(at.into("schema"), each)] for each in beside]
    said = schema if isinstance(schema, dict) else {}
    known = said.get(EXAMPLES, [])
    assert isinstance(known, list)
    return {**said, EXAMPLES: [*given, *known]}


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


def _body_place(operation: ServiceOperation) -> DocumentPlace | None:
    if "requestBody" not in operation.at.object():
        return None
    return operation.places.follow(operation.at.into("requestBody"))


def _body(operation: ServiceOperation, conversion: Conversion, written: WrittenOperation) -> tuple[Data, bool] | None:
    at = _body_place(operation)
    if at is None or written.media is None:
        return None
    inside = conversion.places.follow(at.into("content", written.media))
    if "schema" not in inside.object():
        return {}, at.object().get("required") is True
    schema = _with_examples(conversion.schema(inside.into("schema")), inside, conversion)
    return schema, at.object().get("required") is True


# -- responses -----------------------------------------------------------------------------------------------------


def response_schema(operation: ServiceOperation, status: str, media: str | None) -> DocumentPlace | None:
    """Return the schema of the body of a response; nothing, if its body is not described."""
    described = dict(operation.at.entries("responses"))
    known = next(
        (word for word in (status, f"{status[:1]}XX", f"{status[:1]}xx", "default") if word in described), None
    )
    if known is None:
        there = ", ".join(described) or "none"
        raise SpecError(f"{operation.at.shown} describes no response {status!r}; there are: {there}")
    at = operation.places.follow(described[known])
    if operation.swagger:
        return at.into("schema") if "schema" in at.object() else None
    contents = dict(at.entries("content"))
    if media is not None and media not in contents:
        raise SpecError(f"{at.shown} has no body of {media!r}; {nearest(media, contents)}")
    wanted = media or next((each for each in contents if is_json(each)), next(iter(contents), None))
    if wanted is None:
        return None
    inside = operation.places.follow(contents[wanted])
    return inside.into("schema") if "schema" in inside.object() else None
