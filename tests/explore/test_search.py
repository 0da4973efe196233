"""Every state a class can build, each once, by a shortest sequence; and every call judged."""

import itertools
import random
import re
import signal
import threading
from pathlib import Path
from typing import Any

import curiosities
import pytest
import specimens
from specimens import (
    Bag,
    Broken,
    Chain,
    Counter,
    Dice,
    Everything,
    Failing,
    Inherited,
    Locked,
    Pile,
    Registered,
    Slow,
    Tape,
)

import unlike
from unlike.core import Implementation
from unlike.errors import ScopeError, TargetError
from unlike.explore import Outcome, explore
from unlike.heap.layout import OpaqueError
from unlike.progress import Progress
from unlike.suite import Ending
from unlike.testing.decorators import ATTRIBUTE


def labels(result: Any) -> list[str]:
    return [case.label for case in result.suite]


def test_every_state_of_a_two_cell_pile_is_found_once(implementation: Implementation) -> None:
    result = explore(Pile, scope=2, implementation=implementation)

    # nothing, [0], [1], and the four piles of two; taking reaches no new state
    assert labels(result) == [
        "Pile()",
        "Pile(); put(0)",
        "Pile(); put(1)",
        "Pile(); put(0); put(0)",
        "Pile(); put(0); put(1)",
        "Pile(); put(1); put(0)",
        "Pile(); put(1); put(1)",
    ]
    assert [case.value.items for case in result.suite] == [[], [0], [1], [0, 0], [0, 1], [1, 0], [1, 1]]
    assert result.status.ending is Ending.COMPLETE
    assert result.by_length == {1: 1, 2: 2, 3: 4}
    assert result.by_size == {2: 7}  # the pile and its list


def test_every_call_is_counted_under_its_outcome(implementation: Implementation) -> None:
    result = explore(Pile, scope=2, methods="put|take", implementation=implementation)

    # 1 constructor, then 3 calls on each of 7 states
    assert result.calls == 1 + 3 * 7
    assert result.outcomes == {
        Outcome.NEW: 7,
        Outcome.KNOWN: 6,  # take from each pile that holds something
        Outcome.OUTSIDE: 0,
        Outcome.PRECONDITION: 8 + 1,  # put on full piles, take from the empty one
        Outcome.ERROR: 0,
    }


def test_states_outside_the_scope_are_left_and_the_reason_is_kept() -> None:
    result = explore(Pile, scope=2, elements=1, methods="put")

    assert result.states == 3
    assert result.outcomes[Outcome.OUTSIDE] == 4
    assert result.outside == {"a list of 2 elements, of at most 1": 4}


def test_a_longest_sequence_bounds_the_search_and_is_said() -> None:
    result = explore(Pile, scope=2, calls=2)

    assert result.states == 3
    assert result.status.ending is Ending.COMPLETE
    assert "at most 2 calls" in str(result.status)


def test_properties_operators_and_class_methods_build_states() -> None:
    result = explore(Everything, scope=3)

    reached = {case.label for case in result.suite}
    # colour x loud x size: properties and operators reach every size, class methods nothing more
    assert result.states == 2 * 2 * 3
    assert "Everything(specimens.Colour.RED); size = 1".replace("specimens.", "") in reached
    assert result.by_operation[next(o for o in result.api.operations if o.name == "__iadd__")][Outcome.KNOWN] > 0


def test_inherited_methods_take_part() -> None:
    result = explore(Inherited, scope=2, methods="put|double")

    assert result.states == 7
    # [0] doubled is [0, 0]; [0, 1] cannot be doubled: the exception comes when the object has not changed
    assert result.outcomes[Outcome.ERROR] == 0


def test_objects_are_passed_to_each_other_and_results_count() -> None:
    result = explore(Bag, specimens.merged, specimens.singleton, scope=3, methods="union|merged|singleton")

    # without `add` the sets come from the functions alone: all 8 subsets of {0, 1, 2}
    assert sorted(sorted(case.value.members) for case in result.suite) == sorted(
        sorted(each) for size in range(4) for each in itertools.combinations(range(3), size)
    )
    longest = max(result.suite, key=lambda case: len(case.recipe.steps))
    assert len(longest.recipe.steps) == 5  # three singletons, two unions


def test_arguments_that_a_call_changes_are_objects_found() -> None:
    result = explore(Bag, scope=2, methods="add|drain", literals={"int": [0]})

    assert sorted(sorted(case.value.members) for case in result.suite) == [[], [0]]
    assert result.outcomes[Outcome.ERROR] == 0


def test_views_are_explored_and_what_they_look_into_is_found() -> None:
    result = explore(Tape, scope=2)

    # only the head can write, and only what it writes makes another tape
    assert sorted(case.value.cells for case in result.suite) == [[0, 0], [0, 1], [1, 0], [1, 1]]
    assert result.others == {"Head": 2 * 4}
    assert any("#1.head(); #2.write(True)" in label for label in labels(result))


def test_a_sentinel_keeps_its_identity() -> None:
    result = explore(Chain, scope=2)

    assert sorted(case.value.length() for case in result.suite) == [0, 1, 1, 2, 2, 2, 2]
    assert result.outcomes[Outcome.ERROR] == 0
    assert result.leaks == {}


def test_a_sentinel_that_is_written_into_is_put_back_between_sequences_and_at_the_end() -> None:
    result = explore(specimens.Guarded, scope=2)

    assert result.states == len(result.suite) == 1 + 2 + 4
    assert not result.status.cut_short
    assert specimens.GUARD.next is None


def test_several_classes_are_explored_at_once() -> None:
    result = explore(Pile, Chain, Bag, scope=2, methods="put|take|add")

    apart = [explore(cls, scope=2, methods="put|take|add").states for cls in (Pile, Chain, Bag)]
    assert result.states == sum(apart)
    assert {type(case.value).__name__ for case in result.suite} == {"Pile", "Chain", "Bag"}


# -- agreement -------------------------------------------------------------------------------------


@pytest.mark.few(3)
@pytest.mark.parametrize(("cls", "calls"), [(Pile, 4), (Tape, 4), (Chain, 4), (Bag, 3)])
def test_without_state_matching_the_same_states_are_found(
    cls: type, calls: int, implementation: Implementation
) -> None:
    with_matching = explore(cls, scope=2, calls=calls, implementation=implementation)

    without = explore(cls, scope=2, calls=calls, state_matching=False, implementation=implementation)

    assert without.calls >= with_matching.calls
    assert sorted(labels(without)) == sorted(labels(with_matching))


def test_without_state_matching_a_bound_on_the_calls_is_needed() -> None:
    with pytest.raises(ScopeError, match="--calls"):
        explore(Pile, state_matching=False)


# -- outcomes --------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def failing() -> Any:
    return explore(Failing, scope=2)


@pytest.mark.parametrize(
    ("operation", "exception", "reason"),
    [
        ("stumble_below", "KeyError", "raised"),
        ("change_and_refuse", "ValueError", "raised and left the object changed"),
        ("divide", "ZeroDivisionError", "raised"),
        ("assert_it", "AssertionError", "raised"),
        ("leave", "SystemExit", "raised"),
        ("recurse", "RecursionError", "raised"),
    ],
)
def test_an_error_is_revealed_with_its_kind_and_place(
    failing: Any, operation: str, exception: str, reason: str
) -> None:
    (error,) = [each for each in failing.errors if each.operation == f"Failing.{operation}"]

    assert (error.failure.exception, error.failure.reason) == (exception, reason)
    assert "specimens.py" in error.failure.place


def test_a_refusal_by_the_method_or_its_checks_is_no_error(failing: Any) -> None:
    assert {each.operation.partition(".")[2] for each in failing.errors} == {
        "stumble_below", "change_and_refuse", "divide", "assert_it", "leave", "recurse",
    }  # fmt: skip
    refused = {o.name: counts for o, counts in failing.by_operation.items()}
    assert refused["refuse"][Outcome.PRECONDITION] == 2  # refuse(1), on the two states
    assert refused["check_elsewhere"][Outcome.PRECONDITION] == 2


def test_an_error_comes_with_its_shortest_sequence(failing: Any) -> None:
    (division,) = [each for each in failing.errors if each.operation == "Failing.divide"]

    assert division.sequence == "Failing(); divide(1)"  # 1 / (0 - 1 + 1)
    assert division.calls == 2
    assert division.times == 1


def test_what_counts_as_a_precondition_can_be_chosen() -> None:
    result = explore(Failing, scope=2, preconditions=[ZeroDivisionError, AssertionError], methods="divide|assert_it")

    assert result.errors == ()


def test_a_broken_invariant_is_an_error_and_no_object() -> None:
    result = explore(Broken, scope=2, invariant="rep_ok")

    assert [case.value.value for case in result.suite] == [0, 1]
    (error,) = result.errors
    assert error.sequence == "Broken(); grow(); grow()"
    assert "rep_ok" in str(error)


def test_an_invariant_that_no_class_has_is_refused() -> None:
    with pytest.raises(TargetError, match="'sound'"):
        explore(Pile, invariant="sound")


def test_a_call_that_never_returns_is_an_error_and_the_search_goes_on() -> None:
    result = explore(Slow, scope=3, seconds_per_call=1)

    assert result.states == 3
    (error,) = result.errors
    assert error.sequence == "Slow(); set(2); wait()"
    assert signal.getsignal(signal.SIGALRM) is signal.SIG_DFL


# -- endings ---------------------------------------------------------------------------------------


def test_a_field_that_grows_without_end_is_recognised_and_named() -> None:
    result = explore(Counter, scope=3)

    assert result.status.ending is Ending.UNKNOWN
    assert "Counter.version grows without end" in str(result.status)
    assert "--omit-fields 'Counter.version'" in str(result.status)


def test_a_bound_on_calls_lets_a_field_grow_that_far() -> None:
    result = explore(Counter, calls=30)

    assert result.status.ending is Ending.COMPLETE
    assert "all sequences of at most 30 calls" in str(result.status)
    assert max(case.value.version for case in result.suite) == 29


def test_an_omitted_field_does_not_tell_states_apart(implementation: Implementation) -> None:
    result = explore(Counter, omit_fields="version", implementation=implementation)

    assert result.states == 2
    assert result.status.ending is Ending.COMPLETE
    assert len(result.suite) == 2


def test_a_timeout_delivers_what_was_found() -> None:
    result = explore(Counter, timeout=1e-9)

    assert result.status.ending is Ending.TIMEOUT
    assert 0 < len(result.suite) == result.states


def test_too_many_states_cut_the_search_short() -> None:
    result = explore(Counter, most_states=10)

    assert result.status.cut_short
    assert "11 states" in str(result.status)
    assert result.states == len(result.suite) == 11


def test_ctrl_c_delivers_what_was_found() -> None:
    def interrupt(progress: Progress) -> None:
        if progress.done > 100:
            raise KeyboardInterrupt

    result = explore(Counter, scope=900, values="concrete", on_progress=interrupt)

    assert result.status.ending is Ending.INTERRUPTED
    assert result.states > 100


def test_nondeterminism_is_detected_and_reported() -> None:
    random.seed(7)  # a die that shows the same number twice at once has two states, and looks steady when run again
    result = explore(Dice, most_states=30)

    assert result.unsteady == ("Dice.roll",)
    assert result.suite.status.ending is Ending.FAILED
    assert "not deterministic" in str(result.suite.status)


@pytest.mark.parametrize("where", [{}, {"workers": 1}], ids=["copy", "worker"])
def test_a_call_that_leads_to_another_state_when_made_again_leaves_nothing_proved(where: dict[str, Any]) -> None:
    result = explore(curiosities.Addressed, most_states=100, **where)

    assert result.unsteady == ("Addressed.look",)  # its objects lie elsewhere the second time
    assert result.status.ending is Ending.UNKNOWN
    assert "proved" not in str(result.status)


@pytest.mark.parametrize("where", [{}, {"workers": 1}], ids=["copy", "worker"])
def test_an_answer_that_differs_is_reported_and_the_proof_says_what_it_rests_upon(where: dict[str, Any]) -> None:
    result = explore(curiosities.Oracle, **where)

    assert result.unsteady == ("Oracle.ask",)
    assert str(result.status) == (
        "no more exist (proved): provided that Oracle.ask does nothing but what it was seen to do"
    )
    assert result.status.detail in result.suite.guarantee


def test_a_change_outside_the_objects_that_is_made_only_once_is_reported_too() -> None:
    result = explore(curiosities.Only)

    assert result.leaks == {"curiosities:Only._one": "Only"}
    assert "provided that nothing depends on curiosities:Only._one" in str(result.status)


def test_an_iterator_that_has_operators_only_is_an_object_found() -> None:
    result = explore(curiosities.Steps, scope=2)

    assert result.others["Walk"] > 0


def test_state_outside_the_objects_is_detected_and_reported() -> None:
    result = explore(Registered, scope=2)

    assert result.leaks == {
        "specimens:Registered.made": "Registered.note",
        "specimens:Registered.names": "Registered.note",
    }


@pytest.mark.parametrize("cls", [specimens.Loud, curiosities.Piercing])
def test_output_of_the_code_under_test_is_swallowed(cls: type, capfd: pytest.CaptureFixture[str]) -> None:
    result = explore(cls)

    assert len(result.suite) == result.states == 2
    assert capfd.readouterr() == ("", "")


# -- objects that show nothing ---------------------------------------------------------------------


def test_an_opaque_part_is_refused_with_the_remedy() -> None:
    with pytest.raises(OpaqueError, match=r"generator.*--omit-fields.*keys="):
        explore(specimens.Halfway)
    assert explore(specimens.Halfway, omit_fields="steps").states == 2


def test_a_call_after_which_nothing_can_be_seen_costs_no_other_state_and_the_proof() -> None:
    result = explore(specimens.LaterHalfway)

    assert result.states == 4  # a count of 0 to 3
    assert result.status.ending is Ending.UNKNOWN
    assert re.search(r"calls led to objects that cannot be looked into: .*generator.*--omit-fields", str(result.status))


def test_a_part_may_be_omitted_or_compared_by_key() -> None:
    lock = type(threading.Lock())

    assert explore(Locked).states == 2
    assert explore(Locked, omit_fields="lock").states == 2
    assert explore(Locked, keys={lock: lambda it: it.locked()}).states == 2  # type: ignore[attr-defined]


# -- bad input -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("target", "words"),
    [
        (specimens.Unmakeable, "no Unmakeable can be constructed.*'lock'"),
        (specimens.Picky, r"no Picky can be constructed.*--literals Picky\."),
    ],
)
def test_nothing_constructible_is_one_message_with_the_reason(target: type, words: str) -> None:
    with pytest.raises(TargetError, match=words):
        explore(target)


def test_no_class_at_all_is_one_message() -> None:
    with pytest.raises(TargetError, match="at least one class"):
        explore(specimens.merged)


@pytest.mark.parametrize("bad", [{"scope": 0}, {"scope": "x"}, {"calls": 0}, {"timeout": 0}, {"objects": {"Pile": 0}}])
def test_bounds_that_mean_nothing_are_refused(bad: dict[str, Any]) -> None:
    [name] = bad
    with pytest.raises(ScopeError, match=rf"{'Pile' if name == 'objects' else name}=.* (at least 1|above 0)"):
        explore(Pile, **bad)


REFUSED = [
    ({"objects": {"Thing": "x"}}, "objects of Thing='x' must be a whole number of at least 1"),
    ({"objects": {"Thing": None}}, "objects of Thing=None must be a whole number"),
    ({"objects": 3}, "objects=3 must be a mapping, like {'Node': 2}"),
    ({"objects": {Pile: 2}}, "is not a name; write it as a text"),
    ({"literals": {"int": {"a": 1}}}, "literals of int: {'a': 1} is a table; give a list"),
    ({"literals": [1]}, "literals=[1] must be a mapping, like {'int': [0, 1]}"),
    ({"elements": "x"}, "elements='x' must be a whole number of at least 0"),
    ({"megabytes": 0}, "megabytes=0 must be a whole number of at least 1"),
    ({"workers": -1}, "workers=-1 must be a whole number of at least 0"),
    ({"timeout": "x"}, "timeout='x' must be a number of seconds above 0"),
    ({"preconditions": [1]}, "preconditions: 1 is not an exception class; give a list like [ValueError]"),
    ({"preconditions": ValueError}, "must be a list of exception classes"),
    ({"omit_fields": 3}, "omit_fields=3 must be a text"),
    ({"methods": 3}, "methods=3 must be a text"),
]


@pytest.mark.parametrize(("bad", "words"), REFUSED)
def test_a_setting_of_the_wrong_type_is_one_message_for_explore_and_the_decorator(
    bad: dict[str, Any], words: str
) -> None:
    def test(pile: Pile) -> None:
        raise AssertionError

    provided = getattr(unlike.objects(Pile, **bad)(test), ATTRIBUTE).provided if "timeout" not in bad else None

    with pytest.raises(ScopeError, match=re.escape(words)):
        explore(Pile, **bad)
    if provided is not None:
        with pytest.raises(ScopeError, match=re.escape(words)):
            provided.suite("all", None)


# -- the decorator and the public name -------------------------------------------------------------


@unlike.objects(Pile, scope=2)
def test_the_decorator_runs_a_test_on_every_object(pile: Pile) -> None:
    before = len(pile)
    try:
        pile.put(0)
    except ValueError:
        assert before == 2
    else:
        assert len(pile) == before + 1


def test_unlike_explore_is_the_verb_whatever_was_imported_first() -> None:
    assert unlike.explore(Pile, scope=1).states == 2


def test_states_are_shown_as_they_are_compared_whatever_is_left_out() -> None:
    whole = explore(Chain, scope=2)
    without = explore(Chain, scope=2, omit_fields="value")

    assert len({repr(state) for state in whole.all_states()}) == whole.states
    assert len({repr(state) for state in without.all_states()}) == without.states < whole.states
    assert not any("'value'" in repr(state) for state in without.all_states())


@pytest.mark.few(1)
def test_a_hang_in_this_process_is_located_where_it_hangs() -> None:
    result = explore(Slow, scope=3, seconds_per_call=1, in_process=True)

    (error,) = result.errors
    assert Path(error.failure.place.split(":")[0]).name == "specimens.py"
    assert ":wait:" in error.failure.place
