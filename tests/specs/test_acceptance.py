"""What builds objects may refuse them: which are left is told here by a table, and by every door alike."""

import dataclasses
import itertools
import types
from random import Random
from typing import Annotated, Literal

import attrs
import pydantic
import pytest
from annotated_types import Interval

import unlike
from unlike import Int, List, OneOf, Option, Spec, differs_by, distance, predicate, python_difference, record
from unlike.specs.generate import count
from unlike.suite import Ending

LETTERS = ("a", "b", "c")


class Table:
    """Which rows of (number, letter) a model accepts: some at random, decided before anything is generated."""

    def __init__(self, seed: int) -> None:
        random = Random(seed)
        self.most = random.randint(2, 12)
        self.letters = LETTERS[: random.randint(1, 3)]
        everything = list(itertools.product(range(self.most + 1), self.letters))
        self.rows = {row for row in everything if random.random() < random.choice([0.05, 0.3, 0.6, 0.95, 1.0])}

    def check(self, n: int, s: str) -> None:
        if (n, s) not in self.rows:
            raise ValueError(f"({n}, {s}) is not in the table")


def model_of(kind: str, table: Table) -> object:
    """Return what builds an object with the fields n and s, and refuses what is not in the table."""
    number, letter = Annotated[int, Interval(ge=0, le=table.most)], Literal[table.letters]
    match kind:
        case "pydantic":

            class Model(pydantic.BaseModel):
                n: number
                s: letter

                @pydantic.model_validator(mode="after")
                def checked(self):
                    table.check(self.n, self.s)
                    return self

        case "attrs":

            @attrs.define
            class Model:
                n: number
                s: letter = attrs.field(validator=lambda self, _, s: table.check(self.n, s))

        case "dataclass":

            @dataclasses.dataclass
            class Model:
                n: number
                s: letter

                def __post_init__(self):
                    table.check(self.n, self.s)

        case "constructor":

            class Model:
                def __init__(self, n, s):
                    table.check(n, s)
                    self.n, self.s = n, s

        case _:

            def Model(n, s):  # noqa: N802  # a function in the place of a class
                table.check(n, s)
                return types.SimpleNamespace(n=n, s=s)

    return Model


KINDS = ["pydantic", "attrs", "dataclass", "constructor", "function"]
TYPES = KINDS[:3]


def row_of(built) -> tuple[int, str]:
    return built.n, built.s


def most_apart(rows, least: int) -> int:
    """Return how many numbers can be taken, any two of them far enough apart."""
    taken: list[int] = []
    for number in sorted({number for number, _ in rows}):
        if not taken or number - taken[-1] >= least:
            taken.append(number)
    return len(taken)


def is_whole(suite, wanted: int) -> bool:
    return suite.status.ending is (Ending.COMPLETE if wanted else Ending.UNSATISFIABLE) and len(suite) == wanted


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(8))
def test_a_spec_has_the_inputs_that_the_table_accepts_under_every_difference(kind, seed):
    table = Table(seed)
    blanks = {"e": record(model_of(kind, table), n=Int(0, table.most), s=OneOf(*table.letters))}
    gap = Random(seed).randint(1, 4)

    def ask(n="all", **said):
        return unlike.generate(Spec(blanks, **said), n, in_process=True)

    everything, letters, apart = ask(), ask(different=differs_by("e.s")), ask(different=distance("e.n", gap))
    python = ask(different=python_difference(lambda a, b: a.e.n != b.e.n), where=predicate(lambda e: e.n >= 0))

    assert {row_of(value["e"]) for value in everything.values} == table.rows
    assert is_whole(everything, len(table.rows))
    assert is_whole(letters, len({letter for _, letter in table.rows}))
    assert len(apart) == most_apart(table.rows, gap)
    assert apart.status.ending is (Ending.COMPLETE if table.rows else Ending.UNSATISFIABLE)
    assert len(python) == most_apart(table.rows, 1)
    for suite in (letters, apart, python):
        assert {row_of(value["e"]) for value in suite.values} <= table.rows
    if table.rows:
        assert count(Spec(blanks), in_process=True)[0] == len(table.rows)
        first = ask(3, different=distance("e.n", gap))
        assert [row_of(value["e"]) for value in first.values] == [row_of(value["e"]) for value in apart.values][:3]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("seed", range(4))
def test_what_is_in_a_list_optional_or_in_another_record_is_filtered_alike(kind, seed):
    table = Table(seed)
    one = record(model_of(kind, table), n=Int(0, table.most), s=OneOf(*table.letters))
    accepted = len(table.rows)

    def ask(value):
        return unlike.generate(Spec({"e": value}), "all", in_process=True)

    option, pairs, inside = ask(Option(one)), ask(List(one, max_length=1)), ask(record(dict, m=one, k=Int(0, 1)))

    assert is_whole(option, accepted + 1)
    assert is_whole(pairs, accepted + 1)
    assert is_whole(inside, accepted * 2)
    assert all(value["e"] is None or row_of(value["e"]) in table.rows for value in option.values)


@pytest.mark.parametrize("kind", TYPES)
@pytest.mark.parametrize("seed", range(6))
def test_a_type_and_a_dict_of_it_have_the_inputs_that_the_table_accepts(kind, seed):
    table = Table(seed)
    model = model_of(kind, table)
    gap = Random(seed).randint(1, 4)

    def ask(space, **said):
        return unlike.generate(space, "all", in_process=True, **said)

    alone, beside = ask(model), ask({"e": model})
    apart, beside_apart = ask(model, different=distance("n", gap)), ask({"e": model}, different=distance("e.n", gap))

    assert {row_of(value) for value in alone.values} == table.rows
    assert {row_of(value["e"]) for value in beside.values} == table.rows
    assert len(apart) == len(beside_apart) == most_apart(table.rows, gap)
    assert {row_of(value) for value in apart.values} | {
        row_of(value["e"]) for value in beside_apart.values
    } <= table.rows
    assert {alone.status.ending, apart.status.ending, beside_apart.status.ending} == {
        Ending.COMPLETE if table.rows else Ending.UNSATISFIABLE
    }


def moody(n):
    if n == 977:
        raise ValueError("anything but 977")
    return n


def test_a_builder_that_is_trusted_at_first_is_asked_once_it_refuses_something():
    spec = Spec({"e": record(moody, n=Int(0, 2_000))})

    suite = unlike.generate(spec, "all")

    assert is_whole(suite, 2_000)
    assert 977 not in {value["e"] for value in suite.values}
    assert "if moody refuses none of them" in count(spec)[1].detail  # nobody asked it about each


def picky(n):
    if n % 1_000_003:
        raise LookupError(f"not {n}")
    return n


def test_where_a_search_is_given_up_the_status_names_an_input_that_was_refused_and_the_exception():
    suite = unlike.generate(Spec({"e": record(picky, n=Int(1, 10**9))}), 50)

    assert suite.status.ending is Ending.UNKNOWN
    assert "picky refuses {'n': " in suite.status.detail
    assert "LookupError: not " in suite.status.detail
    assert all(value["e"] % 1_000_003 == 0 for value in suite.values)


def test_a_blank_that_no_difference_speaks_of_takes_accepted_values_only():
    table = Table(3)
    blanks = {"e": List(record(model_of("function", table), n=Int(0, 10**6), s=OneOf(*LETTERS))), "k": Int(0, 5)}

    suite = unlike.generate(Spec(blanks, different=differs_by("k")), "all", in_process=True)

    assert is_whole(suite, 6)
    assert all(row_of(each) in table.rows for value in suite.values for each in value["e"])


def leaves(n):
    if n == 3:
        raise SystemExit(n)
    return n


def test_a_builder_that_leaves_refuses():
    suite = unlike.generate(Spec({"e": record(leaves, n=Int(0, 5))}), "all")

    assert sorted(value["e"] for value in suite.values) == [0, 1, 2, 4, 5]


def test_of_a_builder_that_changes_its_mind_nothing_leaves_that_it_refused_and_the_exception_is_named():
    asked = []

    def build(n):
        asked.append(n)
        if asked.count(20) > 2:  # listed, and checked again
            raise ValueError("not again")
        return n

    build(20)
    suite = unlike.generate(Spec({"e": record(build, n=Int(20, 25))}, n=1), in_process=True)

    assert len(suite) == 0
    assert "build refuses {'n': 20}: ValueError: not again" in suite.status.detail
