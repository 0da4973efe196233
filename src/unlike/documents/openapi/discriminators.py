"""Discriminators: a property whose value says which of several schemas an object follows.

Beside `oneOf` or `anyOf` it tells the listed schemas apart. On its own it tells apart the schemas that extend the one
it stands in: its heirs, which name it in their `allOf`.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping
from typing import TypeAlias

from unlike.documents.files import Data
from unlike.documents.openapi.places import DocumentPlace, Documents, Object
from unlike.errors import SpecError

Key: TypeAlias = tuple[str, str]  # of a place


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
                branches[index] = {
                    **branch,
                    **_mark(name, self._values(at, target), needed=not _requires(target, name)),
                }

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
        marks: Object = {}
        needed: list[Data] = []
        for parent in _relatives(at, self._parents).values():
            name = _property(parent)
            if name is not None:
                marks[name] = _one_of(self._values(parent, at))
                needed += [] if _requires(parent, name) else [name]
        said: Object = {"properties": marks} if marks else {}
        return {**said, "required": needed} if needed else said

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


def _mark(name: str, values: list[str], *, needed: bool = True) -> Object:
    """Return that a property has one of the values, and is there, unless that is said already."""
    said: Object = {"properties": {name: _one_of(values)}}
    return {**said, "required": [name]} if needed else said


def _requires(at: DocumentPlace, name: str) -> bool:
    """Tell whether a schema itself says that a property is there."""
    names = at.value.get("required") if isinstance(at.value, dict) else None
    return isinstance(names, list) and name in names


def _one_of(values: list[str]) -> Object:
    return {"const": values[0]} if len(values) == 1 else {"enum": list(values)}
