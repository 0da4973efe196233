"""Values for parameters of which nothing is said: guessed, tried in a copy, and named in the proof."""

import random
import subprocess
import sys
import time
from pathlib import Path

import pytest
import unannotated
from keepers import Basket
from unannotated import (
    Clock,
    Counted,
    Crowd,
    Dial,
    Drawer,
    Ending,
    Hooks,
    Inbox,
    Label,
    Ledger,
    Line,
    Office,
    Picky,
    Plan,
    Plot,
    Ratio,
    Register,
    Site,
    Slow,
    Tasks,
    Wide,
    Words,
)

from unlike.classes.api import api_of
from unlike.classes.beside_scope import draw_arguments
from unlike.classes.guessing.described import described_parameters
from unlike.classes.guessing.guesses import Guesses
from unlike.classes.guessing.kinds import kinds_by_name
from unlike.classes.guessing.verb import guess_values
from unlike.classes.result import Result
from unlike.classes.ways import likeliest_rows, ways_of
from unlike.explore import explore
from unlike.recipe import name_of
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


@pytest.mark.corpus
def test_calls_that_end_their_process_or_hang_cost_only_themselves():
    guesses = guess_values([Ending], TWO)

    assert set(guesses.refused) == {"Ending.leave", "Ending.wait_forever"}
    assert explore(Ending, scope=2).states == 2  # done is 0 or 1


def test_of_guessed_values_every_pair_is_tried_in_few_calls():
    api = explore(Wide, scope=2).api

    assert len([each for each in api.templates if each.operation.title == "Wide"]) <= 40
    assert any("of 6,561 ways (Wide)" in remark for remark in api.remarks)  # two ints each, or left out


def test_at_most_forty_guessed_ways_and_what_may_be_left_out_loses_first():
    needed, other = [0, 1, 2], [None, *range(60)]

    ways = ways_of([needed, other], 40, [False, True])

    rows = list(ways.rows)
    assert len(rows) == 40
    assert {row[0] for row in rows} == {0, 1, 2}
    assert ways.left_out == "one argument after the other in 40 of 183 ways"


def test_of_very_many_combinations_the_likeliest_come_without_making_all():
    rows = likeliest_rows([3] * 17)

    assert rows[:3] == [(0,) * 17, (1,) * 17, (2,) * 17]
    assert (0,) * 16 + (1,) in rows


def test_companions_need_many_arguments_or_are_made_by_a_class_method():
    found = explore(Office, scope=3, values="concrete")

    assert not found.api.refusals
    assert found.states == 3
    assert found.others == {"Ticket": found.others["Ticket"], "Stamp": 3}


def test_an_exploration_calls_all_operations_in_a_bounded_number_of_ways():
    ways = len(api_of([Crowd], Scope(3), guesses=Guesses(active=True)).templates)

    assert ways < 10_000 < len(api_of([Crowd], Scope(3)).templates)


def test_methods_that_are_no_functions_are_called():
    found = explore(Dial, scope=3, values="concrete")

    assert {"Dial.turn", "Dial.twice", "Dial.back", "Dial.reset"} <= {each.title for each in found.api.operations}
    assert not found.api.refusals
    assert found.states == 7


def test_what_a_class_passes_to_itself_alone_is_not_passed():
    found = explore(Ratio, scope=3, values="concrete")

    assert found.states == 3
    assert not found.errors


def test_a_class_that_says_to_be_of_a_module_that_does_not_exist_is_found_where_it_is(monkeypatch):
    monkeypatch.setattr(Register, "__module__", "nowhere_at_all")

    found = name_of(Register)

    assert getattr(sys.modules[found.module], found.qualname) is Register


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


@pytest.mark.few(1)
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


def test_a_default_between_0_and_1_asks_for_shares():
    """Whole numbers are all refused."""
    guesses, result = guess_values([Counted], TWO), explore(Counted, scope=2)

    assert values(guesses, "Counted.threshold") == [0.5, 0.1]
    assert "Counted.threshold" in str(result.status)
    assert len({case.value.threshold for case in result.suite}) == 3  # the default is one of them


def test_an_argument_of_many_is_what_their_name_says_of_one():
    """`done` refuses everything before `prepare`, so that trying tells nothing of `*nodes`."""
    api = api_of([Tasks], TWO, guesses=guess_values([Tasks], TWO))
    passed = {each.args for each in api.templates if each.operation.title == "Tasks.done"}

    assert {(), (0,), (1,)} <= passed
    assert all(type(each) is int for row in passed for each in row)


def test_written_tests_go_beside_values_that_were_guessed():
    guesses = guess_values([Counted, Wide], TWO)
    written = {each.title: each.written for each in api_of([Counted, Wide], TWO, guesses=guesses).operations}

    assert written["Counted"][0].pool.beside == (-1.0, 0.0, 1.0)
    assert written["Wide"][0].pool.beside == (-1,)


def test_longer_sequences_go_beyond_the_ints_of_the_scope():
    api = api_of([Tasks], TWO, guesses=guess_values([Tasks], TWO))

    add = next(each for each in api.operations if each.name == "add")
    drawn = [draw_arguments(add, random.Random(number)) for number in range(100)]

    # the scope has 0 and 1; what is beside it is said to be so
    passed = [(each.template.args, each.beside) for each in drawn if each is not None]
    assert all(((number,), False) in passed for number in range(4))
    assert ((-1,), True) in passed


def test_a_class_on_the_way_may_be_one_of_pythons_own_under_another_name():
    result = explore(Drawer, scope=2)

    labels = {type(case.value.label) for case in result.suite if isinstance(case.value, Drawer)}
    assert labels == {type(None), Label}


def test_containers_of_what_nobody_said_more_about_are_guessed():
    ways = {}
    for guesses in (guess_values([Ledger], Scope(3)), Guesses()):
        for each in api_of([Ledger], Scope(3), guesses=guesses).templates:
            ways[guesses.active, each.operation.name] = ways.get((guesses.active, each.operation.name), 0) + 1

    assert (ways[True, "put_all"], ways[False, "put_all"]) == (40, 273)
    assert ways[True, "put"] == ways[False, "put"] == 9  # single values are all passed


def test_a_limit_of_time_holds_for_the_trial_too_and_then_nothing_is_proved():
    began = time.monotonic()
    result = explore(Slow, scope=2, timeout=1)

    assert time.monotonic() - began < 8  # its trial alone takes half a minute
    assert result.status.cut_short
    assert "1 s" in str(result.status)


def test_a_function_returns_what_its_annotation_says():
    result = explore(Plot, scope=2)

    assert not result.errors
    assert {type(case.value.height) for case in result.suite if isinstance(case.value, Plot)} == {int}
