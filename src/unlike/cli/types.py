"""`unlike generate MODULE:TYPE`: a type becomes inputs, or data that break its rules."""

from __future__ import annotations

import dataclasses
import json
import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from pathlib import Path

import click

from unlike.errors import ScopeError, SpecError
from unlike.formats.json_schema.document import JsonSchema
from unlike.language.values import VALUES
from unlike.saved import write_output
from unlike.suite import Suite
from unlike.writers import inputs
from unlike.writers.json_texts import json_texts


def is_type(found: object) -> bool:
    """Tell whether what a target names is a type, an annotation, a value or a schema, rather than a spec."""
    if isinstance(found, (*VALUES, JsonSchema)):
        return True
    from unlike.types.read import is_annotation  # types are read only where there may be one

    return is_annotation(found)


def run_type(
    found: object,
    *,
    n: int | None = None,
    all_: bool = False,
    cover: str | None = None,
    invalid: bool = False,
    timeout: float | None = None,
    seed: int = 0,
    format_: str = "jsonl",
    output: Path | None = None,
    count: bool = False,
    explain: bool = False,
    as_text: bool = False,
    name: str | None = None,
    in_process: bool = False,
) -> int:
    """Write the inputs of a type, say on standard error what they guarantee, and return the exit code."""
    from unlike.typed.verbs import generate  # loaded only for types
    from unlike.typed.verbs import invalid as broken

    if not is_type(found):
        raise SpecError(f"{found!r} is not a type; name a class or an annotation")
    if invalid and cover is not None:
        raise ScopeError(f"--invalid and --cover {cover} contradict each other; an invalid input breaks one rule")
    with redirect_stdout(sys.stderr):  # what the user's code prints is no input
        suite = (
            broken(found, n, timeout=timeout, in_process=in_process)
            if invalid
            else generate(found, "all" if all_ else n, cover=cover, timeout=timeout, seed=seed, in_process=in_process)
        )
    suite = json_texts(suite, len(suite) if n or all_ else None) if as_text else suite
    suite = suite if name is None else dataclasses.replace(suite, name=name)
    return give(suite, format_=format_, output=output, count=count, explain=explain)


def give(suite: Suite, *, format_: str, output: Path | None, count: bool, explain: bool) -> int:
    """Write a suite or its size, say on standard error what it guarantees, and return the exit code."""
    if count:
        click.echo(len(suite))
    else:
        with redirect_stdout(sys.stderr):
            text = written(suite, format_)
        write(text, output)
        if explain and suite.explanation:
            click.echo(suite.explanation, err=True)
    said = [each for each in (suite.guarantee, str(suite.status)) if each]
    click.echo(f"{suite.name}: {'; '.join(said)}", err=True)
    return suite.status.exit_code


def written(suite: Suite, format_: str) -> str:
    """Return the suite as text: JSON lines carry each value with the label of its choices."""
    match format_:
        case "jsonl":
            return "".join(f"{row}\n" for row in _rows(suite))
        case "json":
            listed = ",\n    ".join(_rows(suite))
            head = {"status": suite.status.ending, "detail": suite.status.detail, "guarantee": suite.guarantee}
            said = json.dumps(head, ensure_ascii=False)[1:-1]
            return f'{{\n  {json.dumps(suite.name)}: {{{said}, "inputs": [\n    {listed}\n  ]}}\n}}\n'
        case "table":
            return inputs.as_table([suite], width=120)
        case "python":
            # the name of the class is taken by the class
            return inputs.as_python([dataclasses.replace(suite, name=f"{suite.name.lower()} inputs")])
    raise ScopeError(f"--format {format_!r}: there are json, jsonl, table and python")


def _rows(suite: Suite) -> Iterator[str]:
    for case in suite:
        yield inputs.one_line({"value": inputs.plain(case.value), "label": case.label})


def write(text: str, output: Path | None) -> None:
    """Print a text, or write it to a file, whole or not at all."""
    if output is None:
        click.echo(text, nl=False)
        return
    write_output(output, text)
