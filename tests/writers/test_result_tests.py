"""Test files of inputs chosen by code: they pass when they are run, and what is not the same again is named."""

import subprocess
import sys

import pytest
from click.testing import CliRunner

from unlike.cli import cli

SUBJECT = """
import os, random

class Own(Exception): ...
class Box: ...

def kinds(a, word):
    if a == 0:
        return {"a": [1, (2,)], word: {word}}
    if a == 1:
        return list({"x", "yy", "zzz", "k", word})
    if a == 2:
        raise Own(word)
    if a == 3:
        return Box()
    if a == 4:
        return random.random()
    if a == 5:
        os._exit(3)
    return float("nan")

def items(expected):
    yield expected
"""
SPECS = """
from unlike import Int, OneOf, Spec
PAIRS = Spec({"a": Int(0, 6), "word": OneOf("p")})
NUMBERS = Spec({"expected": Int(0, 1)})
"""


def run(*words):
    return CliRunner().invoke(cli, ["generate", *words], standalone_mode=False, catch_exceptions=False)


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    (tmp_path / "result_subject.py").write_text(SUBJECT)
    (tmp_path / "result_specs.py").write_text(SPECS)
    return tmp_path


def test_a_test_file_has_what_the_code_gave_and_names_what_is_not_the_same_again(folder):
    ran = run(
        "result_specs:PAIRS", "-n", "7", "--code", "result_subject:kinds", "--format", "pytest", "-o", "test_it.py"
    )

    text = (folder / "test_it.py").read_text()
    assert "(0, 'p', {'a': [1, (2,)], 'p': {'p'}})," in text
    assert "(6, 'p', 'nan')," in text  # equal to nothing, so by its repr
    assert "(2, 'p', Own)," in text
    left = [line for line in text.splitlines() if line.startswith("# Not asserted")]
    # in another order with another hash, no text of its own, drawn, ends its process
    assert sorted(line.partition("'a': ")[2][0] for line in left) == ["1", "3", "4", "5"]
    assert "(proved)" not in ran.stderr  # nobody saw which branch was taken before the process ended
    done = subprocess.run([sys.executable, "-m", "pytest", "-q", "-p", "no:unlike", "test_it.py"], capture_output=True)
    assert b"3 passed" in done.stdout


def test_a_blank_called_like_a_column_is_passed_within_a_dict_and_a_generator_is_run_to_its_end(folder):
    text = run("result_specs:NUMBERS", "-n", "2", "--code", "result_subject:items", "--format", "pytest").stdout

    assert "({'expected': 0}, [0])," in text
    assert "assert list(items(**given)) == expected" in text


def test_without_code_there_is_nothing_to_write_down(folder):
    with pytest.raises(Exception, match="name it: --code MODULE:FUNCTION"):
        run("result_specs:PAIRS", "--format", "pytest")
