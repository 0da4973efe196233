"""Inputs of tests that are chosen by code: saved, replayed without a look, and kept when the code changes."""

import json

import pytest
from click.testing import CliRunner

import unlike
from unlike.cli import cli
from unlike.errors import SpecError

SUBJECT = """
def grade(points):
    if points > {limit}:
        return "passed"
    return "failed"
"""
TEST = """
import unlike, subject
from unlike import Int

@unlike.inputs(2, code=subject.grade)
def test_it(points: Int(0, 60)):
    assert subject.grade(points)
"""


@pytest.mark.corpus  # five processes of pytest
def test_a_choice_is_replayed_without_a_look_and_extended_when_the_code_changes(project):
    project.write(subject=SUBJECT.format(limit=50), test_it=TEST)
    assert project.run("-q").passed(2)
    first = project.saved().read_text()
    project.write(subject=SUBJECT.format(limit=7))

    replayed = project.run("-q", "--unlike-frozen")
    told = project.run("-q", "--unlike-prepare")
    kept = project.run("-q", "--unlike-prepare", "--unlike-keep")

    assert replayed.passed(2)
    assert "the choice is of an older code" in told.text
    assert "extended to" in kept.text
    inputs = [json.loads(line[:-1])["input"]["points"] for line in first.splitlines() if '"rank"' in line]
    now = project.saved().read_text()
    after = [json.loads(line[:-1])["input"]["points"] for line in now.splitlines() if '"rank"' in line]
    assert set(inputs) == {50, 51}
    assert {50, 51, 7, 8} <= set(after)
    assert project.run("-q").passed(len(after))


def test_the_command_says_why_each_input_is_there_and_what_none_reached(tmp_path, monkeypatch):
    monkeypatch.syspath_prepend(tmp_path)
    words = ["generate", "--regex", "[0-9]{1,2}", "--code", "graded_subject:read", "--format", "json"]
    (tmp_path / "graded_subject.py").write_text(
        SUBJECT.format(limit=5000) + "\ndef read(text):\n    return grade(int(text))\n"
    )

    ran = CliRunner().invoke(cli, words, standalone_mode=False, catch_exceptions=False)

    answer = json.loads(ran.stdout)
    assert all(each["why"] for each in answer["cases"]["inputs"])
    (dark,) = [each for each in answer["findings"] if each["kind"] == "impossible"]
    assert dark["place"] == "graded_subject.py:3"
    assert dark["words"] == "`points > 5000` is never true; no input does (proved)"  # all 110 texts were run
    assert "no input takes (proved)" in answer["guarantee"]


MIXED = """
import unlike, subject
from pathlib import Path
from unlike import Str
import pytest

@pytest.mark.parametrize("text", ["50", "9"])
def test_written(text):
    assert subject.grade(int(text))

@unlike.inputs(6, code=subject.read, beside="test_it.py::test_written", source=False)
def test_beside(text: Str("[0-9]{1,2}")):
    assert text not in ("50", "9")

@unlike.inputs(8, code=subject.read, mix=True)
def test_mixed(text: Str("[0-9]{1,2}"), legal: bool):
    assert legal == (text.isascii() and text.isdigit() and len(text) < 3)
    Path("seen.txt").open("a").write(f"{legal}\\n")
"""


@pytest.mark.corpus
def test_inputs_beside_written_rows_show_something_new_and_a_mix_tells_which_are_legal(project):
    project.write(
        subject=SUBJECT.format(limit=50) + "\ndef read(text):\n    return grade(int(text) if text.isdigit() else -1)\n",
        test_it=MIXED,
    )

    ran = project.run("-q")

    assert "test_beside: generated and saved" in ran.text
    assert "shows anything new" in ran.text
    assert " failed" not in ran.text
    assert {*(project.path / "seen.txt").read_text().split()} == {"True", "False"}


def test_what_says_how_code_is_looked_at_needs_code():
    with pytest.raises(SpecError, match="beside says how code is looked at"):
        unlike.inputs(3, beside=["1"])
    with pytest.raises(SpecError, match="with mix=True others too"):
        unlike.inputs(3, code=len, invalid=True)
