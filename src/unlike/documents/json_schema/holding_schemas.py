"""Ways to go on at a place: schemas that hold there, alternatives, choices between them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from unlike.documents.json_schema.located import Key, Located


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
