"""From what trials showed to pools: the same kind for the same name, one flavour, few values; and what was refused.

A parameter takes the kind that most operations took under its name. Containers and objects may be of two kinds, texts
and numbers are of one. A call that hung is made with the argument that kept it from hanging, or not at all.
"""

from __future__ import annotations

import inspect
from collections import Counter
from collections.abc import Sequence
from typing import Any

from unlike.classes.api import Wanted
from unlike.classes.guessing.candidates import Subject, has_telling_names, name_of_one
from unlike.classes.guessing.guesses import Guesses
from unlike.classes.guessing.kinds import (
    CONTAINER_KINDS,
    ELEMENT_KINDS,
    FEW,
    FOREIGN,
    Flavour,
    ValueKind,
    distinct_values,
)
from unlike.classes.guessing.trial import LEFT_OUT, Learned, Score, Way
from unlike.classes.pools import Pool
from unlike.types.read import ReadParameter
from unlike.types.tree import AnyType, VariableType, is_open, type_name

FIRST_OBJECTS = 4  # of a class that are passed where nobody asked for them
MOST_VALUES = 4  # of a pool that is no row of elements
MOST_DROPPED = 4  # kinds that are named as refused
Votes = Counter[tuple[str, str]]


def choose(cls: type, subjects: Sequence[Subject], learned: Sequence[Learned], flavour: Flavour) -> Guesses:
    """Return the pools of all parameters of which nothing is said."""
    votes = _count_votes(subjects, learned)
    pools: dict[str, Pool] = {}
    refused: dict[str, str] = {}
    always: set[str] = set()
    never: list[str] = []
    for subject, shown in zip(subjects, learned, strict=True):
        title = subject.operation.title
        usable = _usable_ways(shown)
        passed = _keep_from_hanging(subject)
        always |= {f"{title}.{subject.read[place].name}" for place in passed}
        if reason := _why_not(subject, shown, usable):
            refused[title] = reason
            continue
        for place, parameter in enumerate(subject.read):
            name = f"{title}.{parameter.name}"
            if place in passed:
                pools[name] = passed[place]
            elif subject.guessed[place] or _is_replaced(place, usable):
                known = [*usable, *_refused_elsewhere_taken(subject, place, shown, votes)]
                pool = _pool_of(subject, place, known, votes, flavour)
                if pool is not None:
                    pools[name] = pool
                if (pool is None or pool.passed) and (dropped := _refused_kinds(subject, place, shown)):
                    never.append(f"{name}: {dropped}")
    wanted = dict.fromkeys(each for pool in pools.values() for each in pool.classes if each is not cls)
    texts, makers = flavour is Flavour.TEXTS, _other_makers(cls, subjects, learned)
    return Guesses(pools, frozenset(always), refused, tuple(wanted), texts, tuple(never), makers, active=True)


def _other_makers(cls: type, subjects: Sequence[Subject], learned: Sequence[Learned]) -> dict[type, str]:
    """Return for each companion whose constructor takes nothing that can be passed the class method that makes one."""
    made: dict[type, list[str]] = {}
    for subject, shown in zip(subjects, learned, strict=True):
        operation = subject.operation
        if operation.owner not in (None, cls) and any(score is Score.CHANGED for score, _ in shown.ways):
            made.setdefault(operation.owner, []).append(operation.name)
    return {owner: names[0] for owner, names in made.items() if "__init__" not in names}


def _count_votes(subjects: Sequence[Subject], learned: Sequence[Learned]) -> Votes:
    """Return in how many operations a kind was taken under the name of a parameter."""
    votes: Votes = Counter()
    for subject, shown in zip(subjects, learned, strict=True):
        taken = {
            (name_of_one(subject.read[place]), subject.kinds[place][kind].name)
            for score, way in shown.ways
            if score >= Score.RETURNED
            for place, kind in enumerate(way)
            if kind != LEFT_OUT
        }
        votes.update(taken if has_telling_names(subject) else ())
    return votes


def _usable_ways(shown: Learned) -> list[tuple[int, Way]]:
    """Return the ways that returned; or else those that were refused by a decision, or that break later calls."""
    good = [each for each in shown.ways if each[0] >= Score.RETURNED]
    return good or [each for each in shown.ways if each[0] in (Score.REFUSED, Score.BREAKS)]


def _why_not(subject: Subject, shown: Learned, usable: Sequence[object]) -> str:
    """Return why an operation is not called: it hung however it was called, or nothing that is passed is taken."""
    if shown.is_deadly:
        return "it ended its process when it was tried"
    if shown.hangs and (not usable or _hangs_plainly(shown)):
        return "it did not return when it was tried"
    needed = [place for place, each in enumerate(subject.read) if not each.is_optional and subject.guessed[place]]
    if needed and not usable:
        return f"no kind of value was taken when it was tried ({shown.reason or 'nothing could be made'})"
    return ""


def _hangs_plainly(shown: Learned) -> bool:
    """Tell whether a call hung with as few arguments as any that returned."""
    returned = [_count_passed(way) for score, way in shown.ways if score > Score.WRONG]
    return min(map(_count_passed, shown.hangs)) <= min(returned, default=0)


def _count_passed(way: Way) -> int:
    return sum(kind != LEFT_OUT for kind in way)


def _keep_from_hanging(subject: Subject) -> dict[int, Pool]:
    """Return the pools of arguments that are always passed, by place."""
    kinds = {place: subject.kinds[place][0] for place in subject.always}
    words = "so that calls do not wait"
    return {place: Pool(kind.values, (), (f"{kind.values[0]!r} {words}",)) for place, kind in kinds.items()}


def _is_replaced(place: int, usable: Sequence[tuple[int, Way]]) -> bool:
    """Tell whether the values of an annotation were all refused, and others that it allows are taken."""
    good = [way[place] for score, way in usable if score >= Score.RETURNED and way[place] != LEFT_OUT]
    return bool(good) and 0 not in good


def _refused_elsewhere_taken(subject: Subject, place: int, shown: Learned, votes: Votes) -> list[tuple[int, Way]]:
    """Return ways that were decided against, with what another operation takes under the name of the parameter.

    `done(*nodes)` may refuse every node that was not added before; that is what an exploration does.
    """
    parameter, kinds = subject.read[place], subject.kinds[place]
    if parameter.kind is not inspect.Parameter.VAR_POSITIONAL:
        return []
    refused = [way for score, way in shown.ways if score == Score.REFUSED and way[place] != LEFT_OUT]
    return [(Score.REFUSED, way) for way in refused if votes[name_of_one(parameter), kinds[way[place]].name]]


def _pool_of(
    subject: Subject, place: int, usable: Sequence[tuple[int, Way]], votes: Votes, flavour: Flavour
) -> Pool | None:
    """Return the values of one parameter: none where only its default was taken.

    Nothing is said of a parameter that takes what is passed anyway where there is no annotation.
    """
    parameter, kinds = subject.read[place], subject.kinds[place]
    ranks: dict[int, tuple[float, int]] = {}
    for score, way in usable:
        if (kind := way[place]) != LEFT_OUT:
            voted = votes[name_of_one(parameter), kinds[kind].name] if has_telling_names(subject) else 0
            weight = 2 * voted + (score == Score.CHANGED)
            ranks[kind] = max(ranks.get(kind, (-1, 0)), (weight, -kind))
    if not ranks:
        return Pool()
    ranked = [kinds[kind] for kind in sorted(ranks, key=ranks.__getitem__, reverse=True)]
    usual = ("element", "number") if flavour is Flavour.INTS else ("element", "text")
    if ranked[0].name in usual and not parameter.is_optional and is_open(parameter.type):
        return None
    values = [*_values_of(ranked[0])]
    for other in ranked[1:]:
        if other.name not in FOREIGN[flavour] and _go_together(ranked[0], other):
            values += other.values[: max(0, MOST_VALUES - len(values))]
    values = [each for each in distinct_values(values) if not _is_default(each, parameter)]
    literals = tuple(each for each in values if not isinstance(each, Wanted))
    classes = tuple(each.cls for each in values if isinstance(each, Wanted))
    words = _words(ranked[0], literals, classes, parameter, flavour)
    return Pool(literals, classes, (words,), first=FIRST_OBJECTS, guessed=True)


def _values_of(kind: ValueKind) -> tuple[Any, ...]:
    return kind.values if kind.name in ELEMENT_KINDS else kind.values[: FEW + 1]


def _go_together(first: ValueKind, other: ValueKind) -> bool:
    """Tell whether values of two kinds may be in one pool: containers and objects, or single values of one type."""
    together = (*CONTAINER_KINDS, "self")
    if first.name in together:
        return other.name in together
    single = [each for each in (first, other) if len(each.values) == 1]
    return len(single) == 2 and type(first.values[0]) is type(other.values[0])


def _is_default(value: Any, parameter: ReadParameter) -> bool:
    return type(value) is type(parameter.default) and repr(value) == repr(parameter.default)


def _words(
    kind: ValueKind, literals: Sequence[Any], classes: Sequence[type], parameter: ReadParameter, flavour: Flavour
) -> str:
    """Return the words by which a proof names the pool."""
    unknown = type_name(parameter.type)
    if isinstance(parameter.type, AnyType):
        unknown = parameter.type.said or "what has no annotation"
    elif isinstance(parameter.type, VariableType):
        unknown = f"the open type variable {parameter.type.name}"
    if kind.name == "number" or (kind.name == "element" and flavour is Flavour.INTS):
        return f"ints for {unknown}"
    if kind.name in ("text", "element"):
        return f"texts for {unknown}"
    parts = [str(Pool(tuple(literals)))] if literals else []
    parts += [f"the first {FIRST_OBJECTS} objects of {each.__name__} found" for each in classes]
    return f"{', '.join(parts) or 'nothing'} for {unknown}"


def _refused_kinds(subject: Subject, place: int, shown: Learned) -> str:
    """Return the kinds that were tried for a parameter and never taken, in words."""
    tried: dict[int, Score] = {}
    for score, way in shown.ways:
        if way[place] != LEFT_OUT:
            tried[way[place]] = Score(max(score, tried.get(way[place], score)))
    names = [_kind_in_words(subject.kinds[place][kind]) for kind, score in tried.items() if score is Score.WRONG]
    return ", ".join(list(dict.fromkeys(names))[:MOST_DROPPED])


def _kind_in_words(kind: ValueKind) -> str:
    if any(isinstance(each, Wanted) for each in kind.values):
        return "objects of the class" if kind.name == "self" else kind.name
    return str(Pool(kind.values[:1]))
