"""A test whose inputs are fewer than asked for, without a proof that no more exist, has one more item, which fails."""

import json
import re

import pytest

import unlike.specs.generate  # loaded once, not again for each run inside this process
import unlike.testing.prepare
import unlike.testing.sources.base

QUIET = ["-p", "no:hypothesispytest", "-p", "no:xdist", "-p", "no:cacheprovider", "-v"]
HEAD = """
import dataclasses, pydantic, pytest, time
import unlike
from unlike import *
from unlike import python_difference

class Even(pydantic.BaseModel):
    n: int

    @pydantic.field_validator("n")
    @classmethod
    def is_even(cls, n):
        if n % 2:
            raise ValueError(f"{n} is odd")
        return n

def raises_on_three(x):
    if x == 3:
        raise RuntimeError("no threes")
    return True
"""
EVEN = """
@unlike.inputs(6, different=distance("e.n", 7))
def test_it(e: Even):
    assert e.n % 2 == 0
"""
RAISES = """
@unlike.inputs(6, where=predicate(raises_on_three))
def test_it(x: Int(0, 9)): pass
"""
ITEM = "test_it[too few inputs]"
WHY = "an assertion raised RuntimeError: no threes on {'x': 3}"


@pytest.fixture
def run(pytester):
    def run(body, *arguments):
        pytester.makepyfile(test_it=HEAD + body)
        return pytester.runpytest_inprocess(*QUIET, *arguments)

    return run


def shown(result) -> str:
    return result.stdout.str()


@pytest.mark.parametrize("asked", ["", 'different=distance("e.n", 7)', 'different=differs_by("e.n")'])
def test_a_model_with_a_validator_has_all_its_inputs(run, asked):
    result = run(f"@unlike.inputs(6, {asked})\ndef test_it(e: Even): assert e.n % 2 == 0\n")

    result.assert_outcomes(passed=6)
    run(f"@unlike.inputs(6, {asked})\ndef test_it(e: Even): pass\n", "--unlike-frozen").assert_outcomes(passed=6)


def test_a_model_with_a_validator_beside_other_parameters_in_a_list_and_in_a_spec_has_all_its_inputs(run):
    result = run(
        """
@unlike.inputs(6, different=differs_by("k"))
def test_beside(e: Even, k: Int(0, 9)): assert e.n % 2 == 0

@unlike.inputs(3, different=differs_by("es.length"), where=lambda es: es.length > 0)
def test_list(es: list[Even]): assert all(e.n % 2 == 0 for e in es)

@unlike.inputs(spec=Spec({"e": record(Even, n=Int(0, 9))}, n=5))
def test_spec(e): assert e.n % 2 == 0
"""
    )

    result.assert_outcomes(passed=6 + 3 + 5)


def test_a_suite_that_was_cut_short_has_an_item_that_says_how_many_which_input_and_which_exception(run):
    first = run(RAISES)
    again = run(RAISES, "--unlike-frozen")

    for result in (first, again):
        result.assert_outcomes(passed=3, failed=1)
        assert f"unlike: test_it has 3 of 6 inputs: cut short: {WHY}" in shown(result)
        assert "unlike_short = warn (or ignore) lets it pass" in shown(result)
        assert "something failed" not in shown(result)


def test_a_suite_that_is_proved_to_be_all_or_asks_for_as_many_as_there_are_has_no_such_item(run):
    result = run(
        """
@unlike.inputs(6)
def test_proved(x: Int(0, 2)): pass

@unlike.inputs(3, where=predicate(raises_on_three))
def test_enough(x: Int(0, 9)): pass
"""
    )

    result.assert_outcomes(passed=6)


NEAR = "different=python_difference(lambda a, b: abs(a.x - b.x) > 3)"


def test_a_set_to_which_nothing_can_be_added_is_too_small_only_where_a_number_was_asked_for(run):
    result = run(
        f"""
@unlike.inputs(6, {NEAR})
def test_asked(x: Int(0, 9)): pass

@unlike.inputs("all", {NEAR})
def test_all(x: Int(0, 9)): pass

@unlike.inputs({NEAR})
def test_any(x: Int(0, 9)): pass
"""
    )

    result.assert_outcomes(passed=9, failed=1)
    assert "test_asked has 3 of 6 inputs: nothing can be added; another, larger set may exist" in shown(result)
    run(f"@unlike.inputs({NEAR})\ndef test_any(x: Int(0, 9)): pass", "--unlike-n=6").assert_outcomes(passed=3, failed=1)


def test_what_was_cut_short_by_time_says_so_and_how_to_give_more(run):
    result = run(
        """
def slow(x):
    time.sleep(0.2)
    return x < 3

@unlike.inputs(50, where=predicate(slow), timeout=3)
def test_it(x: Int(0, 999)): pass
"""
    )

    assert "FAILED" in shown(result)
    assert re.search(r"test_it has \d of 50 inputs: cut short: out of time", shown(result))
    assert "Give it more time (timeout=…, or unlike_timeout) and run pytest --unlike-regenerate" in shown(result)


def test_blanks_beside_objects_that_were_cut_short_have_the_item_too(run):
    result = run(
        """
class Pile:
    def __init__(self): self.items = []
    def put(self, item: bool): self.items.append(item)

@unlike.objects(Pile, scope=3, where=predicate(raises_on_three))
def test_it(pile: Pile, x: Int(0, 9)): pass
"""
    )

    assert f"{ITEM} FAILED" in shown(result)
    assert WHY in shown(result)


def test_there_is_one_such_item_whatever_parametrize_marks_and_classes_do(run):
    body = """
class TestIt:
    @unlike.inputs(6, where=predicate(raises_on_three))
    @pytest.mark.parametrize("k", [1, 2])
    @pytest.mark.xfail
    def test_many(self, x: Int(0, 9), k): assert False

    @pytest.mark.skip
    @unlike.inputs(6, where=predicate(raises_on_three))
    def test_skipped(self, x: Int(0, 9)): pass
"""

    run(body).assert_outcomes(xfailed=6, failed=1, skipped=4)


def test_subtests_have_the_item_beside_them(run):
    body = RAISES.replace("raises_on_three)", "raises_on_three), subtests=True")

    result = run(body)

    assert f"{ITEM} FAILED" in shown(result)
    assert "1 failed" in shown(result)


def test_only_the_tests_that_are_chosen_have_the_item(run):
    body = RAISES + "def test_other(): pass\n"

    run(body, "-k", "other").assert_outcomes(passed=1, deselected=4)
    run(body, "test_it.py::test_it[1]").assert_outcomes(passed=1)
    run(body, "test_it.py::test_it").assert_outcomes(passed=3, failed=1)
    run(body, f"test_it.py::{ITEM}").assert_outcomes(failed=1)
    run(body, "-m", "unlike").assert_outcomes(passed=3, failed=1, deselected=1)
    listed = run(body, "--collect-only", "-q")
    assert f"<TooFewInputs {ITEM}>" in shown(listed)
    assert listed.ret == 0


def test_a_warning_or_nothing_but_a_line_if_so_set(run):
    body = RAISES + "def test_other(): pass\n"

    warned = run(body, "-o", "unlike_short=warn", "-W", "default")
    ignored = run(body, "-o", "unlike_short=ignore")
    not_chosen = run(body, "-o", "unlike_short=warn", "-k", "other")
    strict = run(body, "-o", "unlike_short=warn", "-W", "error")

    warned.assert_outcomes(passed=4, warnings=1)
    assert f"TooFewInputsWarning: unlike: test_it.py::test_it has 3 of 6 inputs: cut short: {WHY}" in shown(warned)
    ignored.assert_outcomes(passed=4)
    assert f"test_it.py::test_it: 3 of 6 inputs: cut short: {WHY}" in shown(ignored)
    not_chosen.assert_outcomes(passed=1, deselected=3)
    strict.assert_outcomes(passed=1, errors=3)
    assert WHY in shown(strict)


def test_another_word_is_refused_with_the_words_there_are(run):
    result = run(EVEN, "-o", "unlike_short=off")

    assert result.ret == pytest.ExitCode.USAGE_ERROR
    assert "unlike_short = 'off' must be error (a failing item), warn or ignore" in result.stderr.str()


def test_preparing_ends_with_3_where_inputs_are_too_few_and_names_the_test(run):
    first, again = run(RAISES, "--unlike-prepare"), run(RAISES, "--unlike-prepare")
    chosen = run(RAISES + "def test_other(): pass\n", "--unlike-prepare", "-k", "other")
    passing = run(RAISES, "--unlike-prepare", "-o", "unlike_short=ignore")

    for result in (first, again):
        assert result.ret == 3
        assert f"test_it.py::test_it: 3 of 6 inputs: cut short: {WHY}" in shown(result)
        assert "all is prepared" not in shown(result)
    assert chosen.ret == passing.ret == 0


def test_the_file_says_why_and_one_that_does_not_is_still_read(run, pytester):
    run(RAISES)
    file = pytester.path / "__unlike__" / "test_it.json"
    block = json.loads(file.read_text())["tests"]["test_it"]
    assert block["why"] == WHY
    file.write_text(file.read_text().replace(f', "why": "{WHY}"', ""))

    result = run(RAISES, "--unlike-frozen")

    result.assert_outcomes(passed=3, failed=1)
    assert "3 of 6 inputs: cut short, and the file does not say by what" in shown(result)


def test_a_saved_input_that_its_class_refuses_by_now_is_not_delivered(run, pytester):
    run(EVEN).assert_outcomes(passed=6)
    pytester.makepyfile(test_it=HEAD.replace("if n % 2", "if n") + EVEN)
    result = pytester.runpytest_inprocess(*QUIET, "--unlike-frozen")

    assert result.ret == 1
    assert "cannot be built" in shown(result) or "the spec changed" in shown(result)


HELD = """
import uuid
from typing import Annotated
from annotated_types import Ge, Le

@dataclasses.dataclass
class Badge:
    n: Annotated[int, Ge(0), Le(60)]
    id: uuid.UUID

@unlike.inputs(6, different=DIFFERENT)
def test_it(b: Badge): pass
"""


@pytest.mark.parametrize("different", ['distance("b.n", 7)', "python_difference(lambda a, b: a.b.n != b.b.n)"])
def test_saved_inputs_are_compared_again_also_where_no_term_speaks_of_a_field(run, pytester, different):
    test = HELD.replace("DIFFERENT", different)
    run(test).assert_outcomes(passed=6)
    run(test, "--unlike-frozen").assert_outcomes(passed=6)
    file = pytester.path / "__unlike__" / "test_it.json"
    saved = json.loads(file.read_text())
    one, two = (line["input"]["b"] for line in saved["tests"]["test_it"]["inputs"][:2])
    before = json.dumps(two)
    two[1]["steps"][-1][-1]["n"] = one[1]["steps"][-1][-1]["n"]
    two[2] = unlike.testing.sources.base.digest(two[1])
    file.write_text(file.read_text().replace(before, json.dumps(two)))

    result = run(test, "--unlike-frozen")

    assert result.ret == 1
    assert "it is like input" in shown(result)


def test_the_words_of_a_reason_are_one_line_of_bounded_length_and_the_same_everywhere():
    words = unlike.testing.prepare._plain_words("<Thing object at 0x7f00>\n  said " + "x" * 5_000)

    assert words.startswith("<Thing object> said xxx")
    assert len(words) <= 1_001


@pytest.mark.corpus
def test_with_several_processes_every_one_has_the_item_and_one_warns(project):
    project.write(test_it=HEAD + RAISES)

    failed = project.run("-n", "2", "-q")
    warned = project.run("-n", "2", "-q", "-o", "unlike_short=warn")
    command = project.command("prepare", ".")

    assert "1 failed, 3 passed" in failed.text
    assert WHY in failed.text
    assert "3 passed, 1 warning" in warned.text
    assert command.code == 3
    assert WHY in command.text
