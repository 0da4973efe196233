"""How the requests of an operation are written: from its description, once, and then from values to requests.

A value is an object of path, query, header, cookie (parameters by name), body, security (by which scheme), and
perhaps content_type, where it is not the usual one, and raw_body, a body that is sent as it stands.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from urllib.parse import quote, unquote, urlsplit

from unlike.documents.openapi.bodies import WrittenBody, WrittenField, write_body
from unlike.documents.openapi.references import DocumentPlace, Documents
from unlike.documents.openapi.styles import (
    Named,
    UnwritableError,
    WrittenParameter,
    cookie_pairs,
    header_text,
    is_json,
    path_text,
    query_pairs,
    whole_query,
)
from unlike.errors import SpecError
from unlike.request import HERE, Request

STYLES = {"path": "simple", "query": "form", "header": "simple", "cookie": "form", "querystring": "form"}
OF_STYLE = {
    "path": ("simple", "label", "matrix"),
    "query": ("form", "spaceDelimited", "pipeDelimited", "deepObject"),
    "header": ("simple",),
    "cookie": ("form", "cookie"),
    "querystring": ("form",),
}
COLLECTIONS = {"ssv": "spaceDelimited", "tsv": "tabDelimited", "pipes": "pipeDelimited"}  # csv and multi: the usual
STEP = re.compile(r"\{([^{}]*)\}")
IN_PATH = "/:@!$&'()*+,;=~%"  # what may stand in a path as it is
NO_CREDENTIALS = "no credentials"
UNKNOWN_STEP = "x"  # for what a path has in braces and nobody describes


@dataclass(frozen=True, slots=True)
class WrittenScheme:
    """How a credential is sent: in which place, under which name, after which word."""

    where: str
    name: str
    word: str = ""
    is_basic: bool = False

    @property
    def usual(self) -> str:
        """A credential that stands for any."""
        return "user:password" if self.is_basic else "token" if self.word else "key"

    def text(self, credential: str) -> str:
        """Return a credential as it is sent."""
        if self.is_basic:
            credential = base64.b64encode(credential.encode()).decode("ascii")
        return f"{self.word} {credential}" if self.word else credential


@dataclass(frozen=True, slots=True)
class WrittenOperation:
    """How the requests of an operation are written."""

    method: str
    template: str
    parameters: tuple[WrittenParameter, ...] = ()
    bodies: Mapping[str, WrittenBody] = field(default_factory=dict)
    media: str | None = None  # of the body, where a value does not say it
    schemes: Mapping[str, WrittenScheme] = field(default_factory=dict)
    required: tuple[tuple[str, ...], ...] = ()  # schemes: one of these sets of them is needed
    server: str = HERE
    credentials: Mapping[str, str] = field(default_factory=dict)  # by scheme, where they are not the usual ones

    @property
    def sets(self) -> dict[str, tuple[str, ...]]:
        """The sets of schemes of which one is needed, by name."""
        return {" and ".join(names) or NO_CREDENTIALS: names for names in self.required}

    @property
    def body(self) -> WrittenBody | None:
        """How a body is written that says no media type."""
        return None if self.media is None else self.bodies[self.media]

    def at(self, where: str) -> dict[str, WrittenParameter]:
        """Return the parameters of a place by name."""
        return {each.name: each for each in self.parameters if each.where == where}

    def request(self, value: object) -> Request:
        """Return the request of a value, or refuse a value that cannot be sent."""
        if not isinstance(value, dict):
            raise UnwritableError(f"{value!r:.60} is no request")
        query: list[tuple[str, str | None]]
        path, query = self._path(value.get("path", {}))
        headers: Named = []
        cookies: Named = []
        for written, each in self._parameters_in("query", value):
            query += query_pairs(written, each)
        for written, each in self._parameters_in("querystring", value):
            query += whole_query(each, as_json=written.media is not None and is_json(written.media))
        for written, each in self._parameters_in("header", value):
            headers.append((written.name, header_text(written, each)))
        for written, each in self._parameters_in("cookie", value):
            cookies += cookie_pairs(written, each)
        for where, pair in self._credentials(value.get("security", NO_CREDENTIALS)):
            (headers if where == "header" else cookies if where == "cookie" else query).append(pair)
        body, content_type = self._body(value)
        text = "&".join(f"{name}={each}" if each is not None else name for name, each in query)
        return Request(self.method.upper(), path, text, tuple(headers), tuple(cookies), body, content_type, self.server)

    def _parameters_in(self, where: str, value: Mapping[str, object]) -> Iterator[tuple[WrittenParameter, object]]:
        inside = value.get(where, {})
        known = self.at(where)
        if not isinstance(inside, dict) or not inside.keys() <= known.keys():
            raise UnwritableError(f"{inside!r:.60} is nothing that the {where} has")
        yield from ((known[name], each) for name, each in inside.items())

    def _path(self, given: object) -> tuple[str, list[tuple[str, str | None]]]:
        """Return the path with its parameters, and what the description has written behind a question mark."""
        known = self.at("path")
        if not isinstance(given, dict):
            raise UnwritableError(f"{given!r:.60} is nothing that the path has")

        def fill(name: str) -> str:
            if name not in known:
                return UNKNOWN_STEP
            if name not in given:
                raise UnwritableError(f"a path without {name!r} is another path")
            return path_text(known[name], given[name])

        path, _, query = self.template.partition("#")[0].partition("?")
        pieces = STEP.split(path)  # texts and names in turn
        steps = (quote(each, safe=IN_PATH) if index % 2 == 0 else fill(each) for index, each in enumerate(pieces))
        pairs = [each.partition("=") for each in query.split("&") if each]
        return "/" + "".join(steps).lstrip("/"), [
            (quote(unquote(name)), quote(unquote(value)) if equals else None) for name, equals, value in pairs
        ]

    def _credentials(self, given: object) -> Iterator[tuple[str, tuple[str, str]]]:
        names = () if given == NO_CREDENTIALS else self.sets.get(str(given))
        if names is None:
            raise UnwritableError(f"{given!r:.60} are no credentials that the operation takes")
        for name in names:
            scheme = self.schemes[name]
            text = scheme.text(self.credentials.get(name, scheme.usual))
            written = WrittenParameter(scheme.name, scheme.where)
            match scheme.where:
                case "header":
                    yield "header", (scheme.name, header_text(written, text))
                case "query":
                    yield "query", query_pairs(written, text)[0]
                case "cookie":
                    yield "cookie", cookie_pairs(written, text)[0]

    def _body(self, value: Mapping[str, object]) -> tuple[bytes | None, str | None]:
        said = value.get("content_type")
        written = self.bodies.get(str(said)) or self.body
        if "raw_body" in value:
            return str(value["raw_body"]).encode(), str(said) if said else written.sent if written else None
        if "body" not in value:
            return None, None
        if written is None:
            raise UnwritableError("the operation takes no body")
        body, content_type = write_body(written, value["body"])
        return body, content_type if said is None or said in self.bodies else str(said)


# -- from the description ------------------------------------------------------------------------------------------


def written_parameter(at: DocumentPlace, *, swagger: bool) -> WrittenParameter:
    """Return how a parameter is written, as its description says."""
    said, name, where = at.object(), str(at.text("name")), str(at.text("in"))
    required = where == "path" or said.get("required") is True
    empty = said.get("allowEmptyValue") is True
    if swagger:
        form = said.get("collectionFormat", "csv")
        style = COLLECTIONS.get(str(form), "simple" if where in ("path", "header") else "form")
        return WrittenParameter(name, where, style, form == "multi", required=required, empty=empty)
    content = at.entries("content")
    if content and "schema" not in said:
        return WrittenParameter(name, where, media=content[0][0], required=required)
    style = at.text("style") or STYLES.get(where, "form")
    if style not in OF_STYLE.get(where, (style,)):
        allowed = ", ".join(OF_STYLE[where])
        raise at.into("style").wrong(f"{style!r} is no style of a parameter in {where}", f"there are: {allowed}")
    explode = said.get("explode", style in ("form", "cookie", "deepObject"))
    reserved = said.get("allowReserved") is True
    return WrittenParameter(name, where, style, explode is True, reserved=reserved, required=required, empty=empty)


def server_of(owners: list[DocumentPlace], *, swagger: bool) -> str:
    """Return where the service is, as the innermost of these places says: without the slash at the end."""
    if swagger:
        root = owners[-1]
        schemes = root.items("schemes")
        scheme = str(schemes[0].value) if schemes else "https"
        host, base = root.text("host"), (root.text("basePath") or "").rstrip("/")
        return f"{scheme}://{host}{base}" if host else f"{HERE}{base}"
    for owner in owners:
        for server in owner.items("servers")[:1]:
            usual = {name: str(each.object().get("default", name)) for name, each in server.entries("variables")}
            address = STEP.sub(lambda found: usual.get(found[1], found[1]), server.text("url") or "")  # noqa: B023
            address = address.rstrip("/")
            try:
                parts = urlsplit(address)
            except ValueError as error:
                raise SpecError(f"the server {address!r} is no address: {error}; correct it") from None
            if parts.netloc:
                return address if parts.scheme else f"https:{address}"
            return HERE + (f"/{address.lstrip('/')}" if address else "")
    return HERE


def schemes_of(root: DocumentPlace, places: Documents, *, swagger: bool) -> dict[str, WrittenScheme]:
    """Return the ways to send credentials that a description names; one that sends nothing is none."""
    inside = root if swagger else root.into("components") if "components" in root.object() else None
    if inside is None:
        return {}
    found = {}
    for name, each in inside.entries("securityDefinitions" if swagger else "securitySchemes"):
        scheme = _scheme(places.follow(each))
        if scheme is not None:
            found[name] = scheme
    return found


def _scheme(at: DocumentPlace) -> WrittenScheme | None:
    match at.text("type"):
        case "apiKey":
            where, name = at.text("in"), at.text("name")
            if where not in ("header", "query", "cookie") or name is None:
                raise at.wrong("an API key says its name and where it is in", "write name: … and in: header")
            return WrittenScheme(where, name)
        case "basic":
            return WrittenScheme("header", "Authorization", "Basic", is_basic=True)
        case "http":
            word = (at.text("scheme") or "bearer").capitalize()
            return WrittenScheme("header", "Authorization", word, is_basic=word == "Basic")
        case "oauth2" | "openIdConnect":
            return WrittenScheme("header", "Authorization", "Bearer")
    return None  # mutualTLS: the connection itself


def required_schemes(owners: list[DocumentPlace], known: Mapping[str, WrittenScheme]) -> tuple[tuple[str, ...], ...]:
    """Return the sets of schemes of which one is needed, as the innermost of these places says; none: nothing is."""
    for owner in owners:
        if "security" in owner.object():
            return tuple(tuple(name for name in each.object() if name in known) for each in owner.items("security"))
    return ()


# -- bodies --------------------------------------------------------------------------------------------------------


def written_fields(
    schema: DocumentPlace | None, encoding: Mapping[str, DocumentPlace], places: Documents
) -> dict[str, WrittenField]:
    """Return how the fields of a form are written, where that is not as usual: files, and what `encoding` says."""
    found = {name: WrittenField(is_file=True) for name, each in _properties(schema, places) if _is_file(each, places)}
    for name, at in encoding.items():
        said = at.object()
        media, is_file = at.text("contentType"), name in found
        if "style" in said or "explode" in said or "allowReserved" in said:
            style = at.text("style") or "form"
            explode = said.get("explode", style in ("form", "deepObject")) is True
            reserved = said.get("allowReserved") is True
            found[name] = WrittenField(WrittenParameter(name, "query", style, explode, reserved), media, is_file)
        else:
            found[name] = WrittenField(None, media, is_file or _is_binary(media))
    return found


def _is_binary(media: str | None) -> bool:
    bare = (media or "text/plain").split(",")[0].strip().lower()
    return not (bare.startswith("text/") or is_json(bare) or bare.endswith(("/xml", "+xml")))


def _properties(schema: DocumentPlace | None, places: Documents) -> list[tuple[str, DocumentPlace]]:
    """Return the properties of a schema, and of those that it joins."""
    found: list[tuple[str, DocumentPlace]] = []
    waiting = [] if schema is None else [schema]
    seen: set[tuple[str, str]] = set()
    while waiting:
        at = places.follow(waiting.pop(0))
        if at.key in seen or not isinstance(at.value, dict):
            continue
        seen.add(at.key)
        found += at.entries("properties")
        for word in ("allOf", "anyOf", "oneOf"):
            waiting += at.items(word)
    return found


def _is_file(at: DocumentPlace, places: Documents) -> bool:
    """Tell whether a field is a file: bytes rather than a text."""
    at = places.follow(at)
    if not isinstance(at.value, dict):
        return False
    if at.value.get("type") == "array" and isinstance(at.value.get("items"), dict):
        return _is_file(at.into("items"), places)
    binary = at.value.get("format") == "binary" or at.value.get("type") == "file"
    return binary or ("contentMediaType" in at.value and "contentEncoding" not in at.value)
