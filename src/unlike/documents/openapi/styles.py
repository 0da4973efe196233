"""Values of parameters as the texts that are sent: the styles of OpenAPI, and the collection formats of Swagger 2.

Items and properties are quoted one by one, so that what stands between them is told from what stands in them. Where a
server could not tell (a comma in an item of a comma-separated list), or a style has no words for a value (null, an
empty list), the value cannot be written.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import dataclass
from urllib.parse import quote

from unlike.errors import UnlikeError

DELIMITERS = {"spaceDelimited": " ", "pipeDelimited": "|", "tabDelimited": "\t"}  # of all other styles: a comma
RESERVED = ":/?@!$'()*,;="  # what may stand in a query as it is, and still be told from the signs around it
COOKIE = re.compile(r"[!#-$&-+\--:<-\[\]-~]*", re.ASCII)  # what every server reads in a cookie as it is
HEADER = re.compile(r"([!-~]([ -~]*[!-~])?)?", re.ASCII)
Quote = Callable[[str], str]
Named = list[tuple[str, str]]


class UnwritableError(UnlikeError):
    """A value that cannot be sent where it belongs."""


@dataclass(frozen=True, slots=True)
class WrittenParameter:
    """How a parameter is written: where it stands, in which style, and the media type of its content if it has one."""

    name: str
    where: str
    style: str = "form"
    explode: bool = True
    reserved: bool = False
    media: str | None = None
    required: bool = False
    has_default: bool = False  # which a server takes where it is missing
    empty: bool = False  # an empty text may be sent, which a query does not have unless it is said

    @property
    def delimiter(self) -> str:
        """What stands between items that are not written apart."""
        return DELIMITERS.get(self.style, ",")


def text_of(value: object) -> str:
    """Return a single value as a text: numbers and truth as JSON writes them, whole numbers without a point."""
    match value:
        case str():
            return value
        case bool():
            return "true" if value else "false"
        case float() if value.is_integer() and abs(value) < 1e15:
            return str(int(value))
        case int() | float():
            return json.dumps(value)
        case None:
            raise UnwritableError("null has no text of its own")
    raise UnwritableError(f"{value!r:.60} is more than one text")


def json_text(value: object) -> str:
    """Return a value as JSON in as few characters as it is legible, all of them ASCII."""
    return json.dumps(value, separators=(",", ":"))


def _quote_text(text: str, safe: str = "") -> str:
    try:
        return quote(text, safe=safe)
    except UnicodeEncodeError:
        raise UnwritableError(f"{text!r:.60} has half a character, which UTF-8 does not write") from None


# -- path ----------------------------------------------------------------------------------------------------------


def path_text(written: WrittenParameter, value: object) -> str:
    """Return what stands in a path for a parameter: simple `a,b`, label `.a,b`, matrix `;name=a,b`."""
    if written.media is not None:
        return _quote_text(content_text(written, value))
    match written.style:
        case "label":
            between = "." if written.explode else ","
            return "." + (_quote_text(text_of(value)) if _is_single(value) else between.join(_parts(written, value)))
        case "matrix":
            return _matrix(written, value)
    text = (
        _quote_text(text_of(value))
        if _is_single(value)
        else _quote_text(written.delimiter, ",").join(_parts(written, value))
    )
    if text in ("", ".", ".."):
        raise UnwritableError(f"{text!r} as a step of a path is another path")
    return text


def _matrix(written: WrittenParameter, value: object) -> str:
    name = _quote_text(written.name)
    if _is_single(value):
        text = _quote_text(text_of(value))
        return f";{name}={text}" if text else f";{name}"
    parts = _parts(written, value)
    if not written.explode:
        return f";{name}={','.join(parts)}"
    return "".join(f";{each}" if isinstance(value, dict) else f";{name}={each}" for each in parts)


def _is_single(value: object) -> bool:
    return not isinstance(value, list | dict)


def _parts(written: WrittenParameter, value: object, quoting: Quote = _quote_text) -> list[str]:
    """Return the items of a list, or the properties of an object: `k=v` where they stand apart, else `k`, `v`."""
    if not value:
        raise UnwritableError(f"{value!r} has nothing that could be written")
    if isinstance(value, list):
        return [quoting(text_of(each)) for each in value]
    assert isinstance(value, dict)
    if written.explode:
        return [f"{quoting(name)}={quoting(text_of(each))}" for name, each in value.items()]
    return [quoting(each) for name, inner in value.items() for each in (name, text_of(inner))]


# -- query ---------------------------------------------------------------------------------------------------------


def query_pairs(written: WrittenParameter, value: object) -> Named:
    """Return the names and values of a query that a parameter becomes, quoted."""

    def quoting(text: str) -> str:
        return _quote_text(text, RESERVED if written.reserved else "")

    name = _quote_text(written.name)
    if written.media is not None:
        return [(name, quoting(content_text(written, value)))]
    if _is_single(value):
        return [(name, quoting(text_of(value)))]
    if written.style == "deepObject" and isinstance(value, dict):
        return _deep(name, value, quoting)
    if not value:
        raise UnwritableError(f"{value!r} has nothing that could be written")
    if isinstance(value, list) and (written.explode or written.style == "deepObject"):
        return [(name, quoting(text_of(each))) for each in value]
    if isinstance(value, dict) and written.explode:
        return [
            (_quote_text(key), quoting(text_of(each)))
            for key, inner in value.items()
            for each in (_items_in(inner) if isinstance(inner, list) else [inner])
        ]
    between = _quote_text(written.delimiter, ",")
    return [(name, between.join(_parts(written, value, quoting)))]


def _items_in(items: list[object]) -> list[object]:
    if not items:
        raise UnwritableError("[] has nothing that could be written")
    return items


def _deep(name: str, value: dict[str, object], quoting: Quote) -> Named:
    """Return `name[key]=value` of every property; objects in objects have more brackets, lists repeat the name."""
    found: Named = []
    if not value:
        raise UnwritableError("{} has nothing that could be written")
    for key, inner in value.items():
        if not key or set(key) & set("[]"):
            raise UnwritableError(f"{key!r} cannot stand in brackets")
        place = f"{name}%5B{_quote_text(key)}%5D"
        if isinstance(inner, dict):
            found += _deep(place, inner, quoting)
        else:
            items = _items_in(inner) if isinstance(inner, list) else [inner]
            found += [(place, quoting(text_of(each))) for each in items]
    return found


def whole_query(value: object, *, as_json: bool = False) -> list[tuple[str, str | None]]:
    """Return the pairs of a parameter that is the whole query (OpenAPI 3.2); as JSON it is one name without a value."""
    if as_json:
        return [(_quote_text(json_text(value)), None)]
    if not isinstance(value, dict):
        raise UnwritableError(f"{value!r:.60} is no object, which a query is written from")
    return [pair for name, each in value.items() for pair in query_pairs(WrittenParameter(name, "query"), each)]


# -- headers and cookies -------------------------------------------------------------------------------------------


def header_text(written: WrittenParameter, value: object) -> str:
    """Return the value of a header: items with commas between them."""
    if written.media is not None:
        text = content_text(written, value)
    elif _is_single(value):
        text = text_of(value)
    else:
        text = written.delimiter.join(_parts(written, value, str))
    if not HEADER.fullmatch(text):
        raise UnwritableError(f"{text!r:.60} cannot stand in a header")
    return text


def cookie_pairs(written: WrittenParameter, value: object) -> Named:
    """Return the cookies that a parameter becomes."""
    if written.media is not None:
        return [(written.name, _quote_text(content_text(written, value)))]
    if _is_single(value):
        return [(written.name, _cookie(text_of(value)))]
    parts = _parts(written, value, _cookie)
    if not written.explode:
        return [(written.name, written.delimiter.join(parts))]
    if isinstance(value, dict):
        return [(key, _cookie(text_of(each))) for key, each in value.items()]
    if len(parts) > 1:
        raise UnwritableError("several cookies of one name are read in no agreed way")
    return [(written.name, parts[0])]


def _cookie(text: str) -> str:
    if not COOKIE.fullmatch(text):
        raise UnwritableError(f"{text!r:.60} cannot stand in a cookie")
    return text


def content_text(written: WrittenParameter, value: object) -> str:
    """Return the text of a parameter that has a media type instead of a style."""
    assert written.media is not None
    return json_text(value) if is_json(written.media) else text_of(value)


def is_json(media: str) -> bool:
    """Tell whether a media type is JSON, or anything at all, which JSON is, too."""
    bare = media.partition(";")[0].strip().lower()
    return bare in ("application/json", "text/json", "*/*", "application/*") or bare.endswith("+json")
