"""Where a `$ref` leads: the document itself, other files beside it, files given for an address; never the network."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import unquote, urlsplit
from urllib.request import url2pathname

from unlike.documents.files import read_document
from unlike.documents.json_schema.patterns import respell
from unlike.errors import SpecError

if TYPE_CHECKING:
    from referencing import Registry, Resource
    from referencing.jsonschema import Schema

Given = Mapping[str, str | os.PathLike[str] | object]
DIALECTS = {
    "4": "http://json-schema.org/draft-04/schema#",
    "6": "http://json-schema.org/draft-06/schema#",
    "7": "http://json-schema.org/draft-07/schema#",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
}
LATEST = DIALECTS["2020-12"]


class UnresolvedError(SpecError):
    """A `$ref` that leads to no document."""


def registry_of(given: Given, dialect: str) -> Registry[Schema]:
    """Return the documents that references may lead to: the drafts themselves, what is given, files when needed."""
    from jsonschema_specifications import REGISTRY
    from referencing import Registry

    known: Registry[Schema] = Registry(retrieve=_Retrieval(given, dialect))  # type: ignore[call-arg]
    both: Registry[Schema] = REGISTRY.combine(known)
    return both


def resource_of(contents: object, dialect: str) -> Resource[Schema]:
    """Return a document with the draft that it names, or else the given one."""
    from referencing import Resource
    from referencing.jsonschema import specification_with

    return Resource.from_contents(contents, default_specification=specification_with(dialect))


def known_dialect(dialect: str, given: Given) -> tuple[str, bool]:
    """Return the draft that a metaschema stands for, itself or the one it is written in, and whether it validates."""
    validates = True
    for _ in range(10):
        if dialect.rstrip("#") in {each.rstrip("#") for each in DIALECTS.values()}:
            return dialect, validates
        try:
            contents = _Retrieval(given, LATEST).contents(dialect)
        except UnresolvedError:
            break
        said = contents.get("$schema") if isinstance(contents, Mapping) else None
        if not isinstance(said, str) or said == dialect:
            break
        words = contents.get("$vocabulary") if isinstance(contents, Mapping) else None
        validates = not isinstance(words, Mapping) or any("validation" in str(each) for each in words)
        dialect = said
    raise SpecError(
        f"$schema {dialect!r} is not a draft that is supported; there are: {', '.join(DIALECTS.values())}; "
        f"the file of a metaschema of your own is given by --resolve {dialect.rstrip('#')}=FILE"
    )


def contents_of(uri: str, given: Given) -> object:
    """Return the document at an address: the one given for it, or a file; never one from the network."""
    return _Retrieval(given, LATEST).contents(uri)


class _Retrieval:
    def __init__(self, given: Given, dialect: str) -> None:
        self.given = {address.rstrip("#"): target for address, target in given.items()}
        self.dialect = dialect
        self.known: dict[str, Resource[Schema]] = {}  # what keys of schemas stand for must stay the same object

    def __call__(self, uri: str) -> Resource[Schema]:
        if uri not in self.known:
            self.known[uri] = resource_of(respell(self.contents(uri)), self.dialect)
        return self.known[uri]

    def contents(self, uri: str) -> object:
        bare = uri.partition("#")[0]
        if bare in self.given:
            target = self.given[bare]
            return read_document(target) if isinstance(target, str | os.PathLike) else target
        for address, folder in self.given.items():
            if isinstance(folder, str | os.PathLike) and bare.startswith(address.rstrip("/") + "/"):
                inside = Path(folder) / unquote(bare[len(address.rstrip("/")) + 1 :])
                if inside.is_file():
                    return read_document(inside)
        parts = urlsplit(bare)
        if parts.scheme == "file":
            return read_document(url2pathname(parts.path))
        raise UnresolvedError(
            f"$ref {uri!r} leads to a document that is not here, and nothing is fetched from the network; "
            f"give it a file: --resolve {bare or 'URL'}=FILE, or resolve={{{bare!r}: 'FILE'}}"
        )


def file_uri(path: str | os.PathLike[str]) -> str:
    """Return the address of a file, against which its references are read."""
    return Path(path).absolute().as_uri()
