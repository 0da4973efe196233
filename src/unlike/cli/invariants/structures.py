"""`unlike structures`: every structure that an invariant accepts, as a count, test files or recipes."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import click

from unlike.cli.invariants import class_of, settings, shared
from unlike.errors import ScopeError
from unlike.indexed import in_digits
from unlike.invariants.result import Structures
from unlike.invariants.structure import shortened
from unlike.invariants.verbs import ENGINES, structures
from unlike.saved import check_output, output_directory, recipe_to_data, write_output
from unlike.writers.json_file import suite_to_text
from unlike.writers.pytest_file import MOST_TESTS
from unlike.writers.structure_tests import structure_files, structure_source

FORMATS = ("text", "pytest", "json", "jsonl")
SHOWN = 10  # structures in the text


@click.command("structures")
@click.argument("target", metavar="MODULE:CLASS")
@shared
@click.option("--engine", type=click.Choice(ENGINES), default="auto", help="How to search (auto).")
@click.option("--all-labels", is_flag=True, help="Tell structures apart by which objects they are made of, too.")
@click.option("--count", is_flag=True, help="Print the number of structures and nothing else.")
@click.option("-n", "number", type=int, metavar="N", help="The first N structures.")
@click.option("--all", "every", is_flag=True, help="Write every structure, however many.")
@click.option("--list-fields", is_flag=True, help="Show what each field may hold, and search for nothing.")
@click.option("--explain", is_flag=True, help="Say what each field may hold, how much was looked at, what was noticed.")
@click.option("--format", "form", type=click.Choice(FORMATS), default=None, help="What to write (text).")
@click.option("-o", "output", metavar="DIR", help="Write test files and recipes into this directory.")
def command(target: str, output: str | None, form: str | None, **flags: Any) -> int:
    """Every structure that a class's own invariant accepts within a scope, each once."""
    check_output(output, directory=True)
    cls = class_of(target)
    said = settings(flags, target)
    if flags["list_fields"]:
        click.echo(_listing(cls, said))
        return 0
    if flags["number"] is not None and flags["every"]:
        raise ScopeError(f"-n {flags['number']} and --all contradict each other; give one of them")
    found = structures(
        cls,
        engine=flags["engine"],
        all_labels=flags["all_labels"],
        n=flags["number"],
        count_only=flags["count"],
        **said,
    )
    if flags["count"]:
        click.echo(found.count)
    else:
        _deliver(found, output, form, every=flags["every"] or flags["number"] is not None)
    if flags["explain"]:
        click.echo(found.explanation, err=flags["count"] or form not in (None, "text"))
    else:
        for note in found.notes:
            click.echo(f"note: {note}", err=True)
    click.echo(str(found.status), err=True)
    return found.status.exit_code


def _listing(cls: type, said: dict[str, Any]) -> str:
    from unlike.invariants.fields import fields_of
    from unlike.scope import scope_of

    bounds = scope_of(said["scope"], **{name: said[name] for name in ("objects", "literals", "elements")})
    return fields_of(cls, bounds, given=said["fields"]).listing()


def _deliver(found: Structures, output: str | None, form: str | None, *, every: bool) -> None:
    """Write files, or one of the formats to standard output."""
    if (output is not None or form not in (None, "text")) and found.count > MOST_TESTS and not every:
        raise ScopeError(
            f"{in_digits(found.count)} structures are more than anybody runs; use a smaller scope, "
            "ask for the first ones (-n), or for all of them (--all)"
        )
    if output is not None:
        for path in _write(found, Path(output), form):
            click.echo(f"wrote {path}", err=True)
    if output is not None or form in (None, "text"):
        click.echo(_summary(found, found.count if every else SHOWN))
    elif form == "pytest":
        click.echo(structure_source(found, range(found.count)), nl=False)
    elif form == "json":
        click.echo(suite_to_text(found.suite), nl=False)
    else:
        for case in found.suite:
            click.echo(json.dumps({"id": case.id, "label": case.label, "recipe": recipe_to_data(case.recipe)}))


def _write(found: Structures, directory: Path, form: str | None) -> Iterator[Path]:
    """Write test files and recipes, each whole or not at all."""
    files = [] if form in ("json", "jsonl") else structure_files(found, directory)
    output_directory(directory)
    for file in files:
        write_output(file.path, file.text)
        yield file.path
    if form in (None, "json"):
        path = directory / f"{found.cls.__name__}.json"
        write_output(path, suite_to_text(found.suite))
        yield path


def _summary(found: Structures, most: int) -> str:
    """Return the number of structures, and the first of them; all that were asked for."""
    suite = found.suite
    lines = [f"{in_digits(found.count)} structures of {found.cls.__name__} within {found.table.scope}"]
    lines += [f"  {shortened(suite[index].label)}" for index in range(min(most, found.count))]
    if found.count > most:
        lines.append(f"  … and {in_digits(found.count - most)} more; -n N shows the first ones, --all every one")
    return "\n".join(lines)
