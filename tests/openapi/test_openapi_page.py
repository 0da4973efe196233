"""What the page shows runs, the examples give what it says, and the corpus command catches what is wrong."""

import json
import re
from pathlib import Path

import pytest
from bench import openapi_corpus

import unlike
from unlike.documents.openapi import schemas
from unlike.documents.openapi.api import read_api
from unlike.documents.openapi.schemas import Conversion

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "openapi.md").read_text()
LIBRARY = ROOT / "examples" / "specs" / "library.yaml"


def test_the_programs_on_the_page_run_one_after_the_other(monkeypatch):
    monkeypatch.chdir(ROOT)
    scope = {}

    programs = re.findall(r"```python\n(.*?)```", PAGE, re.S)
    for program in programs:
        exec(compile(program, "docs/openapi.md", "exec", dont_inherit=True), scope)

    assert len(programs) == 5


def test_the_page_shows_the_calendar_as_it_is():
    (shown,) = re.findall(r"```json\n(.*?)```", PAGE, re.S)

    assert shown == (ROOT / "examples" / "specs" / "calendar.json").read_text()
    assert json.loads(shown)


def test_the_line_on_the_page_is_the_first_that_comes_out():
    shown = json.loads(re.search(r'^    (\{"value": \{"body".*)$', PAGE, re.M)[1])

    first = unlike.generate(unlike.spec(LIBRARY)["addItem"], cover="pairs")[0]

    assert (first.value, first.label) == (shown["value"], shown["label"])


def test_a_blank_of_a_test_may_be_a_model(pytester):
    pytester.makepyfile(
        f"""
        import unlike

        library = unlike.spec({str(LIBRARY)!r})

        @unlike.inputs(4)
        def test_a_loan(loan: library["Loan"]):
            assert {{"member", "until"}} <= set(loan)
        """
    )

    pytester.runpytest("-q", "-p", "no:hypothesispytest").assert_outcomes(passed=4)


def test_named_patterns_are_blanks_of_a_test_and_their_inputs_are_saved_and_replayed(pytester):
    pytester.makepyfile(
        f"""
        import unlike

        calendar = unlike.spec({str(ROOT / "examples" / "specs" / "calendar.json")!r})

        @unlike.inputs(5)
        def test_a_suffix(suffix: calendar["timeSuff"], minutes: calendar["Meeting"].__annotations__["minutes"]):
            assert suffix == "" or suffix.startswith(" at ")
            assert minutes >= 0

        @unlike.inputs(6)
        def test_a_meeting(meeting: calendar["Meeting"]):
            assert {{"title", "place", "minutes"}} <= set(meeting)
        """
    )

    pytester.runpytest("-q", "-p", "no:hypothesispytest").assert_outcomes(passed=11)
    pytester.runpytest("-q", "-p", "no:hypothesispytest").assert_outcomes(passed=11)


def test_every_operation_and_model_of_the_example_gives_instances_that_two_validators_accept():
    tally = openapi_corpus.tally_of(read_api(LIBRARY), cover="pairs")

    assert tally.entries == 8
    assert tally.instances > 30
    assert not tally.wrong
    assert not tally.undecided
    assert not tally.empty


@pytest.mark.parametrize("mistake", ["readOnly", "exclusive"])
def test_a_mistake_in_reading_is_caught_by_the_validator_of_the_description(mistake, monkeypatch):
    if mistake == "readOnly":
        monkeypatch.setattr(Conversion, "_is_only_read", lambda self, at: False)
    else:
        monkeypatch.setattr(
            schemas,
            "_say_bounds",
            lambda found: [found.pop(word, 0) for word in list(found) if word.startswith("excl")],
        )

    tally = openapi_corpus.tally_of(read_api(LIBRARY))

    assert tally.wrong


def test_the_corpus_command_prints_figures_and_its_verdict(capsys):
    assert openapi_corpus.main([str(LIBRARY)]) == 0

    assert re.search(r"^8 operations and models, \d+ instances, 0 wrong, 0 undecided$", capsys.readouterr().out, re.M)
