"""Rounds that add nothing are left out, counts are arithmetic: the texts are the same, whoever is asked."""

from __future__ import annotations

import random
import re
import subprocess
import sys

import pytest
from tests.corpora import few_of

from unlike.core import Deadline
from unlike.regex import match
from unlike.regex.automaton import Automaton, Undecided
from unlike.regex.cover import Cover
from unlike.regex.machine import table_of
from unlike.regex.rounds import leave_out_rounds, merge_counts
from unlike.regex.texts.backtracking_bound import harmless
from unlike.regex.tree import Repeat, every, parse

ATOMS = (
    "a",
    "b",
    "[ab]",
    "(?:)",
    r"\b",
    r"\B",
    "(?=a)",
    "(?!b)",
    "(?<=a)",
    "^",
    "$",
    "(a)",
    "(?:a|)",
    "(?:a|bb)",
    "a?+",
    "(?>a|)",
)
TIMES = ("?", "*", "+", "{2}", "{0,2}", "{2,3}", "{3,}", "{2}?", "*?", "{150}", "{0,150}", "{120,}", "{4294967290,}")
SUBJECTS = ["".join("ab"[number >> bit & 1] for bit in range(size)) for size in range(6) for number in range(1 << size)]


def nested_pattern(rng: random.Random, depth: int = 3) -> str:
    """Return a pattern of repetitions of repetitions."""
    if depth == 0:
        return f"(?:{rng.choice(ATOMS)})"
    parts = [nested_pattern(rng, depth - 1) + rng.choice((*TIMES, "", "")) for _ in range(rng.randint(1, 2))]
    body = "".join(part if part[-1:] not in "?*+}" else f"(?:{part})" for part in parts)
    return f"(?:{body}|{rng.choice(ATOMS)})" if rng.random() < 0.3 else f"(?:{body})"


@pytest.mark.parametrize("seed", few_of(range(400), 12))
def test_trees_with_fewer_rounds_match_what_python_matches(seed: int) -> None:
    pattern = nested_pattern(random.Random(seed))
    parsed = parse(pattern)
    try:
        language = Automaton.of(parsed, max_states=200)
    except Undecided:
        language = None

    for text in SUBJECTS:
        found = match.matches(parsed, text)
        assert language is None or language.accepts(text) is found, (pattern, text)
        if len(text) <= harmless(parsed):  # else Python itself would take for ever
            assert (re.fullmatch(pattern, text) is not None) is found, (pattern, text)


@pytest.mark.parametrize(
    ("pattern", "yes", "no"),
    [
        (r"(?:(?>a|)*|b){4294967290,}", ["", "a", "bab"], ["c"]),
        (r"(?>(?:|a){4294967290,})b?", ["", "b"], ["a", "ab"]),  # nothing comes first, and is taken for good
        (r"(?>(?:a|){4294967290})b", ["b", "aab"], ["", "a"]),
        (r"(?:a?){4294967290,4294967292}+b", ["b", "aab"], ["", "a"]),
    ],
)
def test_rounds_that_are_needed_but_may_be_empty_end_at_once(pattern: str, yes: list[str], no: list[str]) -> None:
    parsed = parse(pattern)

    assert [text for text in [*yes, *no] if match.matches(parsed, text, Deadline.of(1))] == yes


@pytest.mark.parametrize("pattern", ["(?:(?:a)*){150}", "(?:(?:(?:a|){2}?){120,}){2}"])
def test_texts_that_many_empty_rounds_can_share_are_not_harmless(pattern: str) -> None:
    assert 0 <= harmless(parse(pattern)) < len("aaab")  # of which Python would try millions of ways
    assert harmless(parse("(?:a*b*){2}")) >= len("aaab")


def test_repetitions_of_repetitions_are_multiplied() -> None:
    merged = merge_counts(parse("(?:a?){1000}a{1000}").root)

    assert isinstance(merged, Repeat)
    assert (merged.low, merged.high) == (1000, 2000)
    assert len(table_of(parse("(?:a{2,3}){2,}").root).moves) < 10
    assert Automaton.of(parse("(?:aaa?){0,1}|(?:a{5}){2}")).lengths(20) == [0, 2, 3, 10]  # with gaps: not merged


def test_rounds_of_something_empty_are_left_out_unless_they_are_referred_to() -> None:
    lows = [each.low for each in every(parse(r"((?=a)){4294967294,}(?:a?){500}").root) if isinstance(each, Repeat)]
    kept = [each.low for each in every(parse(r"(a?){500}\1").root) if isinstance(each, Repeat)]

    assert lows == [1, 0]
    assert kept == [500, 0]
    assert leave_out_rounds(parse("(?:ab){7}").root) == parse("(?:ab){7}").root


HUGE = [
    r"(?:(?:A{4294967294,}){3})*",
    r"((?=a)){4294967294,}",
    r"(?:((?:(?!a)){100000}|x)){1000}",
    r"(?:.{2,5}){3}(?:[a-z]+){100000}",
    r"(?:(?:\b)+|x{2}+){1000}",
    r"(?:\w*){100000}",
    r"(?:a?){1000}a{1000}",
    r"a{4294967294}",
    r"(?:a{1000}){1000}",
    r"(?:[ab]{0,5}){4294967294}",
    r"(?:x|y{1000000}){3}",
    r"(\w{1000})\1{1000}",
    r"(?>(?:a?){100000})",
    r"(?:[^\s\S]){4294967294}",
    r"(?:a|ab|abc){20000}c",
    r"[a-z]{1,1000000}",
    r"(?:((a)|b)(?(2)c|d)){10000}",
    r"(a?){100000}\1",
]
WAYS = {
    "-n 5": ("-n", "5"),
    "--count": ("--count",),
    "--invalid": ("--invalid",),
    "--mix": ("--mix", "0.3", "-n", "10"),
    "--cover pairs": ("--cover", "pairs"),
    "each position": ("--heuristic", "each-position", "-n", "5"),
    "concatenation": ("--heuristic", "concatenation", "-n", "5"),
}
# the peak is read off this program's own memory: what `getrusage` says begins with that of whoever started it
TIMED = """
import pathlib, resource, sys
from unlike.cli.entry import main
try:
    main(sys.argv[1:])
finally:
    used = resource.getrusage(resource.RUSAGE_SELF)
    peak = pathlib.Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]
    print(f"took {used.ru_utime + used.ru_stime:.3f} {peak}", file=sys.stderr)
"""


@pytest.mark.corpus
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("pattern", HUGE)
def test_huge_counts_end_in_time_and_take_little_memory(pattern: str, way: str) -> None:
    command = [sys.executable, "-c", TIMED, "generate", "--regex", pattern, *WAYS[way], "--timeout", "3"]

    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)

    assert done.returncode in (0, 1, 3), done.stderr
    seconds, kilobytes = done.stderr.splitlines()[-1].split()[1:]
    assert float(seconds) <= 3 * 1.1 + 1 + 1  # the last second is for loading
    assert int(kilobytes) < 500_000


def test_a_repetition_that_no_text_is_long_enough_for_is_left_out() -> None:
    cover = Cover(r"(?:(?:A{4294967294,}){3})*|b", deadline=Deadline.of(20))

    assert [each.text for each in cover.first()] == ["", "b"]
    assert cover.too_long
    assert not cover.complete


@pytest.mark.corpus
def test_strings_of_many_optional_characters_are_found() -> None:
    cover = Cover("(?:a?){1000}a{1000}", deadline=Deadline.of(60))

    texts = [each.text for each in cover.first()]

    assert texts
    assert all(1000 <= len(text) <= 2000 for text in texts)
