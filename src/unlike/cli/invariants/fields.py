"""`unlike fields`: every feasible value of every field, in a handful of structures; or what a suite shows of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import click

from unlike.cli.deliver import Verb, deliver
from unlike.cli.invariants.question import CHANGE, NOT_TAKEN, RECORDS, question_of
from unlike.cli.kinds import refuse_given
from unlike.cli.options import AskedFlags, Flags
from unlike.cli.progress import progress_shown
from unlike.cli.target import load_target, target_of
from unlike.core import Isolation, LimitKeywords, Output
from unlike.errors import TargetError
from unlike.field_exhaustive import FieldSuiteResult, field_coverage, fields
from unlike.field_exhaustive.fewest import Few
from unlike.field_exhaustive.result import Coverage
from unlike.field_exhaustive.verbs import FieldChoice
from unlike.language.spec import Spec
from unlike.saved import check_output
from unlike.suite import Suite
from unlike.testing.fields_decorator import fields as few_inputs
from unlike.writers.envelope import Envelope, InputCases, Notice, ObjectCases, Remark
from unlike.writers.formats import formats_for
from unlike.writers.json_file import load
from unlike.writers.pytest_file.files import UNLIMITED, WritingLimits, structure_pages

SHOWN = 10  # structures in the text
OF_SPECS = (  # what can be said where there is no class: the rest is about objects and their invariant
    "only", "timeout", *LimitKeywords.__annotations__, "form", "output", "count", "explain", "config",
)  # fmt: skip


FLAGS = Flags(
    (*RECORDS, FieldChoice, Output),
    without=(*NOT_TAKEN, "methods", "workers", "n", "every", "seed"),
    change={
        **CHANGE,
        "count": {"help": "Print the number of structures and nothing else."},
        "explain": {"help": "Say what each field may hold, and how the suite was found."},
        "form": {"kind": formats_for("text", "tests", "objects", "inputs", "bounds"), "help": "What to write (text)."},
        "output": {"unit": "DIR", "help": "Write test files, recipes and bounds into this directory."},
    },
)


@click.command("fields", cls=Verb)
@click.argument("target", metavar="MODULE:CLASS")
@click.option("--of", "measured", metavar="SUITE", help="Measure a suite: a JSON file, or MODULE:NAME of objects.")
@FLAGS.add
def command(target: str, **flags: Any) -> int:
    """Every feasible value of every field within a scope, in a handful of structures."""
    asked = FLAGS.read(flags, [target])
    output = asked.record(Output)
    check_output(output.output, directory=True)
    found: Any = load_target(target)
    if isinstance(found, Spec):
        return _plain(found, target, asked)
    cls = target_of(target)
    if not isinstance(cls, type):
        raise TargetError(f"{target!r} is neither a class nor a spec")
    question = question_of(asked, FieldChoice)
    with progress_shown(question["timeout"]):
        if flags["measured"] is not None:
            answer = answer_of_coverage(field_coverage(cls, _objects(flags["measured"], cls), **question))
        else:
            limits = WritingLimits(question["timeout"], asked.record(Isolation))
            answer = answer_of(fields(cls, **question), limits, explain=output.explain)
    wanted = output.wanted if flags["measured"] is None else output.form or ""
    return deliver(answer, wanted, output.output, folder=True)


def answer_of(result: FieldSuiteResult, limits: WritingLimits = UNLIMITED, *, explain: bool = False) -> Envelope:
    """Return the answer: a few structures as cases, and what became of every pair of object and value."""
    why = [Notice("note", f"found by search: {result.reason}")] if result.engine == "search" else []
    return Envelope(
        status=result.status,
        guarantee=result.guarantee,
        counts={
            "cases": result.count,
            "bound": result.bound,
            "pairs": len(result.shown),
            "infeasible": len(result.infeasible),
            "undecided": len(result.undecided),
            "by_field": {
                name: {"pairs": len(pairs), "objects": len({thing for thing, _ in pairs})}
                for name, pairs in result.extensions.pairs.items()
            },
        },
        findings=(
            *why,
            *(Notice("undecided", "neither shown nor refuted", str(pair)) for pair in result.undecided),
            *(Notice("infeasible", "no structure shows it (proved)", str(pair)) for pair in result.infeasible),
        ),
        contents=ObjectCases(
            lambda: result.suite,
            result.name,
            lambda medium: structure_pages(result, medium, "fields", limits),
            bounds=result.bounds_text,
            noun="structures",
            instead="use a smaller scope",
        ),
        text=lambda: _text(result),
        explanation=result.explanation if explain else "",
        remarks=(Remark(str(result.status)),),
        number=result.count,
    )


def answer_of_coverage(coverage: Coverage) -> Envelope:
    """Return how much of the feasible values a suite shows."""
    notes = []
    if coverage.invalid:
        notes.append(Notice("invalid", "the invariant rejects them", times=coverage.invalid))
    if coverage.outside:
        notes.append(Notice("outside", "field values that are not of this scope", times=coverage.outside))
    return Envelope(
        status=coverage.status,
        guarantee=f"{coverage.percentage:.1f} % of the feasible field values",
        words="" if coverage.status.cut_short else f"{coverage.shown:,} of {coverage.feasible:,} are shown",
        counts={
            "objects": coverage.objects,
            "shown": coverage.shown,
            "feasible": coverage.feasible,
            "missing": len(coverage.missing),
            "needed": coverage.needed,
        },
        findings=(*(Notice("missing", "no object shows it", str(pair)) for pair in coverage.missing), *notes),
        text=lambda: iter([coverage.summary()]),
    )


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


def _plain(spec: Spec, target: str, asked: AskedFlags) -> int:
    """Choose a few inputs of a plain spec that show every value of every blank and field."""
    refuse_given([name for name in asked.flags if name not in OF_SPECS], f"classes; {target!r} is a spec")
    output, deadline = asked.record(Output), asked.deadline
    limits = asked.record(Isolation).of_one_process()
    with progress_shown(deadline):
        few = few_inputs(spec, only=asked.flags["only"], timeout=deadline, **limits).result
    assert isinstance(few, Few)
    return deliver(answer_of_few(few), output.wanted, output.output, folder=True)


def answer_of_few(few: Few) -> Envelope:
    """Return the answer for a spec: a few of its inputs."""
    return Envelope(
        status=few.status,
        guarantee=few.suite.guarantee,
        counts={"cases": len(few.suite), "out_of": few.out_of, "field_values": few.shown, "bound": few.bound},
        findings=() if few.proved else (Notice("note", "nothing is missing: NOT proved"),),
        contents=InputCases((few.suite,), labelled=False),
        text=lambda: iter([few.summary(), *(f"  {case.value!r}" for case in few.suite)]),
        remarks=(Remark(str(few.status)),),
        number=len(few.suite),
    )


def _text(result: FieldSuiteResult) -> Iterator[str]:
    yield result.summary()
    yield from (f"  {structure}" for structure in result.structures[:SHOWN])
    if result.count > SHOWN:
        yield f"  … and {result.count - SHOWN} more"
