"""The verbs on JSON Schema: instances that show its choices, each accepted by an independent validator."""

from __future__ import annotations

import contextlib
from dataclasses import replace
from typing import Any

from unlike.core import CutShort, Deadline, Timeout
from unlike.documents.json_schema.document import JsonSchema
from unlike.documents.json_schema.examples import examples_in
from unlike.documents.json_schema.keywords import identity
from unlike.documents.json_schema.reader import NoInstanceError, ReadSchema
from unlike.errors import how_many
from unlike.language.differences import CoverStructure
from unlike.specs.generate import with_detail
from unlike.structure.cover.leaves import check_strength
from unlike.structure.cover.outcome import AcceptedInput
from unlike.structure.cover.runner import LISTED
from unlike.structure.cover.tuples import Combining
from unlike.structure.paired_bounds import list_short_ranges
from unlike.structure.shapes import EACH, Bare, Constants, Judged, Shape, first_failed, shown_path
from unlike.suite import Ending, Status, Suite
from unlike.typed.combining import combining_of
from unlike.typed.conditions import HowMany, conditions_of
from unlike.typed.generate import TypeCases, check_asked, covering, explanation_of, guarantee_of, no_coverage

FEW_IN_TIME = 3  # instances, if the time was over before the choices were known
GRACE = 0.6  # seconds that they may take
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
    combining: Combining | None = None,
) -> Suite:
    """Return instances of a schema that show its choices as they are written.

    Every instance is accepted by the validator. "No instance exists" is said only if it is proved; a schema for which
    neither an instance nor a proof is found is unknown.
    """
    check_asked(n, seed)
    deadline = Deadline.of(timeout)
    asked = cover.strength if isinstance(cover, CoverStructure) else cover
    combining = combining or combining_of(asked)
    strength = check_strength("pairs" if combining is not None else asked or "each")
    why = ""
    for thorough in (False, True):
        try:
            read = schema.read(depth=depth, thorough=thorough, deadline=deadline)
        except CutShort as short:
            return _few_in_time(schema, short.status, n, where, depth=depth, seed=seed)
        except NoInstanceError as none:
            if not none.doubts:
                return _nothing(schema, Status(Ending.UNSATISFIABLE, str(none), (str(none),)), "no instance exists")
            why = f"{none}, but {none.doubts[0]}"
            continue
        judged = schema.judge(read) if combining is None else list_short_ranges(schema.judge(read))
        more: dict[str, Any] = {"where": where, "deadline": deadline, "seed": seed, "combining": combining}
        suite = covering(judged, strength, n, name=schema.name, **more)
        if suite.status.ending is Ending.TIMEOUT and not len(suite):
            return _few_in_time(schema, suite.status, n, where, depth=depth, seed=seed)
        if len(suite):
            suite = _add_others(suite, schema, n, where, deadline, depth=depth, seed=seed)
            suite, given = _add_examples(suite, judged, schema, n, where, deadline)
            found = _add_reading(suite, read, n, conditions_of(where, judged).words)
            return _add_remarks(replace(found, guarantee=found.guarantee + given), schema.document.remarks)
        if suite.status.ending is Ending.INTERRUPTED:
            return suite
        why = suite.status.detail
    with contextlib.suppress(CutShort):
        whole = schema.whole(LISTED, deadline)
        if whole.values is not None:
            return _list_all(schema, whole.values, n, where)
    return _nothing(schema, Status(Ending.UNKNOWN, f"neither an instance nor a proof that there is none: {why}"), "")


def _few_in_time(schema: JsonSchema, status: Status, n: HowMany, where: object, *, depth: int, seed: int) -> Suite:
    """Return a few instances of what must be there, where the time was over before there was any."""
    deadline = Deadline.of(GRACE)
    most = min(n, FEW_IN_TIME) if isinstance(n, int) else FEW_IN_TIME
    try:
        read = schema.read(depth=depth, small=True, deadline=deadline)
        few = covering(schema.judge(read), "each", most, name=schema.name, where=where, deadline=deadline, seed=seed)
    except (CutShort, NoInstanceError):
        return _nothing(schema, status, "")
    if not len(few):
        return _nothing(schema, status, "")
    guarantee = f"{how_many(len(few), 'instance')}, each accepted by the validator, no two equal"
    return replace(few, status=status, guarantee=guarantee)


def _add_others(
    suite: Suite, schema: JsonSchema, n: HowMany, where: object, deadline: Deadline, *, depth: int, seed: int
) -> Suite:
    """Return the suite with values that the schema does not speak of, if its choices give fewer than are asked for."""
    if not isinstance(n, int) or len(suite) >= n or suite.status.ending is not Ending.UNKNOWN:
        return suite
    assert isinstance(suite.cases, TypeCases)
    shape = suite.cases.shape
    known = {identity(value) for value in suite.values}
    rows, labels = list(suite.cases.rows), [case.label for case in suite]
    try:
        read = schema.read(depth=depth, wide=True, deadline=deadline)
        others = covering(schema.judge(read), "each", n, name=schema.name, where=where, deadline=deadline, seed=seed)
    except (CutShort, NoInstanceError):
        return suite
    for case in others:
        if len(rows) < n and identity(case.value) not in known:
            known.add(identity(case.value))
            rows.append(AcceptedInput(Bare(case.value), []))
            labels.append(case.label)
    status = Status(Ending.FOUND) if len(rows) == n else suite.status
    return replace(suite, cases=TypeCases(shape, rows, suite.cases.coverage, labels=labels), status=status)


def _add_examples(
    suite: Suite, judged: Shape, schema: JsonSchema, n: HowMany, where: object, deadline: Deadline
) -> tuple[Suite, str]:
    """Return the suite with the examples and defaults of a description that are legal and not in it, and how many."""
    if suite.status.ending in (Ending.COMPLETE, Ending.TIMEOUT, Ending.INTERRUPTED):
        return suite, ""
    assert isinstance(suite.cases, TypeCases)
    assert isinstance(judged, Judged)
    checks = (*judged.checks, *conditions_of(where, judged).checks)
    known = {identity(value) for value in suite.values}
    rows, labels = list(suite.cases.rows), [case.label for case in suite]
    shown: set[tuple[str, object]] = set()
    for each in deadline.within_time(examples_in(schema.validator, suite.values)):
        if isinstance(n, int) and len(rows) >= n:
            break
        place = shown_path(tuple(EACH if isinstance(step, int) else step for step in each.place))
        if (place, identity(each.value)) in shown or identity(each.whole) in known:
            continue
        if first_failed(checks, each.whole) is None:
            shown.add((place, identity(each.value)))
            known.add(identity(each.whole))
            rows.append(AcceptedInput(Bare(each.whole), []))
            labels.append(f"{place}: {each.word} {each.value!r}")
    if not shown:
        return suite, ""
    cases = TypeCases(suite.cases.shape, rows, suite.cases.coverage, labels=labels)
    return replace(suite, cases=cases), f"; {len(shown)} of them with an example or a default of the description"


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
