"""From a file to its text or its JSON data, within limits that hold for every file that is read: bytes and depth.

A limit is looked at before the file is: no file, however large or deep, takes the memory or the stack of a command.
"""

from __future__ import annotations

import json
import os
from typing import Any

from unlike.errors import UnlikeError

MOST_BYTES = 20_000_000  # ten times the largest descriptions of services that are published
MOST_SAVED_BYTES = 200_000_000  # of what unlike itself wrote: inputs and recipes, which may be very many
MOST_DEPTH = 200  # what reads data later goes down by calling itself
MOST_DIGITS = 4_300  # of a whole number, the most that Python writes


class FileLimitError(UnlikeError, ValueError):
    """A file that is larger, or nested deeper, than files may be."""


def read_bytes_within(path: str | os.PathLike[str], most: int = MOST_BYTES) -> bytes:
    """Return what a file holds, or refuse it if that is too much; a device without end is no exception."""
    with open(path, "rb") as file:  # noqa: PTH123  # read up to a bound
        raw = file.read(most + 1)
    if len(raw) > most:
        raise FileLimitError(
            f"it has more than {most:,} bytes, the most that are read; split it, or keep what is needed"
        )
    return raw


def read_text_within(path: str | os.PathLike[str], most: int = MOST_BYTES) -> str:
    """Return the text of a file in UTF-8 with lines that end as Python's do, within the limits."""
    return read_bytes_within(path, most).decode("utf-8").replace("\r\n", "\n").replace("\r", "\n")


def read_json_within(path: str | os.PathLike[str], most: int = MOST_SAVED_BYTES) -> Any:
    """Return the data of a JSON file, within the limits."""
    return parse_json_within(read_text_within(path, most))


def parse_json_within(text: str) -> Any:
    """Return the data of a JSON text, or refuse them if they are nested too deep."""
    try:
        data = json.loads(text)
    except RecursionError:
        raise too_deep() from None
    check_data_depth(data)
    return data


def check_data_depth(data: object) -> None:
    """Refuse data that are nested too deep, or hold a whole number of too many digits."""
    level, depth = [data], 0
    while level:
        depth += 1
        if depth > MOST_DEPTH:
            raise too_deep()
        if any(isinstance(each, int) and each.bit_length() > MOST_DIGITS * 3 for each in level):
            raise FileLimitError(
                f"it holds a whole number of more than about {MOST_DIGITS:,} digits; write a smaller one"
            )
        nested = (each.values() if isinstance(each, dict) else each for each in level if isinstance(each, dict | list))
        level = [inner for each in nested for inner in each]


def too_deep() -> FileLimitError:
    """Return the error for data that are nested too deep."""
    return FileLimitError(f"it is nested more than {MOST_DEPTH} levels deep; move inner parts out")
