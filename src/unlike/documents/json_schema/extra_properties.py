"""A property beyond those a schema describes: which names it can have is said by all other schemas at the place.

To break a closed schema it takes a property of another name. All names that nobody speaks of are alike, so one of them
stands for all; every name that another schema speaks of is looked at by itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from unlike.documents.json_schema.holding_schemas import Alternative, Making, SchemaInForce
from unlike.documents.json_schema.located import MISSING, Key, Located
from unlike.documents.json_schema.patterns import python_pattern, shortest

ALL_HOLD = ("allOf", "anyOf", "oneOf")
ONE_HOLDS = ("not", "if", "then", "else")
MOST_NAMES = 40  # that are looked at by themselves


@dataclass(slots=True)
class _Vocabulary:
    """The names of properties that schemas speak of, and whether they describe names otherwise, too."""

    names: dict[str, None] = field(default_factory=dict)
    patterns: dict[str, None] = field(default_factory=dict)
    restricted: bool = False


def describes(located: Located, name: str) -> bool:
    """Tell whether a schema has a property of this name, or a pattern that the name matches."""
    if name in _mapping(located.said("properties")):
        return True
    patterns = _mapping(located.said("patternProperties"))
    return any(re.search(python_pattern(each), name) for each in patterns)


def opened(making: Making, held: Iterable[Located], ways: tuple[Alternative, ...]) -> tuple[Alternative, ...]:
    """Return the alternatives with those that go beyond a schema laid out by the names that can be there."""
    if not any(each.beyond for each in ways):
        return ways
    known = _spoken_of(held)
    found: list[Alternative] = []
    for each in ways:
        found += [each] if each.beyond is None else _named(making, known, each.word, each.beyond)
    return tuple(found)


def _named(making: Making, known: _Vocabulary, word: str, node: SchemaInForce) -> Iterator[Alternative]:
    located = node.located
    names = [name for name in known.names if not describes(located, name)]
    names += [name for each in known.patterns if (name := shortest(each)) is not None and not describes(located, name)]
    if known.patterns or known.restricted or len(names) > MOST_NAMES:
        making.notes.append(f"not every way to break {word!r} is tried")
    names = list(dict.fromkeys(names))[:MOST_NAMES]
    if located.said("additionalProperties") is False and len(names) > 1:
        made = making.made.setdefault("an object", {"type": "object"})
        yield Alternative(word, (node.inside(located.sub(made), silent=True),), some=tuple(names))
    else:
        for name in names:
            yield _with(making, node, name, f"{word} ({name})" if len(names) > 1 else word)
    fresh = (f"other{number or ''}" for number in range(10_000))
    unknown = next((name for name in fresh if name not in known.names and not describes(located, name)), None)
    if unknown is not None:
        yield _with(making, node, unknown, f"{word} of no known name" if names else word)


def _with(making: Making, node: SchemaInForce, name: str, word: str) -> Alternative:
    """Return the alternative that a property is there, with a value that breaks what is said of all others."""
    key = ("beyond", node.located.key, name)
    if key not in making.made:
        inner = node.located.said("additionalProperties")
        value = {} if inner is False else {"not": inner}
        making.made[key] = {"type": "object", "required": [name], "properties": {name: value}}
    return Alternative(word, (node.inside(node.located.sub(making.made[key]), silent=True),))


def _spoken_of(held: Iterable[Located]) -> _Vocabulary:
    """Return the names that schemas speak of, with all that may hold at the same place because they do."""
    found = _Vocabulary()
    todo, seen = list(held), set[Key]()
    while todo:
        each = todo.pop(0)
        if each.key in seen or not isinstance(each.schema, Mapping):
            continue
        seen.add(each.key)
        found.names |= dict.fromkeys(_mapping(each.said("properties")))
        found.names |= dict.fromkeys(name for name in _list(each.said("required")) if isinstance(name, str))
        found.patterns |= dict.fromkeys(_mapping(each.said("patternProperties")))
        found.restricted |= each.said("propertyNames") is not MISSING
        todo += _beside(each, found)
    return found


def _beside(located: Located, found: _Vocabulary) -> Iterator[Located]:
    """Yield the schemas that may hold at the same place; note the names on which that depends."""
    yield from located.references()
    for keyword in ALL_HOLD:
        yield from (located.sub(inner) for inner in _list(located.said(keyword)))
    for keyword in ONE_HOLDS:
        if (inner := located.said(keyword)) is not MISSING:
            yield located.sub(inner)
    for keyword in ("dependentRequired", "dependentSchemas", "dependencies"):
        for name, inner in _mapping(located.said(keyword)).items():
            found.names[name] = None
            if isinstance(inner, list):
                found.names |= dict.fromkeys(inner)
            else:
                yield located.sub(inner)


def _mapping(value: Any) -> Mapping[str, Any]:
    return value if isinstance(value, Mapping) else {}


def _list(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []
