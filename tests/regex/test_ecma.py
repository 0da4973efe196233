r"""Patterns of ECMA-262 mean what node says they mean; its answers are recorded by `tests/regex/record_node.py`."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from unlike.regex.automaton import Automaton, Undecided
from unlike.regex.dialects.ecma import read_ecma
from unlike.regex.dialects.python_spelling import spell
from unlike.regex.dialects.references import UntoldError
from unlike.regex.dialects.unicode_properties import property_ranges
from unlike.regex.tree import PatternError, parse
from unlike.types.narrowing import search_pattern

Row = tuple[str, list[str], str | None, str | None]
ROWS: list[Row] = json.loads((Path(__file__).parent / "node" / "answers.json").read_text())
UNTOLD = 0.02  # of the patterns that node reads: what Python's `re` has no words for may be refused by name


def answer(pattern: str, texts: list[str], *, unicode: bool) -> str | None:
    """Return what we say, in the form in which node's answers are recorded."""
    try:
        compiled = re.compile(spell(read_ecma(pattern, unicode=unicode)))
    except UntoldError:
        return "untold"
    except PatternError:
        return None
    return "".join("1" if compiled.search(text) else "0" for text in texts)


@pytest.mark.corpus
def test_with_the_u_flag_every_pattern_means_what_node_says() -> None:
    answers = [(pattern, answer(pattern, texts, unicode=True), said) for pattern, texts, said, _ in ROWS]

    untold = [pattern for pattern, ours, _ in answers if ours == "untold"]
    assert len(ROWS) >= 2_000
    assert [row for row in answers if row[1] != "untold" and row[1] != row[2]] == []
    assert len(untold) <= UNTOLD * len(ROWS)


def test_without_the_u_flag_patterns_mean_what_node_says_of_characters_of_16_bits() -> None:
    wrong = []
    for pattern, texts, _, said in ROWS:
        ours = answer(pattern, texts, unicode=False)
        if ours == "untold" or ours == said:
            continue
        if ours is None or said is None:
            wrong.append((pattern, ours, said))
            continue
        differing = [text for text, one, other in zip(texts, ours, said, strict=True) if one != other]
        if not any(ord(char) > 0xFFFF for text in (pattern, *differing) for char in text):
            wrong.append((pattern, ours, said))

    assert wrong == []


@pytest.mark.corpus
def test_automata_of_patterns_accept_what_node_finds() -> None:
    compared = 0
    for pattern, texts, said, _ in ROWS[::5]:
        try:
            automaton = Automaton.of(parse(search_pattern(spell(read_ecma(pattern)))))
        except (PatternError, Undecided):
            continue
        compared += 1
        assert "".join("1" if automaton.accepts(text) else "0" for text in texts) == said, pattern

    assert compared > len(ROWS) // 10


@pytest.mark.parametrize(
    ("pattern", "means"),
    [
        (r"(a)?\1b", r"(a)?(?(1)(?:\1)|)b"),  # a group that took no part is repeated as nothing
        (r"\1(a)", r"(a)"),  # one that comes later never took part
        (r"(?<=a|bc)d", r"(?:(?<=a)|(?<=bc))d"),  # Python wants one width
        (r"(?<=x+)d", r"(?<=x)d"),  # more of the same say nothing more
        (r"\B", r"(?!(?a:\b))"),  # also in the empty text
    ],
)
def test_what_python_means_otherwise_is_said_in_its_words(pattern: str, means: str) -> None:
    assert spell(read_ecma(pattern)) == means


@pytest.mark.parametrize("pattern", [r"(?:(a)|b)*\1", r"(?<=a.*b)c", r"(a)(?<=\1)"])
def test_what_python_has_no_words_for_is_refused_by_name(pattern: str) -> None:
    with pytest.raises(UntoldError, match="Python's words"):
        spell(read_ecma(pattern))


def test_properties_go_by_all_their_names() -> None:
    assert property_ranges("Lu") == property_ranges("Uppercase_Letter") == property_ranges("gc=Lu")
    assert property_ranges("sc=Grek") == property_ranges("Script=Greek")
    assert property_ranges("Greek") is None
