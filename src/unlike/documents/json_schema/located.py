"""A schema where it stands: its draft, where its references lead from there, and what holds and is chosen with it."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from unlike.documents.json_schema.keywords import BROUGHT_BY, HINT, REJECTING
from unlike.documents.json_schema.patterns import python_pattern
from unlike.errors import SpecError

Key: TypeAlias = tuple[object, ...]
MISSING: Any = object()
REFERENCES = ("$ref", "$dynamicRef", "$recursiveRef")
TRIVIAL: tuple[object, ...] = ([], {}, 0, False)


class Located:
    """A schema with a validator that stands where the schema stands."""

    __slots__ = ("_refers", "key", "schema", "validator")

    def __init__(self, validator: Any) -> None:
        self.validator = validator
        self.schema: Any = validator.schema
        resolver = validator._resolver
        scope = tuple(dict.fromkeys(reversed([uri for uri, _ in resolver.dynamic_scope()])))
        self.key: Key = (self.schema if isinstance(self.schema, bool) else id(self.schema), resolver._base_uri, scope)
        # up to draft 7 nothing beside a $ref counts
        self._refers = (
            isinstance(self.schema, Mapping) and "$ref" in self.schema and "dependencies" in validator.VALIDATORS
        )

    def get(self, keyword: str) -> Any:
        """Return what the schema says under a keyword, or MISSING: nothing, or nothing that its draft knows."""
        if not isinstance(self.schema, Mapping) or keyword not in self.schema:
            return MISSING
        if self._refers and keyword != "$ref":
            return MISSING
        known = BROUGHT_BY.get(keyword, keyword) in self.validator.VALIDATORS
        return self.schema[keyword] if known else MISSING

    def mapping(self, keyword: str) -> Mapping[str, Any]:
        """Return what the schema says by name under a keyword; nothing where it says no such thing."""
        found = self.get(keyword)
        return found if isinstance(found, Mapping) else {}

    def listing(self, keyword: str) -> list[Any]:
        """Return what the schema lists under a keyword; nothing where it lists nothing."""
        found = self.get(keyword)
        return found if isinstance(found, list) else []

    def keywords(self) -> Iterator[str]:
        """Yield the keywords that count, in the order in which they are written."""
        if isinstance(self.schema, Mapping):
            yield from (each for each in self.schema if self.get(each) is not MISSING)

    def rules(self) -> Iterator[str]:
        """Yield the keywords that can be broken by themselves; what is in an enum has its type."""
        listed = self.get("enum") is not MISSING or self.get("const") is not MISSING
        for keyword in self.keywords():
            if keyword in REJECTING and not (keyword == "type" and listed) and self.get(keyword) not in TRIVIAL:
                yield keyword

    def knows(self, keyword: str) -> bool:
        """Tell whether the draft knows a keyword."""
        return keyword in self.validator.VALIDATORS

    def sub(self, schema: object) -> Located:
        """Return a schema that stands inside this one."""
        resolver = self.validator._resolver
        if isinstance(schema, Mapping) and ("$id" in schema or "id" in schema):
            from referencing.jsonschema import specification_with

            dialect = schema.get("$schema") or self.validator.META_SCHEMA.get("$schema")
            resolver = resolver.in_subresource(specification_with(str(dialect)).create_resource(schema))
        return Located(self.validator.evolve(schema=schema, _resolver=resolver))

    def references(self) -> Iterator[Located]:
        """Yield the schemas that this one refers to and that hold with it."""
        from referencing.jsonschema import lookup_recursive_ref

        for keyword in REFERENCES:
            said = self.get(keyword)
            if said is MISSING:
                continue
            resolver = self.validator._resolver
            found = lookup_recursive_ref(resolver) if keyword == "$recursiveRef" else resolver.lookup(said)
            yield Located(self.validator.evolve(schema=found.contents, _resolver=found.resolver))

    def sure_schemas(self) -> Iterator[Located]:
        """Yield the schemas that hold wherever this one does: those that it refers to and combines."""
        yield from self.references()
        yield from (self.sub(inner) for inner in self.listing("allOf"))

    def same_value_schemas(self) -> Iterator[Located]:
        """Yield the schemas that may hold for the same value: the sure ones, and those of every choice."""
        yield from self.sure_schemas()
        yield from (self.sub(inner) for keyword in ("anyOf", "oneOf") for inner in self.listing(keyword))
        for keyword in ("not", "if", "then", "else"):
            if (inner := self.get(keyword)) is not MISSING:
                yield self.sub(inner)
        for keyword in ("dependentSchemas", "dependencies"):
            yield from (self.sub(each) for each in self.mapping(keyword).values() if not isinstance(each, list))

    def matching_patterns(self, name: str) -> set[str]:
        """Return the patterns of names in which the schema finds the name of a property."""
        return {each for each in self.mapping("patternProperties") if re.search(python_pattern(each), name)}

    def describes(self, name: str) -> bool:
        """Tell whether the schema has a property of this name, or a pattern that the name matches."""
        return name in self.mapping("properties") or bool(self.matching_patterns(name))

    def property_schemas(self, name: str | None, matching: Collection[str]) -> Iterator[Located]:
        """Yield what the schema says of a property of this name, or of none; which patterns it matches is known."""
        properties = self.mapping("properties")
        found = [properties[name]] if name is not None and name in properties else []
        found += [inner for pattern, inner in self.mapping("patternProperties").items() if pattern in matching]
        if not found and (inner := self.get("additionalProperties")) is not MISSING:
            found = [inner]
        return map(self.sub, found)

    def first_items(self) -> list[Any]:
        """Return what the schema says of the first items, one by one."""
        return self.listing("prefixItems" if self.knows("prefixItems") else "items")

    def item_at(self, index: int) -> Any:
        """Return what the schema says of the item at a place, or MISSING."""
        first, items = self.first_items(), self.get("items")
        if index < len(first):
            return first[index]
        return self.get("additionalItems") if isinstance(items, list) else items

    def target(self, *, to_hint: bool = False) -> Located:
        """Return where a schema leads that is a reference and nothing else; or, if wanted, one with a hint."""
        found, seen = self, set[Key]()
        while found.key not in seen:
            seen.add(found.key)
            if list(found.keywords()) not in [[each] for each in REFERENCES] or (to_hint and HINT in found.schema):
                return found
            (found,) = found.references()
        raise SpecError(f"$ref {self.schema.get('$ref')!r} leads back to itself; say what it stands for")

    def accepts(self, value: object) -> bool:
        """Tell whether the validator accepts a value here."""
        return bool(self.validator.is_valid(value))


def reach(first: Iterable[Located], beside: Callable[[Located], Iterable[Located]]) -> Iterator[Located]:
    """Yield schemas, each once, and those that stand beside them."""
    todo, seen = list(first), set[Key]()
    while todo:
        each = todo.pop(0)
        if each.key not in seen:
            seen.add(each.key)
            yield each
            todo += beside(each)


# -- ways to go on at a place: schemas that hold there, alternatives, choices between them -------------------------


class ContradictionError(Exception):
    """No value: what is demanded contradicts itself."""


@dataclass(frozen=True, slots=True)
class SchemaInForce:
    """A schema in force here, the schemas around it that hold here too, and whether it evaluates what it describes."""

    located: Located
    scopes: tuple[Key, ...] = ()
    silent: bool = False

    def inside(self, located: Located, *, silent: bool = False) -> SchemaInForce:
        """Return a schema that holds because this one does."""
        return SchemaInForce(located, (*self.scopes, self.located.key), self.silent or silent)


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to go on: in words, the schemas that then hold, those that then must not, what is then to choose.

    some    names of which at least one is there
    beyond  a schema to break by a property that it does not describe: which ones may be there is only known once
            everything else is
    """

    word: str
    nodes: tuple[SchemaInForce, ...]
    refused: tuple[Located, ...] = ()
    then: tuple[Choosing, ...] = ()
    impossible: str = ""
    some: tuple[str, ...] = ()
    beyond: SchemaInForce | None = None


@dataclass(frozen=True, slots=True)
class Choosing:
    """A choice: its keyword and its alternatives; where only the `first` possible one counts, it is nothing to show."""

    keyword: str
    alternatives: tuple[Alternative, ...]
    first: bool = False


@dataclass(slots=True)
class Making:
    """What all places of one reading share.

    notes   what was left out
    muted   schemas whose keywords are no rules of their own: what is contained, what was made here
    made    schemas made of others, the same ones each time, so that what recurs is known again
    """

    thorough: bool = False
    any_of: bool = False
    unevaluated: bool = False
    notes: list[str] = field(default_factory=list)
    muted: set[int] = field(default_factory=set)
    made: dict[object, Any] = field(default_factory=dict)

    @property
    def doubts(self) -> list[str]:
        """Why a contradiction may prove nothing."""
        mixed = "what anyOf evaluates beside unevaluatedProperties or unevaluatedItems is not looked at in full"
        return [*self.notes, *[mixed] * (self.any_of and self.unevaluated)]
