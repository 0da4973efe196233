r"""Patterns as JSON Schema means them: of ECMA 262 with Unicode, searched for anywhere.

Each is read once, in its own dialect, and spelt for Python's `re` from what was read: `$` is the very end, `\d` and
`\w` are ASCII, `.` stops at every line separator.
"""

from __future__ import annotations

import functools
import re
import warnings
from collections.abc import Iterable, Mapping

from unlike.errors import SpecError
from unlike.regex.automaton import Automaton, Undecided
from unlike.regex.dialects.ecma import read_ecma
from unlike.regex.dialects.python_spelling import spell
from unlike.regex.dialects.references import UntoldError
from unlike.regex.tree import Node, PatternError, parse
from unlike.types.narrowing import search_pattern

DATA = ("enum", "const", "default", "example", "examples")  # keywords with values, in which a pattern is none
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
        raise SpecError(f"pattern {pattern!r} cannot be read: {error}; correct it, or leave it out") from None
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


# -- documents -------------------------------------------------------------------------------------------------------


def respell(contents: object) -> object:
    """Return a document as everyone reads it: patterns as ECMA means them, `nullable` as a type."""
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
    found = {key: _respell_keyword(key, value) for key, value in part.items()}
    if found.get("nullable") is True:
        found = _nullable(found)
    return found if any(found[key] is not part.get(key) for key in found) else part


def _respell_keyword(keyword: object, value: object) -> object:
    if keyword in DATA:
        return value
    if keyword == "pattern" and isinstance(value, str):
        return _as_ecma(value)
    if keyword not in NAMED or not isinstance(value, Mapping):
        return _respell(value)
    names = {
        _as_ecma(str(key)) if keyword == "patternProperties" else key: _respell(each) for key, each in value.items()
    }
    same = all(new is old and names[new] is value[old] for new, old in zip(names, value, strict=True))
    return value if same else names


def _as_ecma(pattern: str) -> EcmaPattern:
    return pattern if isinstance(pattern, EcmaPattern) else EcmaPattern(pattern)


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
