"""Combinations of the choices of every kind of space, against all inputs listed by hand."""

from __future__ import annotations

import itertools
import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, NotRequired, TypedDict

import pydantic
import pytest
from tests.covering.test_combinations import run

import unlike
from unlike.errors import SpecError
from unlike.typed.generate import coverage_of

Flat = dict[str, object]


def product(**values: Iterable[object]) -> list[Flat]:
    return [dict(zip(values, each, strict=True)) for each in itertools.product(*values.values())]


def tuples_of(rows: Iterable[Mapping[str, object]], t: int) -> set[tuple[tuple[str, object], ...]]:
    """Return the combinations that rows have; a place that a row lacks is in none."""
    return {some for row in rows for some in itertools.combinations(sorted(row.items()), t)}


def assert_covered(rows: list[Flat], legal: list[Flat], t: int) -> None:
    assert all(row in legal for row in rows)
    assert tuples_of(rows, t) == tuples_of(legal, t)


# -- specs ---------------------------------------------------------------------------------------------------------

GOODS = unlike.Spec(
    {"a": unlike.OneOf(1, 2, 3), "b": unlike.OneOf(1, 2, 3), "c": unlike.OneOf("x", "y"), "d": unlike.Bool()},
    where=lambda a, b: a != b,
    name="goods",
)
LEGAL = [row for row in product(a=(1, 2, 3), b=(1, 2, 3), c="xy", d=(False, True)) if row["a"] != row["b"]]


@pytest.mark.parametrize("t", [1, 2, 3, 4])
def test_a_spec_of_values_is_covered_under_its_assertions(t: int) -> None:
    suite = unlike.generate(GOODS, cover=t)

    assert suite.name == "goods"
    assert_covered(list(suite.values), LEGAL, t)
    assert suite.status.ending.value == "shown"


def test_a_spec_may_say_itself_how_many_are_combined() -> None:
    spec = unlike.Spec({"a": unlike.Int(0, 3), "b": unlike.Int(0, 3)}, different=unlike.cover.structure(2))

    assert_covered(list(unlike.generate(spec).values), product(a=range(4), b=range(4)), 2)


def test_a_spec_that_says_how_inputs_differ_is_not_covered_as_well() -> None:
    spec = unlike.Spec({"a": unlike.Int(0, 3)}, different=unlike.differs_by("a"))

    with pytest.raises(SpecError, match="says itself how inputs differ; leave out its difference, or cover"):
        unlike.generate(spec, cover=1)


def test_plain_python_and_records_in_a_spec_are_covered() -> None:
    @unlike.predicate
    def sane(place: dict[str, int], fast: bool) -> bool:
        return not (place["x"] == 1 and fast)

    spec = unlike.Spec(
        {"place": unlike.record(x=unlike.OneOf(1, 2), y=unlike.OneOf(1, 2, 3)), "fast": unlike.Bool()}, where=sane
    )

    rows = [{**each["place"], "fast": each["fast"]} for each in unlike.generate(spec, cover=3).values]

    legal = [row for row in product(x=(1, 2), y=(1, 2, 3), fast=(False, True)) if not (row["x"] == 1 and row["fast"])]
    assert_covered(rows, legal, 3)


def test_specs_are_covered_on_the_command_line(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = run(
        capsys, "generate", "tests.covering.test_covered_spaces:GOODS", "--cover", "3", "--format", "csv"
    )
    assert code == 0
    (tmp_path / "rows.csv").write_text(out)

    words = ["coverage", "tests.covering.test_covered_spaces:GOODS", "--of", str(tmp_path / "rows.csv"), "--cover", "3"]
    code, out, _ = run(capsys, *words)

    assert code == 0
    assert f"combinations of 3: {len(tuples_of(LEGAL, 3))} of {len(tuples_of(LEGAL, 3))} (100.0 %)" in out

    (tmp_path / "rows.csv").write_text("a,b,c,d\n1,2,x,true\n2,2,y,true\n")
    code, out, _ = run(capsys, *words[:-1], "2")

    assert (code, out.splitlines()[0]) == (0, "2 rows, 1 of them no inputs")
    assert f"combinations of 2: 6 of {len(tuples_of(LEGAL, 2))}" in out  # of one legal row of four fields

    code, _, err = run(capsys, "generate", words[1], "--cover", "3", "--solver", "z3")
    assert (code, "--solver z3 goes with specs without --cover" in err) == (2, True)


# -- numbers -------------------------------------------------------------------------------------------------------


class Bounded(pydantic.BaseModel):
    count: Annotated[int, pydantic.Field(ge=1, le=4)]
    step: Annotated[int, pydantic.Field(ge=0, le=10, multiple_of=5)]
    far: Annotated[int, pydantic.Field(ge=0, le=1000)]


def test_a_short_range_of_whole_numbers_is_a_choice_for_each_of_them() -> None:
    suite = unlike.generate(Bounded, cover=2, where=lambda count, step: step <= 5 * count)

    rows = [{"count": each.count, "step": each.step} for each in suite.values]
    assert_covered(rows, [row for row in product(count=(1, 2, 3, 4), step=(0, 5, 10)) if row["step"] <= 5 * row["count"]], 2)  # type: ignore[operator]  # fmt: skip
    assert ("count: 1 with step: 10", "no choices satisfy the rules together") in coverage_of(suite).impossible


# -- records and fields that depend on each other ------------------------------------------------------------------


class Payment(pydantic.BaseModel):
    kind: Literal["card", "cash", "bank"]
    card: Literal["visa", "other"] | None
    country: Literal["de", "us"]
    fast: bool

    @pydantic.model_validator(mode="after")
    def check(self) -> Payment:
        if (self.kind == "card") != (self.card is not None):
            raise ValueError("a card goes with cards")
        if self.kind == "cash" and self.country == "us" and self.fast:
            raise ValueError("not so fast")
        return self


PAYMENTS = [
    row
    for row in product(
        kind=("card", "cash", "bank"), card=("visa", "other", None), country=("de", "us"), fast=(True, False)
    )
    if (row["kind"] == "card") == (row["card"] is not None)
    and not (row["kind"] == "cash" and row["country"] == "us" and row["fast"])
]


@pytest.mark.parametrize("t", [2, 3])
def test_fields_that_a_validator_ties_together_lose_no_combination(t: int) -> None:
    suite = unlike.generate(Payment, cover=t)

    assert_covered([dict(each) for each in suite.values], PAYMENTS, t)
    found = coverage_of(suite)
    assert suite.status.ending.value == "shown"
    # every one is shown, or stands in one of the lists
    assert found.targets == found.shown + len(found.impossible)
    assert not found.undecided


class Optional(TypedDict):
    a: Literal[1, 2, 3]
    b: NotRequired[Literal["x", "y"]]
    c: Literal["u", "v"]


class Triple(NamedTuple):
    a: Literal[1, 2, 3]
    b: Literal["x", "y"]
    c: bool


@pytest.mark.parametrize(
    ("space", "flat", "legal"),
    [
        (Optional, dict, [*product(a=(1, 2, 3), b="xy", c="uv"), *product(a=(1, 2, 3), c="uv")]),
        (Triple, lambda each: each._asdict(), product(a=(1, 2, 3), b="xy", c=(False, True))),
    ],
)
def test_records_of_any_kind_are_covered(space: Any, flat: Callable[[Any], Flat], legal: list[Flat]) -> None:
    assert_covered([flat(each) for each in unlike.generate(space, cover=3).values], legal, 3)


class Cat(pydantic.BaseModel):
    kind: Literal["cat"]
    lives: Literal[7, 9]
    wild: bool


class Dog(pydantic.BaseModel):
    kind: Literal["dog"]
    breed: Literal["x", "y", "z"]


class Home(pydantic.BaseModel):
    pet: Annotated[Cat | Dog, pydantic.Field(discriminator="kind")]
    town: Literal["a", "b"]


def flat_home(home: Home) -> Flat:
    return {**dict(home.pet), "town": home.town}


HOMES = [
    *product(kind=["cat"], lives=(7, 9), wild=(False, True), town="ab"),
    *product(kind=["dog"], breed="xyz", town="ab"),
]


def test_choices_inside_alternatives_are_combined_with_those_around() -> None:
    assert_covered([flat_home(each) for each in unlike.generate(Home, cover=3).values], HOMES, 3)


def test_a_place_that_its_alternative_fixes_can_be_named() -> None:
    suite = unlike.generate(Home, cover=2, negative={"pet.kind": "dog", "town": "b"})
    assert_covered(
        list(map(flat_home, suite.values)), [row for row in HOMES if row["kind"] == "cat" or row["town"] == "a"], 2
    )

    suite = unlike.generate(Home, cover=1, strength={"pet.kind,town": 2})
    assert {(each.pet.kind, each.town) for each in suite.values} == {("cat", "a"), ("cat", "b"), ("dog", "a"), ("dog", "b")}  # fmt: skip

    dogs = [{"pet.kind": "dog", "town": town} for town in "ab"]
    breeds = [{"pet.breed": breed, "town": town} for breed in "xyz" for town in "ab"]
    assert len(unlike.generate(Home, cover=2, ignore=[*dogs, *breeds])) < len(unlike.generate(Home, cover=2))


def test_a_place_with_others_inside_stands_for_all_of_them() -> None:
    suite = unlike.generate(Home, cover=1, strength={"pet,town": 3})

    rows = [flat_home(each) for each in suite.values]
    assert {(row["lives"], row["wild"], row["town"]) for row in rows if row["kind"] == "cat"} == set(
        itertools.product((7, 9), (False, True), "ab")
    )


# -- requests ------------------------------------------------------------------------------------------------------

SERVICE = {
    "openapi": "3.1.0",
    "info": {"title": "t", "version": "1"},
    "components": {"schemas": {"Page": {"type": "integer", "minimum": 1, "maximum": 3}}},
    "paths": {
        "/items": {
            "post": {
                "operationId": "create",
                "parameters": [
                    {"name": "sort", "in": "query", "required": True, "schema": {"enum": ["up", "down"]}},
                    {
                        "name": "page",
                        "in": "query",
                        "required": True,
                        "schema": {"type": "integer", "minimum": 1, "maximum": 3},
                    },
                ],
                "requestBody": {
                    "required": True,
                    "content": {
                        "application/json": {
                            "schema": {
                                "type": "object",
                                "additionalProperties": False,
                                "required": ["kind", "size"],
                                "properties": {
                                    "kind": {"enum": ["a", "b", "c"]},
                                    "size": {"enum": ["s", "m"]},
                                    "code": {"enum": ["x", "y"]},
                                },
                                "if": {"properties": {"kind": {"const": "a"}}},
                                "then": {"required": ["code"]},
                                "else": {"properties": {"code": False}},
                            }
                        }
                    },
                },
                "responses": {"200": {"description": "ok"}},
            }
        }
    },
}
REQUESTS = [
    *product(sort=("up", "down"), page=(1, 2, 3), kind="a", size="sm", code="xy"),
    *product(sort=("up", "down"), page=(1, 2, 3), kind="bc", size="sm"),
]


@pytest.mark.parametrize("t", [2, 3])
def test_requests_show_every_combination_of_parameters_and_body(
    t: int, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "api.json").write_text(json.dumps(SERVICE))
    words = ["--openapi", str(tmp_path / "api.json"), "--cover", str(t)]

    code, out, err = run(capsys, "generate", *words, "--operation", "create")

    values = [json.loads(line)["value"] for line in out.splitlines()]
    assert code == 0
    assert "every choice that is possible is shown (proved)" in err
    assert_covered([{**each["query"], **each["body"]} for each in values], REQUESTS, t)


# -- tests with blanks ---------------------------------------------------------------------------------------------


def test_decorated_tests_take_numbers_and_what_goes_with_them(pytester: pytest.Pytester) -> None:
    pytester.makepyfile(
        test_it="""
        from typing import Literal

        import unlike
        from unlike import Int, OneOf, Spec

        SEEN, GOODS = [], Spec({"a": OneOf(1, 2, 3), "b": OneOf(1, 2, 3), "c": Int(0, 1)}, where=lambda a, b: a != b)

        @unlike.inputs(cover=3)
        def test_three(kind: Literal["a", "b"], n: Literal[1, 2, 3], flag: bool):
            SEEN.append((kind, n, flag))

        def test_all_of_them():
            assert len(SEEN) == len(set(SEEN)) == 12

        @unlike.inputs(spec=GOODS, cover=2)
        def test_spec(a, b, c):
            assert a != b

        @unlike.inputs(
            cover=2, strength={"kind,n,flag": 3}, rows=[{"kind": "b", "n": 3, "flag": True, "g": 2}], negative={"g": 2}
        )
        def test_mixed(kind: Literal["a", "b"], n: Literal[1, 2, 3], flag: bool, g: Literal[1, 2]):
            SEEN.append((kind, n, flag, g))

        def test_given():
            assert ("b", 3, True, 2) in SEEN
        """
    )

    result = pytester.runpytest_inprocess("-q", "-p", "no:cacheprovider", "-n", "0")

    assert result.parseoutcomes() == {"passed": 12 + 1 + 6 + 12 + 1}


@pytest.mark.parametrize(
    ("said", "words"),
    [
        ({"cover": 0}, "cover=0: the choices of types are covered by"),
        ({"cover": True}, "cover=True: the choices of types are covered by"),
        ({"strenght": {"a,b": 2}}, "has no option 'strenght'"),
        ({"cover": 3, "code": len}, "leave out cover=3, or code"),
    ],
)
def test_what_a_decorator_cannot_do_is_refused_at_once(said: dict[str, Any], words: str) -> None:
    with pytest.raises(SpecError, match=words):
        unlike.inputs(**said)
