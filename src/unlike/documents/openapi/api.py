"""A service description: its operations and models by name, each as a JSON Schema.

The requests of an operation are values of one schema, each of which can be written as it is sent.
"""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial

from unlike.documents.files import Data, read_source
from unlike.documents.json_schema.document import JsonSchema, load
from unlike.documents.json_schema.validator import Given
from unlike.documents.openapi.narrowing import narrow
from unlike.documents.openapi.operations import (
    ServiceOperation,
    frame_of,
    join_media,
    request_schema,
    response_schema,
    written_operation,
)
from unlike.documents.openapi.references import DocumentPlace, Documents
from unlike.documents.openapi.requests import Requests
from unlike.documents.openapi.schemas import Conversion, Families
from unlike.documents.openapi.writing import WrittenScheme, schemes_of
from unlike.errors import SpecError, nearest

METHODS = ("get", "put", "post", "delete", "options", "head", "patch", "trace", "query")
EVERY_MEDIA = "*"
VERSIONS = ("2.0", "3.0", "3.1", "3.2")
MODERN = ("3.1", "3.2")  # whose schemas are JSON Schema 2020-12 as it stands


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
                    yield ServiceOperation(name, method, path, inside, at, self.places, swagger, word == "webhooks")

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

    @cached_property
    def schemes(self) -> dict[str, WrittenScheme]:
        """The ways to send credentials, by name."""
        return schemes_of(self.places.root, self.places, swagger=self.version == "2.0")

    def operation(self, name: str, *, media: str | None = None) -> Requests:
        """Return the requests of an operation, named by its id or as "POST /path".

        The body is in one media type, JSON where it is offered; with "*" in every one that can be written.
        """
        found = self._operation(name)
        if media == EVERY_MEDIA:
            return self._in_every_media(found)
        conversion = self._conversion(request=True)
        written = written_operation(found, self.schemes, media)
        schema = conversion.whole(request_schema(found, conversion, written))
        narrowed, rules = narrow(schema, written)
        said = load(schema, dialect="2020-12", resolve=self.places.resolve)
        plain = self._document(narrowed, found.name)
        frame = *frame_of(schema, swagger_form=found.has_form), *rules
        others = partial(self._in_every_media, found) if media is None else None
        return Requests(plain.document, "", found.name, frame, formats=True, written=written, said=said, others=others)

    def _in_every_media(self, operation: ServiceOperation) -> Requests:
        """Return the requests of an operation, each of which says the media type of its body, if there are several."""
        first = self.operation(operation.name)
        medias = [media for media, each in first.written.bodies.items() if each.kind != "none"]
        if len(medias) < 2:
            return first
        known = {media: self.operation(operation.name, media=media).document.contents for media in medias}
        joined = self._document(join_media(known), operation.name)
        return replace(first, document=joined.document, frame=(), others=None)

    def model(self, name: str) -> JsonSchema:
        """Return a model, as it stands: what is only read or only written may be there."""
        if name not in self.models:
            raise SpecError(f"{self.path!r} has no model {name!r}; {nearest(name, self.models)}")
        conversion = self._conversion(request=False)
        return self._document(conversion.whole(conversion.refer_to(self.models[name])), name)

    def response(self, operation: str, status: int | str, *, media: str | None = None) -> JsonSchema:
        """Return what the body of a response may be, to be asked: `.accepts(value)`.

        A status that is not described goes by its range ("4XX"), and else by "default". Of a response whose body nobody
        describes everything is accepted.
        """
        found = self._operation(operation)
        conversion = Conversion(
            self.places, self._families, modern=self.version in MODERN, request=False, response=True
        )
        at = response_schema(found, str(status), media)
        entry = True if at is None else conversion.schema(at)
        return self._document(conversion.whole(entry), f"{found.name} {status}")

    def _operation(self, name: str) -> ServiceOperation:
        found = self.operations.get(name) or self._by_route(name)
        if found is None:
            known = [*self.operations, *(each.route for each in self.operations.values() if each.id)]
            raise SpecError(f"{self.path!r} has no operation {name!r}; {nearest(name, known)}")
        return found

    def select(self, words: Sequence[str]) -> list[str]:
        """Return the names of the operations that words stand for, in the order of the document; all for no words.

        A word is the name of an operation, "POST /path", a path, a method, a tag, or a pattern of them: "get*".
        """
        found: set[str] = set()
        for word in words or ("*",):
            known = self.operations.get(word) or self._by_route(word)
            alike = (
                [known.name] if known else [each.name for each in self.operations.values() if each.is_meant_by(word)]
            )
            if not alike:
                there = [name for each in self.operations.values() for name in each.words()]
                raise SpecError(f"{self.path!r} has no operation {word!r}; {nearest(word, dict.fromkeys(there))}")
            found.update(alike)
        return [name for name in self.operations if name in found]

    def _by_route(self, name: str) -> ServiceOperation | None:
        method, _, path = name.partition(" ")
        wanted = f"{method.upper()} {path}"
        return next((each for each in self.operations.values() if each.route == wanted), None)

    def _conversion(self, *, request: bool) -> Conversion:
        return Conversion(self.places, self._families, modern=self.version in MODERN, request=request)

    def _document(self, schema: dict[str, Data], name: str) -> JsonSchema:
        found = load(schema, dialect="2020-12", resolve=self.places.resolve).at("", name)
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


def read_api(source: str | os.PathLike[str] | dict[str, Data], *, resolve: Given | None = None) -> ServiceApi:
    """Return the service description in a JSON or YAML file, on standard input (`-`), at an address, or a dict."""
    contents, name = read_source(source)
    return ServiceApi(contents, name, resolve=resolve)
