"""The formats that an answer can be written in: the one table of them, and the writers of the plain ones.

To add one, write a function that gives pages (`Writer`), and add its row here.
"""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TypeAlias

from unlike.errors import RecipeError
from unlike.saved import recipe_to_data
from unlike.suite import Status, Suite
from unlike.writers.envelope import DataCases, Envelope, InputCases, Medium, Notice, ObjectCases, Page, Part
from unlike.writers.inputs import case_data, labelled_line, one_line, plain, python, table, value_line
from unlike.writers.requests import curl, http, httpx
from unlike.writers.rows import comma_separated, parametrize

Writer: TypeAlias = Callable[[Envelope, Medium], Iterable[Page]]
MARK, VERSION = "answer", 1
INPUTS = "unlike inputs"


@dataclass(frozen=True, slots=True)
class Format:
    """A row of the table."""

    name: str
    writes: frozenset[str]  # one of what an answer must hold (`held_by`), or anything
    pages: Writer
    in_folder: bool = False  # written when somebody names a folder and no format
    most: int | None = None  # objects
    too_many: str = ""
    unless_all: bool = False  # more are written if all of them are asked for
    takes_long: bool = False  # calls are made while it is written


def text(envelope: Envelope, medium: Medium) -> Iterator[Page]:
    """Yield the answer for people."""
    del medium
    assert envelope.text is not None
    yield Page("", (f"{line}\n" for line in envelope.text()))


def tests(envelope: Envelope, medium: Medium) -> Iterable[Page]:
    """Return the tests of objects, or of inputs with what code gave for them."""
    assert envelope.contents is not None
    assert envelope.contents.tests is not None
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
    match envelope.contents:
        case ObjectCases() as objects:
            yield Page(f"{objects.name}.jsonl", _object_lines(objects))
        case InputCases() as inputs:
            yield Page(f"{inputs.suites[0].name}.jsonl", _input_lines(inputs))


def _object_lines(contents: ObjectCases) -> Iterator[str]:
    for case in contents.suite:
        chosen = {"legal": case.legal, "why": case.why} if case.why or not case.legal else {}
        yield json.dumps({"id": case.id, "label": case.label, **chosen, "recipe": recipe_to_data(case.recipe)}) + "\n"


def _input_lines(contents: InputCases) -> Iterator[str]:
    """Yield the inputs; with several suites each line says which one it belongs to."""
    alone = len(contents.suites) == 1
    for suite in contents.suites:
        for case in suite:
            if contents.labelled:
                yield labelled_line(case, None if alone else suite.name)
            elif alone:
                yield value_line(case.value)
            else:
                yield one_line({"spec": suite.name, "input": plain(case.value)}) + "\n"


# -- the answer in JSON: one shape for every verb, which `unlike/answer.schema.json` describes ----------


def answer(envelope: Envelope, medium: Medium) -> Iterator[Page]:
    """Yield the answer; in a folder the saved objects alone, which `load` reads."""
    contents = envelope.contents
    if medium == "folder" and isinstance(contents, ObjectCases):
        yield Page(f"{contents.name}.json", (suite_text(each) for each in (contents.suite,)))
    else:
        name = contents.suites[0].name if isinstance(contents, InputCases) else envelope.verb
        yield Page(f"{name}.json", _pieces(envelope))


def document(envelope: Envelope, medium: Medium) -> Iterator[Page]:
    """Yield a document alone, as other commands read it."""
    del medium
    assert isinstance(envelope.contents, DataCases)
    yield Page(f"{envelope.verb}.json", [json.dumps(envelope.contents.saved, indent=2, ensure_ascii=False) + "\n"])


def _pieces(envelope: Envelope) -> Iterator[str]:
    head = {
        "unlike": MARK,
        "version": VERSION,
        "tool": envelope.tool,
        "verb": envelope.verb,
        "target": list(envelope.target),
        "question": envelope.question,
        "status": _status(envelope.status, envelope.words, envelope.exit_code),
        "guarantee": envelope.guarantee,
        "counts": envelope.counts,
    }
    yield "{\n" + "".join(f'  "{key}": {one_line(value)},\n' for key, value in head.items())
    explained = (Notice("explanation", line) for line in envelope.explanation.splitlines())
    yield f'  "findings": {_rows(map(_finding, (*envelope.findings, *explained)))},\n  "cases": '
    yield from _cases(envelope)
    yield f',\n  "parts": {_rows(map(_part, envelope.parts))}\n}}\n'


def _status(status: Status, words: str, exit_code: int) -> dict[str, object]:
    return {
        "ending": status.ending.value,
        "detail": status.detail,
        "words": words or str(status),
        "clash": list(status.clash),
        "exit_code": exit_code,
    }


def _finding(each: Notice) -> dict[str, object]:
    data: dict[str, object] = {"kind": each.kind, "place": each.place, "words": each.words}
    if each.recipe is not None:
        with contextlib.suppress(RecipeError):  # a value without a literal: the words have to do
            data["recipe"] = recipe_to_data(each.recipe)
    if each.times is not None:
        data["times"] = each.times
    return data


def _part(each: Part) -> dict[str, object]:
    status = _status(each.status, "", each.status.exit_code)
    return {"name": each.name, "status": status, "guarantee": each.guarantee, "count": each.count}


def _rows(rows: Iterator[dict[str, object]]) -> str:
    listed = ",\n    ".join(map(one_line, rows))
    return f"[\n    {listed}\n  ]" if listed else "[]"


def _cases(envelope: Envelope) -> Iterator[str]:
    """Yield the cases as they stand in the answer, or where they are."""
    if envelope.files is not None:
        yield one_line({"files": list(envelope.files)})
        return
    match envelope.contents:
        case InputCases(suites):
            parted = len(suites) > 1
            yield f'{{"format": "{INPUTS}", "inputs": ['
            before = "\n    "
            for suite in suites:
                for case in suite:
                    yield before + one_line(case_data(case, suite.name if parted else None))
                    before = ",\n    "
            yield "]}" if before == "\n    " else "\n  ]}"
        case ObjectCases() as objects:
            yield suite_text(objects.suite).rstrip("\n")
        case DataCases(body):
            yield json.dumps(body, indent=2, ensure_ascii=False).replace("\n", "\n  ")
        case None:
            yield "null"


def suite_text(suite: Suite) -> str:
    """Return objects as they are saved."""
    from unlike.writers.json_file import suite_to_text  # it knows the API of classes, which inputs do not need

    return suite_to_text(suite)


# -- the table -----------------------------------------------------------------------------------------

FORMATS = (
    Format("text", frozenset({"text"}), text),
    Format(
        "pytest",
        frozenset({"tests"}),
        tests,
        in_folder=True,
        most=5_000,
        too_many="than anybody runs",
        unless_all=True,
        takes_long=True,
    ),
    Format("json", frozenset({"anything"}), answer, in_folder=True, most=1_000_000, too_many="than a file holds"),
    Format("jsonl", frozenset({"inputs", "objects"}), json_lines),
    Format("table", frozenset({"inputs"}), table),
    Format("python", frozenset({"inputs"}), python),
    Format("csv", frozenset({"inputs"}), comma_separated),
    Format("parametrize", frozenset({"inputs"}), parametrize),
    Format("curl", frozenset({"requests"}), curl),
    Format("http", frozenset({"requests"}), http),
    Format("httpx", frozenset({"requests"}), httpx),
    Format("saved", frozenset({"saved"}), document),
    Format("bounds", frozenset({"bounds"}), bounds, in_folder=True),
)
BY_NAME = {each.name: each for each in FORMATS}


def formats_for(*held: str) -> tuple[str, ...]:
    """Return the names of the formats for answers that hold this: the choices of `--format`.

    >>> formats_for("text")
    ('text', 'json')
    """
    return tuple(each.name for each in FORMATS if each.writes & {*held, "anything"})


def held_by(envelope: Envelope) -> frozenset[str]:
    """Return what an answer holds that a format could write."""
    held = {"text"} if envelope.text is not None else set[str]()
    match envelope.contents:
        case InputCases() as inputs:
            held |= {"inputs", *["tests"] * (inputs.tests is not None), *["requests"] * inputs.requests}
        case ObjectCases(bounds=bounds):
            held |= {"objects", "tests"} if bounds is None else {"objects", "tests", "bounds"}
        case DataCases(saved=saved, tests=written):
            held |= {*["saved"] * (saved is not None), *["tests"] * (written is not None)}
    return frozenset(held)
