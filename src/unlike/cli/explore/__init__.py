"""`unlike explore`: every object a class can build, as counts, test files or recipes."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import click

from unlike.cli.explore import selecting
from unlike.cli.explore.names import check_fields, check_names
from unlike.cli.explore.settings import FORMATS, VALUES, exceptions_of, settings_of, target_of, with_file
from unlike.core import USUAL
from unlike.errors import ScopeError
from unlike.explore import Outcome, Progress, Result, explore, scope_of
from unlike.explore.api import api_of
from unlike.explore.outcomes import PRECONDITIONS
from unlike.saved import check_output, output_directory, recipe_to_data, write_output
from unlike.suite import Ending
from unlike.writers.json_file import suite_to_text
from unlike.writers.pytest_file import error_source, files_of, object_tests

LOOKED_AT = 30_000  # objects within the states of a search that ran out of time: looking at more would take more of it
MOST_PRINTED = 20  # lines of what a failing call printed


@click.command("explore")
@click.argument("targets", nargs=-1, required=True, metavar="MODULE:CLASS…")
@click.option("--scope", type=int, help="Objects per class, ints below it, elements per container (3).")
@click.option("--objects", multiple=True, metavar="CLASS=N", help="Most objects of one class.")
@click.option("--elements", type=int, help="Most elements in a container.")
@click.option("--literals", multiple=True, metavar="TYPE=…", help="Values: int=0,1,2  int=0..9  str=a,b  put.key=…")
@click.option("--calls", type=int, help="Longest sequence of calls.")
@click.option("--methods", metavar="REGEX", help="Names of the methods to call; constructors are always called.")
@click.option("--omit-fields", metavar="REGEX", help="Fields that do not tell states apart: version, Cart.version.")
@click.option("--precondition", multiple=True, metavar="EXC", help="Exceptions that say a call was not allowed.")
@click.option("--invariant", metavar="NAME", help="Method that tells whether an object is sound.")
@click.option("--timeout", type=float, metavar="S", help="Seconds after which the search is cut short.")
@click.option("--workers", type=click.IntRange(0), metavar="N", help="Make the calls in N processes at once (1).")
@click.option("--in-process", is_flag=True, help="Make the calls in this process: for debuggers and the trusting.")
@click.option(
    "--memory", type=click.IntRange(1), default=USUAL.megabytes, metavar="MB", help="Most for a process (2000)."
)
@click.option("--no-state-matching", is_flag=True, help="Run every sequence of at most --calls calls.")
@click.option("--any-dict-order", is_flag=True, help="The order of dict items does not tell states apart.")
@click.option(
    "--values",
    type=click.Choice(VALUES),
    help="Leave integers open, or pass every one; auto: open where it pays (auto).",
)
@click.option("--builders", metavar="auto|FILE", help="Call only the few methods that build everything.")
@click.option("--random", "at_random", is_flag=True, help="Call at random, until --timeout or --attempts ends it.")
@click.option("--seed", type=int, default=0, help="For --random and --sample (0).")
@click.option("--attempts", type=int, help="Calls to try with --random.")
@selecting.options
@click.option("--fields", is_flag=True, help="Only the fewest objects that show every value of every field.")
@click.option("--list-api", is_flag=True, help="Show what would be called, and why the rest would not.")
@click.option("--count", is_flag=True, help="Print the number of objects and nothing else.")
@click.option("--explain", is_flag=True, help="Say what was called, what was outside the scope, what was noticed.")
@click.option("--all", "every", is_flag=True, help="Write every test, however many.")
@click.option("--config", metavar="FILE", help="TOML file with these settings; else [tool.unlike.explore].")
@click.option("--format", "form", type=click.Choice(FORMATS), default=None, help="What to write (text).")
@click.option("-o", "output", metavar="DIR", help="Write test files and recipes into this directory.")
def command(targets: tuple[str, ...], **flags: Any) -> int:
    """Every object that the classes' own methods can build, and the errors met on the way."""
    found = [target_of(target) for target in dict.fromkeys(targets)]
    said, flags = flags, with_file(click.get_current_context(), flags, settings_of(flags["config"], targets))
    check_names(found, said, at_random=flags["at_random"])
    check_output(flags["output"], directory=True)
    settings = _settings(flags)
    if flags["list_api"]:
        click.echo(_listing(found, settings))
        return 0
    with _progress() as on_progress:
        result = _explored(found, settings | {"on_progress": on_progress}, flags)
    check_fields(found, said["omit_fields"], result)
    if flags["fields"]:
        result = _few(result, quiet=flags["count"] or flags["form"] not in (None, "text"))
    if flags["count"]:
        click.echo(result.suite.count() if selecting.select(result, flags) else result.states)
        _report_status(result)
    else:
        listed = selecting.select(result, flags)
        _deliver(result, flags, listed=listed)
    if result.delivered.cut_short:
        return 3
    return 1 if result.errors else 0


def _listing(targets: list[Any], settings: dict[str, Any]) -> str:
    """Return what would be called, and why the rest would not."""
    bounds = {name: settings[name] for name in ("objects", "literals", "elements", "calls")}
    leave_out = () if settings["invariant"] is None else (settings["invariant"],)
    scope = scope_of(settings["scope"], **bounds)
    return api_of(targets, scope, methods=settings["methods"], leave_out=leave_out, listed_only=True).listing()


def field_values_text(result: Result) -> str:
    """Return how many field values there are; in the first objects only, where the time is used up."""
    few = ""
    if result.status.ending in (Ending.TIMEOUT, Ending.INTERRUPTED) and result.values == "concrete":
        number = result.first_with(LOOKED_AT)
        if number < result.states:
            result, few = result.only(range(number), ""), f" in the first {number:,} objects"
    extensions = result.extensions()
    return f"field values: {extensions.count():,} over {len(extensions.pairs)} fields{few}"


def _few(result: Result, *, quiet: bool) -> Result:
    """Cut an exploration down to the fewest objects that show every field value."""
    from unlike.field_exhaustive.measuring.explored import few_explored

    few = few_explored(result)
    if not quiet:
        click.echo(few.summary())
    return few.result


def _explored(targets: list[Any], settings: dict[str, Any], flags: dict[str, Any]) -> Result:
    """Explore exhaustively, or at random; with the whole API, or with builders."""
    if not flags["at_random"] and flags["builders"] is None:
        return explore(*targets, **settings)
    from unlike.building import AtRandom, explore_with  # most explorations need neither
    from unlike.cli.builders.saved import builders_for

    if flags["at_random"]:
        settings["search"] = AtRandom(flags["seed"], flags["attempts"])
    if flags["builders"] is None:
        return explore(*targets, **settings)
    return explore_with(builders_for(flags["builders"], targets, settings), *targets, **settings)


def _settings(flags: dict[str, Any]) -> dict[str, Any]:
    """Return the arguments of `explore`: what was said, or what is usual."""
    if flags["fields"] and flags["values"] == "symbolic":
        raise ScopeError("--fields looks at values, and --values symbolic leaves them open; leave out one of them")
    if flags["in_process"] and flags["workers"]:
        raise ScopeError(f"--in-process and --workers {flags['workers']} contradict each other; give one of them")
    as_they_are = ("objects", "literals", "elements", "calls", "methods", "omit_fields", "invariant", "timeout")
    return {
        **{name: flags[name] for name in as_they_are},
        "scope": 3 if flags["scope"] is None else flags["scope"],
        "values": "concrete" if flags["fields"] else flags["values"] or "auto",
        "preconditions": exceptions_of(flags["precondition"]) if flags["precondition"] else PRECONDITIONS,
        "dict_order": not flags["any_dict_order"],
        "state_matching": not flags["no_state_matching"],
        "workers": flags["workers"],
        "in_process": flags["in_process"],
        "megabytes": flags["memory"],
    }


def _deliver(result: Result, flags: dict[str, Any], *, listed: bool) -> None:
    output, form = flags["output"], flags["form"]
    if output is not None:
        for path in _write(result, Path(output), form, every=flags["every"]):
            click.echo(f"wrote {path}", err=True)
    if output is None and form == "pytest":
        selecting.check_size(result)
        cases = list(result.suite)
        tests = object_tests(result, cases, every=cases)
        click.echo(tests.text, nl=False)
        _report_skipped(tests.skipped)
        if result.errors:
            click.echo("\n\n" + error_source(result), nl=False)
    elif output is None and form == "json":
        selecting.check_size(result)
        click.echo(suite_to_text(result.suite), nl=False)
    elif output is None and form == "jsonl":
        for case in result.suite:
            line = {"id": case.id, "label": case.label, "recipe": recipe_to_data(case.recipe)}
            click.echo(json.dumps(line))
    else:
        click.echo(_summary(result))
        if listed:
            click.echo("\n".join(selecting.listing(result.suite)))
    if flags["explain"]:
        click.echo(result.explanation, err=form not in (None, "text"))
    _report_status(result)


def _write(result: Result, directory: Path, form: str | None, *, every: bool) -> Iterator[Path]:
    """Write test files and recipes, each whole or not at all."""
    files = [] if form in ("json", "jsonl") else files_of(result, directory, every=every)
    output_directory(directory)
    for file in files:
        write_output(file.path, file.text)
        yield file.path
        _report_skipped(file.skipped)
    if form in (None, "json"):
        selecting.check_size(result)
        path = directory / f"{result.api.classes[0].__name__}.json"
        write_output(path, suite_to_text(result.suite))
        yield path


def _summary(result: Result) -> str:
    lines = [f"{result.states:,} objects of {result.name} within {result.scope}"]
    lines += [f"  {count:,} objects of {name} found on the way" for name, count in result.others.items()]
    paths = sum(result.outcomes.values())
    along = f" along {paths:,} paths" if result.abstract else ""
    lines.append(f"{result.calls:,} calls{along}: " + ", ".join(_counted(result, outcome) for outcome in Outcome))
    lines.append("by size: " + ", ".join(f"{size}: {count:,}" for size, count in result.by_size.items()))
    lines.append(field_values_text(result))
    if result.counting:
        lines.append(result.counting)
    for title in result.unsteady:
        lines.append(f"not deterministic: {title} did something else when it was called again")
    for place, title in result.leaks.items():
        lines.append(f"state outside the objects: {title} changes {place}")
    lines += result.api.not_called("not called: ")
    for error in result.errors:
        again = "" if result.reproduces(error) else " (not seen again when the sequence was run once more)"
        lines.append(f"error: {error}{again}")
        lines.append(f"       {error.sequence}")
        lines += [f"       printed: {line}" for line in error.output.splitlines()[-MOST_PRINTED:]]
    return "\n".join(lines)


def _counted(result: Result, outcome: Outcome) -> str:
    return f"{result.outcomes[outcome]:,} {outcome.value}"


def _report_skipped(skipped: Sequence[str]) -> None:
    """Say which tests were written so that they are not run."""
    for line in skipped[:MOST_PRINTED]:
        click.echo(f"skipped: the test of {line}", err=True)
    if len(skipped) > MOST_PRINTED:
        click.echo(f"skipped: {len(skipped) - MOST_PRINTED} more tests", err=True)


def _report_status(result: Result) -> None:
    click.echo(str(result.delivered), err=True)


@contextmanager
def _progress() -> Iterator[Callable[[Progress], None] | None]:
    """Show states, frontier, calls per second and errors, on a terminal only."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console  # loaded only where it is seen

    terminal = Console(file=sys.__stderr__)
    with terminal.status("exploring") as status:
        at_once: dict[str, Any] = {"spinner": "dots"}  # how `rich` is told not to wait for its next frame

        def show(progress: Progress) -> None:
            speed = progress.calls / max(progress.seconds, 1e-9)
            status.update(
                f"{progress.states:,} states, frontier {progress.frontier:,}, {speed:,.0f} calls/s, "
                f"{progress.errors} errors",
                **at_once,
            )
            at_once.clear()

        yield show
