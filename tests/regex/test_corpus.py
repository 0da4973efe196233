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
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(regex_corpus, "SECONDS", 60)  # a loaded machine is no reason to fail
    file = tmp_path / "patterns.json"
    file.write_text(json.dumps(HARD))

    code = regex_corpus.main([str(file)])

    said = capsys.readouterr().out
    assert code == 0, said
    assert f"{len(HARD)} definite answers (100.00 %)" in said
    assert "left open by re" in said
    assert "a pattern may take 60 s and 500 MB" in said


def test_a_pattern_that_takes_too_long_is_ended_and_the_next_one_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    worker = regex_corpus.Worker()

    monkeypatch.setattr(regex_corpus, "SECONDS", 0)
    assert worker.ask("(a?){60}a{60}").kind == "out of time"
    monkeypatch.setattr(regex_corpus, "SECONDS", 60)
    assert worker.ask("[ab]").kind == "complete"

    worker.stop()


def test_what_needs_more_memory_than_allowed_is_said_to(monkeypatch: pytest.MonkeyPatch) -> None:
    def hungry(*_: object) -> None:
        raise MemoryError

    monkeypatch.setattr("bench.regex_texts.strings", hungry)

    assert regex_corpus.answer("a+").kind == "out of memory"


def test_without_a_file_that_can_be_read_the_use_is_shown(capsys: pytest.CaptureFixture[str]) -> None:
    assert regex_corpus.main([]) == 2
    assert regex_corpus.main(["/nowhere.json"]) == 2

    assert "python -m bench.regex_corpus FILE" in capsys.readouterr().err


def test_an_invalid_pattern_is_not_a_definite_answer(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "patterns.txt"
    file.write_text("a+\n(a\n")

    code = regex_corpus.main([str(file)])

    assert code == 1
    assert "refused" in capsys.readouterr().out
