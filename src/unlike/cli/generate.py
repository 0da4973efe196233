"""`unlike generate`: a spec becomes inputs."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal

import click

from unlike.cli.deliver import Verb, deliver, deliver_lines
from unlike.cli.kinds import (
    COMBINED,
    ByKind,
    InputChoice,
    InputQuestion,
    Kind,
    options_for,
    refuse_given,
    refuse_others,
)
from unlike.cli.options import SOURCES, Flags, settings_in
from unlike.cli.progress import progress_shown
from unlike.cli.target import load_target, names_document
from unlike.core import CutShort, Deadline, Isolation, Output, Solving, TimeLimit
from unlike.errors import ScopeError, SpecError, nearest, with_article
from unlike.isolation.limits import within_memory
from unlike.language.spec import Spec
from unlike.language.values import VALUES
from unlike.specs.generate import InputReading, count as count_inputs, generate, read_inputs
from unlike.suite import Suite
from unlike.writers.envelope import Envelope, InputCases, Notice, Part, Remark, answer_of_suites, worst
from unlike.writers.formats import formats_for
from unlike.writers.inputs import value_line

DEFAULT_N = 10  # inputs: they fit on a screen
MANY = 10_000  # inputs, which are written in less than a second
FINDING = 0.2  # of the time; to write an input takes about three times as long as to find it, if it is found quickly

FLAGS = Flags(
    (InputChoice, Solving, Output, TimeLimit, Isolation),
    without=("workers",),
    change={
        "n": {"help": f"How many inputs (the spec's own number, or {DEFAULT_N})."},
        "every": {"help": "All inputs there are."},
        "form": {
            "kind": formats_for("inputs", "tests", "requests"),
            "help": "How inputs are written (json; jsonl for --regex, --schema and --openapi); pytest with --code; "
            "curl, http, httpx for requests.",
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
    if not given:
        raise ScopeError(
            "give a spec or type as MODULE:NAME, like examples.retail:items, a pattern with --regex, a JSON Schema "
            "with --schema, or a service description with --openapi"
        )
    ((flag, source),) = given.items()
    kinds, give = GIVERS[flag]
    refuse_others(source, *kinds)
    if not flags["code"]:
        refuse_given(("by", "within", "no_source", "beside"), "--code MODULE:FUNCTION")
        if flags["form"] == "pytest":
            raise ScopeError("--format pytest writes down what code gave; name it: --code MODULE:FUNCTION")
    if flag == "":
        return give_inputs(source, question_of(flags, "json"))
    question = question_of(flags)
    with within_memory(question.isolation):
        return give(source, question)


def question_of(flags: Mapping[str, Any], usual: str = "jsonl") -> InputQuestion:
    """Return what is asked, whatever the inputs come from; `usual` is the format."""
    asked = FLAGS.read(flags)
    output = asked.record(Output)
    if output.output is not None and not Path(output.output).absolute().parent.is_dir():
        raise ScopeError(f"-o {output.output!r}: there is no folder {str(Path(output.output).absolute().parent)!r}")
    return InputQuestion(
        asked.record(InputChoice), asked.record(Solving), output, asked.record(Isolation), asked.deadline, usual
    )


def give_inputs(target: str, question: InputQuestion) -> int:
    """Give the inputs of what a module or a file has under a name."""
    with redirect_stdout(sys.stderr):  # what the user's code prints is no input
        found = _load(target, question.choice)
    if not isinstance(found, Spec | Mapping | list | tuple) or (isinstance(found, Spec) and found.typed is not None):
        from unlike.cli.types import is_schema, is_type, run_type  # they know JSON Schema, too; a spec needs none of it

        if is_type(found):
            refuse_others(target, "schema" if is_schema(found) else "type")
            name = target.rpartition(":")[2] if isinstance(found, VALUES) else None  # a value has no other name
            return run_type(found, question, name=name)
    specs = _specs(found, target, question.choice.spec)
    refuse_others(target, "spec")
    if question.choice.code:
        from unlike.cli.by_code import give_chosen

        return give_chosen(specs, question)
    if any(getattr(question.choice, each) for each in ("cover", *COMBINED)):
        from unlike.cli.types import run_covered  # only where choices are covered

        refuse_given((each.name for each in settings_in(Solving)), "specs without --cover: no solver of yours is asked")
        return run_covered([spec.as_choices() for spec in specs], question)
    if not question.output.count:
        return _generate(specs, question)
    if question.solving != Solving(effort=question.solving.effort):
        raise ScopeError("--count counts, and asks no solver of your choice; leave out --encoding and --solver")
    return _count(specs, question)


def give_described(path: str, question: InputQuestion) -> int:
    """Give the requests of an operation or the values of a model, or list what there is."""
    from unlike.cli.documents import run_openapi

    return run_openapi(path, question)


def give_instances(path: str, question: InputQuestion) -> int:
    """Give the instances of a JSON Schema."""
    from unlike.cli.documents import schema_in
    from unlike.cli.types import run_type

    return run_type(schema_in(path, question.choice.resolve, question.choice.draft), question)


def give_strings(pattern: str, question: InputQuestion) -> int:
    """Give the strings of a pattern."""
    from unlike.cli.regex import run_regex

    return run_regex(pattern, question)


GIVERS: Mapping[str, tuple[tuple[Kind, ...], Callable[[str, InputQuestion], int]]] = {  # by what names the source
    "": (("spec", "type", "schema"), give_inputs),
    "--regex": (("pattern",), give_strings),
    "--openapi": (("service",), give_described),
    "--schema": (("schema",), give_instances),
}


def _load(target: str, choice: InputChoice) -> object:
    """Return what the target holds: specs of a Python module or of a program, or what a file defines."""
    if target.endswith(".iorek"):
        from unlike.cli.program import load_program

        return load_program(target, choice.primitives)
    if choice.primitives is not None:
        raise ScopeError(f"--with {choice.primitives!r} gives primitives to a program; {target!r} is none (FILE.iorek)")
    if not choice.resolve or not names_document(target):
        return load_target(target)
    from unlike.cli.documents import files_by_address

    return load_target(target, resolve=files_by_address(choice.resolve))


def _generate(specs: list[Spec], question: InputQuestion) -> int:
    """Give the inputs of specs."""
    output, suites = question.output, []
    keywords = question.solving.keywords(question.isolation)
    if question.form == "jsonl" and len(specs) == 1:
        reading = read_inputs(
            specs[0], _number_of(specs[0], output), timeout=question.deadline, seed=output.seed, **keywords
        )
        if reading is not None:
            return _write_at_once(reading, specs[0].name, output)
    with progress_shown(question.deadline), redirect_stdout(sys.stderr):
        for spec, share in question.deadline.shares(specs):
            wanted, enough = _number_of(spec, output), _leave_time_to_write(share)
            suites.append(generate(spec, wanted, timeout=share, seed=output.seed, progress=enough, **keywords))
    return deliver(answer_of(suites, explain=output.explain), question.form, output.output)


def _leave_time_to_write(deadline: Deadline) -> Callable[[int], None]:
    """Return what cuts a run short that finds very many inputs: writing them takes longer than finding them."""
    early = deadline.part(FINDING)

    def check(found: int) -> None:
        if found >= MANY and early.is_over():
            raise CutShort(deadline.status())

    return check


def _number_of(spec: Spec, output: Output) -> int | Literal["all"]:
    if output.every:
        return "all"
    return output.n if output.n is not None else spec.n or DEFAULT_N


def _write_at_once(reading: InputReading, name: str, output: Output) -> int:
    """Give inputs as they are found, in lines of JSON: however many there are, none is kept."""

    def conclude() -> Envelope:
        answer = answer_of([reading.as_suite(name)], explain=output.explain)
        return replace(answer, counts={"cases": reading.found})

    lines = ("".join(map(value_line, values)) for values in reading.values())
    return deliver_lines(lines, conclude, output.output)


def answer_of(suites: Sequence[Suite], *, explain: bool = False) -> Envelope:
    """Return the answer for specs that became suites."""
    plans = {suite.name: suite.explanation for suite in suites} if explain else {}
    remarks = []
    for suite in suites:
        if explain:
            remarks.append(Remark(f"plan of {suite.name}:\n  " + suite.explanation.replace("\n", "\n  ")))
        remarks.append(Remark(f"{suite.name}: {suite.guarantee}"))
    return replace(
        answer_of_suites(suites),
        counts={"cases": sum(len(suite) for suite in suites)},
        findings=tuple(Notice("plan", line, name) for name, plan in plans.items() for line in plan.splitlines()),
        contents=InputCases(tuple(suites), labelled=False),
        remarks=tuple(remarks),
    )


def _count(specs: list[Spec], question: InputQuestion) -> int:
    parts = []
    for spec, share in question.deadline.shares(specs):
        with progress_shown(question.deadline), redirect_stdout(sys.stderr):
            number, status = count_inputs(spec, timeout=share, **question.isolation.of_one_process())
        parts.append(Part(spec.name, status, "", number))
    answer = Envelope(
        status=worst((part.name, part.status) for part in parts),
        parts=tuple(parts) if len(parts) > 1 else (),
        number=sum(part.count for part in parts),
        remarks=tuple(Remark(f"{each.name}: {each.status}") for each in parts if each.status.cut_short),
    )
    return deliver(answer, "count")


def _specs(found: object, target: str, chosen: str | None) -> list[Spec]:
    match found:
        case Spec():
            specs = [found]
        case Mapping():
            specs = [_name_spec(each, str(name), target) for name, each in found.items()]
        case list() | tuple():
            specs = [_name_spec(each, None, target) for each in found]
        case _:
            raise SpecError(
                f"{target} is {with_article(type(found).__name__)}, not a Spec (nor a list or dict of them)"
            )
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


def _name_spec(spec: object, name: str | None, target: str) -> Spec:
    if not isinstance(spec, Spec):
        raise SpecError(f"{target} holds {spec!r}, which is not a Spec")
    return spec if name is None else spec.with_name(name)


# -- the same of one kind of target alone --------------------------------------------------------------

OF_STRINGS = {
    "n": "How many strings (100).",
    "every": "One string for each combination there is.",
    "seed": "Other strings for another seed; the same for the same.",
    "cover": "How the branches of the pattern combine (all).",
    "invalid": "Strings that just fail: one for each rule of the pattern; with -n also by further edits.",
    "form": "How strings are written (jsonl).",
    "count": "Print only how many strings this would print with --all.",
}
OF_REQUESTS = {
    "operation": "Only those of this operation: an id, 'POST /path', a /path, a METHOD, a tag, a pattern (all).",
    "n": "How many requests of each operation.",
    "every": "All requests there are.",
    "cover": "How the choices of a request combine (each).",
    "invalid": "Requests that break one rule each.",
    "as_text": "The requests as JSON texts, in various styles.",
    "form": "How requests are written (jsonl).",
    "count": "Print only how many requests of each operation this would print.",
    "explain": "Say which choices are shown, impossible, undecided or left out.",
    "seed": "Other requests for another seed; the same for the same.",
}


def run_strings(pattern: str, **flags: Any) -> int:
    """Generate the strings of a regular expression: one for each combination of its branches, all of them matched."""
    question = question_of(flags)
    with within_memory(question.isolation):
        return give_strings(pattern, question)


def run_requests(file: str, **flags: Any) -> int:
    """Generate the requests of a service (OpenAPI, Swagger): every one legal, all choices shown."""
    from unlike.cli.documents import give_requests

    question = question_of(flags)
    with within_memory(question.isolation):
        return give_requests(file, question)


strings = Verb(
    "strings",
    callback=run_strings,
    params=[click.Argument(["pattern"], metavar="PATTERN"), *options_for("pattern", command, **OF_STRINGS)],
    help=run_strings.__doc__,
)
requests = Verb(
    "requests",
    callback=run_requests,
    params=[
        click.Argument(["file"], metavar="FILE|-|URL"),
        *options_for("service", command, without=["model"], **OF_REQUESTS),
    ],
    help=run_requests.__doc__,
)
