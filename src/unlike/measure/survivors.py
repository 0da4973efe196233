"""Mutants that no suite kills: the shortest calls that would, a proof that none within the scope does, or why neither.

Each survivor is loaded beside the original, without a switch, and both are compared as `unlike diff` does.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

from unlike.core import CutShort, Deadline, Exploration
from unlike.diff.objects import Compared
from unlike.diff.verb import compare_versions
from unlike.diff.verdict import ShownDifference, Verdict
from unlike.errors import UnlikeError
from unlike.isolation import Answer, Death, call_in_copy
from unlike.measure.mutants.switch import Mutant
from unlike.measure.subject import MeasuredCode
from unlike.measure.suites.objects import with_scope
from unlike.suite import Ending

FOR_EACH = 20.0  # seconds for one survivor, where no --timeout is given
KILLED, PROVED, UNDECIDED = "killed by a larger scope", "equivalent within the scope (proved)", "undecided"


@dataclass(frozen=True, slots=True)
class JudgedMutant:
    """The verdict on a mutant that no suite kills."""

    mutant: Mutant
    word: str  # KILLED, PROVED or UNDECIDED
    why: str
    name: str = ""  # of what tells it apart
    difference: ShownDifference | None = None
    test: str = ""  # that kills it


@dataclass(frozen=True, slots=True)
class SurvivorQuestion:
    """How survivors are asked about: the scope that was tried, whether by a suite, and what functions are given."""

    question: Exploration
    scope: int
    is_tried: bool  # a suite explored it, and killed nothing
    inputs: object = None
    messages: bool = False
    write: Callable[[Compared, ShownDifference], str] | None = None  # a test


def judge_survivor(subject: MeasuredCode, mutant: Mutant, asked: SurvivorQuestion) -> JudgedMutant:
    """Return the verdict on one mutant."""
    rehearsed = call_in_copy(lambda: _rehearse(subject, mutant), asked.question.isolation, in_scratch=True)
    if not isinstance(rehearsed, Answer) or rehearsed.result:
        cause = rehearsed.cause if isinstance(rehearsed, Death) else getattr(rehearsed, "result", "it raises")
        return JudgedMutant(mutant, KILLED, f"the module does not import any more: {cause}")
    sides, mutated = subject.load_mutant(mutant)
    originals = subject.originals()
    with sides.in_place():
        pairs = [
            Compared(name, originals[name], mutated[name], sides, asked.messages)
            for name in subject.names_that_use(mutant)
        ]
        return _judge(mutant, pairs, asked)


def _rehearse(subject: MeasuredCode, mutant: Mutant) -> str:
    try:
        subject.load_mutant(mutant)
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # whatever its code raises now
        return type(error).__name__
    return ""


def _judge(mutant: Mutant, pairs: Sequence[Compared], asked: SurvivorQuestion) -> JudgedMutant:
    larger = asked.scope + 1
    scopes = [larger] if asked.is_tried else [asked.scope, larger]
    proved = 0
    why = ""
    for scope in scopes:
        found = _compare_all(mutant, pairs, asked, scope)
        if found.word == KILLED:
            return found
        if found.word == UNDECIDED:
            why = found.why
            break
        proved = scope
    if not proved and asked.is_tried:  # the larger scope was too large: the one that was tried
        found = _compare_all(mutant, pairs, asked, asked.scope)
        if found.word == KILLED:
            return found
        proved = asked.scope if found.word == PROVED else 0
        why = why if proved else found.why
    if not proved:
        return JudgedMutant(mutant, UNDECIDED, why)
    of_functions = all(not isinstance(pair.old, type) for pair in pairs)
    where = "for every input there is" if of_functions else f"within scope {proved}"
    return JudgedMutant(mutant, PROVED, where + (f"; at scope {larger} undecided: {why}" if why else ""))


def _compare_all(mutant: Mutant, pairs: Sequence[Compared], asked: SurvivorQuestion, scope: int) -> JudgedMutant:
    """Compare all that may behave otherwise: one difference is enough, and a proof needs all of them."""
    reasons = []
    for pair, share in asked.question.deadline.shares(list(pairs)):
        limited = share if share.ends is not None else Deadline.of(FOR_EACH)
        question = replace(with_scope(asked.question, scope), deadline=limited)
        verdict = _compare(pair, question, asked)
        if isinstance(verdict, str):
            reasons.append(f"{pair.name}: {verdict}")
            continue
        if verdict.difference is not None:
            shown = verdict.difference
            by = f"explore:{scope}: " if isinstance(pair.old, type) else ""
            test = asked.write(pair, shown) if asked.write is not None else ""
            why = f"{by}{shown.sequence}: {shown.old}, and the mutant {shown.new}"
            return JudgedMutant(mutant, KILLED, why, pair.name, shown, test)
        if verdict.only_old or verdict.only_new:
            return JudgedMutant(
                mutant, KILLED, f"{pair.name} has no {', '.join((*verdict.only_old, *verdict.only_new))}"
            )
        if verdict.status.cut_short or verdict.status.ending is not Ending.SHOWN:
            reasons.append(f"{pair.name}: {verdict.status if verdict.status.cut_short else verdict.guarantee}")
    return JudgedMutant(mutant, UNDECIDED, "; ".join(reasons)) if reasons else JudgedMutant(mutant, PROVED, "")


def _compare(pair: Compared, question: Exploration, asked: SurvivorQuestion) -> Verdict | str:
    """Return what a comparison comes to, or in words why there is none."""
    try:
        inputs: Any = None if isinstance(pair.old, type) else asked.inputs
        return compare_versions(pair, question, inputs)
    except CutShort as cut:
        return str(cut.status)
    except UnlikeError as error:
        return str(error)
