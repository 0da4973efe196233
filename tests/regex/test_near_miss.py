"""Near misses: each breaks one rule, fails, and matches once the rule is relaxed."""

import re

import pytest

from unlike.regex.near_miss import near_misses
from unlike.regex.tree import parse


@pytest.mark.parametrize(
    ("pattern", "rule", "text", "relaxed"),
    [
        (r"\d{2,4}", "\\d{2,4} has one round too few", "0", r"\d{1,4}"),
        (r"\d{2,4}", "\\d{2,4} has one round too many", "00000", r"\d{2,5}"),
        (r"\d{2,4}", "\\d is another character", "a0", r".\d{1,3}"),
        (r"\d{2,4}", "something before", "a00", r".\d{2,4}"),
        (r"\d{2,4}", "something after", "00a", r"\d{2,4}."),
        (r"\w@\w", "@ is missing", "aa", r"\w@?\w"),
        ("https?://x", "http is misspelt", "attp://x", ".ttps?://x"),
        ("x(AM|PM)", "none of (AM|PM)", "xa", "x(AM|PM|.*)"),
        (r"(?=.*\d)[a-z\d]{3}", "(?=.*\\d) does not hold", "aaa", r"[a-z\d]{3}"),
        (r"(?!aa)[a-z]{2}", "(?!aa) does not hold", "aa", "[a-z]{2}"),
        (r"a\b.*", "\\b does not hold", None, "a.*"),
        (r"(a|b)\1", "\\1 repeats something else", None, "(a|b).*"),
        (r"(a)?b(?(1)c|d)", "(?(1)c|d) takes the other branch", None, "a?b[cd]"),
        ("(?>a|ab)c", "a is given back after it matched", "abc", "(a|ab)c"),
    ],
)
def test_a_rule_is_broken_alone(pattern: str, rule: str, text: str | None, relaxed: str) -> None:
    found = {each.rule: each.text for each in near_misses(parse(pattern)).found}

    assert rule in found, found
    assert not re.fullmatch(pattern, found[rule])
    assert re.fullmatch(relaxed, found[rule])
    assert text in (None, found[rule])


def test_no_near_miss_matches_and_none_comes_twice() -> None:
    pattern = parse(r"[\w.+-]+@[A-Za-z0-9-]+(\.[A-Za-z0-9-]+)*\.[a-z]{2,6}")

    result = near_misses(pattern)

    assert len(result.found) == 16
    assert len({each.text for each in result.found}) == 16
    assert not any(pattern.matches(each.text) for each in result.found)
    assert all(each.text.isprintable() for each in result.found)
    assert not result.undecided


def test_a_rule_that_cannot_fail_alone_is_named() -> None:
    # without [0-2] the other branch takes over
    assert near_misses(parse("(1[0-2]|[1-9])")).unbreakable[:1] == ["[0-2] is missing"]


def test_a_pattern_that_takes_everything_has_no_near_miss() -> None:
    result = near_misses(parse("(?s).*"))

    assert result.found == []
    assert not result.undecided


def test_a_catastrophic_pattern_gets_its_near_misses_in_time() -> None:
    result = near_misses(parse("(a+)+b|(x+x+){20}y"))

    assert any(each.text == "a" for each in result.found)


def test_a_lazy_repetition_that_an_atomic_group_leaves_at_nothing_is_no_rule() -> None:
    pattern = parse("(?>a|(b)*?)?+c")

    result = near_misses(pattern)

    assert result.found
    assert not any(pattern.matches(each.text) for each in result.found)
    assert not any("(b)" in each.rule for each in result.found)
