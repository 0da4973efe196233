"""A choice is impossible only if no value of it passes: on random types, against all values there are."""

from __future__ import annotations

import dataclasses
import datetime
import itertools
import random
from collections.abc import Callable, Iterable
from typing import Annotated, Any, Literal

import annotated_types as at
import pydantic
import pytest
from tests.corpora import few_of

import unlike
from unlike import Matching
from unlike.typed.generate import ChoiceCoverage, coverage_of

SUBJECTS = 25  # of each kind, at each door
Legal = Callable[[Any], bool]


@dataclasses.dataclass(frozen=True)
class Subject:
    """An annotation, all its values, which values show which word, and what is legal."""

    annotation: Any
    values: list[Any]
    words: dict[str, Legal]
    legal: Legal
    term: Callable[[Any], Any] | None  # the same as a term


def ints(rng: random.Random) -> Subject:
    low = rng.randint(-20, 5)
    high = low + rng.randint(3, 40)
    step, rest = rng.randint(2, 9), rng.randint(0, 8)
    words: dict[str, Legal] = {
        "least": lambda x: x == low,
        "most": lambda x: x == high,
        "just above least": lambda x: x == low + 1,
        "just below most": lambda x: x == high - 1,
    }
    return Subject(
        Annotated[int, at.Ge(low), at.Le(high)],
        list(range(low, high + 1)),
        words,
        lambda x: x % step == rest % step,
        lambda x: x % step == rest % step,
    )


def dates(rng: random.Random) -> Subject:
    first = datetime.date(2024, 1, 1) + datetime.timedelta(rng.randint(0, 80))
    values = [first + datetime.timedelta(day) for day in range(rng.randint(10, 90))]
    weekdays = set(rng.sample(range(7), rng.randint(1, 3)))
    words: dict[str, Legal] = {
        "least": lambda x: x == values[0],
        "most": lambda x: x == values[-1],
        "just above least": lambda x: x == values[1],
        "just below most": lambda x: x == values[-2],
    }
    return Subject(
        Annotated[datetime.date, at.Ge(values[0]), at.Le(values[-1])],
        values,
        words,
        lambda x: x.weekday() in weekdays,
        None,
    )


def texts(rng: random.Random) -> Subject:
    least, most = rng.randint(0, 2), rng.randint(3, 5)
    letters = "".join(rng.sample("ab#@7", rng.randint(2, 3)))
    sign, kind = rng.choice(letters), rng.randrange(4)
    times = rng.randint(1, 3)
    legal: Legal = [
        lambda x: sign in x,
        lambda x: x.startswith(sign),
        lambda x: x.count(sign) >= times,
        lambda x: len(x) % 2 == times % 2,
    ][kind]
    terms = [lambda x: x.contains(sign), lambda x: x.startswith(sign), None, None]
    words: dict[str, Legal] = {}
    for first in letters:  # a choice of many is shown by the first round that takes it
        words[f"{{{least},{most}}} longest with {first}"] = lambda x, c=first: len(x) == most and x[0] == c
        if most - max(least, 1) > 1:
            words[f"{{{least},{most}}} more than the least with {first}"] = lambda x, c=first: (
                max(least, 1) < len(x) < most and x[0] == c
            )
    return Subject(
        Annotated[str, Matching(f"[{letters}]{{{least},{most}}}")],
        ["".join(each) for size in range(least, most + 1) for each in itertools.product(letters, repeat=size)],
        words,
        legal,
        terms[kind],
    )


def by_validator(subject: Subject) -> unlike.Suite:
    class Model(pydantic.BaseModel):
        x: subject.annotation  # type: ignore[name-defined]

        @pydantic.field_validator("x")
        @classmethod
        def check(cls, value: Any) -> Any:
            if not subject.legal(value):
                raise ValueError(f"{value!r} is not legal")
            return value

    return unlike.generate(Model, in_process=True)


def by_predicate(subject: Subject) -> unlike.Suite:
    made = dataclasses.make_dataclass("Plain", [("x", Annotated[subject.annotation, at.Predicate(subject.legal)])])
    return unlike.generate(made, in_process=True)


def by_where(subject: Subject) -> unlike.Suite:
    made = dataclasses.make_dataclass("Plain", [("x", subject.annotation)])
    where = subject.term or unlike.predicate(lambda x: subject.legal(x))
    return unlike.generate(made, where=where, in_process=True)


def word_of(said: str, words: Iterable[str]) -> str:
    """Return what is said without its place and the pattern."""
    return next((word for word in sorted(words, key=len, reverse=True) if said.endswith(word)), said)


def check(subject: Subject, suite: unlike.Suite) -> ChoiceCoverage:
    legal = [value for value in subject.values if subject.legal(value)]
    found = [case.value.x for case in suite]  # type: ignore[attr-defined]
    coverage = coverage_of(suite)
    assert all(each in legal for each in found)
    assert bool(found) == bool(legal) or suite.status.cut_short, (suite.status, legal[:3])
    for said, why in coverage.impossible:
        holds = subject.words.get(word_of(said, subject.words))
        if holds is not None:
            assert not any(map(holds, legal)), (said, why, next(filter(holds, legal)))
    undecided = {word_of(said, subject.words) for said, _ in coverage.undecided}
    for word, holds in subject.words.items():
        if any(map(holds, legal)) and word not in undecided:
            assert any(map(holds, found)), (word, found)
    return coverage


PAIRS = list(itertools.product((ints, dates, texts), (by_validator, by_predicate, by_where)))


@pytest.mark.few(1)
@pytest.mark.parametrize(("make", "door"), few_of(PAIRS, 4, ids=[f"{m.__name__}-{d.__name__}" for m, d in PAIRS]))
def test_choices_are_what_brute_force_says(
    make: Callable[[random.Random], Subject], door: Callable[[Subject], unlike.Suite]
) -> None:
    choices = undecided = 0
    for seed in range(SUBJECTS):
        subject = make(random.Random(seed))
        coverage = check(subject, door(subject))
        choices += coverage.targets
        undecided += len(coverage.undecided)

    assert choices > SUBJECTS
    assert undecided <= choices * 0.02


@pytest.mark.parametrize("sign", ["#", "@", " ", "~", "Z", "0"])
def test_every_length_of_a_text_is_found_whatever_its_class_wants_in_it(sign: str) -> None:
    subject = Subject(
        Annotated[str, at.MinLen(4), at.MaxLen(12)], [], {}, lambda x: sign in x, lambda x: x.contains(sign)
    )

    for door in (by_validator, by_predicate, by_where):
        suite = door(subject)
        assert {len(case.value.x) for case in suite} >= {4, 5, 11, 12}  # type: ignore[attr-defined]
        assert coverage_of(suite).impossible == coverage_of(suite).undecided == ()


def test_what_nobody_can_list_is_undecided_and_not_impossible() -> None:
    subject = Subject(Annotated[str, at.MaxLen(1)], [], {}, lambda x: x == "\N{SNOWMAN}", None)

    for door in (by_validator, by_predicate, by_where):
        suite = door(subject)
        assert suite.status.ending is unlike.Ending.UNKNOWN, suite.status
        assert not len(suite)


def test_lists_that_are_longer_than_the_usual_are_not_said_to_be_impossible() -> None:
    class Crowd(pydantic.BaseModel):
        x: list[bool]

        @pydantic.field_validator("x")
        @classmethod
        def check(cls, value: list[bool]) -> list[bool]:
            assert len(value) >= 5
            return value

    suite = unlike.generate(Crowd, in_process=True)

    assert suite.status.ending is unlike.Ending.UNKNOWN, suite.status


@pytest.mark.parametrize("seed", few_of(range(24), 2))
def test_choices_within_a_record_are_impossible_only_where_no_input_shows_them(seed: int) -> None:
    rng = random.Random(seed)
    most = rng.randint(2, 9)
    inner = dataclasses.make_dataclass(
        "Inner", [("a", Annotated[int, at.Ge(0), at.Le(most)]), ("on", bool), ("marks", set[Literal["x"]])]
    )
    add, of, rest = rng.randint(-2, 6), rng.randint(2, 4), rng.randint(0, 3)
    legal = rng.choice(
        [
            lambda one, b: one.a > b + add,
            lambda one, b: (one.a + b) % of == rest % of,
            lambda one, b: (one.on == (b > 1)) & (one.a + add < b),
        ]
    )

    suite = unlike.generate({"one": inner, "b": Literal[0, 1, 2, 3]}, where=legal, in_process=True)

    inputs = [
        (inner(a, on, marks), b)
        for a, on, marks, b in itertools.product(range(most + 1), (False, True), (set(), {"x"}), range(4))
    ]
    kept = [each for each in inputs if legal(*each)]
    shows: dict[str, Callable[[Any, int], bool]] = {
        "one.a: least": lambda one, _: one.a == 0,
        "one.a: most": lambda one, _: one.a == most,
        "one.on: True": lambda one, _: one.on,
        "one.on: False": lambda one, _: not one.on,
        "one.marks: empty": lambda one, _: not one.marks,
        **{f"b: {b}": lambda _, found, b=b: found == b for b in range(4)},
    }
    impossible = {said for said, _ in coverage_of(suite).impossible}
    for word, shown in shows.items():
        assert (word in impossible) <= (not any(shown(*each) for each in kept)), (word, most, add)
    assert all(case.value["one"] in [one for one, _ in kept] for case in suite)
    proved = {word for word in shows if word in impossible}
    if kept:
        assert proved == {word for word, shown in shows.items() if not any(shown(*each) for each in kept)}
        assert not coverage_of(suite).undecided


@pytest.mark.parametrize("seed", few_of(range(24), 1))
def test_usual_bounds_make_nothing_impossible_and_items_of_lists_are_asked_for(seed: int) -> None:
    rng = random.Random(seed)
    price, most, add = rng.randint(2, 400), rng.randint(3, 2_000), rng.randint(-3, 900)
    cart = dataclasses.make_dataclass(
        "Cart",
        [("lines", list[Annotated[int, at.Ge(0), at.Le(price)]]), ("total", Annotated[int, at.Ge(0), at.Le(most)])],
    )

    suite = unlike.generate(cart, where=lambda lines, total: total == lines.sum() + add, in_process=True)

    def is_there(total: int, holding: int = 0) -> bool:  # a list of any length has this sum and that item
        return total - add - holding >= 0

    possible = {f"total: {word}": is_there(value) for word, value in {"least": 0, "most": most}.items()}
    possible["lines[]: most"] = is_there(most, price)
    impossible = {said for said, _ in coverage_of(suite).impossible}
    undecided = {said for said, _ in coverage_of(suite).undecided}
    assert all(sum(case.value.lines) + add == case.value.total for case in suite)  # type: ignore[attr-defined]
    for word, there in possible.items():
        assert not (there and word in impossible), (word, price, most, add)
    if 0 <= most - add <= 8 * price:  # so many items are asked for
        assert "total: most" not in undecided
        assert not possible["lines[]: most"] or "lines[]: most" not in undecided
