"""A service description: its operations and models by name, each as a JSON Schema."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property

from unlike.documents.files import Data, read_document
from unlike.documents.json_schema.document import JsonSchema, load
from unlike.documents.json_schema.references import Given
from unlike.documents.openapi.discriminators import Families
from unlike.documents.openapi.places import DocumentPlace, Documents
from unlike.documents.openapi.requests import Request, frame_of, media_of, request_schema
from unlike.documents.openapi.schemas import Conversion
from unlike.errors import SpecError, nearest

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace")
VERSIONS = ("2.0", "3.0", "3.1")
MODERN = ("3.1",)  # whose schemas are JSON Schema 2020-12 as it stands


@dataclass(frozen=True, slots=True)
class ServiceOperation:
    """An operation of a service: its own name if it has one, its method and path, and where it stands."""

    id: str | None
    method: str
    path: str
    at: DocumentPlace
    shared: DocumentPlace

    @property
    def route(self) -> str:
        """The method and the path, which name an operation even if it has no name."""
        return f"{self.method.upper()} {self.path}"

    @property
    def name(self) -> str:
        """What the operation goes by."""
        return self.id or self.route


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
                for method in METHODS:
                    if method in at.object():
                        inside = at.into(method)
                        yield ServiceOperation(inside.text("operationId"), method, path, inside, at)

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
        request = Request(found.at, found.shared, self.places, swagger=self.version == "2.0", media=media)
        schema = conversion.whole(request_schema(request, conversion))
        return self._document(schema, found.name, frame_of(schema))

    def media(self, operation: ServiceOperation) -> list[str]:
        """Return the media types that the body of an operation may have."""
        return media_of(Request(operation.at, operation.shared, self.places, swagger=self.version == "2.0"))

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
