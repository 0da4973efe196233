"""`unlike builders`: the few methods of a class that build everything."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import click

from unlike.building import MOST_CALLS, MOST_STEPS, SEARCHES, Genetic, builders
from unlike.building.result import Builders, text_of, to_data
from unlike.cli.deliver import deliver, heading
from unlike.cli.explore.settings import exceptions_of, literals_of, objects_of, settings_of, target_of
from unlike.cli.progress import progress_shown, quiet_option
from unlike.errors import ScopeError
from unlike.explore.outcomes import PRECONDITIONS
from unlike.saved import check_output
from unlike.suite import Ending, Status
from unlike.writers.answers.envelope import DataCases, Envelope, Notice, Remark
from unlike.writers.answers.formats import formats_for

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
@click.option("--format", "form", type=click.Choice(formats_for("text")), default=None, help="What to write (text).")
@click.option("-o", "output", metavar="FILE", help="Write to this file, as JSON unless --format says otherwise.")
@quiet_option
def command(targets: tuple[str, ...], output: str | None, form: str | None, *, explain: bool, **flags: Any) -> int:
    """Find the few methods that build every object the whole class builds, within a scope."""
    check_output(output, directory=False)
    said = _settings(flags, targets)
    with progress_shown(said["timeout"]):
        found = builders(
            *map(target_of, targets),
            search=flags["search"],
            seed=flags["seed"],
            budget=flags["budget"],
            steps=flags["steps"],
            genetic=Genetic(**{name: flags[name] for name in Genetic.__slots__}),
            **said,
        )
    usual = "text" if output is None else "saved"
    return deliver(
        answer_of(found, targets, explain=explain, aloud=output is not None or form == "json"), form or usual, output
    )


def answer_of(found: Builders, targets: Iterable[str], *, explain: bool = False, aloud: bool = False) -> Envelope:
    """Return the answer: what was chosen, what not and why, and how sure that is; `aloud` also on standard error."""
    data = to_data(found)
    return Envelope(
        **heading(targets),
        status=_status(found),
        guarantee=found.certainty,
        words=found.certainty,
        counts={
            "builders": len(found.builders),
            "states": data["states"],
            "field_values": data["field_values"],
            "calls": found.calls,
        },
        findings=tuple(_findings(found)),
        contents=DataCases(
            {"format": data["kind"], **{key: each for key, each in data.items() if key != "kind"}}, data
        ),
        text=lambda: iter([text_of(found, explain=explain)]),
        remarks=(Remark(found.certainty, is_status=True),) if aloud else (),  # text says it itself
    )


def _status(found: Builders) -> Status:
    if found.cut_short:
        return Status(Ending.UNKNOWN, found.reason)
    return Status(Ending.COMPLETE if found.proved else Ending.FOUND, found.certainty)


def _findings(found: Builders) -> Iterator[Notice]:
    if not found.proved:
        yield Notice("doubt", found.reason)
    yield from (Notice("doubt", note) for note in found.notes)
    yield from (Notice("error", error) for error in found.errors)
    yield from (Notice("observer", each.evidence, each.name) for each in found.observers)
    yield from (Notice("not kept", f"{each.words}; {each.evidence}", each.name) for each in found.replaced)
    yield from (Notice("never returned", each.reason, each.name) for each in found.failing)
    yield from (Notice("not called", each) for each in found.refused)


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
