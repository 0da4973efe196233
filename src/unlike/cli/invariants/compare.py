"""`unlike compare`: what the methods of a class build against what its invariant accepts."""

from __future__ import annotations

import json
from typing import Any

import click

from unlike.cli.invariants import class_of, settings, shared
from unlike.compare import Comparison, compare
from unlike.invariants.structure import described
from unlike.saved import check_output, write_output

SHOWN = 3  # rejected objects


@click.command("compare")
@click.argument("target", metavar="MODULE:CLASS")
@shared
@click.option("--methods", metavar="REGEX", help="Names of the methods to call; constructors are always called.")
@click.option("--format", "form", type=click.Choice(("text", "json")), default="text", help="What to write (text).")
@click.option("-o", "output", metavar="FILE", help="Write to this file.")
def command(target: str, output: str | None, form: str, **flags: Any) -> int:
    """Find objects that the API builds and the invariant rejects, and the other way round."""
    check_output(output, directory=False)
    cls = class_of(target)
    found = compare(cls, methods=flags["methods"], **settings(flags, target))
    text = json.dumps(to_data(found), indent=2) + "\n" if form == "json" else text_of(found) + "\n"
    if output is None:
        click.echo(text, nl=False)
    else:
        write_output(output, text)
        click.echo(f"wrote {output}", err=True)
    for note in found.notes:
        click.echo(f"note: {note}", err=True)
    if found.exploration.cut_short:
        click.echo(f"exploration {found.exploration}", err=True)
    if found.search.cut_short:
        click.echo(f"search {found.search}", err=True)
    return found.exit_code


def text_of(found: Comparison) -> str:
    """Return the comparison for a reader."""
    name = f"{found.cls.__name__}.{found.invariant}"
    lines = [f"{found.built:,} objects built, {found.accepted:,} structures accepted, within {found.scope}"]
    if found.rejected:
        count = "1 object is" if len(found.rejected) == 1 else f"{len(found.rejected):,} objects are"
        lines.append(f"{count} built that {name} rejects: the invariant is too strong, or a method broke it")
        shown = found.rejected[:SHOWN]
        lines += [f"  {each.sequence}  ({found.invariant} {each.reason})" for each in shown]
    if found.missing:
        lines.append(
            f"{found.missing:,} structures are accepted by {name} that no sequence of calls builds: it is too weak. "
            "Where they differ from the nearest object that is built:"
        )
        for gap in found.gaps:
            lines += [f"  {line}" for line in gap.lines()]
    if found.through_larger:
        count = "1 structure is" if found.through_larger == 1 else f"{found.through_larger:,} structures are"
        lines.append(
            f"{count} built only beyond the scope: by way of a larger object, or with an int that it does not pass"
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


def to_data(found: Comparison) -> dict[str, Any]:
    """Return the comparison as JSON data."""
    return {
        "class": found.cls.__name__,
        "invariant": found.invariant,
        "scope": str(found.scope),
        "built": found.built,
        "accepted": found.accepted,
        "rejected": [{"sequence": each.sequence, "reason": each.reason} for each in found.rejected],
        "missing": found.missing,
        "through_larger": found.through_larger,
        "outside": found.outside,
        "gaps": [
            {
                "fields": [str(place) for place in gap.places],
                "count": gap.count,
                "values": list(gap.values),
                "example": described(gap.example) if gap.example is not None else None,
                "nearest": described(gap.nearest) if gap.nearest is not None else None,
            }
            for gap in found.gaps
        ],
        "exploration": found.exploration.ending.value,
        "search": found.search.ending.value,
    }
