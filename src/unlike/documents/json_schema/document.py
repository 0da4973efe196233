"""A document with schemas in it, and one schema of it: what it accepts, and the words for it."""

from __future__ import annotations

import functools
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

from unlike.core import FOREVER, Deadline
from unlike.documents.files import read_document
from unlike.documents.json_schema.formats import FormatRules
from unlike.documents.json_schema.keywords import identity
from unlike.documents.json_schema.located import Located
from unlike.documents.json_schema.patterns import NAMED, respell
from unlike.documents.json_schema.validator import DIALECTS, LATEST, Given, explain_references, file_uri, validator_at
from unlike.errors import SpecError, nearest
from unlike.request import Request
from unlike.structure.building import data
from unlike.structure.paired_bounds import pair_bounds
from unlike.structure.shapes import Check, Described, Judged, Shape, Whole
from unlike.structure.unroll import DEPTH

if TYPE_CHECKING:
    from unlike.documents.json_schema.reader import ReadSchema

OLDER = "dependencies"  # a keyword of earlier drafts that many documents without a $schema still use
MOST_TEXTS = 2_000  # that cover a schema in a program, each an assertion of it


@dataclass(frozen=True, eq=False)
class Document:
    """A JSON document, the address its references are read against, its draft, and the files other addresses mean."""

    contents: object
    address: str = field(default="", metadata={"told": False})
    dialect: str = LATEST
    resolve: Given = field(default_factory=dict, metadata={"told": False})
    remarks: tuple[str, ...] = field(default=(), metadata={"told": False})  # what a user should know of it

    def at(self, pointer: str = "", name: str = "") -> JsonSchema:
        """Return the schema at a JSON pointer: "" is the whole document, "/$defs/Pet" one of its parts."""
        pointer = pointer.removeprefix("#")
        self.value_at(pointer)
        return JsonSchema(self, pointer, name or pointer.rpartition("/")[2] or "schema")

    def value_at(self, pointer: str) -> object:
        """Return what stands at a JSON pointer, or refuse one that leads nowhere."""
        if pointer and not pointer.startswith("/"):
            raise SpecError(f"{pointer!r} is not a JSON pointer; write '/$defs/Pet' or the like")
        found = self.contents
        for part in map(unescape_pointer, pointer.split("/")[1:]):
            if isinstance(found, Mapping) and part in found:
                found = found[part]
            elif isinstance(found, list) and part.isdecimal() and int(part) < len(found):
                found = found[int(part)]
            else:
                there = [str(each) for each in found] if isinstance(found, Mapping) else []
                raise SpecError(f"{pointer!r} leads nowhere: no {part!r}; {nearest(part, there)}")
        return found

    def definitions(self) -> Iterator[tuple[str, str]]:
        """Yield the name and the pointer of every schema that the document defines for others to use."""
        for place in ("$defs", "definitions"):
            inside = self.contents.get(place) if isinstance(self.contents, Mapping) else None
            for name in inside if isinstance(inside, Mapping) else ():
                yield str(name), f"/{place}/{escape_pointer(str(name))}"


@dataclass(frozen=True, eq=False)
class JsonSchema(Described):
    """One schema: usable as an annotation, in `generate` and in `invalid`.

    `frame` names keywords, by the pointer to their schema, that hold it together and are no rules to be broken;
    `formats` says whether a format is a rule to be broken, though no validator has to look at it.
    """

    document: Document
    pointer: str = ""
    name: str = "schema"
    frame: tuple[tuple[str, str], ...] = ()
    formats: bool = field(default=False, metadata={"told": False})
    bounds: bool = field(default=False, metadata={"told": False})  # enter pairs, as other choices do

    def __repr__(self) -> str:
        return f"JsonSchema({self.name!r})"

    def breaking_formats(self, wanted: bool = True) -> JsonSchema:
        """Return the schema whose formats are rules that `invalid` and `mix` break, or are not."""
        return replace(self, formats=wanted)

    @functools.cached_property
    def validator(self) -> Any:
        """The independent validator of this schema."""
        return validator_at(self.document, self.pointer)

    def accepts(self, value: object) -> bool:
        """Tell whether the validator accepts a JSON value, and its formats where they are rules."""
        validator = self.validator.evolve(format_checker=FormatRules()) if self.formats else self.validator
        with explain_references():
            return bool(validator.is_valid(value))

    def keeps_keywords(self, value: object) -> bool:
        """Tell whether the validator accepts a JSON value, whatever its formats: one may contradict a pattern."""
        with explain_references():
            return bool(self.validator.is_valid(value))

    def shape(self, depth: int) -> Shape:
        """Return the shape of the schema, under the validator's judgement."""
        from unlike.documents.json_schema.reader import NoInstanceError

        why = ""
        for thorough in (False, True):
            try:
                return self.judge(self.read(depth=depth, thorough=thorough))
            except NoInstanceError as error:
                if not error.doubts:
                    raise SpecError(f"{self.name}: no instance is possible: {error}") from None
                why = f"{error}, but {error.doubts[0]}"
        raise SpecError(f"{self.name}: neither an instance nor a proof that there is none: {why}; take a part of it")

    def judge(self, read: ReadSchema) -> Shape:
        """Return the shape of a schema as it was read, with values that the validator accepts."""
        return Judged(self.shape_of(read), (Check("the schema", self.keeps_keywords, again=True),), self)

    def shape_of(self, read: ReadSchema) -> Shape:
        """Return the shape of a schema as it was read, with its bounds as choices if they are to enter pairs."""
        return pair_bounds(read.shape) if self.bounds else read.shape

    def pairing_bounds(self) -> JsonSchema:
        """Return the schema whose bounds enter pairs."""
        return replace(self, bounds=True)

    def request_or_none(self, value: object) -> Request | None:
        """Return the request that a value is sent as, if the schema is of those of a service."""
        del value
        return None

    def is_refused(self, value: object) -> bool:
        """Tell whether data that the validator rejects are rejected by whoever gets them, too."""
        del value
        return True

    def first_changes(self, values: Iterable[object]) -> Iterator[tuple[tuple[str, ...], str, object]]:
        """Yield changes of valid instances that are tried before all others: where, what was done, and the whole."""
        del values
        yield from ()

    def cannot_break(self, schema: object, keyword: str, place: str) -> bool:
        """Tell whether nothing that can be sent breaks a keyword."""
        del schema, keyword, place
        return False

    def broken_otherwise(self, values: Iterable[object]) -> Iterator[tuple[str, object]]:
        """Yield what breaks no keyword and is refused all the same, made of valid instances: a label, and the data."""
        del values
        yield from ()

    def same(self, shape: Shape, plain: object) -> object:
        """Return what is equal exactly for instances that are equal as JSON."""
        return identity(data(shape, plain))

    def whole(self, most: int, deadline: Deadline = FOREVER) -> Whole:
        """Return every instance, if there are few, or what has no end; out of time it is cut short."""
        from unlike.documents.json_schema.all_instances import whole

        with explain_references():
            return whole(Located(self.validator), most, deadline)

    def read(
        self,
        *,
        depth: int = DEPTH,
        thorough: bool = False,
        wide: bool = False,
        small: bool = False,
        deadline: Deadline = FOREVER,
    ) -> ReadSchema:
        """Return the schema as a finite shape.

        `thorough` also reads in how many ways `oneOf` and `not` can hold; `wide` all values of which nobody speaks;
        `small` little but what must be there.
        """
        from unlike.documents.json_schema.reader import read_located

        with explain_references():
            located = Located(self.validator)
            return read_located(located, depth=depth, thorough=thorough, wide=wide, small=small, deadline=deadline)


def load(
    source: str | os.PathLike[str] | Mapping[str, object] | bool,
    *,
    resolve: Given | None = None,
    dialect: str | None = None,
    address: str | None = None,
) -> Document:
    """Return the document in a file, or the given one.

    `resolve` says which file (or folder, or data) an address in a `$ref` means; `dialect` which draft it is of, where
    it does not say so itself ("7", "2020-12" or the address of a metaschema); `address` where it would be found.
    """
    contents: object = source
    if isinstance(source, str | os.PathLike):
        contents = read_document(source)
        address = file_uri(source) if address is None else address
    if not isinstance(contents, Mapping | bool):
        what = type(contents).__name__
        raise SpecError(f"{source!r} holds {what}, not a schema; a schema is an object, true or false")
    if dialect is not None and dialect not in DIALECTS and ":" not in dialect:
        raise SpecError(f"there is no draft {dialect!r}; there are: {', '.join(DIALECTS)}")
    said = contents.get("$schema") if isinstance(contents, Mapping) else None
    draft = said if isinstance(said, str) else DIALECTS.get(dialect or "", dialect or LATEST)
    remarks: list[str] = []
    if not isinstance(said, str) and dialect is None and OLDER in _keywords_in(contents):
        remarks.append(f"{OLDER} is no keyword of draft 2020-12, and is not looked at; say $schema, or --draft 7")
    return Document(
        respell(contents, remarks), address or "", draft, dict(resolve or {}), tuple(dict.fromkeys(remarks))
    )


def _keywords_in(contents: object) -> set[str]:
    """Return the words of a document that may be keywords: those beside no names of properties."""
    found: set[str] = set()
    todo = [contents]
    while todo:
        match todo.pop():
            case dict(part):
                found |= part.keys()
                for word, each in part.items():
                    todo += each.values() if word in NAMED and isinstance(each, dict) else [each]
            case list(part):
                todo += part
    return found


def covering_texts(schema: str, strength: str = "each") -> list[str]:
    """Return the instances of a schema that show each of its choices (or each pair, or all), as JSON in ASCII."""
    from unlike.structure.cover.execute import execute
    from unlike.structure.cover.leaves import check_strength
    from unlike.structure.cover.tree import compile_shape

    try:
        contents = json.loads(schema)
    except ValueError as error:
        raise SpecError(f"the schema is not JSON: {error}") from None
    found = load(contents).at()
    checked = check_strength(strength)
    shape = found.shape(2)
    values = [data(shape, row.plain) for row in execute(compile_shape(shape, checked), checked).rows]
    texts = dict.fromkeys(json.dumps(value) for value in values if found.accepts(value))
    if len(texts) > MOST_TEXTS:
        raise SpecError(f"the schema has {len(texts):,} combinations; cover each choice, or pairs of them")
    if not texts:
        raise SpecError("no instance of the schema was found")
    return list(texts)


def escape_pointer(name: str) -> str:
    """Return a name as a JSON pointer writes it."""
    return name.replace("~", "~0").replace("/", "~1")


def unescape_pointer(part: str) -> str:
    """Return the name that a part of a JSON pointer means."""
    return part.replace("~1", "/").replace("~0", "~")
