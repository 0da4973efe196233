"""`--regex` on the command line, as a user would type it."""

import json

import pytest
from click.testing import CliRunner, Result

from unlike.cli.generate import command
from unlike.errors import UnlikeError
from unlike.regex.cover import settle


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, list(arguments), standalone_mode=False)


def lines(result: Result) -> list[dict[str, str]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_strings_come_as_json_lines_with_the_branches_as_label() -> None:
    result = run("--regex", "(a|b)c?", "--check")

    assert lines(result) == [
        {"value": "a", "label": "a, no c"},
        {"value": "ac", "label": "a, c"},
        {"value": "b", "label": "b, no c"},
        {"value": "bc", "label": "b, c"},
    ]
    assert result.return_value == 0
    assert "no more exist (proved)" in result.stderr
    assert "4 of 4 labels derived again" in result.stderr


def test_count_prints_the_number_alone() -> None:
    result = run("--regex", "[a-zA-Z0-9_]+", "--count")

    assert result.stdout == "8\n"
    assert result.stderr == ""


def test_flags_and_heuristics_are_obeyed() -> None:
    assert run("--regex", "[ab]", "--flags", "i", "--heuristic", "every-character", "--count").stdout == "4\n"
    assert run("--regex", "[ab][ab]", "--cover", "each", "--count").stdout == "2\n"
    assert run("--regex", "a b # c", "--flags", "x", "--all").stdout == '{"value": "ab", "label": "plain"}\n'


def test_fewer_than_there_are_says_of_how_many() -> None:
    result = run("--regex", "[a-zA-Z0-9_]+", "-n", "3")

    assert len(lines(result)) == 3
    assert "found as many as were asked for: of 8 representatives" in result.stderr


def test_near_misses_are_labelled_with_the_rule() -> None:
    result = run("--regex", r"\d{2}", "--invalid")

    assert {"value": "0", "label": "\\d{2} has one round too few"} in lines(result)
    assert result.return_value == 0


def test_no_string_is_an_answer_with_exit_code_1() -> None:
    result = run("--regex", "a(?=b)")

    assert result.return_value == 1
    assert result.stdout == ""
    assert "no input exists" in result.stderr


def test_what_is_undecided_ends_with_exit_code_3() -> None:
    result = run("--regex", "((a{1000}){1000}){1000}")

    assert result.return_value == 3
    assert "undecided" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--regex", "(a"], "missing \\)"),
        (["--regex", "a", "--flags", "q"], "no flag is called 'q'"),
        (["--regex", "a", "--heuristic", "x"], "no heuristic is called 'x'"),
        (["--regex", "a", "-n", "0"], "must be at least 1"),
        (["--regex", "a", "-n", "2", "--all"], "contradict"),
    ],
)
def test_bad_input_is_one_message(arguments: list[str], message: str) -> None:
    result = run(*arguments)

    assert isinstance(result.exception, UnlikeError)
    assert result.exception.args[0]
    with pytest.raises(UnlikeError, match=message):
        raise result.exception


def test_what_cannot_be_encoded_is_escaped() -> None:
    result = run("--regex", "[\\ud800]|é")

    assert lines(result) == [{"value": "\ud800", "label": "\\ud800"}, {"value": "é", "label": "é"}]
    assert '"é"' in result.stdout


def test_of_many_undecided_choices_some_are_named_and_the_others_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settle, "MAX_AUTOMATA", 3)

    result = run("--regex", "(a{1,2})+", "--heuristic", "concatenation", "--all")

    named = [line for line in result.stderr.splitlines() if line.startswith("undecided: ")]
    assert len(named) == 21
    assert named[-1].endswith(" more")


def test_a_count_with_undecided_choices_says_that_it_is_a_lower_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settle, "MAX_AUTOMATA", 0)

    result = run("--regex", "(a|a)b", "--count")

    assert result.return_value == 3
    assert result.stdout == "1\n"
    assert "a lower bound: 1 choices are undecided" in result.stderr
