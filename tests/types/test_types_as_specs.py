"""A type with conditions and a difference gives what the spec over its fields gives, and what brute force finds."""

import dataclasses
import datetime
import enum
import itertools
from decimal import Decimal
from random import Random
from typing import Annotated, Literal, Required, TypedDict

import pytest
from annotated_types import Ge, Le, Len, MultipleOf
from tests.corpora import few_of

import unlike as u
from unlike.suite import Ending

SEEDS = 120
PERIOD = (datetime.date(2024, 2, 27), datetime.date(2024, 3, 1))


class Env(enum.Enum):
    DEV = 1
    PROD = 2


@dataclasses.dataclass(frozen=True)
class Line:
    quantity: Annotated[int, Ge(1), Le(2)]
    price: Annotated[int, Ge(0), Le(2)]


# of each field: its annotation, all its values
FIELDS = {
    "n": (Annotated[int, Ge(0), Le(5)], list(range(6))),
    "k": (Annotated[int, Ge(0), Le(12), MultipleOf(3)], [0, 3, 6, 9, 12]),
    "flag": (bool, [False, True]),
    "env": (Env, list(Env)),
    "word": (Literal["a", "b"], ["a", "b"]),
    "maybe": (Annotated[int, Ge(0), Le(2)] | None, [None, 0, 1, 2]),
    "line": (Line, [Line(quantity, price) for quantity in (1, 2) for price in (0, 1, 2)]),
    "prices": (
        Annotated[list[Annotated[int, Ge(0), Le(2)]], Len(0, 2)],
        [list(items) for size in range(3) for items in itertools.product(range(3), repeat=size)],
    ),
    "rate": (Annotated[Decimal, u.Decimal(0, Decimal("0.3"), 1)], [Decimal(tenth) / 10 for tenth in range(4)]),
    "day": (
        Annotated[datetime.date, Ge(PERIOD[0]), Le(PERIOD[1])],
        [PERIOD[0] + datetime.timedelta(days) for days in range(4)],
    ),
}
UNSPOKEN = {"tags": dict[str, int], "either": int | str, "names": set[str]}
# what is said as a term, and what it means of finished values
CONDITIONS = [
    (lambda n: n > 1, lambda n: n > 1),
    (lambda n, k: n + k < 9, lambda n, k: n + k < 9),
    (lambda k: k != 6, lambda k: k != 6),
    (lambda n, flag: u.implies(flag, n == 3), lambda n, flag: not flag or n == 3),
    (lambda env, n: (env == Env.DEV) | (n == 0), lambda env, n: env is Env.DEV or n == 0),
    (lambda maybe, n: maybe.present & (maybe.value < n), lambda maybe, n: maybe is not None and maybe < n),
    (lambda line, n: line.quantity * line.price == n, lambda line, n: line.quantity * line.price == n),
    (lambda prices, n: prices.sum() == n, lambda prices, n: sum(prices) == n),
    (lambda prices: prices.distinct(), lambda prices: len(set(prices)) == len(prices)),
    (lambda prices: prices.sorted(descending=True), lambda prices: prices == sorted(prices, reverse=True)),
    (lambda prices, k: prices.count(lambda each: each > 0) * 3 == k, lambda prices, k: sum(map(bool, prices)) * 3 == k),
    (lambda rate, n: rate * 10 >= n, lambda rate, n: rate * 10 >= n),
    (lambda rate: rate != Decimal("0.2"), lambda rate: rate != Decimal("0.2")),
    (lambda day, n: day + n > PERIOD[1], lambda day, n: day + datetime.timedelta(n) > PERIOD[1]),
    (lambda day: day - PERIOD[0] != datetime.timedelta(2), lambda day: day - PERIOD[0] != datetime.timedelta(2)),
    (lambda word, n: u.ite(word == "a", n, 5 - n) > 1, lambda word, n: (n if word == "a" else 5 - n) > 1),
    (lambda n: n.bit_length() != 2, lambda n: n.bit_length() != 2),  # plain Python
]


def place(value, values):
    """At which of five places between its bounds a value is."""
    index, last = values.index(value), len(values) - 1
    return index if index < 2 else f"{last - index} from the end" if index > last - 2 else "between"


# how two inputs may differ, by the key that tells them apart
def differences(name, values):
    yield u.differs_by(name), lambda value: repr(value)
    if name in ("n", "k", "day", "rate"):
        yield u.boundary(name), lambda value: place(value, values)
    if name == "prices":
        yield u.boundary(name), lambda value: place(len(value), [0, 1, 2])
        yield u.differs_by("prices.length"), len
    if name == "line":
        yield u.boundary("line.price"), lambda value: place(value.price, [0, 1, 2])


def names_in(function):
    return function.__code__.co_varnames[: function.__code__.co_argcount]


@dataclasses.dataclass
class Subject:
    fields: dict
    where: list
    meaning: list
    different: object
    key: object
    keyed: str

    def cls(self, **more):
        return dataclasses.make_dataclass(
            "Subject", [*((name, each[0]) for name, each in self.fields.items()), *more.items()]
        )

    def legal(self):
        """Every input that is legal, by trying all."""
        for values in itertools.product(*(each[1] for each in self.fields.values())):
            row = dict(zip(self.fields, values, strict=True))
            if all(holds(**{name: row[name] for name in names_in(holds)}) for holds in self.meaning):
                yield row


def subject(seed):
    random = Random(seed)
    names = random.sample(sorted(FIELDS), random.choice([2, 3]))
    fields = {name: FIELDS[name] for name in names}
    known = [pair for pair in CONDITIONS if set(names_in(pair[0])) <= set(names)]
    said = random.sample(known, min(len(known), random.choice([0, 1, 2])))
    keyed = random.choice(names)
    different, key = random.choice(list(differences(keyed, fields[keyed][1])))
    return Subject(fields, [each[0] for each in said], [each[1] for each in said], different, key, keyed)


def rows(suite, names):
    return [{name: getattr(case.value, name) for name in names} for case in suite]


@pytest.mark.parametrize("seed", few_of(range(SEEDS), 40))
def test_a_type_with_a_difference_gives_one_input_for_each_class_that_brute_force_finds(seed):
    asked = subject(seed)
    classes = {asked.key(row[asked.keyed]) for row in asked.legal()}

    suite = u.generate(asked.cls(), "all", where=asked.where, different=asked.different, in_process=True)

    found = rows(suite, asked.fields)
    assert all(row in list(asked.legal()) for row in found)
    assert len({asked.key(row[asked.keyed]) for row in found}) == len(found) == len(classes)
    assert suite.status.ending is (Ending.COMPLETE if classes else Ending.UNSATISFIABLE)


@pytest.mark.parametrize("seed", few_of(range(SEEDS), 12))
def test_fields_that_no_term_speaks_of_change_neither_the_number_nor_the_proof(seed):
    asked = subject(seed)
    classes = {asked.key(row[asked.keyed]) for row in asked.legal()}

    cls = asked.cls(**UNSPOKEN)
    suite = u.generate(cls, "all", where=asked.where, different=asked.different, in_process=True)

    found = rows(suite, asked.fields)
    assert all(row in list(asked.legal()) for row in found)
    assert len({asked.key(row[asked.keyed]) for row in found}) == len(found) == len(classes)
    assert suite.status.ending is (Ending.COMPLETE if classes else Ending.UNSATISFIABLE)
    assert all(isinstance(case.value.names, set) for case in suite)
    if len(found) > 3:
        assert len({repr(case.value.tags) for case in suite}) > 1, "they vary all the same"


@pytest.mark.few(10)
@pytest.mark.parametrize("seed", few_of(range(SEEDS), 20))
def test_a_type_with_conditions_gives_as_many_inputs_as_there_are(seed):
    asked = subject(seed)
    legal = list(asked.legal())

    for n in (10, len(legal) + 5):
        suite = u.generate(asked.cls(), n, where=asked.where, in_process=True)

        found = rows(suite, asked.fields)
        assert all(row in legal for row in found)
        assert len(found) == min(n, len(legal))


def test_a_condition_on_a_field_that_no_term_speaks_of_filters_and_spoils_the_proof():
    cls = dataclasses.make_dataclass("C", [("n", Annotated[int, Ge(0), Le(3)]), ("tags", dict[str, int])])

    suite = u.generate(cls, "all", where=lambda n, tags: len(tags) == n % 2, different=u.differs_by("n"))

    assert {case.value.n for case in suite} == {0, 1, 2, 3}
    assert all(len(case.value.tags) == case.value.n % 2 for case in suite)
    assert suite.status.ending is Ending.UNKNOWN
    assert "tags" in suite.status.detail


def test_a_condition_on_a_part_of_an_object_that_no_term_speaks_of_is_plain_python():
    inner = dataclasses.make_dataclass("Inner", [("city", Literal["a", "b"]), ("tags", set[str])])
    cls = dataclasses.make_dataclass("Outer", [("n", Annotated[int, Ge(0), Le(3)]), ("home", inner)])

    suite = u.generate(cls, where=lambda home: len(home.tags) == 1, different=u.differs_by("n"))
    terms = u.generate(cls, where=lambda home, n: (home.city == "b") & (n > 1), different=u.differs_by("n"))

    assert [len(case.value.home.tags) for case in suite] == [1] * 4
    assert suite.status.ending is Ending.UNKNOWN
    assert sorted((case.value.home.city, case.value.n) for case in terms) == [("b", 2), ("b", 3)]
    assert terms.status.ending is Ending.UNKNOWN or terms.status.ending is Ending.COMPLETE


def test_a_dict_that_may_lack_a_key_claims_nothing_of_those_that_do():
    class Asked(TypedDict, total=False):
        a: Annotated[int, Ge(0), Le(3)]
        b: Required[Annotated[int, Ge(0), Le(3)]]

    suite = u.generate(Asked, "all", where=lambda a, b: a + b == 3, different=u.differs_by("b"))

    assert sorted(case.value["b"] for case in suite) == [0, 1, 2, 3]
    assert suite.status.ending is Ending.UNKNOWN


def test_a_type_without_values_in_the_language_is_refused_with_the_reason():
    with pytest.raises(u.SpecError, match="no value for a dict"):
        u.generate(dict[str, int], 3, different=u.differs_by("value"))


@dataclasses.dataclass
class OrderLine:
    quantity: Annotated[int, Ge(1), Le(9)]
    price: Annotated[int, Ge(1), Le(100)]


@dataclasses.dataclass
class Order:
    lines: Annotated[list[OrderLine], Len(1, 3)]
    total: Annotated[int, Ge(0), Le(10_000)]
    note: dict[str, int] = dataclasses.field(default_factory=dict)


def test_a_total_that_is_the_sum_of_lines_gives_as_many_inputs_as_asked():
    suite = u.generate(
        Order, 10, where=lambda lines, total: total == lines.sum(lambda each: each.quantity * each.price)
    )

    assert len(suite) == 10
    assert all(
        order.total == sum(each.quantity * each.price for each in order.lines) for order in (c.value for c in suite)
    )


def test_totals_far_apart_are_asked_of_the_fields_that_are_named():
    said = {"where": lambda lines, total: total == lines.sum(lambda each: each.quantity * each.price)}
    suite = u.generate(Order, 10, different=u.distance("total", 50), **said)

    totals = sorted(case.value.total for case in suite)
    assert len(totals) == 10
    assert all(two - one >= 50 for one, two in itertools.pairwise(totals))
