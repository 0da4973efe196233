"""Values of bodies as bytes: JSON, forms, forms of several parts with files, texts and files."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Literal

from unlike.documents.openapi.styles import (
    UnwritableError,
    WrittenParameter,
    is_json,
    json_text,
    query_pairs,
    text_of,
)

BodyKind = Literal["json", "form", "multipart", "text", "none"]
FORM = "application/x-www-form-urlencoded"
OCTETS = "application/octet-stream"
RANGES = {
    "*/*": "application/json",
    "application/*": "application/json",
    "text/*": "text/plain",
    "image/*": "image/png",
}


@dataclass(frozen=True, slots=True)
class WrittenField:
    """How a field of a form is written: as a parameter of a query, or as a part of its own type, perhaps a file."""

    style: WrittenParameter | None = None
    media: str | None = None
    is_file: bool = False


PLAIN = WrittenField()


@dataclass(frozen=True, slots=True)
class WrittenBody:
    """How a body is written: its media type as the description names it, and the fields of which more is said."""

    media: str
    required: bool = False
    fields: Mapping[str, WrittenField] = field(default_factory=dict)

    @property
    def sent(self) -> str:
        """The media type that is sent: of a range the one that is usual."""
        bare = self.media.partition(";")[0].strip()
        return RANGES.get(bare, OCTETS if bare.endswith("/*") else self.media)

    @property
    def kind(self) -> BodyKind:
        """How values become bytes."""
        return kind_of_media(self.media)


def kind_of_media(media: str) -> BodyKind:
    """Return how values of a media type become bytes; of some that are no plain texts nobody knows."""
    bare = media.partition(";")[0].strip().lower()
    if is_json(bare):
        return "json"
    if bare == FORM:
        return "form"
    if bare.startswith("multipart/"):
        return "multipart"
    return "none" if bare.endswith(("/xml", "+xml")) else "text"


def write_body(written: WrittenBody, value: object) -> tuple[bytes, str]:
    """Return the bytes of a body, and the content type with which it is sent."""
    match written.kind:
        case "json":
            return json_bytes(value), written.sent
        case "form":
            return _form(written, _object(value)), written.sent
        case "multipart":
            return _multipart(written, _object(value))
    if written.kind == "none" and not isinstance(value, str):
        raise UnwritableError(f"bodies of {written.media} are not written")
    text = _utf8(text_of(value))
    if not text:
        raise UnwritableError("an empty body is no body")
    return text, written.sent


def json_bytes(value: object) -> bytes:
    """Return a value as JSON in UTF-8; halves of characters are escaped."""
    try:
        return json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        return json.dumps(value).encode()


def _utf8(text: str) -> bytes:
    try:
        return text.encode()
    except UnicodeEncodeError:
        raise UnwritableError(f"{text!r:.60} has half a character, which UTF-8 does not write") from None


def _object(value: object) -> dict[str, object]:
    if not isinstance(value, dict) or not value:
        raise UnwritableError(f"{value!r:.60} is no object of fields, which a form is written from")
    return value


def _form(written: WrittenBody, value: dict[str, object]) -> bytes:
    pairs = []
    for name, each in value.items():
        known = written.fields.get(name, PLAIN)
        if known.style is not None:
            pairs += query_pairs(known.style, each)
        else:
            style = WrittenParameter(name, "query")
            items = each if isinstance(each, list) else [each]
            if not items:
                raise UnwritableError("[] has nothing that could be written")
            for item in items:
                pairs += query_pairs(replace(style, media="application/json") if is_complex(item) else style, item)
    return "&".join(f"{name}={text}" for name, text in pairs).encode("ascii")


def is_complex(value: object) -> bool:
    """Tell whether a field is written as JSON, where nothing else is said: it is made of several values."""
    return isinstance(value, list | dict)


# -- forms of several parts ----------------------------------------------------------------------------------------


def _multipart(written: WrittenBody, value: dict[str, object]) -> tuple[bytes, str]:
    """Return the parts of a form; the boundary is made of what they hold, and the same each time."""
    parts = [part for name, each in value.items() for part in _parts(name, written.fields.get(name, PLAIN), each)]
    boundary = "unlike-" + hashlib.sha256(b"\0".join(parts)).hexdigest()[:24]
    mark = boundary.encode("ascii")
    if any(mark in part for part in parts):  # nobody could choose a text that holds the digest of itself
        raise UnwritableError("a part holds the boundary")
    whole = b"".join(b"--" + mark + b"\r\n" + part + b"\r\n" for part in parts) + b"--" + mark + b"--\r\n"
    return whole, f"{written.sent.partition(';')[0].strip()}; boundary={boundary}"


def _parts(name: str, known: WrittenField, value: object) -> list[bytes]:
    if known.style is not None:
        return [_part(pair, replace(known, style=None), text) for pair, text in _in_style(known.style, value)]
    items = value if isinstance(value, list) else [value]
    if not items:
        raise UnwritableError("[] has nothing that could be written")
    return [_part(name, known, item) for item in items]


def _in_style(written: WrittenParameter, value: object) -> list[tuple[str, str]]:
    """Return a value in the style of a query; in a part of a form nothing is quoted."""
    from urllib.parse import unquote

    return [(unquote(name), unquote(text)) for name, text in query_pairs(written, value)]


def _part(name: str, known: WrittenField, value: object) -> bytes:
    """Return one part with its headers: a text, a file, or what is made of several values as JSON."""
    media = known.media.split(",")[0].strip() if known.media else None
    media = RANGES.get(media, OCTETS if media.endswith("/*") else media) if media else None
    if is_complex(value):
        media = media or "application/json"
        content = json_text(value).encode()
    elif media is not None and is_json(media):
        content = json_text(value).encode()
    else:
        content = _utf8(text_of(value))
    head = f'Content-Disposition: form-data; name="{_in_quotes(name)}"'
    if known.is_file:
        head += f'; filename="{_in_quotes(name)}"'
        media = media or OCTETS
    if media is not None:
        head += f"\r\nContent-Type: {media}"
    return _utf8(head) + b"\r\n\r\n" + content


def _in_quotes(name: str) -> str:
    """Return a name as browsers write it between quotes."""
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")
