"""`unlike.spec(FILE)`: the schemas in a file by name, each usable as an annotation and in `generate`."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping

from unlike.errors import SpecError, nearest
from unlike.formats.json_schema.document import JsonSchema, load
from unlike.formats.json_schema.references import Given

WHOLE = "#"


class SpecFile(Mapping[str, JsonSchema]):
    """The schemas of a file by name; the whole document goes by "#"."""

    def __init__(self, path: str, schemas: Mapping[str, JsonSchema]) -> None:
        self._path = path
        self._schemas = dict(schemas)

    def __getitem__(self, name: str) -> JsonSchema:
        if name not in self._schemas:
            raise SpecError(f"{self._path!r} has no schema {name!r}; {nearest(name, self._schemas)}")
        return self._schemas[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._schemas)

    def __len__(self) -> int:
        return len(self._schemas)

    def __repr__(self) -> str:
        return f"SpecFile({self._path!r}: {', '.join(self._schemas)})"


def spec(path: str | os.PathLike[str], *, resolve: Given | None = None) -> SpecFile:
    """Return the schemas of a JSON Schema file by name; `resolve` says which file an address in a `$ref` means."""
    document = load(path, resolve=resolve)
    schemas = {WHOLE: document.at("", name=os.fspath(path))}
    schemas |= {name: document.at(pointer, name) for name, pointer in document.definitions()}
    return SpecFile(os.fspath(path), schemas)
