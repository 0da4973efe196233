"""What an answer says about every method, and what it says when there is no good answer."""

import itertools
import json
import os
import subprocess
import sys
from pathlib import Path

import curious
import pytest

import unlike
from unlike.classes.builders import Genetic
from unlike.classes.builders.genetic import Fitness, evolve
from unlike.classes.builders.result import text_of, to_data
from unlike.errors import ScopeError, TargetError

HERE = Path(__file__).parent


def names(entries: tuple) -> list[str]:
    return [each.name.partition(".")[2] for each in entries]


def test_a_method_observes_if_it_changes_nothing_and_returns_nothing_that_is_part_of_anything() -> None:
    found = unlike.builders(curious.Shelf, scope=3)

    # `inside` gives the list itself away, `twin` a new shelf; `tidy` writes an equal list, so the state is the same
    assert names(found.observers) == ["listed", "longest", "itself", "tidy"]
    assert names(found.replaced) == ["inside", "twin", "sort_three"]
    assert list(found.names) == ["Shelf", "Shelf.put"]


def test_the_evidence_is_a_count_or_the_sequence_that_shows_it() -> None:
    found = unlike.builders(curious.Shelf, scope=2)
    evidence = {each.name: each.evidence for each in (*found.observers, *found.replaced)}

    # 7 shelves of at most 2 books; `longest` of the empty one is refused
    assert evidence["Shelf.longest"].startswith("called 7 times on explored states, returned 6 times, raised 1 times")
    assert evidence["Shelf.inside"] == (
        "Shelf(); inside() returned a list that shares parts with an argument, or shows nothing"
    )
    assert evidence["Shelf.twin"] == "Shelf(); twin() returned a Shelf"


def test_a_method_that_changes_something_only_late_is_no_observer() -> None:
    found = unlike.builders(curious.Shelf, scope=3)

    late = next(each for each in found.replaced if each.name == "Shelf.sort_three")
    assert late.evidence == "Shelf(); put(0); put(1); put(0); sort_three() changed it"
    assert late.by == ("Shelf", "Shelf.put")


def test_fewer_methods_come_before_simpler_parameters() -> None:
    found = unlike.builders(curious.Late, scope=3)

    assert list(found.names) == ["Late", "Late.jump"]
    assert found.minimal
    assert [each.by for each in found.replaced] == [("Late", "Late.jump")] * 2


def test_every_builder_says_what_is_lost_without_it() -> None:
    found = unlike.builders(curious.Shelf, scope=2)

    assert [(each.lost, each.such_as) for each in found.builders] == [(7, "Shelf()"), (6, "Shelf(); put(0)")]


def test_setter_and_deleter_of_a_property_are_told_apart() -> None:
    found = unlike.builders(curious.Settable, scope=2)

    assert list(found.names) == ["Settable", "Settable.size =", "del Settable.size"]
    assert found.proved


def test_nothing_constructible_is_refused_with_the_reason() -> None:
    with pytest.raises(TargetError, match="no Sealed can be constructed: every constructor refused its arguments"):
        unlike.builders(curious.Sealed)
    with pytest.raises(TargetError, match=r"no Exploding could be built.*ZeroDivisionError: no object"):
        unlike.builders(curious.Exploding)


def test_methods_that_all_fail_are_named_with_what_they_raised() -> None:
    found = unlike.builders(curious.Grumpy)

    assert list(found.names) == ["Grumpy"]
    assert found.proved  # the constructor builds all there is
    assert "every method fails on every object" in found.notes[0]
    reasons = {each.name: each.reason for each in found.failing}
    assert reasons["Grumpy.smile"] == "refused its arguments in all of 1 call"
    assert "RuntimeError: never" in reasons["Grumpy.laugh"]


def test_a_class_that_is_not_deterministic_is_never_proved() -> None:
    found = unlike.builders(curious.Dice)

    assert not found.proved
    assert "not deterministic: Dice.roll did something else when it was called again" in found.notes
    assert "the class is not deterministic" in found.certainty


def test_a_class_that_does_otherwise_when_it_is_explored_again_is_found_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(curious, "CALLS", itertools.count())

    found = unlike.builders(curious.Tired, in_process=True)  # elsewhere each exploration would begin afresh

    # 4 values, each call made twice to see whether it does the same: 8 calls; the second exploration is refused
    assert found.states.api == 4 > found.states.builders
    assert not found.proved
    assert found.certainty.startswith("estimated: exploring again gave other states than the recorded calls")


def test_a_field_that_grows_without_end_is_named_and_nothing_proved() -> None:
    found = unlike.builders(curious.Endless, genetic=Genetic(evolutions=2, attempts=20))

    assert (found.proved, found.cut_short, found.search) == (False, True, "genetic")
    assert "Endless.value grows without end" in found.certainty


def test_where_the_calls_run_out_the_genetic_search_estimates_and_says_so() -> None:
    found = unlike.builders(curious.Shelf, scope=3, budget=50, genetic=Genetic(attempts=60))

    assert (found.search, found.proved, found.cut_short) == ("genetic", False, True)
    assert found.notes == (
        "the whole API could not be explored (50 calls were made and states are left): genetic search instead",
    )
    assert list(found.names) == ["Shelf", "Shelf.put"]
    assert found.certainty.startswith("estimated: ")


def test_where_the_steps_run_out_the_genetic_search_is_completed_and_proved() -> None:
    found = unlike.builders(curious.Late, steps=1, genetic=Genetic(evolutions=3))

    assert (found.search, found.proved) == ("genetic", True)
    assert "1 steps did not find the smallest set" in found.notes[0]


def test_the_fitness_is_the_published_formula() -> None:
    class Ten:
        def field_values(self, operations: list[int]) -> int:
            return 10

    # four methods with 0, 1, 2 plain parameters and 1 other: 3 + 2 * 1 = 5 in all
    fitness = Fitness(Ten(), (0, 1, 2, 3), ((0, 0), (1, 0), (2, 0), (0, 1)), Genetic())

    assert fitness.of((True, True, False, False)) == pytest.approx(10 + (2 * (1 - 2 / 4) + 1 * (1 - 1 / 5)) / 3)
    assert fitness.of((False, False, False, True)) == pytest.approx(10 + (2 * (1 - 1 / 4) + 1 * (1 - 2 / 5)) / 3)
    assert fitness.of((True, True, True, True)) == 10
    assert fitness.of((False, False, False, False)) == pytest.approx(1)  # nothing is built


def test_the_published_parameters_are_the_defaults() -> None:
    usual = Genetic()

    assert (usual.methods_weight, usual.parameters_weight, usual.reference_weight) == (2, 1, 2)
    assert (usual.evolutions, usual.population, usual.crossover, usual.mutation) == (20, 30, 0.35, 0.08)
    with pytest.raises(ScopeError, match="mutation=2 must be between 0 and 1"):
        Genetic(mutation=2)


def test_evolution_climbs_to_the_best_set() -> None:
    class Wanted:
        def field_values(self, operations: list[int]) -> int:
            return len({2, 5, 7}.intersection(operations))

    fitness = Fitness(Wanted(), tuple(range(10)), ((1, 0),) * 10, Genetic())

    assert evolve(fitness, 0) == (2, 5, 7)


@pytest.mark.corpus
def test_islands_give_the_same_here_and_in_other_processes() -> None:
    from examples.structures.binomial_heap import BinomialHeap

    answers = [
        unlike.builders(BinomialHeap, search="genetic", genetic=Genetic(evolutions=2, islands=2, processes=processes))
        for processes in (1, 2)
    ]

    assert answers[0] == answers[1]


@pytest.mark.corpus
@pytest.mark.parametrize("search", ["exact", "genetic"])
def test_the_answer_is_the_same_bytes_whatever_the_hash_seed(search: str) -> None:
    program = (
        "import json, unlike; from unlike.classes.builders.result import to_data\n"
        "from examples.structures.scheduler import Scheduler\n"
        f"print(json.dumps(to_data(unlike.builders(Scheduler, search={search!r}, seed=7))))"
    )

    answers = [
        subprocess.run(
            [sys.executable, "-c", program],
            env={**os.environ, "PYTHONHASHSEED": seed}, cwd=HERE.parent.parent, capture_output=True, check=True,
        ).stdout
        for seed in ("0", "1")
    ]  # fmt: skip

    assert answers[0] == answers[1]


def test_text_and_json_say_the_same() -> None:
    found = unlike.builders(curious.Shelf, scope=2)
    data = json.loads(json.dumps(to_data(found)))
    text = text_of(found, explain=True)

    assert data["proved"] is True
    assert [each["name"] for each in data["builders"]] == list(found.names)
    for each in (*data["observers"], *data["replaced"]):
        assert each["name"] in text
    assert "states: 7 with the builders, 7 with the whole API" in text
    assert "replaced by Shelf, Shelf.put: Shelf.sort_three" not in text_of(found)  # needs three books


def test_bounds_that_leave_states_out_are_refused() -> None:
    with pytest.raises(ScopeError, match="builders are about all states"):
        unlike.builders(curious.Shelf, calls=3)
    with pytest.raises(ScopeError, match="search='best' must be one of exact, genetic"):
        unlike.builders(curious.Shelf, search="best")


def test_where_fields_are_left_out_minimality_is_tried_and_not_only_read_from_the_graph() -> None:
    found = unlike.builders(curious.Masked, scope=2, omit_fields="fast")

    # the object that stands for the start is the slow one, on which `step` does nothing, so `crawl` seems to be needed;
    # but `quick` makes a fast one, and then the simpler `step` would do
    assert list(found.names) == ["Masked.quick", "Masked.crawl"]
    assert (found.proved, found.minimal) == (True, False)
