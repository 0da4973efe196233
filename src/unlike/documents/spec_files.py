"""`unlike.spec(FILE)`: what a file defines, by name, each usable as an annotation and in `generate`.

The file says itself what it is: a service description (OpenAPI, Swagger), an input specification with named patterns,
or else a JSON Schema; a model of PICT is told by its ending, .pict.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any, NoReturn

from unlike.documents.files import read_source
from unlike.documents.json_schema.document import load
from unlike.documents.json_schema.validator import Given, file_uri
from unlike.errors import SpecError, nearest

WHOLE = "#"


class SpecFile(dict[str, Any]):
    """What a file defines, by name; the whole of a JSON Schema goes by "#"."""

    def __init__(self, path: str, definitions: Mapping[str, object]) -> None:
        super().__init__(definitions)
        self._path = path

    def __missing__(self, name: str) -> NoReturn:
        raise SpecError(f"{self._path!r} has no {name!r}; {nearest(name, self)}")

    def __repr__(self) -> str:
        return f"SpecFile({self._path!r}: {', '.join(self)})"


def spec(
    path: str | os.PathLike[str] | dict[str, Any], *, resolve: Given | None = None, dialect: str | None = None
) -> Mapping[str, Any]:
    """Return what a file (`-`: standard input), an address on this machine or a dict defines, by name.

    These are models and requests of a service description, definitions of a JSON Schema or of an input specification.
    `resolve` says which file an address in a `$ref` means, `dialect` of which draft a
    JSON Schema is that does not say it ("7", "2020-12").
    """
    from unlike.documents.input_specs import is_input_spec, read_input_spec
    from unlike.documents.openapi.api import ServiceApi, version_of

    if not isinstance(path, str | os.PathLike | dict):
        raise SpecError(f"spec({path!r}): name a file, as in unlike.spec('schema.json')")
    if not isinstance(path, dict) and str(path).endswith(".pict"):
        from unlike.documents.pict import read_pict  # a schema needs none of it

        return SpecFile(str(path), {WHOLE: read_pict(str(path))})
    contents, name = read_source(path)
    if version_of(contents) is not None:
        return ServiceApi(contents, name, resolve=resolve)
    if isinstance(contents, dict) and is_input_spec(contents):
        return SpecFile(name, read_input_spec(contents, name))
    if not isinstance(contents, dict | bool):
        raise SpecError(f"{name!r} holds {type(contents).__name__}, not a schema; a schema is an object, true or false")
    document = load(contents, resolve=resolve, dialect=dialect, address=file_uri(name))
    schemas = {WHOLE: document.at("", name=name)}
    schemas |= {each: document.at(pointer, each) for each, pointer in document.definitions()}
    return SpecFile(name, schemas)
