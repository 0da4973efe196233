"""Values for parameters of which nothing is said: guessed, tried in a copy, and named in the proof."""

import subprocess
import sys
from pathlib import Path

import pytest
import unannotated
from keepers import Basket
from unannotated import Clock, Ending, Hooks, Inbox, Line, Picky, Plan, Register, Site, Wide, Words

from unlike.classes.api import api_of
from unlike.classes.guessing.described import described_parameters
from unlike.classes.guessing.guesses import Guesses
from unlike.classes.guessing.kinds import kinds_by_name
from unlike.classes.guessing.verb import guess_values
from unlike.classes.result import Result
from unlike.explore import explore
from unlike.scope import Scope

TWO = Scope(2)


def values(guesses: Guesses, place: str) -> list[object]:
    return list(guesses.pools[place].literals)


def succeeded(result: Result) -> set[str]:
    """Return the operations that returned at least once."""
    fine = ("new state", "known state", "outside the scope")
    return {each.title for each, met in result.by_operation.items() if any(met.get(word, 0) for word in fine)}


def test_what_a_class_takes_is_found_by_trying():
    guesses = guess_values([Register], TWO)

    assert values(guesses, "Register.update.other") == [{0: 1}, {1: 0}, {}]
    assert values(guesses, "Register.extend.iterable")[0] == [0]
    assert guesses.pools["Register.join.other"].classes == (Register,)
    assert "Register.put.key" not in guesses.pools  # ints, as ever
    assert not guesses.texts


def test_every_operation_of_a_class_without_annotations_succeeds():
    result = explore(Register, scope=2)

    assert {f"Register.{name}" for name in ("put", "update", "extend", "join", "names")} <= succeeded(result)
    assert result.states > 20
    assert not result.errors


def test_a_class_of_texts_gets_texts():
    guesses, result = guess_values([Words], TWO), explore(Words, scope=2)

    assert guesses.texts
    # nothing, A, B, and both in two orders
    assert result.states == 5
    assert not result.errors
    assert "texts for what has no annotation (Words.add.item, Words.has.item, Words.remove.item)" in str(result.status)


def test_what_is_taken_at_first_and_breaks_later_calls_is_passed_over():
    result = explore(Hooks, scope=2)

    assert "Hooks.fire" in succeeded(result)
    assert not result.errors


def test_a_constructor_that_refuses_the_first_values_gets_those_that_its_parameter_asks_for():
    result = explore(Site, scope=2)

    # what the source compares with, then what the name of the parameter asks for
    assert [case.value.url for case in result.suite] == ["://", "http://a.org/b", "http://b.org"]
    assert "'://', 'http://a.org/b', 'http://b.org' for str (Site.url)" in str(result.status)


def test_objects_of_other_classes_are_made_to_be_passed_and_nothing_is_called_on_them():
    result = explore(Plan, scope=2)

    assert {case.label for case in result.suite} >= {"Clock(); Plan(#1)"}
    assert result.others == {"Clock": 1}
    assert not any(each.title == "Clock.tick" for each in result.api.operations)
    assert "Plan.step" in succeeded(result)


def test_a_call_that_would_wait_is_made_so_that_it_does_not():
    result = explore(Inbox, scope=2, omit_fields="mutex|not_empty|not_full|all_tasks_done", keys=None, timeout=60)

    assert not [each for each in result.errors if "did not return" in str(each) or "took more" in str(each)]
    assert {"Inbox.get", "Inbox.put"} <= succeeded(result)
    assert "Inbox.join: it did not return when it was tried" in "\n".join(map(str, result.api.refusals))


def test_methods_in_c_are_called_whose_signature_cannot_be_read():
    result = explore(Line, scope=2)

    assert {"Line.append", "Line.extend", "Line.pop", "Line.insert", "Line.rotate"} <= succeeded(result)
    assert {tuple(case.value) for case in result.suite} >= {(), (0,), (1, 0), (0, 1), (1, 1)}
    assert not result.errors


def test_what_refuses_everything_is_not_called_and_said():
    result = explore(Picky, scope=2)

    (refusal,) = result.api.refusals
    assert refusal.title == "Picky.take"
    assert refusal.reason.startswith("no kind of value was taken when it was tried (TypeError: ")
    assert "not called: Picky.take" in str(result.status)


def test_the_remedy_names_the_parameter_that_asks_for_a_class_of_which_no_object_could_be_made():
    (refusal,) = explore(Basket, scope=2).api.refusals

    assert refusal.reason.startswith("no kind of value was taken when it was tried (no WeakMethod could be made: ")
    assert refusal.remedy == "declare values: --literals Basket.put.thing=@MODULE:LIST"


def test_calls_that_end_their_process_or_hang_cost_only_themselves():
    guesses = guess_values([Ending], TWO)

    assert set(guesses.refused) == {"Ending.leave", "Ending.wait_forever"}
    assert explore(Ending, scope=2).states == 2  # done is 0 or 1


def test_of_guessed_values_every_pair_is_tried_in_few_calls():
    api = explore(Wide, scope=2).api

    assert len([each for each in api.templates if each.operation.title == "Wide"]) <= 40
    assert any("of 6,561 ways (Wide)" in remark for remark in api.remarks)  # two ints each, or left out


def test_nothing_is_guessed_where_nobody_wants_it():
    asked = explore(Register, scope=2, guess="none")

    assert asked.api.remarks == api_of([Register], TWO).remarks
    assert "Register.update" not in succeeded(asked)  # an int has no keys


def test_declared_values_come_before_guesses():
    result = explore(Words, scope=2, literals={"item": ["x"]})

    assert [case.value.words for case in result.suite] == [[], ["X"]]


def test_a_class_that_says_all_gets_no_guesses():
    from specimens import Pile

    assert guess_values([Pile], TWO) == Guesses(active=True)


@pytest.mark.corpus
@pytest.mark.parametrize("seed", ["1", "2"])
def test_guesses_are_the_same_in_every_run(seed: str):
    code = (
        "import unannotated as u; from unlike.classes.guessing.verb import guess_values; from unlike.scope import Scope;"
        "print([guess_values([c], Scope(2)) for c in (u.Register, u.Words, u.Hooks, u.Line)])"
    )
    here = str(Path(__file__).parent)
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=here, env={"PYTHONHASHSEED": seed, "PYTHONPATH": here},
        capture_output=True, text=True, check=True,
    )  # fmt: skip

    assert done.stdout.strip() == repr([guess_values([each], TWO) for each in (Register, Words, Hooks, Line)])


def test_written_tests_pass_with_what_was_guessed(tmp_path: Path):
    from unlike.cli import main

    with pytest.raises(SystemExit) as ended:
        main(["explore", "unannotated:Plan", "--scope", "2", "-o", str(tmp_path)])

    assert ended.value.code == 0
    (file,) = tmp_path.glob("test_*.py")
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", str(file), "-p", "no:cacheprovider"],
        cwd=tmp_path, env={"PYTHONPATH": str(Path(__file__).parent)}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("pop(k[, d]) -> v, remove a key", ["k", "d?"]),
        ("D.update([E, ]**F) -> None.", ["E?"]),
        ("index(x, start=0, /)", ["x", "start?"]),
        ("insert(i, *, loud=False)\n\nSay it.", ["i", "loud?"]),
        ("It says nothing.", ["argument_1?", "argument_2?", "argument_3?"]),
    ],
)
def test_parameters_are_read_from_docstrings(text: str, names: list[str]):
    class Documented:
        __doc__ = text

    name = text.partition("(")[0].rpartition(".")[2] if "(" in text else "speak"
    read = described_parameters(Documented, name, None)

    assert [each.name + "?" * each.is_optional for each in read] == names


def test_parameters_are_read_from_a_stub_beside_the_module(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    (tmp_path / "stubbed.py").write_text("class Till:\n    pass\n")
    (tmp_path / "stubbed.pyi").write_text(
        "class Till:\n    def pay(self, amount: int, /, note: str = ...) -> None: ...\n"
    )
    monkeypatch.syspath_prepend(str(tmp_path))
    import stubbed

    read = described_parameters(len, "pay", stubbed.Till)

    assert [(each.name, each.is_optional) for each in read] == [("amount", False), ("note", True)]


def test_names_suggest_kinds():
    suggested = {name: kinds_by_name(name)[:1] for name in ("index", "items", "callback", "other", "prefix", "is_open")}

    first = ("number",), ("items",), ("function",), ("self",), ("text",), ("bool",)
    assert list(suggested.values()) == list(first)
    assert unannotated.Clock is Clock
