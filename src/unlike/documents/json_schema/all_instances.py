"""Every instance of a schema that has few: what its keywords leave at most is listed, and the validator keeps the rest.

No keyword is turned into choices here. Enumerations, bounded whole numbers, closed objects and arrays of bounded length
can be listed; every other keyword only takes values away, which is the validator's business. So nothing is missed where
a list comes out, whatever the coverage shows. Where none does, the places that stay open are named.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import Any, TypeAlias

from unlike.core import FOREVER, Deadline
from unlike.documents.json_schema.keywords import KINDS, bound_of, identity, kinds_named
from unlike.documents.json_schema.located import MISSING, Key, Located, reach
from unlike.documents.json_schema.patterns import keep_patterns, language
from unlike.language.values import exact
from unlike.regex.automaton import Automaton, Undecided
from unlike.structure.shapes import EACH, Path, Whole

SPLITS = 64  # alternatives that are looked at one by one, of one place
NEVER: tuple[object, ...] = (False, {"not": {}})
Used: TypeAlias = frozenset[tuple[Key, str]]


class OpenError(Exception):
    """There is no end at some places: where, and of what."""

    def __init__(self, *places: tuple[Path, str]) -> None:
        super().__init__(*places)
        self.places = dict.fromkeys(places)


class ManyError(Exception):
    """There is an end, but too far away."""


def whole(located: Located, most: int, deadline: Deadline = FOREVER) -> Whole:
    """Return every instance of a schema, if there are no more candidates than the most."""
    try:
        return Whole(tuple(_Listing(most, deadline).values([located], ())))
    except OpenError as error:
        return Whole(None, tuple(error.places))
    except (ManyError, RecursionError):
        return Whole(None)


class _Listing:
    def __init__(self, most: int, deadline: Deadline) -> None:
        self.most = most
        self.left = 4 * most  # candidates that may still be looked at, as parts and as a whole
        self.deadline = deadline
        self.done: dict[object, list[object]] = {}
        self.entered: set[object] = set()
        self.kept: list[Located] = []  # what keys stand for lives as long as the keys

    def values(self, goals: Iterable[Located], path: Path, kinds: Sequence[str] = KINDS) -> list[object]:
        """Return every value of these kinds that all schemas accept."""
        found = {each.key: each for each in (goal.target() for goal in goals) if each.schema is not True}
        key = (tuple(found), tuple(kinds))
        if key in self.done:
            return self.done[key]
        if key in self.entered:
            raise OpenError((path, "nested any number of times"))
        self.kept += found.values()
        self.entered.add(key)
        try:
            candidates = self.candidates(list(found.values()), path, kinds, frozenset())
        finally:
            self.entered.discard(key)
        different = {identity(each): each for each in reversed(candidates)}
        kept = self.done[key] = []
        for value in reversed(different.values()):
            self.spend()
            if all(each.accepts(value) for each in found.values()):
                kept.append(value)
        return kept

    def spend(self) -> None:
        """Count one candidate more."""
        self.left -= 1
        if self.left < 0:
            raise ManyError
        self.deadline.check()

    # -- alternatives ----------------------------------------------------------------------------------------------

    def candidates(self, goals: list[Located], path: Path, kinds: Sequence[str], used: Used) -> list[object]:
        """Return what may be accepted: at once where that is possible, else under each alternative in turn."""
        frames = list(reach(goals, _frames))
        if any(each.schema is False for each in frames):
            return []
        try:
            return list(self.at(frames, path, kinds))
        except OpenError:
            split = next(_splits(frames, used), None)
            if split is None or len(used) + len(split[1]) > SPLITS:
                raise
        self.kept += [each for more in split[1] for each in more]
        calls = [partial(self.candidates, [*goals, *more], path, kinds, used | {split[0]}) for more in split[1]]
        return [value for values in _call_all(calls) for value in values]

    def at(self, frames: list[Located], path: Path, kinds: Sequence[str]) -> Iterator[object]:
        """Yield what schemas leave at most that hold together."""
        for each in frames:
            if (listed := each.get("enum")) is not MISSING:
                yield from listed
                return
            if (constant := each.get("const")) is not MISSING:
                yield constant
                return
        left = _kinds(frames, kinds)
        if set(left) == set(KINDS):
            raise OpenError((path, "any value"))
        whole = "fraction" not in left
        for values in _call_all(partial(self.of_kind, kind, frames, path, whole=whole) for kind in left):
            yield from values

    def of_kind(self, kind: str, frames: list[Located], path: Path, *, whole: bool) -> Iterable[object]:
        match kind:
            case "object":
                return self.objects(frames, path)
            case "array":
                return self.arrays(frames, path)
            case "string":
                return self.strings(frames, path)
            case "integer":
                return self.numbers(frames, path) if whole else ()  # else among the others
            case "fraction":
                return self.numbers(frames, path, whole=False)
            case "boolean":
                return False, True
        return (None,)

    # -- numbers and strings ---------------------------------------------------------------------------------------

    def numbers(self, frames: list[Located], path: Path, *, whole: bool = True) -> Iterator[object]:
        """Yield the multiples of a step between the bounds; an open bound is the validator's business."""
        keywords = (("minimum", "exclusiveMinimum"), ("maximum", "exclusiveMaximum"))
        said = [[value for keyword in side for value in _get_each(frames, keyword)] for side in keywords]
        lows, highs = ([bound_of(value) for value in side if not isinstance(value, bool)] for side in said)
        if not (lows and highs):
            raise OpenError((path, "numbers without a bound"))
        low, high = max(lows), min(highs)
        steps = [exact(value) for value in _get_each(frames, "multipleOf")]
        if whole:
            steps = [Fraction(1), *(each for each in steps if each.denominator == 1)]
        elif not steps and low < high:
            raise OpenError((path, "numbers of any precision"))
        step = max(steps, default=None)
        if step is None:
            yield from [_number(low)] * (low == high)
            return
        if step.denominator & (step.denominator - 1):  # of 0.1, say: whether 0.3 is one is a matter of rounding
            raise OpenError((path, f"multiples of {float(step)}, which a computer rounds"))
        codes = range(math.ceil(low / step), math.floor(high / step) + 1)
        if codes and codes[-1] - codes[0] >= self.left:
            raise ManyError
        for code in codes:
            yield _number(code * step)

    def strings(self, frames: list[Located], path: Path) -> Iterator[object]:
        """Yield the texts of patterns that leave few."""
        least = max((int(each) for each in _get_each(frames, "minLength")), default=0)
        most = min((int(each) for each in _get_each(frames, "maxLength")), default=None)
        patterns = [each for each in _get_each(frames, "pattern") if language(each) is not None]
        if most is not None and most < least:
            return
        if most != 0 and not patterns:
            raise OpenError((path, "texts"))
        try:
            found = keep_patterns(Automaton.of_lengths(least, most), patterns)
        except Undecided:
            raise OpenError((path, "texts")) from None
        total = found.total()
        if total is None or total > self.most:
            raise OpenError((path, "texts"))
        yield from found.texts()

    # -- objects ---------------------------------------------------------------------------------------------------

    def objects(self, frames: list[Located], path: Path) -> Iterator[object]:
        """Yield the objects whose names are all known, with every value of each."""
        most = min((int(each) for each in _get_each(frames, "maxProperties")), default=None)
        required = {name for each in frames for name in each.listing("required")}
        names = {} if most == 0 else self.names(frames, path)
        if names is None:
            raise OpenError((path, "other properties"))
        if any(name not in names for name in required):
            return
        values = _call_all(partial(self.values_at, frames, path, name) for name in names)
        parts = list(zip(names, values, strict=True))
        yield from self.objects_of(parts, required, len(names) if most is None else most)

    def values_at(self, frames: list[Located], path: Path, name: str) -> list[object]:
        goals = [goal for each in frames for goal in each.property_schemas(name, each.matching_patterns(name))]
        if not goals:
            raise OpenError(((*path, name), "any value"))
        return self.values(goals, (*path, name))

    def names(self, frames: list[Located], path: Path) -> dict[str, None] | None:
        """Return the names that properties can have, or nothing if there is no end of them."""
        found = [names for each in frames for names in self.name_lists(each, path)]
        if not found:
            return None
        return dict.fromkeys(name for name in found[0] if all(name in other for other in found[1:]))

    def name_lists(self, frame: Located, path: Path) -> Iterator[dict[str, None]]:
        if frame.get("additionalProperties") in NEVER and frame.get("patternProperties") in (MISSING, {}):
            yield dict.fromkeys(frame.mapping("properties"))
        if frame.get("unevaluatedProperties") in NEVER:
            inside = list(reach([frame], Located.same_value_schemas))
            if not any(_evaluates_any(each, itself=each is frame) for each in inside):
                yield dict.fromkeys(name for each in inside for name in each.mapping("properties"))
        if (inner := frame.get("propertyNames")) is not MISSING:
            with contextlib.suppress(OpenError):
                texts = self.values([frame.sub(inner)], (*path, EACH, "key"), ("string",))
                yield dict.fromkeys(text for text in texts if isinstance(text, str))

    def objects_of(
        self, parts: list[tuple[str, list[object]]], required: Collection[str], most: int
    ) -> Iterator[dict[str, object]]:
        """Yield the objects of at most so many properties."""
        if not parts:
            yield {}
            return
        (name, values), rest = parts[0], parts[1:]
        needed = sum(each in required for each, _ in rest)
        if name not in required:
            yield from self.objects_of(rest, required, most)
        if most > needed:
            for others in self.objects_of(rest, required, most - 1):
                for value in values:
                    self.spend()
                    yield {name: value, **others}

    # -- arrays ----------------------------------------------------------------------------------------------------

    def arrays(self, frames: list[Located], path: Path) -> Iterator[object]:
        """Yield the arrays of every length, with every item at each place."""
        least = max((int(each) for each in _get_each(frames, "minItems")), default=0)
        lengths = [int(each) for each in _get_each(frames, "maxItems")]
        most = min((*lengths, *(end for each in frames for end in _lengths(each))), default=None)
        different = any(each is True for each in _get_each(frames, "uniqueItems"))
        places = max(len(each.first_items()) for each in frames)
        items: list[list[object]] = []
        for index in range(places + 1 if most is None else min(most, places + 1)):
            goals = [each.sub(inner) for each in frames if (inner := each.item_at(index)) is not MISSING]
            word = EACH if index == places else str(index)
            if not goals:
                raise OpenError(((*path, word), "any value"))
            items.append(self.values(goals, (*path, word)))
            if not items[-1]:  # nothing can stand here
                most = index
                break
        if most is None:
            raise OpenError((path, "any number of items"))
        for length in range(least, most + 1):
            yield from self.arrays_of([items[min(index, places)] for index in range(length)], different=different)

    def arrays_of(self, items: list[list[object]], *, different: bool) -> Iterator[list[object]]:
        if not items:
            yield []
            return
        for first in self.arrays_of(items[:-1], different=different):
            known = {identity(each) for each in first} if different else ()
            for each in items[-1]:
                self.spend()
                if identity(each) not in known if different else True:
                    yield [*first, each]


def _call_all(calls: Iterable[Callable[[], Iterable[object]]]) -> list[list[object]]:
    """Return what each call lists, or all places together that any of them finds open."""
    found: list[list[object]] = []
    places: dict[tuple[Path, str], None] = {}
    for call in calls:
        try:
            found.append(list(call()))
        except OpenError as error:
            places |= error.places
    if places:
        raise OpenError(*places)
    return found


# -- what schemas say ----------------------------------------------------------------------------------------------


def _frames(each: Located) -> Iterator[Located]:
    """Yield the schemas that hold wherever one does, also those that it does not exclude."""
    yield from each.sure_schemas()
    excluded = each.get("not")
    if isinstance(excluded, Mapping) and list(excluded) == ["not"]:
        yield each.sub(excluded["not"])


def _splits(frames: list[Located], used: Used) -> Iterator[tuple[tuple[Key, str], list[list[Located]]]]:
    """Yield the choices that are still open: of each alternative the schemas that then hold."""
    for each in frames:
        for keyword in ("anyOf", "oneOf"):
            inner = each.listing(keyword)
            if inner and (each.key, keyword) not in used:
                yield (each.key, keyword), [[each.sub(one)] for one in inner]
        condition = each.get("if")
        if condition is not MISSING and (each.key, "if") not in used:
            then, other = each.get("then"), each.get("else")
            met = [each.sub(inner) for inner in (condition, then) if inner is not MISSING]
            yield (each.key, "if"), [met, [each.sub(other)] if other is not MISSING else []]


def _evaluates_any(located: Located, *, itself: bool) -> bool:
    """Tell whether a schema may evaluate properties that it does not name."""
    keywords = ("additionalProperties",) if itself else ("additionalProperties", "unevaluatedProperties")
    spoken = [located.get(each) for each in keywords]
    return any(each is not MISSING and each not in NEVER for each in spoken) or bool(
        located.mapping("patternProperties")
    )


def _kinds(frames: list[Located], kinds: Sequence[str]) -> list[str]:
    left = list(kinds)
    for each in frames:
        if (named := each.get("type")) is not MISSING:
            left = [kind for kind in left if kind in kinds_named(named)]
        excluded = each.get("not")
        if isinstance(excluded, Mapping) and list(excluded) == ["type"]:
            left = [kind for kind in left if kind not in kinds_named(excluded["type"])]
    return left


def _lengths(located: Located) -> Iterator[int]:
    """Yield how long arrays can be where nothing may stand behind the first items."""
    if located.item_at(len(located.first_items())) in NEVER:
        yield len(located.first_items())
    if located.get("unevaluatedItems") in NEVER:
        inside = list(reach([located], Located.same_value_schemas))
        beyond = [each.item_at(len(each.first_items())) for each in inside]
        beyond += [each.get(keyword) for each in inside for keyword in ("contains", "unevaluatedItems")]
        if all(each is MISSING or each in NEVER for each in beyond):
            yield max(len(each.first_items()) for each in inside)


def _get_each(frames: list[Located], keyword: str) -> Iterator[Any]:
    return (value for each in frames if (value := each.get(keyword)) is not MISSING)


def _number(value: Fraction) -> int | float:
    return int(value) if value.denominator == 1 else float(value)
