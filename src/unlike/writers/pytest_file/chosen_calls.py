"""Tests of calls that were chosen by code: what each returns or raises, and what is seen of its object afterwards.

Nobody has judged what is asserted: it is what the code does.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterator

from unlike.classes.result import Result
from unlike.isolation import Answer
from unlike.suite import Case
from unlike.writers.envelope import Medium, Page
from unlike.writers.observations import AnswerLook
from unlike.writers.pytest_file.drafts import Draft, TestModule, building, confirm, docs, snake, test_name
from unlike.writers.pytest_file.objects import last_line, look_at_answers
from unlike.writers.pytest_file.results import raised_name
from unlike.writers.python_source import assertion, source_of

JUDGE = "Each test is what the code does, not what it should do: nobody has judged it yet."


def call_pages(result: Result, medium: Medium) -> Iterator[Page]:
    """Yield one page with a test for each chosen call, run before it is written."""
    del medium
    cases = list(result.suite)
    look = look_at_answers(result)
    drafts = []
    verdicts = result.each_in_copies(lambda at: _draft(cases[at], at, look), len(cases))
    for number, (case, verdict) in enumerate(zip(cases, verdicts, strict=True)):
        if isinstance(verdict, Answer):
            drafts.append(verdict.result)
        else:
            lost = Draft(_name(case, number), _docs(case), [], [])
            lost.skip(f"the call did not let its process live: {verdict}")
            drafts.append(lost)
    confirm(drafts, result.each_in_copies, alone=bool(result.leaks))
    sheet = TestModule({line for each in drafts for line in each.imports}, [each.text for each in drafts])
    title = "\n\n".join(
        "\n".join(textwrap.wrap(each, 117)) for each in (f"{result.name}: {result.suite.guarantee}.", JUDGE)
    )
    skipped = tuple(f"{case.label}: {each.skipped}" for case, each in zip(cases, drafts, strict=True) if each.skipped)
    yield Page(f"test_{snake(result.api.classes[0].__name__)}.py", [sheet.text(title)], skipped)


def _name(case: Case, number: int) -> str:
    return test_name(case.id.rpartition("-")[0], number)


def _docs(case: Case) -> list[str]:
    return docs(f"{case.label}\n{case.why[:1].upper()}{case.why[1:]}")


def _draft(case: Case, number: int, look: AnswerLook) -> Draft:
    """Return the test of one call."""
    source = source_of(case.recipe, in_place=False)
    draft = Draft(_name(case, number), _docs(case), [], [], imports=set(source.imports))
    try:
        thing = case.value
    except BaseException as error:  # the code under test may raise anything
        *before, last = source.lines or [source.result]
        name = raised_name(type(error))
        if name.module != "builtins":
            draft.imports.add(f"from {name.module} import {name.qualname.partition('.')[0]}")
        draft.imports.add("import pytest")
        draft.building = draft.bare = before
        draft.parts = [[f"with pytest.raises({name.qualname}):", f"    {last}"]]
        return draft
    draft.bare = building(source)
    draft.building = building(source, last_line(case, source))
    draft.parts = [[assertion(each, value)] for each, value in look.of_object(thing, "x")]
    return draft
