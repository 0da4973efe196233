"""From the text of a JSON document to data; what is wrong with it is told with line and column."""

from __future__ import annotations

import json
import re
from typing import NoReturn

from unlike.documents.files.limits import Data, too_deep
from unlike.errors import SpecError


class _TwiceError(Exception):
    """A key that an object has twice."""


class _NoNumberError(Exception):
    """NaN or an infinity, which Python writes though JSON has none."""


def read_json(text: str, source: str) -> Data:
    """Return the data of a JSON text."""
    try:
        data: Data = json.loads(text, object_pairs_hook=_object, parse_constant=_no_number)
    except json.JSONDecodeError as error:
        raise SpecError(f"{source}, line {error.lineno}, column {error.colno}: not JSON: {_reason(error)}") from None
    except RecursionError:
        raise too_deep(source) from None
    except _TwiceError as twice:
        key = str(twice)
        line, column = _place_of_second(text, key)
        raise SpecError(f"{source}, line {line}, column {column}: the key {key!r} is there twice; keep one") from None
    except _NoNumberError as word:
        raise SpecError(f"{source}: {word} is no JSON number; write a finite one") from None
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


def _no_number(word: str) -> NoReturn:
    raise _NoNumberError(word)


def _reason(error: json.JSONDecodeError) -> str:
    """Return what is wrong, with what stands there."""
    rest = error.doc[error.pos : error.pos + 20].split("\n")[0]
    said = (error.msg[:1].lower() + error.msg[1:]).removesuffix(" at")
    return f"{said}, at {rest!r}" if rest else f"{said}, at the end of a line or of the text"


TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|[][{},]', re.DOTALL)


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
