"""Requests as a server reads them: every value that what was sent may mean, read generously.

A text in a query is a text, and perhaps a number, a truth or nothing at all. A request counts as legal if any reading
of it is: so one that is called invalid is refused by whoever keeps to the description. None of this shares code with
what writes requests.
"""

from __future__ import annotations

import itertools
import json
import math
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import parse_qsl, unquote

from unlike.documents.json_schema.keywords import identity
from unlike.documents.openapi.bodies import WrittenBody, kind_of_media
from unlike.documents.openapi.styles import WrittenParameter, is_json
from unlike.documents.openapi.writing import STEP, WrittenOperation
from unlike.request import Request

TRUE = ("true", "1", "yes", "on", "t", "y")
FALSE = ("false", "0", "no", "off", "f", "n")
NOTHING = ("", "null", "none", "nil", "undefined")
BETWEEN = {"spaceDelimited": " ", "pipeDelimited": "|", "tabDelimited": "\t"}
BEGINNINGS = {"label": r"(\..*?)", "matrix": r"(;.*?)"}
Readings: TypeAlias = list[object]  # values, and lists and objects of readings


@dataclass(frozen=True, slots=True)
class ReadList:
    """A list whose items have several readings each."""

    items: tuple[Readings, ...]


@dataclass(frozen=True, slots=True)
class ReadObject:
    """An object whose properties have several readings each."""

    properties: Mapping[str, Readings]


def single(text: str) -> Readings:
    """Return what a text may mean: itself, a number, a truth, nothing.

    >>> single("1")
    ['1', 1, True]
    """
    found: Readings = [text]
    bare = text.strip()
    for kind in (int, float):
        try:
            found.append(kind(bare))
            break
        except ValueError:
            continue
    low = bare.lower()
    found += [True] * (low in TRUE) + [False] * (low in FALSE) + [None] * (low in NOTHING)
    return found


def means(readings: Readings, value: object) -> bool:
    """Tell whether a value is among the readings."""
    for each in readings:
        match each:
            case ReadList(items):
                if (
                    isinstance(value, list)
                    and len(value) == len(items)
                    and all(means(inner, one) for inner, one in zip(items, value, strict=True))
                ):
                    return True
            case ReadObject(properties):
                if (
                    isinstance(value, dict)
                    and value.keys() == properties.keys()
                    and all(means(inner, value[name]) for name, inner in properties.items())
                ):
                    return True
            case _:
                if identity(each) == identity(value):
                    return True
    return False


def how_many(readings: Readings) -> int:
    """Return how many values there are among the readings."""
    return sum(
        math.prod(map(how_many, each.items))
        if isinstance(each, ReadList)
        else math.prod(map(how_many, each.properties.values()))
        if isinstance(each, ReadObject)
        else 1
        for each in readings
    )


def values_in(readings: Readings) -> Iterator[object]:
    """Yield every value among the readings."""
    for each in readings:
        match each:
            case ReadList(items):
                yield from map(list, itertools.product(*(list(values_in(inner)) for inner in items)))
            case ReadObject(properties):
                every = itertools.product(*(list(values_in(inner)) for inner in properties.values()))
                yield from (dict(zip(properties, chosen, strict=True)) for chosen in every)
            case _:
                yield each


# -- parameters ----------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Arrived:
    """What arrives of a request, taken apart and decoded."""

    path: Mapping[str, str]
    query: tuple[tuple[str, str], ...]
    headers: Mapping[str, str]
    cookies: tuple[tuple[str, str], ...]
    known: frozenset[tuple[str, str]] = frozenset()  # places and names that belong to some parameter or credential


def take_apart(request: Request, written: WrittenOperation) -> Arrived | None:
    """Return what arrives; nothing, if the path is none of this operation."""
    template = "/" + written.template.partition("#")[0].partition("?")[0].lstrip("/")
    steps, sent = template.split("/"), request.path.split("/")
    if len(steps) != len(sent) or any(each in (".", "..") for each in sent):
        return None
    path: dict[str, str] = {}
    styles = {name: each.style for name, each in written.at("path").items()}
    for step, text in zip(steps, sent, strict=True):
        pieces = STEP.split(step)
        texts = (
            re.escape(unquote(each)) if index % 2 == 0 else BEGINNINGS.get(styles.get(each, ""), "(.+?)")
            for index, each in enumerate(pieces)
        )
        found = re.fullmatch("".join(texts), unquote(text), re.DOTALL)
        if found is None:
            return None
        path |= zip(pieces[1::2], found.groups(), strict=True)
    cookies = [
        each.strip().partition("=")
        for name, text in request.all_headers
        if name == "Cookie"
        for each in text.split(";")
    ]
    return Arrived(
        path,
        tuple(parse_qsl(request.query, keep_blank_values=True, max_num_fields=None)),
        {name.lower(): text.strip() for name, text in request.headers},
        tuple((name, text) for name, _, text in cookies),
        frozenset((each.where, each.name) for each in written.parameters)
        | {(each.where, each.name) for each in written.schemes.values()},
    )


def read_parameter(written: WrittenParameter, arrived: Arrived, names: frozenset[str] | None = None) -> Readings | None:
    """Return what a parameter may mean; nothing, if it is not there.

    `names` are those of the properties of one that may be an object, which has no name of its own in some styles.
    """
    match written.where:
        case "path":
            text = arrived.path.get(written.name)
            return None if text is None else _in_path(written, text)
        case "header":
            text = arrived.headers.get(written.name.lower())
            return None if text is None else _content(written, text) or _split(written, text, strip=True)
        case "querystring" if written.media is not None and is_json(written.media):
            return _content(written, arrived.query[0][0]) if arrived.query else None
        case "querystring":
            return (
                [ReadObject({name: _read_repeated(arrived.query, name) for name, _ in arrived.query})]
                if arrived.query
                else None
            )
    pairs = arrived.query if written.where == "query" else arrived.cookies
    if written.where == "cookie" and written.media is not None:
        pairs = tuple((name, unquote(text)) for name, text in pairs)
    if written.style == "deepObject" and ((found := _deep(written.name, pairs)) or names is not None):
        return found or None
    texts = [text for name, text in pairs if name == written.name]
    if texts:
        return _read_named(written, texts)
    if written.explode and names is not None:
        mine = written.where, written.name
        others = [(name, text) for name, text in pairs if (written.where, name) not in arrived.known - {mine}]
        mine_alone = [(name, text) for name, text in others if name in names]
        if not others or (names and not mine_alone):
            return None
        kept = [each for each in (others, mine_alone) if each]
        return [ReadObject({name: _read_repeated(each, name) for name, _ in each}) for each in kept]
    return None


def _content(written: WrittenParameter, text: str) -> Readings | None:
    """Return the reading of a parameter that has a media type; nothing for one that has a style."""
    if written.media is None:
        return None
    return _json(text) if is_json(written.media) else single(text)


def _json(text: str | bytes) -> Readings:
    try:
        return [json.loads(text)]
    except (ValueError, RecursionError):
        return []


def _read_named(written: WrittenParameter, texts: list[str]) -> Readings:
    if written.media is not None:
        return [reading for text in texts for reading in _content(written, text) or []]
    several: Readings = [ReadList(tuple(map(single, texts)))]
    if written.explode or written.style == "deepObject":
        return [reading for text in dict.fromkeys((texts[-1], texts[0])) for reading in single(text)] + several
    apart = several if len(texts) > 1 else []
    return [reading for text in dict.fromkeys((texts[-1], texts[0])) for reading in _split(written, text)] + apart


def _split(written: WrittenParameter, text: str, *, strip: bool = False, between: str | None = None) -> Readings:
    """Return what a text with commas in it may mean: itself, a list, an object."""
    pieces = text.split(between or BETWEEN.get(written.style, ","))
    pieces = [each.strip() for each in pieces] if strip else pieces
    found = [*single(text), ReadList(tuple(map(single, pieces)))]
    if written.explode and all("=" in each for each in pieces):
        found.append(ReadObject({each.partition("=")[0]: single(each.partition("=")[2]) for each in pieces}))
    elif not written.explode and len(pieces) % 2 == 0:
        found.append(ReadObject({name: single(each) for name, each in zip(pieces[::2], pieces[1::2], strict=True)}))
    return found


def _in_path(written: WrittenParameter, text: str) -> Readings:
    if (content := _content(written, text)) is not None:
        return content
    if written.style == "label":
        if not text.startswith("."):
            return []
        return _split(written, text[1:], between="." if written.explode else ",")
    if written.style != "matrix":
        return _split(written, text)
    if not text.startswith(";"):
        return []
    pairs = [each.partition("=") for each in text[1:].split(";")]
    texts = [value for name, _, value in pairs if name == written.name]
    if len(texts) == len(pairs):
        return _read_named(written, texts)
    return [ReadObject({name: single(value) for name, _, value in pairs})] if written.explode else []


def _read_repeated(pairs: Iterable[tuple[str, str]], name: str) -> Readings:
    """Return what a name means that may be there several times."""
    texts = [text for key, text in pairs if key == name]
    return [reading for text in dict.fromkeys((texts[-1], texts[0])) for reading in single(text)] + [
        ReadList(tuple(map(single, texts)))
    ]


def _deep(name: str, pairs: Iterable[tuple[str, str]]) -> Readings:
    """Return the object that names with brackets make."""
    grown: dict[str, object] = {}
    for key, text in pairs:
        if not re.fullmatch(re.escape(name) + r"(\[[^\[\]]+\])+", key):
            continue
        inside = grown
        *above, last = re.findall(r"\[([^\[\]]+)\]", key[len(name) :])
        for step in above:
            deeper = inside.setdefault(step, {})
            if not isinstance(deeper, dict):
                return []
            inside = deeper
        texts = inside.setdefault(last, [])
        if not isinstance(texts, list):
            return []
        texts.append(text)
    return [_read_grown(grown)] if grown else []


def _read_grown(inside: dict[str, object]) -> ReadObject:
    return ReadObject(
        {
            name: [_read_grown(each)] if isinstance(each, dict) else _read_repeated([("", text) for text in each], "")
            for name, each in inside.items()
            if isinstance(each, dict | list)
        }
    )


# -- bodies --------------------------------------------------------------------------------------------------------


def media_of(request: Request, written: WrittenOperation) -> WrittenBody | None:
    """Return the media type that a body is of, among those that the operation takes."""
    sent = (request.content_type or "").partition(";")[0].strip().lower()
    for media, body in written.bodies.items():
        bare = media.partition(";")[0].strip().lower()
        if bare == sent or bare == "*/*" or (bare.endswith("/*") and sent.startswith(bare[:-1])):
            return body
    return None


def read_body(request: Request, written: WrittenBody, names: frozenset[str] = frozenset()) -> Readings:
    """Return what a body may mean; nothing, if it cannot be read.

    `names` are the fields that a form is said to have; others are passed over by most servers.
    """
    body = request.body or b""
    match kind_of_media(written.media):
        case "json":
            return _json(body)
        case "form":
            pairs = parse_qsl(body.decode("utf-8", "replace"), keep_blank_values=True)
            return _read_fields(pairs, written, names)
        case "multipart":
            parts = read_parts(body, request.content_type or "")
            return [] if parts is None else _read_fields(parts, written, names)
    try:
        return single(body.decode())
    except UnicodeDecodeError:
        return []


def _read_fields(pairs: list[tuple[str, str]], written: WrittenBody, names: frozenset[str]) -> Readings:
    found: dict[str, Readings] = {}
    used: set[str] = set()
    for name, known in written.fields.items():
        if known.style is not None:
            others = frozenset(("query", each) for each in written.fields if each != name)
            arrived = Arrived({}, tuple(pairs), {}, (), others)
            readings = read_parameter(known.style, arrived)
            if readings is not None:
                found[name] = readings
                used |= {key for key, _ in pairs if key == name or key.startswith(f"{name}[")}
    for name in dict.fromkeys(name for name, _ in pairs):
        if name not in used:
            texts = [text for key, text in pairs if key == name]
            items = tuple(
                [*single(text), *(each for each in _json(text) if isinstance(each, list | dict))] for text in texts
            )
            ends = dict.fromkeys((0, len(items) - 1))  # which of several is taken, servers differ in
            found[name] = [*(reading for at in ends for reading in items[at]), ReadList(items)]
    described = {name: each for name, each in found.items() if name in names}
    return [ReadObject(found), *([ReadObject(described)] if names and len(described) < len(found) else [])]


def read_parts(body: bytes, content_type: str) -> list[tuple[str, str]] | None:
    """Return the names and texts of a form of several parts; nothing, if it is none."""
    found = re.search(r'boundary="?([^";]+)', content_type)
    if found is None:
        return None
    first, *parts = (b"\r\n" + body).split(b"\r\n--" + found[1].encode())
    if first or not parts or not parts[-1].startswith(b"--"):
        return None
    fields = []
    for part in parts[:-1]:
        head, blank, content = part.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        name = re.search(rb'name="([^"]*)"', head)
        if not blank or name is None:
            return None
        text = name[1].decode().replace("%22", '"').replace("%0D", "\r").replace("%0A", "\n")
        fields.append((text, content.decode("utf-8", "surrogateescape")))
    return fields
