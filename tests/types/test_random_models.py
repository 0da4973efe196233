"""Random models of a few fields with a rule in plain Python: every claim, at every door, against all inputs there are."""

from __future__ import annotations

import dataclasses
import enum
import itertools
import random
from collections.abc import Callable
from typing import Annotated, Any, Literal, Optional

import pydantic
import pytest
from tests.corpora import few_of

import unlike
from unlike import Ending, differs_by
from unlike.testing.decorators import Asked
from unlike.testing.sources.typed import typed_source
from unlike.typed.generate import ChoiceCoverage, coverage_of

MODELS = 10  # at once
Row = dict[str, Any]


class Env(enum.Enum):
    DEV = "d"
    TEST = "t"
    PROD = "p"


def some_field(rng: random.Random) -> tuple[Any, list[Any]]:
    """Return an annotation and all its values."""
    low = rng.randint(-3, 3)
    ints = list(range(low, low + rng.randint(1, 7)))
    letters, size = rng.choice(["ab", "x#", "01"]), rng.randint(1, 2)
    words = rng.sample(["a", "b", "c", "d"], rng.randint(1, 3))
    item, values = rng.choice([(bool, [False, True]), (Literal[0, 1, 2], [0, 1, 2])])
    number = Annotated[int, pydantic.Field(ge=ints[0], le=ints[-1])]
    fields: list[tuple[Any, list[Any]]] = [
        (number, ints),
        (bool, [False, True]),
        (Literal[tuple(words)], words),
        (Env, list(Env)),
        (Optional[number], [None, *ints]),  # noqa: UP045  # the bar takes no Annotated before 3.12
        (
            Annotated[str, pydantic.Field(pattern=f"^[{letters}]{{0,{size}}}$")],
            ["".join(each) for length in range(size + 1) for each in itertools.product(letters, repeat=length)],
        ),
        (
            Annotated[list[item], pydantic.Field(max_length=size)],
            [list(each) for length in range(size + 1) for each in itertools.product(values, repeat=length)],
        ),
    ]
    return rng.choice(fields)


def weigh(value: Any) -> int:
    """Return a number for any value, for rules to speak of."""
    match value:
        case None:
            return -1
        case int():
            return int(value)
        case str():
            return len(value) + sum(map(ord, value))
        case enum.Enum():
            return ord(value.value)
    return len(value) + sum(map(weigh, value))


def some_rule(rng: random.Random, names: list[str]) -> Callable[[Row], bool]:
    of, add, one, two = rng.randint(2, 5), rng.randint(-2, 6), rng.choice(names), rng.choice(names)
    rest = rng.randrange(of)
    rules: list[Callable[[Row], bool]] = [
        lambda row: weigh(row[one]) % of == rest,
        lambda row: weigh(row[one]) < weigh(row[two]) + add,
        lambda row: weigh(row[one]) > add,
        lambda row: sum(map(weigh, row.values())) % of == rest,
        lambda row: weigh(row[one]) % 2 == 0 or weigh(row[two]) > add,
    ]
    return rng.choice(rules)


@dataclasses.dataclass(frozen=True)
class Subject:
    """A class, what `where` says beside it, and its fields with all their values."""

    cls: type
    where: Any
    names: list[str]
    space: dict[str, list[Any]]
    legal: list[Row]


def some_subject(seed: int) -> Subject:
    rng = random.Random(seed)
    names = ["f", "g", "h"][: rng.randint(1, 3)]
    fields = {name: some_field(rng) for name in names}
    rule = some_rule(rng, names)
    space = {name: values for name, (_, values) in fields.items()}
    rows = [dict(zip(names, each, strict=True)) for each in itertools.product(*space.values())]

    def check(self: Any) -> Any:
        if not rule({name: getattr(self, name) for name in names}):
            raise ValueError("against the rule")
        return self

    annotations = [(name, annotation) for name, (annotation, _) in fields.items()]
    where: Any = ()
    match rng.randrange(3):
        case 0:
            validators: Any = {"check": pydantic.model_validator(mode="after")(check)}
            given: Any = {name: (annotation, ...) for name, annotation in annotations}
            cls: type = pydantic.create_model(f"Model{seed}", __validators__=validators, **given)
        case 1:
            cls = dataclasses.make_dataclass(f"Model{seed}", annotations, namespace={"__post_init__": check})
        case _:
            cls = dataclasses.make_dataclass(f"Model{seed}", annotations)
            pairs = ", ".join(f"{name}={name}" for name in names)
            where = unlike.predicate(eval(f"lambda {', '.join(names)}: rule(dict({pairs}))", {"rule": rule}))
    cls.__module__ = __name__
    globals()[cls.__name__] = cls  # saved inputs name it
    return Subject(cls, where, names, space, [row for row in rows if rule(row)])


def key_of(value: Any) -> object:
    return tuple(map(key_of, value)) if isinstance(value, list) else (type(value), value)


def rows_of(suite: unlike.Suite, subject: Subject) -> list[tuple[object, ...]]:
    return [tuple(key_of(getattr(case.value, name)) for name in subject.names) for case in suite]


def check_choices(suite: unlike.Suite, subject: Subject) -> ChoiceCoverage:
    """Check what is said of each choice: those of a field, one by one, against all legal inputs."""
    coverage = coverage_of(suite)
    others = (coverage.impossible, coverage.undecided, coverage.not_shown, coverage.left_out)
    assert coverage.shown + sum(map(len, others)) == coverage.targets, coverage
    impossible = {word for word, _ in coverage.impossible}
    for name, values in subject.space.items():
        plain = not any(isinstance(each, str | list) or each is None for each in values)
        words = {
            each.name if isinstance(each, Env) else repr(each): each for each in values if not isinstance(each, list)
        }
        if plain and isinstance(values[0], int) and not isinstance(values[0], bool):
            words = {"least": values[0], "most": values[-1]}
        for word, value in words.items():
            there = any(key_of(row[name]) == key_of(value) for row in subject.legal)
            assert not (there and f"{name}: {word}" in impossible), (name, word)
    return coverage


@pytest.mark.parametrize("start", few_of(range(0, 300, MODELS), 1))
def test_every_claim_about_a_random_model_is_what_brute_force_says(start: int) -> None:
    choices = undecided = 0
    for seed in range(start, start + MODELS):
        subject = some_subject(seed)
        legal = {tuple(key_of(row[name]) for name in subject.names) for row in subject.legal}
        each, pairs, whole, by_first = (
            unlike.generate(subject.cls, where=subject.where, in_process=True, **asked)
            for asked in ({}, {"cover": "pairs"}, {"n": 10_000}, {"different": differs_by(subject.names[0])})
        )
        for suite in (each, pairs, whole, by_first):
            found = rows_of(suite, subject)
            assert set(found) <= legal, seed
            assert len(set(found)) == len(found), seed
            assert (suite.status.ending is Ending.UNSATISFIABLE) == (not legal), (seed, suite.status)
            assert suite.status.ending is not Ending.COMPLETE or suite is by_first or set(found) == legal, seed
        assert set(rows_of(whole, subject)) == legal, (seed, whole.status)
        assert not legal or whole.status.ending is Ending.COMPLETE, (seed, whole.status)
        firsts = [row[0] for row in rows_of(by_first, subject)]
        assert sorted(map(repr, firsts)) == sorted({repr(row[0]) for row in legal}), (seed, by_first.status)
        for suite in (each, pairs):
            coverage = check_choices(suite, subject)
            choices += coverage.targets
            undecided += len(coverage.undecided)

    assert choices > MODELS
    assert undecided <= choices * 0.02


@pytest.mark.parametrize("seed", few_of(range(40), 2))
def test_a_test_has_as_many_inputs_as_asked_or_all_there_are(seed: int) -> None:
    subject = some_subject(seed)
    where: Any = ()
    if subject.where != ():
        holds = subject.where.function
        where = unlike.predicate(lambda x: holds(*(getattr(x, name) for name in subject.names)))
    source = typed_source({"x": subject.cls}, Asked(5, where=where), {})

    rows, status = source.generate(5, None)

    assert len(rows) == min(5, len(subject.legal)), status
    assert status.ending is (Ending.FOUND if len(subject.legal) > 5 else status.ending)
    assert not status.cut_short
    assert source.first_wrong([source.decode(row.input, row.choices) for row in rows]) is None
