"""The alternatives that keywords offer: anyOf, oneOf, if, dependent*, and the ways to break a schema.

To break a closed schema it takes a property of another name. All names that nobody speaks of are alike, so one of them
stands for all; every name that another schema speaks of is looked at by itself.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import unquote

from unlike.documents.json_schema.changes import objects_in
from unlike.documents.json_schema.document import unescape_pointer
from unlike.documents.json_schema.keywords import KINDS, kinds_named, kinds_of
from unlike.documents.json_schema.located import MISSING, Alternative, Choosing, Located, Making, SchemaInForce, reach
from unlike.documents.json_schema.negation import Contrary, contraries
from unlike.documents.json_schema.patterns import shortest

MOST_TOGETHER = 4  # schemas of anyOf of which every combination is looked at
MOST_NAMES = 40  # of properties that are looked at by themselves


def ways_to_break(making: Making, node: SchemaInForce, located: Located) -> list[Alternative]:
    """Return the ways in which a schema does not hold."""
    located = located.target()
    ways = []
    key = ("not", located.key)
    if key not in making.made:
        making.made[key] = contraries(located)  # the same objects each time, so that what recurs is known again
    each: Contrary
    for each in making.made[key]:
        if each.narrow:
            making.notes.append(f"not every way to break {each.word!r} is tried")
        if each.beyond:
            ways.append(Alternative(each.word, (), beyond=node.inside(located, silent=True)))
            continue
        inside = node.inside(located.sub(each.schema), silent=True)
        ways.append(Alternative(each.word, (inside,), (located,) if each.inexact else ()))
    return ways


# -- choices -------------------------------------------------------------------------------------------------------


def choices(making: Making, node: SchemaInForce, keyword: str, value: Any) -> Iterator[Choosing]:
    """Yield the choices that a keyword offers."""
    match keyword:
        case "anyOf":
            yield _any_of(making, node, value)
        case "oneOf":
            yield _one_of(making, node, value)
        case "if":
            yield from _if(making, node, value)
        case _:
            for name, inner in value.items():
                yield _dependent(making, node, (keyword, name), inner)


def _any_of(making: Making, node: SchemaInForce, schemas: list[Any]) -> Choosing:
    """Return a choice of one schema that holds; where it matters which others hold too, of all that do."""
    inner = [node.inside(node.located.sub(each)) for each in schemas]
    named = words(inner)
    if making.thorough and len(inner) <= MOST_TOGETHER:
        return Choosing("anyOf", tuple(_together(making, node, inner, named)))
    making.any_of = True
    return Choosing("anyOf", tuple(Alternative(word, (each,)) for word, each in zip(named, inner, strict=True)))


def _together(
    making: Making, node: SchemaInForce, inner: list[SchemaInForce], named: list[str]
) -> Iterator[Alternative]:
    """Yield every set of schemas that hold while the others do not."""
    for size in range(1, len(inner) + 1):
        for held in itertools.combinations(range(len(inner)), size):
            nodes = [inner[index] for index in held]
            nodes += [_contrary(making, node, each) for index, each in enumerate(inner) if index not in held]
            yield Alternative(" and ".join(named[index] for index in held), tuple(nodes))


def _contrary(making: Making, node: SchemaInForce, other: SchemaInForce) -> SchemaInForce:
    """Return that a schema does not hold."""
    schema = making.made.setdefault(("contrary", other.located.key), {"not": other.located.schema})
    return node.inside(node.located.sub(schema), silent=True)


def _one_of(making: Making, node: SchemaInForce, schemas: list[Any]) -> Choosing:
    inner = [node.inside(node.located.sub(each)) for each in schemas]
    found = []
    for index, (word, each) in enumerate(zip(words(inner), inner, strict=True)):
        found.append(_only(making, node, word, each, inner[:index] + inner[index + 1 :]))
    return Choosing("oneOf", tuple(found))


def _only(
    making: Making, node: SchemaInForce, word: str, chosen: SchemaInForce, others: list[SchemaInForce]
) -> Alternative:
    """Return the alternative that one schema holds, and none of the others."""
    nodes, refused, then = [chosen], list[Located](), list[Choosing]()
    kinds = possible_kinds(chosen.located)
    for other in others:
        target = other.located.target()
        if not kinds & possible_kinds(target):
            continue
        ways = ways_to_break(making, node, target)
        if not ways:
            return Alternative(word, (), impossible=f"another alternative of oneOf allows everything that {word} does")
        if making.thorough:
            nodes.append(_contrary(making, node, other))
        elif len(ways) == 1 and not ways[0].refused and not ways[0].beyond:
            nodes += ways[0].nodes
        elif is_apart(chosen.located, target):
            refused.append(target)
        else:
            then.append(Choosing("oneOf", tuple(ways), first=True))
    return Alternative(word, tuple(nodes), tuple(refused), tuple(then))


def _if(making: Making, node: SchemaInForce, condition: Any) -> Iterator[Choosing]:
    located = node.located
    then, other = located.get("then"), located.get("else")
    tested = node.inside(located.sub(condition))
    met = [tested] + ([] if then is MISSING else [node.inside(located.sub(then))])
    unmet = [] if other is MISSING else [node.inside(located.sub(other))]
    if len(met) == 1 and not unmet and not making.thorough:
        return  # says nothing
    found = [Alternative("then", tuple(met))]
    ways = ways_to_break(making, node, tested.located)
    _mute(making, node, [tested, *(each for way in ways for each in way.nodes)])
    for way in ways:
        word = "else" if len(ways) == 1 else f"else ({way.word})"
        found.append(Alternative(word, (*way.nodes, *unmet), way.refused))
    yield Choosing("if", tuple(found))


def _mute(making: Making, node: SchemaInForce, tested: list[SchemaInForce]) -> None:
    """Let what a condition says, or its contrary, be no rules: nobody breaks them, as then the other way is taken."""
    making.made["tested", node.located.key] = tested  # what is muted lives as long as the reading
    making.muted.update(id(part) for each in tested for part in objects_in(each.located.schema))


def _dependent(making: Making, node: SchemaInForce, said: tuple[str, str], inner: Any) -> Choosing:
    keyword, name = said
    key = ("dependent", node.located.key, *said)
    if key not in making.made:
        needed = [name, *inner] if isinstance(inner, list) else [name]
        making.made[key] = {"properties": {name: {"not": {}}}}, {"type": "object", "required": needed}
    absent, present = making.made[key]
    with_it = [node.inside(node.located.sub(present), silent=True)]
    if not isinstance(inner, list):
        with_it.append(node.inside(node.located.sub(inner)))
    without = node.inside(node.located.sub(absent), silent=True)
    ways = (Alternative(f"without {name}", (without,)), Alternative(f"with {name}", tuple(with_it)))
    return Choosing(keyword, ways)


# -- schemas that have little in common ----------------------------------------------------------------------------


def possible_kinds(located: Located) -> set[str]:
    """Return the kinds of values that a schema may accept, as far as can be seen at once."""
    located = located.target()
    if located.schema is False:
        return set()
    found = set(KINDS)
    if (said := located.get("type")) is not MISSING:
        found &= set(kinds_named(said))
    for keyword in ("enum", "const"):
        if (said := located.get(keyword)) is not MISSING:
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
    for each in reach([located], Located.sure_schemas):
        if isinstance(each.schema, Mapping):
            found.required |= set(each.schema.get("required") or ())
            found.closed |= each.schema.get("additionalProperties") is False
        for name, inner in each.mapping("properties").items():
            found.properties.setdefault(name, []).append(each.sub(inner))
    return found


def _values(schemas: list[Located]) -> set[str] | None:
    """Return the values that schemas list, written down; nothing if they list none."""
    found: set[str] | None = None
    for each in schemas:
        listed = each.get("enum")
        listed = [each.get("const")] if listed is MISSING and each.get("const") is not MISSING else listed
        if listed is not MISSING:
            values = {repr(value) for value in listed}
            found = values if found is None else found & values
    return found


# -- properties beyond those that a schema describes ---------------------------------------------------------------


@dataclass(slots=True)
class _Vocabulary:
    """The names of properties that schemas speak of, and whether they describe names otherwise, too."""

    names: dict[str, None] = field(default_factory=dict)
    patterns: dict[str, None] = field(default_factory=dict)
    restricted: bool = False


def name_extra_properties(making: Making, held: Iterable[Located], choosing: Choosing) -> Choosing:
    """Return the choice with alternatives that go beyond a schema laid out by the names that can be there."""
    if not any(each.beyond for each in choosing.alternatives):
        return choosing
    known = _vocabulary_of(held)
    found: list[Alternative] = []
    for each in choosing.alternatives:
        found += [each] if each.beyond is None else _with_extra_names(making, known, each.word, each.beyond)
    return replace(choosing, alternatives=tuple(found))


def _with_extra_names(making: Making, known: _Vocabulary, word: str, node: SchemaInForce) -> Iterator[Alternative]:
    located = node.located
    names = [name for name in known.names if not located.describes(name)]
    names += [name for each in known.patterns if (name := shortest(each)) is not None and not located.describes(name)]
    if known.patterns or known.restricted or len(names) > MOST_NAMES:
        making.notes.append(f"not every way to break {word!r} is tried")
    names = list(dict.fromkeys(names))[:MOST_NAMES]
    if located.get("additionalProperties") is False and len(names) > 1:
        made = making.made.setdefault("an object", {"type": "object"})
        yield Alternative(word, (node.inside(located.sub(made), silent=True),), some=tuple(names))
    else:
        for name in names:
            yield _with_name(making, node, name, f"{word} ({name})" if len(names) > 1 else word)
    fresh = (f"other{number or ''}" for number in range(10_000))
    unknown = next((name for name in fresh if name not in known.names and not located.describes(name)), None)
    if unknown is not None:
        yield _with_name(making, node, unknown, f"{word} of no known name" if names else word)


def _with_name(making: Making, node: SchemaInForce, name: str, word: str) -> Alternative:
    """Return the alternative that a property is there, with a value that breaks what is said of all others."""
    key = ("beyond", node.located.key, name)
    if key not in making.made:
        inner = node.located.get("additionalProperties")
        value = {} if inner is False else {"not": inner}
        making.made[key] = {"type": "object", "required": [name], "properties": {name: value}}
    return Alternative(word, (node.inside(node.located.sub(making.made[key]), silent=True),))


def _vocabulary_of(held: Iterable[Located]) -> _Vocabulary:
    """Return the names that schemas speak of, with all that may hold at the same place because they do."""
    found = _Vocabulary()
    for each in reach(held, Located.same_value_schemas):
        found.names |= dict.fromkeys(each.mapping("properties"))
        found.names |= dict.fromkeys(name for name in each.listing("required") if isinstance(name, str))
        found.patterns |= dict.fromkeys(each.mapping("patternProperties"))
        found.restricted |= each.get("propertyNames") is not MISSING
        for keyword in ("dependentRequired", "dependentSchemas", "dependencies"):
            for name, inner in each.mapping(keyword).items():
                found.names |= dict.fromkeys([name, *inner] if isinstance(inner, list) else [name])
    return found


# -- words ---------------------------------------------------------------------------------------------------------


def words(nodes: list[SchemaInForce]) -> list[str]:
    """Return a word for each alternative: its title, what it refers to, its type; numbered where they are alike."""
    found: list[str] = []
    for node in nodes:
        word = _word(node.located)
        again = sum(each == word or each.startswith(f"{word} #") for each in found)
        found.append(word if not again else f"{word} #{again + 1}")
    return found


def _word(located: Located) -> str:
    schema = located.schema
    if not isinstance(schema, Mapping):
        return str(schema).lower()
    if isinstance(schema.get("$ref"), str):
        return unescape_pointer(unquote(str(schema["$ref"]).rstrip("/").replace("#", "/").rpartition("/")[2])) or "#"
    if isinstance(schema.get("title"), str):
        return str(schema["title"])
    if "const" in schema:
        return repr(schema["const"])
    kind = schema.get("type")
    if isinstance(kind, str):
        names = [*(schema.get("required") or ()), *(schema.get("properties") or ())] if kind == "object" else []
        return f"{kind} with {names[0]}" if names else kind
    if isinstance(schema.get("required"), list) and schema["required"]:
        return f"with {', '.join(map(str, schema['required']))}"
    return next(iter(located.keywords()), "anything")
