r"""Patterns as JSON Schema means them, written for Python: ECMA 262 with Unicode, searched for anywhere.

What Python spells alike but means otherwise is spelt out: `$` is the very end, `\d` and `\w` are ASCII, `.` stops at
every line separator, an escaped letter without a meaning is the letter.
"""

from __future__ import annotations

import functools
import re
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby

from unlike.errors import SpecError
from unlike.regex.automaton import Automaton, Undecided
from unlike.regex.tree import parse
from unlike.types.narrowing import search_pattern

SPACE = "\\t\\n\\x0b\\x0c\\r \\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000\\ufeff"
NOT_SPACE = (
    "\\x00-\\x08\\x0e-\\x1f!-\\x9f\\xa1-\\u167f\\u1681-\\u1fff\\u200b-\\u2027\\u202a-\\u202e\\u2030-\\u205e"
    "\\u2060-\\u2fff\\u3001-\\ufefe\\uff00-\\U0010ffff"
)
CLASSES = {
    "d": "0-9",
    "D": "\\x00-/:-\\U0010ffff",
    "w": "A-Za-z0-9_",
    "W": "\\x00-/:-@\\[-\\^`{-\\U0010ffff",
    "s": SPACE,
    "S": NOT_SPACE,
}
KEPT = "bBnrtvf"
DATA = ("enum", "const", "default", "example", "examples")  # keywords with values, in which a pattern is none
MANY, FEW = 40, 4  # a class of so many members may be cut to so few
QUANTIFIER = re.compile(r"\{\d+(?:,\d*)?\}")
LONG_NAMES = {
    "Letter": "L", "Lowercase_Letter": "Ll", "Uppercase_Letter": "Lu", "Titlecase_Letter": "Lt",
    "Modifier_Letter": "Lm", "Other_Letter": "Lo", "Mark": "M", "Number": "N", "Decimal_Number": "Nd", "digit": "Nd",
    "Letter_Number": "Nl", "Other_Number": "No", "Punctuation": "P", "punct": "P", "Symbol": "S",
    "Currency_Symbol": "Sc", "Math_Symbol": "Sm", "Separator": "Z", "Space_Separator": "Zs", "Other": "C",
    "Control": "Cc", "cntrl": "Cc",
}  # fmt: skip
PROPERTIES: dict[str, Callable[[str], bool]] = {
    "Alphabetic": str.isalpha,
    "Alpha": str.isalpha,
    "Lowercase": str.islower,
    "Uppercase": str.isupper,
    "White_Space": str.isspace,
    "ASCII": str.isascii,
    "Any": lambda _: True,
}


@functools.lru_cache(maxsize=4096)
def python_pattern(pattern: str, *, few: bool = False) -> str:
    """Return the pattern for Python's `re`, to be searched for; one that is none is refused.

    With `few` a Unicode property stands for some of its characters: enough to make texts of, quick to go through.
    """
    written = "".join(_EcmaTranslation(pattern, few=few).tokens())
    if (fault := _fault_of(written)) is not None:
        raise SpecError(f"pattern {pattern!r} cannot be read: {fault}; correct it, or leave it out")
    return written


@functools.lru_cache(maxsize=4096)
def is_python(pattern: str) -> bool:
    """Tell whether Python's `re` can read a pattern as it stands."""
    return _fault_of(pattern) is None


def _fault_of(pattern: str) -> Exception | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            re.compile(pattern)
    except (re.error, Warning, OverflowError, RecursionError) as error:
        return error
    return None


@functools.lru_cache(maxsize=1024)
def language(pattern: str) -> Automaton | None:
    """Return the texts in which a pattern is found, or nothing if no automaton tells them."""
    try:
        return Automaton.of(parse(search_pattern(python_pattern(pattern))))
    except Undecided:
        return None


def keep_patterns(texts: Automaton, patterns: Iterable[str]) -> Automaton:
    """Return those of the texts in which all patterns are found, as far as automata tell them."""
    for each in map(language, patterns):
        texts = texts if each is None else texts.intersect(each)
    return texts


def shortest(pattern: str) -> str | None:
    """Return the shortest text in which a pattern is found, if that can be told."""
    found = language(pattern)
    return None if found is None else found.shortest()


class _EcmaTranslation:
    def __init__(self, pattern: str, *, few: bool) -> None:
        self.text = pattern
        self.few = few
        self.at = 0

    def tokens(self) -> Iterator[str]:
        while self.at < len(self.text):
            yield self.token()

    def token(self) -> str:
        text, at = self.text, self.at
        self.at += 1
        match text[at]:
            case "\\":
                return self.escape(inside=False)
            case "[":
                return self.group()
            case "$":
                return r"\Z"
            case ".":
                return r"[^\n\r\u2028\u2029]"
            case "(" if text.startswith("(?<", at) and text[at + 3 : at + 4] not in ("=", "!"):
                self.at += 2
                return "(?P<"
            case "{" if not QUANTIFIER.match(text, at):
                return r"\{"
            case other:
                return other

    def group(self) -> str:
        """Return a character class; the first bracket is read already."""
        start = "[^" if self.text.startswith("^", self.at) else "["
        self.at += len(start) - 1
        if self.text.startswith("]", self.at):
            self.at += 1
            return "(?!)" if start == "[" else r"[\s\S]"
        parts = []
        while self.at < len(self.text) and self.text[self.at] != "]":
            part = self.member()
            if self.text.startswith("-", self.at) and self.text[self.at + 1 : self.at + 2] not in ("", "]"):
                self.at += 1
                part = f"{part}-{self.member()}"
            parts.append(part)
        self.at += 1
        if self.few and len(parts) > MANY and start == "[":
            parts = parts[:FEW]
        return f"{start}{''.join(parts)}]"

    def member(self) -> str:
        """Return one character of a class, or one class in it."""
        char = self.text[self.at]
        self.at += 1
        if char == "\\":
            return self.escape(inside=True)
        return f"\\{char}" if char in "[&|~-" else char

    def escape(self, *, inside: bool) -> str:
        """Return what an escape means; the backslash is read already."""
        rest = self.text[self.at :]
        if not rest:
            return "\\\\"
        letter = rest[0]
        if letter in "pP" and (found := re.match(r"[pP]\{\^?([\w= ]+)\}", rest)):
            self.at += found.end()
            return _property(found[1], positive=letter == "p", inside=inside, few=self.few)
        if found := re.match(r"u\{([0-9a-fA-F]+)\}", rest):
            self.at += found.end()
            return _char(int(found[1], 16))
        if found := re.match(r"u([dD][89abAB][0-9a-fA-F]{2})\\u([dD][c-fC-F][0-9a-fA-F]{2})", rest):
            self.at += found.end()
            return _char(0x10000 + ((int(found[1], 16) - 0xD800) << 10) + int(found[2], 16) - 0xDC00)
        if found := re.match(r"u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}", rest):
            self.at += found.end()
            return f"\\{found[0]}"
        if found := re.match(r"c([A-Za-z])", rest):
            self.at += found.end()
            return f"\\x{ord(found[1]) % 32:02x}"
        if not inside and (found := re.match(r"k<([^>]+)>", rest)):
            self.at += found.end()
            return f"(?P={found[1]})"
        self.at += 1
        if letter in CLASSES:
            return CLASSES[letter] if inside else f"[{CLASSES[letter]}]"
        if letter == "0" and not rest[1:2].isdigit():
            return r"\x00"
        if letter == "b" and inside:
            return r"\x08"
        if letter in KEPT or letter.isdigit() or not letter.isascii() or not letter.isalpha():
            return f"\\{letter}" if letter.isascii() else letter
        return letter


def _char(point: int) -> str:
    if point >= 0x110000:
        return "(?!)"
    return re.escape(chr(point)) if point < 127 or point > 0xFFFF else f"\\u{point:04x}"


def _property(name: str, *, positive: bool, inside: bool, few: bool) -> str:
    runs = _ranges(name.rpartition("=")[2], positive=positive)
    chosen = runs[:FEW] if few else runs
    written = "".join(f"{_char(first)}-{_char(last)}" for first, last in chosen)
    return written if inside else f"[{written}]"


@functools.cache
def _ranges(name: str, *, positive: bool = True) -> list[tuple[int, int]]:
    """Return the characters that have a Unicode property, from first to last."""
    short = LONG_NAMES.get(name, name)
    has = PROPERTIES.get(name)
    if has is None and not re.fullmatch("L[ultmo]?|M[nce]?|N[dlo]?|P[cdseifo]?|S[mcko]?|Z[slp]?|C[cfson]?", short):
        raise SpecError(f"pattern: the Unicode property {name!r} is not known; write the characters themselves")
    points = [
        point
        for point in range(0x110000)
        if (has(chr(point)) if has else unicodedata.category(chr(point)).startswith(short)) == positive
    ]
    runs = [list(run) for _, run in groupby(enumerate(points), lambda pair: pair[1] - pair[0])]
    return [(run[0][1], run[-1][1]) for run in runs]


# -- documents -------------------------------------------------------------------------------------------------------


def respell(contents: object) -> object:
    """Return a document as everyone reads it: patterns as Python does, `nullable` as a type; itself if that is so.

    Only what Python's `re` cannot read is spelt anew; what it reads stays as it is written.
    """
    try:
        return _respell(contents)
    except RecursionError:
        raise SpecError("the document is nested too deeply to be read") from None


def _respell(part: object) -> object:
    if isinstance(part, list):
        items = [_respell(each) for each in part]
        return items if any(new is not old for new, old in zip(items, part, strict=True)) else part
    if not isinstance(part, Mapping):
        return part
    found = {key: value if key in DATA else _respell(value) for key, value in part.items()}
    if isinstance(found.get("pattern"), str):
        found["pattern"] = _readable(str(found["pattern"]))
    inner = found.get("patternProperties")
    if isinstance(inner, Mapping) and not all(is_python(str(key)) for key in inner):
        found["patternProperties"] = {_readable(str(key)): value for key, value in inner.items()}
    if found.get("nullable") is True:
        found = _nullable(found)
    return found if any(found[key] is not part.get(key) for key in found) else part


def _readable(pattern: str) -> str:
    return pattern if is_python(pattern) else python_pattern(pattern)


def _nullable(schema: dict[str, object]) -> dict[str, object]:
    """Return the schema with null among its types, as `nullable: true` means it."""
    kind, values = schema.get("type"), schema.get("enum")
    if isinstance(kind, str):
        schema = {**schema, "type": [kind, "null"]}
    elif isinstance(kind, list) and "null" not in kind:
        schema = {**schema, "type": [*kind, "null"]}
    if isinstance(kind, str) and isinstance(values, list) and None not in values:
        schema = {**schema, "enum": [*values, None]}
    return schema
