"""Patterns mean what ECMA 262 says they mean, wherever Python reads them otherwise."""

from __future__ import annotations

import re

import pytest

from unlike.documents.json_schema.document import load
from unlike.documents.json_schema.patterns import python_pattern
from unlike.errors import SpecError

# pattern, texts in which it is found, texts in which it is not
TABLE = [
    (r"a", ["a", "bab"], ["b", ""]),
    (r"^a$", ["a"], ["a\n", "ba"]),
    (r"^\d+$", ["09"], ["٣", ""]),
    (r"^[\d]$", ["5"], ["٣"]),
    (r"^\D$", ["x", "٣"], ["5"]),
    (r"^[^\d]$", ["٣"], ["5"]),
    (r"^\w$", ["a", "_"], ["é", "-"]),
    (r"^[\W]$", ["é", "-"], ["a"]),
    (r"^\s$", [" ", "\ufeff", "\u2003"], ["x"]),
    (r"^[\S]$", ["x"], ["\ufeff"]),
    (r"^.$", ["x", "\x85"], ["\n", "\r", "\u2028"]),
    (r"^\u0041\x42\u{43}$", ["ABC"], ["abc"]),
    (r"^\ud83d\ude00$", ["😀"], ["😁"]),
    (r"^\cJ$", ["\n"], ["J"]),
    (r"^\/\-\_$", ["/-_"], [""]),
    (r"^\a\Z$", ["aZ"], ["\x07"]),
    (r"^(?<year>\d{2})-\k<year>$", ["12-12"], ["12-13"]),
    (r"^[^]$", ["\n", "x"], [""]),
    (r"^(a|[])$", ["a"], ["", "[]"]),
    (r"^[[]$", ["["], ["x"]),
    (r"^[a&&b]$", ["a", "b", "&"], ["x"]),
    (r"^a{,2}$", ["a{,2}"], ["a", "aa"]),
    (r"^a{2}$", ["aa"], ["a"]),
    (r"^\p{Lu}\p{Ll}+$", ["Été", "Ab"], ["ab", "AB"]),
    (r"^\P{L}$", ["1"], ["a"]),
    (r"^[\p{L}\d-]+$", ["é-1"], ["!"]),
    (r"^\p{Letter}+$", ["π"], ["1"]),
    (r"^[^\p{L}]$", ["1"], ["é"]),
    (r"^(?!ab)a", ["ac"], ["ab"]),
    (r"\bfoo\b", ["a foo"], ["afoo"]),
    (r"^\0$", ["\0"], ["0"]),
]


@pytest.mark.parametrize(("pattern", "found", "missing"), TABLE, ids=[row[0] for row in TABLE])
def test_a_pattern_is_found_where_ecma_finds_it(pattern: str, found: list[str], missing: list[str]) -> None:
    compiled = re.compile(python_pattern(pattern))

    assert all(compiled.search(text) for text in found)
    assert not any(compiled.search(text) for text in missing)


@pytest.mark.parametrize("pattern", [row[0] for row in TABLE])
def test_reading_a_pattern_again_changes_nothing(pattern: str) -> None:
    once = re.compile(python_pattern(pattern))

    for text in ["a", "A", "é", "1", "\n", "ab", "", "-", "٣"]:
        assert bool(once.search(text)) == bool(re.search(python_pattern(pattern), text))


@pytest.mark.parametrize("pattern", ["(", "a{2,1}", "[z-a]", r"\p{Nonsense}"])
def test_what_is_no_pattern_is_refused_by_name(pattern: str) -> None:
    with pytest.raises(SpecError, match="pattern"):
        load({"type": "string", "pattern": pattern})
