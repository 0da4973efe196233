"""The verbs on JSON Schema: instances that show its choices, each accepted by an independent validator."""

from __future__ import annotations

import contextlib
from dataclasses import replace

from unlike.core import CutShort, Deadline, Timeout
from unlike.documents.json_schema.document import JsonSchema
from unlike.documents.json_schema.reader import NoInstanceError, ReadSchema
from unlike.errors import how_many
from unlike.language.differences import CoverStructure
from unlike.specs.generate import with_detail
from unlike.structure.cover.execute import LISTED
from unlike.structure.cover.leaves import check_strength
from unlike.structure.cover.outcome import AcceptedInput
from unlike.structure.shapes import Bare, Constants, first_failed
from unlike.suite import Ending, Status, Suite
from unlike.typed.conditions import HowMany, conditions_of
from unlike.typed.generate import TypeCases, check_asked, covering, explanation_of, guarantee_of, no_coverage

FEW = 20  # instances, where it is not known which choices they show


def generate_schema(
    schema: JsonSchema,
    n: HowMany = None,
    *,
    cover: str | CoverStructure | None = None,
    where: object = (),
    timeout: Timeout = None,
    seed: int = 0,
    depth: int = 2,
) -> Suite:
    """Return instances of a schema that show its choices as they are written.

    Every instance is accepted by the validator. "No instance exists" is said only if it is proved; a schema for which
    neither an instance nor a proof is found is unknown.
    """
    check_asked(n, seed)
    deadline = Deadline.of(timeout)
    cover = cover.strength if isinstance(cover, CoverStructure) else cover
    strength = check_strength(cover or "each")
    why = ""
    for thorough in (False, True):
        try:
            read = schema.read(depth=depth, thorough=thorough, deadline=deadline)
        except CutShort as short:
            return _nothing(schema, short.status, "")
        except NoInstanceError as none:
            if not none.doubts:
                return _nothing(schema, Status(Ending.UNSATISFIABLE, str(none), (str(none),)), "no instance exists")
            why = f"{none}, but {none.doubts[0]}"
            continue
        suite = covering(schema.judge(read), strength, n, name=schema.name, where=where, deadline=deadline, seed=seed)
        if suite.status.ending in (Ending.TIMEOUT, Ending.INTERRUPTED) and not len(suite):
            return suite
        if len(suite):
            found = _add_reading(suite, read, n, conditions_of(where, schema.judge(read)).words)
            return _add_remarks(found, schema.document.remarks)
        why = suite.status.detail
    with contextlib.suppress(CutShort):
        whole = schema.whole(LISTED, deadline)
        if whole.values is not None:
            return _list_all(schema, whole.values, n, where)
    return _nothing(schema, Status(Ending.UNKNOWN, f"neither an instance nor a proof that there is none: {why}"), "")


def _list_all(schema: JsonSchema, values: tuple[object, ...], n: HowMany, where: object) -> Suite:
    """Return instances from a list of all there are, where no choice led to any."""
    shape = schema.judge(ReadSchema(Constants(())))
    conditions = conditions_of(where, shape)
    kept = [each for each in values if first_failed(conditions.checks, each) is None]
    if not kept:
        tried = "all values that the keywords leave were tried"
        clash = (*conditions.words, tried)
        return _nothing(schema, Status(Ending.UNSATISFIABLE, "; ".join(clash), clash), "no instance exists")
    most = FEW if n is None else len(kept) if n == "all" else n
    rows = [AcceptedInput(Bare(each), []) for each in kept[:most]]
    labels = [f"value: {each.plain!r}" for each in rows]
    status = Status(Ending.COMPLETE, "all inputs there are")
    if len(rows) < len(kept):
        undecided = Status(Ending.UNKNOWN, f"{len(rows)} of {len(kept):,}; which choices they show is not known")
        status = undecided if n is None else Status(Ending.FOUND)
    guarantee = f"{how_many(len(rows), 'instance')}, each accepted by the validator, no two equal"
    return Suite(schema.name, TypeCases(shape, rows, no_coverage("each"), labels=labels), status, guarantee)


def _add_remarks(suite: Suite, remarks: tuple[str, ...]) -> Suite:
    """Return the suite with what a user should know of the document."""
    for remark in remarks:
        told = f"{suite.explanation}\nnote: {remark}"
        suite = replace(suite, status=with_detail(suite.status, remark), explanation=told)
    return suite


def _nothing(schema: JsonSchema, status: Status, guarantee: str) -> Suite:
    return Suite(schema.name, TypeCases(Constants(()), (), no_coverage("each")), status, guarantee)


def _add_reading(suite: Suite, read: ReadSchema, n: HowMany, words: tuple[str, ...]) -> Suite:
    """Return the suite with what the schema itself makes impossible, and what is left out of a large one."""
    assert isinstance(suite.cases, TypeCases)
    known = suite.cases.coverage
    impossible = tuple(each for each in dict.fromkeys(read.impossible) if each not in known.impossible)
    left_out = tuple(each for each in dict.fromkeys(read.left_out) if each not in known.left_out)
    coverage = replace(
        known,
        targets=known.targets + len(impossible) + len(left_out),
        impossible=(*impossible, *known.impossible),
        left_out=(*left_out, *known.left_out),
    )
    cases = replace(suite.cases, coverage=coverage)
    guarantee, explanation = guarantee_of(coverage, len(suite), described=True), explanation_of(coverage, words)
    status = suite.status
    # with n, that no more exist is said only of a list of all instances
    if read.left_out and (n, status.ending) in ((None, Ending.SHOWN), ("all", Ending.FOUND)):
        said = f"every choice is shown, except {len(read.left_out)} left out of a schema this large (--explain)"
        status = Status(Ending.UNKNOWN, said)
    for word, why in dict.fromkeys(read.given_way):
        status, explanation = with_detail(status, f"{word} {why}"), f"{explanation}\nnot kept: {word} ({why})"
    return replace(suite, cases=cases, status=status, guarantee=guarantee, explanation=explanation)
