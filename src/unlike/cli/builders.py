"""`unlike builders`: the few methods of a class that build everything."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from unlike.classes.builders import BuilderSearch, Finding, Genetic
from unlike.classes.builders.result import Builders, text_of, to_data
from unlike.cli.deliver import Verb, deliver
from unlike.cli.options import Flags
from unlike.cli.progress import progress_shown
from unlike.cli.target import target_of
from unlike.core import Bounds, Exploring, Isolation, Output, StateMatching, TimeLimit
from unlike.saved import check_output
from unlike.suite import Ending, Status
from unlike.writers.envelope import DataCases, Envelope, Notice, Remark
from unlike.writers.formats import formats_for

FLAGS = Flags(
    (Bounds, StateMatching, TimeLimit, Isolation, Exploring, BuilderSearch, Genetic, Output),
    without=(
        "calls",
        "fields",
        "state_matching",
        "values",
        "then_random",
        "reference",
        "protocols",
        "n",
        "every",
        "count",
    ),
    change={
        "methods": {"help": "Names of the methods to choose among; constructors always are."},
        "seed": {"help": "For the genetic search (0)."},
        "explain": {"help": "Give the evidence for every method."},
        "form": {"kind": formats_for("text"), "help": "What to write (text)."},
        "output": {"help": "Write to this file, as JSON unless --format says otherwise."},
    },
)


@click.command("builders", cls=Verb)
@click.argument("targets", nargs=-1, required=True, metavar="MODULE:CLASS…")
@FLAGS.add
def command(targets: tuple[str, ...], **flags: Any) -> int:
    """Find the few methods that build every object the whole class builds, within a scope."""
    asked = FLAGS.read(flags, targets)
    output = asked.record(Output)
    check_output(output.output, directory=False)
    question, found = asked.exploration(), tuple(map(target_of, targets))
    finding = Finding(found, question, asked.record(BuilderSearch), asked.record(Genetic), output.seed)
    with progress_shown(question.deadline):
        made = finding.answer()
    usual, aloud = "text" if output.output is None else "saved", output.output is not None or output.form == "json"
    answer = answer_of(made, explain=output.explain, aloud=aloud)
    return deliver(answer, output.form or usual, output.output)


def answer_of(found: Builders, *, explain: bool = False, aloud: bool = False) -> Envelope:
    """Return the answer: what was chosen, what not and why, and how sure that is; `aloud` also on standard error."""
    data = to_data(found)
    return Envelope(
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
        remarks=(Remark(found.certainty),) if aloud else (),  # text says it itself
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
