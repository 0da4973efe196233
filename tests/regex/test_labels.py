"""Labels show a pattern as it is written: escapes stay, spaces can be seen, a group with a name goes by it."""

from __future__ import annotations

import re

import pytest

from unlike.regex.cover import Cover, find_heuristics
from unlike.regex.texts.labels import write_node
from unlike.regex.tree import parse


@pytest.mark.parametrize(
    ("pattern", "labels"),
    [
        (r"a\+?", {"no \\+", "\\+"}),
        ("a ?", {"no ␠", "␠"}),
        (r"(x|ext\.?)", {"x", r"ext\.? with no \.", r"ext\.? with \."}),
        ("[ +]", {"␠", "+"}),
        (r"( ?(x|ext\.) ?\d)?", {r"no ␠?(x|ext\.)␠?\d"}),
        (r"(?P<extension> x\d{2})?y", {"no extension", "extension"}),
        (r"(New York|Los Angeles )", {"New York", "Los Angeles␠"}),
        (r"(\[a\]|\{2\}|\\)", {r"\[a\]", r"\{2\}", r"\\"}),
    ],
)
def test_labels_are_the_pattern_as_written(pattern: str, labels: set[str]) -> None:
    cover = Cover(pattern, find_heuristics("default"))

    assert labels <= {each.label for each in cover.first()}


# signs with a meaning of their own, alone and within brackets, and spaces between, before and after words
WRITTEN = (
    r"\.\+\*\?",
    r"\(\)\|\^\$",
    r"[\]\-\\^a]x",
    r"[^ \]]",
    "[*-.]",
    r"[\t-\r]",
    "a b  c ",
    r"(a\.|b )c{2,3}\{",
    r"\[0\]",
)


@pytest.mark.parametrize("pattern", WRITTEN)
def test_what_a_label_writes_is_a_pattern_of_the_same_texts(pattern: str) -> None:
    written = write_node(parse(pattern).root).replace("␠", " ")

    tried = [each.text for each in Cover(pattern, find_heuristics("default")).first(30)]
    tried += ["", " ", "a b c", ".+*?", "]x", "^x", "-x", "bx", "*", ",", "\n"]

    assert tried
    assert [bool(re.fullmatch(written, each)) for each in tried] == [
        bool(re.fullmatch(pattern, each)) for each in tried
    ]
