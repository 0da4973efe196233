"""The verb: a subject and suites -> which mutants each kills, what else it shows, what is known of the survivors."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from unlike.core import CutShort, Exploration
from unlike.covering_arrays import choose_fewest, count_needed
from unlike.isolation.copy import mark
from unlike.measure.by_pytest import run_folder, run_plainly
from unlike.measure.kills import (
    Kills,
    OriginalRecord,
    killed_by_nobody_else,
    record_original,
    run_mutants,
    seconds_to_run,
)
from unlike.measure.lines import NOT_INSTALLED, RunParts, branches_of, can_count, parts_run
from unlike.measure.mutants.switch import Mutant
from unlike.measure.subject import MeasuredCode
from unlike.measure.suites.made import MadeSuite
from unlike.measure.survivors import JudgedMutant, SurvivorQuestion, judge_survivor
from unlike.measure.trials import CodeTrial, Tries
from unlike.progress import report
from unlike.suite import Ending, Status

STEPS = 200_000  # of the search for the fewest cases


@dataclass(frozen=True, slots=True)
class MeasuredSuite:
    """A row of the table."""

    name: str
    inputs: int
    calls: int  # tries that are made of them
    seconds_to_make: float
    seconds_to_run: float
    killed: int
    alone: int  # killed by no other suite
    parts: RunParts | None = None
    field_values: int | None = None


@dataclass(slots=True)
class Measurement:
    """What suites make of the mutants of a subject."""

    subject: MeasuredCode
    rows: list[MeasuredSuite] = field(default_factory=list)
    kills: list[Kills] = field(default_factory=list)
    judged: list[JudgedMutant] = field(default_factory=list)
    seconds: float = 0.0  # for the mutants
    remarks: list[str] = field(default_factory=list)
    status: Status = field(default_factory=lambda: Status(Ending.FOUND))
    recorded: OriginalRecord | None = None
    tests: dict[str, list[str]] = field(default_factory=dict)  # of pytest suites: the names of their tests

    @property
    def survivors(self) -> list[Mutant]:
        """The mutants that no suite kills."""
        return [each.mutant for each in self.kills if not each.is_killed]


@dataclass(frozen=True, slots=True)
class MeasureQuestion:
    """What is to be found out."""

    question: Exploration
    matrix: bool = False
    messages: bool = False
    survivors: bool = True
    inputs: object = None
    write: Callable[..., str] | None = None  # a test for a difference


def measure_suites(subject: MeasuredCode, suites: Sequence[MadeSuite], wanted: MeasureQuestion) -> Measurement:
    """Return what each suite kills and shows; at the deadline what is known by then."""
    found = Measurement(subject, remarks=[remark for each in suites for remark in each.remarks])
    question = wanted.question
    try:
        with subject.in_place():
            _run_all(found, suites, wanted)
        if wanted.survivors:
            _judge_all(found, suites, wanted)
    except CutShort as cut:
        found.status = cut.status
    del question
    return found


def _run_all(found: Measurement, suites: Sequence[MadeSuite], wanted: MeasureQuestion) -> None:
    """Run the mutants on all suites, and fill in the table."""
    subject, question = found.subject, wanted.question
    tried = [each for each in suites if not each.folder]
    found.recorded = recorded = record_original(subject, tried, question, messages=wanted.messages)
    if recorded.left_out:
        found.remarks.append(f"{recorded.left_out:,} calls do not come to the same each time, and are left out")
    by_number = {mutant.number: Kills(mutant) for mutant in subject.mutants}
    try:
        if tried:
            _, found.seconds = run_mutants(
                subject, recorded, question, matrix=wanted.matrix, messages=wanted.messages,
                each=lambda kills: by_number.update({kills.mutant.number: kills}),
            )  # fmt: skip
        for suite in (each for each in suites if each.folder):
            _run_tests(found, suite, by_number, wanted)
    finally:  # what is known at the deadline stays
        found.kills = list(by_number.values())
    if not can_count():
        found.remarks.append(NOT_INSTALLED)
    for suite in suites:
        found.rows.append(_row(found, suite, recorded, question))
    alone = killed_by_nobody_else(found.kills, [each.name for each in suites])
    found.rows = [replace(row, alone=alone[row.name]) for row in found.rows]


def _run_tests(found: Measurement, suite: MadeSuite, by_number: dict[int, Kills], wanted: MeasureQuestion) -> None:
    """Run the mutants on a folder of pytest tests."""
    ran = run_folder(found.subject, suite.folder, found.subject.mutants, wanted.question, matrix=wanted.matrix)
    suite.inputs, suite.seconds = len(ran.names), ran.seconds
    found.tests[suite.name] = ran.names
    found.seconds += ran.seconds_for_mutants
    suite.field_values = None
    suite.seconds_to_run = ran.seconds_to_run
    if ran.left_out:
        many = f"{len(ran.left_out):,} tests fail with the original, and are left out" if len(ran.left_out) > 1 else (
            "1 test fails with the original, and is left out"
        )  # fmt: skip
        found.remarks.append(f"{suite.name}: {many}: {ran.left_out[0]}")
    for number, places in ran.kills.items():
        if places:
            by_number[number].by[suite.name] = places


def _row(found: Measurement, suite: MadeSuite, recorded: OriginalRecord, question: Exploration) -> MeasuredSuite:
    """Return the row of a suite."""
    subject = found.subject
    plan = recorded.plans.get(suite.name, [])
    took = suite.seconds_to_run if suite.folder else seconds_to_run(subject, recorded, plan, question)
    parts = None
    if can_count():
        trials = [recorded.trials[place] for place in plan if recorded.came_to[place] is not None]
        isolation = replace(question.isolation, seconds_per_call=None) if suite.folder else question.isolation
        parts = parts_run(
            subject,
            (lambda: run_plainly(suite.folder)) if suite.folder else (lambda: _run_trials(subject, trials)),
            isolation,
            in_scratch=not suite.folder,
        )
    killed = sum(suite.name in each.by for each in found.kills)
    calls = suite.inputs if suite.folder else len(plan)
    return MeasuredSuite(suite.name, suite.inputs, calls, suite.seconds, took, killed, 0, parts, suite.field_values)


def _run_trials(subject: MeasuredCode, trials: Sequence[CodeTrial]) -> None:
    tries = Tries(subject)
    for trial in trials:
        mark(0)
        tries.views(trial)


def _judge_all(found: Measurement, suites: Sequence[MadeSuite], wanted: MeasureQuestion) -> None:
    """Judge the survivors, each with its share of the time."""
    scopes = [each.scope for each in suites if each.scope is not None]
    given = wanted.question.bounds.scope
    scope = max(scopes) if scopes else given if isinstance(given, int) else 3
    survivors = found.survivors
    for number, (mutant, share) in enumerate(wanted.question.deadline.shares(survivors)):
        report("judging survivors", number, of=len(survivors))
        question = replace(wanted.question, deadline=share)
        asked = SurvivorQuestion(question, scope, bool(scopes), wanted.inputs, wanted.messages, wanted.write)
        found.judged.append(judge_survivor(found.subject, mutant, asked))


# -- the fewest cases ------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class Fewest:
    """A few cases of a suite that show what all of them do, and how many fewer cannot be."""

    suite: str
    places: list[int]  # among the tries of the suite, or its tests
    bound: int  # at least so many are needed
    total: int
    shown: int  # mutants or branches

    @property
    def is_exact(self) -> bool:
        """Whether no fewer cases do."""
        return len(self.places) == self.bound


def fewest_by_kills(found: Measurement, name: str) -> Fewest:
    """Return the fewest tries of a suite that kill what all of them kill; all kills have to be known."""
    plan = list(range(len(found.tests[name]))) if name in found.tests else (
        list(dict.fromkeys(found.recorded.plans[name])) if found.recorded else []
    )  # fmt: skip
    shown: dict[int, set[int]] = {place: set() for place in plan}
    for each in found.kills:
        for place in each.by.get(name, ()):
            if place in shown:
                shown[place].add(each.mutant.number)
    return fewest_of(name, plan, [shown[place] for place in plan])


def fewest_of(name: str, plan: Sequence[int], shown: Sequence[set[int]]) -> Fewest:
    """Return the fewest of some that show all that is shown."""
    chosen, is_exact = choose_fewest(shown, STEPS)
    needed = len(chosen) if is_exact else count_needed(shown)
    return Fewest(name, [plan[each] for each in chosen], needed, len(plan), len(set[int]().union(*shown)))


def fewest_by_branches(found: Measurement, name: str) -> Fewest:
    """Return the fewest tries of a suite that run every branch that all of them run."""
    assert found.recorded is not None
    plan = list(dict.fromkeys(found.recorded.plans[name]))
    trials = [found.recorded.trials[place] for place in plan]
    with found.subject.in_place():
        runs = [functools.partial(_run_trials, found.subject, [each]) for each in trials]
        shown = branches_of(found.subject, runs)
    numbers = {each: number for number, each in enumerate(dict.fromkeys(arc for arcs in shown for arc in arcs))}
    return fewest_of(name, plan, [{numbers[each] for each in arcs} for arcs in shown])
