"""`unlike generate`: a spec becomes inputs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, redirect_stdout
from pathlib import Path
from typing import Any

import click

from unlike.cli import types
from unlike.cli.target import load_target
from unlike.engine.asking.encodings import ENCODINGS, Encoding
from unlike.engine.generate import count as count_inputs
from unlike.engine.generate import generate
from unlike.errors import ScopeError, SpecError, nearest
from unlike.language.spec import Spec
from unlike.language.values import VALUES
from unlike.saved import write_output
from unlike.suite import Status, Suite
from unlike.writers import inputs

DEFAULT_N = 10
OF_DOCUMENTS = ("operation", "model", "media", "resolve", "as_text")
OF_SPECS = ("outline", "with_", "encoding", "solver", "effort")
OF_REGEX = ("flags", "heuristic", "check")
WRITERS = {
    "json": inputs.as_json,
    "jsonl": inputs.as_json_lines,
    "python": inputs.as_python,
}


@click.command("generate")
@click.argument("target", metavar="[MODULE:SPEC|TYPE|FILE.iorek|FILE.json:NAME]", required=False)
@click.option("--regex", metavar="PATTERN", help="Strings of a pattern: one for each combination of its branches.")
@click.option("--schema", metavar="FILE", help="Instances of a JSON Schema; FILE#/$defs/NAME for a part of it.")
@click.option("--openapi", metavar="FILE", help="What a service description (OpenAPI 3.0, 3.1, Swagger 2) describes.")
@click.option("--operation", metavar="ID", help="The requests of this operation, or of 'POST /path' (--openapi).")
@click.option("--model", metavar="NAME", help="The values of this model (--openapi).")
@click.option("--media", metavar="TYPE", help="The media type of the body, where there are several (--operation).")
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
    type=click.Choice(["json", "jsonl", "table", "python"]),
    help="How inputs are written (json; jsonl for --regex, --schema and --openapi).",
)
@click.option("-o", "output", type=click.Path(dir_okay=False, path_type=Path), help="Write to a file.")
@click.option("--count", is_flag=True, help="Print only how many inputs there are.")
@click.option("--explain", is_flag=True, help="Say how the inputs are found: what is counted, what a solver is asked.")
@click.option("--in-process", is_flag=True, help="Call your code in this process: for debuggers and the trusting.")
@click.option("--flags", default="", metavar="LETTERS", help="Flags of the pattern: a, i, m, s, x (--regex).")
@click.option("--heuristic", default="default", metavar="NAME", help="Which differences count (--regex).")
@click.option("--check", is_flag=True, help="Derive every label again by an independent matcher (--regex).")
def command(target: str | None, **options: Any) -> int:
    """Generate the inputs of a spec or a type, or the strings of a pattern: every one legal, every two different."""
    number, all_, output = options["number"], options["all_"], options["output"]
    if number is not None and all_:
        raise ScopeError(f"-n {number} and --all contradict each other; give one of them")
    if output is not None and not output.absolute().parent.is_dir():
        raise ScopeError(f"-o {str(output)!r}: there is no folder {str(output.absolute().parent)!r}")
    if options["regex"] is not None:
        _refuse(options, ("schema", "openapi", *OF_DOCUMENTS), "documents, not with --regex")
        return _regex(target, options)
    _refuse(options, OF_REGEX, "--regex")
    if options["schema"] is not None or options["openapi"] is not None:
        return _document(target, options)
    _refuse(options, ("operation", "model", "media"), "--openapi")
    options["format_"] = options["format_"] or "json"
    if target is None:
        raise ScopeError(
            "give a spec or type as MODULE:NAME, like examples.retail:items, a pattern with --regex, a JSON Schema "
            "with --schema, or a service description with --openapi"
        )
    with redirect_stdout(sys.stderr):  # what the user's code prints is no input
        found = _found(target, options)
    if types.is_type(found):
        return _type(found, target, options)
    _refuse(options, ("cover", "invalid"), "types and --regex")
    _refuse(options, ("as_text", "resolve"), "types and documents")
    specs = _specs(found, target, options["outline"])
    if options["count"]:
        if options["encoding"] != "auto" or options["solver"] != "z3":
            raise ScopeError("--count counts, and asks no solver of your choice; leave out --encoding and --solver")
        return _count(specs, options["timeout"])
    kept = ("timeout", "seed", "format_", "explain", "encoding", "solver", "effort", "in_process")
    return _generate(specs, "all" if all_ else number, output=output, **{name: options[name] for name in kept})


def _type(found: object, target: str, options: dict[str, Any]) -> int:
    """Give the inputs of a type; a value has no name but the one it was found by."""
    _refuse(options, OF_SPECS, "specs")
    kept = ("all_", "cover", "invalid", "timeout", "seed", "format_", "output", "count", "explain", "as_text")
    name = target.rpartition(":")[2] if isinstance(found, VALUES) else None
    asked = {each: options[each] for each in (*kept, "in_process")}
    return types.run_type(found, n=options["number"], name=name, **asked)


def _document(target: str | None, options: dict[str, Any]) -> int:
    """Give the instances of a JSON Schema, or of what a service description describes."""
    given = [f"--{name} {options[name]}" for name in ("schema", "openapi") if options[name] is not None]
    if target is not None or len(given) > 1:
        both = " and ".join([*given, *([repr(target)] if target is not None else [])])
        raise ScopeError(f"{both} contradict each other; give one of them")
    _refuse(options, OF_SPECS, "specs")
    _refuse(options, ("in_process",), "specs and types; a document runs no code")
    kept = ("all_", "cover", "invalid", "timeout", "seed", "format_", "output", "count", "explain", "as_text")
    asked = {"n": options["number"], **{name: options[name] for name in kept}}
    if options["openapi"] is not None:
        from unlike.cli.openapi import run_openapi

        which = {name: options[name] for name in ("operation", "model", "media", "resolve")}
        return run_openapi(options["openapi"], **which, **asked)
    from unlike.cli.schemas import schema_in
    from unlike.cli.types import run_type

    _refuse(options, ("operation", "model", "media"), "--openapi")
    asked["format_"] = asked["format_"] or "jsonl"
    return run_type(schema_in(options["schema"], options["resolve"]), **asked)


def _regex(target: str | None, options: dict[str, Any]) -> int:
    """Give the strings of a pattern."""
    from unlike.cli.regex import run_regex

    if target is not None:
        raise ScopeError(f"{target!r} and --regex contradict each other; give one of them")
    _refuse(options, OF_SPECS, "specs")
    _refuse(options, ("explain", "in_process"), "specs and types")
    _refuse(options, ("timeout",), "specs, types and documents; a pattern is bounded by -n")
    return run_regex(
        options["regex"],
        flags=options["flags"],
        cover=options["cover"] or "all",
        heuristic=options["heuristic"],
        n=options["number"],
        all_=options["all_"],
        count=options["count"],
        invalid=options["invalid"],
        check=options["check"],
        seed=options["seed"],
        format_=options["format_"] or "jsonl",
        output=options["output"],
    )


def _refuse(options: dict[str, Any], names: tuple[str, ...], belongs_to: str) -> None:
    """Refuse options that were given, whatever their value, where they would not be looked at."""
    context = click.get_current_context()
    for name in names:
        if context.get_parameter_source(name) is click.core.ParameterSource.COMMANDLINE:
            flag = f"--{name.strip('_').replace('_', '-')}"
            said = flag if options[name] is True else f"{flag} {options[name]}"
            raise ScopeError(f"{said} goes with {belongs_to}")


def _found(target: str, options: dict[str, Any]) -> object:
    """Return what the target holds: specs of a Python module or of a program, or what a file defines."""
    with_ = options["with_"]
    if target.endswith(".iorek"):
        from unlike.cli.program import load_program

        return load_program(target, None if with_ is None else str(with_))
    if with_ is not None:
        raise ScopeError(f"--with {with_!r} gives primitives to a program; {target!r} is none (FILE.iorek)")
    from unlike.cli.schemas import resolved

    return load_target(target, resolve=resolved(options["resolve"]))


def _generate(
    specs: list[Spec],
    wanted: int | str | None,
    *,
    timeout: float | None,
    seed: int,
    format_: str,
    output: Path | None,
    explain: bool,
    encoding: Encoding,
    solver: str,
    effort: float,
    in_process: bool,
) -> int:
    suites = []
    with _progress() as progress, redirect_stdout(sys.stderr):
        for spec in specs:
            n = wanted if wanted is not None else spec.n or DEFAULT_N
            how: dict[str, Any] = {"timeout": timeout, "seed": seed, "encoding": encoding, "solver": solver}
            how |= {"effort": effort, "in_process": in_process}
            suites.append(generate(spec, n, progress=progress, **how))  # type: ignore[arg-type]
    _write(suites, format_, output)
    for suite in suites:
        if explain:
            click.echo(f"plan of {suite.name}:\n  " + suite.explanation.replace("\n", "\n  "), err=True)
        click.echo(f"{suite.name}: {suite.guarantee}", err=True)
    return _exit_code([suite.status for suite in suites])


def _write(suites: list[Suite], format_: str, output: Path | None) -> None:
    colored = output is None and sys.stdout.isatty()
    with redirect_stdout(sys.stderr):
        if format_ == "table":
            text = inputs.as_table(suites, width=None if colored else 120, color=colored)
        else:
            text = WRITERS[format_](suites)
    if output is None:
        click.echo(text, nl=False)
    else:
        write_output(output, text)


def _count(specs: list[Spec], timeout: object) -> int:
    statuses = []
    for spec in specs:
        with redirect_stdout(sys.stderr):
            number, status = count_inputs(spec, timeout=timeout)  # type: ignore[arg-type]
        sys.set_int_max_str_digits(0)  # a count may be of any size
        click.echo(number if len(specs) == 1 else f"{spec.name} {number}")
        if status.cut_short:
            click.echo(f"{spec.name}: {status}", err=True)
        statuses.append(status)
    return _exit_code(statuses)


def _exit_code(statuses: list[Status]) -> int:
    return max((status.exit_code for status in statuses), default=0)


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


@contextmanager
def _progress() -> Iterator[Callable[[int], None] | None]:
    """Show how many inputs were found so far, on a terminal only."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True).status("generating …") as status:
        yield lambda found: status.update(f"generating … {found} inputs") if not found % 50 else None
