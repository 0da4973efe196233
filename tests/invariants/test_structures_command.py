"""`unlike structures` as a user types it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from examples.structures.binary_search_tree import BinarySearchTree, Node

import unlike
from unlike.cli.invariants.structures import command
from unlike.errors import InvariantError, ScopeError, TargetError

TREE = "examples.structures.binary_search_tree:BinarySearchTree"
CACHING = "examples.structures.node_caching_linked_list:NodeCachingLinkedList"


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(command, list(arguments), standalone_mode=False)
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_counting_prints_the_number_alone() -> None:
    result = run(CACHING, "--scope", "6", "--invariant", "rep_ok_original", "--count")

    assert result.stdout == "800667\n"
    assert result.stderr == "no more exist (proved)\n"
    assert result.return_value == 0


def test_the_summary_shows_the_first_structures() -> None:
    result = run(TREE, "--scope", "3")

    assert result.stdout.startswith("15 structures of BinarySearchTree within 3 objects per class")
    assert "  BinarySearchTree(root=Node0, size=1), Node0(key=0, left=None, right=None)\n" in result.stdout
    assert "… and 5 more" in result.stdout


def test_all_labels_and_the_reference_engine_are_flags() -> None:
    assert run(TREE, "--scope", "4", "--all-labels", "--count").stdout == "977\n"
    assert run(TREE, "--scope", "4", "--engine", "korat", "--count").stdout == "51\n"


def test_bounds_are_overridden_class_by_class_and_field_by_field() -> None:
    assert run(TREE, "--scope", "3", "--objects", "Node=1", "--count").stdout == "4\n"
    assert run(TREE, "--scope", "3", "--field", "Node.key=5..6", "--count").stdout == "5\n"
    assert run(TREE, "--scope", "3", "--literals", "int=1", "--count").stdout == "2\n"


def test_the_fields_are_listed_without_a_search() -> None:
    result = run(TREE, "--scope", "3", "--list-fields", "--field", "Node.key=None,7")

    assert "  BinarySearchTree.size: 0..3  (annotation, a counter)" in result.stdout
    assert "  Node.key: None, 7  (given)" in result.stdout


def test_explain_says_what_was_looked_at() -> None:
    result = run(TREE, "--scope", "2", "--explain")

    assert "runs of rep_ok" in result.stdout
    assert "Node.left: None, Node  (annotation)" in result.stdout


@pytest.mark.corpus
def test_test_files_and_recipes_are_written_and_the_tests_pass(tmp_path: Path) -> None:
    result = run(TREE, "--scope", "3", "-o", str(tmp_path))

    assert result.return_value == 0
    written = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path)],
        capture_output=True,
        text=True,
        check=False,
        env={"PYTHONPATH": str(Path.cwd()), "PATH": ""},
    )
    assert "24 passed" in written.stdout, written.stdout  # 15 structures and 9 longer sequences
    loaded = unlike.load(tmp_path / "BinarySearchTree.json", BinarySearchTree, Node)
    assert list(loaded) == list(unlike.structures(BinarySearchTree, 3).suite)
    assert all(tree.rep_ok() for tree in loaded.values)  # type: ignore[attr-defined]


def test_private_fields_survive_saving(tmp_path: Path) -> None:
    from examples.structures.lru_cache import Entry, LRUCache

    run("examples.structures.lru_cache:LRUCache", "--scope", "2", "--format", "json", "-o", str(tmp_path))

    loaded = unlike.load(tmp_path / "LRUCache.json", LRUCache, Entry)
    assert len(loaded) == 5
    assert all(cache.rep_ok() for cache in loaded.values)  # type: ignore[attr-defined]


def test_frozen_objects_survive_saving(tmp_path: Path) -> None:
    from invariant_specimens import Frozen

    run("invariant_specimens:Frozen", "--scope", "2", "--format", "json", "-o", str(tmp_path))

    loaded = unlike.load(tmp_path / "Frozen.json", Frozen)
    assert loaded.values == [Frozen(0, 0), Frozen(0, 1), Frozen(1, 1)]
    text = run("invariant_specimens:Frozen", "--scope", "2", "--format", "pytest").stdout
    assert "object.__setattr__(x, 'low', 0)" in text
    exec(compile(text, "frozen", "exec"), names := {})
    names["test_frozen_0"]()


def test_json_lines_carry_cases_only() -> None:
    result = run(TREE, "--scope", "3", "--format", "jsonl", "-n", "2")

    lines = [json.loads(line) for line in result.stdout.splitlines()]
    assert [line["id"] for line in lines] == ["BinarySearchTree-0", "BinarySearchTree-1"]
    assert "found as many as were asked for" in result.stderr


def test_more_tests_than_anybody_runs_are_refused_unless_asked_for(tmp_path: Path) -> None:
    with pytest.raises(ScopeError, match="800667 structures are more than anybody runs"):
        run(CACHING, "--scope", "6", "--invariant", "rep_ok_original", "-o", str(tmp_path))
    assert not list(tmp_path.iterdir())
    assert (
        run(CACHING, "--scope", "6", "--invariant", "rep_ok_original", "-n", "3", "--format", "jsonl").return_value == 0
    )


def test_a_function_of_a_module_can_be_the_invariant() -> None:
    result = run("invariant_specimens:Slotted", "--invariant", "invariant_specimens:tree", "--count")

    assert result.return_value == 0


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (["invariant_specimens:Untold"], ScopeError, "--field Untold.other=…"),
        (["invariant_specimens:Bad", "--invariant", "writes"], InvariantError, "writes to Bad.number"),
        (["invariant_specimens:Chain", "--invariant", "rep"], TargetError, "did you mean 'rep_ok'"),
        (["invariant_specimens:tree"], TargetError, "is a function"),
        ([TREE, "--field", "Node.key"], ScopeError, "is not NAME=VALUE"),
        ([TREE, "-n", "3", "--all"], ScopeError, "contradict"),
        ([TREE, "--scope", "0"], ScopeError, "--scope 0 must be a whole number of at least 1"),
    ],
)
def test_bad_input_is_one_clear_message(arguments: list[str], error: type[Exception], message: str) -> None:
    with pytest.raises(error) as caught:
        run(*arguments)

    assert message in str(caught.value)


def test_an_unsatisfiable_invariant_ends_with_exit_code_1() -> None:
    result = run("invariant_specimens:Bad", "--invariant", "is_false", "--scope", "2", "--count")

    assert result.stdout == "0\n"
    assert result.return_value == 1
    assert "no input exists: is_false rejects every structure" in result.stderr


def test_as_many_structures_are_shown_as_were_asked_for() -> None:
    assert len(run(TREE, "--scope", "3", "-n", "12").stdout.splitlines()) == 1 + 12
    assert len(run(TREE, "--scope", "3", "--all").stdout.splitlines()) == 1 + 15
    assert "… and 5 more; -n N shows" in run(TREE, "--scope", "3").stdout


def test_an_empty_pool_is_refused() -> None:
    with pytest.raises(ScopeError, match="--literals 'int=': literals of int: the pool is empty"):
        run(TREE, "--literals", "int=")
    with pytest.raises(ScopeError, match="literals of int: the pool is empty"):
        unlike.structures(BinarySearchTree, 2, literals={"int": []})
