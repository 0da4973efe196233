"""A service description: its operations and models by name, each as a JSON Schema.

The requests of an operation are one schema: what is in the path, the query, the headers, the cookies and the body.
Parameters come as values, before any style of writing them into a request is applied.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from unlike.documents.files import Data, read_document
from unlike.documents.json_schema.document import JsonSchema, escape_pointer, load
from unlike.documents.json_schema.validator import Given
from unlike.documents.openapi.references import DocumentPlace, Documents, Object
from unlike.documents.openapi.schemas import Conversion, Families
from unlike.errors import SpecError, nearest

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
VERSIONS = ("2.0", "3.0", "3.1", "3.2")
WHERE = ("path", "query", "querystring", "header", "cookie")
NOT_PARAMETERS = ("accept", "content-type", "authorization")  # headers that other parts of a description speak of
JSON = "application/json"
FORM = "application/x-www-form-urlencoded"
NOT_SCHEMA = ("name", "in", "description", "required", "collectionFormat", "allowEmptyValue")
MODERN = ("3.1", "3.2")  # whose schemas are JSON Schema 2020-12 as it stands


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

    @property
    def route(self) -> str:
        """The method and the path, which name an operation even if it has no name."""
        return f"{self.method.upper()} {self.path}"

    @property
    def name(self) -> str:
        """What the operation goes by."""
        return self.id or self.route

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

    def media(self) -> list[str]:
        """Return the media types that its body may have."""
        if self.swagger:
            parameters = self.parameters()
            if not any(each.text("in") in ("body", "formData") for each in parameters):
                return []
            owner = self.at if "consumes" in self.at.object() else self.places.root
            listed = [str(each.value) for each in owner.items("consumes")]
            return listed or [FORM if any(each.text("in") == "formData" for each in parameters) else JSON]
        body = _body_place(self)
        return [] if body is None else [name for name, _ in body.entries("content")]


class ServiceApi(Mapping[str, JsonSchema]):
    """A service description: the requests of its operations and its models, by name, as JSON Schemas."""

    def __init__(self, contents: Data, path: str, *, resolve: Given | None = None) -> None:
        self.path = path
        self.version = version_of(contents)
        if self.version is None:
            raise SpecError(f"{path!r} is no service description: it says neither openapi nor swagger")
        if self.version not in VERSIONS:
            raise SpecError(f"{path!r} is of version {self.version}; read are {', '.join(VERSIONS)}")
        self.places = Documents(contents, path, resolve)

    @cached_property
    def operations(self) -> dict[str, ServiceOperation]:
        """The operations by name, in the order of the document."""
        found: dict[str, ServiceOperation] = {}
        for each in self._operations():
            if each.name in found:
                other = found[each.name].route
                raise each.at.wrong(f"{each.route} and {other} are both called {each.name!r}", "name them apart")
            found[each.name] = each
        return found

    def _operations(self) -> Iterator[ServiceOperation]:
        for word in ("paths", "webhooks"):
            for path, item in self.places.root.entries(word):
                if path.startswith("x-"):
                    continue
                at = self.places.follow(item)
                known = [(method, at.into(method)) for method in METHODS if method in at.object()]
                for method, inside in (*known, *at.entries("additionalOperations")):
                    name, swagger = inside.text("operationId"), self.version == "2.0"
                    yield ServiceOperation(name, method, path, inside, at, self.places, swagger)

    @cached_property
    def models(self) -> dict[str, DocumentPlace]:
        """The models by name, in the order of the document."""
        root = self.places.root
        if self.version == "2.0":
            return dict(root.entries("definitions"))
        return dict(root.into("components").entries("schemas")) if "components" in root.object() else {}

    @cached_property
    def _families(self) -> Families:
        return Families(self.places, self.models)

    def operation(self, name: str, *, media: str | None = None) -> JsonSchema:
        """Return the requests of an operation, named by its id or as "POST /path"; the body in one media type."""
        found = self.operations.get(name) or self._by_route(name)
        if found is None:
            known = [*self.operations, *(each.route for each in self.operations.values() if each.id)]
            raise SpecError(f"{self.path!r} has no operation {name!r}; {nearest(name, known)}")
        conversion = self._conversion(request=True)
        schema = conversion.whole(request_schema(found, conversion, media))
        return self._document(schema, found.name, frame_of(schema))

    def model(self, name: str) -> JsonSchema:
        """Return a model, as it stands: what is only read or only written may be there."""
        if name not in self.models:
            raise SpecError(f"{self.path!r} has no model {name!r}; {nearest(name, self.models)}")
        conversion = self._conversion(request=False)
        return self._document(conversion.whole(conversion.refer_to(self.models[name])), name)

    def _by_route(self, name: str) -> ServiceOperation | None:
        method, _, path = name.partition(" ")
        wanted = f"{method.upper()} {path}"
        return next((each for each in self.operations.values() if each.route == wanted), None)

    def _conversion(self, *, request: bool) -> Conversion:
        return Conversion(self.places, self._families, modern=self.version in MODERN, request=request)

    def _document(self, schema: dict[str, Data], name: str, frame: tuple[tuple[str, str], ...] = ()) -> JsonSchema:
        found = replace(load(schema, dialect="2020-12", resolve=self.places.resolve).at("", name), frame=frame)
        try:
            found.validator  # noqa: B018  (made once, and refuses what is no schema)
        except SpecError as error:
            raise SpecError(f"{self.path!r}, {name}: {error}") from None
        return found

    def __getitem__(self, name: str) -> JsonSchema:
        if name in self.models:
            return self.model(name)
        if name in self.operations or self._by_route(name):
            return self.operation(name)
        raise SpecError(
            f"{self.path!r} has no model and no operation {name!r}; {nearest(name, [*self.models, *self.operations])}"
        )

    def __contains__(self, name: object) -> bool:
        return name in self.models or name in self.operations

    def __iter__(self) -> Iterator[str]:
        return iter(dict.fromkeys([*self.models, *self.operations]))

    def __len__(self) -> int:
        return len(dict.fromkeys([*self.models, *self.operations]))

    def __hash__(self) -> int:
        return id(self)

    def __eq__(self, other: object) -> bool:
        return self is other

    def __repr__(self) -> str:
        return f"Api({self.path!r}: {len(self.operations)} operations, {len(self.models)} models)"


def version_of(contents: object) -> str | None:
    """Return the version of a service description, "2.0" or "3.1", or nothing for what is none."""
    if not isinstance(contents, dict):
        return None
    said = contents.get("openapi", contents.get("swagger"))
    return ".".join(str(said).split(".")[:2]) if isinstance(said, str | float) else None


def read_api(path: str | os.PathLike[str], *, resolve: Given | None = None) -> ServiceApi:
    """Return the service description in a JSON or YAML file."""
    return ServiceApi(read_document(path), os.fspath(path), resolve=resolve)


# -- requests ------------------------------------------------------------------------------------------------------


def request_schema(operation: ServiceOperation, conversion: Conversion, media: str | None) -> Object:
    """Return the schema of an operation's requests: an object of path, query, header, cookie and body."""
    parts: Object = {}
    required: list[Data] = []
    parameters = operation.parameters()
    for where in WHERE:
        there = [each for each in parameters if each.text("in") == where]
        if where == "header":
            there = [each for each in there if str(each.text("name")).lower() not in NOT_PARAMETERS]
        if there:
            parts[where] = _parameters(there, where, conversion, swagger=operation.swagger)
            required.append(where)
    body = _swagger_body(parameters, conversion) if operation.swagger else _body(operation, conversion, media)
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


def _body_place(operation: ServiceOperation) -> DocumentPlace | None:
    if "requestBody" not in operation.at.object():
        return None
    return operation.places.follow(operation.at.into("requestBody"))


def _body(operation: ServiceOperation, conversion: Conversion, media: str | None) -> tuple[Data, bool] | None:
    at = _body_place(operation)
    contents = {} if at is None else dict(at.entries("content"))
    if at is None or not contents:
        if media is not None:
            raise SpecError(f"{operation.at.shown} has no body, so no media type {media!r}; leave it out")
        return None
    media = _choose_media(operation, list(contents), media)
    inside = conversion.places.follow(contents[media])
    schema = conversion.schema(inside.into("schema")) if "schema" in inside.object() else {}
    return schema, at.object().get("required") is True


def _choose_media(operation: ServiceOperation, there: list[str], media: str | None) -> str:
    """Return the media type asked for, else JSON if it is there, else the first."""
    if media is None:
        alike = [each for each in there if each.split(";")[0].strip() == JSON or each.split(";")[0].endswith("+json")]
        return alike[0] if alike else there[0]
    if media not in there:
        raise SpecError(f"{operation.at.shown} has no body of {media!r}; {nearest(media, there)}")
    return media
