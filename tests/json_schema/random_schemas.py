"""Random schemas, and a universe of small JSON values to try them on."""

from __future__ import annotations

import itertools
import random
from collections.abc import Callable
from typing import Any

SCALARS: list[Any] = [None, False, True, 0, 1, 2, 3, 5, -1, 0.5, 1.5, "", "a", "b", "ab", "aab", "ba", "x1"]
TYPES = ["null", "boolean", "integer", "number", "string", "array", "object"]
NAMES = ["a", "b", "c"]
PATTERNS = ["^a", "b$", "^a+$", "[0-9]", "^(a|b)$", "^$"]


def universe() -> list[Any]:
    """Return all small values: scalars, arrays and objects of a few of them."""
    few: list[Any] = [None, True, 0, 2, "a", "ab", [], {}]
    arrays = [list(each) for size in range(4) for each in itertools.product(few[: 8 - size], repeat=size)]
    objects = [
        dict(zip(names, values, strict=True))
        for size in range(4)
        for names in itertools.combinations([*NAMES, "x1"], size)
        for values in itertools.product(few[: 8 - size], repeat=size)
    ]
    return [*SCALARS, *arrays, *objects]


class Chance:
    """A random schema of a draft, as deep as asked for."""

    def __init__(self, seed: int, draft: str) -> None:
        self.chance = random.Random(seed)
        self.draft = draft

    def schema(self, depth: int) -> Any:
        if self.chance.random() < 0.06:
            return self.chance.choice([True, False, {}])
        found: dict[str, Any] = {}
        if self.chance.random() < 0.5:
            found["type"] = self.type()
        for _ in range(self.chance.choice([0, 1, 1, 2, 3])):
            found |= self.keyword(depth)
        return found

    def type(self) -> Any:
        if self.chance.random() < 0.7:
            return self.chance.choice(TYPES)
        return self.chance.sample(TYPES, self.chance.randint(1, 3))

    def keyword(self, depth: int) -> dict[str, Any]:
        leaves = [self.number, self.text, self.values, self.size]
        nested = [self.object, self.array, self.combined, self.conditional]
        return self.chance.choice(leaves + nested * 2 if depth else leaves)(depth - 1)

    def number(self, _: int) -> dict[str, Any]:
        keyword = self.chance.choice(["minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum", "multipleOf"])
        return {keyword: self.chance.choice([1, 2, 0.5] if keyword == "multipleOf" else [-1, 0, 1, 1.5, 2])}

    def text(self, _: int) -> dict[str, Any]:
        keyword = self.chance.choice(["minLength", "maxLength", "pattern"])
        return {keyword: self.chance.choice(PATTERNS) if keyword == "pattern" else self.chance.randint(0, 3)}

    def values(self, _: int) -> dict[str, Any]:
        if self.chance.random() < 0.4:
            return {"const": self.chance.choice(SCALARS)}
        return {"enum": self.chance.sample([*SCALARS, [], {}, ["a"], {"a": 0}], self.chance.randint(1, 4))}

    def size(self, _: int) -> dict[str, Any]:
        words = ["minItems", "maxItems", "minProperties", "maxProperties"]
        return {self.chance.choice(words): self.chance.randint(0, 2)}

    def object(self, depth: int) -> dict[str, Any]:
        words = ["properties", "required", "additionalProperties", "patternProperties", "propertyNames"]
        words += ["unevaluatedProperties"] * (self.draft == "2020-12")
        match self.chance.choice(words):
            case "properties":
                names = self.chance.sample(NAMES, self.chance.randint(1, 2))
                return {"properties": {name: self.schema(depth) for name in names}}
            case "required":
                return {"required": self.chance.sample(NAMES, self.chance.randint(1, 2))}
            case "patternProperties":
                return {"patternProperties": {self.chance.choice(PATTERNS): self.schema(depth)}}
            case "unevaluatedProperties":
                return {"unevaluatedProperties": self.chance.choice([False, self.schema(0)])}
            case word:
                return {word: self.schema(depth)}

    def array(self, depth: int) -> dict[str, Any]:
        words = ["items", "contains", "uniqueItems", "prefix"]
        words += ["unevaluatedItems", "counted"] * (self.draft == "2020-12")
        match self.chance.choice(words):
            case "uniqueItems":
                return {"uniqueItems": True}
            case "prefix":
                word = "prefixItems" if self.draft == "2020-12" else "items"
                found: dict[str, Any] = {word: [self.schema(depth) for _ in range(self.chance.randint(1, 2))]}
                if self.draft != "2020-12" and self.chance.random() < 0.5:
                    found["additionalItems"] = self.schema(0)
                return found
            case "unevaluatedItems":
                return {"unevaluatedItems": self.chance.choice([False, self.schema(0)])}
            case "counted":
                words = ["minContains", "maxContains"]
                return {"contains": self.schema(depth), self.chance.choice(words): self.chance.randint(0, 2)}
            case word:
                return {word: self.schema(depth)}

    def combined(self, depth: int) -> dict[str, Any]:
        word = self.chance.choice(["allOf", "anyOf", "oneOf", "not"])
        if word == "not":
            return {"not": self.schema(depth)}
        return {word: [self.schema(depth) for _ in range(self.chance.randint(1, 3))]}

    def conditional(self, depth: int) -> dict[str, Any]:
        if self.chance.random() < 0.5:
            return {"if": self.schema(depth), "then": self.schema(depth), "else": self.schema(depth)}
        name, other = self.chance.sample(NAMES, 2)
        inner = self.chance.choice([[other], self.schema(depth)])
        if self.draft == "7":
            return {"dependencies": {name: inner}}
        return {"dependentRequired" if isinstance(inner, list) else "dependentSchemas": {name: inner}}


ATOMS: list[Any] = [0, 1, True, False, None, "x", "y"]


def finite_universe() -> list[Any]:
    """Return every value that a schema of `Finite` can accept."""
    objects = [
        {name: value for name, value in zip(NAMES, values, strict=True) if value is not universe}
        for values in itertools.product([*ATOMS, universe], repeat=3)
    ]
    return [*ATOMS, *objects, *(list(each) for size in range(4) for each in itertools.product(ATOMS, repeat=size))]


class Finite:
    """A random schema that accepts few values: scalars, closed objects, short arrays, and combinations of these."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)

    def schema(self) -> Any:
        return self.combined(self.chance.choice([self.scalar, self.object, self.array]))

    def scalar(self) -> Any:
        found = [{"enum": [0, 1]}, {"type": "boolean"}, {"const": "x"}, {"enum": [0, True, None]}, {"type": "null"}]
        found += [{"type": "integer", "minimum": 0, "maximum": 1}, {"not": {"const": 1}, "enum": [0, 1]}]
        return self.chance.choice([*found, {"type": "string", "pattern": "^[xy]$"}])

    def combined(self, inner: Callable[[], Any]) -> Any:
        match self.chance.randrange(9):
            case 0 | 1 | 2 as which:
                return {("anyOf", "oneOf", "allOf")[which]: [inner(), inner()]}
            case 3:
                return {"if": inner(), "then": inner(), "else": inner()}
            case 4:
                return {"allOf": [inner(), {"not": inner()}]}
        return inner()

    def object(self) -> Any:
        names = self.chance.sample(NAMES, self.chance.randint(1, 3))
        found: dict[str, Any] = {"type": "object", "properties": {each: self.combined(self.scalar) for each in names}}
        if self.often(0.5):
            found["additionalProperties"] = False
        else:
            found |= {"additionalProperties": {"enum": [0, 1]}, "propertyNames": {"enum": NAMES}}
        some = [("required", NAMES[:1]), ("minProperties", 1), ("maxProperties", 2)]
        some += [("dependentRequired", {"a": ["b"]}), ("dependentSchemas", {"b": {"properties": {"c": self.scalar()}}})]
        some += [("not", {"properties": {"b": self.scalar()}, "required": ["b"]})]
        return found | {keyword: value for keyword, value in some if self.often(0.25)}

    def array(self) -> Any:
        found: dict[str, Any] = {"type": "array", "maxItems": self.chance.randint(0, 3)}
        found["items"] = self.chance.choice([False, self.scalar(), self.scalar()])
        if self.often(0.5):
            found["prefixItems"] = [self.combined(self.scalar) for _ in range(self.chance.randint(1, 2))]
        if self.often(0.4):
            found["contains"] = self.scalar()
        some = [("minItems", 1), ("minContains", self.chance.randint(0, 2)), ("maxContains", 1), ("uniqueItems", True)]
        return found | {keyword: value for keyword, value in some if self.often(0.25)}

    def often(self, share: float) -> bool:
        return self.chance.random() < share
