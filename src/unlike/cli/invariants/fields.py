"""`unlike fields`: every feasible value of every field, in a handful of structures; or what a suite shows of them."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import click

from unlike.cli.explore.settings import target_of
from unlike.cli.invariants import settings, shared
from unlike.cli.target import load_target
from unlike.errors import ScopeError, SpecError, TargetError
from unlike.field_exhaustive import ENGINES, NUMBERINGS, Result, field_coverage, fields
from unlike.language.spec import Spec
from unlike.saved import check_output, output_directory, recipe_to_data, write_output
from unlike.suite import Suite
from unlike.testing.fields import fields as few_inputs
from unlike.writers.json_file import load, suite_to_text
from unlike.writers.structure_tests import structure_files, structure_source

FORMATS = ("text", "pytest", "json", "jsonl", "bounds")
SHOWN = 10  # structures in the text


@click.command("fields")
@click.argument("target", metavar="MODULE:CLASS")
@shared
@click.option("--only", multiple=True, metavar="FIELD", help="Only this field counts: left, Node.left (all).")
@click.option("--smallest", is_flag=True, help="Go on until no smaller suite exists, or --questions are asked.")
@click.option("--questions", type=int, default=20_000, metavar="N", help="Of the solver, for --smallest (20000).")
@click.option("--numbering", type=click.Choice(NUMBERINGS), default=NUMBERINGS[0], help="Which object is the first.")
@click.option("--engine", type=click.Choice(ENGINES), default="auto", help="Clauses, or search (auto).")
@click.option("--of", "measured", metavar="SUITE", help="Measure a suite: a JSON file, or MODULE:NAME of objects.")
@click.option("--count", is_flag=True, help="Print the number of structures and nothing else.")
@click.option("--explain", is_flag=True, help="Say what each field may hold, and how the suite was found.")
@click.option("--format", "form", type=click.Choice(FORMATS), default=None, help="What to write (text).")
@click.option("-o", "output", metavar="DIR", help="Write test files, recipes and bounds into this directory.")
def command(target: str, output: str | None, form: str | None, **flags: Any) -> int:
    """Every feasible value of every field within a scope, in a handful of structures."""
    check_output(output, directory=True)
    found: Any = load_target(target)
    if isinstance(found, Spec):
        return _plain(found, flags)
    cls = target_of(target)
    if not isinstance(cls, type):
        raise TargetError(f"{target!r} is neither a class nor a spec")
    said = settings(flags, target) | {name: flags[name] for name in ("smallest", "questions", "numbering", "engine")}
    said["only"] = flags["only"]
    if flags["measured"] is not None:
        coverage = field_coverage(cls, _objects(flags["measured"], cls), **said)
        click.echo(coverage.summary())
        return coverage.exit_code
    result = fields(cls, **said)
    if flags["count"]:
        click.echo(len(result.structures))
    else:
        _deliver(result, output, form)
    if flags["explain"]:
        click.echo(result.explanation, err=flags["count"] or form not in (None, "text"))
    click.echo(str(result.status), err=True)
    return result.status.exit_code


def _objects(measured: str, cls: type) -> Iterable[object] | Suite:
    """Return the objects to measure: those of a saved suite, or of a list, a suite or a function that a module has."""
    if measured.endswith(".json"):
        module = __import__(cls.__module__, fromlist=["*"])
        beside = [each for each in vars(module).values() if isinstance(each, type)]
        return load(measured, cls, *(each for each in beside if each.__module__ == cls.__module__))
    found: Any = load_target(measured)
    if callable(found) and not isinstance(found, type):
        try:
            found = found()
        except Exception as error:
            raise TargetError(f"{measured!r} failed: {type(error).__name__}: {error}") from None
    if isinstance(found, Suite) or (isinstance(found, Iterable) and not isinstance(found, str | bytes)):
        return found
    raise TargetError(f"{measured!r} is no suite: give a JSON file, or MODULE:NAME of objects or of a function of them")


def _plain(spec: Spec, flags: dict[str, Any]) -> int:
    """Choose a few inputs of a plain spec that show every value of every blank and field."""
    if flags["measured"] is not None:
        raise SpecError("--of measures objects of a class with an invariant; a spec has none")
    few: Any = few_inputs(spec, only=flags["only"], timeout=flags["timeout"])
    if flags["count"]:
        click.echo(len(few.suite))
    else:
        click.echo(few.summary())
        for case in few.suite:
            click.echo(f"  {case.value!r}")
    click.echo(str(few.status), err=True)
    return int(few.status.exit_code)


def _deliver(result: Result, output: str | None, form: str | None) -> None:
    """Write files, or one of the formats to standard output."""
    if output is not None:
        for path in _write(result, Path(output), form):
            click.echo(f"wrote {path}", err=True)
    if output is not None or form in (None, "text"):
        click.echo(_summary(result))
    elif form == "pytest":
        click.echo(structure_source(result, range(result.count)), nl=False)
    elif form == "json":
        click.echo(suite_to_text(result.suite), nl=False)
    elif form == "bounds":
        click.echo(result.bounds_text(), nl=False)
    else:
        for case in result.suite:
            click.echo(json.dumps({"id": case.id, "label": case.label, "recipe": recipe_to_data(case.recipe)}))


def _write(result: Result, directory: Path, form: str | None) -> Iterator[Path]:
    """Write test files, recipes and field bounds, each whole or not at all."""
    if form not in (None, "pytest", "json", "bounds"):
        raise ScopeError(
            f"--format {form} is for standard output; with -o it is pytest, json or bounds, or none for all"
        )
    output_directory(directory)
    if form in (None, "pytest"):
        for file in structure_files(result, directory):
            path = file.path.with_name(file.path.name.replace("_structures", "_fields"))
            write_output(path, file.text)
            yield path
    texts = {"json": (f"{result.name}.json", suite_to_text(result.suite))}
    texts["bounds"] = (f"{result.name}.bounds.json", result.bounds_text())
    for kind, (name, text) in texts.items():
        if form in (None, kind):
            write_output(directory / name, text)
            yield directory / name


def _summary(result: Result) -> str:
    lines = [result.summary()]
    lines += [f"  {structure}" for structure in result.structures[:SHOWN]]
    if result.count > SHOWN:
        lines.append(f"  … and {result.count - SHOWN} more")
    return "\n".join(lines)
