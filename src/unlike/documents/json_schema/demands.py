"""What holds together at one place of a value: schemas in force, types left, choices still open.

Schemas are added one by one; what they demand without a choice is noted at once, and what offers a choice waits. A
demand that contradicts another ends the place: there is no value for it.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import Any

from unlike.documents.json_schema.alternatives import choices, ways_to_break
from unlike.documents.json_schema.keywords import ABOUT, HINT, KINDS, identity, kinds_named, kinds_of
from unlike.documents.json_schema.located import (
    MISSING,
    Alternative,
    Choosing,
    ContradictionError,
    Key,
    Located,
    Making,
    SchemaInForce,
)


@dataclass(slots=True)
class Demands:
    """The demands on one value so far."""

    making: Making = field(default_factory=Making)
    kinds: tuple[str, ...] = KINDS
    typed: bool = False
    nodes: tuple[SchemaInForce, ...] = ()
    values: list[object] | None = None
    refused: tuple[Located, ...] = ()
    pending: tuple[Choosing, ...] = ()
    seen: frozenset[tuple[Key, bool]] = frozenset()
    said: tuple[Located, ...] = ()  # schemas of the document, not made here, each of which rejects what breaks it
    looked_at: int = 0  # how many of them were looked at
    held: tuple[Located, ...] = ()  # all schemas added, with those that offer choices
    some: tuple[tuple[str, ...], ...] = ()  # names of which at least one is there
    required: frozenset[str] = frozenset()
    forbidden: frozenset[str] = frozenset()
    closed: tuple[Located, ...] = ()  # schemas that allow no properties but those they describe
    hints: tuple[SchemaInForce, ...] = ()  # schemas that hold if that leaves a value
    weight: int = 1

    def taking(self, alternative: Alternative, weight: int) -> Demands:
        """Return the place once an alternative is taken."""
        if alternative.impossible:
            raise ContradictionError(alternative.impossible)
        some = (*self.some, alternative.some) if alternative.some else self.some
        found = replace(self, weight=weight, refused=(*self.refused, *alternative.refused), some=some)
        for node in alternative.nodes:
            found.add(node)
        found.pending = (*found.pending, *alternative.then)
        return found

    @property
    def is_bare(self) -> bool:
        """Whether nothing is demanded but what is still to be chosen."""
        return self.kinds == KINDS and not (self.nodes or self.typed or self.refused or self.values is not None)

    def add(self, node: SchemaInForce) -> None:
        """Let one more schema hold."""
        located = node.located
        if located.schema is False:
            raise ContradictionError("false allows nothing")
        if (located.key, node.silent) in self.seen or located.schema is True:
            return
        self.seen |= {(located.key, node.silent)}
        self.held = (*self.held, located)
        if not node.silent:
            self.said = (*self.said, located)
        for target in located.references():
            self.add(node.inside(target))
        for keyword in located.keywords():
            self.demand(node, keyword, located.get(keyword))
        if (hint := located.schema.get(HINT)) is not None:
            self.making.muted.add(id(hint))
            self.hints = (*self.hints, node.inside(located.sub(hint), silent=True))
        if any(each in ABOUT for each in located.keywords()):
            self.nodes = (*self.nodes, node)
            self.look_ahead(located)

    def with_hints(self) -> Demands:
        """Return the place with its hints in force."""
        found = replace(self, hints=())
        for node in self.hints:
            found.add(node)
        return found

    def look_ahead(self, located: Located) -> None:
        """Find at once that a property is required that must not be there: else every other choice is tried first."""
        required, properties = located.get("required"), located.get("properties")
        self.required |= set(required) if isinstance(required, list) else set()
        if properties is not MISSING:
            self.forbidden |= {name for name, inner in properties.items() if inner is False or inner == {"not": {}}}
        if located.get("additionalProperties") is False:
            self.closed = (*self.closed, located)
        if self.kinds != ("object",):
            return
        if both := self.required & self.forbidden:
            raise ContradictionError(f"{min(both)} is required and must not be there")
        for name in sorted(self.required) if self.closed else ():
            if not all(each.describes(name) for each in self.closed):
                raise ContradictionError(f"{name} is required, but no property of that name is allowed")

    def demand(self, node: SchemaInForce, keyword: str, value: Any) -> None:
        """Note what one keyword demands."""
        match keyword:
            case "type":
                self.keep_kinds(kinds_named(value), f"type {value!r}", value)
            case "enum":
                self.keep_values(value)
            case "const":
                self.keep_values([value])
            case "allOf":
                for inner in value:
                    self.add(node.inside(node.located.sub(inner)))
            case "not":
                self.exclude(node, node.located.sub(value))
            case "unevaluatedProperties" | "unevaluatedItems":
                self.making.unevaluated = True
            case "anyOf" | "oneOf" | "if" | "dependentRequired" | "dependentSchemas" | "dependencies":
                self.pending = (*self.pending, *choices(self.making, node, keyword, value))

    def keep_kinds(self, kinds: tuple[str, ...], why: str, written: object = None) -> None:
        """Leave only values of these kinds, in the order in which they are written first."""
        ordered = kinds if not self.typed and written is not None else self.kinds
        left = tuple(each for each in ordered if each in self.kinds and each in kinds)
        if not left:
            raise ContradictionError(f"{why} leaves no type")
        self.kinds, self.typed = left, self.typed or written is not None
        self.check_values()

    def keep_values(self, values: list[object]) -> None:
        """Leave only these values."""
        if self.values is None:
            self.values = list(values)
        else:
            known = {identity(each) for each in values}
            self.values = [each for each in self.values if identity(each) in known]
        if not self.values:
            raise ContradictionError("no value is in every enum and const")
        self.check_values()

    def check_values(self) -> None:
        """Find at once that no value that is listed has a type that is left."""
        if self.values is not None and not any(kind in self.kinds for each in self.values for kind in kinds_of(each)):
            raise ContradictionError("no value of enum or const has a type that is allowed")

    def exclude(self, node: SchemaInForce, located: Located) -> None:
        """Let a schema not hold."""
        located = located.target()
        match list(located.keywords()):
            case ["type"]:
                kinds = kinds_named(located.get("type"))
                self.keep_kinds(tuple(each for each in KINDS if each not in kinds), "not type")
                return
            case ["enum"]:
                self.refused = (*self.refused, located)
                return
        ways = ways_to_break(self.making, node, located)
        if not ways:
            raise ContradictionError("not excludes everything")
        self.pending = (*self.pending, Choosing("not", tuple(ways)))
