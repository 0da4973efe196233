r"""Patterns as JSON Schema means them: of ECMA 262 with Unicode, searched for anywhere.

Each is read once, in its own dialect, and spelt for Python's `re` from what was read: `$` is the very end, `\d` and
`\w` are ASCII, `.` stops at every line separator.
"""

from __future__ import annotations

import functools
import re
import warnings
from collections.abc import Iterable, Mapping

from unlike.core import FOREVER, Deadline
from unlike.errors import SpecError
from unlike.regex.automaton import Automaton, Undecided
from unlike.regex.dialects.ecma import read_ecma
from unlike.regex.dialects.python_spelling import spell
from unlike.regex.dialects.references import UntoldError
from unlike.regex.tree import Node, PatternError, parse
from unlike.types.narrowing import search_pattern

DATA = ("enum", "const", "default", "example", "examples")  # keywords with values, in which a pattern is none
MOST_KEPT = 1024  # languages of patterns
ONLY_UNICODE = re.compile(r"\\[pP]\{|\\u\{")  # means something else without the u flag than anybody who writes it
NAMED = ("properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies")


class EcmaPattern(str):
    """A pattern of a document: what is written to everyone, but to Python's `re` what means the same there.

    So a validator that hands it to `re` finds what ECMA 262 finds, and a JSON pointer still leads to it.
    """

    written: str

    def __new__(cls, written: str) -> EcmaPattern:
        """Return the pattern with its spelling for Python; one that is none is refused."""
        found = super().__new__(cls, python_pattern(written))
        found.written = written
        return found

    def __getnewargs__(self) -> tuple[str]:
        return (self.written,)

    def __eq__(self, other: object) -> bool:
        return self.written == (other.written if isinstance(other, EcmaPattern) else other)

    def __ne__(self, other: object) -> bool:
        return not self == other

    def __hash__(self) -> int:
        return hash(self.written)

    def __str__(self) -> str:
        return self.written

    def __repr__(self) -> str:
        return repr(self.written)

    def __format__(self, how: str) -> str:
        return format(self.written, how)


def python_pattern(pattern: str, *, few: bool = False) -> str:
    """Return the pattern for Python's `re`, to be searched for; one that is none is refused.

    With `few` a Unicode property stands for some of its characters: enough to make texts of, quick to go through.
    """
    return _python_pattern(str(pattern), few=few)


@functools.lru_cache(maxsize=4096)
def _python_pattern(pattern: str, *, few: bool) -> str:
    try:
        tree = _read(pattern)
        written = pattern if tree is None else spell(tree, few=few)
    except PatternError as error:
        why = str(error).partition("\n")[0].removeprefix("pattern: ")  # without the lines that mark the place
        raise SpecError(f"pattern {pattern!r} cannot be read: {why}; correct it, or leave it out") from None
    if (fault := _fault_of(written)) is not None:
        raise SpecError(f"pattern {pattern!r} cannot be read: {fault}; correct it, or leave it out")
    return written


def _read(pattern: str) -> Node | None:
    """Return a pattern as it is read with the u flag, else without; nothing if only Python can read it."""
    try:
        return read_ecma(pattern)
    except UntoldError:
        raise
    except PatternError as error:
        if ONLY_UNICODE.search(pattern):
            raise
        try:
            return read_ecma(pattern, unicode=False)
        except PatternError:
            if _fault_of(pattern) is None:
                return None
            raise error from None


def is_foreign(pattern: str) -> bool:
    """Tell whether a pattern is none of ECMA 262, but one of Python."""
    return _read(str(pattern)) is None


def is_pattern(text: str) -> bool:
    """Tell whether ECMA 262 or Python reads a text as a pattern."""
    try:
        return _read(text) is not None or _fault_of(text) is None
    except UntoldError:
        return True
    except PatternError:
        return _fault_of(text) is None


def _fault_of(pattern: str) -> Exception | None:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            re.compile(pattern)
    except (re.error, Warning, OverflowError, RecursionError) as error:
        return error
    return None


_languages: dict[str, Automaton | None] = {}  # those that were made in time


def language(pattern: str, deadline: Deadline = FOREVER) -> Automaton | None:
    """Return the texts in which a pattern is found, or nothing if no automaton tells them."""
    written = str(pattern)
    if written not in _languages:
        if len(_languages) >= MOST_KEPT:
            _languages.clear()
        try:
            made = Automaton.of(parse(search_pattern(python_pattern(pattern))), deadline=deadline)
            made.deadline = FOREVER  # it is asked later, too
            _languages[written] = made
        except Undecided:
            _languages[written] = None
    return _languages[written]


def keep_patterns(texts: Automaton, patterns: Iterable[str], deadline: Deadline = FOREVER) -> Automaton:
    """Return those of the texts in which all patterns are found, as far as automata tell them."""
    for pattern in patterns:
        deadline.check()
        each = language(pattern, deadline)
        texts = texts if each is None else texts.intersect(each)
    return texts


def shortest(pattern: str) -> str | None:
    """Return the shortest text in which a pattern is found, if that can be told."""
    found = language(pattern)
    return None if found is None else found.shortest()


# -- documents -------------------------------------------------------------------------------------------------------


def respell(contents: object, remarks: list[str] | None = None) -> object:
    """Return a document as everyone reads it: patterns as ECMA means them, `nullable` as a type, required names once.

    What a user should know of it is added to the remarks.
    """
    try:
        return _Respelling([] if remarks is None else remarks).part(contents)
    except RecursionError:
        raise SpecError("the document is nested too deeply to be read") from None


def _copy(part: object) -> object:
    """Return a condition that is no object of any other place: what it says is no rule there, but may be elsewhere."""
    if isinstance(part, Mapping):
        return {key: _copy(inner) for key, inner in part.items()}
    return [_copy(each) for each in part] if isinstance(part, list) else part


class _Respelling:
    def __init__(self, remarks: list[str]) -> None:
        self.remarks = remarks

    def part(self, part: object) -> object:
        if isinstance(part, list):
            items = [self.part(each) for each in part]
            return items if any(new is not old for new, old in zip(items, part, strict=True)) else part
        if not isinstance(part, Mapping):
            return part
        found = {key: self.keyword(key, value) for key, value in part.items()}
        if found.get("nullable") is True:
            found = _nullable(found)
        if "if" in found:
            found["if"] = _copy(found["if"])
        return found if any(found[key] is not part.get(key) for key in found) else part

    def keyword(self, keyword: object, value: object) -> object:
        if keyword in DATA:
            return value
        if keyword == "pattern" and isinstance(value, str):
            return self.pattern(value)
        if keyword == "required" and isinstance(value, list):
            return self.names(value)
        if keyword not in NAMED or not isinstance(value, Mapping):
            return self.part(value)
        as_name = self.pattern if keyword == "patternProperties" else str
        names = {as_name(key): self.part(each) for key, each in value.items()}
        same = all(new is old and names[new] is value[old] for new, old in zip(names, value, strict=True))
        return value if same else names

    def pattern(self, pattern: str) -> EcmaPattern:
        if isinstance(pattern, EcmaPattern):
            return pattern
        found = EcmaPattern(pattern)
        if is_foreign(pattern):
            self.remarks.append(f"pattern {pattern!r} is none of ECMA-262, and is read as Python reads it")
        return found

    def names(self, names: list[object]) -> object:
        once = list(dict.fromkeys(each for each in names if isinstance(each, str)))
        if len(once) == len(names) or not all(isinstance(each, str) for each in names):
            return names
        self.remarks.append(f"required names {next(each for each in once if names.count(each) > 1)!r} twice")
        return once


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
