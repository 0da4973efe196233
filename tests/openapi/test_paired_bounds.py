"""Bounds enter pairs: a fault at one bound and one other choice is met by proof, not by luck."""

import itertools
import json
from pathlib import Path

import pytest

from unlike import Ending, generate
from unlike.cli import main
from unlike.documents.json_schema.document import load
from unlike.documents.openapi.api import read_api
from unlike.errors import SpecError

SHOP = Path(__file__).parent.parent.parent / "examples" / "specs" / "shop.yaml"


@pytest.mark.parametrize("seed", [0, 1, 2])
def test_a_fault_at_a_bound_and_a_choice_is_met(seed):
    suite = generate(read_api(SHOP).operation("findArticles"), pair_bounds=True, seed=seed)

    shown = {(value["query"].get("limit"), value["query"].get("sort")) for value in suite.values}
    assert suite.status.ending is Ending.SHOWN
    assert {(1, sort) for sort in ("price", "-price", "name", None)} <= shown
    assert (50, "-price") in shown  # the planted fault
    assert {(50, sort) for sort in ("price", "-price", "name", None)} <= shown


SMALL = {
    "type": "object",
    "required": ["n", "m", "t"],
    "properties": {
        "n": {"type": "integer", "minimum": 3, "maximum": 9},
        "m": {"type": "number", "exclusiveMinimum": 0, "maximum": 1},
        "t": {"type": "string", "minLength": 2, "maxLength": 5},
        "e": {"enum": ["x", "y"]},
    },
}


def test_every_pair_of_bounds_is_shown_and_nothing_is_lost():
    plain = generate(load(SMALL).at(), cover="pairs")
    suite = generate(load(SMALL).at(), pair_bounds=True)

    numbers, lengths = [3, 9], [2, 5]
    shown = {(value["n"], len(value["t"])) for value in suite.values}
    assert set(itertools.product(numbers, lengths)) <= shown
    assert {(1, 3), (1, 9)} <= {(value["m"], value["n"]) for value in suite.values}
    assert {4, 8} <= {value["n"] for value in suite.values}  # just inside, as without
    assert {value["n"] for value in plain.values} >= {3, 4, 8, 9}
    assert not set(itertools.product(numbers, ["x", "y"])) - {(value["n"], value.get("e")) for value in suite.values}
    assert suite.status.ending is Ending.SHOWN


def test_what_has_no_bounds_is_as_it_was():
    schema = {"type": "object", "properties": {"a": {"type": "integer"}, "b": {"type": "string"}}}

    assert generate(load(schema).at(), pair_bounds=True).values == generate(load(schema).at(), cover="pairs").values


@pytest.mark.parametrize(
    ("space", "options", "said"),
    [
        (int, {}, "is for JSON Schemas and requests"),
        (load(SMALL).at(), {"cover": "each"}, "contradict each other"),
    ],
)
def test_where_it_makes_no_sense_it_is_refused(space, options, said):
    with pytest.raises(SpecError, match=said):
        generate(space, pair_bounds=True, **options)


def test_the_flag(capsys):
    with pytest.raises(SystemExit) as ended:
        main(["requests", str(SHOP), "--operation", "findArticles", "--pair-bounds", "--format", "curl"])
    said = capsys.readouterr()
    assert ended.value.code == 0
    assert "limit=50&sort=-price" in said.out
    assert "every choice that is possible is shown (proved)" in said.err

    for flags in (["--invalid"], ["--code", "examples.retail:items"]):
        with pytest.raises(SystemExit) as ended:
            main(["requests", str(SHOP), "--pair-bounds", *flags])
        assert ended.value.code == 2
        assert f"{flags[0]} and --pair-bounds contradict each other" in capsys.readouterr().err


NOTES = {
    "openapi": "3.1.0",
    "info": {"title": "notes", "version": "1"},
    "paths": {
        "/notes": {
            "post": {
                "operationId": "addNote",
                "parameters": [{"name": "sort", "in": "query", "schema": {"enum": ["up", "down"]}}],
                "requestBody": {
                    "content": {
                        "application/json": {"schema": {"$ref": "#/components/schemas/Note"}},
                        "application/x-www-form-urlencoded": {"schema": {"$ref": "#/components/schemas/Note"}},
                        "text/plain": {"schema": {"type": "string", "minLength": 1, "maxLength": 5}},
                        "application/xml": {"schema": {"$ref": "#/components/schemas/Note"}},
                    },
                },
                "responses": {"200": {"description": "done"}},
            }
        }
    },
    "components": {
        "schemas": {
            "Note": {
                "type": "object",
                "required": ["text"],
                "properties": {
                    "text": {"type": "string", "maxLength": 9},
                    "stars": {"type": "integer", "minimum": 1, "maximum": 5},
                },
            }
        }
    },
}


def test_media_types_enter_pairs_unless_one_is_asked_for():
    api = read_api(NOTES)
    suite = generate(api.operation("addNote"), pair_bounds=True)
    alone = generate(api.operation("addNote", media="text/plain"), pair_bounds=True)

    shown = {(value.get("content_type"), value["query"].get("sort")) for value in suite.values}
    types = ["application/json", "application/x-www-form-urlencoded", "text/plain"]  # XML is not written
    assert suite.status.ending is Ending.SHOWN
    assert shown == {*itertools.product([*types, None], ["up", "down", None])}
    assert {(kind, stars) for kind in types[:2] for stars in (1, 5, None)} <= {
        (value["content_type"], value["body"].get("stars")) for value in suite.values if type(value.get("body")) is dict
    }
    for case in suite:
        assert case.request.content_type == case.value.get("content_type")
        assert (case.request.body is None) == ("body" not in case.value)
    assert {case.request.content_type for case in alone} == {"text/plain", None}


def test_every_media_type_can_be_asked_for_by_a_star(tmp_path, capsys):
    file = tmp_path / "notes.json"
    file.write_text(json.dumps(NOTES))

    with pytest.raises(SystemExit) as ended:
        main(["requests", str(file), "--media", "*", "--format", "curl"])
    assert ended.value.code == 0
    written = capsys.readouterr().out
    assert all(f"Content-Type: {each}'" in written for each in ("application/json", "text/plain"))
    with pytest.raises(SystemExit) as ended:
        main(["requests", str(file), "--media", "*", "--invalid"])
    assert ended.value.code == 2
    assert "in one media type; name it" in capsys.readouterr().err
