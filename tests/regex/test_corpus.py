"""The command that answers a file of patterns within limits."""

import json
from pathlib import Path

import pytest
from bench import regex_corpus

HARD = [
    "(a{1000}){1000}",
    "((((a*)*)*)*)*b",
    "(a|aa|aaa)+$",
    "(?:(?:x+x+)+y)+",
    "(a?){60}a{60}",
    "([a-z]+)*[A-Z]",
    "[ab]*a[ab]{40}",
    "(?=.*a)(?=.*b)(?=.*c)(?=.*d)(?=.*e)[a-z]{5,30}",
    r"(\w+)\s\1",
    r"(.*)(.*)(.*)\1\2\3",
    "a{0,65535}",
    "(?!)",
    "",
]


def test_hard_patterns_get_definite_answers_within_the_limits(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "patterns.json"
    file.write_text(json.dumps(HARD))

    code = regex_corpus.main([str(file)])

    said = capsys.readouterr().out
    assert code == 0, said
    assert f"{len(HARD)} definite answers (100.00 %)" in said


def test_an_invalid_pattern_is_not_a_definite_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "patterns.txt"
    file.write_text("a+\n(a\n")

    code = regex_corpus.main([str(file)])

    assert code == 1
    assert "refused" in capsys.readouterr().out
