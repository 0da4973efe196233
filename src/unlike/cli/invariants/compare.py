"""`unlike compare`: what the methods of a class build against what its invariant accepts."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import click

from unlike.cli.deliver import Verb, deliver
from unlike.cli.invariants.question import CHANGE, NOT_TAKEN, RECORDS, class_of, question_of
from unlike.cli.options import Flags
from unlike.cli.progress import progress_shown
from unlike.compare import Comparison, compare
from unlike.core import Isolation, Output, StateMatching
from unlike.errors import how_many
from unlike.invariants.structure import describe_structure, recipe_of_structure
from unlike.saved import JsonObject, check_output
from unlike.suite import Ending, Status
from unlike.writers.envelope import DataCases, Envelope, Notice, Part, Remark, worst
from unlike.writers.formats import formats_for

SHOWN = 3  # rejected objects


FLAGS = Flags(
    (*RECORDS, Output),
    without=(*NOT_TAKEN, "n", "every", "count", "explain", "seed"),
    change={
        **CHANGE,
        "form": {"kind": formats_for("text"), "help": "What to write (text)."},
        "output": {"help": "Write to this file."},
    },
)


@click.command("compare", cls=Verb)
@click.argument("target", metavar="MODULE:CLASS")
@FLAGS.add
def command(target: str, **flags: Any) -> int:
    """Find objects that the API builds and the invariant rejects, and the other way round."""
    asked = FLAGS.read(flags, [target])
    output = asked.record(Output)
    check_output(output.output, directory=False)
    cls = class_of(target)
    question, methods = question_of(asked), asked.record(StateMatching).methods
    with progress_shown(question["timeout"]):
        found = compare(cls, methods=methods, workers=asked.record(Isolation).workers, **question)
    return deliver(answer_of(found), output.form or "text", output.output)


def answer_of(found: Comparison) -> Envelope:
    """Return the answer: where the two sides differ, and how each of them ended."""
    sides = (("exploration", found.exploration, found.built), ("search", found.search, found.accepted))
    cut = [status for _, status, _ in sides if status.cut_short]
    differ = (
        f"{len(found.rejected):,} objects are built and rejected, {found.missing:,} structures accepted and not built"
    )
    agreed = "the invariant accepts exactly what the API builds"
    return Envelope(
        status=worst([("exploration", found.exploration), ("search", found.search)])
        if cut
        else Status(Ending.COMPLETE),
        guarantee=f"{found.cls.__name__}.{found.invariant} against the API, within {found.scope}",
        words="" if cut else agreed if found.agrees else differ,
        counts={
            "built": found.built,
            "accepted": found.accepted,
            "rejected": len(found.rejected),
            "missing": found.missing,
            "through_larger": found.through_larger,
            "outside": found.outside,
        },
        findings=tuple(_findings(found)),
        contents=DataCases({"format": "unlike comparison", **to_data(found)}),
        parts=tuple(Part(name, status, "", count) for name, status, count in sides),
        text=lambda: iter([text_of(found)]),
        remarks=(
            *(Remark(f"note: {note}", is_note=True) for note in found.notes),
            *(
                Remark(f"{name} {status}" if status.cut_short else f"{name}: {status}")
                for name, status, _ in sides
                if status.cut_short or status.detail
            ),
        ),
    )


def _findings(found: Comparison) -> Iterator[Notice]:
    for each in found.rejected:
        yield Notice("rejected", f"{found.invariant} {each.reason}", each.sequence, each.recipe)
    for gap in found.gaps:
        example = None if gap.example is None else recipe_of_structure(gap.example)
        yield Notice("gap", str(gap), " and ".join(map(str, gap.places)), example, gap.count)
    if found.through_larger:
        yield Notice("larger", "built only beyond the scope", times=found.through_larger)
    if found.outside:
        yield Notice("outside", f"built and sound, such as {found.outside_example}", times=found.outside)
    yield from (Notice("note", note) for note in found.notes)


def text_of(found: Comparison) -> str:
    """Return the comparison for a reader."""
    name = f"{found.cls.__name__}.{found.invariant}"
    both = f"{how_many(found.built, 'object')} built, {how_many(found.accepted, 'structure')} accepted"
    lines = [f"{both}, within {found.scope}"]
    if found.rejected:
        count = "1 object is" if len(found.rejected) == 1 else f"{len(found.rejected):,} objects are"
        lines.append(f"{count} built that {name} rejects: the invariant is too strong, or a method broke it")
        shown = found.rejected[:SHOWN]
        lines += [f"  {each.sequence}  ({found.invariant} {each.reason})" for each in shown]
    if found.missing:
        count = "1 structure is" if found.missing == 1 else f"{found.missing:,} structures are"
        lines.append(
            f"{count} accepted by {name} that no sequence of calls builds {found.bound}: "
            "it is too weak. Where they differ from the nearest object that is built:"
        )
        for gap in found.gaps:
            lines += [f"  {line}" for line in gap.lines()]
    if found.through_larger:
        count = "1 structure is" if found.through_larger == 1 else f"{found.through_larger:,} structures are"
        lines.append(
            f"{count} built only beyond the scope: by way of a larger object, or with a value that it does not pass"
        )
    if found.outside:
        count = "1 object is" if found.outside == 1 else f"{found.outside:,} objects are"
        lines.append(
            f"{count} built and sound that hold what no field may hold within the scope, such as "
            f"{found.outside_example}; allow it (--field, --literals) to compare them, too"
        )
    if found.agrees and not found.cut_short:
        others = "of all other objects " if found.outside else ""
        lines.append(f"{others}{name} accepts exactly what the API builds")
    return "\n".join(lines)


def to_data(found: Comparison) -> JsonObject:
    """Return the comparison as JSON data."""
    return {
        "class": found.cls.__name__,
        "invariant": found.invariant,
        "scope": str(found.scope),
        "built": found.built,
        "accepted": found.accepted,
        "rejected": [{"sequence": each.sequence, "reason": each.reason} for each in found.rejected],
        "missing": found.missing,
        "looked_for_within": found.bound,
        "through_larger": found.through_larger,
        "outside": found.outside,
        "gaps": [
            {
                "fields": [str(place) for place in gap.places],
                "count": gap.count,
                "values": list(gap.values),
                "example": describe_structure(gap.example) if gap.example is not None else None,
                "nearest": describe_structure(gap.nearest) if gap.nearest is not None else None,
            }
            for gap in found.gaps
        ],
    }
