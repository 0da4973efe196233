"""What an exploration answers: objects as cases, counts, and what was noticed; for people and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, TypeAlias

from unlike.classes.api import Api
from unlike.classes.evidence import Outcome, Revealed
from unlike.classes.policy import list_some
from unlike.classes.result import Result
from unlike.errors import how_many
from unlike.heap.field_values import Extensions
from unlike.suite import Ending, Status, Suite
from unlike.writers.envelope import Envelope, Medium, Notice, NoticeKind, ObjectCases, Page, Remark
from unlike.writers.pytest_file.files import object_pages

if TYPE_CHECKING:
    from unlike.behaviour.result import ChosenCases
    from unlike.classes.protocols import BrokenProtocol

LOOKED_AT = 10_000  # objects within the states of a search that ran out of time: looking at more would take more of it
OUTCOMES = {  # of several calls
    Outcome.NEW: "new states",
    Outcome.KNOWN: "known states",
    Outcome.PRECONDITION: "preconditions violated",
    Outcome.ERROR: "errors revealed",
}
NOT_AGAIN = " (not seen again when the sequence was run once more)"
NOT_ASKED = "stopped before all was asked of the objects that they promise"
MOST_PRINTED = 20  # lines of what a failing call printed
Protocols: TypeAlias = "Sequence[BrokenProtocol]"
Errors: TypeAlias = list[tuple[Revealed, list[str]]]
INSTEAD = "take one per shape (--one-per-shape), some at random (--sample N), or one after the other (--format jsonl)"


def answer_of(result: Result, *, few: str = "", explain: bool = False, looks: bool = True) -> Envelope:
    """Return the answer; only one that `looks` at the objects counts field values and tries errors again."""
    errors = [(group[0], _lines_of(result, group, looks=looks)) for group in _groups(result)]
    errors.sort(key=lambda each: each[1][0].endswith(NOT_AGAIN))  # what cannot be shown again comes last
    try:
        protocols: Protocols = result.protocols if looks else ()
    except KeyboardInterrupt:  # what was found before is shown
        protocols, few = (), "\n".join(filter(None, (few, NOT_ASKED)))
    values = field_values_of(result) if looks else None
    chosen = _chosen_calls(result)
    return Envelope(
        status=result.delivered,
        guarantee=result.suite.guarantee if result.selected else result.guarantee,
        counts=_counts(result, values),
        findings=(
            *(Notice("note", line) for line in few.splitlines()),
            *_findings(result, errors, protocols),
            *(_dark_notices(chosen) if chosen else ()),
        ),
        contents=ObjectCases(
            lambda: result.suite,
            result.api.classes[0].__name__,
            lambda medium: _write_tests(result, medium, of_calls=chosen is not None),
            instead=INSTEAD,
        ),
        text=lambda: _text(result, values, errors, protocols, few),
        explanation=result.explanation if explain else "",
        remarks=(Remark(str(result.delivered)),),
        number=result.suite.count() if result.selected else result.states,
    )


def listing_of(api: Api) -> Envelope:
    """Return what can be called, and why the rest cannot."""
    called = [Notice("operation", str(each), each.kind.value) for each in api.operations]
    return Envelope(
        status=Status(Ending.COMPLETE),
        words="all operations are listed",
        counts={"operations": len(called), "refusals": len(api.refusals)},
        findings=(*called, *_not_called(api)),
        text=lambda: iter([api.listing()]),
    )


def _chosen_calls(result: Result) -> ChosenCases | None:
    """Return the calls that were chosen by code; None where objects are handed out."""
    if not result.selected:
        return None
    from unlike.behaviour.result import ChosenCases  # loaded only when used

    cases = result.suite.cases
    return cases if isinstance(cases, ChosenCases) else None


def _dark_notices(chosen: ChosenCases) -> Iterator[Notice]:
    from unlike.cli.by_code import list_dark  # loaded only when used

    return list_dark(chosen)


def _write_tests(result: Result, medium: Medium, *, of_calls: bool) -> Iterator[Page]:
    if not of_calls:
        return object_pages(result, medium)
    from unlike.writers.pytest_file.chosen_calls import call_pages  # loaded only when used

    return call_pages(result, medium)


def field_values_of(result: Result) -> Extensions:
    """Return the field values; of some objects only, where the time is used up."""
    late = result.status.ending in (Ending.TIMEOUT, Ending.INTERRUPTED)
    return result.extensions(LOOKED_AT) if late else result.extensions()


def _counts(result: Result, values: Extensions | None) -> dict[str, object]:
    counts: dict[str, object] = {
        "cases": result.suite.count() if result.selected else result.states + len(result.further),
        "objects": result.states,
        "others": dict(result.others),
        "calls": result.calls,
        "outcomes": {outcome.value: result.outcomes[outcome] for outcome in Outcome},
    }
    if chosen := _chosen_calls(result):
        counts |= {"branches": chosen.branches, "shown": chosen.shown, "not_reached": len(chosen.dark)}
    if result.further:
        counts["further"] = len(result.further)
    if result.abstract:
        counts["paths"] = sum(result.outcomes.values())
    if values is not None:
        counts["by_size"] = {str(size): count for size, count in result.by_size.items()}
        counts["field_values"] = values.count()
        counts["fields"] = len(values.pairs)
        counts["objects_looked_at"] = result.states if values.first is None else values.first
    return counts


def _findings(result: Result, errors: Errors, protocols: Protocols) -> Iterator[Notice]:
    """Yield everything that the text says besides numbers."""
    for error, lines in errors:
        yield Notice("error", "\n".join(lines), error.operation, error.recipe, error.times)
    for broken in protocols:
        kind: NoticeKind = "note" if broken.is_note else "protocol"
        yield Notice(kind, f"{broken}\n{broken.sequence}", broken.protocol, broken.recipe, broken.times)
    if result.counting:
        yield Notice("note", result.counting)
    for title in result.unsteady:
        yield Notice("unsteady", "did something else when it was called again", title)
    for place, title in result.leaks.items():
        yield Notice("leak", f"changes {place}, which is outside the objects", title)
    yield from _not_called(result.api)


def _not_called(api: Api) -> Iterator[Notice]:
    for refusal in api.refusals:
        yield Notice("not called", "; ".join(part for part in (refusal.reason, refusal.remedy) if part), refusal.title)


def _groups(result: Result) -> list[list[Revealed]]:
    """Return the errors, alike ones together."""
    if not result.errors:
        return []
    from unlike.classes.second_look import group_alike  # loaded only when used

    return group_alike(result.errors)


def _lines_of(result: Result, group: Sequence[Revealed], *, looks: bool) -> list[str]:
    """Return what is said of an error: what happened, by which calls, what they printed, who else led there."""
    error, *alike = group
    steady = not looks or result.reproduces(error)
    again = "" if steady else NOT_AGAIN
    printed = [f"printed: {line}" for line in error.output.splitlines()[-MOST_PRINTED:]]
    also = dict.fromkeys(each.operation for each in alike if each.operation != error.operation)
    others = [f"the same by {list_some(list(also))}"] if also else []
    doubts = [f"likely meant: {error.doubt}"] if error.doubt else []
    return [f"{error}{again}", error.sequence, *others, *doubts, *printed]


def _text(result: Result, values: Extensions | None, errors: Errors, protocols: Protocols, few: str) -> Iterator[str]:
    if few:
        yield few
    yield f"{how_many(result.states, result.noun)} of {result.name} within {result.scope}"
    yield from (f"  {how_many(count, 'object')} of {name} found on the way" for name, count in result.others.items())
    along = f" along {sum(result.outcomes.values()):,} paths" if result.abstract else ""
    numbers = {outcome: result.outcomes[outcome] for outcome in Outcome}
    outcomes = ", ".join(
        f"{each:,} {OUTCOMES.get(kind, kind) if each != 1 else kind}" for kind, each in numbers.items()
    )
    yield f"{how_many(result.calls, 'call')}{along}: {outcomes}"
    yield "by size: " + ", ".join(f"{size}: {count:,}" for size, count in result.by_size.items())
    yield str(values)
    if result.counting:
        yield result.counting
    yield from (f"not deterministic: {title} did something else when it was called again" for title in result.unsteady)
    yield from (f"state outside the objects: {title} changes {place}" for place, title in result.leaks.items())
    yield from result.api.not_called("not called: ")
    for _, lines in errors:
        yield f"error: {lines[0]}"
        yield from (f"       {line}" for line in lines[1:])
    for broken in protocols:
        heading = "note" if broken.is_note else "protocol"
        yield f"{heading}: {broken}"
        yield f"{' ' * len(heading)}  {broken.sequence}"
    yield from (f"further object: {case.label}" for case in result.further)
    if result.selected:
        yield from _cases(result.suite)
    if chosen := _chosen_calls(result):
        yield from map(str, chosen.dark)
        yield from (f"note: {words}" for words in chosen.remarks)
        yield result.suite.guarantee


def _cases(suite: Suite) -> Iterator[str]:
    """Yield the cases as lines of text: the calls, and below them what the object stands for."""
    for case in suite:
        calls, _, stands_for = case.label.partition("\n")
        yield f"{case.id}: {calls}"
        if stands_for or case.why:
            yield f"    {stands_for or case.why}"
