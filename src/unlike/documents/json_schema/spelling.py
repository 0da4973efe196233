"""A document in the spelling that everyone here reads: patterns as Python reads them, `nullable` as a type.

Only what Python's `re` cannot read is spelt anew; what it reads stays as it is written.
"""

from __future__ import annotations

from collections.abc import Mapping

from unlike.documents.json_schema.patterns import is_python, python_pattern
from unlike.errors import SpecError

DATA = ("enum", "const", "default", "example", "examples")


def spelt(contents: object) -> object:
    """Return the document as everyone reads it: the same object where nothing has to change."""
    try:
        return _spelt(contents)
    except RecursionError:
        raise SpecError("the document is nested too deeply to be read") from None


def _spelt(part: object) -> object:
    if isinstance(part, list):
        items = [_spelt(each) for each in part]
        return items if any(new is not old for new, old in zip(items, part, strict=True)) else part
    if not isinstance(part, Mapping):
        return part
    found = {key: value if key in DATA else _spelt(value) for key, value in part.items()}
    if isinstance(found.get("pattern"), str):
        found["pattern"] = _readable(str(found["pattern"]))
    inner = found.get("patternProperties")
    if isinstance(inner, Mapping) and not all(is_python(str(key)) for key in inner):
        found["patternProperties"] = {_readable(str(key)): value for key, value in inner.items()}
    if found.get("nullable") is True:
        found = _nullable(found)
    return found if any(found[key] is not part.get(key) for key in found) else part


def _readable(pattern: str) -> str:
    return pattern if is_python(pattern) else python_pattern(pattern)


def _nullable(schema: dict[str, object]) -> dict[str, object]:
    """Return the schema with null among its types, as `nullable: true` means it."""
    kind, values = schema.get("type"), schema.get("enum")
    if isinstance(kind, str):
        schema = {**schema, "type": [kind, "null"]}
    elif isinstance(kind, list) and "null" not in kind:
        schema = {**schema, "type": [*kind, "null"]}
    if isinstance(kind, str) and isinstance(values, list) and None not in values:
        schema = {**schema, "enum": [*values, None]}
    return schema
