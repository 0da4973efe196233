"""Combinations of any number of choices of types, schemas, requests and models of PICT, against all combinations."""

from __future__ import annotations

import csv
import io
import itertools
import json
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import pytest
from tests.covering.models import models

import unlike
from unlike.cli import main
from unlike.documents.pict import parse_pict
from unlike.errors import ScopeError, SpecError
from unlike.typed.generate import coverage_of

FIELDS = {
    "kind": ("a", "b", "c"),
    "country": ("de", "fr", "us", "jp"),
    "tax": (False, True),
    "ship": ("air", "sea"),
    "gift": (False, True),
}


@dataclass
class Parcel:
    kind: Literal["a", "b", "c"]
    country: Literal["de", "fr", "us", "jp"]
    tax: bool
    ship: Literal["air", "sea"]
    gift: bool


def rows_of(suite: Iterable[Any]) -> list[dict[str, object]]:
    return [vars(each) for each in suite]


def lacking(
    rows: list[dict[str, object]], t: int, names: Iterable[str] = FIELDS, legal: Callable[..., bool] = lambda **_: True
) -> set[tuple[tuple[str, object], ...]]:
    """Return the combinations that some legal input has and no row."""
    every = [dict(zip(FIELDS, values, strict=True)) for values in itertools.product(*FIELDS.values())]

    def shown(some: list[dict[str, object]]) -> set[tuple[tuple[str, object], ...]]:
        return {
            tuple((name, row[name]) for name in chosen) for chosen in itertools.combinations(names, t) for row in some
        }

    assert all(legal(**row) for row in rows)
    return shown([row for row in every if legal(**row)]) - shown(rows)


@pytest.mark.parametrize("t", [1, 2, 3, 4, 5])
def test_every_combination_of_so_many_choices_is_shown(t: int) -> None:
    suite = unlike.generate(Parcel, cover=t)

    assert not lacking(rows_of(suite.values), t)
    assert len(suite) <= {1: 4, 2: 12, 3: 26, 4: 52, 5: 96}[t]


def test_more_choices_are_combined_of_some_fields() -> None:
    suite = unlike.generate(Parcel, cover=2, strength={"kind,tax,gift": 3})

    assert not lacking(rows_of(suite.values), 2)
    assert not lacking(rows_of(suite.values), 3, ["kind", "tax", "gift"])
    assert lacking(rows_of(suite.values), 3)
    assert "combinations of 2, kind,tax,gift 3" in suite.guarantee


def test_what_where_excludes_is_proved_impossible_and_nothing_else_is_missing() -> None:
    def legal(kind: object, country: object, tax: object, **_: object) -> bool:
        return (kind != "a" or country != "us") and (country != "jp" or not tax)

    said = [lambda kind, country: (kind != "a") | (country != "us"), lambda country, tax: (country != "jp") | ~tax]
    suite = unlike.generate(Parcel, cover=3, where=said)

    assert not lacking(rows_of(suite.values), 3, legal=legal)
    assert {word for word, _ in coverage_of(suite).impossible} == {
        "kind: 'a' with country: 'us'",
        "country: 'jp' with tax: True",
    }
    assert suite.status.ending.value == "shown"


def test_plain_python_in_where_is_a_rule_too() -> None:
    @unlike.predicate
    def sane(kind: str, ship: str, gift: bool) -> bool:
        return not (kind == "a" and ship == "sea" and gift)

    suite = unlike.generate(Parcel, cover=3, where=sane)

    assert not lacking(
        rows_of(suite.values), 3, legal=lambda kind, ship, gift, **_: not (kind == "a" and ship == "sea" and gift)
    )


@dataclass
class Checked(Parcel):
    def __post_init__(self) -> None:
        if self.kind == "b" and self.ship == "sea":
            raise ValueError("no b by sea")


def test_a_constructor_that_refuses_is_a_rule_that_is_learned() -> None:
    suite = unlike.generate(Checked, cover=3)

    assert not lacking(rows_of(suite.values), 3, legal=lambda kind, ship, **_: kind != "b" or ship != "sea")
    assert any(word == "kind: 'b' with ship: 'sea'" for word, _ in coverage_of(suite).impossible)


@dataclass
class Address:
    city: Literal["x", "y"]
    floor: Literal[0, 1, 2] | None


@dataclass
class Nested:
    address: Address | None
    fast: bool
    days: Literal[1, 2]


def test_choices_inside_others_are_combined_where_they_are_there() -> None:
    suite = unlike.generate(Nested, cover=3)

    seen = {(each.address.city, each.address.floor, each.fast) for each in suite.values if each.address is not None}
    assert seen == set(itertools.product(("x", "y"), (0, 1, 2, None), (False, True)))
    without = {(each.fast, each.days) for each in suite.values if each.address is None}
    assert without == set(itertools.product((False, True), (1, 2)))


def test_rows_that_are_given_come_first_and_need_not_be_whole() -> None:
    given = [Parcel("c", "jp", True, "sea", True), {"kind": "a", "country": "us"}]

    suite = unlike.generate(Parcel, cover=2, rows=given)

    assert suite.values[0] == given[0]
    assert (suite.values[1].kind, suite.values[1].country) == ("a", "us")
    assert not lacking(rows_of(suite.values), 2)


def test_an_input_has_at_most_one_negative_choice() -> None:
    suite = unlike.generate(Parcel, cover=2, negative={"kind": "c", "ship": ["sea"], "gift": [True]})

    def legal(kind: object, ship: object, gift: object, **_: object) -> bool:
        return (kind == "c") + (ship == "sea") + (gift is True) <= 1

    assert not lacking(rows_of(suite.values), 2, legal=legal)


def test_an_ignored_combination_is_not_sought() -> None:
    ignored = [{"kind": "a", "country": value} for value in FIELDS["country"]]

    suite = unlike.generate(Parcel, cover=2, ignore=ignored)

    assert len(suite) < 12  # the product of the two widest fields
    assert lacking(rows_of(suite.values), 2) <= {(("kind", "a"), ("country", value)) for value in FIELDS["country"]}


def test_the_smallest_set_says_whether_fewer_can_be() -> None:
    suite = unlike.generate(Parcel, cover=2, smallest=True)

    assert len(suite) == 12  # three kinds in four countries
    assert suite.guarantee.endswith("no fewer show them (proved)")


def test_a_type_may_say_itself_how_many_are_combined() -> None:
    assert not lacking(rows_of(unlike.generate(Annotated[Parcel, unlike.Covering(3)]).values), 3)
    spec = unlike.Spec({"parcel": Parcel}, different=unlike.cover.structure(3))
    assert not lacking([vars(each["parcel"]) for each in unlike.generate(spec).values], 3)


def test_instances_of_a_schema_show_every_combination() -> None:
    schema = {
        "type": "object",
        "properties": {name: {"enum": list(values)} for name, values in FIELDS.items()},
        "required": list(FIELDS),
        "additionalProperties": False,
    }

    suite = unlike.generate(unlike.spec(schema)["#"], cover=3)

    assert not lacking(list(suite.values), 3)


@pytest.mark.parametrize(
    ("keywords", "words"),
    [
        ({"cover": 0}, "cover=0 must be at least 1"),
        ({"cover": 6}, "cover=6 combines more places than there are: 5"),
        ({"cover": "triples"}, "'triples' is not a strength"),
        ({"strength": {"kind,nope": 2}}, "strength: 'nope' is no place"),
        ({"strength": {"kind,tax": 3}}, "kind,tax=3 combines more places than have choices: 2"),
        ({"strength": {"kind,tax": 0}}, "must be a whole number of at least 1"),
        ({"strength": "kind"}, "must be a dict"),
        ({"rows": [{"kind": "z"}]}, "row 1 is no input: kind: 'z' is none of its choices"),
        ({"rows": [{"kin": "a"}]}, "there is no field 'kin'"),
        ({"rows": 3}, "rows=3 must be a list"),
        ({"negative": {"kind": "z"}}, "negative: kind='z' is no choice"),
        ({"negative": {"tax": [True, False]}}, "all choices of tax are negative"),
        ({"ignore": [{"kind": "z"}]}, "ignore: kind='z' is no choice"),
        ({"cover": "all", "smallest": True}, "contradict each other"),
        ({"cover": 3, "code": len}, "chosen by what it does"),
    ],
)
def test_what_makes_no_sense_is_refused_with_the_value_and_the_remedy(keywords: dict[str, Any], words: str) -> None:
    with pytest.raises((SpecError, ScopeError), match=words.replace("(", r"\(")):
        unlike.generate(Parcel, **keywords)


def test_a_given_row_that_is_refused_is_named() -> None:
    with pytest.raises(ScopeError, match=r"rows: row 2 is no legal input: .*no b by sea"):
        unlike.generate(Checked, cover=2, rows=[{"kind": "a"}, {"kind": "b", "ship": "sea"}])


def type_of(model: dict[str, Any]) -> tuple[type, list[Any]]:
    """Return a published model as a dataclass and assertions about its fields."""

    def written(rule: list[Any]) -> str:
        match rule:
            case ["is", p, v]:
                return f"(p{p} == {v})"
            case ["not", inner]:
                return f"~{written(inner)}"
        return f"({(' | ' if rule[0] == 'or' else ' & ').join(map(written, rule[1:]))})"

    def named(rule: list[Any]) -> set[int]:
        return {rule[1]} if rule[0] == "is" else set().union(*map(named, rule[1:]))

    from dataclasses import make_dataclass

    made = make_dataclass("Model", [(f"p{p}", Literal[tuple(range(count))]) for p, count in enumerate(model["levels"])])
    where = [
        eval(f"lambda {', '.join(f'p{p}' for p in sorted(named(rule)))}: {written(rule)}") for rule in model["rules"]
    ]
    return made, where


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["Banking1", "Healthcare1", "CommProtocol", "benchmark_1", "gcc"])
def test_published_models_as_types_need_no_more_rows_than_acts(name: str) -> None:
    model = models()[name]
    made, where = type_of(model)

    suite = unlike.generate(made, cover=2, where=where)

    assert suite.status.ending.value == "shown"
    assert len(suite) <= model["sizes"]["2"]["acts"]


# -- models of PICT ------------------------------------------------------------------------------------------------

VOLUMES = Path(__file__).parents[2] / "examples" / "models" / "volumes.pict"


def is_volume(row: dict[str, Any]) -> bool:
    """Say what the constraints of the example say, by hand."""
    small = row["FileSystem"] != "FAT" or row["Size"] <= 4096
    middle = row["FileSystem"] != "FAT32" or row["Size"] <= 32000
    packed = row["FileSystem"] == "NTFS" and row["Cluster"] <= 4096
    return small and middle and (packed or row["Compression"] == "off")


@pytest.mark.parametrize("t", [2, 3])
def test_a_model_of_pict_becomes_rows(t: int) -> None:
    model = unlike.spec(str(VOLUMES))["#"]

    rows = list(unlike.generate(model, cover=t).values)

    every = [dict(zip(model.values, values, strict=True)) for values in itertools.product(*model.values.values())]
    legal = [row for row in every if is_volume(row)]
    assert all(row in legal for row in rows)
    for names in itertools.combinations(model.values, t):
        assert {tuple(row[name] for name in names) for row in rows} == {
            tuple(row[name] for name in names) for row in legal
        }


def test_constraints_are_read_as_pict_reads_them() -> None:
    model = parse_pict(
        """
        A: 1, 2 (10), 3 | three   # of two names the first counts
        B: <A>, 4
        Word: Red, green, BLUE
        IF [A] = [B] THEN [Word] LIKE "?re*" ELSE NOT [Word] = "green";
        [B] IN {1, 2, 4} OR ([Word] = "blue" AND [A] <> 2);
        """.replace("#", "\n#")
    )

    assert dict(model.values) == {"A": (1, 2, 3), "B": (1, 2, 3, 4), "Word": ("Red", "green", "BLUE")}
    first, second = (condition for _, condition in model.constraints)
    for a, b, word in itertools.product(*model.values.values()):
        row = {"A": a, "B": b, "Word": word}
        assert first.holds(row) == (word == "green" if a == b else word != "green")
        assert second.holds(row) == (b in (1, 2, 4) or (word == "BLUE" and a != 2))


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "has no parameters"),
        ("A: 1, 2\n{A, B} @ 3", r"line 2: sub-models are not read: '\{A, B\} @ 3'"),
        ("A: 1\na: 2", "line 2: there are two parameters 'a'"),
        ("A: 1,, 2", "A: a value is empty"),
        ("A: ~1, ~2", "all values are negative"),
        ("A: 1, 2\nIF [B] = 1 THEN [A] = 1;", "line 2: there is no parameter 'B'"),
        ("A: 1, 2\nIF [A] = 1 THEN [A] = 1", "a constraint ends with ;"),
        ("A: 1, 2\nIF [A] = 1;", "';' stands where THEN is expected"),
        ('A: 1, 2\n[A] > "x";', "has numbers, which cannot be compared with 'x'"),
        ("A: x, y\n[A] = x;", 'write it in quotes: "x"'),
    ],
)
def test_a_model_that_cannot_be_read_is_refused_with_its_line(text: str, words: str) -> None:
    with pytest.raises(SpecError, match=words):
        parse_pict(text)


# -- the command line ----------------------------------------------------------------------------------------------


def run(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str, str]:
    with pytest.raises(SystemExit) as left:
        main(list(words))
    said = capsys.readouterr()
    return int(left.value.code or 0), said.out, said.err


HERE = "tests.covering.test_combinations:Parcel"


def test_rows_are_written_as_comma_separated_values_and_read_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    code, out, _ = run(capsys, "generate", HERE, "--cover", "3", "--format", "csv")
    assert code == 0
    (tmp_path / "rows.csv").write_text(out)

    code, again, _ = run(
        capsys, "generate", HERE, "--cover", "3", "--rows", str(tmp_path / "rows.csv"), "--format", "csv"
    )
    assert (code, again) == (0, out)

    code, out, _ = run(capsys, "coverage", HERE, "--of", str(tmp_path / "rows.csv"), "--cover", "3")
    assert code == 0
    assert "combinations of 3: 164 of 164 (100.0 %)" in out  # all triples of 3, 4, 2, 2 and 2 values
    assert "to add: 0 inputs" in out


def test_parametrize_source_runs(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = run(capsys, "generate", str(VOLUMES), "--format", "parametrize")

    assert code == 0
    namespace: dict[str, Any] = {}
    exec(out, namespace)
    (mark,) = namespace["test_volumes"].pytestmark
    names, rows = mark.args
    assert all(is_volume(dict(zip(names, row, strict=True))) for row in rows)


def test_what_tests_cover_is_counted_against_all_combinations(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    rows = [("a", "de"), ("a", "fr"), ("b", "us")]
    (tmp_path / "test_some.py").write_text(
        f"import pytest\n\n\n@pytest.mark.parametrize(('kind', 'country'), {rows})\ndef test_it(kind, country): ...\n"
    )

    code, out, _ = run(capsys, "coverage", HERE, "--of", str(tmp_path / "test_some.py"), "--format", "json")

    assert code == 0
    answer = json.loads(out)
    assert answer["counts"]["shown_2"] == 3
    assert answer["counts"]["needed_2"] == 12 + 3 * 3 * 2 + 3 * 4 * 2 + 3 * 4  # pairs of 3, 4, 2, 2 and 2 values
    added = [each["value"] for each in answer["cases"]["inputs"]]
    missing = lacking(added, 2)
    assert missing <= {(("kind", kind), ("country", country)) for kind, country in rows}


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["generate", HERE, "--cover", "some"], "--cover some is no strength"),
        (["generate", HERE, "--strength", "kind"], "write --strength kind,country,tax=3"),
        (["generate", HERE, "--negative", "kind"], "write --negative FIELD=CHOICE"),
        (["generate", HERE, "--rows", "nowhere.csv"], "'nowhere.csv' cannot be read"),
        (["generate", "--regex", "a|b", "--cover", "3"], "--cover 3"),
        (["coverage", HERE], "--of TESTS says"),
        (["coverage", HERE, "--of", "nowhere.json"], "'nowhere.json' cannot be read"),
        (["coverage", HERE, "--of", "x.har"], "recorded requests go with an operation"),
    ],
)
def test_bad_words_end_with_one_message(capsys: pytest.CaptureFixture[str], words: list[str], said: str) -> None:
    code, _, err = run(capsys, *words)

    assert code == 2
    assert said in err
    assert "Traceback" not in err


def test_recorded_requests_are_read_as_the_operation_reads_them(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    api = {
        "openapi": "3.1.0",
        "info": {"title": "t", "version": "1"},
        "paths": {
            "/items": {
                "get": {
                    "operationId": "list",
                    "parameters": [
                        {"name": "sort", "in": "query", "required": True, "schema": {"enum": ["up", "down"]}},
                        {"name": "full", "in": "query", "required": True, "schema": {"type": "boolean"}},
                    ],
                    "responses": {"200": {"description": "ok"}},
                }
            }
        },
    }
    (tmp_path / "api.json").write_text(json.dumps(api))
    urls = ["http://x/items?sort=up&full=true", "http://x/items?sort=down&full=true", "http://x/other"]
    har = {"log": {"entries": [{"request": {"method": "GET", "url": url, "headers": []}} for url in urls]}}
    (tmp_path / "some.har").write_text(json.dumps(har))

    words = ["coverage", "list", "--openapi", str(tmp_path / "api.json"), "--of", str(tmp_path / "some.har")]
    code, out, _ = run(capsys, *words)

    assert code == 0
    assert "combinations of 2: 2 of 4 (50.0 %)" in out
    assert "to add: 2 inputs" in out


def test_a_cell_of_csv_that_is_no_text_is_json() -> None:
    from unlike.writers.rows import as_csv

    suite = unlike.generate(Parcel, cover=1)

    rows = list(csv.DictReader(io.StringIO(as_csv(suite))))
    assert [row["tax"] for row in rows] == [json.dumps(each.tax) for each in suite.values]
