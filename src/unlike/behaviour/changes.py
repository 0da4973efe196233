"""Plain values inside an input, and how to put another one there.

    {"name": "ab", "ages": (3,)}  ->  name "ab", ages (3,), ages 3; each with a function to the input with another value

Whether a changed input is still legal is for its space to say; a change itself knows no rules.
"""

from __future__ import annotations

import functools
import random
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from unlike.recipe import Argument, Call, Items, Recipe

SIGNS = "\x00 _-+.,;:!\"'%#@AaZz09éß٣\t\n"  # that parsers treat in ways of their own
USUAL_LETTERS = "0 9aZ-.:/"
LONGEST_NUMBER = 12  # digits in a row that are read as one number
LONGEST_TEXT = 80  # letters: longer ones are not read by anybody
DIGITS = re.compile(f"[0-9]{{1,{LONGEST_NUMBER}}}")
PARTS = {"list", "tuple", "set", "frozenset"}


@dataclass(frozen=True, slots=True)
class PlainPlace:
    """A value inside an input: the field it stands in, and how to build the input with another value there."""

    name: str
    value: object
    put: Callable[[Any], Any]


def places_in(thing: object, name: str = "") -> Iterator[PlainPlace]:
    """Yield the values inside a recipe, or inside plain data."""
    match thing:
        case Recipe(steps, result):
            for number, step in enumerate(steps):
                if isinstance(step, Call):
                    for place in _in_call(step):
                        yield replace(place, put=functools.partial(_put_step, thing, number, place.put))
            for place in places_in(result, name):
                yield replace(place, put=functools.partial(_put_result, thing, place.put))
        case Items(kind, items):
            if kind in PARTS:
                yield PlainPlace(name, items, lambda new: Items(kind, tuple(new)))
            names = [str(items[at - 1]) if kind == "dict" and at % 2 else name for at in range(len(items))]
            values = range(1, len(items), 2) if kind == "dict" else range(len(items))
            for at in values:
                for place in places_in(items[at], names[at]):
                    yield replace(place, put=functools.partial(_put_item, kind, items, at, place.put))
        case dict():
            for key, value in thing.items():
                for place in places_in(value, str(key)):
                    yield replace(place, put=functools.partial(_put_entry, thing, key, place.put))
        case tuple():
            yield PlainPlace(name, thing, tuple)
            for at, value in enumerate(thing):
                for place in places_in(value, name):
                    yield replace(place, put=functools.partial(_put_part, thing, at, place.put))
        case bool() | int() | float() | str() | bytes() | Fraction():
            yield PlainPlace(name, thing, _itself)


def _in_call(step: Call) -> Iterator[PlainPlace]:
    for at, argument in enumerate(step.args):
        for place in places_in(argument):
            yield replace(place, put=functools.partial(_put_argument, step, at, place.put))
    for at, (key, argument) in enumerate(step.kwargs):
        for place in places_in(argument, key):
            yield replace(place, put=functools.partial(_put_keyword, step, at, place.put))


def _itself(new: object) -> object:
    return new


def _put_step(recipe: Recipe, number: int, put: Callable[[object], Call], new: object) -> Recipe:
    return replace(recipe, steps=(*recipe.steps[:number], put(new), *recipe.steps[number + 1 :]))


def _put_result(recipe: Recipe, put: Callable[[object], Argument], new: object) -> Recipe:
    return replace(recipe, result=put(new))


def _put_item(kind: Any, items: tuple[Argument, ...], at: int, put: Callable[[object], Argument], new: object) -> Items:
    return Items(kind, (*items[:at], put(new), *items[at + 1 :]))


def _put_entry(thing: dict[Any, Any], key: object, put: Callable[[object], object], new: object) -> dict[Any, Any]:
    return {**thing, key: put(new)}


def _put_part(thing: tuple[Any, ...], at: int, put: Callable[[object], object], new: object) -> tuple[Any, ...]:
    return (*thing[:at], put(new), *thing[at + 1 :])


def _put_argument(step: Call, at: int, put: Callable[[object], Argument], new: object) -> Call:
    return replace(step, args=(*step.args[:at], put(new), *step.args[at + 1 :]))


def _put_keyword(step: Call, at: int, put: Callable[[object], Argument], new: object) -> Call:
    return replace(step, kwargs=(*step.kwargs[:at], (step.kwargs[at][0], put(new)), *step.kwargs[at + 1 :]))


# -- other values ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class MentionedValues:
    """What the source mentions: numbers with those beside them, lengths, texts; by the name of what it flows into."""

    numbers: tuple[int | float, ...] = (0, 1)
    texts: tuple[str, ...] = ("",)
    lengths: tuple[int, ...] = (0, 1)
    letters: str = USUAL_LETTERS
    named: tuple[tuple[str, tuple[object, ...]], ...] = ()

    def numbers_for(self, name: str) -> Sequence[int | float]:
        """Return the numbers that flow into what has the name; all, where none is known to."""
        own = [each for each in self._own(name) if isinstance(each, int | float)]
        return own or self.numbers

    def texts_for(self, name: str) -> Sequence[str]:
        """Return the texts that flow into what has the name; all, where none is known to."""
        own = [each for each in self._own(name) if isinstance(each, str)]
        return own or self.texts

    def _own(self, name: str) -> tuple[object, ...]:
        return next((values for each, values in self.named if each == name), ())


def change_value(value: object, known: MentionedValues, pick: random.Random, name: str = "") -> object:
    """Return another value of the same type, near to it or one that the source mentions."""
    match value:
        case bool():
            return not value
        case str() if pick.random() < 0.5:
            return edit_text(value, known, pick)
        case str():
            return mention_in(value, known, pick, name)
        case int():
            whole = [int(each) for each in known.numbers_for(name) if each == each and abs(each) < 10**LONGEST_NUMBER]
            return (
                pick.choice(whole) if whole and pick.random() < 0.7 else value + pick.choice((-1, 1, 10, -10, -value))
            )
        case float():
            return float(pick.choice(known.numbers_for(name))) if pick.random() < 0.7 else value + pick.choice((-1, 1))
        case Fraction():
            return Fraction(pick.choice(known.numbers_for(name)))
        case bytes():
            return edit_text(value.decode("latin-1"), known, pick).encode("latin-1", "ignore")
        case tuple():
            return _change_parts(value, pick)
    return value


def _change_parts(parts: tuple[object, ...], pick: random.Random) -> tuple[object, ...]:
    """Return a row without one of its parts, or with one of them twice, or the other way round."""
    if not parts:
        return parts
    at = pick.randrange(len(parts))
    kind = pick.randrange(3)
    if kind == 0:
        return parts[:at] + parts[at + 1 :]
    return (*parts, parts[at]) if kind == 1 else parts[::-1]


def edit_text(text: str, known: MentionedValues, pick: random.Random) -> str:
    """Return a text with one letter added, dropped, or exchanged, or a part of it twice."""
    at, kind = pick.randrange(len(text) + 1), pick.randrange(6)
    if kind == 0 or not text:
        return text[:at] + pick.choice(known.letters if pick.random() < 0.7 else SIGNS) + text[at:]
    at = min(at, len(text) - 1)
    if kind == 1:
        return text[:at] + text[at + 1 :]
    if kind == 2:
        return text[:at] + pick.choice(known.letters) + text[at + 1 :]
    if kind == 3:
        return text[:at] + chr(max(32, ord(text[at]) + pick.choice((-1, 1)))) + text[at + 1 :]
    if kind == 4:
        return "".join(pick.choice("001" + each) if each in "23456789" else each for each in text)
    to = pick.randrange(len(text))
    return (text[:at] + text[min(at, to) : max(at, to)] + text[at:])[:LONGEST_TEXT]


def mention_in(text: str, known: MentionedValues, pick: random.Random, name: str = "") -> str:
    """Return a text with one change by what the source mentions: a number, a length or a word of it."""
    kind, at = pick.randrange(5), pick.randrange(len(text) + 1)
    spans = [found.span() for found in DIGITS.finditer(text)]
    if kind == 0 and spans:
        start, end = pick.choice(spans)
        new = str(abs(int(pick.choice(known.numbers))))
        return text[:start] + (new if pick.random() < 0.5 else new.zfill(end - start)) + text[end:]
    if kind == 1:
        size = pick.choice(known.lengths or (len(text),))
        return text[:size] + "".join(pick.choice(text or "0") for _ in range(min(size, LONGEST_TEXT) - len(text)))
    word = pick.choice(known.texts_for(name) or ("",))
    if kind == 2:
        return text[:at] + word + text[at:]
    if kind == 3:
        return text[:at] + word + text[at + len(word) :]
    return pick.choice(
        (word + text, text + word, word + text[len(word) :], text[: max(0, len(text) - len(word))] + word, word)
    )


def with_small_numbers(thing: Any) -> Any:
    """Return an input whose texts have small numbers everywhere: of a date, or a time, that is one.

    2049-30-99 -> 0001-01-01
    """
    for number, place in enumerate(list(places_in(thing))):
        if isinstance(place.value, str) and DIGITS.search(place.value):
            small = DIGITS.sub(lambda found: "1".zfill(len(found.group())), place.value)
            thing = list(places_in(thing))[number].put(small)
    return thing


def numbers_in(thing: object) -> Iterator[tuple[int | Fraction | float, Callable[[Any], Any]]]:
    """Yield the numbers inside an input, those written in its texts, too; each with how to put another one there."""
    for place in places_in(thing):
        match place.value:
            case bool():
                continue
            case int() | float() | Fraction():
                yield place.value, place.put
            case str() as text:
                for found in DIGITS.finditer(text):
                    yield int(found.group()), functools.partial(_put_digits, place, found.span())


def _put_digits(place: PlainPlace, span: tuple[int, int], new: object) -> object:
    text, (start, end) = str(place.value), span
    digits = str(abs(int(new)))  # type: ignore[call-overload]
    return place.put(text[:start] + digits.zfill(end - start) + text[end:])
