"""Where things stand in a description, and where its references lead."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias
from urllib.parse import unquote, urljoin

from unlike.documents.files import Data
from unlike.documents.json_schema.document import escape_pointer, unescape_pointer
from unlike.documents.json_schema.validator import Given, contents_of, file_uri
from unlike.errors import SpecError, nearest

Object: TypeAlias = dict[str, Data]
MOST_HOPS = 100  # references that lead to references


@dataclass(frozen=True, slots=True)
class DocumentPlace:
    """A value of a document: the address of the document, the pointer within it, and the value itself."""

    address: str
    pointer: str
    value: Data

    @property
    def key(self) -> tuple[str, str]:
        """What tells two places apart."""
        return self.address, self.pointer

    @property
    def name(self) -> str:
        """The last part of the pointer, or else the name of the file."""
        return unescape_pointer(self.pointer.rpartition("/")[2]) or self.address.rpartition("/")[2]

    @property
    def shown(self) -> str:
        """The place as messages name it."""
        return f"{self.address.rpartition('/')[2]}#{self.pointer}"

    def into(self, *steps: str | int) -> DocumentPlace:
        """Return the place some steps further in; they are known to lead somewhere."""
        value, pointer = self.value, self.pointer
        for step in steps:
            value = value[step]  # type: ignore[index]
            pointer += f"/{escape_pointer(str(step))}"
        return DocumentPlace(self.address, pointer, value)

    def entries(self, key: str) -> list[tuple[str, DocumentPlace]]:
        """Return what an object holds under a key, by name; nothing if it is not there."""
        inside = self.object().get(key)
        if inside is None:
            return []
        at = self.into(key)
        return [(name, at.into(name)) for name in at.object()]

    def items(self, key: str) -> list[DocumentPlace]:
        """Return what an object lists under a key; nothing if it is not there."""
        inside = self.object().get(key)
        if inside is None:
            return []
        if not isinstance(inside, list):
            raise self.into(key).wrong(f"{inside!r:.60} is no list", "write a list")
        return [self.into(key, index) for index in range(len(inside))]

    def object(self) -> Object:
        """Return the value, which must be an object."""
        if not isinstance(self.value, dict):
            raise self.wrong(f"{self.value!r:.60} is no object", "write one")
        return self.value

    def text(self, key: str) -> str | None:
        """Return a string of an object, if it is there."""
        found = self.object().get(key)
        if found is not None and not isinstance(found, str):
            raise self.into(key).wrong(f"{found!r:.60} is no string", "write one")
        return found

    def wrong(self, reason: str, remedy: str) -> SpecError:
        """Return the error for what stands here."""
        return SpecError(f"{self.shown}: {reason}; {remedy}")


class Documents:
    """A description with the documents that it refers to, each read when it is first needed."""

    def __init__(self, contents: Data, path: str, resolve: Given | None = None) -> None:
        address = file_uri(path)
        self.root = DocumentPlace(address, "", contents)
        self.resolve = resolve or {}
        self._documents: dict[str, Data] = {address: contents}

    def follow(self, place: DocumentPlace) -> DocumentPlace:
        """Return what a place stands for: itself, or where its reference leads in the end."""
        start, hops = place, 0
        while isinstance(place.value, dict) and isinstance(ref := place.value.get("$ref"), str):
            place = self.resolve_reference(ref, place)
            hops += 1
            if hops > MOST_HOPS:
                raise start.wrong("its $ref leads round in a circle", "refer to something")
        return place

    def resolve_reference(self, ref: str, place: DocumentPlace) -> DocumentPlace:
        """Return where a reference that stands at a place leads."""
        bare, _, fragment = ref.partition("#")
        address = urljoin(place.address, bare) if bare else place.address
        contents = self._contents(address, place)
        if fragment and not fragment.startswith("/"):
            return _find_anchor(unquote(fragment), DocumentPlace(address, "", contents), place)
        return _follow_pointer(DocumentPlace(address, "", contents), unquote(fragment), ref, place)

    def _contents(self, address: str, place: DocumentPlace) -> Data:
        if address not in self._documents:
            try:
                self._documents[address] = contents_of(address, self.resolve)  # type: ignore[assignment]
            except SpecError as error:
                raise SpecError(f"{place.shown}: {error}") from None
        return self._documents[address]


def _follow_pointer(root: DocumentPlace, pointer: str, ref: str, place: DocumentPlace) -> DocumentPlace:
    at = root
    for part in map(unescape_pointer, pointer.split("/")[1:]):
        if isinstance(at.value, dict) and part in at.value:
            at = at.into(part)
        elif isinstance(at.value, list) and part.isdecimal() and int(part) < len(at.value):
            at = at.into(int(part))
        else:
            there = list(at.value) if isinstance(at.value, dict) else []
            raise place.wrong(f"$ref {ref!r} leads nowhere: there is no {part!r}", nearest(part, there))
    return at


def _find_anchor(anchor: str, root: DocumentPlace, place: DocumentPlace) -> DocumentPlace:
    """Return the schema that an `$anchor` names."""
    waiting = [root]
    while waiting:
        at = waiting.pop()
        if isinstance(at.value, dict):
            if anchor in (at.value.get("$anchor"), at.value.get("$dynamicAnchor")):
                return at
            waiting += [at.into(key) for key in at.value]
        elif isinstance(at.value, list):
            waiting += [at.into(index) for index in range(len(at.value))]
    raise place.wrong(f"no $anchor {anchor!r} is to be found", "name one that is there")
