"""Rows that are there already: comma-separated values, JSON, a saved suite, rows of tests, recorded requests."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from unlike.core import Isolation
from unlike.documents.openapi.requests import Requests
from unlike.errors import ScopeError
from unlike.recipe import run
from unlike.request import Request

SAID_APART = ("cookie", "content-type", "content-length")  # headers that a request keeps elsewhere
MOST_BYTES = 200_000_000  # of a file of rows: more is no suite


def read_rows_file(path: str, flag: str) -> list[object]:
    """Return the rows of a file: FILE.csv (or .tsv, .txt as PICT writes), FILE.json, FILE.jsonl."""
    text = read_text(path, flag)
    if path.endswith((".csv", ".tsv", ".txt")):
        return rows_of_table(text, path, flag)
    try:
        if path.endswith(".jsonl"):
            found: list[Any] = [json.loads(line) for line in text.splitlines() if line.strip()]
        else:
            found = rows_of_json(json.loads(text), path, flag)
    except (ValueError, RecursionError) as error:
        raise ScopeError(f"{flag} {path!r} is no JSON: {error}") from None
    return [each["value"] if isinstance(each, dict) and {"value", "label"} <= each.keys() else each for each in found]


def read_text(path: str, flag: str) -> str:
    """Return the text of a file, or one clear message."""
    file = Path(path)
    try:
        if file.is_file() and file.stat().st_size > MOST_BYTES:
            raise ScopeError(f"{flag} {path!r} has more than {MOST_BYTES:,} bytes")
        return file.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise ScopeError(f"{flag} {path!r} cannot be read: {error.strerror or error}") from None
    except UnicodeDecodeError as error:
        raise ScopeError(f"{flag} {path!r} is no text in UTF-8: {error}") from None


def rows_of_table(text: str, path: str, flag: str) -> list[object]:
    """Return the rows of a table whose first line has the names; an empty cell is not given."""
    first = text.partition("\n")[0]
    delimiter = "\t" if "\t" in first else ","
    lines = list(csv.reader(io.StringIO(text), delimiter=delimiter))
    if not lines or not any(lines[0]):
        raise ScopeError(f"{flag} {path!r}: the first line has the names of the columns; it is empty")
    names = [name.strip() for name in lines[0]]
    found: list[object] = []
    for number, line in enumerate(lines[1:], 2):
        if len(line) > len(names):
            raise ScopeError(f"{flag} {path!r}, line {number}: {len(line)} cells for {len(names)} columns")
        cells = {name: _cell(text.strip()) for name, text in zip(names, line, strict=False) if text.strip()}
        if cells:
            found.append(cells)
    return found


def _cell(text: str) -> object:
    """Return a cell as it was written: JSON where that is no mere word."""
    if text.startswith(("{", "[")) or text in ("true", "false", "null"):
        try:
            return json.loads(text)
        except (ValueError, RecursionError):
            return text
    return text.removeprefix("~")


def rows_of_json(data: object, path: str, flag: str) -> list[Any]:
    """Return the rows of a list, of an answer of unlike, or of a saved suite of inputs."""
    if isinstance(data, list):
        return data
    if isinstance(data, dict):
        cases = data.get("cases")
        inputs = cases.get("inputs") if isinstance(cases, dict) else data.get("inputs")
        if isinstance(inputs, list):
            return inputs
    raise ScopeError(f"{flag} {path!r} holds no rows; it must be a list, or what `unlike generate` wrote")


def rows_of_test_file(source: str, space: object, isolation: Isolation) -> list[object]:
    """Return the rows of `pytest.mark.parametrize` in a test file: those of one test, or of all that fit."""
    from unlike.behaviour.rows_of_tests import read_rows

    try:
        found = [run(row.columns) for row in read_rows(source, (), isolation)]
    except ScopeError as error:
        raise ScopeError(str(error).replace("beside=", "--of ", 1)) from None
    return [_row_in(row, space) for row in found]


def _row_in(row: object, space: object) -> object:
    """Return the input in a row: the columns themselves, or the one column that holds it."""
    if isinstance(row, dict):
        for each in row.values():
            if isinstance(space, type) and isinstance(each, space):
                return each
        if len(row) == 1 and isinstance(next(iter(row.values())), dict):
            return next(iter(row.values()))
    return row


def read_har(path: str, requests: Requests) -> list[object]:
    """Return the values of the requests of an operation in a recording (HAR)."""
    try:
        recorded = json.loads(read_text(path, "--of"))
        entries = [each["request"] for each in recorded["log"]["entries"]]
        sent = [_request_of(each) for each in entries]
    except (ValueError, RecursionError) as error:
        raise ScopeError(f"--of {path!r} is no recording of requests (HAR): {error}") from None
    except (KeyError, TypeError) as error:
        raise ScopeError(f"--of {path!r} is no recording of requests (HAR): {error} is not there") from None
    return [value for each in sent if (value := requests.value_of(each)) is not None]


def _request_of(entry: dict[str, Any]) -> Request:
    parts = urlsplit(entry["url"])
    headers = [(each["name"], each["value"]) for each in entry.get("headers", ())]
    body = entry.get("postData") or {}
    kept = tuple((name, text) for name, text in headers if name.lower() not in SAID_APART)
    sent = [text for name, text in headers if name.lower() == "cookie"]
    cookies = [each.strip().partition("=") for text in sent for each in text.split(";")]
    media = body.get("mimeType") or next((text for name, text in headers if name.lower() == "content-type"), None)
    text = body.get("text")
    return Request(
        entry["method"].upper(),
        parts.path,
        parts.query,
        kept,
        tuple((name, value) for name, _, value in cookies),
        None if text is None else str(text).encode(),
        media if text is not None else None,
    )
