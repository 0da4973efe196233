"""What is said of branches about instances of a schema is so, against brute force; and of requests."""

from __future__ import annotations

import itertools
import json
import sys
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner
from tests.behaviour.random_functions import load_function
from tests.behaviour.random_parts import KINDS, random_parts
from tests.behaviour.test_unreachable_parts import EVERY, FUNCTIONS, taken_by_brute_force
from tests.corpora import few_of
from tests.json_schema.test_schema_instances import schema_of

from unlike import generate
from unlike.behaviour.calls import PassedInput
from unlike.behaviour.spaces import TypeSpace
from unlike.behaviour.spoken_parts import spoken_input
from unlike.behaviour.unreachable import ask_branches
from unlike.cli import cli
from unlike.core import FOREVER, USUAL
from unlike.observe.run import Spot

PARTS = {
    "a": {"type": "integer", "minimum": 0, "maximum": 4},
    "b": {"allOf": [{"type": "integer", "exclusiveMinimum": -2, "maximum": 3}, {"minimum": -1}]},
    "s": {"type": "string", "pattern": "^[ab]{0,2}$", "maxLength": 2},
    "t": {"type": "boolean"},
    "k": {"$ref": "#/$defs/k"},
}
DEFINED = {"k": {"enum": ["x", "y", "z"]}}
REQUIRED = schema_of({"type": "object", "properties": PARTS, "required": [*PARTS], "$defs": DEFINED})
OPTIONAL = schema_of({"type": "object", "properties": PARTS, "$defs": DEFINED})
FLOATS = [{**each, "a": float(each["a"]), "b": float(each["b"])} for each in EVERY[::7]]
PARTIAL = [{name: value for name, value in each.items() if name != left} for each in EVERY[::9] for left in PARTS]
OF_DICTS = range(list(KINDS).index("dict"), 3 * FUNCTIONS, len(KINDS))  # the kinds come in turn


@pytest.mark.parametrize("seed", few_of(OF_DICTS, 1))
@pytest.mark.parametrize("is_required", [True, False])
def test_no_branch_that_is_said_to_be_out_of_reach_is_taken(seed: int, is_required: bool, tmp_path: Path) -> None:
    made, schema = random_parts(seed), REQUIRED if is_required else OPTIONAL
    assert made.kind == "dict"
    inputs = [*EVERY, *FLOATS, *([] if is_required else PARTIAL)]
    assert all(map(schema.validator.is_valid, inputs[::50]))
    places, taken = taken_by_brute_force(made, inputs)
    module = load_function(made.text, f"instances_{seed}_{is_required}", tmp_path)
    spots = [Spot(str(module.__file__), line, column, kind, "", "subject") for kind, line, column in places]  # type: ignore[arg-type]
    spoken = spoken_input(TypeSpace(schema, {}, USUAL, FOREVER), PassedInput(module.subject))

    every = itertools.product(range(len(places)), (True, False))
    asked = list(ask_branches(spoken, module.subject, spots, every, lambda asked: generate(asked, 1)))

    proved = [(places[each.spot], each.holds) for each in asked if each.found is None]
    assert not [each for each in proved if each in taken], f"{made.defeat}:\n{made.text}"


CODE = """
def whole(order):
    if order["price"] > 100:
        return "never"
    if order["kind"] == "crate":
        return "never"
    if order["price"] == 73 and order["kind"] == "gift":
        return "found by asking"
    if order["price"] * order["price"] == -1:
        return "nobody says"
    return "usual"

def by_name(price, note="a text that is long"):
    if price > 100:
        return "never"
    if len(note) > 5:
        return "by its default"
    return "usual"

def pay(id, body):
    if id < 1:
        return "never"
    if body is None:
        return "it may be left out"
    return "never" if body["price"] > 100 else "usual"
"""
ORDER = {
    "type": "object",
    "properties": {
        "price": {"type": "integer", "minimum": 1, "maximum": 100},
        "kind": {"enum": ["gift", "sale"]},
        "note": {"type": "string", "maxLength": 5},
    },
    "required": ["price", "kind"],
}


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "orders_to_pay.py").write_text(CODE)
    (tmp_path / "order.json").write_text(json.dumps(ORDER))
    monkeypatch.syspath_prepend(str(tmp_path))
    sys.modules.pop("orders_to_pay", None)
    return tmp_path


def said_of(words: list[str]) -> list[str]:
    done = CliRunner().invoke(cli, ["generate", *words, "-n", "4"])
    assert done.exit_code == 0, done.output
    return [line for line in done.stderr.splitlines() if line.startswith(("no input", "not reached"))]


@pytest.mark.corpus
def test_dark_branches_of_instances_are_proved_or_taken(folder: Path) -> None:
    said = said_of(["--schema", str(folder / "order.json"), "--code", "orders_to_pay:whole"])

    assert [line.partition(" (proved)")[0] for line in said[:2]] == ["no input", "no input"]
    assert '`order["price"] > 100` is never true' in said[0]
    assert '`order["kind"] == "crate"` is never true' in said[1]
    # a price may be 5.0, and products of floats are rounded: of them nothing is said
    assert [line.partition(":")[0] for line in said[2:]] == ["not reached"]
    assert "-1` is never true" in said[2]


@pytest.mark.corpus
def test_what_is_passed_by_name_may_be_absent(folder: Path) -> None:
    said = said_of(["--schema", str(folder / "order.json"), "--code", "orders_to_pay:by_name"])

    assert len(said) == 1
    assert said[0].startswith("no input (proved): orders_to_pay.py:14: `price > 100` is never true")


@pytest.mark.corpus
@pytest.mark.parametrize("is_required", [True, False])
def test_dark_branches_of_requests_are_proved(folder: Path, is_required: bool) -> None:
    identifier: dict[str, Any] = {"type": "integer", "minimum": 1, "maximum": 9}
    body = {"content": {"application/json": {"schema": ORDER}}, "required": is_required}
    operation = {
        "operationId": "pay",
        "parameters": [{"name": "id", "in": "path", "required": True, "schema": identifier}],
        "requestBody": body,
        "responses": {"200": {"description": "paid"}},
    }
    api = {"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {"/orders/{id}": {"post": operation}}}
    (folder / "api.json").write_text(json.dumps(api))

    said = said_of(["--openapi", str(folder / "api.json"), "--operation", "pay", "--code", "orders_to_pay:pay"])

    proved = [line for line in said if line.startswith("no input (proved)")]
    assert any("`id < 1` is never true" in line for line in proved)
    assert any("> 100` is never true" in line for line in proved) is is_required
