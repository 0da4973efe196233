"""Options of `unlike generate` by kind of target; `unlike strings` and `unlike requests` have what they can use."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from unlike.cli import cli
from unlike.cli.generate import command as generate
from unlike.cli.kinds import KINDS, SOURCES, USES
from unlike.errors import ScopeError, SpecError

LIBRARY = str(Path(__file__).parents[2] / "examples" / "specs" / "library.yaml")
ANY = {"cover", "n", "every", "seed", "form", "output", "count", "timeout", "quiet", "megabytes"}
ANY |= {"code", "by", "within", "no_source", "beside"}


def run(*words: str) -> Result:
    return CliRunner().invoke(cli, list(words), standalone_mode=False, catch_exceptions=False)


def test_every_option_is_for_any_target_or_stands_in_the_table() -> None:
    names = {each.name for each in generate.params} - {"target", *SOURCES}

    assert names == set(USES) | ANY
    assert all(set(kinds) < set(KINDS) for kinds in USES.values())


def test_the_help_shows_options_by_kind_of_target() -> None:
    said = run("generate", "--help").stdout
    sections = {
        title: said.index(title) for title in ("Any target:", "Specs (", "Types (", "Documents (", "Patterns (")
    }

    assert list(sections.values()) == sorted(sections.values())
    assert said.index("--seed") < sections["Specs ("] < said.index("--solver") < sections["Types ("]
    assert said.index("--cover") < sections["Specs ("] < said.index("--strength") < sections["Types ("]
    assert sections["Types ("] < said.index("--invalid") < sections["Documents ("] < said.index("--operation")
    assert sections["Patterns ("] < said.index("--flags")
    patterns = said[sections["Patterns ("] :]
    assert said.index("--code") < sections["Specs ("]
    assert "--invalid, --mix," in " ".join(patterns.split())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["examples.retail:items", "--flags", "i"], "--flags i goes with --regex; 'examples.retail:items' is none of these"),
        (["examples.contacts:Contact", "--solver", "z3"], "--solver z3 goes with specs; 'examples.contacts:Contact' is a type"),
        (["examples.contacts:Contact", "--resolve", "a=b"], "--resolve a=b goes with documents; 'examples.contacts:Contact' is a type"),
        (["--openapi", LIBRARY, "--in-process"], "--in-process goes with specs and types; "),
        (["--regex", "a", "--seconds-per-call", "9"], "--seconds-per-call 9.0 goes with specs and types; 'a' is a pattern, which runs no code"),
        (["--regex", "a", "--as-text"], "--as-text goes with types and documents; 'a' is a pattern"),
    ],
)  # fmt: skip
def test_what_a_target_cannot_use_is_refused_by_name(words: list[str], said: str) -> None:
    with pytest.raises(ScopeError) as refused:
        run("generate", *words)

    assert said in str(refused.value)


@pytest.mark.parametrize(
    "words",
    [
        ["(a|b)c{1,3}"],
        ["(a|b)c{1,3}", "--cover", "each", "--format", "table"],
        ["(a|b)c", "--invalid"],
        ["(a|b)c", "--count"],
        ["A", "--flags", "i", "--check", "--seed", "3"],
    ],
    ids=" ".join,
)
def test_strings_are_what_generate_gives_for_the_pattern(words: list[str]) -> None:
    pattern, *rest = words

    short, long = run("strings", *words), run("generate", "--regex", pattern, *rest)

    assert (short.stdout, short.stderr, short.return_value) == (long.stdout, long.stderr, long.return_value)


@pytest.mark.parametrize(
    ("verb", "foreign"), [("strings", "--solver"), ("requests", "--flags"), ("requests", "--model")]
)
def test_the_help_of_the_short_verbs_shows_only_what_they_can_use(verb: str, foreign: str) -> None:
    said = run(verb, "--help").stdout

    assert foreign not in said
    assert "--regex" not in said
    assert "--cover" in said


def test_requests_of_all_operations_say_to_which_they_belong() -> None:
    result = run("requests", LIBRARY)

    rows = [json.loads(line) for line in result.stdout.splitlines()]
    assert list(dict.fromkeys(row["part"] for row in rows)) == ["findItems", "addItem", "lend"]
    for name in ("findItems", "addItem", "lend"):
        alone = [json.loads(line) for line in run("requests", LIBRARY, "--operation", name).stdout.splitlines()]
        assert alone == [{"value": row["value"], "label": row["label"]} for row in rows if row["part"] == name]
        assert f"{name}: {len(alone)} instances" in result.stderr
    assert run("requests", LIBRARY, "--count").stdout.splitlines()[0].startswith("findItems ")


def test_requests_of_one_operation_are_what_generate_gives_for_it() -> None:
    words = [LIBRARY, "--operation", "addItem", "--cover", "pairs"]

    assert run("requests", *words).stdout == run("generate", "--openapi", *words).stdout


def test_a_service_without_operations_and_a_medium_without_one_are_refused(tmp_path: Path) -> None:
    (tmp_path / "none.json").write_text('{"openapi": "3.1.0", "info": {"title": "t", "version": "1"}, "paths": {}}')

    with pytest.raises(SpecError, match="describes no operation"):
        run("requests", str(tmp_path / "none.json"))
    with pytest.raises(SpecError, match="none of these operations has a body of 'text/plain'"):
        run("requests", LIBRARY, "--media", "text/plain")
