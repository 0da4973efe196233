"""From classes to guesses: which values their parameters take of which nothing is said.

Nothing is tried where everything is said. Otherwise each class is tried with ints as elements, and where these do not
make nearly every operation work, with texts, too; the flavour that makes more operations work is taken.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from unlike.classes.api import Kind, Operation, Wanted, list_operations
from unlike.classes.guessing.candidates import CandidateMaker, Subject
from unlike.classes.guessing.choose import choose
from unlike.classes.guessing.guesses import Guesses
from unlike.classes.guessing.kinds import FOREIGN, Flavour, kinds_by_name
from unlike.classes.guessing.trial import LEFT_OUT, Learned, Score, run_trial
from unlike.classes.pools import Pools, check_target
from unlike.classes.public import members_of
from unlike.core import FOREVER, USUAL, Deadline, Isolation
from unlike.foreign import package_of
from unlike.scope import Scope

FOREIGN_COST = 0.25  # of a parameter that takes only the other flavour, where an operation that works is worth 1
ENOUGH = 0.9  # of the operations: where so many work with one flavour, no other is tried
MAKING = r"(from|create|make|new|parse|of|default|empty|build)(_\w+)?"  # names of class methods that make an object
TRIED = 0.5  # of the time may be spent on trials
MOST_MAKERS = 2  # class methods of a companion that are tried beside its constructor
MOST_COMPANIONS = 8  # classes whose objects are made to be passed, those that these need included


def guess_values(
    targets: Sequence[object],
    scope: Scope,
    *,
    methods: str | None = None,
    leave_out: Iterable[str] = (),
    isolation: Isolation = USUAL,
    deadline: Deadline = FOREVER,
) -> Guesses:
    """Return values for the parameters of the classes among the targets of which nothing is said."""
    classes = [each for each in targets if isinstance(each, type)]
    for cls in classes:
        check_target(cls)
    pools = Pools(scope, tuple(classes), isolation, deadline)
    found, trial = Guesses(active=True), deadline.part(TRIED)
    for cls in classes:
        operations = list_operations(cls, methods, leave_out)
        found = _together(found, _guess_class(cls, operations, pools, isolation, trial), tuple(classes))
    if trial.is_over():
        return replace(found, cut=deadline.status(f"{deadline.seconds or 0:g} s, while values were tried"))
    return found


def _together(one: Guesses, other: Guesses, classes: tuple[type, ...]) -> Guesses:
    companions = dict.fromkeys(each for each in (*one.companions, *other.companions) if each not in classes)
    return Guesses(
        {**one.pools, **other.pools},
        one.always_passed | other.always_passed,
        {**one.refused, **other.refused},
        tuple(companions),
        one.texts or other.texts,
        (*one.never, *other.never),
        {**one.makers, **other.makers},
        active=True,
    )


def _guess_class(
    cls: type, operations: Sequence[Operation], pools: Pools, isolation: Isolation, deadline: Deadline
) -> Guesses:
    """Return the guesses for one class."""
    best: tuple[float, Flavour, list[Subject], list[Learned]] | None = None
    for flavour in deadline.within_time(Flavour):
        subjects = _subjects(cls, operations, replace(pools, texts=flavour is Flavour.TEXTS), flavour)
        if not any(guessed for each in subjects for guessed in each.guessed) and _can_be_made(
            cls, subjects, isolation, deadline
        ):
            return Guesses(active=True)
        learned = run_trial(cls, subjects, isolation, deadline)
        if learned is None:
            continue
        foreign = _count_foreign(subjects, learned, flavour)
        worth = sum(map(_worth, learned)) - FOREIGN_COST * foreign
        if best is None or worth > best[0]:
            best = worth, flavour, subjects, learned
        if not foreign and sum(_worth(each) >= 1 for each in learned) >= ENOUGH * len(learned):
            break
    if best is None:
        return Guesses(active=True)
    _, flavour, subjects, learned = best
    if not any(score is Score.CHANGED for each in learned for score, _ in each.ways):
        return Guesses(active=True)  # no object could be made: the constructor says why
    return choose(cls, subjects, learned, flavour)


def _can_be_made(cls: type, subjects: Sequence[Subject], isolation: Isolation, deadline: Deadline) -> bool:
    """Tell whether what is annotated makes an object; a constructor may refuse all the values of a scope."""
    makers = [
        replace(each, kinds=tuple(kinds[:1] for kinds in each.kinds))
        for each in subjects
        if not each.operation.has_receiver
    ]
    learned = run_trial(cls, makers, isolation, deadline)
    return learned is None or any(score >= Score.CHANGED for each in learned for score, _ in each.ways)


def _worth(learned: Learned) -> float:
    score = max((score for score, _ in learned.ways), default=Score.WRONG)
    return (score >= Score.RETURNED) + (score >= Score.CHANGED) / 2


def _count_foreign(subjects: Sequence[Subject], learned: Sequence[Learned], flavour: Flavour) -> int:
    """Return how many parameters take what the other flavour is made of, though their names do not ask for it."""
    found = 0
    for subject, shown in zip(subjects, learned, strict=True):
        taken = next((way for score, way in shown.ways if score >= Score.RETURNED), ())
        for place, kind in enumerate(taken):
            name = subject.kinds[place][kind].name if kind != LEFT_OUT else ""
            found += name in FOREIGN[flavour] and name not in kinds_by_name(subject.read[place].name)
    return found


def _subjects(cls: type, operations: Sequence[Operation], pools: Pools, flavour: Flavour) -> list[Subject]:
    """Return the operations of a class with what is tried for them, after those that make its companions."""
    maker = CandidateMaker(cls, flavour, pools)
    own = [maker.subject(each) for each in operations]
    makers: list[Subject] = []
    waiting, known = own, {*pools.classes}
    while waiting and len(makers) < MOST_COMPANIONS:
        wanted = dict.fromkeys(
            value.cls
            for subject in waiting
            for kinds in subject.kinds
            for kind in kinds
            for value in kind.values
            if isinstance(value, Wanted) and value.cls not in known
        )
        some = [*wanted][: MOST_COMPANIONS - len(makers)]
        known |= set(some)
        waiting = [replace(maker, cls=each).subject(operation) for each in some for operation in _makers_of(each)]
        makers = [*waiting, *makers]
    return [*makers, *own]


def _makers_of(cls: type) -> list[Operation]:
    """Return what may make an object of a class: its constructor, and class methods that say they return one.

    Those of a library that the class extends may pass over its rules, as pydantic's `model_construct` does.
    """
    listed = [Operation(Kind.NEW, "__init__", cls, cls)]
    for name, member in members_of(cls):
        is_its_own = package_of(member) == package_of(cls)
        if isinstance(member, classmethod) and not name.startswith("_") and is_its_own:
            returns = getattr(member.__func__, "__annotations__", {}).get("return", "")
            words = returns if isinstance(returns, str) else getattr(returns, "__name__", str(returns))
            if re.search(rf"\b({re.escape(cls.__name__)}|Self)\b", words) or re.fullmatch(MAKING, name):
                listed.append(Operation(Kind.MAKER, name, cls, getattr(cls, name)))
    return listed[: MOST_MAKERS + 1]
