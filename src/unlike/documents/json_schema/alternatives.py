"""The alternatives that keywords offer: anyOf, oneOf, if, dependent*, and the ways to break a schema."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Mapping
from typing import Any
from urllib.parse import unquote

from unlike.documents.json_schema.disjointness import is_apart, possible_kinds
from unlike.documents.json_schema.document import unescaped
from unlike.documents.json_schema.holding_schemas import Alternative, Choosing, Making, SchemaInForce
from unlike.documents.json_schema.located import MISSING, Located
from unlike.documents.json_schema.negation import Contrary, contraries

MOST_TOGETHER = 4  # schemas of anyOf of which every combination is looked at


def broken(making: Making, node: SchemaInForce, located: Located) -> list[Alternative]:
    """Return the ways in which a schema does not hold."""
    located = located.target()
    ways = []
    for each in _contraries(making, located):
        if each.narrow:
            making.notes.append(f"not every way to break {each.word!r} is tried")
        if each.beyond:
            ways.append(Alternative(each.word, (), beyond=node.inside(located, silent=True)))
            continue
        inside = node.inside(located.sub(each.schema), silent=True)
        ways.append(Alternative(each.word, (inside,), (located,) if each.inexact else ()))
    return ways


def _contraries(making: Making, located: Located) -> list[Contrary]:
    """Return the ways to break a schema; the same objects each time, so that what recurs is known again."""
    key = ("not", located.key)
    if key not in making.made:
        making.made[key] = contraries(located)
    found: list[Contrary] = making.made[key]
    return found


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
        ways = broken(making, node, target)
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
    then, other = located.said("then"), located.said("else")
    tested = node.inside(located.sub(condition))
    met = [tested] + ([] if then is MISSING else [node.inside(located.sub(then))])
    unmet = [] if other is MISSING else [node.inside(located.sub(other))]
    if len(met) == 1 and not unmet and not making.thorough:
        return  # says nothing
    found = [Alternative("then", tuple(met))]
    ways = broken(making, node, tested.located)
    for way in ways:
        word = "else" if len(ways) == 1 else f"else ({way.word})"
        found.append(Alternative(word, (*way.nodes, *unmet), way.refused))
    yield Choosing("if", tuple(found))


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
        return unescaped(unquote(str(schema["$ref"]).rstrip("/").replace("#", "/").rpartition("/")[2])) or "#"
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
