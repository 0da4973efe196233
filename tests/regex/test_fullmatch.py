"""Python's verdict on texts that may take it for ever: asked elsewhere, dropped in time, and told apart."""

import re
import time

import pytest
from click.testing import CliRunner

from unlike import Ending, Spec, Str, generate
from unlike.cli.generate import command
from unlike.regex.cover import Cover
from unlike.regex.match import judged
from unlike.regex.texts import fullmatch as asked
from unlike.regex.texts.fullmatch import careful, fullmatch
from unlike.regex.tree import parse

HOPELESS = "(?!(a+)+c)a{28}"  # before `re` believes that no c follows, it has tried 2 ** 28 ways to part the a's


@pytest.fixture(autouse=True)
def short(monkeypatch):
    monkeypatch.setattr(asked, "SECONDS", 0.05)
    monkeypatch.setattr(asked, "_open", {})


@pytest.mark.parametrize("pattern", ["(a+)+b", "(a|ab)*(b|c)*", "(\\w+\\s?)*!", "((x)?y{2,})+é"])
def test_asked_elsewhere_or_here_python_says_the_same(pattern):
    for text in ("aaaab", "ab", "abab", "yyxyyé", "word word!", "\ud800", "a\nb", ""):
        assert fullmatch(pattern, 0, text) is (re.fullmatch(pattern, text) is not None)


def test_what_takes_python_for_ever_is_dropped_and_the_next_question_is_answered():
    assert fullmatch("(a+)+b", 0, "a" * 60) is None
    assert fullmatch("(a+)+b", 0, "a" * 60 + "b") is True


def test_a_process_that_dies_is_started_again():
    assert fullmatch("a", 0, "a") is True
    asked._JUDGE.process.kill()

    assert fullmatch("a", 0, "a") is None
    assert fullmatch("a", 0, "a") is True


def test_a_pattern_that_python_left_open_often_enough_is_asked_no_more(monkeypatch):
    for _ in range(asked.GIVEN_UP):
        assert fullmatch("(a+)+b", 0, "a" * 60) is None
    monkeypatch.setattr(asked._JUDGE, "ask", lambda *_: pytest.fail("asked again"))

    assert fullmatch("(a+)+b", 0, "a" * 60) is None


def test_every_text_of_a_nested_repetition_has_passed_python():
    cover = Cover("((ab?)+c){3,9}[a-z]{20}")

    texts = [each.text for each in cover.first(40)]

    assert all(len(text) > 16 for text in texts)
    assert all(judged(cover.pattern, text) == (True, True) for text in texts)
    assert not cover.unanswered


def test_a_text_that_python_says_nothing_of_is_told_apart():
    cover = Cover(HOPELESS)

    [found] = cover.first(5)

    assert judged(cover.pattern, found.text) == (True, False)
    assert list(cover.unanswered) == [found.text] == ["a" * 28]


def test_the_command_line_says_which_texts_python_did_not_confirm():
    result = CliRunner().invoke(command, ["--regex", HOPELESS, "--check"], standalone_mode=False)

    assert "1 of these passed only the independent matcher: re.fullmatch came to no answer in time" in result.output


def test_a_spec_never_hangs_on_its_own_pattern():
    spec = Spec({"s": Str(HOPELESS, max_length=30)})

    suite = generate(spec, "all")

    assert [each["s"] for each in suite.values] == ["a" * 28]
    assert suite.status.ending is Ending.COMPLETE


def test_the_careful_match_is_that_of_python_and_ends_in_time():
    start = time.process_time()

    assert careful("(a+)+b")("a" * 60) is None
    assert careful("(a+)+b")("a" * 60 + "b")
    assert careful("[a-z]+", re.IGNORECASE)("ABC")
    assert careful("(ab)+")("abab")
    assert time.process_time() - start < 5


def test_a_matcher_that_disagrees_is_not_believed_over_python():
    pattern = parse("(a|b)*c")
    assert judged(pattern, "ab" * 20 + "c") == (True, True)
    assert judged(pattern, "ab" * 20) == (False, True)
