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
from unlike.cli.options import Flags
from unlike.cli.progress import progress_shown, quiet_option
from unlike.cli.target import load_target, names_document
from unlike.cli.types import InputQuestion
from unlike.core import Deadline, Isolation, Output, TimeLimit
from unlike.errors import ScopeError, SpecError, nearest
from unlike.isolation import within_memory
from unlike.language.spec import Spec
from unlike.language.values import VALUES
from unlike.specs.asking.encodings import ENCODINGS
from unlike.specs.generate import count as count_inputs
from unlike.specs.generate import generate
from unlike.suite import Suite
from unlike.writers.answers.envelope import Envelope, InputCases, Notice, Part, Remark, worst
from unlike.writers.answers.formats import formats_for

DEFAULT_N = 10

FLAGS = Flags(
    (Output, TimeLimit, Isolation),
    without=("workers",),
    change={
        "n": {"help": f"How many inputs (the spec's own number, or {DEFAULT_N})."},
        "every": {"help": "All inputs there are."},
        "form": {
            "kind": formats_for("inputs"),
            "help": "How inputs are written (json; jsonl for --regex, --schema and --openapi).",
        },
        "count": {"help": "Print only how many: all of a spec or a pattern, else what this would print."},
        "explain": {"help": "Say how the inputs are found: what is counted, what a solver is asked."},
        "seed": {"help": "Other inputs for another seed; the same for the same."},
    },
    reads=False,
)


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
@click.option(
    "--cover", type=click.Choice(["each", "pairs", "all"]), help="How choices of a type or a pattern combine."
)
@click.option("--invalid", is_flag=True, help="Inputs that break one rule of a type or a pattern each.")
@click.option("--outline", metavar="NAME", help="Only the spec of this name, where the target holds several.")
@click.option("--with", "with_", metavar="MODULE", help="A Python module with primitives for a program.")
@click.option("--encoding", type=click.Choice(ENCODINGS), default="auto", help="How a solver is asked for n inputs.")
@click.option(
    "--solver", default="z3", metavar="z3|cvc5|COMMAND", help="Who is asked first; a command reads SMT-LIB 2."
)
@click.option("--effort", type=float, default=1, metavar="X", help="Multiply what a question to a solver may cost.")
@click.option("--flags", default="", metavar="LETTERS", help="Flags of the pattern: a, i, m, s, x.")
@click.option("--heuristic", default="default", metavar="NAME", help="Which differences count.")
@click.option("--check", is_flag=True, help="Derive every label again by an independent matcher.")
@FLAGS.add
@quiet_option
def command(target: str | None, **options: Any) -> int:
    """Generate the inputs of a spec or a type, or the strings of a pattern: every one legal, every two different."""
    given = {f"--{name}": options[name] for name in SOURCES if options[name] is not None}
    given |= {"": target} if target is not None else {}
    if len(given) > 1:
        both = " and ".join(f"{flag} {source}" if flag else repr(source) for flag, source in given.items())
        raise ScopeError(f"{both} contradict each other; give one of them")
    if options["regex"] is not None:
        refuse_others(options, ["pattern"], options["regex"])
        return give_strings(options["regex"], options)
    if options["openapi"] is not None:
        return _service(options["openapi"], options)
    if options["schema"] is not None:
        return _schema(options["schema"], options)
    if target is None:
        raise ScopeError(
            "give a spec or type as MODULE:NAME, like examples.retail:items, a pattern with --regex, a JSON Schema "
            "with --schema, or a service description with --openapi"
        )
    return _target(target, options)


def question_of(options: Mapping[str, Any], usual: str = "json") -> InputQuestion:
    """Return what is asked, whatever the inputs come from; `usual` is the format."""
    asked = FLAGS.asked(options)
    output = asked.record(Output)
    if output.output is not None and not Path(output.output).absolute().parent.is_dir():
        raise ScopeError(f"-o {output.output!r}: there is no folder {str(Path(output.output).absolute().parent)!r}")
    return InputQuestion(output, asked.record(Isolation), Deadline.of(asked.record(TimeLimit).timeout), usual)


def _target(target: str, options: dict[str, Any]) -> int:
    """Give the inputs of what a module or a file has under a name."""
    refuse_others(options, ["spec", "type", "schema"], target)
    question = question_of(options)
    with redirect_stdout(sys.stderr):  # what the user's code prints is no input
        found = _found(target, options)
    if not isinstance(found, Spec | Mapping | list | tuple):
        from unlike.cli.types import is_schema, is_type, run_type  # they know JSON Schema, too; a spec needs none of it

        if is_type(found):
            refuse_others(options, ["schema" if is_schema(found) else "type"], target)
            name = target.rpartition(":")[2] if isinstance(found, VALUES) else None  # a value has no other name
            return run_type(found, target=target, question=question, name=name, **_how(options))
    specs = _specs(found, target, options["outline"])
    refuse_others(options, ["spec"], target)
    if question.output.count:
        if options["encoding"] != "auto" or options["solver"] != "z3":
            raise ScopeError("--count counts, and asks no solver of your choice; leave out --encoding and --solver")
        return _count(specs, target, question)
    return _generate(specs, target, question, options)


def _how(options: Mapping[str, Any]) -> dict[str, Any]:
    """Return how a type or a document is to be covered."""
    return {name: options[name] for name in ("cover", "invalid", "as_text")}


def _service(path: str, options: dict[str, Any]) -> int:
    """Give the requests of an operation or the values of a model, or list what there is."""
    from unlike.cli.openapi import run_openapi

    refuse_others(options, ["service"], path)
    which = {name: options[name] for name in ("operation", "model", "media", "resolve")}
    question = question_of(options, "jsonl")
    with within_memory(question.isolation):
        return run_openapi(path, question=question, **which, **_how(options))


def _schema(path: str, options: dict[str, Any]) -> int:
    """Give the instances of a JSON Schema."""
    from unlike.cli.schemas import schema_in
    from unlike.cli.types import run_type

    refuse_others(options, ["schema"], path)
    question = question_of(options, "jsonl")
    with within_memory(question.isolation):
        schema = schema_in(path, options["resolve"])
        return run_type(schema, target=path, question=question, **_how(options))


def give_strings(pattern: str, options: Mapping[str, Any]) -> int:
    """Give the strings of a pattern."""
    from unlike.cli.regex import run_regex

    how = {name: options[name] for name in ("flags", "heuristic", "invalid", "check")}
    question = question_of(options, "jsonl")
    with within_memory(question.isolation):
        return run_regex(pattern, cover=options["cover"] or "all", question=question, **how)


def _found(target: str, options: dict[str, Any]) -> object:
    """Return what the target holds: specs of a Python module or of a program, or what a file defines."""
    with_ = options["with_"]
    if target.endswith(".iorek"):
        from unlike.cli.program import load_program

        return load_program(target, None if with_ is None else str(with_))
    if with_ is not None:
        raise ScopeError(f"--with {with_!r} gives primitives to a program; {target!r} is none (FILE.iorek)")
    if not options["resolve"] or not names_document(target):
        return load_target(target)
    from unlike.cli.schemas import resolved

    return load_target(target, resolve=resolved(options["resolve"]))


def _generate(specs: list[Spec], target: str, question: InputQuestion, options: dict[str, Any]) -> int:
    """Give the inputs of specs."""
    output, suites = question.output, []
    with progress_shown(question.deadline), redirect_stdout(sys.stderr):
        for left, spec in zip(range(len(specs), 0, -1), specs, strict=True):
            wanted = output.n if output.n is not None else spec.n or DEFAULT_N
            suite = generate(
                spec,
                "all" if output.every else wanted,
                timeout=question.deadline.part(1 / left),
                seed=output.seed,
                encoding=options["encoding"],
                solver=options["solver"],
                effort=options["effort"],
                **question.isolation.of_one_process(),
            )
            suites.append(suite)
    answer = answer_of(suites, target, explain=output.explain)
    return deliver(answer, output.form or question.usual, output.output)


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


def _count(specs: list[Spec], target: str, question: InputQuestion) -> int:
    parts = []
    for left, spec in zip(range(len(specs), 0, -1), specs, strict=True):
        with progress_shown(question.deadline), redirect_stdout(sys.stderr):
            share = question.deadline.part(1 / left)
            number, status = count_inputs(spec, timeout=share, **question.isolation.of_one_process())
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
