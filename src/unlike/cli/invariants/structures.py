"""`unlike structures`: every structure that an invariant accepts, as a count, test files or recipes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from unlike.cli.deliver import Verb, deliver
from unlike.cli.invariants.question import CHANGE, NOT_TAKEN, RECORDS, class_of, question_of
from unlike.cli.options import Flags
from unlike.cli.progress import progress_shown
from unlike.core import Bounds, Isolation, Output
from unlike.indexed import in_digits
from unlike.invariants.fields.domains import FieldTable
from unlike.invariants.fields.table import fields_of
from unlike.invariants.result import Structures
from unlike.invariants.structure import shorten
from unlike.invariants.verbs import StructureSearch, structures
from unlike.saved import check_output
from unlike.suite import Ending, Status
from unlike.writers.envelope import Envelope, Notice, ObjectCases, Remark
from unlike.writers.formats import formats_for
from unlike.writers.pytest_file.files import UNLIMITED, WritingLimits, structure_pages

SHOWN = 10  # structures in the text


FLAGS = Flags(
    (*RECORDS, StructureSearch, Output),
    without=(*NOT_TAKEN, "methods", "workers", "seed"),
    change={
        **CHANGE,
        "n": {"help": "The first N structures."},
        "every": {"help": "Write every structure, however many."},
        "count": {"help": "Print the number of structures and nothing else."},
        "explain": {"help": "Say what each field may hold, how much was looked at, what was noticed."},
        "form": {"kind": formats_for("text", "tests", "objects"), "help": "What to write (text)."},
        "output": {"unit": "DIR", "help": "Write test files and recipes into this directory."},
    },
)


@click.command("structures", cls=Verb)
@click.argument("target", metavar="MODULE:CLASS")
@click.option("--list-fields", is_flag=True, help="Show what each field may hold, and search for nothing.")
@FLAGS.add
def command(target: str, **flags: Any) -> int:
    """Every structure that a class's own invariant accepts within a scope, each once."""
    asked = FLAGS.read(flags, [target])
    output = asked.record(Output)
    check_output(output.output, directory=True)
    cls = class_of(target)
    if flags["list_fields"]:
        bounds, isolation = asked.record(Bounds), asked.record(Isolation)
        table = fields_of(cls, bounds.to_scope(), given=bounds.fields, isolation=isolation, deadline=asked.deadline)
        return deliver(listing_of(table), output.form or "", output.output, folder=True)
    question = question_of(asked, StructureSearch)
    with progress_shown(question["timeout"]):
        found = structures(cls, n=output.n, count_only=output.count, **question)
    every = output.every or output.n is not None
    limits = WritingLimits(question["timeout"], asked.record(Isolation))
    answer = answer_of(found, limits, explain=output.explain, every=every)
    return deliver(answer, output.wanted, output.output, folder=True, every=every)


def answer_of(
    found: Structures, limits: WritingLimits = UNLIMITED, *, explain: bool = False, every: bool = False
) -> Envelope:
    """Return the answer: structures as cases, what was noticed, and the first of them in words, or every one."""
    notes = () if explain else tuple(Remark(f"note: {note}", is_note=True) for note in found.notes)
    return Envelope(
        status=found.status,
        guarantee=found.guarantee,
        counts={"cases": found.count, "runs": found.seen.runs},
        findings=tuple(Notice("note", note) for note in found.notes),
        contents=ObjectCases(
            lambda: found.suite,
            found.cls.__name__,
            lambda medium: structure_pages(found, medium, "structures", limits),
            noun="structures",
            instead="use a smaller scope, ask for the first ones (-n)",
        ),
        text=lambda: _text(found, found.count if every else SHOWN),
        explanation=found.explanation if explain else "",
        remarks=(*notes, Remark(str(found.status))),
        number=found.count,
    )


def listing_of(table: FieldTable) -> Envelope:
    """Return what each field may hold."""
    return Envelope(
        status=Status(Ending.COMPLETE),
        words="all fields are listed",
        findings=tuple(Notice("field", line.strip()) for line in table.listing().splitlines()),
        text=lambda: iter([table.listing()]),
    )


def _text(found: Structures, most: int) -> Iterator[str]:
    """Yield the number of structures, and the first of them; all that were asked for."""
    suite = found.suite
    noun = "structure" if found.count == 1 else "structures"
    yield f"{in_digits(found.count)} {noun} of {found.cls.__name__} within {found.table.scope}"
    for index in range(min(most, found.count)):
        yield f"  {shorten(suite[index].label)}"
    if found.count > most:
        yield f"  … and {in_digits(found.count - most)} more; -n N shows the first ones, --all every one"
