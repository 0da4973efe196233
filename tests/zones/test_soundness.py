"""What could tell a token from a number is found out: auto goes the other way, and says why."""

import json
from pathlib import Path
from typing import Any

import pytest
import suspects
from click.testing import CliRunner, Result
from examples.structures.node_caching_linked_list import NodeCachingLinkedList
from examples.structures.red_black_tree import RedBlackTree

from unlike.classes.open import choose_values, result as result_module
from unlike.classes.open.result import OpenResult
from unlike.cli.explore.command import command
from unlike.errors import ScopeError, UnlikeError
from unlike.explore import explore
from unlike.heap.walkers import native_is_built
from unlike.suite import Ending
from unlike.zones.paths import UnsteadyError

IMPLEMENTATIONS: list[Any] = ["python", *(["native"] if native_is_built() else [])]


@pytest.mark.few(3)
@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
@pytest.mark.parametrize(
    ("cls", "why"),
    [
        (suspects.AsksType, "type(v) is int"),
        (suspects.DumpsJson, "compiled code was given an open value"),
        (suspects.Caches, "keeps a value"),
        (suspects.KeepsGlobally, "state outside its objects"),
        (suspects.ComparesIdentity, "sees that values are left open"),
        (suspects.Flips, "not deterministic"),
    ],
)
def test_auto_falls_back_above_scope_3_and_says_why(cls: type, why: str, implementation: Any) -> None:
    result = explore(cls, scope=4, implementation=implementation)

    assert result.values == "concrete"
    assert why in result.why
    assert f"values concrete: {result.why}" in result.explanation


@pytest.mark.parametrize("cls", [suspects.DumpsJson, suspects.ComparesIdentity, suspects.Caches])
def test_at_small_scopes_what_is_found_is_what_concrete_values_find(cls: type) -> None:
    plain = explore(cls, scope=3, values="concrete")

    result = explore(cls, scope=3)

    assert result.values == "concrete"
    assert result.all_states() == plain.all_states()


@pytest.mark.parametrize("implementation", IMPLEMENTATIONS)
def test_objects_that_are_never_the_same_are_refused_before_any_time_is_used_up(implementation: Any) -> None:
    with pytest.raises(
        UnlikeError, match=r"count led to another state when it was called again; use values='concrete'"
    ):
        explore(suspects.NeverTheSame, values="symbolic", implementation=implementation)


def test_code_that_catches_everything_still_forks() -> None:
    opened, concrete = (explore(suspects.CatchesAll, scope=3, values=which) for which in ("symbolic", "concrete"))

    assert set(opened.all_states()) == set(concrete.all_states())


@pytest.mark.parametrize("scope", [3, 5])
def test_auto_leaves_values_open_where_nothing_stands_against_it(scope: int) -> None:
    result = explore(suspects.Sorts, scope=scope)

    assert result.values == "symbolic"
    assert f"{scope + 1} abstract states" in result.why  # one per length: sorting orders everything


def test_at_scope_3_and_below_both_ways_are_gone() -> None:
    result = explore(RedBlackTree, scope=3, methods="add|remove")

    assert "both ways were gone and gave the same" in result.why
    assert not isinstance(result, OpenResult)  # the objects themselves, in their usual order


def test_code_that_needs_every_number_is_explored_with_concrete_values() -> None:
    result = explore(suspects.Inspects, scope=3)

    assert result.states == explore(suspects.Inspects, scope=3, values="concrete").states


@pytest.mark.parametrize(
    ("options", "why"),
    [
        ({"state_matching": False, "calls": 2}, "without state matching"),
        ({"workers": 1}, "in several processes"),
        ({"omit_fields": "size"}, "fields are omitted"),
        ({"dict_order": False}, "dicts are unordered"),
    ],
)
def test_settings_that_need_concrete_values_are_named(options: dict[str, Any], why: str) -> None:
    result = explore(RedBlackTree, scope=2, methods="add", **options)

    assert result.values == "concrete"
    assert why in result.why
    with pytest.raises(UnlikeError, match="values='concrete'"):
        explore(RedBlackTree, scope=2, methods="add", values="symbolic", **options)


def test_asking_for_open_values_where_they_cannot_be_is_refused() -> None:
    suspects.doubled.cache_clear()

    with pytest.raises(UnlikeError, match="keeps a value"):
        explore(suspects.Caches, scope=3, values="symbolic")


def test_another_word_for_values_is_refused() -> None:
    with pytest.raises(ScopeError, match="'open'"):
        explore(RedBlackTree, scope=2, values="open")  # type: ignore[arg-type]


def test_the_published_counts_beyond_what_can_be_listed() -> None:
    # the law of the list: the sum over s < k of (k - s) k**s
    for scope in (8, 12, 15):
        result = explore(NodeCachingLinkedList, scope=scope, methods="add_last|remove_index", values="symbolic")

        assert result.states == sum((scope - s) * scope**s for s in range(scope))
        assert len(result.shapes) == scope * (scope + 1) // 2  # type: ignore[attr-defined]


# -- on the command line ------------------------------------------------------------------------------


def invoked(words: list[str]) -> Result:
    result = CliRunner().invoke(command, words, standalone_mode=False)
    assert result.exception is None
    return result


TREE = "examples.structures.red_black_tree:RedBlackTree"


@pytest.mark.parametrize("values", ["auto", "symbolic", "concrete"])
def test_the_count_does_not_depend_on_the_way(values: str) -> None:
    done = invoked([TREE, "--scope", "4", "--methods", "add|remove", "--count", "--values", values])

    assert done.exit_code == 0
    assert done.stdout.strip() == "29"


def test_explain_says_which_way_was_gone_and_why() -> None:
    words = [TREE, "--scope", "4", "--methods", "add|remove", "--explain"]

    done = invoked(words)
    plain = invoked([*words, "--values", "concrete"])

    assert "values symbolic: 13 abstract states stand for 29 objects" in done.stdout
    assert "values concrete: as asked" in plain.stdout


def test_values_stand_in_the_settings_file_too(tmp_path: Path) -> None:
    settings = tmp_path / "explore.toml"
    settings.write_text('values = "concrete"\nscope = 4\nmethods = "add|remove"\n')

    done = invoked([TREE, "--config", str(settings), "--explain"])

    assert "values concrete: as asked" in done.stdout


def test_every_object_is_written_as_a_recipe() -> None:
    done = invoked([TREE, "--scope", "4", "--methods", "add|remove", "--format", "jsonl", "--values", "symbolic"])

    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert len({line["label"] for line in lines}) == 29


def test_ctrl_c_while_values_are_open_delivers_what_a_small_scope_holds(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_arguments: object, **_options: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(choose_values, "explore_open", interrupted)

    result = explore(RedBlackTree, scope=5)

    assert result.status.ending is Ending.INTERRUPTED
    assert len(result.suite) == result.states == explore(RedBlackTree, scope=2, values="concrete").states
    assert str(result.scope).startswith("5 objects")


@pytest.mark.parametrize(("flags", "count"), [([], 29), (["--one-per-shape"], 13), (["--sample", "5"], 5)])
def test_what_is_counted_is_what_would_be_handed_out(flags: list[str], count: int) -> None:
    done = invoked([TREE, "--scope", "4", "--methods", "add|remove", "--count", *flags])

    assert done.stdout.strip() == str(count)


def test_calls_that_do_something_else_when_made_again_cannot_be_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    def unsteady(_search: object) -> None:
        raise UnsteadyError("it asked less than the time before")

    monkeypatch.setattr(result_module, "calls_by_outcome", unsteady)
    result = explore(suspects.Sorts, scope=3, values="symbolic", in_process=True)

    with pytest.raises(UnlikeError, match="not deterministic"):
        result.calls_by_outcome()  # type: ignore[attr-defined]
