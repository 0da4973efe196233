"""Files that people have, JSON or YAML, as plain data: read safely, refused with the place that is wrong.

Which it is, the name of a file tells, else how it begins. What it may be at most is said, and looked at by a walk over
it, before anything else relies on it.
"""

from __future__ import annotations

import json
import os
import re
import sys
from ipaddress import ip_address
from pathlib import Path
from typing import NoReturn, TypeAlias
from urllib.parse import urlsplit

from unlike.errors import SpecError
from unlike.file_limits import MOST_BYTES, MOST_DEPTH, FileLimitError, read_bytes_within

Data: TypeAlias = bool | int | float | str | list["Data"] | dict[str, "Data"] | None

MOST_VALUES = 2_000_000  # some hundred megabytes as Python objects; aliases of YAML could ask for any number
SECONDS = 10.0  # that a service on this machine has to give its description
YAML_NAMES = (".yaml", ".yml")
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[][{},]', re.DOTALL)


def read_document(path: str | os.PathLike[str]) -> Data:
    """Return the data of a JSON or YAML file, or refuse it with one message that says where it is wrong."""
    path = Path(path)
    try:
        if (size := path.stat().st_size) > MOST_BYTES:
            remedy = "split it, or keep what is needed"
            raise SpecError(f"{path} has {size:,} bytes; documents of up to {MOST_BYTES:,} are read: {remedy}")
        raw = read_bytes_within(path)
    except FileLimitError as error:
        raise SpecError(f"{path}: {error}") from None
    except FileNotFoundError:
        raise SpecError(f"there is no file {str(path)!r}") from None
    except (OSError, ValueError) as error:
        raise SpecError(f"{str(path)!r} cannot be read: {getattr(error, 'strerror', None) or error}") from None
    return parse_document(raw, str(path))


def read_source(source: str | os.PathLike[str] | dict[str, Data]) -> tuple[Data, str]:
    """Return a document, and how messages name it: a file, `-` for standard input, an address here, or the data."""
    if isinstance(source, dict):
        check_data(source, "the dict")
        return source, "the dict"
    name = os.fspath(source)
    if name == "-":
        return parse_document(sys.stdin.buffer.read(MOST_BYTES + 1), "standard input"), "standard input"
    if name.startswith(("http://", "https://")):
        return parse_document(_fetch(name), name), name
    return read_document(source), name


def _fetch(address: str) -> bytes:
    """Return what a service on this machine gives at an address; nothing is fetched from elsewhere."""
    from http.client import HTTPConnection, HTTPException  # loaded only where somebody names an address

    try:
        parts = urlsplit(address)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise SpecError(f"{address!r} is no address: {error}") from None
    if parts.scheme != "http" or not _is_here(host):
        raise SpecError(
            f"{address!r} is not on this machine, and nothing is fetched from the network; save it, and give the file"
        )
    connection = HTTPConnection(host, port, timeout=SECONDS)
    try:
        connection.request("GET", f"{parts.path or '/'}{f'?{parts.query}' if parts.query else ''}")
        response = connection.getresponse()
        if response.status != 200:
            raise SpecError(f"{address!r} answers {response.status} {response.reason}; name where the description is")
        raw = response.read(MOST_BYTES + 1)
    except (OSError, HTTPException) as error:
        raise SpecError(f"{address!r} gives no document: {error or type(error).__name__}; start the service") from None
    finally:
        connection.close()
    if len(raw) > MOST_BYTES:
        raise SpecError(f"{address!r} gives more than {MOST_BYTES:,} bytes; keep what is needed")
    return raw


def _is_here(host: str) -> bool:
    """Tell whether a host is this machine, by its number or the one name that is kept for it."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


def parse_document(raw: bytes, source: str) -> Data:
    """Return the data of a JSON or YAML text; `source` names it in messages, and its ending tells which it is."""
    encoding = "utf-8-sig" if raw.startswith(b"\xef\xbb\xbf") else json.detect_encoding(raw)
    try:
        text = raw.decode(encoding)
    except UnicodeDecodeError as error:
        line = raw.count(b"\n", 0, error.start) + 1
        raise SpecError(f"{source}, line {line}: byte {error.start} is not {encoding}; save it as UTF-8") from None
    if source.endswith(YAML_NAMES) or not (source.endswith(".json") or text.lstrip()[:1] in ("{", "[", '"', "")):
        from unlike.documents.yaml_text import read_yaml  # loaded only for YAML

        data = read_yaml(text, source)
    else:
        data = read_json(text, source)
    check_data(data, source)
    return data


def check_data(data: Data, source: str) -> None:
    """Refuse data that are too many, nested too deep, or hold a number that no JSON has."""
    level: list[Data] = [data]
    seen = depth = 0
    while level:
        seen += len(level)
        depth += 1
        if seen > MOST_VALUES:
            raise too_many(source)
        if depth > MOST_DEPTH:
            raise too_deep(source)
        if any(isinstance(each, float) and each - each != 0 for each in level):
            raise SpecError(f"{source} holds a number too large for JSON readers; write a smaller one")
        nested = (each.values() if isinstance(each, dict) else each for each in level if isinstance(each, dict | list))
        level = [inner for each in nested for inner in each]


def too_deep(source: str) -> SpecError:
    """Return the error for a document that is nested too deep."""
    return SpecError(f"{source} is nested more than {MOST_DEPTH} levels deep; move inner parts out and refer to them")


def too_many(source: str) -> SpecError:
    """Return the error for a document of too many values."""
    return SpecError(f"{source} holds more than {MOST_VALUES:,} values; keep what is needed")


# -- JSON ----------------------------------------------------------------------------------------------------------


class _TwiceError(Exception):
    """A key that an object has twice."""


def read_json(text: str, source: str) -> Data:
    """Return the data of a JSON text."""

    def refuse_constant(word: str) -> NoReturn:  # NaN or an infinity, which Python writes though JSON has none
        raise SpecError(f"{source}: {word} is no JSON number; write a finite one")

    try:
        data: Data = json.loads(text, object_pairs_hook=_object, parse_constant=refuse_constant)
    except json.JSONDecodeError as error:
        raise SpecError(f"{source}, line {error.lineno}, column {error.colno}: not JSON: {_reason(error)}") from None
    except RecursionError:
        raise too_deep(source) from None
    except _TwiceError as twice:
        key = str(twice)
        line, column = _place_of_second(text, key)
        raise SpecError(f"{source}, line {line}, column {column}: the key {key!r} is there twice; keep one") from None
    except ValueError:  # more digits than Python reads
        raise SpecError(f"{source} holds a whole number of more than 4,000 digits; write a smaller one") from None
    return data


def _object(pairs: list[tuple[str, Data]]) -> dict[str, Data]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                raise _TwiceError(key)
            seen.add(key)
    return found


def _reason(error: json.JSONDecodeError) -> str:
    """Return what is wrong, with what stands there."""
    rest = error.doc[error.pos : error.pos + 20].split("\n")[0]
    said = (error.msg[:1].lower() + error.msg[1:]).removesuffix(" at")
    return f"{said}, at {rest!r}" if rest else f"{said}, at the end of a line or of the text"


def _place_of_second(text: str, wanted: str) -> tuple[int, int]:
    """Return line and column of the first key that its object has already; the text is known to be JSON."""
    open_: list[set[str] | None] = []
    is_key = False
    for token in TOKEN.finditer(text):
        match token[0]:
            case "{" | "[":
                open_.append(set() if token[0] == "{" else None)
                is_key = token[0] == "{"
            case "}" | "]":
                open_.pop()
                is_key = False
            case ",":
                is_key = open_[-1] is not None
            case string if is_key:
                keys, key = open_[-1], json.loads(string)
                assert keys is not None
                if key in keys and key == wanted:
                    before = text[: token.start()]
                    return before.count("\n") + 1, token.start() - before.rfind("\n")
                keys.add(key)
                is_key = False
    raise AssertionError(f"{wanted!r} is there once only")
