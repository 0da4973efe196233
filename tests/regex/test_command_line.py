"""`--regex` on the command line, as a user would type it."""

import itertools
import json
import random
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from unlike.cli.generate import command
from unlike.errors import UnlikeError
from unlike.regex.cover import distinct_texts


def run(*arguments: str) -> Result:
    return CliRunner().invoke(command, list(arguments), standalone_mode=False)


def lines(result: Result) -> list[dict[str, str]]:
    return [json.loads(line) for line in result.stdout.splitlines()]


def test_strings_come_as_json_lines_with_the_branches_as_label() -> None:
    result = run("--regex", "(a|b)c?", "--check")

    assert sorted(lines(result), key=str) == [
        {"value": "a", "label": "a, no c"},
        {"value": "ac", "label": "a, c"},
        {"value": "b", "label": "b, no c"},
        {"value": "bc", "label": "b, c"},
    ]
    assert result.return_value == 0
    assert "every choice that has a text is shown (proved)" in result.stderr
    assert "4 of 4 labels derived again" in result.stderr


def test_count_prints_the_number_alone() -> None:
    result = run("--regex", "[a-zA-Z0-9_]+", "--count")

    assert result.stdout == "8\n"
    assert result.stderr == ""


def test_flags_and_heuristics_are_obeyed() -> None:
    assert run("--regex", "[ab]", "--flags", "i", "--heuristic", "every-character", "--count").stdout == "4\n"
    assert run("--regex", "[ab][ab]", "--cover", "each", "--count").stdout == "2\n"
    assert run("--regex", "a b # c", "--flags", "x", "--all").stdout == '{"value": "ab", "label": "shortest"}\n'


def test_fewer_than_there_are_says_of_how_many() -> None:
    result = run("--regex", "[a-zA-Z0-9_]+", "-n", "3")

    assert len(lines(result)) == 3
    assert "found as many as were asked for: of 8 representatives" in result.stderr


def test_near_misses_are_labelled_with_the_rule() -> None:
    result = run("--regex", r"\d{2}", "--invalid")

    assert {"value": "0", "label": "\\d{2} has one round too few", "legal": False} in lines(result)
    assert result.return_value == 0


def test_no_string_is_an_answer_with_exit_code_1() -> None:
    result = run("--regex", "a(?=b)")

    assert result.return_value == 1
    assert result.stdout == ""
    assert "no input exists" in result.stderr


def test_what_is_undecided_ends_with_exit_code_3() -> None:
    result = run("--regex", "((a{1000}){1000}){1000}")

    assert result.return_value == 3
    assert "cut short: the shortest text has" in result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--regex", "(a"], "missing \\)"),
        (["--regex", "a", "--flags", "q"], "no flag is called 'q'"),
        (["--regex", "a", "--heuristic", "x"], "no heuristic is called 'x'"),
        (["--regex", "a", "-n", "0"], "-n 0 must be a whole number of at least 1"),
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
    monkeypatch.setattr(distinct_texts, "MAX_AUTOMATA", 3)

    result = run("--regex", "(a{1,2})+", "--heuristic", "concatenation", "--all")

    named = [line for line in result.stderr.splitlines() if line.startswith("undecided: ")]
    assert len(named) == 21
    assert named[-1].endswith(" more")


def test_a_count_with_undecided_choices_says_that_it_is_a_lower_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(distinct_texts, "MAX_AUTOMATA", 0)

    result = run("--regex", "(a|a)b", "--count")

    assert result.return_value == 3
    assert result.stdout == "1\n"
    assert "a lower bound; undecided: 1 choice" in result.stderr


@pytest.mark.parametrize(
    ("format_", "said"),
    [
        ("jsonl", '{"value": "a", "label": "a"}\n{"value": "c", "label": "[b-c]"}\n'),
        ("python", "pattern_inputs = [\n    'a',\n    'c',\n]\n"),
        ("json", '"status": {"ending": "shown"'),
        ("table", "[b-c]"),
    ],
)
def test_strings_are_written_in_every_format_to_the_terminal_or_a_file(tmp_path: Path, format_: str, said: str) -> None:
    shown = run("--regex", "a|[b-c]", "--format", format_)
    kept = run("--regex", "a|[b-c]", "--format", format_, "-o", str(tmp_path / "out"))

    assert said in shown.stdout
    assert kept.stdout == ""
    assert (tmp_path / "out").read_text(encoding="utf-8") == shown.stdout


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--regex", "a", "--with", "x"], "--with x goes with specs"),
        (["--regex", "a", "--solver", "cvc5"], "--solver cvc5 goes with specs"),
        (
            ["--regex", "a", "--seconds-per-call", "3"],
            "--seconds-per-call 3.0 goes with specs and types; 'a' is a pattern, which runs no code",
        ),
        (["--regex", "a", "--explain"], "--explain goes with specs, types and documents; 'a' is a pattern"),
        (["--regex", "a", "--in-process"], "--in-process goes with specs and types"),
        (["--schema", "s.json", "--heuristic", "x"], "--heuristic x goes with --regex"),
        (["--schema", "s.json", "--heuristic", "default"], "--heuristic default goes with --regex"),
        (["--schema", "s.json", "--effort", "0"], "--effort 0.0 goes with specs"),
        (["--schema", "s.json", "--solver", "z3"], "--solver z3 goes with specs"),
        (["--openapi", "s.json", "--encoding", "auto"], "--encoding auto goes with specs"),
        (["builtins:bool", "--solver", "cvc5"], "--solver cvc5 goes with specs"),
    ],
)
def test_an_option_that_would_not_be_looked_at_is_refused(arguments: list[str], said: str) -> None:
    result = run(*arguments)

    assert isinstance(result.exception, UnlikeError)
    assert said in str(result.exception)


@pytest.mark.parametrize("seed", range(25))
def test_more_strings_than_choices_are_all_there_are_or_as_many_as_were_asked_for(seed: int) -> None:
    """Against brute force: every text over a few characters that `re` accepts, and no other."""
    draw = random.Random(seed)
    parts = ["a", "b?", "[ab]", "(a|bc)", "c{0,2}", "(?:ab)?", "[abc]{1,2}"]
    pattern = "".join(draw.choices(parts, k=3))
    texts = ("".join(each) for size in range(8) for each in itertools.product("abc", repeat=size))
    brute_force = {text for text in texts if re.fullmatch(pattern, text)}

    few, many = run("--regex", pattern), run("--regex", pattern, "-n", "2000")

    found = [each["value"] for each in lines(many)]
    assert len(found) == len(set(found))
    assert set(found) == brute_force
    assert lines(many)[: len(lines(few))] == lines(few), "the choices come first"
    assert f"no more exist (proved): all {len(brute_force):,} strings of the pattern" in many.stderr


@pytest.mark.parametrize("pattern", ["(a|b)*c?", r"\d{3}-\d{4}", "a*", "[^@]+@x", r"(?=.*b)[a-c]{2,9}"])
def test_a_pattern_with_more_strings_gives_as_many_as_were_asked_for(pattern: str) -> None:
    result = run("--regex", pattern, "-n", "200")

    found = [each["value"] for each in lines(result)]
    assert len(set(found)) == 200
    assert all(re.fullmatch(pattern, text) and text.isascii() for text in found)
    assert "then further strings" in result.stderr
    assert result.return_value == 0


def test_what_lies_beyond_the_choices_is_not_claimed_where_it_is_not_counted() -> None:
    result = run("--regex", r"(a|b)\1", "-n", "10")

    assert [each["value"] for each in lines(result)] == ["aa", "bb"]
    assert "every choice that has a text is shown" in result.stderr
    assert "whether more strings exist is not known" in result.stderr
