"""`unlike generate`: a spec becomes inputs."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import Any

import click

from unlike.cli.deliver import deliver, heading
from unlike.cli.kinds import SOURCES, ByKind, InputChoice, InputQuestion, refuse_others
from unlike.cli.options import Flags
from unlike.cli.progress import progress_shown
from unlike.cli.target import load_target, names_document
from unlike.core import Isolation, Output, Solving, TimeLimit
from unlike.errors import ScopeError, SpecError, nearest
from unlike.isolation.limits import within_memory
from unlike.language.spec import Spec
from unlike.language.values import VALUES
from unlike.specs.generate import count as count_inputs
from unlike.specs.generate import generate
from unlike.suite import Suite
from unlike.writers.answers.envelope import Envelope, InputCases, Notice, Part, Remark, worst
from unlike.writers.answers.formats import formats_for

DEFAULT_N = 10

FLAGS = Flags(
    (InputChoice, Solving, Output, TimeLimit, Isolation),
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
@FLAGS.add
def command(target: str | None, **flags: Any) -> int:
    """Generate the inputs of a spec or a type, or the strings of a pattern: every one legal, every two different."""
    given = {f"--{name}": flags[name] for name in SOURCES if flags[name] is not None}
    given |= {"": target} if target is not None else {}
    if len(given) > 1:
        both = " and ".join(f"{flag} {source}" if flag else repr(source) for flag, source in given.items())
        raise ScopeError(f"{both} contradict each other; give one of them")
    match given:
        case {"--regex": pattern}:
            refuse_others(pattern, "pattern")
            return give_strings(pattern, question_of(flags, "jsonl"))
        case {"--openapi": path}:
            refuse_others(path, "service")
            return give_described(path, question_of(flags, "jsonl"))
        case {"--schema": path}:
            refuse_others(path, "schema")
            return give_instances(path, question_of(flags, "jsonl"))
        case {"": named}:
            refuse_others(named, "spec", "type", "schema")
            return give_inputs(named, question_of(flags))
    raise ScopeError(
        "give a spec or type as MODULE:NAME, like examples.retail:items, a pattern with --regex, a JSON Schema "
        "with --schema, or a service description with --openapi"
    )


def question_of(flags: Mapping[str, Any], usual: str = "json") -> InputQuestion:
    """Return what is asked, whatever the inputs come from; `usual` is the format."""
    asked = FLAGS.asked(flags)
    output = asked.record(Output)
    if output.output is not None and not Path(output.output).absolute().parent.is_dir():
        raise ScopeError(f"-o {output.output!r}: there is no folder {str(Path(output.output).absolute().parent)!r}")
    return InputQuestion(
        asked.record(InputChoice),
        asked.record(Solving),
        output,
        asked.record(Isolation),
        asked.deadline,
        usual,
    )


def give_inputs(target: str, question: InputQuestion) -> int:
    """Give the inputs of what a module or a file has under a name."""
    with redirect_stdout(sys.stderr):  # what the user's code prints is no input
        found = _load(target, question.choice)
    if not isinstance(found, Spec | Mapping | list | tuple):
        from unlike.cli.types import is_schema, is_type, run_type  # they know JSON Schema, too; a spec needs none of it

        if is_type(found):
            refuse_others(target, "schema" if is_schema(found) else "type")
            name = target.rpartition(":")[2] if isinstance(found, VALUES) else None  # a value has no other name
            return run_type(found, target, question, name=name)
    specs = _specs(found, target, question.choice.spec)
    refuse_others(target, "spec")
    if not question.output.count:
        return _generate(specs, target, question)
    if question.solving != Solving(effort=question.solving.effort):
        raise ScopeError("--count counts, and asks no solver of your choice; leave out --encoding and --solver")
    return _count(specs, target, question)


def give_described(path: str, question: InputQuestion) -> int:
    """Give the requests of an operation or the values of a model, or list what there is."""
    from unlike.cli.openapi import run_openapi

    with within_memory(question.isolation):
        return run_openapi(path, question)


def give_instances(path: str, question: InputQuestion) -> int:
    """Give the instances of a JSON Schema."""
    from unlike.cli.schemas import schema_in
    from unlike.cli.types import run_type

    with within_memory(question.isolation):
        return run_type(schema_in(path, question.choice.resolve), path, question)


def give_strings(pattern: str, question: InputQuestion) -> int:
    """Give the strings of a pattern."""
    from unlike.cli.regex import run_regex

    with within_memory(question.isolation):
        return run_regex(pattern, question)


def _load(target: str, choice: InputChoice) -> object:
    """Return what the target holds: specs of a Python module or of a program, or what a file defines."""
    if target.endswith(".iorek"):
        from unlike.cli.program import load_program

        return load_program(target, choice.primitives)
    if choice.primitives is not None:
        raise ScopeError(f"--with {choice.primitives!r} gives primitives to a program; {target!r} is none (FILE.iorek)")
    if not choice.resolve or not names_document(target):
        return load_target(target)
    from unlike.cli.schemas import files_by_address

    return load_target(target, resolve=files_by_address(choice.resolve))


def _generate(specs: list[Spec], target: str, question: InputQuestion) -> int:
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
                **question.solving.keywords(question.isolation),
            )
            suites.append(suite)
    return deliver(answer_of(suites, target, explain=output.explain), question.form, output.output)


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


def _specs(found: object, target: str, chosen: str | None) -> list[Spec]:
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
    if chosen is None:
        return specs
    if chosen not in names:
        raise SpecError(f"--spec {chosen!r}: {nearest(chosen, names)}")
    return [specs[names.index(chosen)]]


def _renamed(spec: object, name: str | None, target: str) -> Spec:
    if not isinstance(spec, Spec):
        raise SpecError(f"{target} holds {spec!r}, which is not a Spec")
    return spec if name is None else spec.with_name(name)
