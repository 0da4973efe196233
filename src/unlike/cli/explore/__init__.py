"""`unlike explore`: every object a class can build, as counts, test files or recipes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import click

from unlike.cli.deliver import deliver
from unlike.cli.explore import selecting
from unlike.cli.explore.answer import answer_of, listing_of
from unlike.cli.explore.names import check_fields, check_names
from unlike.cli.explore.settings import FORMATS, VALUES, exceptions_of, settings_of, target_of, with_file
from unlike.cli.progress import progress_shown, quiet_option
from unlike.errors import ScopeError
from unlike.explore import Result, explore, scope_of
from unlike.explore.api import api_of
from unlike.explore.outcomes import MEGABYTES, PRECONDITIONS
from unlike.saved import check_output
from unlike.writers.answers.envelope import Envelope


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
@click.option("--memory", type=click.IntRange(1), default=MEGABYTES, metavar="MB", help="Most for a process (2000).")
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
@quiet_option
def command(targets: tuple[str, ...], **flags: Any) -> int:
    """Every object that the classes' own methods can build, and the errors met on the way."""
    found = [target_of(target) for target in dict.fromkeys(targets)]
    file = settings_of(flags["config"], targets)
    said, flags = flags, with_file(click.get_current_context(), flags, file)
    check_names(found, said, at_random=flags["at_random"])
    check_output(flags["output"], directory=True)
    settings = _settings(flags)
    if flags["list_api"]:
        return deliver(_listing(found, targets, settings), flags["form"] or "text")
    form = "count" if flags["count"] else flags["form"] or ""
    with progress_shown(settings["timeout"]):
        result = _explored(found, settings, flags)
        check_fields(found, said["omit_fields"], result)
        result, few = _few(result) if flags["fields"] else (result, "")
        selecting.select(result, flags)
        if form not in ("", "text", "count") or (flags["output"] is not None and form != "count"):
            _ = result.suite  # every sequence is tried again, and the status says what came of it
        answer = answer_of(
            result,
            targets,
            asked=file,
            few=few,
            explain=flags["explain"] and form != "count",
            looks=form in ("", "text", "json") or (flags["output"] is not None and form != "count"),
        )
    return deliver(answer, form, flags["output"], folder=True, every=flags["every"])


def _listing(found: list[Any], targets: Sequence[str], settings: dict[str, Any]) -> Envelope:
    """Return what would be called, and why the rest would not."""
    bounds = {name: settings[name] for name in ("objects", "literals", "elements", "calls")}
    leave_out = () if settings["invariant"] is None else (settings["invariant"],)
    scope = scope_of(settings["scope"], **bounds)
    return listing_of(api_of(found, scope, methods=settings["methods"], leave_out=leave_out, listed_only=True), targets)


def _few(result: Result) -> tuple[Result, str]:
    """Cut an exploration down to the fewest objects that show every field value, and say what they show."""
    from unlike.field_exhaustive.measuring.explored import few_explored

    few = few_explored(result)
    return few.result, few.summary()


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
