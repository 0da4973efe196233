"""`unlike structures`: every structure that an invariant accepts, as a count, test files or recipes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from unlike.cli.deliver import deliver, heading
from unlike.cli.invariants.question import CHANGE, NOT_TAKEN, RECORDS, InvariantQuestion, class_of
from unlike.cli.options import Flags
from unlike.cli.progress import progress_shown
from unlike.cli.verb import Verb
from unlike.core import Output
from unlike.core.settings import keywords_of
from unlike.indexed import in_digits
from unlike.invariants.fields.domains import FieldTable
from unlike.invariants.fields.table import fields_of
from unlike.invariants.result import Structures
from unlike.invariants.structure import shorten
from unlike.invariants.verbs import StructureSearch, structures
from unlike.saved import check_output
from unlike.suite import Ending, Status
from unlike.writers.answers.envelope import Envelope, Notice, ObjectCases, Remark
from unlike.writers.answers.formats import formats_for
from unlike.writers.answers.pages import Medium, Page
from unlike.writers.structure_tests import structure_files, structure_source

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
    asked = FLAGS.asked(flags, [target])
    output = asked.record(Output)
    check_output(output.output, directory=True)
    cls = class_of(target)
    question = InvariantQuestion.of(asked)
    if flags["list_fields"]:
        return deliver(_listing(cls, target, question), output.form or "", output.output, folder=True)
    with progress_shown(question.deadline):
        found = structures(
            cls,
            question.bounds.scope,
            invariant=question.invariant,
            n=output.n,
            count_only=output.count,
            **keywords_of(asked.record(StructureSearch)),
            **question.keywords,
        )
    every = output.every or output.n is not None
    answer = answer_of(found, target, explain=output.explain, every=every)
    return deliver(answer, "count" if output.count else output.form or "", output.output, folder=True, every=every)


def answer_of(found: Structures, target: str, *, explain: bool = False, every: bool = False) -> Envelope:
    """Return the answer: structures as cases, what was noticed, and the first of them in words, or every one."""
    notes = () if explain else tuple(Remark(f"note: {note}") for note in found.notes)
    explanation = found.explanation.splitlines() if explain else []
    return Envelope(
        **heading([target]),
        status=found.status,
        guarantee=found.guarantee,
        counts={"cases": found.count, "runs": found.seen.runs},
        findings=(
            *(Notice("note", note) for note in found.notes),
            *(Notice("explanation", line) for line in explanation),
        ),
        contents=ObjectCases(
            lambda: found.suite,
            found.cls.__name__,
            lambda medium: _tests(found, medium),
            noun="structures",
            instead="use a smaller scope, ask for the first ones (-n)",
        ),
        text=lambda: _text(found, found.count if every else SHOWN),
        explanation=found.explanation if explain else "",
        remarks=(*notes, Remark(str(found.status), is_status=True)),
        number=found.count,
    )


def listing_of(table: FieldTable, target: str) -> Envelope:
    """Return what each field may hold."""
    return Envelope(
        **heading([target]),
        status=Status(Ending.COMPLETE),
        words="all fields are listed",
        findings=tuple(Notice("field", line.strip()) for line in table.listing().splitlines()),
        text=lambda: iter([table.listing()]),
    )


def _listing(cls: type, target: str, question: InvariantQuestion) -> Envelope:
    bounds, isolation = question.bounds, question.isolation
    table = fields_of(cls, bounds.to_scope(), given=bounds.fields, isolation=isolation, deadline=question.deadline)
    return listing_of(table, target)


def _tests(found: Structures, medium: Medium) -> Iterator[Page]:
    """Yield test files for a folder, or all tests on one page."""
    if medium == "folder":
        yield from (Page(file.path.name, [file.text]) for file in structure_files(found, "."))
    else:
        yield Page("", [structure_source(found, range(found.count))])


def _text(found: Structures, most: int) -> Iterator[str]:
    """Yield the number of structures, and the first of them; all that were asked for."""
    suite = found.suite
    yield f"{in_digits(found.count)} structures of {found.cls.__name__} within {found.table.scope}"
    for index in range(min(most, found.count)):
        yield f"  {shorten(suite[index].label)}"
    if found.count > most:
        yield f"  … and {in_digits(found.count - most)} more; -n N shows the first ones, --all every one"
