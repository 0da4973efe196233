"""Inputs chosen by code from every kind of space, by the command and in Python; and what a module's functions can take."""

import json
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from unlike import Int, OneOf, ScopeError, Spec, SpecError, generate, spec
from unlike.behaviour.result import ChosenCases
from unlike.cli import cli

pytestmark = pytest.mark.usefixtures("few_candidates")
CODE = """
from dataclasses import dataclass

from unlike import Int, Spec


def pay(request):
    if request["body"]["amount"] > 500:
        return "large"
    return "small"


def handle(body, currency=None, *, x_trace):
    if body["amount"] > 500 and currency == "USD":
        return 1
    if x_trace is None:
        return 2
    return 0


def count(amount, note=""):
    return 1 if amount == 77 or note else 0


def small(amount):
    return 1 if amount == 77 else 0


def two(one, other):
    return one if one > other else other


def label(text):
    return text.startswith("A")


@dataclass
class Parcel:
    weight: int


def ship(parcel):
    return 1 if parcel.weight == 12_345 else 2


def _hidden(text):
    raise ValueError


prices = Spec({"amount": Int(1, 1_000)})
both = [Spec({"amount": Int(1, 1_000)}, name="one"), Spec({"amount": Int(70, 79)}, name="two")]
"""
AMOUNT = {"type": "integer", "minimum": 1, "maximum": 1_000}
BODY = {"type": "object", "required": ["amount"], "properties": {"amount": AMOUNT, "note": {"type": "string"}}}
API = {
    "openapi": "3.0.0",
    "info": {"title": "t", "version": "1"},
    "paths": {
        "/pay": {
            "post": {
                "operationId": "pay",
                "parameters": [
                    {"name": "currency", "in": "query", "schema": {"type": "string", "enum": ["EUR", "USD"]}},
                    {"name": "X-Trace", "in": "header", "schema": {"type": "integer"}},
                ],
                "requestBody": {"required": True, "content": {"application/json": {"schema": BODY}}},
                "responses": {"200": {"description": "ok"}},
            }
        }
    },
    "components": {"schemas": {"Item": BODY}},
}


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    (tmp_path / "shop_of_spaces.py").write_text(CODE)
    (tmp_path / "api.json").write_text(json.dumps(API))
    (tmp_path / "schema.json").write_text(json.dumps(BODY))
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(str(tmp_path))
    return __import__("shop_of_spaces")


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words), standalone_mode=False, catch_exceptions=False)


@pytest.mark.few(2)
@pytest.mark.parametrize(
    "words",
    [
        ["generate", "--openapi", "api.json", "--operation", "pay", "--code", "shop_of_spaces:pay"],
        ["generate", "--openapi", "api.json", "--operation", "pay", "--code", "shop_of_spaces:handle", "--mix"],
        ["requests", "api.json", "--code", "shop_of_spaces:handle"],
        ["generate", "--openapi", "api.json", "--model", "Item", "--code", "shop_of_spaces:count"],
        ["generate", "--schema", "schema.json", "--code", "shop_of_spaces:count"],
        ["strings", "[A-C][0-9]{1,3}", "--code", "shop_of_spaces:label"],
        ["generate", "shop_of_spaces:Parcel", "--code", "shop_of_spaces:ship", "--format", "jsonl"],
        ["generate", "shop_of_spaces:prices", "--code", "shop_of_spaces:small", "--format", "jsonl"],
        ["generate", "shop_of_spaces:both", "--code", "shop_of_spaces:small", "--format", "jsonl"],
    ],
    ids=lambda words: " ".join(words[:4]),
)
def test_every_branch_is_reached_in_every_space(words: list[str], shop: Any) -> None:
    result = run(*words)

    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert result.return_value == 0
    assert all(row["why"] for row in rows)
    reached = [line for line in result.stderr.splitlines() if "branches" in line]
    assert reached
    assert "not reached" not in reached[0]


def test_parts_of_a_request_go_to_the_parameters_of_their_names(shop: Any) -> None:
    service = spec("api.json")
    suite = generate(service["pay"], code=shop.handle)

    def call(request: dict[str, Any]) -> int:
        given = {"currency": request["query"]["currency"]} if "currency" in request["query"] else {}
        return int(shop.handle(request["body"], x_trace=request["header"].get("X-Trace"), **given))

    assert {call(each) for each in suite.values} == {0, 1, 2}


def test_a_test_file_calls_with_the_parts(shop: Any, tmp_path: Path) -> None:
    run("requests", "api.json", "--code", "shop_of_spaces:handle", "-n", "3", "--format", "pytest", "-o", "test_it.py")
    names: dict[str, Any] = {}
    exec((tmp_path / "test_it.py").read_text(), names)

    assert "handle(**given)" in (tmp_path / "test_it.py").read_text()
    for values in names["test_handle"].pytestmark[0].args[1]:
        names["test_handle"](*values)


def test_functions_of_a_module_that_cannot_take_the_input_are_named(shop: Any) -> None:
    suite = generate(Spec({"one": Int(0, 5), "other": Int(0, 5)}), code=shop)

    assert isinstance(suite.cases, ChosenCases)
    assert [each.function for each in suite.cases.passed] == [shop.two]
    assert "shop_of_spaces.label is not called: label takes text, but the blanks are one, other" in suite.explanation
    assert "_hidden" not in suite.explanation
    with pytest.raises(SpecError, match="no public function of shop_of_spaces can take the inputs: count takes"):
        generate(Spec({"a": OneOf(1), "b": OneOf(1), "c": OneOf(1)}), code=shop)


def test_a_service_has_to_be_asked_for_something(shop: Any) -> None:
    with pytest.raises(ScopeError, match="give --operation ID or --model NAME"):
        run("generate", "--openapi", "api.json", "--code", "shop_of_spaces:pay")
    with pytest.raises(SpecError, match="an input has query, header, body, currency, x_trace"):
        run("requests", "api.json", "--code", "shop_of_spaces:two")
