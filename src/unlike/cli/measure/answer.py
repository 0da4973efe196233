"""What a measurement answers: a table of suites, the survivors with their verdicts, and the fewest cases."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from unlike.cli.diff.answer import join_tests
from unlike.errors import how_many
from unlike.measure.lines import RunParts
from unlike.measure.measurement import Fewest, MeasuredSuite, Measurement, fewest_by_branches, fewest_by_kills
from unlike.measure.mutants.switch import Mutant
from unlike.measure.survivors import KILLED, PROVED, UNDECIDED, JudgedMutant
from unlike.suite import Ending, Status
from unlike.writers.envelope import DataCases, Envelope, Notice, Remark

HEADS = (
    *("suite", "inputs", "to make", "to run", "lines", "branches", "killed", "alone", "field values"),
)  # fmt: skip
ORDER = (KILLED, UNDECIDED, PROVED)


def answer_of(found: Measurement, *, smallest: str | None, add: str | None, matrix: bool) -> Envelope:
    """Return the answer."""
    survivors = found.survivors
    few = _fewest(found, smallest) if smallest and not found.status.cut_short else []
    killed = len(found.kills) - len(survivors)
    words = f"{killed:,} of {how_many(len(found.kills), 'mutant')} killed"
    counts = {
        "mutants": len(found.kills),
        "killed": killed,
        "survive": len(survivors),
        **{key: sum(each.word == word for each in found.judged) for key, word in _KEYS.items()},
    }
    return Envelope(
        status=found.status if found.status.cut_short else Status(Ending.FOUND, words),
        words=str(found.status) if found.status.cut_short else words,
        guarantee=_guarantee(found),
        counts=counts,
        findings=tuple(_findings(found)),
        contents=DataCases(
            {
                "format": "unlike measurement",
                "mutants_of": {"module": found.subject.module, "names": list(found.subject.names)},
                "suites": [_row_data(each) for each in found.rows],
                "mutants": [_mutant_data(found, place, matrix=matrix) for place in range(len(found.kills))],
                "fewest": [_few_data(found, each) for each in few],
            }
        ),
        text=lambda: _text(found, few, add),
        remarks=tuple(Remark(f"note: {each}", is_note=True) for each in found.remarks),
        number=len(survivors),
    )


_KEYS = {"killed_by_larger": KILLED, "equivalent": PROVED, "undecided": UNDECIDED}


def _guarantee(found: Measurement) -> str:
    proved = sum(each.word == PROVED for each in found.judged)
    if not proved:
        return ""
    return f"{how_many(proved, 'surviving mutant')} cannot be told from the original within the scope (proved)"


def _findings(found: Measurement) -> Iterator[Notice]:
    for each in found.judged:
        if each.word != PROVED:
            yield Notice(
                "missing" if each.word == KILLED else "undecided",
                f"{each.mutant.what}\n{each.word}: {each.why}",
                f"line {each.mutant.line}",
            )
    yield from (Notice("note", each) for each in found.remarks)


def _fewest(found: Measurement, by: str) -> list[Fewest]:
    choose = fewest_by_kills if by == "kills" else fewest_by_branches
    return [choose(found, row.name) for row in found.rows if by == "kills" or row.name not in found.tests]


def tests_to_add(found: Measurement) -> str:
    """Return a file of tests that kill survivors."""
    names = ", ".join(found.subject.names)
    return join_tests(distinct_tests(found), f"Tests of {names}: each fails with a change that no other test noticed.")


def distinct_tests(found: Measurement) -> list[str]:
    """Return the tests that kill survivors, each once."""
    tests: dict[str, str] = {}
    for each in found.judged:
        if each.test:
            tests.setdefault(each.test.partition('"""\n')[2] or each.test, each.test)
    return list(tests.values())


# -- data ------------------------------------------------------------------------------------------------


def _row_data(row: MeasuredSuite) -> dict[str, object]:
    parts = row.parts
    return {
        "name": row.name,
        "inputs": row.inputs,
        "calls": row.calls,
        "seconds_to_make": round(row.seconds_to_make, 3),
        "seconds_to_run": round(row.seconds_to_run, 3),
        "lines": None if parts is None else [parts.lines, parts.all_lines],
        "branches": None if parts is None else [parts.branches, parts.all_branches],
        "killed": row.killed,
        "alone": row.alone,
        "field_values": row.field_values,
    }


def _mutant_data(found: Measurement, place: int, *, matrix: bool) -> dict[str, object]:
    kills = found.kills[place]
    mutant = kills.mutant
    judged = next((each for each in found.judged if each.mutant is mutant), None)
    by = {
        name: [_case_text(found, name, each) for each in (places if matrix else places[:1])]
        for name, places in kills.by.items()
    }
    return {
        "number": mutant.number,
        "line": mutant.line,
        "operator": mutant.operator,
        "change": mutant.what,
        "killed_by": by,
        "verdict": "killed" if kills.by else judged.word if judged is not None else "survives",
        "why": kills.why if kills.by else judged.why if judged is not None else "",
        "test": judged.test if judged is not None else "",
    }


def _few_data(found: Measurement, few: Fewest) -> dict[str, object]:
    return {
        "suite": few.suite,
        "cases": [_case_text(found, few.suite, each) for each in few.places],
        "at_least": few.bound,
        "of": few.total,
        "exact": few.is_exact,
    }


def _case_text(found: Measurement, suite: str, place: int) -> str:
    if place < 0:
        return "the module does not import"
    if suite in found.tests:
        return found.tests[suite][place]
    assert found.recorded is not None
    return str(found.recorded.trials[place])


# -- for people ------------------------------------------------------------------------------------------


def _text(found: Measurement, few: Sequence[Fewest], add: str | None) -> Iterator[str]:
    total = len(found.kills)
    yield f"{found.subject.module}:{', '.join(found.subject.names)}: {how_many(total, 'mutant')}"
    yield from _table([HEADS, *(_cells(each, total) for each in found.rows)])
    for each in few:
        yield ""
        yield from _few_text(found, each)
    survivors = found.survivors
    if not survivors:
        yield "no mutant survives"
        return
    yield ""
    yield f"{how_many(len(survivors), 'mutant')} survive{'s' if len(survivors) == 1 else ''}:"
    known = {each.mutant.number for each in found.judged}
    for word in ORDER:
        yield from _judged_text(word, [each for each in found.judged if each.word == word])
    yield from (f"  {each} ({each.operator})" for each in sorted(survivors, key=_place) if each.number not in known)
    if add is not None:
        tests = sum(each.startswith(("import", "from", "def")) for each in distinct_tests(found))
        yield f"{how_many(tests, 'test')} for what a larger scope kills: {add}"


def _judged_text(word: str, judged: Sequence[JudgedMutant]) -> Iterator[str]:
    if judged:
        yield f"{word} ({len(judged)}):"
    for each in sorted(judged, key=lambda each: _place(each.mutant)):
        yield f"  {each.mutant} ({each.mutant.operator})"
        yield f"    {each.why}"


def _place(mutant: Mutant) -> tuple[int, int]:
    return mutant.line, mutant.number


def _few_text(found: Measurement, few: Fewest) -> Iterator[str]:
    bound = "no fewer can" if few.is_exact else f"at least {few.bound:,} are needed"
    yield f"{few.suite}: {how_many(len(few.places), 'case')} of {few.total:,} show the same {few.shown:,} ({bound}):"
    yield from (f"  {_case_text(found, few.suite, each)}" for each in few.places)


def _cells(row: MeasuredSuite, total: int) -> tuple[str, ...]:
    percent = f"{100 * row.killed / total:.1f} %" if total else ""
    return (
        row.name,
        f"{row.inputs:,}",
        f"{row.seconds_to_make:.2f} s",
        f"{row.seconds_to_run:.2f} s",
        _share(row.parts, "lines"),
        _share(row.parts, "branches"),
        f"{row.killed:,} ({percent})",
        f"{row.alone:,}",
        "–" if row.field_values is None else f"{row.field_values:,}",
    )


def _share(parts: RunParts | None, name: str) -> str:
    if parts is None:
        return "–"
    run, every = (getattr(parts, key) for key in (name, f"all_{name}"))
    return f"{run}/{every}"


def _table(rows: Sequence[Sequence[Any]]) -> Iterator[str]:
    widths = [max(len(row[place]) for row in rows) for place in range(len(rows[0]))]
    for row in rows:
        cells = [row[0].ljust(widths[0]), *(each.rjust(width) for each, width in zip(row[1:], widths[1:], strict=True))]
        yield "  ".join(cells).rstrip()
