"""What `where` may say is the same wherever it is said, and means what plain Python finds on finished values."""

import cProfile
import dataclasses
import datetime
import enum
import inspect
import itertools
import re
from typing import Annotated, Literal, Optional

import annotated_types
import pydantic
import pytest
from click.testing import CliRunner
from tests.corpora import few_of
from tests.testing.test_saved_cases import source_of

import unlike
from unlike import Date, Int, List, OneOf, Option, Spec, SpecError, Str, blank, differs_by, read_program, some_of
from unlike.cli.entry import cli


class Env(enum.Enum):
    DEV = 1
    TEST = 2
    PROD = 3

    def is_live(self):
        return self is Env.PROD


class Rank(enum.IntEnum):
    LOW = 1
    HIGH = 3


FIRST = datetime.date(2024, 2, 26)  # a Monday
# of each field the value of the language, the annotation, and what there is
FIELDS = {
    "env": (OneOf(Env), Env, list(Env)),
    "rank": (OneOf(Rank), Rank, list(Rank)),
    "n": (Int(0, 5), Annotated[int, annotated_types.Interval(ge=0, le=5)], range(6)),
    "k": (Int(0, 3), Annotated[int, annotated_types.Interval(ge=0, le=3)], range(4)),
    "s": (
        Str("[ab]{0,2}"),
        Annotated[str, pydantic.StringConstraints(pattern="^[ab]{0,2}$")],
        ["", "a", "b", "aa", "ab", "ba", "bb"],
    ),
    "nick": (Option(OneOf("x", "y")), Optional[Literal["x", "y"]], [None, "x", "y"]),  # noqa: UP045
    "tags": (
        List(OneOf("p", "q"), 0, 2),
        Annotated[list[Literal["p", "q"]], annotated_types.Len(0, 2)],
        [list(each) for size in range(3) for each in itertools.product("pq", repeat=size)],
    ),
    "day": (
        Date(FIRST, FIRST + datetime.timedelta(6)),
        Annotated[datetime.date, annotated_types.Interval(ge=FIRST, le=FIRST + datetime.timedelta(6))],
        [FIRST + datetime.timedelta(i) for i in range(7)],
    ),
}
LIVE = {Env.PROD: True, Env.TEST: False}


def is_safe(env):
    return env is not Env.PROD


def between(value, low=None, high=None):
    said = [] if low is None else [value >= low]
    return unlike.and_(*said, *([] if high is None else [value <= high]))


def shouts(s):
    try:
        return s.upper() == "AB"
    except Exception:
        return True


def by_cases(env):
    match env:
        case Env.DEV:
            return True
        case _:
            return False


def by_class(n):
    if isinstance(n, int):
        return n > 3
    return False


# what only Python can decide: it is its own meaning
FILTERS = [
    lambda env: env is not Env.PROD,
    lambda env: Env.DEV is env,
    lambda env: env is Env.DEV or env is Env.TEST,
    lambda env, n: (n > 3) & (env is not Env.PROD),
    lambda env, n: n > 3 and env is not Env.PROD,
    lambda env, n: [n > 3, env is not Env.PROD],
    lambda env: is_safe(env),
    lambda env, n: (n < 2) | is_safe(env),
    lambda env: isinstance(env, Env),
    lambda env: type(env) is Env and env.value > 1,
    lambda env: env.is_live(),
    lambda env: LIVE.get(env),
    lambda nick: nick is None,
    lambda nick: nick is not None and nick.upper() == "Y",
    lambda nick, n: n if nick is None else n > 4,
    lambda s: s.upper() == "AB",
    lambda s: re.fullmatch("a.?", s),
    lambda s, n: (n > 3) & shouts(s),
    lambda s: "".join(reversed(s)) == s and isinstance(s, str),
    lambda day: day.weekday() == 0,
    lambda day: day.isoformat().endswith("29"),
    lambda n: round(n / 2) == 1 if isinstance(n, int) else False,
    lambda n: n.bit_length() == 2,
    lambda n: list(range(n)) == [0, 1],
    lambda rank: rank > 2,
    lambda rank: rank + 1 == 2,
    lambda rank: rank == 3,
    lambda n, k: divmod(n, 2) == (k, 1),
    lambda n: True,
    by_class,
]
# terms, each with what it means
TERMS = [
    (
        lambda day: day + datetime.timedelta(1) > datetime.date(2024, 3, 1),
        lambda day: day + datetime.timedelta(1) > datetime.date(2024, 3, 1),
    ),
    (lambda tags: tags.count("p") == 1, lambda tags: tags.count("p") == 1),
    (lambda tags: tags.distinct(), lambda tags: len(set(tags)) == len(tags)),
    (lambda tags: tags.sorted(), lambda tags: list(tags) == sorted(tags)),
    (lambda tags, k: tags.sum(lambda each: each.length) == k + 1, lambda tags, k: sum(map(len, tags)) == k + 1),
    (lambda env: env != Env.PROD, lambda env: env != Env.PROD),
    (lambda env: env.is_in([Env.DEV, Env.TEST]), lambda env: env in (Env.DEV, Env.TEST)),
    (lambda env: env.value > 1, lambda env: env.value > 1),
    (lambda n, k: (n > k) & ~(n == 4), lambda n, k: n > k and n != 4),
    (lambda n: ~(n > 3), lambda n: not n > 3),
    (lambda n: between(n, high=3), lambda n: n <= 3),
    (lambda n, k: [n > 2, k < 2], lambda n, k: n > 2 and k < 2),
    (lambda n, k: n // 2 == k, lambda n, k: n // 2 == k),
    (lambda n, low=3: n >= low, lambda n: n >= 3),
    (lambda n: unlike.implies(n > 2, n != 4), lambda n: n <= 2 or n != 4),
    (lambda n, k: unlike.ite(n > 2, k, n) == 1, lambda n, k: (k if n > 2 else n) == 1),
    (lambda s: s.contains("b"), lambda s: "b" in s),
    (lambda s: s.length == 2, lambda s: len(s) == 2),
    (lambda s: s[0] == "a", lambda s: s[:1] == "a"),
    (lambda s: s[-1] == "a", lambda s: s[-1:] == "a"),
    (lambda tags: tags[-2] == tags[-1], lambda tags: tags[-2:-1] == tags[-1:]),
    (lambda s: unlike.matching(s, "a.?"), lambda s: re.fullmatch("a.?", s)),
    (lambda nick: nick == None, lambda nick: nick is None),  # noqa: E711
    (lambda nick: nick.present & (nick.value == "x"), lambda nick: nick == "x"),
    (lambda tags: tags.each(lambda tag: tag == "p"), lambda tags: all(tag == "p" for tag in tags)),
    (lambda tags: tags.length + 1 == 2, lambda tags: len(tags) == 1),
    (lambda day: day.weekday == 0, lambda day: day.weekday() == 0),
    (lambda day: day - datetime.date(2024, 2, 28) > 1, lambda day: (day - datetime.date(2024, 2, 28)).days > 1),
    (unlike.predicate(lambda n: n > 3 and n % 2), lambda n: n > 3 and n % 2),
]
# what is refused everywhere, with what to write
REFUSED = [
    (lambda n, k: n > 2 and k < 2, "'and' decides too early.*write &"),
    (lambda n, k: n > 2 or k < 2, "'or' decides too early.*write |"),
    (lambda n: not n > 2, "'not' decides too early.*write ~"),
    (lambda n: 1 < n < 4, r"'a < b < c' decides too early.*\(a < b\) & \(b < c\)"),
    (lambda n: n in (1, 2), "'in' decides too early.*is_in"),
    (lambda n: n in {1, 2}, "'in' decides too early.*is_in"),
    (lambda n, k: k == 1 if n > 2 else k == 2, "'if' decides too early.*write ite"),
    (lambda s: "a" in s, r"write s.contains\('a'\)"),
    (lambda s: len(s) > 1, "write s.length"),
    (lambda tags: all(tag == "p" for tag in tags), "write tags.each"),
    (lambda env: ~(env is Env.PROD), "plain Python.*write not"),
    (lambda day, env: (day.weekday == 0) & (env is not Env.PROD), r"plain Python.*write .weekday\(\)"),
    (lambda n: n + 1, "not a condition"),
    (lambda n: n == "a", "cannot be compared"),
    (lambda s: s.uper(), "has no 'uper'"),
    (by_cases, "decides too early|Python needs True or False|plain Python|'match'"),
]


def names_in(where):
    function = where.function if isinstance(where, unlike.predicate(len).__class__) else where
    return [name for name in inspect.signature(function).parameters if name in FIELDS]


def annotations(names):
    return {name: FIELDS[name][1] for name in names}


def by_spec(names, where):
    return unlike.generate(Spec({name: FIELDS[name][0] for name in names}, where=where))


def by_values(names, where):
    return unlike.generate({name: FIELDS[name][0] for name in names}, "all", where=where)


def by_annotations(names, where):
    return unlike.generate(annotations(names), "all", where=where)


def by_class_of(names, where):
    return unlike.generate(dataclasses.make_dataclass("Made", annotations(names).items()), "all", where=where)


def by_model(names, where):
    return unlike.generate(
        pydantic.create_model("Model", **{name: (each, ...) for name, each in annotations(names).items()}),
        "all",
        where=where,
    )


def by_difference(names, where):
    return unlike.generate(annotations(names), "all", where=where, different=some_of(*map(differs_by, names)))


def by_program(names, where):
    declared = " ".join(f"(declare {name} ?V{name})" for name in names)
    primitives = {f"V{name}": FIELDS[name][0] for name in names} | {"holds": where}
    text = f"(program p (generate g all {declared} (specify {names[0]} (holds {' '.join(names)}))))"
    [spec] = read_program(text, primitives=primitives)
    return unlike.generate(spec)


def by_test(names, where):
    def test_it(): ...

    test_it.__signature__ = inspect.Signature(
        [inspect.Parameter(name, inspect.Parameter.POSITIONAL_OR_KEYWORD) for name in names]
    )
    test_it.__annotations__ = annotations(names)
    source = source_of(test_it, unlike.inputs("all", where=where))
    rows, _ = source.generate("all", None)
    decoded = [source.decode(row.input, row.choices) for row in rows]
    return [{name: one.build(name) for name in names} for one in decoded]


DOORS = [by_spec, by_values, by_annotations, by_class_of, by_model, by_difference, by_program, by_test]


def rows_of(found, names):
    rows = [value if isinstance(value, dict) else vars(value) for value in getattr(found, "values", found)]
    return sorted(repr([row[name] for name in names]) for row in rows)


def brute_force(names, holds):
    def truth(result):
        return all(map(truth, result)) if isinstance(result, list) else bool(result)

    rows = itertools.product(*(FIELDS[name][2] for name in names))
    return sorted(repr(list(row)) for row in rows if truth(holds(**dict(zip(names, row, strict=True)))))


def said(row):
    where = row[0] if isinstance(row, tuple) else row
    function = where if inspect.isfunction(where) else where.function
    return inspect.getsource(function).strip()[:70]


@pytest.mark.few(16)
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("where", few_of(FILTERS, 12, ids=map(said, FILTERS)))
def test_what_only_python_can_decide_filters_finished_values(door, where):
    names = names_in(where)

    found = door(names, where)

    assert rows_of(found, names) == brute_force(names, where)
    if isinstance(found, unlike.Suite):
        assert "plain Python" in found.guarantee


@pytest.mark.few(35)
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("row", few_of([(each,) for each in TERMS], 12, ids=map(said, TERMS)))
def test_a_term_means_the_same_everywhere(door, row):
    where, holds = row
    names = names_in(where)
    if door is by_program and any(word in said(row) for word in ("low=3", "matching", "[n > 2")):
        pytest.skip("a primitive takes what is written, by position, and makes one term")

    found = door(names, where)

    assert rows_of(found, names) == brute_force(names, holds)
    if isinstance(found, unlike.Suite):
        assert ("plain Python" in found.guarantee) == (where is TERMS[-1][0])


@pytest.mark.few(19)
@pytest.mark.parametrize("door", DOORS)
@pytest.mark.parametrize("row", few_of([(each,) for each in REFUSED], 8, ids=map(said, REFUSED)))
def test_what_a_term_says_in_other_words_is_refused_everywhere(door, row):
    where, message = row

    with pytest.raises(SpecError, match=f"(?s){message}"):
        door(names_in(where), where)


@pytest.mark.parametrize("door", [by_spec, by_annotations, by_class_of, by_difference, by_test])
def test_terms_written_outside_of_functions_are_taken_everywhere(door):
    where = [blank("n", Int(0, 5)) > 2, unlike.matching("s", "a.?"), True]

    expected = brute_force(["n", "s"], lambda n, s: n > 2 and re.fullmatch("a.?", s))
    assert rows_of(door(["n", "s"], where), ["n", "s"]) == expected


@pytest.mark.parametrize("where", [lambda x: x is not Env.PROD, lambda x: x != Env.PROD, lambda x: x.name < "PROD"])
def test_a_type_without_fields_is_filtered_alike(where):
    assert unlike.generate(Env, "all", where=where).values == [each for each in Env if where(each)]
    some = unlike.generate(Env, "all", where=where, different=differs_by("value"))
    assert sorted(each.name for each in some.values) == sorted(each.name for each in Env if where(each))


def test_a_target_of_the_command_line_is_filtered_alike(tmp_path, monkeypatch):
    (tmp_path / "deploys.py").write_text(
        "import enum\nfrom unlike import OneOf, Spec\n"
        "class Env(enum.Enum):\n    DEV = 1\n    PROD = 3\n"
        "spec = Spec({'env': OneOf(Env)}, where=lambda env: env is not Env.PROD)\n"
    )
    monkeypatch.syspath_prepend(tmp_path)

    result = CliRunner().invoke(cli, ["generate", "deploys:spec"])

    assert result.exit_code == 0, result.output
    assert "DEV" in result.output
    assert "PROD" not in result.output


@pytest.mark.parametrize("difference", [lambda env: env is Env.DEV, lambda env: isinstance(env, str)])
def test_a_difference_that_python_decides_too_early_is_refused(difference):
    with pytest.raises(SpecError, match=r"decided before env has a value.*python_difference"):
        Spec({"env": OneOf(Env)}, different=differs_by(difference))
    with pytest.raises(SpecError, match=r"decided before there are values.*== for is"):
        Spec({"env": OneOf(Env)}, different=unlike.relation(lambda a, b: a.env is not b.env))
    with pytest.raises(SpecError, match="decided before env has a value"):
        Spec({"env": OneOf(Env)}, different=unlike.enumerate_([difference]))


def test_a_profiler_changes_nothing():
    profiler = cProfile.Profile()
    profiler.enable()
    try:
        suite = by_spec(["env", "n"], FILTERS[3])
    finally:
        profiler.disable()

    assert rows_of(suite, ["env", "n"]) == brute_force(["env", "n"], FILTERS[3])
