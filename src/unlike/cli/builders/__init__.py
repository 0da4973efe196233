"""`unlike builders`: the few methods of a class that build everything."""

from __future__ import annotations

import json
from typing import Any

import click

from unlike.building import MOST_CALLS, MOST_STEPS, SEARCHES, Genetic, builders
from unlike.building.result import Builders, text_of, to_data
from unlike.cli.explore.settings import exceptions_of, literals_of, objects_of, settings_of, target_of
from unlike.errors import ScopeError
from unlike.explore.outcomes import PRECONDITIONS
from unlike.saved import check_output, write_output

USUAL = Genetic()


@click.command("builders")
@click.argument("targets", nargs=-1, required=True, metavar="MODULE:CLASS…")
@click.option("--scope", type=int, help="Objects per class, ints below it, elements per container (3).")
@click.option("--search", type=click.Choice(SEARCHES), default="exact", help="How to choose (exact).")
@click.option("--seed", type=int, default=0, help="For the genetic search (0).")
@click.option("--objects", multiple=True, metavar="CLASS=N", help="Most objects of one class.")
@click.option("--elements", type=int, help="Most elements in a container.")
@click.option("--literals", multiple=True, metavar="TYPE=…", help="Values: int=0,1,2  int=0..9  str=a,b  put.key=…")
@click.option("--methods", metavar="REGEX", help="Names of the methods to choose among; constructors always are.")
@click.option("--omit-fields", metavar="REGEX", help="Fields that do not tell states apart: version, Cart.version.")
@click.option("--precondition", multiple=True, metavar="EXC", help="Exceptions that say a call was not allowed.")
@click.option("--invariant", metavar="NAME", help="Method that tells whether an object is sound.")
@click.option("--any-dict-order", is_flag=True, help="The order of dict items does not tell states apart.")
@click.option("--timeout", type=float, metavar="S", help="Seconds after which exploring the whole API is cut short.")
@click.option("--in-process", is_flag=True, help="Make the calls in this process: for debuggers and the trusting.")
@click.option("--budget", type=int, default=MOST_CALLS, help="Calls to explore the whole API with.")
@click.option("--steps", type=int, default=MOST_STEPS, help="Steps of the exact search.")
@click.option("--evolutions", type=int, default=USUAL.evolutions, help="numEvo of the genetic search.")
@click.option("--population", type=int, default=USUAL.population, help="popSize.")
@click.option("--crossover", type=float, default=USUAL.crossover, help="cRate.")
@click.option("--mutation", type=float, default=USUAL.mutation, help="mRate.")
@click.option("--methods-weight", type=float, default=USUAL.methods_weight, help="w1: fewer methods.")
@click.option("--parameters-weight", type=float, default=USUAL.parameters_weight, help="w2: simpler parameters.")
@click.option("--reference-weight", type=float, default=USUAL.reference_weight, help="w3: objects as parameters.")
@click.option("--islands", type=int, default=USUAL.islands, help="Populations that evolve apart.")
@click.option("--processes", type=int, default=USUAL.processes, help="Islands at a time.")
@click.option("--attempts", type=int, default=USUAL.attempts, help="Random calls to measure a set that is not known.")
@click.option("--config", metavar="FILE", help="TOML file with settings of explore; else [tool.unlike.explore].")
@click.option("--explain", is_flag=True, help="Give the evidence for every method.")
@click.option("--format", "form", type=click.Choice(("text", "json")), default=None, help="What to write (text).")
@click.option("-o", "output", metavar="FILE", help="Write to this file, as JSON unless --format says otherwise.")
def command(targets: tuple[str, ...], output: str | None, form: str | None, *, explain: bool, **flags: Any) -> int:
    """Find the few methods that build every object the whole class builds, within a scope."""
    check_output(output, directory=False)
    found = builders(
        *map(target_of, targets),
        search=flags["search"],
        seed=flags["seed"],
        budget=flags["budget"],
        steps=flags["steps"],
        genetic=Genetic(**{name: flags[name] for name in Genetic.__slots__}),
        **_settings(flags, targets),
    )
    if output is None:
        click.echo(_text(found, form or "text", explain=explain), nl=False)
    else:
        write_output(output, _text(found, form or "json", explain=explain))
        click.echo(f"wrote {output}", err=True)
    if output is not None or form == "json":  # text says it itself
        click.echo(found.certainty, err=True)
    return exit_code(found)


def exit_code(found: Builders) -> int:
    """Return 3 if the whole API could not be explored, 1 if there is something to look at, else 0."""
    if found.cut_short:
        return 3
    return 1 if found.errors or not found.proved or found.notes else 0


def _text(found: Builders, form: str, *, explain: bool) -> str:
    if form == "json":
        return json.dumps(to_data(found), indent=2, ensure_ascii=False) + "\n"
    return text_of(found, explain=explain) + "\n"


def _settings(flags: dict[str, Any], targets: tuple[str, ...]) -> dict[str, Any]:
    """Return the settings of `explore`: what the flags say, then what the file says."""
    file = settings_of(flags["config"], targets)
    preconditions = flags["precondition"] or file.get("precondition")
    if isinstance(preconditions, str):
        preconditions = [preconditions]
    said = {
        name: flags[name] if flags[name] is not None else file.get(name)
        for name in ("elements", "methods", "omit_fields", "invariant", "timeout")
    }
    scope = flags["scope"] if flags["scope"] is not None else file.get("scope", 3)
    if not isinstance(scope, int) or isinstance(scope, bool):
        raise ScopeError(f"scope={scope!r} must be a whole number")
    return {
        **said,
        "in_process": flags["in_process"],
        "scope": scope,
        "objects": {**file.get("objects", {}), **objects_of(flags["objects"])},
        "literals": {**file.get("literals", {}), **literals_of(flags["literals"])},
        "preconditions": exceptions_of(preconditions) if preconditions else PRECONDITIONS,
        "dict_order": not flags["any_dict_order"] and file.get("dict_order", True),
    }
