"""What holds together at one place of a value: schemas in force, types left, choices still open.

Schemas are added one by one; what they demand without a choice is noted at once, and what offers a choice waits. A
demand that contradicts another ends the place: there is no value for it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from unlike.formats.json_schema.reading.located import MISSING, Key, Located
from unlike.formats.json_schema.reading.negation import Contrary, contraries

KINDS = ("object", "array", "string", "integer", "fraction", "boolean", "null")
EXPANDED = {"number": ("integer", "fraction")}
SPEAKS = {
    "object": (
        "properties",
        "patternProperties",
        "additionalProperties",
        "unevaluatedProperties",
        "propertyNames",
        "required",
        "minProperties",
        "maxProperties",
    ),
    "array": (
        "items",
        "prefixItems",
        "additionalItems",
        "unevaluatedItems",
        "contains",
        "minItems",
        "maxItems",
        "uniqueItems",
    ),
    "string": ("minLength", "maxLength", "pattern", "format"),
    "number": ("minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"),
}
ABOUT = {keyword: kind for kind, keywords in SPEAKS.items() for keyword in keywords}


class ContradictionError(Exception):
    """No value: what is demanded contradicts itself."""


@dataclass(frozen=True, slots=True)
class Node:
    """A schema in force here, the schemas around it that hold here too, and whether it evaluates what it describes."""

    located: Located
    scopes: tuple[Key, ...] = ()
    silent: bool = False

    def inside(self, located: Located, *, silent: bool = False) -> Node:
        """Return a schema that holds because this one does."""
        return Node(located, (*self.scopes, self.located.key), self.silent or silent)


@dataclass(frozen=True, slots=True)
class Alternative:
    """One way to go on: in words, the schemas that then hold, and those that then must not."""

    word: str
    nodes: tuple[Node, ...]
    refused: tuple[Located, ...] = ()
    impossible: str = ""


@dataclass(frozen=True, slots=True)
class Choosing:
    """A choice: its keyword and its alternatives; an alternative may be left to chance if it is `checked` anyway."""

    keyword: str
    alternatives: tuple[Alternative, ...]
    checked: bool = False


@dataclass(slots=True)
class Place:
    """The demands on one value so far."""

    thorough: bool = False
    kinds: tuple[str, ...] = KINDS
    typed: bool = False
    nodes: tuple[Node, ...] = ()
    values: list[object] | None = None
    refused: tuple[Located, ...] = ()
    excluded: tuple[object, ...] = ()
    pending: tuple[Choosing, ...] = ()
    seen: frozenset[tuple[Key, bool]] = frozenset()
    fresh: tuple[Located, ...] = ()  # schemas added since they were last looked at
    weight: int = 1
    doubts: list[str] = field(default_factory=list)  # shared: why a contradiction may prove nothing
    made: dict[object, Any] = field(default_factory=dict)  # shared: schemas made of others, the same ones each time

    def taking(self, alternative: Alternative, weight: int) -> Place:
        """Return the place once an alternative is taken."""
        if alternative.impossible:
            raise ContradictionError(alternative.impossible)
        found = replace(self, weight=weight, refused=(*self.refused, *alternative.refused))
        for node in alternative.nodes:
            found.add(node)
        return found

    @property
    def is_bare(self) -> bool:
        """Whether nothing is demanded but what is still to be chosen."""
        return self.kinds == KINDS and not (
            self.nodes or self.typed or self.refused or self.excluded or self.values is not None
        )

    def add(self, node: Node) -> None:
        """Let one more schema hold."""
        located = node.located
        if located.schema is False:
            raise ContradictionError("false allows nothing")
        if (located.key, node.silent) in self.seen or located.schema is True:
            return
        self.seen |= {(located.key, node.silent)}
        if not node.silent:
            self.fresh = (*self.fresh, located)
        for target in located.references():
            self.add(node.inside(target))
        for keyword in located.keywords():
            self.demand(node, keyword, located.said(keyword))
        if any(each in ABOUT for each in located.keywords()):
            self.nodes = (*self.nodes, node)

    def demand(self, node: Node, keyword: str, value: Any) -> None:
        """Note what one keyword demands."""
        match keyword:
            case "type":
                self.keep_kinds(_kinds(value), f"type {value!r}", value)
            case "enum":
                self.keep_values(value)
            case "const":
                self.keep_values([value])
            case "allOf":
                for inner in value:
                    self.add(node.inside(node.located.sub(inner)))
            case "not":
                self.exclude(node, node.located.sub(value))
            case "anyOf" | "oneOf" | "if" | "dependentRequired" | "dependentSchemas" | "dependencies":
                self.pending = (*self.pending, *choices(self, node, keyword, value))

    def keep_kinds(self, kinds: tuple[str, ...], why: str, written: object = None) -> None:
        """Leave only values of these kinds, in the order in which they are written first."""
        ordered = kinds if not self.typed and written is not None else self.kinds
        left = tuple(each for each in ordered if each in self.kinds and each in kinds)
        if not left:
            raise ContradictionError(f"{why} leaves no type")
        self.kinds, self.typed = left, self.typed or written is not None

    def keep_values(self, values: list[object]) -> None:
        """Leave only these values."""
        if self.values is None:
            self.values = list(values)
        else:
            known = {identity(each) for each in values}
            self.values = [each for each in self.values if identity(each) in known]
        if not self.values:
            raise ContradictionError("no value is in every enum and const")

    def exclude(self, node: Node, located: Located) -> None:
        """Let a schema not hold."""
        located = located.target()
        match list(located.keywords()):
            case ["type"]:
                kinds = _kinds(located.said("type"))
                self.keep_kinds(tuple(each for each in KINDS if each not in kinds), "not type")
                return
            case ["enum"]:
                self.excluded = (*self.excluded, *located.said("enum"))
                self.refused = (*self.refused, located)
                return
        ways = broken(self, node, located)
        if not ways:
            raise ContradictionError("not excludes everything")
        self.pending = (*self.pending, Choosing("not", tuple(ways), checked=True))


def broken(place: Place, node: Node, located: Located) -> list[Alternative]:
    """Return the ways in which a schema does not hold."""
    located = located.target()
    ways = []
    for each in _contraries(place, located):
        if each.narrow:
            place.doubts.append(f"not every way to break {each.word!r} is tried")
        inside = node.inside(located.sub(each.schema), silent=True)
        ways.append(Alternative(each.word, (inside,), (located,) if each.inexact else ()))
    return ways


def _contraries(place: Place, located: Located) -> list[Contrary]:
    """Return the ways to break a schema; the same objects each time, so that what recurs is known again."""
    key = ("not", located.key)
    if key not in place.made:
        place.made[key] = contraries(located)
    found: list[Contrary] = place.made[key]
    return found


# -- choices -------------------------------------------------------------------------------------------------------


def choices(place: Place, node: Node, keyword: str, value: Any) -> Iterator[Choosing]:
    """Yield the choices that a keyword offers."""
    match keyword:
        case "anyOf":
            yield _any_of(node, value)
        case "oneOf":
            yield _one_of(place, node, value)
        case "if":
            yield from _if(place, node, value)
        case _:
            for name, inner in value.items():
                yield _dependent(place, node, (keyword, name), inner)


def _any_of(node: Node, schemas: list[Any]) -> Choosing:
    inner = [node.inside(node.located.sub(each)) for each in schemas]
    return Choosing("anyOf", tuple(Alternative(word, (each,)) for word, each in zip(words(inner), inner, strict=True)))


def _one_of(place: Place, node: Node, schemas: list[Any]) -> Choosing:
    inner = [node.inside(node.located.sub(each)) for each in schemas]
    found = []
    for index, (word, each) in enumerate(zip(words(inner), inner, strict=True)):
        found.append(_only(place, node, word, each, inner[:index] + inner[index + 1 :]))
    return Choosing("oneOf", tuple(found))


def _only(place: Place, node: Node, word: str, chosen: Node, others: list[Node]) -> Alternative:
    """Return the alternative that one schema holds, and none of the others."""
    nodes, refused = [chosen], list[Located]()
    kinds = possible_kinds(chosen.located)
    for other in others:
        target = other.located.target()
        if not kinds & possible_kinds(target):
            continue
        ways = broken(place, node, target)
        if not ways:
            return Alternative(word, (), impossible=f"another alternative of oneOf allows everything that {word} does")
        if place.thorough:
            contrary = place.made.setdefault(("contrary", other.located.key), {"not": other.located.schema})
            nodes.append(node.inside(node.located.sub(contrary), silent=True))
        elif len(ways) == 1 and not ways[0].refused:
            nodes += ways[0].nodes
        else:
            refused.append(target)
    return Alternative(word, tuple(nodes), tuple(refused))


def _if(place: Place, node: Node, condition: Any) -> Iterator[Choosing]:
    located = node.located
    then, other = located.said("then"), located.said("else")
    tested = node.inside(located.sub(condition))
    met = [tested] + ([] if then is MISSING else [node.inside(located.sub(then))])
    unmet = [] if other is MISSING else [node.inside(located.sub(other))]
    if len(met) == 1 and not unmet and not place.thorough:
        return  # says nothing
    found = [Alternative("then", tuple(met))]
    ways = broken(place, node, tested.located)
    for way in ways:
        word = "else" if len(ways) == 1 else f"else ({way.word})"
        found.append(Alternative(word, (*way.nodes, *unmet), way.refused))
    yield Choosing("if", tuple(found), checked=True)


def _dependent(place: Place, node: Node, said: tuple[str, str], inner: Any) -> Choosing:
    keyword, name = said
    key = ("dependent", node.located.key, *said)
    if key not in place.made:
        needed = [name, *inner] if isinstance(inner, list) else [name]
        place.made[key] = {"properties": {name: {"not": {}}}}, {"type": "object", "required": needed}
    absent, present = place.made[key]
    with_it = [node.inside(node.located.sub(present), silent=True)]
    if not isinstance(inner, list):
        with_it.append(node.inside(node.located.sub(inner)))
    without = node.inside(node.located.sub(absent), silent=True)
    ways = (Alternative(f"without {name}", (without,)), Alternative(f"with {name}", tuple(with_it)))
    return Choosing(keyword, ways, checked=True)


# -- words ---------------------------------------------------------------------------------------------------------


def words(nodes: list[Node]) -> list[str]:
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
        return str(schema["$ref"]).rstrip("/").replace("#", "/").rpartition("/")[2] or "#"
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


def possible_kinds(located: Located) -> set[str]:
    """Return the kinds of values that a schema may accept, as far as can be seen at once."""
    located = located.target()
    if located.schema is False:
        return set()
    found = set(KINDS)
    if (said := located.said("type")) is not MISSING:
        found &= set(_kinds(said))
    for keyword in ("enum", "const"):
        if (said := located.said(keyword)) is not MISSING:
            values = said if keyword == "enum" else [said]
            found &= {kind for value in values for kind in kinds_of(value)}
    return found


def _kinds(value: Any) -> tuple[str, ...]:
    names = [value] if isinstance(value, str) else value
    return tuple(dict.fromkeys(kind for name in names for kind in EXPANDED.get(name, (name,)) if kind in KINDS))


def kinds_of(value: object) -> tuple[str, ...]:
    """Return the kind of a value; a whole number written with a point may count as either."""
    match value:
        case None:
            return ("null",)
        case bool():
            return ("boolean",)
        case int():
            return ("integer",)
        case float():
            return ("integer", "fraction") if value == int(value) else ("fraction",)
        case str():
            return ("string",)
        case list():
            return ("array",)
    return ("object",)


def identity(value: object) -> object:
    """Return what is equal exactly for values that JSON Schema takes as equal."""
    match value:
        case bool() | str() | None:
            return type(value).__name__, value
        case int() | float():
            return "number", value
        case list():
            return "array", tuple(identity(each) for each in value)
        case Mapping():
            return "object", frozenset((key, identity(each)) for key, each in value.items())
    return "other", repr(value)
