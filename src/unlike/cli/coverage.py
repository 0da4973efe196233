"""`unlike coverage TARGET --of TESTS`: what inputs that are there already cover, what is missing, what to add."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import click

from unlike.cli.deliver import Verb, deliver
from unlike.cli.kinds import check_cover
from unlike.cli.options import Flags
from unlike.cli.progress import progress_shown
from unlike.cli.target import load_target
from unlike.core import Isolation, Output, Settings, TimeLimit, setting
from unlike.errors import ScopeError, how_many
from unlike.suite import proof_of
from unlike.writers.envelope import Envelope, InputCases, Notice, Remark
from unlike.writers.formats import formats_for

if TYPE_CHECKING:
    from unlike.typed.suite_coverage import SuiteCoverage

SHOWN = 20  # missing combinations and rows in the text; --format json has more


@dataclass(frozen=True, slots=True, kw_only=True)
class CoverageChoice(Settings):
    """Of `coverage` on the command line: which rows, and how many choices are combined."""

    of: tuple[str, ...] = setting(
        (),
        "--of TESTS",
        "Rows that are there: a test file (FILE.py, FILE.py::test_name), .csv, .json, .jsonl, a saved suite, .har.",
        kind="texts",
    )
    openapi: str | None = setting(None, "--openapi FILE", "The service whose operation is the target.")
    cover: str | None = setting(None, "--cover T", "How many choices are combined (2).", check=check_cover)
    strength: tuple[str, ...] = setting((), "--strength FIELDS=T", "More of some: kind,country,tax=3.", kind="texts")
    smallest: bool = setting(False, "--smallest", "Look longer for fewer inputs to add.")


FLAGS = Flags(
    (CoverageChoice, Output, TimeLimit, Isolation),
    without=("workers", "n", "every", "count", "explain"),
    change={
        "form": {"kind": formats_for("inputs", "text"), "help": "How it is written (text); others write what to add."},
        "seed": {"help": "Other inputs to add for another seed."},
    },
    reads=False,
)


@click.command("coverage", cls=Verb)
@click.argument("target", metavar="MODULE:TYPE|MODULE:SPEC|FILE.pict|FILE.json|OPERATION")
@FLAGS.add
def command(target: str, **flags: Any) -> int:
    """Say what inputs that are there already cover: how many combinations, the missing ones, and what to add."""
    from unlike.cli.types import strength_of  # help needs none of these
    from unlike.typed.combining import combining_of
    from unlike.typed.suite_coverage import measure

    asked = FLAGS.read(flags)
    choice, output, isolation = asked.record(CoverageChoice), asked.record(Output), asked.record(Isolation)
    if not choice.of:
        raise ScopeError("--of TESTS says which inputs are there: a test file, .csv, .json, .jsonl or .har")
    if choice.cover in ("each", "all"):
        raise ScopeError(f"--cover {choice.cover}: say how many choices are combined, like 2 or 3")
    with redirect_stdout(sys.stderr):  # what the user's code prints is no answer
        space = _space_of(target, choice)
        rows = [row for each in choice.of for row in _rows_of(each, space, isolation)]
    strength = dict(map(strength_of, choice.strength)) or None
    combining = combining_of(choice.cover or 2, strength, smallest=choice.smallest)
    if combining is None:  # pairs
        combining = combining_of(2)
    assert combining is not None
    with progress_shown(asked.deadline), redirect_stdout(sys.stderr):
        found = measure(space, rows, combining, seed=output.seed, deadline=asked.deadline, isolation=isolation)
    return deliver(answer_of(found), output.form or "text", output.output)


def _space_of(target: str, choice: CoverageChoice) -> object:
    from unlike.cli.types import is_type

    if choice.openapi is not None:
        from unlike.documents.openapi.api import read_api  # only where there is one

        return read_api(choice.openapi).operation(target)
    found = load_target(target)
    if not is_type(found):
        raise ScopeError(f"{target!r} is no type, spec, schema or model")
    return found


def _rows_of(source: str, space: object, isolation: Isolation) -> list[object]:
    """Return the rows of one source."""
    from unlike.cli.given_rows import read_har, read_rows_file, rows_of_test_file
    from unlike.documents.openapi.requests import Requests

    if source.partition("::")[0].endswith(".py"):
        return rows_of_test_file(source, space, isolation)
    if source.endswith(".har"):
        if not isinstance(space, Requests):
            raise ScopeError(f"--of {source!r}: recorded requests go with an operation: OPERATION --openapi FILE")
        return read_har(source, space)
    return read_rows_file(source, "--of")


def answer_of(found: SuiteCoverage) -> Envelope:
    """Return the answer: percentages, what is missing, and the inputs to add."""
    last = found.counts[-1] if found.counts else None
    said = "nothing is to be combined" if last is None else f"{last.percent:.1f} % of combinations of {last.strength}"
    counts = {f"needed_{each.strength}": each.needed for each in found.counts}
    counts |= {f"shown_{each.strength}": each.shown for each in found.counts}
    suite = found.to_add
    return Envelope(
        status=suite.status if suite.status.cut_short else proof_of("every combination that is possible is counted"),
        guarantee=f"{how_many(found.rows, 'row')}: {said}; {how_many(len(suite), 'input')} would show the rest",
        counts={"rows": found.rows, "missing": found.lacking, "to_add": len(suite), **counts},
        findings=(
            *(Notice("not shown", "no row shows it", word) for word in found.missing),
            *(Notice("invalid", words) for words in found.refused),
        ),
        contents=InputCases((replace(suite, guarantee=""),), variable="to_add"),
        text=lambda: _lines(found),
        remarks=tuple(Remark(f"not an input: {words}") for words in found.refused[:SHOWN]),
    )


def _lines(found: SuiteCoverage) -> Iterator[str]:
    yield f"{how_many(found.rows, 'row')}, {len(found.refused)} of them no inputs"
    for each in found.counts:
        yield f"combinations of {each.strength}: {each.shown:,} of {each.needed:,} ({each.percent:.1f} %)"
    if found.lacking:
        yield f"missing ({found.lacking:,}):"
        yield from (f"  {word}" for word in found.missing[:SHOWN])
        if found.lacking > SHOWN:
            yield f"  and {found.lacking - SHOWN:,} more (--format json)"
    yield f"to add: {how_many(len(found.to_add), 'input')}"
    for number, case in enumerate(found.to_add):
        if number == SHOWN:
            yield f"  and {len(found.to_add) - SHOWN:,} more (--format csv)"
            return
        yield f"  {case.value!r}"
