"""Broken inputs end in one line and a documented exit code, in time and within memory: a part of `python -m bench.fuzz`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from bench import fuzz
from tests.corpora import few_of

from unlike.errors import UnlikeError
from unlike.file_limits import MOST_DEPTH, FileLimitError, parse_json_within, read_bytes_within

AT_ONCE = 20


@pytest.mark.parametrize("first", few_of(range(0, 2_000, AT_ONCE), 1))
def test_no_broken_input_ends_in_a_traceback_or_takes_too_long(first: int) -> None:
    found = list(fuzz.bad_cases(range(first, first + AT_ONCE)))

    assert len(found) == AT_ONCE
    assert not [(number, case.words, outcome) for number, case, outcome in found if outcome.wrong]


def test_the_judges_see_what_is_wrong() -> None:
    judge = fuzz._wrong

    assert judge(0, 0.5, 1000, "fine") == ""
    assert judge(2, 0.5, 1000, "Traceback (most recent call last):\n…") == "a traceback"
    assert judge(-11, 0.5, 1000, "") == "exit code -11"
    assert judge(3, 1.5, 1000, "") == "too slow"
    assert judge(3, 0.5, 10**7, "") == "too much memory"


def test_cases_are_the_same_for_the_same_number() -> None:
    assert [fuzz.case_of(number) for number in range(300)] == [fuzz.case_of(number) for number in range(300)]


def run(*words: str, cwd: Path) -> tuple[int, str]:
    command = [sys.executable, "-m", "unlike", *words]
    done = subprocess.run(command, cwd=cwd, capture_output=True, text=True, timeout=100, check=False)
    return done.returncode, done.stderr + done.stdout


FILES: dict[str, tuple[str, tuple[str, ...]]] = {  # by name: contents, and the command that reads it
    "a huge scope": ("scope = 99999999999", ("explore", "bench.endless:Heap", "--config")),
    "a number of 100,000 digits": (f"scope = 0x{'f' * 100_000}", ("explore", "bench.endless:Heap", "--config")),
    "deep TOML": ("a = " + "[" * 100_000, ("explore", "bench.endless:Heap", "--config")),
    "a huge range": ('[literals]\nint = "0..99999999999"', ("explore", "bench.endless:Heap", "--config")),
    "deep builders": ("[" * 100_000, ("explore", "bench.endless:Heap", "--builders")),
    "a deep program": ("(" * 100_000, ("program",)),
    "a deep schema": ('{"not": ' * 100_000, ("generate", "--schema")),
    "deep YAML": ("- " * 100_000, ("generate", "--schema")),
}


@pytest.mark.parametrize("name", few_of(list(FILES), 1))
def test_files_that_are_too_large_or_deep_are_refused_in_one_line(tmp_path: Path, name: str) -> None:
    contents, words = FILES[name]
    place = tmp_path / ("p.iorek" if words[0] == "program" else "file.yaml" if "YAML" in name else "file.json")
    place.write_text(contents)

    code, said = run(*words, str(place), cwd=Path(__file__).parent.parent.parent)

    assert code == 2, said
    assert "Traceback" not in said
    assert len(said.strip().splitlines()) == 1


@pytest.mark.corpus
@pytest.mark.parametrize(
    "words", [("explore", "bench.endless:Heap", "--config"), ("program",), ("generate", "--schema")]
)
def test_a_file_without_end_is_refused(words: tuple[str, ...]) -> None:
    code, said = run(*words, "/dev/zero", cwd=Path(__file__).parent.parent.parent)

    assert code == 2, said
    assert "more than 20,000,000 bytes" in said or "cannot be read" in said or "line 1" in said


def test_limits_of_files(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_bytes(b"x" * 101)

    with pytest.raises(FileLimitError, match="more than 100 bytes"):
        read_bytes_within(place, 100)
    with pytest.raises(FileLimitError, match=f"more than {MOST_DEPTH} levels"):
        parse_json_within("[" * (MOST_DEPTH + 1) + "]" * (MOST_DEPTH + 1))
    assert parse_json_within("[" * MOST_DEPTH + "]" * MOST_DEPTH)
    assert issubclass(FileLimitError, UnlikeError)


def test_half_a_character_is_printed_as_an_escape(tmp_path: Path) -> None:
    (tmp_path / "p.iorek").write_text('(program p (declare x "a\\ud800") (generate t 1 (declare y ?Integer)))')

    code, said = run("program", "p.iorek", cwd=tmp_path)

    assert code in (0, 2)
    assert "Traceback" not in said


def test_a_pattern_that_python_warns_of_is_taken_without_a_word(tmp_path: Path) -> None:
    text = '(program p (declare odd "[[a]b") (declare x ?String) (specify x (matches (re-? odd))) (generate t 2 (declare y ?x)))'
    (tmp_path / "p.iorek").write_text(text)

    code, said = run("program", "p.iorek", cwd=tmp_path)

    assert "Warning" not in said
    assert code == 0, said
