"""`unlike fields` and `unlike explore --fields` as a user types them."""

import json

import pytest
from click.testing import CliRunner

from unlike.cli.explore.command import command as explore_command
from unlike.cli.invariants.fields import command
from unlike.errors import ScopeError, TargetError

TREE = "examples.structures.binary_search_tree:BinarySearchTree"


def run(*arguments, of=command):
    result = CliRunner().invoke(of, list(arguments), standalone_mode=False)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_the_summary_shows_size_bound_extensions_and_the_proof():
    result = run(TREE, "--scope", "4")

    assert "show 40 field values; at least 8 structures are needed" in result.stdout
    assert "Node.left: 8 pairs over 4 objects" in result.stdout
    assert "BinarySearchTree.root: 2 pairs over 1 object\n" in result.stdout
    assert "infeasible (proved): 26 pairs" in result.stdout
    assert "nothing is missing: proved" in result.stdout
    assert result.return_value == 0


def test_counting_prints_the_number_alone():
    assert run(TREE, "--scope", "5", "--smallest", "--count").stdout == "10\n"


def test_explaining_says_what_was_compared():
    result = run(TREE, "--scope", "3", "--explain")

    assert "rep_ok became clauses; compared with the search engine at scope 1 (2), 2 (5), 3 (15)" in result.stdout


@pytest.mark.corpus
def test_files_are_written_and_a_saved_suite_is_measured(tmp_path, monkeypatch):
    result = run(TREE, "--scope", "3", "-o", str(tmp_path))

    names = sorted(path.name for path in tmp_path.iterdir())
    assert names == ["BinarySearchTree.bounds.json", "BinarySearchTree.json", "test_binary_search_tree_fields.py"]
    assert "wrote" in result.stderr
    assert json.loads((tmp_path / "BinarySearchTree.bounds.json").read_text())["bounds"]["Node.left"]["Node2"] == [
        "None"
    ]

    whole = run(TREE, "--scope", "3", "--of", str(tmp_path / "BinarySearchTree.json"))
    assert "100.0 % of the feasible field values: 26 of 26" in whole.stdout
    assert whole.return_value == 0

    part = run(TREE, "--scope", "4", "--of", str(tmp_path / "BinarySearchTree.json"))
    assert "65.0 % of the feasible field values: 26 of 40" in part.stdout
    assert "missing: BinarySearchTree0.size = 4" in part.stdout
    assert part.return_value == 1


def test_objects_of_a_module_are_measured(tmp_path, monkeypatch):
    (tmp_path / "trees_by_hand.py").write_text(
        "from examples.structures.binary_search_tree import BinarySearchTree\n"
        "def some():\n"
        "    return [BinarySearchTree()]\n"
    )
    monkeypatch.chdir(tmp_path)

    result = run(TREE, "--scope", "3", "--of", "trees_by_hand:some")

    assert "7.7 % of the feasible field values: 2 of 26" in result.stdout


@pytest.mark.few(2)
@pytest.mark.parametrize("form", ["pytest", "json", "jsonl", "bounds"])
def test_every_format_goes_to_standard_output(form):
    text = run(TREE, "--scope", "2", "--format", form).stdout

    if form == "pytest":
        compile(text, "test_tree.py", "exec")
    else:
        for line in text.splitlines() if form == "jsonl" else [text]:
            json.loads(line)


def test_fields_can_be_chosen_and_their_domains_given():
    result = run(TREE, "--scope", "3", "--only", "key", "--field", "Node.key=0..1")

    assert "Node.key: 4 pairs over 2 objects" in result.stdout


def test_a_plain_spec_gives_a_few_inputs():
    result = run("examples.retail:items", "--only", "category", "--count")

    assert result.stdout.strip().isdecimal()


def test_what_a_plain_spec_cannot_use_is_refused_by_name():
    with pytest.raises(ScopeError, match=r"--scope 9 goes with classes; 'examples.retail:items' is a spec"):
        run("examples.retail:items", "--scope", "9")


def test_functions_of_a_plain_spec_run_where_and_as_long_as_was_asked(tmp_path, monkeypatch):
    (tmp_path / "asking_where.py").write_text(
        "import os\nfrom unlike import Int, Spec, predicate\nhome = os.getpid()\n"
        "spec = Spec({'x': Int(0, 3)}, where=predicate(lambda x: os.getpid() == home))\n"
    )
    monkeypatch.syspath_prepend(tmp_path)

    assert run("asking_where:spec", "--count", "--in-process").stdout == "4\n"
    assert run("asking_where:spec", "--count").stdout == "0\n"  # in a copy of this process


def test_an_exploration_can_be_cut_down_to_the_objects_that_show_every_field_value():
    result = run(TREE, "--scope", "4", "--fields", of=explore_command)
    counted = run(TREE, "--scope", "4", "--fields", "--count", of=explore_command)

    assert "of 51 objects show all 40 field values; at least 8 are needed" in result.stdout
    assert int(counted.stdout) < 12
    with pytest.raises(ScopeError, match="--values symbolic leaves them open"):
        run(TREE, "--fields", "--values", "symbolic", of=explore_command)


def test_bad_input_is_one_message():
    with pytest.raises(ScopeError, match="--only 'nothing': there is no such field"):
        run(TREE, "--only", "nothing")
    with pytest.raises(TargetError, match="is no suite"):
        run(TREE, "--of", "examples.retail:__name__")
