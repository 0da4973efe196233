"""Python's verdict on texts that may take it for ever: asked elsewhere, dropped in time, and told apart."""

import re
import threading
import time
from typing import Annotated

import pytest
from bench.regex_texts import strings
from click.testing import CliRunner

from unlike import Ending, Matching, Spec, Str, cover, generate, matching
from unlike.cli.generate import command
from unlike.regex import chars, match
from unlike.regex.automaton import TooLarge
from unlike.regex.cover import Cover, find_heuristics
from unlike.regex.match import judge
from unlike.regex.texts import fullmatch as asked
from unlike.regex.texts.backtracking_bound import Ways, harmless
from unlike.regex.texts.fullmatch import careful, collect_unconfirmed, fullmatch, note_unconfirmed
from unlike.regex.tree import Alternation, Chars, Concatenation, Group, Look, Repeat, join_parts, parse

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
    assert all(judge(cover.pattern, text) == (True, True) for text in texts)
    assert not cover.unanswered


def test_a_text_that_python_says_nothing_of_is_told_apart():
    cover = Cover(HOPELESS)

    [found] = cover.first(5)

    assert judge(cover.pattern, found.text) == (True, False)
    assert list(cover.unanswered) == [found.text] == ["a" * 28]


def test_the_command_line_says_which_texts_python_did_not_confirm():
    result = CliRunner().invoke(command, ["--regex", HOPELESS, "--check"], standalone_mode=False)

    assert "1 of these passed only the independent matcher: re.fullmatch came to no answer in time" in result.output


def test_a_spec_never_hangs_on_its_own_pattern():
    spec = Spec({"s": Str(HOPELESS, max_length=30)})

    suite = generate(spec, "all")

    assert [each["s"] for each in suite.values] == ["a" * 28]
    assert suite.status.ending is Ending.COMPLETE


@pytest.mark.parametrize(
    "spec",
    [
        Spec({"s": Str(HOPELESS, max_length=30)}),
        Spec({"s": Str(max_length=30)}, where=matching("s", HOPELESS)),
        Spec({"s": Str(max_length=30)}, different=cover.regex("s", HOPELESS)),
    ],
    ids=["value", "assertion", "difference"],
)
def test_a_suite_says_how_many_texts_python_did_not_confirm(spec):
    suite = generate(spec, "all")

    said = "1 of these passed only the independent matcher: re.fullmatch came to no answer in time"
    assert said in str(suite.status)
    assert said in suite.guarantee


def test_a_suite_from_a_type_says_so_too():
    suite = generate(Annotated[str, Matching(HOPELESS)], "all")

    said = "1 of these passed only the independent matcher: re.fullmatch came to no answer in time"
    assert said in str(suite.status)
    assert said in suite.guarantee


def test_a_type_whose_texts_nobody_can_judge_is_not_called_empty(monkeypatch):
    def judged(*_args, **_options):
        raise TooLarge("no more steps")

    monkeypatch.setattr(match, "judge", judged)

    alone = generate(Annotated[str, Matching(r"(a|b)\1")], "all")
    optional = generate(Annotated[str, Matching(r"(a|b)\1")] | None, "all")

    assert alone.status.ending is Ending.UNKNOWN
    assert "nor a proof" in str(alone.status)
    assert optional.values == [None]
    assert optional.status.ending is Ending.UNKNOWN


def test_a_suite_that_python_confirms_says_nothing_of_it():
    suite = generate(Spec({"s": Str("((ab?)+c){3,4}", max_length=30)}), 5)

    assert "matcher" not in str(suite.status)


@pytest.mark.parametrize(
    "pattern",
    [
        "(?!((a*)*)*c)a{16}",  # loops in loops in loops: 16 characters are enough
        "(?!(a|a|a|a|a|a)*c)a{14}",
        "(?!a*a*a*a*a*a*a*a*a*a*a*a*c)a{60}",  # no loop within another
        f"(?!{'(?:a|aa)' * 30}c)a{{50}}",  # no loop at all
        "a{0,200}a{0,200}a{0,200}a{0,200}a{200}",  # no lookaround either
    ],
)
def test_no_pattern_makes_python_hang_whatever_makes_its_ways_many(pattern):
    cover = Cover(pattern, find_heuristics("shortest"))

    assert harmless(cover.pattern) < len(cover.represent(0).text)
    assert all(set(each.text) == {"a"} for each in cover.first(1))


def test_where_the_next_character_decides_texts_of_any_length_are_harmless():
    for pattern in (r"(\w+\s)*!", "(a|b)*c", "[_a-zA-Z][_a-zA-Z0-9]+", r"\w+@\w+\.\w+", "foo|bar|[a-f]x"):
        assert harmless(parse(pattern)) >= 100_000


@pytest.mark.parametrize(
    "pattern",
    ["(a+)+b", "(a|a|ab)*c", "a*a*a*a*b", "(a|ab)(c|bcd)*d?", "((a?)b?)*c", "(?:a|aa){9}b", "a*a*b", "(?:(?=[ab]*)a)*"],
)
def test_python_never_takes_more_steps_than_are_counted(pattern):
    parsed = parse(pattern)
    size = len(pattern)
    for text in ("a" * 9, "ab" * 5, "aab" * 3, "abcd" * 2):
        assert tried(parsed.root, text) <= 2 ** Ways(parsed.root).steps(len(text)) * size


@pytest.mark.parametrize(
    ("pattern", "least"),
    [("a*a*b", 1_000), (r"\s*\s*x", 1_000), (r"\w+\w*@", 1_000), ("a*a*a*b", 100), ("(?:(?=a*)a)*", 1_000)],
)
def test_a_few_ways_through_a_long_text_are_counted_with_what_each_of_them_reads(pattern, least):
    longest = harmless(parse(pattern))

    assert longest >= least  # ordinary texts are asked directly
    assert longest**2 <= 2**24


def tried(root, text):
    """How many characters are compared if every way is tried, one after the other, and nothing is remembered."""
    compared = 0

    def ends(node, at):
        nonlocal compared
        match node:
            case Chars(ranges):
                compared += 1
                if at < len(text) and chars.holds(ranges, ord(text[at])):
                    yield at + 1
            case Concatenation((first, *rest)):
                for end in ends(first, at):
                    yield from ends(join_parts(rest), end)
            case Alternation(branches):
                for branch in branches:
                    yield from ends(branch, at)
            case Repeat():
                yield from rounds(node, at, 0)
            case Group(_, _, body):
                yield from ends(body, at)
            case Look(True, False, body):
                if next(ends(body, at), None) is not None:
                    yield at
            case _:
                yield at

    def rounds(node, at, done):
        if node.high is None or done < node.high:
            for end in ends(node.body, at):
                if end > at or done < node.low:
                    yield from rounds(node, end, done + 1)
        if done >= node.low:
            yield at

    for _ in ends(root, 0):
        pass
    return compared


def test_a_text_that_no_matcher_comes_to_an_answer_on_is_undecided(monkeypatch):
    monkeypatch.setattr(match, "MAX_STEPS", 100)
    cover = Cover(HOPELESS)

    found, status = strings(cover, 3)

    assert not found
    assert cover.unchecked
    assert not cover.complete
    assert status.ending is Ending.UNKNOWN


def test_an_input_that_cannot_be_checked_is_not_delivered(monkeypatch):
    monkeypatch.setattr(match, "MAX_STEPS", 100)

    suite = generate(Spec({"s": Str("(?!(a+)+c)a{28}", max_length=30)}), "all")

    assert len(suite) == 0
    assert suite.status.ending is Ending.UNKNOWN


def test_the_careful_match_is_that_of_python_and_ends_in_time():
    start = time.process_time()

    assert careful("(a+)+b")("a" * 60) is None
    assert careful("(a+)+b")("a" * 60 + "b")
    assert careful("[a-z]+", re.IGNORECASE)("ABC")
    assert careful("(ab)+")("abab")
    assert time.process_time() - start < 5


def test_a_matcher_that_disagrees_is_not_believed_over_python():
    pattern = parse("(a|b)*c")
    assert judge(pattern, "ab" * 20 + "c") == (True, True)
    assert judge(pattern, "ab" * 20) == (False, True)


@pytest.fixture
def without_verdict(monkeypatch):
    """Texts of which no matcher says anything, whatever the pattern."""
    texts = set()
    known = match.judge

    def judge(pattern, text, *deadline):
        if text in texts:
            raise TooLarge("matching takes too many steps")
        return known(pattern, text, *deadline)

    monkeypatch.setattr(match, "judge", judge)
    return texts


@pytest.mark.parametrize("pattern", [r"(a|b)\1", r"(a|b|b)\1"])
def test_a_choice_is_not_impossible_because_its_only_text_has_no_verdict(pattern, without_verdict):
    without_verdict.add("bb")
    cover = Cover(pattern)

    assert [each.text for each in cover.first()] == ["aa"]
    assert not cover.settled.impossible
    assert [each.label for each in cover.settled.undecided] == ["b"] * pattern.count("b")
    assert all("no matcher comes to an answer" in each.reason for each in cover.settled.undecided)
    assert not cover.complete


def test_a_choice_does_not_share_its_texts_for_certain_while_one_has_no_verdict(without_verdict):
    without_verdict.add("b")
    cover = Cover("a|[ab]", find_heuristics("class-as-one"))  # the second branch would be shown by b

    assert [each.text for each in cover.first()] == ["a"]
    assert not cover.settled.same
    assert len(cover.settled.undecided) == 1
    assert not cover.complete


def test_a_choice_is_not_impossible_because_telling_it_takes_too_many_steps(monkeypatch):
    def too_long(*_, **__):
        raise TooLarge("matching takes too many steps")

    monkeypatch.setattr(match, "derives", too_long)
    cover = Cover(r"(a|b)\1")

    assert not list(cover.first())
    assert not cover.settled.impossible
    assert len(cover.settled.undecided) == 2
    assert not cover.complete


def test_who_listens_within_another_hears_until_its_own_end_and_takes_no_place_of_another():
    with collect_unconfirmed() as outer:
        with collect_unconfirmed() as inner:
            note_unconfirmed("both")
        with collect_unconfirmed() as silent:
            pass
        note_unconfirmed("outer")
    note_unconfirmed("nobody")

    assert list(outer) == ["both", "outer"]
    assert list(inner) == ["both"]
    assert not silent


def test_who_listens_in_one_thread_hears_nothing_of_another():
    with collect_unconfirmed() as texts:
        other = threading.Thread(target=note_unconfirmed, args=("elsewhere",))
        other.start()
        other.join()

    assert not texts


@pytest.mark.parametrize(("pattern", "n"), [(r"(a+)+\1", 45), (r"(\w+\s?)*\1!", 12), (r"(a+)+\1", 400)])
def test_what_is_found_does_not_depend_on_what_python_left_open_before(pattern, n, monkeypatch):
    def texts():
        found, status = strings(Cover(pattern), n)
        return [each.text for each in found], status

    fresh = texts()
    monkeypatch.setattr(asked, "_open", {(pattern, 0): asked.GIVEN_UP})

    assert texts() == fresh


def test_texts_that_might_take_python_for_ever_are_looked_at_up_to_a_count():
    found, status = strings(Cover(r"(a+)+\1"), 400)

    assert 45 < len(found) < 400
    assert status.ending is Ending.UNKNOWN


def test_a_pattern_that_was_given_up_is_asked_again_where_no_other_matcher_answers(monkeypatch):
    monkeypatch.setattr(match, "MAX_STEPS", 10)
    monkeypatch.setattr(asked, "_open", {("(a+)+b", 0): asked.GIVEN_UP})

    assert judge(parse("(a+)+b"), "a" * 60 + "b") == (True, True)


def test_a_text_without_a_verdict_is_asked_once(monkeypatch):
    questions = []

    def judge(_, text, *_deadline):
        questions.append(text)
        raise TooLarge("matching takes too many steps")

    monkeypatch.setattr(match, "judge", judge)
    cover = Cover(HOPELESS)

    assert not list(cover.first())
    assert questions == ["a" * 28]
    assert cover.settled.undecided
