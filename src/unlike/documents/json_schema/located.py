"""A schema where it stands: its draft, and where its references lead from there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, TypeAlias

from unlike.documents.json_schema.keywords import BROUGHT_BY, REJECTING
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
        self.key: Key = (
            self.schema if isinstance(self.schema, bool) else id(self.schema),
            resolver._base_uri,
            scope,
        )
        # up to draft 7 nothing beside a $ref counts
        self._refers = (
            isinstance(self.schema, Mapping) and "$ref" in self.schema and "dependencies" in validator.VALIDATORS
        )

    def said(self, keyword: str) -> Any:
        """Return what the schema says under a keyword, or MISSING: nothing, or nothing that its draft knows."""
        if not isinstance(self.schema, Mapping) or keyword not in self.schema:
            return MISSING
        if self._refers and keyword != "$ref":
            return MISSING
        known = BROUGHT_BY.get(keyword, keyword) in self.validator.VALIDATORS
        return self.schema[keyword] if known else MISSING

    def keywords(self) -> Iterator[str]:
        """Yield the keywords that count, in the order in which they are written."""
        if isinstance(self.schema, Mapping):
            yield from (each for each in self.schema if self.said(each) is not MISSING)

    def rules(self) -> Iterator[str]:
        """Yield the keywords that can be broken by themselves; what is in an enum has its type."""
        listed = self.said("enum") is not MISSING or self.said("const") is not MISSING
        for keyword in self.keywords():
            if keyword in REJECTING and not (keyword == "type" and listed) and self.said(keyword) not in TRIVIAL:
                yield keyword

    def knows(self, keyword: str) -> bool:
        """Tell whether the draft knows a keyword."""
        return keyword in self.validator.VALIDATORS

    def sub(self, schema: object) -> Located:
        """Return a schema that stands inside this one."""
        resolver = self.validator._resolver
        if isinstance(schema, Mapping) and ("$id" in schema or "id" in schema):
            resolver = resolver.in_subresource(_resource(schema, self.validator))
        return Located(self.validator.evolve(schema=schema, _resolver=resolver))

    def references(self) -> Iterator[Located]:
        """Yield the schemas that this one refers to and that hold with it."""
        from referencing.jsonschema import lookup_recursive_ref

        for keyword in REFERENCES:
            said = self.said(keyword)
            if said is MISSING:
                continue
            resolver = self.validator._resolver
            found = lookup_recursive_ref(resolver) if keyword == "$recursiveRef" else resolver.lookup(said)
            yield Located(self.validator.evolve(schema=found.contents, _resolver=found.resolver))

    def target(self) -> Located:
        """Return where a schema leads that is a reference and nothing else."""
        found, seen = self, set[Key]()
        while found.key not in seen:
            seen.add(found.key)
            if list(found.keywords()) not in [[each] for each in REFERENCES]:
                return found
            (found,) = found.references()
        raise SpecError(f"$ref {self.schema.get('$ref')!r} leads back to itself; say what it stands for")

    def accepts(self, value: object) -> bool:
        """Tell whether the validator accepts a value here."""
        return bool(self.validator.is_valid(value))


def _resource(schema: Mapping[str, Any], validator: Any) -> Any:
    from referencing.jsonschema import specification_with

    dialect = schema.get("$schema") or validator.META_SCHEMA.get("$schema")
    return specification_with(str(dialect)).create_resource(schema)
