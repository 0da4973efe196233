"""Inputs as rows: comma-separated values, and the source of a `pytest.mark.parametrize`."""

from __future__ import annotations

import csv
import io
import json
import keyword
from collections.abc import Iterator, Sequence

from unlike.suite import Case, Suite
from unlike.writers.envelope import Envelope, InputCases, Medium, Page
from unlike.writers.inputs import plain
from unlike.writers.python_source import source_of


def comma_separated(envelope: Envelope, medium: Medium) -> Iterator[Page]:
    """Yield the inputs as comma-separated values, a column for each field."""
    del medium
    assert isinstance(envelope.contents, InputCases)
    for suite in envelope.contents.suites:
        yield Page(f"{suite.name}.csv", [as_csv(suite)])


def as_csv(suite: Suite) -> str:
    """Return a suite as comma-separated values; what is no text or number is written as JSON."""
    rows = [_columns(plain(case.value)) for case in suite]
    names = list(dict.fromkeys(name for row in rows for name in row)) or ["value"]
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(names)
    for row in rows:
        writer.writerow([_cell(row[name]) if name in row else "" for name in names])
    return text.getvalue()


def _columns(value: object) -> dict[str, object]:
    return value if isinstance(value, dict) and value else {"value": value}


def _cell(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def parametrize(envelope: Envelope, medium: Medium) -> Iterator[Page]:
    """Yield the inputs as the decorator of a test, with the imports it needs."""
    del medium
    assert isinstance(envelope.contents, InputCases)
    suites = envelope.contents.suites
    yield Page(f"test_{suites[0].name}.py", [as_parametrize(suites)])


def as_parametrize(suites: Sequence[Suite]) -> str:
    """Return one test for each suite: dicts become one argument for each key, other inputs one argument."""
    imports = {"import pytest"}
    bodies = [_test_of(suite, imports) for suite in suites]
    plain_first = sorted(imports, key=lambda line: (line.startswith("from"), line))
    return "".join(f"{line}\n" for line in plain_first) + "".join(f"\n\n{body}" for body in bodies)


def _test_of(suite: Suite, imports: set[str]) -> str:
    cases = list(suite)
    names = _names_of(cases)
    name = "".join(char if char.isalnum() else "_" for char in suite.name).strip("_").lower() or "inputs"
    rows = []
    for case in cases:
        source = source_of(case.recipe)
        imports |= source.imports
        cells = [repr(case.value[each]) for each in names] if names else [source.result]
        rows.append(f"        ({', '.join(cells)}),\n" if len(names) > 1 else f"        {cells[0]},\n")
    arguments = names or [name if name.isidentifier() and not keyword.iskeyword(name) else "value"]
    said = ", ".join(f'"{each}"' for each in arguments)
    said = f"({said})" if len(arguments) > 1 else said
    listed = "".join(rows)
    return (
        f"@pytest.mark.parametrize(\n    {said},\n    [\n{listed}    ],\n)\n"
        f"def test_{name}({', '.join(arguments)}):\n    ...\n"
    )


def _names_of(cases: Sequence[Case]) -> list[str]:
    """Return the arguments that dicts of plain values become; none where inputs are something else."""
    values = [case.value for case in cases]
    if not values or not all(isinstance(value, dict) and value.keys() == values[0].keys() for value in values):
        return []
    names = list(values[0])
    usable = all(isinstance(name, str) and name.isidentifier() and not keyword.iskeyword(name) for name in names)
    simple = all(type(each) in (int, str, bool, type(None), float) for value in values for each in value.values())
    return names if usable and simple else []
