"""Whether two schemas have little in common: seen at once, from what they say of themselves."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from unlike.documents.json_schema.holding_schemas import KINDS, kinds_named, kinds_of
from unlike.documents.json_schema.located import MISSING, Located


def possible_kinds(located: Located) -> set[str]:
    """Return the kinds of values that a schema may accept, as far as can be seen at once."""
    located = located.target()
    if located.schema is False:
        return set()
    found = set(KINDS)
    if (said := located.said("type")) is not MISSING:
        found &= set(kinds_named(said))
    for keyword in ("enum", "const"):
        if (said := located.said(keyword)) is not MISSING:
            values = said if keyword == "enum" else [said]
            found &= {kind for value in values for kind in kinds_of(value)}
    return found


@dataclass(slots=True)
class _Outline:
    """What a schema of objects says of itself, with what it refers to and combines."""

    required: set[str] = field(default_factory=set)
    properties: dict[str, list[Located]] = field(default_factory=dict)
    closed: bool = False


def is_apart(one: Located, other: Located) -> bool:
    """Tell whether an instance of one schema will mostly break the other by itself.

    So it does if the other requires what the one does not speak of, or does not allow what the one requires.
    """
    mine, theirs = _outline(one), _outline(other)
    if theirs.required - set(mine.properties) - mine.required:
        return True
    if theirs.closed and mine.required - set(theirs.properties):
        return True
    for name in mine.required & theirs.properties.keys() & mine.properties.keys():
        values, others = _values(mine.properties[name]), _values(theirs.properties[name])
        if values is not None and others is not None and not values & others:
            return True
        kinds = set(KINDS).intersection(*map(possible_kinds, mine.properties[name]))
        if not kinds.intersection(*map(possible_kinds, theirs.properties[name])):
            return True
    return "object" not in possible_kinds(one) & possible_kinds(other)


def _outline(located: Located) -> _Outline:
    found = _Outline()
    todo, seen = [located], set[object]()
    while todo:
        each = todo.pop()
        if each.key in seen or not isinstance(each.schema, Mapping):
            continue
        seen.add(each.key)
        found.required |= set(each.schema.get("required") or ())
        found.closed |= each.schema.get("additionalProperties") is False
        properties = each.said("properties")
        for name, inner in properties.items() if isinstance(properties, Mapping) else ():
            found.properties.setdefault(name, []).append(each.sub(inner))
        todo += each.references()
        parts = each.said("allOf")
        todo += [each.sub(inner) for inner in parts] if isinstance(parts, list) else []
    return found


def _values(schemas: list[Located]) -> set[str] | None:
    """Return the values that schemas list, written down; nothing if they list none."""
    found: set[str] | None = None
    for each in schemas:
        listed = each.said("enum")
        listed = [each.said("const")] if listed is MISSING and each.said("const") is not MISSING else listed
        if listed is not MISSING:
            values = {repr(value) for value in listed}
            found = values if found is None else found & values
    return found
