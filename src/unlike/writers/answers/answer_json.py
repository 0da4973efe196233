"""The answer in JSON: one shape for every verb, which `unlike/answer.schema.json` describes."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Iterator, Mapping

from unlike.errors import RecipeError
from unlike.saved import recipe_to_data
from unlike.suite import Status, Suite
from unlike.writers.answers.envelope import DataCases, Envelope, InputCases, Notice, ObjectCases, Part
from unlike.writers.answers.pages import Medium, Page
from unlike.writers.inputs import labelled, one_line

MARK, VERSION = "answer", 1
INPUTS = "unlike inputs"


def answer(envelope: Envelope, medium: Medium) -> Iterator[Page]:
    """Yield the answer; in a folder the saved objects alone, which `load` reads."""
    contents = envelope.contents
    if medium == "folder" and isinstance(contents, ObjectCases):
        yield Page(f"{contents.name}.json", (suite_text(each) for each in (contents.suite,)))
    else:
        name = contents.suites[0].name if isinstance(contents, InputCases) else envelope.verb
        yield Page(f"{name}.json", _pieces(envelope))


def saved(envelope: Envelope, medium: Medium) -> Iterator[Page]:
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
    yield f'  "findings": {_rows(map(_finding, envelope.findings))},\n  "cases": '
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
                    yield before + one_line(labelled(case, suite.name if parted else None))
                    before = ",\n    "
            yield "]}" if before == "\n    " else "\n  ]}"
        case ObjectCases() as objects:
            yield suite_text(objects.suite).rstrip("\n")
        case DataCases(body):
            yield _document(body)
        case None:
            yield "null"


def suite_text(suite: Suite) -> str:
    """Return objects as they are saved."""
    from unlike.writers.json_file import suite_to_text  # it knows the API of classes, which inputs do not need

    return suite_to_text(suite)


def _document(body: Mapping[str, object]) -> str:
    return json.dumps(body, indent=2, ensure_ascii=False).replace("\n", "\n  ")
