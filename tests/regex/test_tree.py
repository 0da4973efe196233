"""Parsing: every construct of `re`, flags resolved, unions kept, errors in Python's words."""

import re

import pytest

from unlike.regex import chars
from unlike.regex.match import matches
from unlike.regex.tree import Alternation, Chars, Group, PatternError, parse

CONSTRUCTS = [
    ("[abc]", "b", "d"),
    ("[^abc]", "d", "a"),
    (r"\w", "é", "-"),
    (r"(?a)\w", "e", "é"),
    (r"\d", "٣", "x"),
    (r"(?a)\d", "3", "٣"),
    (r"\s", "\u3000", "x"),
    (r"(?a)\s", " ", "\u3000"),
    (r"[\W\d]", "3", "x"),
    ("(?i)straße", "STRAßE", "strasse"),
    ("(?i)k", "\u212a", "c"),
    ("(?i)[^k]", "c", "\u212a"),
    ("(?ai)k", "K", "\u212a"),
    ("(?i:a)b", "Ab", "aB"),
    ("(?i)a(?-i:b)", "Ab", "AB"),
    (".", "x", "\n"),
    ("(?s).", "\n", ""),
    ("(?x) a b # c\n | c", "ab", "a b"),
    ("(?m)a$\\n^b", "a\nb", "ab"),
    ("a$\\n?", "a\n", "ab"),
    (r"a\Z", "a", "a\n"),
    (r"\ba\b", "a", "-a"),
    (r"a\Bb", "ab", "a b"),
    ("(?=ab)a.", "ab", "aa"),
    ("(?!ab)a.", "aa", "ab"),
    ("a(?<=a)b", "ab", "bb"),
    ("[ab](?<!a)c", "bc", "ac"),
    (r"(a|b)\1", "bb", "ab"),
    (r"(?P<x>a|b)(?P=x)", "aa", "ab"),
    (r"(?i)(a)\1", "aA", "ab"),
    ("(a)?b(?(1)c|d)", "abc", "abd"),
    ("a*?b", "aab", "aa"),
    ("a*+b", "aab", "aa"),
    ("(?>a|ab)c", "ac", "abc"),
    ("a{2,3}", "aaa", "aaaa"),
    ("(?:ab)+", "abab", "aba"),
]


@pytest.mark.parametrize(("pattern", "good", "bad"), CONSTRUCTS)
def test_every_construct_means_what_python_means(pattern: str, good: str, bad: str) -> None:
    parsed = parse(pattern)

    assert parsed.matches(good)
    assert matches(parsed, good)
    assert not parsed.matches(bad)
    assert not matches(parsed, bad)


def test_a_union_of_characters_stays_a_union_and_a_common_beginning_stays_in_its_branches() -> None:
    root = parse("(0|[1-9]|0x)").root

    assert isinstance(root, Group)
    assert isinstance(root.body, Alternation)
    assert len(root.body.branches) == 3


def test_overlapping_pieces_of_a_class_keep_the_smaller_one_apart() -> None:
    root = parse(r"[\w_aa]").root

    assert isinstance(root, Chars)
    assert [piece.written for piece in root.pieces] == ["\\w", "_", "a"]
    assert not chars.holds(root.pieces[0].ranges, ord("_"))


@pytest.mark.parametrize("letter", "dDwWsS")
@pytest.mark.parametrize("flag", [0, re.ASCII])
def test_a_category_holds_exactly_what_python_matches(letter: str, flag: int) -> None:
    ranges = chars.category(letter, ascii_only=bool(flag))
    compiled = re.compile(f"\\{letter}", flag)

    for point in [*range(0x500), *range(0x2000, 0x2100), 0x3000, 0x10FFFF]:
        assert chars.holds(ranges, point) == bool(compiled.match(chr(point)))


def test_ignoring_case_folds_exactly_as_python_does() -> None:
    for letter in "akszßµåiIσſ":
        ranges = chars.fold_case(chars.single(letter), ascii_only=False)
        compiled = re.compile(re.escape(letter), re.IGNORECASE)

        found = {chr(point) for point in range(0x2200) if compiled.match(chr(point))}

        assert {chr(point) for low, high in ranges for point in range(low, high + 1)} == found


def test_an_invalid_pattern_gets_pythons_message_and_a_mark_below_the_place() -> None:
    with pytest.raises(PatternError) as caught:
        parse("ab(c")

    assert str(caught.value).splitlines() == [
        "pattern: missing ), unterminated subpattern at position 2",
        "  ab(c",
        "    ^",
    ]


def test_a_pattern_over_several_lines_marks_the_line_at_fault() -> None:
    with pytest.raises(PatternError) as caught:
        parse("(?x)a\n  b)c")

    assert str(caught.value).splitlines()[1:] == ["    b)c", "     ^"]


def test_a_pattern_that_is_not_text_is_refused() -> None:
    with pytest.raises(PatternError, match="not a text pattern"):
        parse(b"a")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("pattern", "word"),
    [(r"(a)\1", "back-reference"), ("(?>a*b*)c", "atomic"), ("(?=(a))b(?(1)c|d)", "conditional")],
)
def test_what_automata_cannot_decide_says_why(pattern: str, word: str) -> None:
    parsed = parse(pattern)

    assert not parsed.exact
    assert word in parsed.reason
