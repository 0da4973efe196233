"""A request that can be sent, as frozen data: what goes over the wire, and nothing of where it came from."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from dataclasses import dataclass

from unlike.errors import RecipeError

HERE = "http://localhost"  # where a request goes, if neither the user nor the description says it


@dataclass(frozen=True, slots=True)
class Request:
    """A request as it is sent: path and query are quoted, the body is bytes.

    method        "POST"
    path          "/items/a%20b", from the root of the service
    query         "tags=a&tags=b%26c", without the question mark; "" if there is none
    headers       names and values, without those that say the cookies and the content type
    cookies       names and values
    body          bytes; None if there is none
    content_type  of the body, with its parameters: "multipart/form-data; boundary=…"
    server        where the description says that the service is
    """

    method: str
    path: str
    query: str = ""
    headers: tuple[tuple[str, str], ...] = ()
    cookies: tuple[tuple[str, str], ...] = ()
    body: bytes | None = None
    content_type: str | None = None
    server: str = HERE

    @property
    def target(self) -> str:
        """The path with the query, as the first line of a request has it."""
        return f"{self.path}?{self.query}" if self.query else self.path

    @property
    def all_headers(self) -> tuple[tuple[str, str], ...]:
        """All headers that the request has of itself: also those of the cookies and the content type."""
        found = [*self.headers]
        if self.cookies:
            found.append(("Cookie", "; ".join(f"{name}={value}" for name, value in self.cookies)))
        if self.content_type is not None:
            found.append(("Content-Type", self.content_type))
        return tuple(found)

    def url(self, base: str | None = None) -> str:
        """Return the whole address, at the given service or else at the one that the description names."""
        return f"{(base or self.server).rstrip('/')}{self.target}"

    def as_data(self) -> dict[str, object]:
        """Return the request as JSON data, from which `request_of_data` makes the same bytes again."""
        body = None if self.body is None else base64.b64encode(self.body).decode("ascii")
        return {
            "method": self.method,
            "path": self.path,
            "query": self.query,
            "headers": [list(each) for each in self.headers],
            "cookies": [list(each) for each in self.cookies],
            "body": body,
            "content_type": self.content_type,
            "server": self.server,
        }


def request_of_data(data: Mapping[str, object]) -> Request:
    """Return the request that `as_data` wrote down."""
    match data:
        case {
            "method": str(method),
            "path": str(path),
            "query": str(query),
            "headers": list(headers),
            "cookies": list(cookies),
            "body": str() | None as body,
            "content_type": str() | None as content_type,
            "server": str(server),
        }:
            named = [tuple((str(name), str(value)) for name, value in each) for each in (headers, cookies)]
            raw = None if body is None else base64.b64decode(body, validate=True)
            return Request(method, path, query, named[0], named[1], raw, content_type, server)
    raise RecipeError(f"{str(data)[:80]!r} is no request as it is saved; write it again")
