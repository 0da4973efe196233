"""The order in which sets go is visible to programs: where it matters it is part of a state, else the proof names it."""

import itertools
import os
import random
import subprocess
import sys
import time
import types
from typing import Literal

import pytest
from tests.corpora import few_of
from tests.explore import odd_proofs

from unlike.classes.public import makes_sets
from unlike.classes.set_order import has_sets
from unlike.core import Implementation
from unlike.explore import explore
from unlike.scope import Scope

STATEMENTS = [
    "self.s.add(v)",
    "self.s.discard(v)",
    "self.s = self.s | {v}",
    "self.s = self.s ^ {v, 0}",
    "self.last = next(iter(self.s), None)",
    "self.last = self.s.pop() if self.s else None",
    "self.last = max(self.s, default=None)",
    "self.last = [each for each in self.s][-1:]",
    "self.last = sorted(self.s)",
    "self.last = sum(self.s)",
    "self.last = str(self.s) == '{8, 0}'",
    "self.f = self.f | {v}",
    "self.last = tuple(self.f)[:1]",
    "self.s = set(self.f)",
    "self.last = v in self.s",
]
VALUES = 0, 8, 16
CALLS = 4


@pytest.fixture
def module():
    made = sys.modules["orders_of_sets"] = types.ModuleType("orders_of_sets")
    yield made
    del sys.modules["orders_of_sets"]


def random_class(rng, module):
    source = "class C:\n    def __init__(self):\n        self.s, self.f, self.last = set(), frozenset(), None\n"
    for number in range(rng.randrange(2, 4)):
        takes = "v: int" if number == 0 or rng.random() < 0.5 else "v: int = 8"
        body = rng.sample(STATEMENTS, rng.randrange(1, 3))
        source += f"    def m{number}(self, {takes}):\n" + "".join(f"        {line}\n" for line in body)
    exec(source, vars(module))
    module.C.__module__ = module.__name__
    return module.C, source


def look(thing):
    return repr((sorted(thing.s), sorted(thing.f), thing.last))


def brute_force(cls):
    """Return all that sequences of so many calls lead to, each made from its start."""
    names = [name for name in vars(cls) if name.startswith("m")]
    found = set()
    for length in range(CALLS):
        for calls in itertools.product(itertools.product(names, VALUES), repeat=length):
            thing = cls()
            for name, value in calls:
                getattr(thing, name)(value)
            found.add(look(thing))
    return found


@pytest.mark.few(8)
@pytest.mark.parametrize("seed", few_of(range(300), 25))
def test_no_object_is_missing_where_it_is_proved_that_no_more_exist(seed, module, implementation: Implementation):
    cls, source = random_class(random.Random(seed), module)

    scope = Scope(3, literals={"int": VALUES}, calls=CALLS)
    result = explore(cls, scope=scope, values="concrete", in_process=True, implementation=implementation)

    assert not result.status.cut_short, source
    assert {look(case.value) for case in result.suite} == brute_force(cls), source


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("cls", "says"),
    [
        (odd_proofs.TaskPool, "counting sets that go in another order apart"),
        (odd_proofs.Connections, "counting sets that go in another order apart"),
        (odd_proofs.Frozen, "counting sets that go in another order apart"),
        (odd_proofs.Importer, "passing each set in one order"),
        (odd_proofs.Members, "provided that nothing depends on the order of sets (Members.roll)"),
        (odd_proofs.Weekdays, "provided that nothing depends on the order of sets (Weekdays.__iter__)"),
        (odd_proofs.Unique, "provided that nothing depends on the order of sets"),
        (odd_proofs.Shrinking, "provided that nothing depends on the order of sets (Shrinking.first)"),
    ],
)
def test_the_proof_says_what_it_takes_the_order_of_sets_for(cls, says):
    result = explore(cls, scope=2)

    assert not result.status.cut_short
    assert says in result.status.detail
    assert len(list(result.suite)) == result.states


class Sieve:
    """Holds a set, and a function that its constructor made."""

    def __init__(self, low: int) -> None:
        self.kept: set[int] = set()
        self.wanted = lambda number: number >= low

    def add(self, number: int) -> None:
        if self.wanted(number):
            self.kept.add(number)


class Guarded:
    """Holds a set, and a method of its own."""

    def __init__(self) -> None:
        self.kept: set[int] = set()
        self.wanted = self._is_even

    def _is_even(self, number: int) -> bool:
        return number % 2 == 0

    def add(self, number: Literal[0, 1, 2]) -> None:
        if self.wanted(number):
            self.kept.add(number)


class ExactKey:
    """Has a hash only while it holds a set, not something that is like one."""

    def __init__(self, members: set[int]) -> None:
        self.members = members

    def __hash__(self) -> int:
        if type(self.members) is not set:
            raise TypeError("a set is needed")
        return 1

    def __eq__(self, other: object) -> bool:
        return isinstance(other, ExactKey) and self.members == other.members


class Exact:
    """Cannot be made again with other sets."""

    def __init__(self) -> None:
        self.names: dict[ExactKey, int] = {}

    def put(self, number: int) -> None:
        self.names = {ExactKey({1, 2}): number}


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("cls", "states", "says"),
    [
        (Sieve, 6, ""),  # 0 and 1 or not, with what is 0 or more; 1 or not, with what is 1 or more
        (Guarded, 4, ""),
        (Exact, 3, "provided that nothing depends on the order of sets"),
    ],
)
def test_objects_beside_a_set_are_made_again_or_the_proof_says_that_it_was_not_tried(
    cls, states, says, implementation: Implementation
):
    for in_process, values in itertools.product((True, False), ("auto", "concrete")):
        result = explore(cls, scope=2, values=values, in_process=in_process, implementation=implementation)

        assert result.states == states
        assert not result.status.cut_short
        assert says in result.status.detail
        assert values == "auto" or result.status.detail == says


class Album:
    """Takes sets, keeps their members in a list, and holds none."""

    def __init__(self) -> None:
        self.rows: list[int] = []

    def add(self, row: Literal[0, 8]) -> None:
        if row not in self.rows:
            self.rows.append(row)

    def extend(self, rows: set[int]) -> None:
        for row in rows:
            self.add(8 * row)  # type: ignore[arg-type]


def test_where_only_sets_that_are_passed_go_another_way_states_need_no_order(implementation: Implementation):
    result = explore(Album, scope=2, values="concrete", in_process=True, implementation=implementation)

    assert "passing each set in one order" in result.status.detail
    assert "counting sets" not in result.status.detail  # it costs much, and no state holds a set
    assert "nothing depends" not in result.status.detail
    assert {tuple(case.value.rows) for case in result.suite} == {(), (0,), (8,), (0, 8), (8, 0)}


class Slow:
    """Holds a set that makes each of very many calls slow where it goes another way."""

    def __init__(self) -> None:
        self.kept = {0, 1, 2}
        self.last = 0

    def take(self, number: Literal[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]) -> None:
        if type(self.kept) is not set:
            time.sleep(0.15)
        self.last = number


@pytest.mark.corpus
def test_calls_with_sets_that_go_another_way_count_as_calls_where_one_does_not_return():
    result = explore(Slow, scope=3, values="concrete", in_process=True, seconds_per_call=1)

    assert result.states == 10
    assert not result.errors


@pytest.mark.few(1)
def test_an_exploration_that_is_cut_short_is_not_begun_again_with_the_order_of_sets():
    result = explore(odd_proofs.TaskPool, scope=3, values="concrete", most_states=10**6, timeout=60)
    hurried = explore(Hurried, scope=3, values="concrete", in_process=True, timeout=6)

    assert not result.status.cut_short
    assert hurried.status.cut_short
    assert hurried.states > 5  # begun anew it had time for one


class Hurried:
    """Depends on the order of its set, and takes longer than there is time for."""

    def __init__(self) -> None:
        self.kept: set[int] = set()
        self.steps = 0
        self.first = -1

    def add(self, number: Literal[0, 8]) -> None:
        time.sleep(0.001)
        self.kept.add(number)
        self.first = next(iter(self.kept))
        self.steps += 1


def test_five_tasks_are_found_where_the_first_of_two_depends_on_who_came_first():
    result = explore(odd_proofs.TaskPool, scope=2)

    assert {tuple(case.value.waiting) for case in result.suite} == {(), (0,), (8,), (0, 8), (8, 0)}


class Grown:
    """Keeps the first of a frozenset made of another."""

    def __init__(self) -> None:
        self.kept: frozenset[int] = frozenset()
        self.first = -1

    def add(self, number: Literal[0, 8]) -> None:
        self.kept = self.kept | {number}
        self.first = next(iter(self.kept))


class Copied:
    """Goes through a copy of its set."""

    def __init__(self) -> None:
        self.kept: set[int] = set()
        self.first = -1

    def add(self, number: Literal[0, 8]) -> None:
        self.kept.add(number)

    def look(self) -> None:
        self.first = next(iter(set(self.kept)), -1)


class Written:
    """Compares the text of its set."""

    def __init__(self) -> None:
        self.kept: set[int] = set()
        self.first = -1

    def add(self, number: Literal[0, 8]) -> None:
        self.kept.add(number)

    def look(self) -> None:
        if str(self.kept) in ("{0, 8}", "{8, 0}"):
            self.first = int(str(self.kept)[1])


@pytest.mark.parametrize("cls", [Grown, Copied, Written])
def test_an_order_that_shows_in_a_copy_or_in_a_text_is_part_of_a_state(cls, implementation: Implementation):
    result = explore(cls, scope=2, values="concrete", implementation=implementation)

    assert not result.status.cut_short
    assert "counting sets that go in another order apart" in result.status.detail
    firsts = {case.value.first for case in result.suite if case.value.kept == {0, 8}}
    assert {0, 8} <= firsts


class Spread:
    """Makes a set of its set, whose order no small number changes."""

    def __init__(self) -> None:
        self.kept: set[int] = set()
        self.first = -1

    def add(self, number: Literal[0, 1]) -> None:
        self.kept.add(number)

    def look(self) -> None:
        self.first = next(iter({*self.kept}), -1)


def test_where_sets_are_made_of_sets_the_proof_rests_on_their_order():
    result = explore(Spread, scope=2, values="concrete")

    assert not result.status.cut_short
    assert result.status.detail == "provided that nothing depends on the order of sets"


def test_sets_of_texts_whose_order_matters_are_no_proof():
    for keywords in ({}, {"in_process": True}, {"workers": 2}):
        result = explore(odd_proofs.Tags, scope=2, **keywords)

        assert result.status.cut_short
        assert "what Tags.render does depends on the order of a set, which differs from run to run" in str(
            result.status
        )


@pytest.mark.corpus
def test_the_answer_is_the_same_whatever_the_hashes_are():
    program = (
        "import unlike; from tests.explore import odd_proofs as o\n"
        "print([str(unlike.explore(c, scope=2).status) for c in (o.Tags, o.TaskPool, o.Members, o.Weekdays, o.Unique)])"
    )
    said = set()
    for seed in "0", "1", "2":
        env = {**os.environ, "PYTHONHASHSEED": seed, "PYTHONPATH": os.pathsep.join(sys.path)}
        said.add(subprocess.run([sys.executable, "-c", program], env=env, capture_output=True, text=True).stdout)

    assert len(said) == 1


def test_a_class_without_sets_needs_no_word_about_them():
    result = explore(odd_proofs.Star, scope=1)

    assert "order of sets" not in result.status.detail
    assert not makes_sets(odd_proofs.Star)
    assert makes_sets(odd_proofs.Unique)
    assert not has_sets([{1}, (2, {"a": {3}})])
    assert has_sets([(2, {"a": {3, 4}})])
