"""`--schema FILE` and `--resolve URL=FILE`: which schema, and which file stands for an address."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from unlike.documents.json_schema.document import JsonSchema, load
from unlike.errors import ScopeError


def schema_in(source: str, resolve: Iterable[str] = ()) -> JsonSchema:
    """Return the schema in a file, or a part of it: FILE, or FILE#/$defs/Pet."""
    path, _, pointer = source.partition("#")
    if Path(source).is_file():
        path, pointer = source, ""
    name = pointer.rpartition("/")[2] or Path(path).name
    return load(path, resolve=files_by_address(resolve)).at(pointer, name)


def files_by_address(given: Iterable[str]) -> dict[str, str]:
    """Return which file each address means: `URL=FILE`, or `URL=FOLDER` for all addresses that begin so."""
    found = {}
    for each in given:
        address, equals, target = each.rpartition("=")
        if not equals or not address:
            raise ScopeError(f"--resolve {each!r}: write --resolve URL=FILE")
        if not Path(target).exists():
            raise ScopeError(f"--resolve {each!r}: there is no file {target!r}")
        found[address] = target
    return found
