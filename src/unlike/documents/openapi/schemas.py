"""Schemas of a description as one JSON Schema that stands alone.

What is referred to becomes a definition under `$defs`, by its own name. In a request, properties that are only read
are left out. A discriminator says by a property which of several schemas is meant, and so does the result.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from urllib.parse import quote

from unlike.documents.files import Data
from unlike.documents.json_schema.document import escaped
from unlike.documents.openapi.discriminators import Families
from unlike.documents.openapi.keywords import MANY, NAMED, ONE, ONE_MORE, words_of
from unlike.documents.openapi.places import DocumentPlace, Documents, Object


@dataclass(frozen=True, slots=True)
class _Wanted:
    """A definition to be written: of which schema, whether without its heirs, and without which properties."""

    at: DocumentPlace
    bare: bool
    without: frozenset[str]

    @property
    def key(self) -> object:
        return self.at.key, self.bare, self.without


class Conversion:
    """Turns schemas of a description into JSON Schema, collecting the definitions they need."""

    def __init__(self, places: Documents, families: Families, *, modern: bool, request: bool) -> None:
        self.places = places
        self.families = families
        self.modern = modern
        self.request = request
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

    def named(self, at: DocumentPlace) -> Object:
        """Return a reference to the definition of a schema."""
        return {"$ref": self._address(_Wanted(at, bare=False, without=frozenset()))}

    def schema(self, at: DocumentPlace, without: frozenset[str] = frozenset(), *, bare: bool = False) -> Data:
        """Return a schema in the words of JSON Schema; `without` names required properties that are only read."""
        if isinstance(at.value, bool):
            return at.value
        schema = at.object()
        ref = schema.get("$ref")
        if isinstance(ref, str):
            self.places.follow(at)  # a circle is told in the words of the description
            reference: Object = {"$ref": self._referred(ref, at, without, bare=bare)}
            if not self.modern or len(schema) == 1:
                return reference
        else:
            reference = {}
        if self.request:
            without |= self.only_read(at)
        found = words_of(at, modern=self.modern)
        required = found.get("required")
        if isinstance(required, list) and without:
            found["required"] = [name for name in required if not (isinstance(name, str) and name in without)]
        self._inner(found, at, without)
        self.families.split(found, at)
        return {**reference, **found}

    def _inner(self, found: Object, at: DocumentPlace, without: frozenset[str]) -> None:
        schema = at.object()
        for word in (*ONE, *ONE_MORE):
            if word in schema:
                self._one(found, at.into(word), word)
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

    def _one(self, found: Object, at: DocumentPlace, word: str) -> None:
        if isinstance(at.value, list):  # as older drafts write tuples
            found["prefixItems"] = [self.schema(at.into(index)) for index in range(len(at.value))]
        else:
            found[word] = self.schema(at)

    def _referred(self, ref: str, at: DocumentPlace, without: frozenset[str], *, bare: bool) -> str:
        target = self.places.led(ref, at)
        known = without & frozenset(self._required(target)) if without else without
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
        return f"#/$defs/{quote(escaped(self._names[wanted.key]), safe='~')}"

    def _definition(self, wanted: _Wanted) -> Data:
        at = wanted.at
        if not wanted.bare and self.families.has_heirs(at):
            return self._one_of_a_family(at)
        found = self.schema(at, wanted.without)
        told = {} if wanted.bare else self.families.told_apart(at)
        return _joined(found, told) if told else found

    def _one_of_a_family(self, at: DocumentPlace) -> Data:
        """Return the choice among a schema and those that extend it, told apart by the discriminator."""
        members: list[Data] = []
        own = self.families.own_mark(at)
        if own:
            itself = self._address(_Wanted(at, bare=True, without=frozenset()))
            members.append({"$ref": itself, **own})
        members += [self.named(heir) for heir in self.families.heirs(at)]
        return members[0] if len(members) == 1 else {"oneOf": members}

    def only_read(self, at: DocumentPlace) -> frozenset[str]:
        """Return the properties that are only read, of a schema and of all that it is made of."""
        return frozenset(
            name for part in self._parts(at) for name, each in part.entries("properties") if self._is_only_read(each)
        )

    def _required(self, at: DocumentPlace) -> set[str]:
        return {
            str(name)
            for part in self._parts(at)
            if isinstance(required := part.object().get("required"), list)
            for name in required
        }

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
        if isinstance(at.value, dict) and self.modern and at.value.get("readOnly") is True:
            return True
        value = self.places.follow(at).value
        return isinstance(value, dict) and value.get("readOnly") is True


def _joined(schema: Data, told: Object) -> Data:
    """Return a schema that says something more of one property."""
    if not isinstance(schema, dict):
        return schema
    parts = schema.get("allOf")
    return {**schema, "allOf": [*(parts if isinstance(parts, list) else []), told]}
