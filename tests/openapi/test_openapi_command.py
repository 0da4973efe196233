"""`unlike generate --openapi`, `--as-text` and FILE.json:NAME, as a user would type them."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from unlike.cli import main
from unlike.documents.openapi.api import read_api

SPECS = Path(__file__).parent.parent.parent / "examples" / "specs"
LIBRARY, CALENDAR, CONTACT = (str(SPECS / name) for name in ("library.yaml", "calendar.json", "contact.json"))


@pytest.fixture
def run(capsys):
    """Return a function that runs a command line: exit code, standard output and standard error."""

    def run(*words):
        with pytest.raises(SystemExit) as ended:
            main(["generate", *map(str, words)])
        said = capsys.readouterr()
        return ended.value.code, said.out, said.err

    return run


def rows(text):
    return [json.loads(line) for line in text.splitlines()]


def test_without_a_name_operations_and_models_are_listed(run):
    code, out, _ = run("--openapi", LIBRARY)

    assert code == 0
    assert (
        "3 operations (--operation NAME)\n  findItems  GET /items\n  addItem    POST /items  application/json\n" in out
    )
    assert out.endswith("5 models (--model NAME)\n  Item\n  Named\n  Book\n  Film\n  Loan\n")


def test_the_list_comes_as_data_too(run, tmp_path):
    code, out, _ = run("--openapi", LIBRARY, "--format", "json", "-o", tmp_path / "list.json")

    found = json.loads((tmp_path / "list.json").read_text())["cases"]
    assert (code, out) == (0, "")
    assert found["models"] == ["Item", "Named", "Book", "Film", "Loan"]
    assert found["operations"][1] == {
        "operation": "addItem",
        "method": "POST",
        "path": "/items",
        "media": ["application/json"],
    }


def test_requests_of_an_operation_are_json_lines_with_labels(run):
    code, out, err = run("--openapi", LIBRARY, "--operation", "addItem", "--cover", "pairs")

    found = rows(out)
    schema = read_api(LIBRARY).operation("addItem")
    assert code == 0
    assert all(set(row) == {"value", "label"} for row in found)
    assert all(schema.accepts(row["value"]) for row in found)
    assert {row["value"]["body"]["kind"] for row in found} == {"book", "film"}
    assert not any("id" in row["value"]["body"] for row in found)  # only read
    assert {type(row["value"]["body"].get("isbn", 0)) for row in found} == {int, str, type(None)}  # absent, text, null
    assert err.startswith(f"addItem: {len(found)} instances, each accepted by the validator")


def test_an_operation_goes_by_method_and_path_and_a_model_by_its_name(run):
    by_id, by_route = (
        run("--openapi", LIBRARY, "--operation", name)[1] for name in ("lend", "post /items/{itemId}/loans")
    )
    _, loans, _ = run("--openapi", LIBRARY, "--model", "Loan", "-n", "4")

    assert by_id == by_route
    assert len(rows(loans)) == 4
    assert all({"member", "until"} <= set(row["value"]) for row in rows(loans))


def test_broken_requests_break_rules_of_the_description_only(run):
    code, out, _ = run("--openapi", LIBRARY, "--operation", "lend", "--invalid")

    schema = read_api(LIBRARY).operation("lend")
    found = rows(out)
    labels = [row["label"] for row in found]
    assert code == 0
    assert not any(schema.accepts(row["value"]) for row in found)
    assert "path.itemId: minimum (below the least)" in labels
    assert "body.until: required (missing)" in labels
    assert not any(
        label.startswith(("value:", "path:")) or label == "path.itemId: required (missing)" for label in labels
    )


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--model", "Itm"], "has no model 'Itm'; did you mean 'Item'?"),
        (["--operation", "lendd"], "has no operation 'lendd'; did you mean 'lend'?"),
        (["--operation", "lend", "--model", "Loan"], "--operation lend and --model Loan contradict each other"),
        (["--media", "text/plain"], "--media text/plain goes with --operation"),
        (["--model", "Loan", "--media", "text/plain"], "--media text/plain goes with --operation"),
        (["--operation", "lend", "--media", "text/plain"], "has no body of 'text/plain'"),
        (["--operation", "findItems", "--media", "text/plain"], "has no body, so no media type"),
        (["--model", "Loan", "--resolve", "x"], "write --resolve URL=FILE"),
        (["--model", "Loan", "--invalid", "--cover", "each"], "--invalid and --cover each contradict each other"),
        (["--schema", "x.json"], "contradict each other; give one of them"),
        (["examples.retail:items"], "contradict each other; give one of them"),
        (["--regex", "a"], "contradict each other; give one of them"),
        (["--spec", "a"], "--spec a goes with specs"),
        (["-n", "0", "--model", "Loan"], "-n 0 must be a whole number of at least 1"),
    ],
)
def test_what_makes_no_sense_is_one_message(run, words, said):
    code, out, err = run("--openapi", LIBRARY, *words)

    assert (code, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--operation", "x", "examples.retail:items"], "--operation x goes with --openapi"),
        (["--as-text", "examples.retail:items"], "--as-text goes with types and documents"),
        (["--schema", CONTACT, "--model", "x"], "--model x goes with --openapi"),
        ([CALENDAR], "defines several things; name one"),
        ([f"{CALENDAR}:timeSuf"], "has no 'timeSuf'; did you mean 'timeSuff'?"),
        (["no.json:x"], "there is no file 'no.json'"),
    ],
)
def test_flags_of_documents_go_with_documents(run, words, said):
    code, _, err = run(*words)

    assert code == 2
    assert said in err


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("broken.json", '{"openapi": "3.0.0",\n "paths": }', "line 2, column 11: not JSON"),
        ("broken.yaml", "openapi: 3.0.0\npaths: [", "line 3, column 1: not YAML"),
        ("code.yaml", "openapi: !!python/object/apply:os.system [ls]", "is not data"),
        ("deep.json", "[" * 100_000, "nested more than 200 levels"),
        ("twice.yaml", "openapi: 3.0.0\nopenapi: 3.1.0", "line 2, column 1: the key 'openapi' is there twice"),
        ("none.yaml", "a: 1", "is no service description"),
    ],
)
def test_a_broken_file_is_one_message(run, tmp_path, name, text, said):
    (tmp_path / name).write_text(text)

    code, _, err = run("--openapi", tmp_path / name)

    assert code == 2
    assert said in err
    assert err.count("\n") == 1


def test_an_address_needs_a_file(run, tmp_path):
    far = "https://example.com/models.yaml"
    (tmp_path / "api.yaml").write_text(
        f"openapi: 3.0.0\npaths: {{}}\ncomponents: {{schemas: {{A: {{$ref: '{far}#/A'}}}}}}"
    )
    (tmp_path / "models.yaml").write_text("A: {type: string, enum: [x], nullable: true}")

    code, _, err = run("--openapi", tmp_path / "api.yaml", "--model", "A")
    assert code == 2
    assert f"--resolve {far}=FILE" in err

    code, out, _ = run(
        "--openapi", tmp_path / "api.yaml", "--model", "A", "--resolve", f"{far}={tmp_path / 'models.yaml'}"
    )
    assert code == 0
    assert [row["value"] for row in rows(out)] == ["x"]


def test_texts_parse_to_the_values_and_the_same_come_out_again(run):
    _, values, _ = run("--schema", CONTACT, "--cover", "pairs")
    code, texts, err = run("--schema", CONTACT, "--cover", "pairs", "--as-text")
    again = run("--schema", CONTACT, "--cover", "pairs", "--as-text")[1]

    assert code == 0
    assert texts == again
    assert len({json.loads(line)["value"] for line in texts.splitlines()}) == len(texts.splitlines())
    parsed = [json.loads(row["value"]) for row in rows(texts)]
    assert parsed[: len(rows(values))] == [row["value"] for row in rows(values)]
    assert all(row["label"].count("whitespace: ") == row["label"].count("escapes: ") == 1 for row in rows(texts))
    assert "every text parses to its input; 47 of 47 pairs of ways to write are shown" in err


@pytest.mark.parametrize("words", [["-n", "3"], ["--invalid", "-n", "3"]])
def test_so_many_texts_as_asked_for(run, words):
    _, out, _ = run("--openapi", LIBRARY, "--model", "Loan", "--as-text", *words)

    assert len(rows(out)) == 3
    assert all(isinstance(json.loads(row["value"]), dict) for row in rows(out))


def test_a_definition_of_a_file_is_a_target(run):
    code, out, err = run(f"{CALENDAR}:timeSuff", "--format", "jsonl")
    assert code == 0
    assert {"", " at 10am"} <= {row["value"] for row in rows(out)}
    assert err.startswith("timeSuff: ")

    code, out, _ = run(f"{CALENDAR}:Meeting", "--format", "jsonl", "-n", "2", "--as-text")
    assert code == 0
    assert set(json.loads(rows(out)[0]["value"])) == {"title", "place", "minutes"}

    code, out, _ = run(f"{LIBRARY}:Loan", "-n", "1", "--format", "jsonl")
    assert code == 0
    assert set(rows(out)[0]["value"]) == {"member", "until"}


def test_help_names_the_flags():
    from unlike.cli import cli

    said = CliRunner().invoke(cli, ["generate", "--help"]).output

    for flag in ("--schema", "--openapi", "--operation", "--model", "--media", "--resolve", "--as-text"):
        assert flag in said
