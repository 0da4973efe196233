"""The independent validator: jsonschema, on the document as it was given, and where its `$ref`s lead.

They lead to the document itself, to other files beside it, to files given for an address; never to the network.
"""

from __future__ import annotations

import contextlib
import functools
import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import unquote, urljoin, urlsplit
from urllib.request import url2pathname

from unlike.documents.files import read_document
from unlike.documents.json_schema.keywords import EXAMPLES, KEYWORDS
from unlike.documents.json_schema.patterns import respell
from unlike.errors import SpecError

if TYPE_CHECKING:
    from referencing import Registry, Resource
    from referencing.jsonschema import Schema

    from unlike.documents.json_schema.document import Document

Given = Mapping[str, str | os.PathLike[str] | object]
DIALECTS = {
    "4": "http://json-schema.org/draft-04/schema#",
    "6": "http://json-schema.org/draft-06/schema#",
    "7": "http://json-schema.org/draft-07/schema#",
    "2019-09": "https://json-schema.org/draft/2019-09/schema",
    "2020-12": "https://json-schema.org/draft/2020-12/schema",
}
LATEST = DIALECTS["2020-12"]
MOST_ERRORS = 40  # so many complaints about one value are looked at


@dataclass(frozen=True, slots=True)
class Blamed:
    """A keyword that rejects a value, the schema in which it stands, and the part of the value it is about.

    What is missing is about the place where it would be.
    """

    keyword: str
    schema: dict[str, object]
    about: tuple[str | int, ...] = ()


def validator_at(document: Document, pointer: str) -> Any:
    """Return the validator of the draft that a document names, standing at a place of it."""
    from jsonschema.validators import create, extend, validator_for

    dialect, validates = known_dialect(document.dialect, document.resolve)
    kind = validator_for({"$schema": dialect})
    _check_schema(kind, document.value_at(pointer))
    address = document.address or "urn:unlike:document"
    resource = resource_of(document.contents, dialect)
    registry = registry_of(document.resolve, dialect).with_resource(address, resource)
    base = urljoin(address, resource.id() or "")
    with explain_references():
        registry = registry.with_resource(base, resource).crawl()
        found = registry.resolver(base).lookup(f"#{pointer}")
    if not validates:
        left_out = {word for word, each in KEYWORDS.items() if each.validates}
        kept = {word: check for word, check in kind.VALIDATORS.items() if word not in left_out}
        kind = create(kind.META_SCHEMA, kept, type_checker=kind.TYPE_CHECKER)
    ours = {word: each.check for word, each in KEYWORDS.items() if each.check and (validates or not each.validates)}
    kind = extend(kind, {word: check(kind.VALIDATORS[word]) for word, check in ours.items() if word in kind.VALIDATORS})
    kind = extend(kind, {EXAMPLES: _name_examples})
    return kind(found.contents, registry=registry, _resolver=found.resolver)


class _Seeking:
    """Stands in the place of what looks at formats, where it is asked which parts have examples."""

    def check(self, instance: object, format: str) -> None:  # noqa: A002  (its callers say so)
        """Accept every text."""


SEEKING = _Seeking()


def _name_examples(validator: Any, said: object, instance: object, schema: object) -> Iterator[Any]:
    """Complain of a part that has examples, if that is asked for; they say nothing about what is valid."""
    del said, instance, schema
    from jsonschema.exceptions import ValidationError

    if validator.format_checker is SEEKING:
        yield ValidationError("has examples")


def blame(validator: Any, value: object) -> Iterator[Blamed]:
    """Yield the keywords without which a value that is rejected would be accepted, the innermost first."""
    with explain_references():
        errors = [each for error in validator.iter_errors(value) for each in _innermost(error)]
        known: set[tuple[int, str]] = set()
        for error in errors[:MOST_ERRORS]:
            schema, keyword = error.schema, error.validator
            if not isinstance(schema, dict) or keyword not in schema or (id(schema), keyword) in known:
                continue
            known.add((id(schema), keyword))
            if _accepts_without(validator, schema, keyword, value):
                yield Blamed(keyword, schema, (*error.absolute_path, *_lacking(error)))


def complaints(validator: Any, value: object, keyword: str) -> Iterator[tuple[Blamed, object]]:
    """Yield where a keyword rejects a value, alone or not, and the part of the value or the name that it rejects."""
    with explain_references():
        for error in (each for found in validator.iter_errors(value) for each in _innermost(found)):
            if error.validator == keyword and isinstance(error.schema, dict):
                yield Blamed(keyword, error.schema, tuple(error.absolute_path)), error.instance


def _accepts_without(validator: Any, schema: dict[str, object], keyword: str, value: object) -> bool:
    """Tell whether a value is an instance once a keyword is dropped; the schema is whole again afterwards."""
    whole = dict(schema)
    del schema[keyword]
    try:
        # made anew: a validator looks its keywords up when it is made
        return bool(validator.evolve(schema=validator.schema).is_valid(value))
    finally:
        schema.clear()
        schema.update(whole)


def _lacking(error: Any) -> tuple[str, ...]:
    """Return the property that an error misses, if it misses one."""
    if error.validator != "required" or not isinstance(error.instance, dict):
        return ()
    names = [name for name in error.validator_value if name not in error.instance]
    return (names[0],) if len(names) == 1 else ()


def _check_schema(kind: Any, schema: object) -> None:
    """Refuse what is no schema of the draft, with the place and the reason."""
    from jsonschema.exceptions import best_match

    error = best_match(kind(kind.META_SCHEMA).iter_errors(schema))
    if error is not None:
        place = "".join(f"/{step}" for step in error.absolute_path) or "the schema itself"
        raise SpecError(f"this is not a schema: {error.message[:200]} (at {place}); correct it")


def _innermost(error: Any) -> Iterator[Any]:
    """Yield the errors inside an error, then the error itself."""
    for inner in error.context or ():
        yield from _innermost(inner)
    yield error


@contextmanager
def explain_references() -> Iterator[None]:
    """Turn what goes wrong with references into one message with the remedy."""
    from referencing.exceptions import Unresolvable

    try:
        yield
    except Unresolvable as error:
        causes: list[BaseException] = [error]
        while (cause := causes[-1].__cause__) is not None:
            causes.append(cause)
        told = next((each for each in causes if isinstance(each, SpecError)), None)
        raise told or SpecError(f"a $ref leads nowhere: {error}") from None
    except (AttributeError, KeyError, TypeError, ValueError) as error:
        # only the schema itself was checked, not what it refers to
        raise SpecError(f"a schema in the document, or one it refers to, is malformed: {error}") from error
    except RecursionError:
        raise SpecError("the schema or the value is nested too deeply, or refers to itself without end") from None


# -- references ----------------------------------------------------------------------------------------------------


class UnresolvedError(SpecError):
    """A `$ref` that leads to no document."""


def registry_of(given: Given, dialect: str) -> Registry[Schema]:
    """Return the documents that references may lead to: the drafts themselves, what is given, files when needed."""
    from jsonschema_specifications import REGISTRY
    from referencing import Registry

    @functools.cache  # what keys of schemas stand for must stay the same object
    def retrieve(uri: str) -> Resource[Schema]:
        return resource_of(respell(contents_of(uri, given)), dialect)

    known: Registry[Schema] = Registry(retrieve=retrieve)  # type: ignore[call-arg]
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
            contents = contents_of(dialect, given)
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
    bare = uri.partition("#")[0]
    for address, target in given.items():
        if address.rstrip("#") == bare:
            return read_document(target) if isinstance(target, str | os.PathLike) else target
    for address, folder in given.items():
        if isinstance(folder, str | os.PathLike) and bare.startswith(address.rstrip("#/") + "/"):
            inside = Path(folder) / unquote(bare[len(address.rstrip("#/")) + 1 :])
            if inside.is_file():
                return read_document(inside)
    with contextlib.suppress(ValueError):  # "http://[" is no address: then nobody knows what is meant
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
