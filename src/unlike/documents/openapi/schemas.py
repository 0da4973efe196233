"""Schemas of a description as one JSON Schema that stands alone.

What is referred to becomes a definition under `$defs`, by its own name. In a request, properties that are only read
are left out. 3.1 is JSON Schema already. 3.0 and Swagger 2 say `nullable`, exclusive bounds as true or false, and
formats for the sizes of numbers; beside a `$ref` they say nothing.

A discriminator says by a property which of several schemas is meant. It never changes what is valid, so it becomes a
hint. Beside `oneOf` or `anyOf` it tells the listed schemas apart. On its own it tells apart the schemas that extend the
one it stands in: its heirs, which name it in their `allOf`. Formats of numbers and bytes are hints, too.
"""

from __future__ import annotations

import contextlib
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import quote

from unlike.documents.files import Data
from unlike.documents.json_schema.document import escape_pointer
from unlike.documents.json_schema.keywords import EXAMPLES, HINT
from unlike.documents.openapi.references import DocumentPlace, Documents, Object
from unlike.errors import SpecError

Key: TypeAlias = tuple[str, str]  # of a place
ONE = (
    *("additionalProperties", "items", "not", "if", "then", "else", "contains", "propertyNames"),
    *("unevaluatedItems", "unevaluatedProperties", "additionalItems"),
)
MANY = ("allOf", "anyOf", "oneOf", "prefixItems")
NAMED = ("properties", "patternProperties", "dependentSchemas")
INNER = (*ONE, *MANY, *NAMED)

TYPES = ("string", "number", "integer", "boolean", "array", "object", "null")
SIZES = {"int32": 2**31, "int64": 2**63}
BASE64 = "^([A-Za-z0-9+/]{4})*([A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$"
# what says nothing about instances, or what is said in another way here
SILENT = {
    "$anchor", "$comment", "$defs", "$dynamicAnchor", "$recursiveAnchor", "$recursiveRef", "$ref", "$schema",
    "default", "definitions", "deprecated", "description", "discriminator", "example", "examples", "externalDocs",
    "nullable", "readOnly", "summary", "title", "writeOnly", "xml",
}  # fmt: skip
NOT_READ = {"$id": "give the schema no address of its own", "$dynamicRef": "use $ref"}


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A definition to be written: of which schema, whether without its heirs, and without which properties."""

    at: DocumentPlace
    bare: bool
    without: frozenset[str] = frozenset()

    @property
    def key(self) -> object:
        return self.at.key, self.bare, self.without


class Conversion:
    """Turns schemas of a description into JSON Schema, collecting the definitions they need."""

    def __init__(
        self, places: Documents, families: Families, *, modern: bool, request: bool, response: bool = False
    ) -> None:
        self.places = places
        self.families = families
        self.modern = modern
        self.request = request
        self.response = response
        self._names: dict[object, str] = {}
        self._waiting: deque[tuple[str, _Wanted]] = deque()

    def whole(self, entry: Data) -> Object:
        """Return a document that stands alone: the entry, and the definitions that it leads to."""
        definitions: Object = {}
        while self._waiting:
            name, wanted = self._waiting.popleft()
            definitions[name] = self._definition(wanted)
        found: Object = dict(entry) if isinstance(entry, dict) else {"allOf": [entry]}
        if definitions:
            found["$defs"] = {name: definitions[name] for name in sorted(definitions)}
        return found

    def refer_to(self, at: DocumentPlace) -> Object:
        """Return a reference to the definition of a schema."""
        return {"$ref": self._address(_Wanted(at, bare=False))}

    def schema(self, at: DocumentPlace, without: frozenset[str] = frozenset(), *, bare: bool = False) -> Data:
        """Return a schema in the words of JSON Schema; `without` names required properties that are only read."""
        if isinstance(at.value, bool):
            return at.value
        schema = at.object()
        ref = schema.get("$ref")
        if isinstance(ref, str):
            self.places.follow(at)  # a circle is told in the words of the description
            reference: Object = {"$ref": self._refer(ref, at, without, bare=bare)}
            if not self.modern or len(schema) == 1:
                return reference
        else:
            reference = {}
        if self.request or self.response:
            without |= self.only_read(at)
        found = words_of(at, modern=self.modern)
        required = found.get("required")
        if isinstance(required, list) and without:
            found["required"] = [name for name in required if not (isinstance(name, str) and name in without)]
        self._inner(found, at, without)
        if given := self._examples(at):
            found[EXAMPLES] = given
        self.families.split(found, at)
        return {**reference, **found}

    def _inner(self, found: Object, at: DocumentPlace, without: frozenset[str]) -> None:
        schema = at.object()
        for word in ONE:
            if isinstance(inner := schema.get(word), list):  # as older drafts write tuples
                found["prefixItems"] = [self.schema(at.into(word, index)) for index in range(len(inner))]
            elif word in schema:
                found[word] = self.schema(at.into(word))
        for word in MANY:
            if word in schema:
                passed = without if word == "allOf" else frozenset[str]()
                bare = word == "allOf" and self.families.is_heir(at)
                found[word] = [self.schema(each, passed, bare=bare) for each in at.items(word)]
        for word in NAMED:
            if word in schema:
                found[word] = {
                    name: self.schema(each)
                    for name, each in at.entries(word)
                    if not (word == "properties" and self.request and self._is_only_read(each))
                }

    def _examples(self, at: DocumentPlace) -> list[Data]:
        """Return the default and the examples that a schema gives, each after its word."""
        schema = at.object()
        given: list[tuple[str, Data]] = [(word, schema[word]) for word in ("default", "example") if word in schema]
        listed = schema.get("examples")
        given += [("example", each) for each in listed] if isinstance(listed, list) else []
        return [[word, self.sendable(at, each)] for word, each in given]

    def sendable(self, at: DocumentPlace, value: Data) -> Data:
        """Return an example of a schema without what is only read, if it is sent."""
        if not self.request or not isinstance(value, dict | list):
            return value
        if isinstance(value, list):
            inside = self.places.follow(at)
            has_items = isinstance(inside.value, dict) and isinstance(inside.value.get("items"), dict)
            return [self.sendable(inside.into("items"), each) for each in value] if has_items else value
        found = {name: each for name, each in value.items() if name not in self.only_read(at)}
        for part in self._parts(at):
            for name, inner in part.entries("properties"):
                if name in found:
                    found[name] = self.sendable(inner, found[name])
        return found

    def _refer(self, ref: str, at: DocumentPlace, without: frozenset[str], *, bare: bool) -> str:
        target = self.places.resolve_reference(ref, at)
        known = without & frozenset(self._required_names(target)) if without else without
        bare = bare and (self.families.has_heirs(target) or self.families.is_heir(target))
        return self._address(_Wanted(target, bare, known))

    def _address(self, wanted: _Wanted) -> str:
        if wanted.key not in self._names:
            name = wanted.at.name + (" itself" if wanted.bare else "")
            if wanted.without:
                name += f" without {', '.join(sorted(wanted.without))}"
            taken = set(self._names.values())
            number = 1
            while (unique := name if number == 1 else f"{name} {number}") in taken:
                number += 1
            self._names[wanted.key] = unique
            self._waiting.append((unique, wanted))
        return f"#/$defs/{quote(escape_pointer(self._names[wanted.key]), safe='~')}"

    def _definition(self, wanted: _Wanted) -> Data:
        at = wanted.at
        if not wanted.bare and self.families.has_heirs(at):
            return self._one_of_a_family(at)
        found = self.schema(at, wanted.without)
        told = {} if wanted.bare else self.families.told_apart(at)
        if not told or not isinstance(found, dict):
            return found
        return _hinting(found, told)

    def _one_of_a_family(self, at: DocumentPlace) -> Data:
        """Return the choice among a schema and those that extend it, told apart by the discriminator."""
        members: list[Data] = []
        itself: Object = {"$ref": self._address(_Wanted(at, bare=True))}
        if own := self.families.own_mark(at):
            members.append(_hinting(itself, own))
        members += [self.refer_to(heir) for heir in self.families.heirs(at)]
        # whoever extends a schema is one of it: to show them all changes nothing of what is valid
        return _hinting(itself, {"anyOf": members})

    def only_read(self, at: DocumentPlace) -> frozenset[str]:
        """Return the properties that are only read (in responses: only written), of a schema and what it is made of."""
        return frozenset(
            name for part in self._parts(at) for name, each in part.entries("properties") if self._is_only_read(each)
        )

    def _required_names(self, at: DocumentPlace) -> set[str]:
        listed = [part.object().get("required") for part in self._parts(at)]
        return {str(name) for names in listed if isinstance(names, list) for name in names}

    def _parts(self, at: DocumentPlace) -> list[DocumentPlace]:
        """Return a schema and those that it joins by allOf, each once."""
        found: dict[tuple[str, str], DocumentPlace] = {}
        waiting = [at]
        while waiting:
            part = self.places.follow(waiting.pop())
            if part.key in found or not isinstance(part.value, dict):
                continue
            found[part.key] = part
            waiting += part.items("allOf")
        return list(found.values())

    def _is_only_read(self, at: DocumentPlace) -> bool:
        word = "writeOnly" if self.response else "readOnly"
        if isinstance(at.value, dict) and self.modern and at.value.get(word) is True:
            return True
        value = self.places.follow(at).value
        return isinstance(value, dict) and value.get(word) is True


# -- the words of a schema -----------------------------------------------------------------------------------------


def words_of(at: DocumentPlace, *, modern: bool) -> Object:
    """Return what a schema says itself, without its inner schemas and its reference."""
    schema = at.object()
    for word, remedy in NOT_READ.items():
        if word in schema:
            raise at.wrong(f"{word} is not supported in service descriptions", remedy)
    kept = {word: each for word, each in schema.items() if word not in SILENT and word not in INNER}
    found = {word: each for word, each in kept.items() if not word.startswith("x-")}
    _say_types(found, schema, at, modern=modern)
    if not isinstance(found.get("required", []), list):
        del found["required"]  # a habit of older drafts: true beside a property says nothing
    _say_bounds(found)
    _say_formats(found)
    return found


def _say_types(found: Object, schema: Object, at: DocumentPlace, *, modern: bool) -> None:
    kind = schema.get("type")
    if kind is None:
        return
    if kind == "file":  # Swagger 2: what is uploaded
        found["type"] = kind = "string"
    kinds = kind if isinstance(kind, list) else [kind]
    for each in kinds:
        if each not in TYPES:
            raise at.into("type").wrong(f"{each!r} is no type", f"there are: {', '.join(TYPES)}")
    if not modern and schema.get("nullable") is True and "null" not in kinds:
        found["type"] = [*kinds, "null"]


def _say_bounds(found: Object) -> None:
    for word, bound in (("exclusiveMinimum", "minimum"), ("exclusiveMaximum", "maximum")):
        if not isinstance(found.get(word), bool):
            continue
        excluded = found.pop(word)
        if excluded and bound in found:
            found[word] = found.pop(bound)


def _say_formats(found: Object) -> None:
    """Hint at what the formats of numbers and bytes mean."""
    form, kind = found.get("format"), found.get("type")
    kinds = kind if isinstance(kind, list) else [kind]
    if isinstance(form, str) and form in SIZES and "integer" in kinds:
        size = SIZES[form]
        found[HINT] = {"minimum": -size, "maximum": size - 1}
    if form == "byte" and "string" in kinds and "pattern" not in found:
        found[HINT] = {"pattern": BASE64}


def _hinting(schema: Object, hint: Object) -> Object:
    """Return the schema with one more hint."""
    known = schema.get(HINT)
    return {**schema, HINT: hint if known is None else {"allOf": [known, hint]}}


# -- discriminators ------------------------------------------------------------------------------------------------


class Families:
    """Which models extend which, and by what values they are told apart."""

    def __init__(self, places: Documents, models: dict[str, DocumentPlace]) -> None:
        self.places = places
        self.models = models
        self._heirs: dict[Key, list[DocumentPlace]] = {}
        self._parents: dict[Key, list[DocumentPlace]] = {}
        for model in models.values():
            if not isinstance(model.value, dict):
                continue
            for part in model.items("allOf"):
                if isinstance(part.value, dict) and "$ref" in part.value:
                    with contextlib.suppress(SpecError):  # told where it is needed
                        parent = places.follow(part)
                        self._heirs.setdefault(parent.key, []).append(model)
                        self._parents.setdefault(model.key, []).append(parent)

    def split(self, found: Object, at: DocumentPlace) -> None:
        """Say of each alternative of a schema which values of the discriminator mean it."""
        name = _property(at)
        word = next((word for word in ("oneOf", "anyOf") if word in at.object()), None)
        if name is None or word is None:
            return
        branches = found[word]
        assert isinstance(branches, list)
        for index, inner in enumerate(at.items(word)):
            branch = branches[index]
            if isinstance(inner.value, dict) and "$ref" in inner.value and isinstance(branch, dict):
                target = self.places.follow(inner)
                branches[index] = _hinting(branch, _mark(name, self._values(at, target)))

    def has_heirs(self, at: DocumentPlace) -> bool:
        """Tell whether a schema stands for those that extend it, too, told apart by its own discriminator."""
        return (
            isinstance(at.value, dict)
            and _property(at) is not None
            and not any(word in at.value for word in ("oneOf", "anyOf"))
            and bool(self.heirs(at))
        )

    def is_heir(self, at: DocumentPlace) -> bool:
        """Tell whether a schema is a model that extends others."""
        return at.key in self._parents

    def heirs(self, at: DocumentPlace) -> list[DocumentPlace]:
        """Return all models that extend a schema, directly or not, in the order of the document."""
        found = _relatives(at, self._heirs)
        return [model for model in self.models.values() if model.key in found and model.key != at.key]

    def own_mark(self, at: DocumentPlace) -> Object:
        """Return what tells a schema itself from its heirs; nothing if the mapping speaks of heirs only."""
        name = _property(at)
        assert name is not None
        if _mapping(at) and not self._mapped_values(at, at):
            return {}
        return _mark(name, self._values(at, at))

    def told_apart(self, at: DocumentPlace) -> Object:
        """Return what tells a model from all others that extend the same schemas."""
        owners = [(name, parent) for parent in _relatives(at, self._parents).values() if (name := _property(parent))]
        marks: Object = {name: _one_of(self._values(parent, at)) for name, parent in owners}
        return {"properties": marks, "required": list(marks)} if marks else {}

    def _values(self, owner: DocumentPlace, target: DocumentPlace) -> list[str]:
        """Return the values of a discriminator that mean a schema: what the mapping says, else its name."""
        return self._mapped_values(owner, target) or [target.name]

    def _mapped_values(self, owner: DocumentPlace, target: DocumentPlace) -> list[str]:
        return [value for value, ref in _mapping(owner).items() if self._means(ref, owner, target)]

    def _means(self, ref: Data, owner: DocumentPlace, target: DocumentPlace) -> bool:
        if not isinstance(ref, str):
            return False
        model = self.models.get(ref)  # a bare name is allowed
        return (model or self.places.follow(self.places.resolve_reference(ref, owner))).key == target.key


def _relatives(at: DocumentPlace, nearest: Mapping[Key, list[DocumentPlace]]) -> dict[Key, DocumentPlace]:
    """Return the heirs of a schema, or the schemas that it extends, directly or not."""
    found: dict[Key, DocumentPlace] = {}
    waiting = [at]
    while waiting:
        for each in nearest.get(waiting.pop().key, []):
            if each.key not in found:
                found[each.key] = each
                waiting.append(each)
    return found


def _property(at: DocumentPlace) -> str | None:
    """Return the property that a schema's discriminator names."""
    found = at.object().get("discriminator")
    if isinstance(found, dict):
        return at.into("discriminator").text("propertyName")
    return found if isinstance(found, str) else None


def _mapping(at: DocumentPlace) -> Object:
    found = at.object().get("discriminator")
    mapping = found.get("mapping") if isinstance(found, dict) else None
    return mapping if isinstance(mapping, dict) else {}


def _mark(name: str, values: list[str]) -> Object:
    """Return that a property has one of the values, and is there."""
    return {"properties": {name: _one_of(values)}, "required": [name]}


def _one_of(values: list[str]) -> Object:
    return {"const": values[0]} if len(values) == 1 else {"enum": list(values)}
