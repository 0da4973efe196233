"""`unlike builders`, and `unlike explore` with builders or at random, as a user types them."""

import json
from pathlib import Path

import curious
import pytest
from click.testing import CliRunner, Result

from unlike.cli import builders as builders_command
from unlike.cli.explore import command as explore_command
from unlike.errors import SavedFileError, ScopeError, TargetError

TREE = "examples.structures.red_black_tree:RedBlackTree"


def run(command: object, *arguments: str) -> Result:
    result = CliRunner().invoke(command.command, list(arguments), standalone_mode=False)  # type: ignore[attr-defined]
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result


def test_text_names_builders_certainty_states_and_the_rest() -> None:
    result = run(builders_command, TREE, "--scope", "4")

    assert result.stdout.startswith("3 builders of RedBlackTree (exact search):\n  RedBlackTree()\n  RedBlackTree.add(")
    assert "sufficient (proved: 29 of 29 states reached again), minimal" in result.stdout
    assert "observers: RedBlackTree.minimum," in result.stdout
    assert result.return_value == 0


def test_json_has_the_promised_keys() -> None:
    result = run(builders_command, TREE, "--format", "json")
    data = json.loads(result.stdout)["cases"]

    assert {"builders", "observers", "replaced", "proved", "minimal", "states", "field_values"} <= set(data)
    assert data["states"] == {"api": 11, "builders": 11}
    assert data["replaced"][0]["by"] == ["RedBlackTree", "RedBlackTree.add"]
    assert "sufficient (proved" in result.stderr


def test_an_insufficient_estimate_is_exit_code_1_and_a_cut_short_one_3() -> None:
    assert run(builders_command, TREE, "--scope", "4", "--search", "genetic", "--seed", "1").return_value == 1
    few = ("--budget", "20", "--evolutions", "1", "--attempts", "20")
    assert run(builders_command, "curious:Shelf", *few).return_value == 3


def test_saved_builders_are_complete_at_their_scope_only(tmp_path: Path) -> None:
    file = str(tmp_path / "tree.json")
    run(builders_command, TREE, "--scope", "4", "-o", file)

    same = run(explore_command, TREE, "--scope", "4", "--builders", file, "--count")
    larger = run(explore_command, TREE, "--scope", "5", "--builders", file, "--count")

    assert (same.stdout, same.return_value) == ("29\n", 0)
    assert "no more exist (proved)" in same.stderr
    assert (larger.stdout, larger.return_value) == ("72\n", 3)
    assert "the builders were proved sufficient within other bounds" in larger.stderr


def test_saved_builders_prove_nothing_about_other_code(tmp_path: Path) -> None:
    file = tmp_path / "tree.json"
    run(builders_command, TREE, "-o", str(file))
    data = json.loads(file.read_text())
    file.write_text(json.dumps({**data, "code": "another"}))

    result = run(explore_command, TREE, "--builders", str(file), "--count")

    assert result.return_value == 3
    assert "for other source code" in result.stderr


def test_builders_that_were_not_proved_leave_the_suite_open(tmp_path: Path) -> None:
    file = str(tmp_path / "tree.json")
    run(builders_command, TREE, "--scope", "4", "--search", "genetic", "-o", file)

    result = run(explore_command, TREE, "--scope", "4", "--builders", file, "--count")

    assert (result.stdout, result.return_value) == ("25\n", 3)
    assert "estimated, not proved sufficient" in result.stderr


def test_auto_finds_the_builders_and_only_they_are_called() -> None:
    result = run(explore_command, TREE, "--scope", "4", "--builders", "auto", "--format", "jsonl")

    labels = [json.loads(line)["label"] for line in result.stdout.splitlines()]
    called = {call.partition("(")[0] for label in labels for call in label.split("; ")}
    assert len(labels) == 29
    assert called == {"RedBlackTree", "add", "remove"}
    assert result.return_value == 0


def test_a_file_that_holds_no_builders_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "other.json"
    file.write_text('{"kind": "something"}')

    with pytest.raises(SavedFileError, match="is no file of builders"):
        run(explore_command, TREE, "--builders", str(file))
    with pytest.raises(SavedFileError, match="use auto or a file of builders"):
        run(explore_command, TREE, "--builders", "missing.json")


def test_builders_of_another_class_are_refused(tmp_path: Path) -> None:
    file = str(tmp_path / "shelf.json")
    run(builders_command, "curious:Shelf", "--scope", "2", "-o", file)

    with pytest.raises(TargetError, match="these are builders of Shelf, not of RedBlackTree"):
        run(explore_command, TREE, "--builders", file)


def test_random_exploration_delivers_what_it_found() -> None:
    result = run(
        explore_command, TREE, "--scope", "9", "--random", "--attempts", "200", "--seed", "4", "--format", "jsonl"
    )
    again = run(
        explore_command, TREE, "--scope", "9", "--random", "--attempts", "200", "--seed", "4", "--format", "jsonl"
    )

    assert result.stdout == again.stdout
    assert len(result.stdout.splitlines()) > 10
    assert "more objects may exist" in result.stderr
    assert result.return_value == 0
    with pytest.raises(ScopeError, match="--timeout S or --attempts N"):
        run(explore_command, TREE, "--random")


def test_builders_can_be_called_at_random(tmp_path: Path) -> None:
    result = run(explore_command, TREE, "--random", "--attempts", "100", "--builders", "auto", "--format", "jsonl")

    assert "remove" not in result.stdout
    assert result.return_value == 0


def test_a_class_to_look_at_is_exit_code_1_and_one_that_cannot_be_explored_3() -> None:
    assert curious.Grumpy is not None
    assert run(builders_command, "curious:Grumpy").return_value == 1
    assert run(builders_command, "curious:Dice").return_value == 3  # another state each time: nothing is proved


def test_ctrl_c_ends_the_whole_search() -> None:
    stopped = run(builders_command, "curious:Interrupted", "--in-process")

    assert stopped.return_value == 3
    assert "interrupted: stopped by the user" in stopped.output


def test_what_the_code_prints_does_not_spoil_the_output() -> None:
    data = json.loads(run(builders_command, "curious:Loud", "--format", "json").stdout)["cases"]

    assert data["proved"] is True


@pytest.mark.parametrize("where", [(), ("--workers", "2"), ("--in-process",)])
@pytest.mark.parametrize("how", [("--builders", "auto"), ("--random", "--attempts", "300", "--seed", "3")])
def test_where_the_calls_are_made_makes_no_difference(how: tuple[str, ...], where: tuple[str, ...]) -> None:
    shown = run(explore_command, TREE, "--in-process", *how).stdout

    assert run(explore_command, TREE, *how, *where).stdout == shown
