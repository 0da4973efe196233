"""Values with one change in one place: what a schema accepts becomes, perhaps, what it rejects.

Changes come from the value alone, and from what the document mentions: constants, names, numbers, formats.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from unlike.documents.json_schema.patterns import shortest
from unlike.structure.shapes import EACH, Path

MOST_STEPS = 6  # numbers to be multiples of, of which each is left out in turn
MUCH = 20  # longer than that, a text or an array is made to measure
MOST_MADE = {"maxLength": 1_000_000, "maxItems": 20_000}
MOST_CONSTANTS = 20  # values that the schema mentions, which are tried in other places, too
Change = tuple[Path, str, object]  # where, what was done, the whole value


@dataclass(frozen=True, slots=True)
class SchemaMentions:
    """What a document speaks of: values under const and enum, names of properties, numbers to be multiples of.

    lengths    the greatest of texts, and of arrays, that are longer than what instances show
    """

    constants: tuple[object, ...] = ()
    names: tuple[str, ...] = ()
    steps: tuple[float, ...] = ()
    lengths: tuple[int, ...] = ()
    sizes: tuple[int, ...] = ()

    @staticmethod
    def of(document: object) -> SchemaMentions:
        """Return what a document speaks of, as far as it is few."""
        constants: list[object] = []
        names: dict[str, None] = {}
        others: dict[str, None] = {}
        steps: dict[float, None] = {}
        lengths = {"maxLength": dict[int, None](), "maxItems": dict[int, None]()}
        for part in objects_in(document):
            listed = part.get("enum")
            constants += [*([part["const"]] if "const" in part else []), *(listed if isinstance(listed, list) else [])]
            if isinstance(step := part.get("multipleOf"), int | float):
                steps[step] = None
            for keyword, known in lengths.items():
                if isinstance(most := part.get(keyword), int | float) and MUCH < most <= MOST_MADE[keyword]:
                    known[int(most)] = None
            for keyword in ("properties", "patternProperties", "dependentSchemas", "dependentRequired", "dependencies"):
                inside = part.get(keyword)
                for name, inner in inside.items() if isinstance(inside, dict) else ():
                    example = shortest(name) if keyword == "patternProperties" else str(name)
                    if example is not None:
                        (names if inner in (False, {"not": {}}, {"not": True}) else others)[example] = None
        few = slice(MOST_CONSTANTS)
        long = (tuple(known)[few] for known in lengths.values())
        return SchemaMentions(tuple(constants)[few], tuple(names | others)[few], tuple(steps)[few], *long)


def objects_in(part: object) -> Iterator[dict[str, object]]:
    """Yield every object in a document."""
    match part:
        case dict():
            yield part
            for inner in part.values():
                yield from objects_in(inner)
        case list():
            for inner in part:
                yield from objects_in(inner)


NOTHING = SchemaMentions()
PARTS = {"a half": 2, "a tenth": 10}


def changes_of(value: object, mentioned: SchemaMentions = NOTHING, path: Path = ()) -> Iterator[Change]:
    """Yield the value with one change in one place: where, what was done, and the whole."""
    for word, other in (*_others(value), *_insert_mentions(value, mentioned)):
        yield path, word, other
    match value:
        case dict():
            for name, inner in value.items():
                yield (*path, name), "missing", {key: each for key, each in value.items() if key != name}
                for where, word, other in changes_of(inner, mentioned, (*path, name)):
                    yield where, word, {**value, name: other}
        case list():
            for index, inner in enumerate(value):
                for where, word, other in changes_of(inner, mentioned, (*path, EACH)):
                    yield where, word, [*value[:index], other, *value[index + 1 :]]


def put_at(value: Any, place: tuple[str | int, ...], old: object, new: object) -> object:
    """Return the value with another part at a place; a property there is renamed, where its name is the old part."""
    if place:
        inner = put_at(value[place[0]], place[1:], old, new)
        if isinstance(value, dict):
            return {**value, place[0]: inner}
        return [inner if at == place[0] else each for at, each in enumerate(value)]
    if isinstance(value, dict) and isinstance(old, str) and old in value:
        return {new if name == old else name: each for name, each in value.items()}
    return new


def _insert_mentions(value: object, mentioned: SchemaMentions) -> Iterator[tuple[str, object]]:
    """Yield other values that the document speaks of."""
    for each in mentioned.constants:
        yield f"{each!r} instead", each
    if isinstance(value, int | float) and not isinstance(value, bool):
        for step in mentioned.steps:
            yield from ((f"{word} of {step} more", value + step / parts) for word, parts in PARTS.items())
        yield from ((f"{step} more", value + step) for step in _common_steps(mentioned.steps))
    if isinstance(value, str):
        yield from ((f"{most + 1:,} characters", value.ljust(most + 1, "x")) for most in mentioned.lengths)
    if isinstance(value, list) and value:
        yield from ((f"{most + 1:,} items", _lengthen(value, most + 1)) for most in mentioned.sizes)
    if isinstance(value, dict):
        for name in mentioned.names:
            if name not in value:
                yield f"with {name}", {**value, name: 1}


def _lengthen(items: list[Any], size: int) -> list[Any]:
    """Return the items with more like the last, so many in all; numbers and texts that differ from each other."""
    last, missing = items[-1], range(1, size - len(items) + 1)
    if isinstance(last, str):
        return [*items, *(f"{last}{number}" for number in missing)]
    if isinstance(last, int | float) and not isinstance(last, bool):
        top = max(each for each in items if isinstance(each, int | float))
        return [*items, *(top + number for number in missing)]
    return [*items, *(last for _ in missing)]


def _common_steps(steps: tuple[float, ...]) -> Iterator[float]:
    """Yield the least common multiple of all numbers but one: added, it keeps these, and perhaps not the one."""
    for at in range(len(steps) if 1 < len(steps) <= MOST_STEPS else 0):
        others = [Fraction(repr(each)) for each in (*steps[:at], *steps[at + 1 :])]
        most = math.lcm(*(each.denominator for each in others))
        found = Fraction(math.lcm(*(int(each * most) for each in others)), most)
        yield int(found) if found.denominator == 1 else float(found)


def _others(value: object) -> Iterator[tuple[str, object]]:
    match value:
        case bool():
            yield "the other truth value", not value
        case None:
            pass
        case int() | float():
            yield from (("one less", value - 1), ("one more", value + 1), ("a half more", value + 0.5))
            yield from (("negative", -abs(value) - 1), ("very large", abs(value) + 10**9))
        case str():
            yield from (("one longer", f"{value}x"), ("one shorter", value[:-1]), ("much longer", value + "x" * 100))
            yield from (("empty", ""), ("other characters", "~" * max(1, len(value))))
        case list():
            yield from (("one fewer", value[:-1]), ("empty", []), ("one null more", [*value, None]))
            if value:
                yield from (("the first twice", [value[0], *value]), ("the last often", [*value, *value[-1:] * 20]))
                yield from ((f"the first again at {at}", [*value[:at], value[0], *value[at + 1 :]]) for at in (1, 2))
        case dict():
            extra = "unexpected"
            while extra in value:
                extra += "_"
            for word, each in (("one", 1), ("a null", None), *(("one like another", each) for each in value.values())):
                yield f"{word} too many", {**value, extra: each}
            yield from (("empty", {}), ("many more", {**value, **{f"{extra}{i}": "x" for i in range(20)}}))
    kinds: dict[str, object] = {"null": None, "a boolean": True, "a number": 0, "a fraction": 0.5, "a text": "text"}
    for word, other in (kinds | {"an array": [], "an object": {}}).items():
        if type(other) is not type(value):
            yield word, other
