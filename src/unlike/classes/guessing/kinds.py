"""What may be passed for a parameter of which nothing is said: kinds of values, and which of them a name suggests.

A class is tried in two flavours: its elements are ints, or texts. A kind is a few values that a parameter takes or
refuses together; `element` are the elements themselves, `items` lists of them, `mapping` dicts, and so on.
"""

from __future__ import annotations

import datetime
import decimal
import enum
import fractions
import functools
import pathlib
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from unlike.scope import Scope
from unlike.types.stand_ins import Returning

LETTERS = "abcdefghijklmnopqrstuvwxyz"
FEW = 2  # values of a kind that is no element: containers, functions, special texts


class Flavour(enum.StrEnum):
    """What the elements of a container are."""

    INTS = "ints"
    TEXTS = "texts"


@dataclass(frozen=True, slots=True)
class ValueKind:
    """Values that are taken or refused together, the plainest first."""

    name: str
    values: tuple[Any, ...]


def letters(count: int) -> tuple[str, ...]:
    """Return the first so many texts, as the values of `str` begin."""
    return tuple(LETTERS[place % 26] * (place // 26 + 1) for place in range(count))


def plain_kinds(flavour: Flavour, scope: Scope) -> dict[str, ValueKind]:
    """Return the kinds by name, in the order in which they are tried where nothing is known."""
    ints, texts = tuple(range(scope.most_ints)) or (0,), letters(max(1, scope.most_ints))
    element = ints if flavour is Flavour.INTS else texts
    one, two = element[0], element[min(1, len(element) - 1)]
    first, second = texts[0], texts[min(1, len(texts) - 1)]
    found: dict[str, tuple[Any, ...]] = {
        "element": element,
        "items": ([one], [two, one], []),
        "pairs": ([(one, two)], [(two, one), (one, one)]),
        "mapping": ({one: two}, {two: one}, {}),
        "number": ints,
        "text": texts,
        "texts": ([first], [second, first]),
        "text mapping": ({first: second}, {second: first}),
        "pair": ((one, two), (two, one)),
        "set": ({one}, {one, two}),
        "bool": (True, False),
        "none": (None,),
        "function": (str,),
        "constant function": (Returning(0), Returning(True)),
        "float": (0.5, 2.0),
        "bytes": (b"a", b"b"),
        "digits": ("1", "2"),
        "slice": (slice(0, 1), slice(1, None)),
        "rows": ([[one, two]], [[two, one], [one, one]]),
        "class": (dict, list),
    }
    return {
        name: ValueKind(name, distinct_values(value for value in values if _fits(value, scope.most_elements)))
        for name, values in found.items()
    }


def _fits(value: Any, most: int) -> bool:
    """Tell whether a container has no more elements than a scope allows."""
    if isinstance(value, Sequence) and not isinstance(value, str | bytes):
        return len(value) <= max(1, most)
    return not isinstance(value, set | Mapping) or len(value) <= max(1, most)


def distinct_values(values: Any) -> tuple[Any, ...]:
    """Return the values without repeats, told apart as they are written."""
    return tuple({(type(each), repr(each)): each for each in values}.values())


ELEMENT_KINDS = ("element", "number", "text")
CONTAINER_KINDS = ("items", "pairs", "mapping", "texts", "text mapping", "set", "pair", "rows")
# what the other flavour is made of: tried last, and never mixed with the flavour of the class
FOREIGN = {Flavour.INTS: ("text", "texts", "text mapping", "digits"), Flavour.TEXTS: ("number",)}

MANY = ("items", "set", "pairs", "mapping", "texts")
OTHERS = ("self", "set", "items", "mapping", "pairs")
# names of parameters by what they are likely to take; the first that matches a whole name counts
NAMES: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        (
            ".*(func|function|callback|callable|predicate|factory|hook|handler|listener|visitor|transform|converter)"
            r"|fn|f|cb|pred|action|on_\w+|getsizeof|key_?func?|cmp|target"
        ),
        ("function", "constant function"),
    ),
    (r"(other|rhs|that|another)s?|\w+_set|tree|graph|parent|child|instance|sub\w+", OTHERS),
    (
        (
            "(iterable|iterator|iter|it|seq|sequence|item|elem|element|node|member|value|key|obj|object|arg|row|list|lst)s"
            r"|iterable|iter|it|seq|sequence|initlist|initial\w*|data|list|lst|collection|population|array"
        ),
        MANY,
    ),
    (
        (
            r".*(mapping|mapp?|dict|dic|kwargs|pairs|attrs|attributes|headers|edges|bunch\w*|params|options|vars|defaults)"
            "|d|e"
        ),
        ("mapping", "text mapping", "pairs", "texts"),
    ),
    (
        (
            r"(is|has|use|allow|with|no|keep|auto|ignore|in|by|do|should|enable|disable|can)_\w+"
            "|.*(reverse|inplace|strict|sort|sorted|flag|copy|deep|inclusive|closed|block|blocking|wait|recursive|force|last)"
        ),
        ("bool",),
    ),
    (
        (
            "i|j|n|k|m|idx|.*(index|position|pos|size|length|len|count|num|offset|limit|width|height|depth|level|capacity"
            "|degree|bits|precision|seed|year|month|day|hour|minute|number|port)"
        ),
        ("number", "float"),
    ),
    (
        (
            r"(max|min|num|time|delay|seconds|ttl|timeout|priority|weight|cost|interval|amount|factor|radius|angle)\w*"
            r"|\w+_(seconds|time|delay)"
        ),
        ("number", "float"),
    ),
    (r"default|fallback|fail\w*|missing|fill\w*|sentinel", ("none", "element")),
    (
        (
            ".*(name|string|text|str|path|prefix|suffix|sep|separator|char|url|uri|scheme|section|option|header|attr"
            "|attribute|field|tag|line|format|fmt|encoding|word|title|label|host|fragment|query|token|identifier|id|type"
            "|mode|charset|chars|message|msg|filename|file|extension|locale|pattern|language|currency|version|email"
            "|address|password|user|dir|directory|folder|cwd)|s"
        ),
        ("text",),
    ),
    (".*(names|strings|words|lines|fields|tags|columns|titles|labels|prefixes|suffixes|paths|urls)", ("texts", "text")),
    (
        (
            "key|val|value|item|elem|element|obj|object|node|member|thing|entry|x|y|a|b|u|v|p|q|left|right|start|stop|begin"
            r"|end|lower|upper|low|high|lo|hi|point|arg|argument\w*|n1|n2|\w+_key"
        ),
        ("element",),
    ),
)
OPERATORS = frozenset(
    f"__{sign}{name}__"
    for sign in ("", "i", "r")
    for name in ("add", "sub", "and", "or", "xor", "truediv", "floordiv", "mod", "matmul")
)
# texts that mean something where a name asks for it, for constructors that refuse any other
SPECIAL: tuple[tuple[str, tuple[Any, ...]], ...] = (
    (r".*(url|uri|href|link|endpoint)s?", ("http://a.org/b", "http://b.org")),
    (r".*(version|ver)", ("1.0.0", "2.0.0")),
    (r"\w*currency\w*", ("EUR", "USD")),
    (r".*(format|fmt|struct)", (">H", "%s", "{}")),
    (r".*(pattern|regex|regexp|expr|expression)", ("a", "b*")),
    (r".*(email|mail)", ("a@b.org", "b@b.org")),
    (r".*(network|net|cidr)|address|addr|ip\w*", ("10.0.0.0/30", "10.0.0.1")),
    (r".*(color|colour|fill|stroke)", ("red", "#00ff00")),
    (r".*(encoding|charset|codec)", ("utf-8", "ascii")),
    (r".*(path|file|filename|dir|directory|folder)", ("a.txt", "b/c")),
    (r".*(amount|price|total)", ("1", decimal.Decimal("1.5"))),
    (r".*(date|day|when|dt|moment|timestamp)", (datetime.datetime(2000, 1, 1), "2000-01-01")),
    (r".*(rate|probability|ratio|fraction|alpha)", (0.5, 0.1)),
    (r".*(host|hostname|domain)", ("a.org", "b.org")),
    (r".*(uuid|guid)", ("12345678-1234-5678-1234-567812345678",)),
    (r".*(json|toml|yaml|xml|html|source|config)", ("{}", "[]", "<a/>", "a=1")),
    (r".*(tz|timezone|tzinfo)", ("UTC", datetime.UTC)),
    (r".*(locale|lang|language)", ("en", "de")),
    (r"mode", ("r", "w")),
    (r"method|verb", ("GET", "POST")),
    (r"cron\w*|schedule", ("* * * * *",)),
    (r".*(capacity|maxsize|max_size|initial_capacity)", (10, 100)),
)
# what the name of a method says of its first parameter
METHODS: tuple[tuple[str, tuple[str, ...]], ...] = (
    (
        (
            r"extend\w*|update|union|intersection|difference|symmetric_difference|is(sub|super)set|isdisjoint|merge|concat"
            r"|fromkeys|from_(list|iterable)|\w+_(update|all|many|from)"
            "|(add|put|remove|push|insert|set|get|delete)(all|many|_all|_many)"
        ),
        MANY,
    ),
    (
        r"append\w*|add|push\w*|remove|discard|count|index|put\w*|contains|has|enqueue|__contains__|insert|pop|get|set",
        ("element",),
    ),
)
SHARES = 0.5, 0.1  # for a parameter whose default is between 0 and 1
# an object or two of standard classes that are passed as they are
STANDARD: dict[type, tuple[Any, ...]] = {
    datetime.datetime: (datetime.datetime(2000, 1, 1), datetime.datetime(2000, 1, 2)),
    datetime.date: (datetime.date(2000, 1, 1), datetime.date(2000, 1, 2)),
    datetime.time: (datetime.time(0), datetime.time(1)),
    datetime.timedelta: (datetime.timedelta(0), datetime.timedelta(1)),
    datetime.tzinfo: (datetime.UTC,),
    decimal.Decimal: (decimal.Decimal(0), decimal.Decimal("1.5")),
    fractions.Fraction: (fractions.Fraction(0), fractions.Fraction(1, 2)),
    pathlib.Path: (pathlib.Path("a"), pathlib.Path("b")),
    pathlib.PurePath: (pathlib.PurePath("a"), pathlib.PurePath("b")),
    slice: (slice(0, 1), slice(1, None)),
}


@functools.cache
def kinds_by_name(name: str) -> tuple[str, ...]:
    """Return the kinds that the name of a parameter suggests."""
    plain = name.lower().strip("_")
    return next((kinds for pattern, kinds in NAMES if re.fullmatch(pattern, plain)), ())


@functools.cache
def kinds_by_method(name: str) -> tuple[str, ...]:
    """Return the kinds that the name of a method suggests for its first parameter."""
    return next((kinds for pattern, kinds in METHODS if re.fullmatch(pattern, name.lower())), ())


@functools.cache
def special_values(name: str) -> tuple[Any, ...]:
    """Return values that mean something to whoever chose the name of a parameter."""
    plain = name.lower().strip("_")
    return tuple(each for pattern, values in SPECIAL if re.fullmatch(pattern, plain) for each in values)
