"""`unlike generate`: a spec becomes inputs."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import click

from unlike.cli.deliver import deliver, heading
from unlike.cli.kinds import SOURCES, ByKind, refuse_others
from unlike.cli.progress import progress_shown, quiet_option
from unlike.cli.target import load_target
from unlike.engine.asking.encodings import ENCODINGS
from unlike.engine.generate import count as count_inputs
from unlike.engine.generate import generate
from unlike.errors import ScopeError, SpecError, nearest
from unlike.formats.annotations import VALUES
from unlike.language.spec import Spec
from unlike.suite import Suite
from unlike.writers.answers.envelope import Envelope, InputCases, Notice, Part, Remark, worst
from unlike.writers.answers.formats import formats_for

DEFAULT_N = 10


@click.command("generate", cls=ByKind)
@click.argument("target", metavar="[MODULE:SPEC|TYPE|FILE.iorek|FILE.json:NAME]", required=False)
@click.option("--regex", metavar="PATTERN", help="Strings of a pattern: one for each combination of its branches.")
@click.option("--schema", metavar="FILE", help="Instances of a JSON Schema; FILE#/$defs/NAME for a part of it.")
@click.option("--openapi", metavar="FILE", help="What a service description (OpenAPI 3.0, 3.1, Swagger 2) describes.")
@click.option("--operation", metavar="ID", help="The requests of this operation, or of 'POST /path'.")
@click.option("--model", metavar="NAME", help="The values of this model.")
@click.option("--media", metavar="TYPE", help="The media type of the body, where there are several.")
@click.option("--resolve", multiple=True, metavar="URL=FILE", help="The file that an address in a $ref means.")
@click.option("--as-text", is_flag=True, help="The inputs as JSON texts, in various styles.")
@click.option("-n", "number", type=int, help=f"How many inputs (the spec's own number, or {DEFAULT_N}).")
@click.option("--all", "all_", is_flag=True, help="All inputs there are.")
@click.option(
    "--cover", type=click.Choice(["each", "pairs", "all"]), help="How choices of a type or a pattern combine."
)
@click.option("--invalid", is_flag=True, help="Inputs that break one rule of a type or a pattern each.")
@click.option("--outline", metavar="NAME", help="Only the spec of this name, where the target holds several.")
@click.option("--with", "with_", metavar="MODULE", help="A Python module with primitives for a program.")
@click.option("--timeout", type=float, metavar="S", help="Cut short after so many seconds.")
@click.option("--seed", type=int, default=0, metavar="K", help="Other inputs for another seed; the same for the same.")
@click.option("--encoding", type=click.Choice(ENCODINGS), default="auto", help="How a solver is asked for n inputs.")
@click.option(
    "--solver", default="z3", metavar="z3|cvc5|COMMAND", help="Who is asked first; a command reads SMT-LIB 2."
)
@click.option("--effort", type=float, default=1, metavar="X", help="Times the usual budget of a question to a solver.")
@click.option(
    "--format",
    "format_",
    type=click.Choice(formats_for("inputs")),
    help="How inputs are written (json; jsonl for --regex, --schema and --openapi).",
)
@click.option("-o", "output", type=click.Path(dir_okay=False, path_type=Path), help="Write to a file.")
@click.option("--count", is_flag=True, help="Print only how many inputs there are.")
@click.option("--explain", is_flag=True, help="Say how the inputs are found: what is counted, what a solver is asked.")
@click.option("--in-process", is_flag=True, help="Call your code in this process: for debuggers and the trusting.")
@click.option("--flags", default="", metavar="LETTERS", help="Flags of the pattern: a, i, m, s, x.")
@click.option("--heuristic", default="default", metavar="NAME", help="Which differences count.")
@click.option("--check", is_flag=True, help="Derive every label again by an independent matcher.")
@quiet_option
def command(target: str | None, **options: Any) -> int:
    """Generate the inputs of a spec or a type, or the strings of a pattern: every one legal, every two different."""
    check_asked(options)
    given = {f"--{name}": options[name] for name in SOURCES if options[name] is not None}
    given |= {"": target} if target is not None else {}
    if len(given) > 1:
        both = " and ".join(f"{flag} {source}" if flag else repr(source) for flag, source in given.items())
        raise ScopeError(f"{both} contradict each other; give one of them")
    if options["regex"] is not None:
        refuse_others(options, ["pattern"], options["regex"])
        return give_strings(options["regex"], options)
    if options["schema"] is not None or options["openapi"] is not None:
        return _document(options)
    if target is None:
        raise ScopeError(
            "give a spec or type as MODULE:NAME, like examples.retail:items, a pattern with --regex, a JSON Schema "
            "with --schema, or a service description with --openapi"
        )
    options["format_"] = options["format_"] or "json"
    return _target(target, options)


def check_asked(options: Mapping[str, Any]) -> None:
    """Refuse what makes no sense for any kind of target."""
    number, output = options["number"], options["output"]
    if number is not None and options["all_"]:
        raise ScopeError(f"-n {number} and --all contradict each other; give one of them")
    if output is not None and not output.absolute().parent.is_dir():
        raise ScopeError(f"-o {str(output)!r}: there is no folder {str(output.absolute().parent)!r}")


def _target(target: str, options: dict[str, Any]) -> int:
    """Give the inputs of what a module or a file has under a name."""
    refuse_others(options, ["spec", "type", "schema"], target)
    with redirect_stdout(sys.stderr):  # what the user's code prints is no input
        found = _found(target, options)
    if not isinstance(found, Spec | Mapping | list | tuple):
        from unlike.cli.types import is_schema, is_type  # they know JSON Schema, too; a spec needs none of it

        if is_type(found):
            refuse_others(options, ["schema" if is_schema(found) else "type"], target)
            return _type(found, target, options)
    specs = _specs(found, target, options["outline"])
    refuse_others(options, ["spec"], target)
    if options["count"]:
        if options["encoding"] != "auto" or options["solver"] != "z3":
            raise ScopeError("--count counts, and asks no solver of your choice; leave out --encoding and --solver")
        return _count(specs, target, options["timeout"])
    return _generate(specs, target, options)


def _type(found: object, target: str, options: dict[str, Any]) -> int:
    """Give the inputs of a type; a value has no name but the one it was found by."""
    from unlike.cli.types import run_type

    kept = ("all_", "cover", "invalid", "timeout", "seed", "format_", "output", "count", "explain", "as_text")
    name = target.rpartition(":")[2] if isinstance(found, VALUES) else None
    asked = {each: options[each] for each in (*kept, "in_process")}
    return run_type(found, target=target, n=options["number"], name=name, **asked)


def _document(options: dict[str, Any]) -> int:
    """Give the instances of a JSON Schema, or of what a service description describes."""
    kept = ("all_", "cover", "invalid", "timeout", "seed", "format_", "output", "count", "explain", "as_text")
    asked = {"n": options["number"], **{name: options[name] for name in kept}}
    if options["openapi"] is not None:
        from unlike.cli.openapi import run_openapi

        refuse_others(options, ["service"], options["openapi"])
        which = {name: options[name] for name in ("operation", "model", "media", "resolve")}
        return run_openapi(options["openapi"], **which, **asked)
    from unlike.cli.schemas import schema_in
    from unlike.cli.types import run_type

    refuse_others(options, ["schema"], options["schema"])
    asked["format_"] = asked["format_"] or "jsonl"
    return run_type(schema_in(options["schema"], options["resolve"]), target=options["schema"], **asked)


def give_strings(pattern: str, options: Mapping[str, Any]) -> int:
    """Give the strings of a pattern."""
    from unlike.cli.regex import run_regex

    kept = ("flags", "heuristic", "all_", "count", "invalid", "check", "seed", "output")
    asked = {name: options[name] for name in kept}
    cover, form = options["cover"] or "all", options["format_"] or "jsonl"
    return run_regex(pattern, n=options["number"], cover=cover, format_=form, **asked)


def _found(target: str, options: dict[str, Any]) -> object:
    """Return what the target holds: specs of a Python module or of a program, or what a file defines."""
    with_ = options["with_"]
    if target.endswith(".iorek"):
        from unlike.cli.program import load_program

        return load_program(target, None if with_ is None else str(with_))
    if with_ is not None:
        raise ScopeError(f"--with {with_!r} gives primitives to a program; {target!r} is none (FILE.iorek)")
    if not options["resolve"]:
        return load_target(target)
    from unlike.cli.schemas import resolved

    return load_target(target, resolve=resolved(options["resolve"]))


def _generate(specs: list[Spec], target: str, options: dict[str, Any]) -> int:
    """Give the inputs of specs."""
    kept = ("timeout", "seed", "encoding", "solver", "effort", "in_process")
    how: dict[str, Any] = {name: options[name] for name in kept}
    suites = []
    with progress_shown(options["timeout"]), redirect_stdout(sys.stderr):
        for spec in specs:
            wanted = options["number"] if options["number"] is not None else spec.n or DEFAULT_N
            suites.append(generate(spec, "all" if options["all_"] else wanted, **how))
    answer = answer_of(suites, target, explain=options["explain"])
    return deliver(answer, options["format_"], options["output"])


def answer_of(suites: Sequence[Suite], target: str, *, explain: bool = False) -> Envelope:
    """Return the answer for specs that became suites."""
    plans = {suite.name: suite.explanation for suite in suites} if explain else {}
    remarks = []
    for suite in suites:
        if explain:
            remarks.append(
                Remark(f"plan of {suite.name}:\n  " + suite.explanation.replace("\n", "\n  "), is_status=True)
            )
        remarks.append(Remark(f"{suite.name}: {suite.guarantee}", is_status=True))
    several = len(suites) > 1
    return Envelope(
        **heading([target]),
        status=worst((suite.name, suite.status) for suite in suites),
        guarantee="; ".join(f"{each.name}: {each.guarantee}" if several else each.guarantee for each in suites),
        counts={"cases": sum(len(suite) for suite in suites)},
        findings=tuple(Notice("plan", line, name) for name, plan in plans.items() for line in plan.splitlines()),
        contents=InputCases(tuple(suites), labelled=False),
        parts=tuple(Part(each.name, each.status, each.guarantee, len(each)) for each in suites) if several else (),
        remarks=tuple(remarks),
    )


def _count(specs: list[Spec], target: str, timeout: float | None) -> int:
    parts = []
    for spec in specs:
        with progress_shown(timeout), redirect_stdout(sys.stderr):
            number, status = count_inputs(spec, timeout=timeout)
        parts.append(Part(spec.name, status, "", number))
    answer = Envelope(
        **heading([target]),
        status=worst((part.name, part.status) for part in parts),
        parts=tuple(parts) if len(parts) > 1 else (),
        number=sum(part.count for part in parts),
        remarks=tuple(Remark(f"{each.name}: {each.status}", is_status=True) for each in parts if each.status.cut_short),
    )
    return deliver(answer, "count")


def _specs(found: object, target: str, outline: object) -> list[Spec]:
    match found:
        case Spec():
            specs = [found]
        case Mapping():
            specs = [_renamed(each, str(name), target) for name, each in found.items()]
        case list() | tuple():
            specs = [_renamed(each, None, target) for each in found]
        case _:
            raise SpecError(f"{target} is {type(found).__name__}, not a Spec (nor a list or dict of them)")
    names = [spec.name for spec in specs]
    if not specs:
        raise SpecError(f"{target} holds no Spec; give it at least one")
    for name in names:
        if names.count(name) > 1:
            raise SpecError(f"{target} holds {names.count(name)} specs called {name!r}; name them: Spec(…, name='…')")
    if outline is None:
        return specs
    chosen = [spec for spec in specs if spec.name == outline]
    if not chosen:
        raise SpecError(f"--outline {outline!r}: {nearest(str(outline), names)}")
    return chosen


def _renamed(spec: object, name: str | None, target: str) -> Spec:
    if not isinstance(spec, Spec):
        raise SpecError(f"{target} holds {spec!r}, which is not a Spec")
    return spec if name is None else spec.named(name)
