"""Answers as text for people, tests, lines of JSON and field bounds."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator

from unlike.saved import recipe_to_data
from unlike.suite import Case, Suite
from unlike.writers.answers.envelope import Contents, Envelope, InputCases, ObjectCases
from unlike.writers.answers.pages import Medium, Page
from unlike.writers.inputs import labelled_line, one_line, plain


def text(envelope: Envelope, medium: Medium) -> Iterator[Page]:
    """Yield the answer for people."""
    del medium
    assert envelope.text is not None
    yield Page("", (f"{line}\n" for line in envelope.text()))


def tests(envelope: Envelope, medium: Medium) -> Iterable[Page]:
    """Return the tests of objects."""
    assert isinstance(envelope.contents, ObjectCases)
    return envelope.contents.tests(medium)


def bounds(envelope: Envelope, medium: Medium) -> Iterator[Page]:
    """Yield what every field may hold."""
    del medium
    contents = envelope.contents
    assert isinstance(contents, ObjectCases)
    assert contents.bounds is not None
    yield Page(f"{contents.name}.bounds.json", [contents.bounds()])


def json_lines(envelope: Envelope, medium: Medium) -> Iterator[Page]:
    """Yield one case a line, made when it is written."""
    del medium
    contents = envelope.contents
    assert isinstance(contents, InputCases | ObjectCases)
    yield Page(f"{name_of(contents)}.jsonl", lines_of(contents))


def name_of(contents: InputCases | ObjectCases) -> str:
    """Return the name of a file for the cases, without its ending."""
    return contents.name if isinstance(contents, ObjectCases) else contents.suites[0].name


def lines_of(contents: Contents) -> Iterator[str]:
    """Yield the cases, one a line of JSON; with several suites each line says which one it belongs to."""
    match contents:
        case ObjectCases():
            for case in contents.suite:
                data = {"id": case.id, "label": case.label, "recipe": recipe_to_data(case.recipe)}
                yield json.dumps(data) + "\n"
        case InputCases(suites, labelled):
            for suite in suites:
                for case in suite:
                    yield _line(case, suite, labelled=labelled, alone=len(suites) == 1)


def _line(case: Case, suite: Suite, *, labelled: bool, alone: bool) -> str:
    if labelled:
        return labelled_line(case, None if alone else suite.name)
    value = plain(case.value)
    return one_line(value if alone else {"spec": suite.name, "input": value}) + "\n"
