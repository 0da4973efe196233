"""Blanks that are said to be equal are chosen once, and the inputs are those of brute force."""

import datetime
from random import Random

import pytest
from tests.corpora import few_of
from tests.specs import reference
from tests.specs.test_agreement import check

import unlike as u
from unlike.specs.problem import take_apart
from unlike.suite import Ending

DAY = datetime.date(2024, 2, 27)
KINDS = {
    "int": lambda random: u.Int(low := random.randint(-2, 2), low + random.randint(0, 3)),
    "listed int": lambda random: u.OneOf(*random.sample(range(-2, 4), 3)),
    "real": lambda random: u.Real(0, random.choice([0.2, 0.35]), random.choice([1, 2])),
    "str": lambda random: u.Str(
        random.choice(["[ab]{0,2}", "(?=.*a)[ab]{1,2}", "b?a?"]), max_length=random.randint(1, 2)
    ),
    "listed str": lambda random: u.OneOf("a", "b", "ab"),
    "date": lambda random: u.Date(DAY, DAY + datetime.timedelta(random.randint(0, 3))),
    "time": lambda random: u.Time(datetime.time(9), datetime.time(9, 4), step=random.choice([60, 120])),
    "atom": lambda random: random.choice([u.OneOf(True, 1, "x"), u.OneOf(1, True, "x"), u.OneOf("x", True)]),
    "optional": lambda random: u.Option(u.Int(0, random.randint(1, 2))),
    "record": lambda random: u.record(p=u.Int(0, random.randint(1, 2)), q=u.Bool()),
}
GROUPS = [
    ["int", "listed int"],
    ["str", "listed str"],
    ["real"],
    ["date"],
    ["time"],
    ["atom"],
    ["optional"],
    ["record"],
]


def random_equalities(random):
    kinds = random.choice(GROUPS)
    names = "abcd"[: random.randint(2, 4)]
    values = {name: KINDS[random.choice(kinds)](random) for name in names}
    pairs = [tuple(random.sample(names, 2)) for _ in range(random.randint(1, 3))]
    equal = [eval(f"lambda {one}, {two}: {one} == {two}") for one, two in pairs if values[one].kind == values[two].kind]
    one, two = random.sample(names, 2)
    extra = [] if values[one].kind != values[two].kind else [eval(f"lambda {one}, {two}: {one} != {two}")]
    predicate = u.predicate(eval(f"lambda {one}: {one} is not None"))
    where = [*equal, *(extra if random.random() < 0.3 else []), *([predicate] if random.random() < 0.2 else [])]
    different = random.choice([[], [], u.differs_by(one), [u.differs_by(one), u.differs_by(two)]])
    return u.Spec(values, where=where, different=different)


@pytest.mark.parametrize("seed", few_of(range(120), 15))
def test_inputs_with_equal_parts_are_those_of_brute_force(seed):
    spec = random_equalities(Random(seed))
    problem = take_apart(spec)
    legal = reference.inputs(problem)

    status = check(problem, "auto", legal)

    assert status.ending in (Ending.COMPLETE if legal else Ending.UNSATISFIABLE, Ending.MAXIMAL)
    suite = u.generate(spec, in_process=True)  # what was filled in is checked like everything else
    assert suite.status.ending is status.ending


def test_a_password_is_confirmed_and_a_reason_for_none_is_told_in_the_words_of_the_spec():
    password = r"(?=.*[A-Z])(?=.*[a-z])(?=.*\d)(?=.*[^\w\s]).{8,}"
    blanks = {"user": u.Str("[a-z]{3,12}"), "password": u.Str(password), "confirm": u.Str()}

    def where(user, password, confirm):
        return [confirm == password, u.not_(password.contains(user))]

    suite = u.generate(u.Spec(blanks, where=where), 20)
    none = u.generate(u.Spec(blanks | {"confirm": u.Str("[a-z]*")}, where=where))

    assert len(suite) == 20
    assert all(each["password"] == each["confirm"] and each["user"] not in each["password"] for each in suite.values)
    assert len({each["user"] for each in suite.values}) > 10
    assert len({each["password"] for each in suite.values}) == 20
    assert "asked of" not in suite.explanation
    assert none.status.ending is Ending.UNSATISFIABLE
    assert "confirm == password" in none.status.clash


def test_parts_of_records_are_equal_and_a_whole_record_is_still_told_apart():
    place = u.record(city=u.OneOf("Rome", "Oslo"), zip=u.Int(1, 3))
    where = [lambda home, work: home.city == work.city, lambda home, work: home.zip != work.zip]

    suite = u.generate(u.Spec({"home": place, "work": place}, where=where, different=u.differs_by("work")))

    assert suite.status.ending is Ending.COMPLETE
    assert len(suite) == 6  # every work place, each with a home in the same city
