"""Among the states and calls of an exploration the fewest that show every behaviour, against all of its calls."""

import importlib
import json
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from tests.behaviour import kept_out

import unlike
from unlike.behaviour.of_calls import list_calls
from unlike.behaviour.result import ChosenCases
from unlike.cli import main as run_command
from unlike.errors import ScopeError, SpecError, UnlikeError
from unlike.observe import CodeCall, Watched
from unlike.recipe import Method, Recipe, run
from unlike.suite import Ending

CLASSES = (kept_out.Basket, kept_out.Door, kept_out.Meter, kept_out.Twins)
HERE = "tests.behaviour.kept_out"


def main(words):
    """Return the exit code of a command."""
    with pytest.raises(SystemExit) as ended:
        run_command(words)
    return ended.value.code


def chosen_of(result):
    assert isinstance(result.suite.cases, ChosenCases)
    return result.suite.cases


def turns_of_last_call(recipe):
    """Return the branches that the last call of a sequence takes, seen by probes but without the room under test."""

    def ready():
        *before, last = recipe.steps
        made = run(Recipe(tuple(before), recipe.result)) if isinstance(last, Method) else None

        def call():
            if made is None:
                return run(recipe)
            return getattr(made, last.name)(*[made if hasattr(each, "step") else each for each in last.args])

        return [CodeCall(call)]

    watched = Watched([kept_out])
    (seen,) = watched.see_all([ready])
    return set(seen.turns)


@pytest.mark.few(1)
@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_the_chosen_calls_show_every_branch_that_any_call_of_the_exploration_takes(cls):
    result = unlike.explore(cls, scope=2, code=kept_out)

    watched = Watched([kept_out])
    every = [*watched.see_all([lambda each=each: each.ready(result) for each in list_calls(result)])]
    branches = {turn for each in every for turn in each.turns}
    assert chosen_of(result).branches == len(branches)
    assert chosen_of(result).candidates == len(every) == result.calls
    assert result.suite.status.ending is Ending.SHOWN
    shown = set().union(*(turns_of_last_call(each.recipe) for each in result.suite if len(each.recipe.steps) < 3))
    assert shown <= branches
    if cls is not kept_out.Twins:  # whose calls have objects beside the receiver
        assert set().union(*(turns_of_last_call(each.recipe) for each in result.suite)) == branches


@pytest.mark.parametrize("cls", CLASSES, ids=lambda cls: cls.__name__)
def test_no_chosen_call_is_needless(cls):
    result = unlike.explore(cls, scope=2, code=kept_out, by="branches")

    calls = {each.label for each in result.suite}
    operations = {each.title for each in result.api.operations}
    assert len(calls) == len(result.suite) <= 2 * len(operations) + chosen_of(result).branches


def test_every_method_is_called_though_it_has_no_branch():
    result = unlike.explore(kept_out.Basket, scope=1, code=kept_out, by="branches")

    assert any(each.recipe.steps[-1].name == "total" for each in result.suite if len(each.recipe.steps) > 1)


def test_a_loop_goes_not_at_all_once_and_more_often():
    result = unlike.explore(kept_out.Basket, scope=2, code=kept_out, by="paths")

    words = " ".join(each.why for each in result.suite)
    assert all(each in words for each in ("goes not at all", "goes once", "goes more than once"))


def test_two_objects_in_one_call_are_looked_at():
    result = unlike.explore(kept_out.Twins, scope=2, code=kept_out)

    assert not chosen_of(result).dark
    assert any("beats(#1)" in each.label for each in result.suite)


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("cls", "remedies"),
    [
        (kept_out.Basket, {"--elements 5"}),
        (
            kept_out.Door,
            {
                "--literals \"name='a','b','aaaaaaaaaaaa'\"",
                "--literals word=a,b,sesame",
                "--literals name=a,b,back",
                "--literals grade=a,b,gold,silver",
            },
        ),
        (kept_out.Meter, {"--literals amount=0,1,8", "--literals amount=0,1,-5", "--literals amount=0,1,21"}),
    ],
    ids=["size", "texts", "numbers"],
)
def test_what_a_constant_keeps_out_of_the_scope_is_named_with_what_to_add_and_that_helps(cls, remedies, capsys):
    result = unlike.explore(cls, scope=2, code=kept_out)

    found = {each.remedy.partition("add ")[2]: each for each in chosen_of(result).dark if each.remedy}
    normal = {each.replace("'aaaaaaaaaaaa'", "aaaaaaaaaaaa").replace("'", "").replace('"', "") for each in remedies}
    assert {each.replace("'", "").replace('"', "") for each in found} == normal
    for flags, dark in found.items():
        wanted = shlex.split(flags)[:2]
        main(["explore", f"{HERE}:{cls.__name__}", "--scope", "2", "--code", HERE, "--format", "json", *wanted])
        left = [(each["place"], each["words"]) for each in json.loads(capsys.readouterr().out)["findings"]]
        assert not any(place == dark.place and words.startswith(dark.words) for place, words in left), flags


def test_nothing_is_said_to_be_kept_out_that_the_scope_has():
    result = unlike.explore(kept_out.Meter, scope=9, code=kept_out)

    said = [each for each in chosen_of(result).dark if "LIMIT" in each.words]
    assert not said


def test_a_search_that_is_cut_short_proves_nothing():
    result = unlike.explore(kept_out.Basket, scope=3, code=kept_out, most_states=5)

    assert result.suite.status.cut_short
    assert "proved" not in result.suite.guarantee


def test_calls_that_do_something_else_each_time_prove_nothing(tmp_path, monkeypatch):
    (tmp_path / "forgetful_dice.py").write_text(
        "class Dice:\n    seen = []\n    def roll(self, n: int):\n        Dice.seen.append(n)\n"
        "        return 'odd' if len(Dice.seen) % 2 else 'even'\n"
    )
    monkeypatch.syspath_prepend(tmp_path)
    dice = importlib.import_module("forgetful_dice")

    result = unlike.explore(dice.Dice, scope=2, code=dice)

    assert result.suite.status.ending is not Ending.SHOWN
    assert "proved" not in result.suite.guarantee


def test_the_written_tests_hold_and_assert_what_calls_return_and_raise(tmp_path, capsys):
    assert main(["explore", f"{HERE}:Door", "--code", HERE, "--scope", "2", "-o", str(tmp_path / "made")]) == 0
    capsys.readouterr()

    text = (tmp_path / "made" / "test_door.py").read_text()
    assert "assert x.unlock('a') is False" in text
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", str(tmp_path / "made")],
        capture_output=True,
        text=True,
        cwd=Path(__file__).parents[2],
    )
    assert done.returncode == 0, done.stdout


def test_a_refused_call_is_written_as_one_that_raises(tmp_path, capsys):
    words = ["explore", f"{HERE}:Meter", "--code", HERE, "--literals", "amount=0,21", "-o", str(tmp_path)]
    assert main(words) == 1  # the exploration calls it an error
    capsys.readouterr()

    text = (tmp_path / "test_meter.py").read_text()
    assert "with pytest.raises(OverflowError):\n        x.raises(21)" in text
    loaded = unlike.load(tmp_path / "Meter.json", kept_out.Meter)
    assert any(not each.legal and "OverflowError" in each.why for each in loaded)


def test_the_answer_is_data_too(capsys):
    assert main(["explore", f"{HERE}:Door", "--code", HERE, "--scope", "2", "--format", "json"]) == 0

    answer = json.loads(capsys.readouterr().out)
    counts = answer["counts"]
    assert counts["cases"] == len(answer["cases"]["cases"])
    assert counts["branches"] == counts["shown"] > 0
    assert counts["not_reached"] == sum(each["kind"] == "not shown" for each in answer["findings"])
    assert all(each[4]["why"] for each in answer["cases"]["cases"])


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        (["--code", HERE, "--fields"], "--code chooses calls"),
        (["--code", HERE, "--values", "symbolic"], "with their values"),
        (["--by", "branches"], "give --code MODULE"),
        (["--code", HERE, "--by", "lines"], "'lines'"),
        (["--code", "no_such_module_at_all"], "no_such_module_at_all"),
    ],
)
def test_contradictions_are_refused_with_the_remedy(flags, words, capsys):
    assert main(["explore", f"{HERE}:Door", *flags]) == 2
    assert words in capsys.readouterr().err


def test_keywords_without_code_are_refused():
    with pytest.raises(SpecError, match="give code="):
        unlike.explore(kept_out.Door, by="branches")
    with pytest.raises(SpecError, match="neither a module"):
        unlike.explore(kept_out.Door, code=3)
    with pytest.raises(ScopeError, match="with their values"):
        unlike.explore(kept_out.Door, code=kept_out, values="symbolic")
    assert issubclass(SpecError, UnlikeError)


def test_the_same_calls_whatever_the_hash_seed(tmp_path):
    words = [sys.executable, "-m", "unlike", "explore", f"{HERE}:Door", "--code", HERE, "--format", "jsonl"]
    root = Path(__file__).parents[2]
    texts = {
        subprocess.run(
            words, capture_output=True, cwd=root, env={"PYTHONHASHSEED": seed, "PYTHONPATH": str(root)}
        ).stdout
        for seed in "12"
    }
    assert len(texts) == 1
    assert texts.pop()


def test_of_an_operation_a_call_is_chosen_that_changes_its_object():
    result = unlike.explore(kept_out.Emptied, scope=2, code=kept_out)

    reasons = {case.label: case.why for case in result.suite}
    # without it a call on an empty one would stand for `clear`, and show nothing
    assert any("first Emptied.clear that changes its object" in why for why in reasons.values())
    assert any(label.endswith("put(0); clear()") for label in reasons)
