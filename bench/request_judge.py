"""What others make of a request: werkzeug takes it apart, openapi-core reads it by the description as it is written."""

from __future__ import annotations

import copy
import datetime
import functools
import uuid
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from openapi_core import OpenAPI
from openapi_core.datatypes import RequestParameters
from werkzeug.datastructures import Headers, ImmutableMultiDict
from werkzeug.http import parse_cookie

from unlike.documents.openapi.api import ServiceApi

FILE = {"type": "string", "format": "binary"}
METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")


class Arrived:
    """A request as openapi-core wants it, made of what arrives alone."""

    def __init__(self, request: Any) -> None:
        headers = Headers(list(request.all_headers))
        self.parameters = RequestParameters(
            query=ImmutableMultiDict(parse_qsl(request.query, keep_blank_values=True)),
            header=headers,
            cookie=ImmutableMultiDict(parse_cookie(headers.get("Cookie", ""))),
        )
        server = urlsplit(request.server)
        self.host_url = f"{server.scheme}://{server.netloc}"
        self.path = unquote(f"{server.path}{request.path}")
        self.method = request.method.lower()
        self.content_type = headers.get("Content-Type", "")
        self.body = request.body


@functools.cache
def reader(api: ServiceApi) -> OpenAPI:
    """Return the reader of a description; one of Swagger 2 is first said in OpenAPI 3."""
    contents: Any = copy.deepcopy(api.places.root.value)
    if api.version == "2.0":
        contents = as_openapi_3(contents)
    for scheme in contents.get("components", {}).get("securitySchemes", {}).values():
        if scheme.get("type") in ("oauth2", "openIdConnect"):  # which it does not look for by itself
            scheme.clear()
            scheme |= {"type": "http", "scheme": "bearer"}
    return OpenAPI.from_dict(contents)


def as_openapi_3(swagger: Any) -> Any:
    """Return a description of Swagger 2 in the words of OpenAPI 3, as far as requests go."""
    found = {
        "openapi": "3.0.3",
        "info": swagger["info"],
        "servers": [{"url": f"{swagger['schemes'][0]}://{swagger['host']}{swagger['basePath']}"}],
        "paths": {},
        "components": {"schemas": swagger["definitions"], "securitySchemes": {}},
    }
    for name, scheme in swagger["securityDefinitions"].items():
        kind = {"type": "http", "scheme": "bearer"} if scheme["type"] == "oauth2" else scheme
        found["components"]["securitySchemes"][name] = kind
    for path, item in swagger["paths"].items():
        found["paths"][path] = {method: _operation(item[method]) for method in item if method in METHODS}
    return _moved(found)


def _operation(said: Any) -> Any:
    kept: Any = {"parameters": [], "responses": {"default": {"description": ""}}}
    kept |= {word: said[word] for word in ("operationId", "security") if word in said}
    fields = [each for each in said.get("parameters", ()) if each["in"] == "formData"]
    for each in said.get("parameters", ()):
        if each["in"] == "body":
            content = {media: {"schema": each["schema"]} for media in said.get("consumes", ["application/json"])}
            kept["requestBody"] = {"required": each.get("required", False), "content": content}
        elif each["in"] != "formData":
            schema = {word: each[word] for word in each if word not in ("name", "in", "required", "description")}
            form = schema.pop("collectionFormat", "csv")
            explode = {"explode": form == "multi"} if each["in"] == "query" else {}
            kept["parameters"].append(
                {"name": each["name"], "in": each["in"], "required": each.get("required", False), "schema": schema}
                | explode
            )
    if fields:
        schema = {
            "type": "object",
            "required": [each["name"] for each in fields if each.get("required")],
            "properties": {
                each["name"]: {"type": "string", "format": "binary"}
                if each["type"] == "file"
                else {"type": each["type"]}
                for each in fields
            },
        }
        kept["requestBody"] = {"content": {said["consumes"][0]: {"schema": schema}}}
        if not schema["required"]:
            del schema["required"]
    return kept


def _moved(data: Any) -> Any:
    match data:
        case dict():
            return {
                key: each.replace("#/definitions/", "#/components/schemas/") if key == "$ref" else _moved(each)
                for key, each in data.items()
            }
        case list():
            return [_moved(each) for each in data]
    return data


def read(api: ServiceApi, request: Any) -> Any:
    """Return what openapi-core reads of a request: parameters, body and errors."""
    return reader(api).unmarshal_request(Arrived(request))


# -- agreement -----------------------------------------------------------------------------------------------------


def differences(api: ServiceApi, value: Any, request: Any) -> list[str]:
    """Return how what others read of a request differs from the value it was made of."""
    found = read(api, request)
    if found.errors:
        return [f"{error!r} {error.__cause__!r}"[:300] for error in found.errors]
    told = []
    for where in ("path", "query", "header", "cookie"):
        got = getattr(found.parameters, where)
        wanted = value.get(where, {})
        told += [
            f"{where} {name}: {got.get(name)!r}" for name, each in wanted.items() if not is_alike(got.get(name), each)
        ]
    if "body" in value and not is_alike(found.body, value["body"]):
        told.append(f"body: {found.body!r:.200}")
    return told


def is_alike(got: Any, wanted: Any) -> bool:
    """Tell whether what was read is the value, perhaps as a date, and with properties that have a default."""
    match wanted:
        case dict():
            return isinstance(got, dict) and all(name in got and is_alike(got[name], wanted[name]) for name in wanted)
        case list():
            return isinstance(got, list) and len(got) == len(wanted) and all(map(is_alike, got, wanted))
        case str() if isinstance(got, bytes):
            return got == wanted.encode()
        case str() if isinstance(got, datetime.datetime | datetime.date):
            return got == type(got).fromisoformat(wanted)
        case str() if isinstance(got, uuid.UUID):
            return got == uuid.UUID(wanted)
    return bool(got == wanted)
