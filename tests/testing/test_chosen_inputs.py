"""Inputs of tests that are chosen by code: saved, replayed without a look, and kept when the code changes."""

import json

import pytest
from click.testing import CliRunner

from unlike.cli import cli

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
