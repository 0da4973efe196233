"""`unlike generate --schema FILE`: a JSON Schema becomes instances, or data that break its keywords."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from unlike.cli.types import give
from unlike.errors import ScopeError
from unlike.formats.json_schema.document import JsonSchema, load
from unlike.writers.json_texts import json_texts


def schema_in(source: str, resolve: Iterable[str] = ()) -> JsonSchema:
    """Return the schema in a file, or a part of it: FILE, or FILE#/$defs/Pet."""
    path, _, pointer = source.partition("#")
    if Path(source).is_file():
        path, pointer = source, ""
    name = pointer.rpartition("/")[2] or Path(path).name
    return load(path, resolve=resolved(resolve)).at(pointer, name)


def resolved(given: Iterable[str]) -> dict[str, str]:
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


def run_schema(
    schema: JsonSchema,
    *,
    n: int | None = None,
    all_: bool = False,
    cover: str | None = None,
    invalid: bool = False,
    timeout: float | None = None,
    seed: int = 0,
    format_: str = "jsonl",
    output: Path | None = None,
    count: bool = False,
    explain: bool = False,
    as_text: bool = False,
) -> int:
    """Write instances of a schema, say on standard error what they guarantee, and return the exit code."""
    from unlike.typed.broken_schemas import invalid_schema  # loaded only for schemas
    from unlike.typed.schemas import generate_schema

    if invalid and cover is not None:
        raise ScopeError(f"--invalid and --cover {cover} contradict each other; an invalid input breaks one keyword")
    suite = (
        invalid_schema(schema, n, timeout=timeout)
        if invalid
        else generate_schema(schema, "all" if all_ else n, cover=cover, timeout=timeout, seed=seed)
    )
    suite = json_texts(suite, len(suite) if n or all_ else None) if as_text else suite
    return give(suite, format_=format_, output=output, count=count, explain=explain)
