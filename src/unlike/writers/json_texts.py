"""From inputs to the JSON texts that mean them: other whitespace, another order of keys, other escapes.

A *style* is one way to write in each of the three. An input shows a style only where it has what the style changes: a
key order needs keys. Styles go round so that every two ways that some input can show together are shown together.
"""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from unlike.errors import ScopeError, SpecError
from unlike.indexed import Listed
from unlike.recipe import recipe_of
from unlike.suite import Case, Suite
from unlike.writers.inputs import plain

SPACES = ("none", "one", "indented", "tabs", "much")
ORDERS = ("as they are", "reversed", "rotated")
ESCAPES = ("fewest", "slashes", "numbers", "all")
GAPS = (" ", "\t", "\n", "   ", "\r\n", "", " \t \n", "\n\n", "\r")
SHORT = {'"': '\\"', "\\": "\\\\", "\b": "\\b", "\f": "\\f", "\n": "\\n", "\r": "\\r", "\t": "\\t"}


class Style(NamedTuple):
    """How to write: the whitespace, the order of keys, the escapes."""

    spaces: str = "none"
    order: str = "as they are"
    escapes: str = "fewest"

    def __str__(self) -> str:
        return f"whitespace: {self.spaces}; keys: {self.order}; escapes: {self.escapes}"

    @property
    def pairs(self) -> set[tuple[int, str, int, str]]:
        """Every two of the three ways."""
        ways = list(enumerate(self))
        return {(*one, *two) for one, two in itertools.combinations(ways, 2)}


def json_texts(suite: Suite, n: int | None = None) -> Suite:
    """Return the suite as JSON texts in various styles; each parses to its input.

    Every input is written once, and some again, until every two ways to write that can be shown together are shown.
    With n there are at most n texts.
    """
    if n is not None and (type(n) is not int or n < 0):
        raise ScopeError(f"n={n!r} must be an int of at least 0; leave it out for all texts that the styles need")
    inputs = [_Input.of(case) for case in itertools.islice(suite, n)]
    possible = {pair for each in inputs for style in each.styles for pair in style.pairs}
    missing = set(possible)
    cases: list[Case] = []
    for each in _turns(inputs, missing):
        if n is not None and len(cases) == n:
            break
        style = each.best(missing)
        missing -= style.pairs
        cases.append(each.write(style, len(cases)))
    shown = len(possible) - len(missing)
    said = f"every text parses to its input; {shown} of {len(possible)} pairs of ways to write are shown"
    return replace(suite, cases=Listed(cases), guarantee=f"{suite.guarantee}; {said}" if suite.guarantee else said)


@dataclass(frozen=True, slots=True)
class _Input:
    case: Case
    data: object
    styles: tuple[Style, ...]

    @classmethod
    def of(cls, case: Case) -> _Input:
        data = plain(case.value)
        return cls(case, data, visible_styles(data))

    def best(self, missing: set[tuple[int, str, int, str]]) -> Style:
        """Return the first of the styles that show most of what is missing."""
        return max(self.styles, key=lambda style: len(style.pairs & missing))

    def write(self, style: Style, index: int) -> Case:
        text = json_text(self.data, style)
        if _canonical(json.loads(text)) != _canonical(self.data):
            raise SpecError(f"{text!r} does not parse to {self.data!r}; this is a mistake of unlike")
        label = f"{self.case.label}; {style}" if self.case.label else str(style)
        return Case(recipe_of(text), label, str(index))


def _canonical(data: object) -> str:
    return json.dumps(data, sort_keys=True)


def _turns(inputs: Sequence[_Input], missing: set[tuple[int, str, int, str]]) -> Iterator[_Input]:
    """Yield every input once, then again those that can show what is missing."""
    yield from inputs
    for each in inputs:
        while each.best(missing).pairs & missing:
            yield each


def visible_styles(data: object) -> tuple[Style, ...]:
    """Return the styles that make a difference to a value, plain ones first."""
    keys, letters, filled, parted = _features(data)
    spaces = [each for each in SPACES if each in ("none", "much") or (parted if each == "one" else filled)]
    orders = ORDERS[: max(1, min(keys, 3))]
    escapes = [ESCAPES[0]]
    if "/" in letters:
        escapes.append("slashes")
    if any(_escape(letter, "fewest") != _escape_by_number(letter) and _is_odd(letter) for letter in letters):
        escapes.append("numbers")
    if not all(map(_is_odd, letters)):
        escapes.append("all")
    return tuple(itertools.starmap(Style, itertools.product(spaces, orders, escapes)))


def _features(data: object) -> tuple[int, set[str], bool, bool]:
    """Return the most keys of an object, the characters of all strings, whether anything is inside anything, and
    whether any comma or colon parts things.
    """
    keys, letters, filled, parted = 0, set[str](), False, False
    waiting = [data]
    while waiting:
        match waiting.pop():
            case str(text):
                letters.update(text)
            case dict(entries):
                keys = max(keys, len(entries))
                filled |= bool(entries)
                waiting += [*entries, *entries.values()]
            case list(items):
                filled |= bool(items)
                parted |= len(items) > 1
                waiting += items
    return keys, letters, filled, parted or keys > 0


def json_text(data: object, style: Style) -> str:
    """Return a JSON text that parses to the value, written in a style."""
    gaps = itertools.cycle(GAPS)
    much = style.spaces == "much"
    written = "".join(_parts(data, style, 0, (lambda: next(gaps)) if much else str))
    return f" \n{written}\r\n\t" if much else written


def _parts(data: object, style: Style, depth: int, gap: Callable[[], str]) -> Iterator[str]:
    match data:
        case str():
            yield _quote(data, style.escapes)
        case dict() if data:
            ordered = _order_keys(list(data.items()), style.order)
            written = (
                itertools.chain((_key(key, style, gap),), _parts(each, style, depth + 1, gap)) for key, each in ordered
            )
            yield from _inside("{}", written, style, depth, gap)
        case list() if data:
            yield from _inside("[]", (_parts(each, style, depth + 1, gap) for each in data), style, depth, gap)
        case dict() | list():
            yield f"{{{gap()}}}" if isinstance(data, dict) else f"[{gap()}]"
        case _:
            yield json.dumps(data)


def _inside(
    brackets: str, written: Iterator[Iterator[str]], style: Style, depth: int, gap: Callable[[], str]
) -> Iterator[str]:
    yield brackets[0]
    for index, parts in enumerate(written):
        if index:
            yield f"{gap()},"
            yield " " if style.spaces == "one" else ""
        yield _line(style, depth + 1) or gap()
        yield from parts
    yield _line(style, depth) or gap()
    yield brackets[1]


def _line(style: Style, depth: int) -> str:
    match style.spaces:
        case "indented":
            return "\n" + "  " * depth
        case "tabs":
            return "\r\n" + "\t" * depth
    return ""


def _key(key: str, style: Style, gap: Callable[[], str]) -> str:
    after = {"one": " ", "indented": " ", "tabs": "\t"}.get(style.spaces) or gap()
    return f"{_quote(key, style.escapes)}{gap()}:{after}"


def _order_keys(entries: list[tuple[str, object]], order: str) -> list[tuple[str, object]]:
    match order:
        case "reversed":
            return entries[::-1]
        case "rotated":
            return entries[1:] + entries[:1]
    return entries


def _quote(text: str, escapes: str) -> str:
    return f'"{"".join(_escape(letter, escapes) for letter in text)}"'


def _must(letter: str) -> bool:
    """Tell whether JSON, or what JSON texts are stored in, has no other way than to escape the character."""
    return letter < " " or letter in '"\\' or "\ud800" <= letter <= "\udfff"


def _is_odd(letter: str) -> bool:
    return _must(letter) or not letter.isascii()


def _escape(letter: str, escapes: str) -> str:
    if escapes == "all" or (escapes == "numbers" and _is_odd(letter)):
        return _escape_by_number(letter)
    if escapes == "slashes" and letter == "/":
        return "\\/"
    if _must(letter):
        return SHORT.get(letter) or _escape_by_number(letter)
    return letter


def _escape_by_number(letter: str) -> str:
    """Return the escape of a character by number: two of them beyond the first plane; in both cases of letters."""
    code = ord(letter)
    units = [code] if code < 0x10000 else [0xD800 + (code - 0x10000 >> 10), 0xDC00 + (code - 0x10000 & 0x3FF)]
    return "".join(f"\\u{unit:04X}" if code % 2 else f"\\u{unit:04x}" for unit in units)
