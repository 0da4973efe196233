"""The engine of covering arrays against brute force, its plain twin, and published models."""

from __future__ import annotations

import itertools
import json
import random
from pathlib import Path

import pytest
from tests.corpora import few_of
from tests.covering.models import ArrayRule, clauses_of, keeps, models, smaller_arrays, verify

from unlike.core import CutShort, Deadline
from unlike.covering.arrays import BUDGET, SAMPLES, Array, ArrayModel, Implementation, cover, make_engine
from unlike.errors import ScopeError
from unlike.suite import Ending, Status

FOUND = models()


def random_model(seed: int) -> ArrayModel:
    """Make a model with rules, values that enter no tuples, and one or two layers."""
    chance = random.Random(seed)
    count = chance.randint(3, 7)
    levels = [chance.randint(1, 4) for _ in range(count)]
    rules = [
        tuple(
            (p, bytes(chance.randint(0, 1) for _ in range(levels[p])))
            for p in chance.sample(range(count), chance.randint(1, 3))
        )
        for _ in range(chance.randint(0, 5))
    ]
    layers = [
        (t, tuple(sorted(chance.sample(range(count), chance.randint(t, count)))))
        for t in chance.sample([t for t in (1, 2, 3, 4) if t <= count], chance.randint(1, 2))
    ]
    enters = tuple(bytes(chance.random() < 0.9 for _ in range(each)) for each in levels)
    return ArrayModel(enters, tuple(rules), tuple(layers))


def legal_rows(model: ArrayModel) -> list[tuple[int, ...]]:
    every = itertools.product(*map(range, model.levels))
    return [row for row in every if all(any(allowed[row[p]] for p, allowed in rule) for rule in model.rules)]


def tuples_in(model: ArrayModel, rows: list[tuple[int, ...]]) -> set[tuple[tuple[int, int], ...]]:
    return {
        tuple((p, row[p]) for p in params)
        for t, every in model.layers
        for params in itertools.combinations(every, t)
        for row in rows
        if all(model.enters[p][row[p]] for p in params)
    }


@pytest.mark.parametrize("seed", few_of(range(300), 60))
def test_every_tuple_of_a_legal_row_stands_in_a_legal_row(seed: int) -> None:
    model = random_model(seed)
    legal = legal_rows(model)

    array = cover(model, seed=seed)

    assert array.possible is bool(legal)
    if legal:
        rows = [tuple(row) for row in array.rows]
        assert set(rows) <= set(legal)
        assert tuples_in(model, rows) == tuples_in(model, legal)
        assert array.tuples == len(tuples_in(model, legal))
        assert len(rows) >= array.bound
        assert not array.missing
        assert not array.undecided
        for cells in array.impossible:
            assert not any(all(row[p] == v for p, v in cells) for row in legal)


@pytest.mark.few(13)
@pytest.mark.parametrize("seed", few_of(range(200), 25))
def test_the_plain_twin_gives_the_same_rows(seed: int) -> None:
    model = random_model(1000 + seed)

    assert shown(cover(model, seed=seed)) == shown(cover(model, seed=seed, implementation="python"))


def shown(array: Array) -> object:
    return array.rows, array.impossible, array.undecided, array.bound, array.tuples, array.steps


@pytest.mark.corpus
@pytest.mark.parametrize("name", ["Banking1", "Healthcare2", "benchmark_23", "Storage1"])
def test_the_plain_twin_gives_the_same_rows_of_a_published_model(name: str) -> None:
    levels, rules = FOUND[name]["levels"], FOUND[name]["rules"]
    model = ArrayModel(
        tuple(bytes([1] * each) for each in levels), clauses_of(levels, rules), ((2, tuple(range(len(levels)))),)
    )

    assert cover(model).rows == cover(model, implementation="python").rows


@pytest.mark.parametrize("seed", range(6))
def test_each_row_shows_as_much_that_is_new_as_any_later_one_would(seed: int) -> None:
    model = ArrayModel(tuple(bytes([1] * each) for each in (4, 3, 3, 2, 2)), (), ((2, (0, 1, 2, 3, 4)),))

    rows = [tuple(row) for row in cover(model, seed=seed).rows]

    for place in range(len(rows)):
        before = tuples_in(model, rows[:place])
        news = [len(tuples_in(model, [row]) - before) for row in rows[place:]]
        assert news[0] == max(news)


def test_given_rows_come_first_and_what_they_show_is_not_shown_again() -> None:
    model = ArrayModel(tuple(bytes([1] * each) for each in (3, 3, 3, 3)), (), ((2, (0, 1, 2, 3)),))
    nine = cover(model, smallest=True).rows
    assert len(nine) == 9  # an orthogonal array, the fewest there can be

    array = cover(model, given=nine[:8])

    assert array.rows[:8] == nine[:8]
    assert tuples_in(model, [tuple(row) for row in array.rows]) == tuples_in(model, legal_rows(model))
    assert cover(model, given=nine).rows == nine


def test_an_ignored_tuple_needs_no_row() -> None:
    model = ArrayModel((bytes([1, 1]), bytes([1, 1])), (), ((2, (0, 1)),))

    array = cover(model, ignored=[((0, 1), (1, 1))])

    assert sorted(array.rows) == [[0, 0], [0, 1], [1, 0]]
    assert array.tuples == 3


def test_the_smallest_array_is_said_to_be_so_only_where_the_bound_is_met(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("unlike.covering.arrays.SMALLEST_STEPS", 5_000)
    model = ArrayModel(tuple(bytes([1] * each) for each in (2, 2, 2, 2)), (), ((2, (0, 1, 2, 3)),))

    array = cover(model, smallest=True)

    assert len(array.rows) == 5  # four are the bound, and cannot be for four columns of two
    assert array.bound == 4
    assert not array.is_smallest


def test_the_same_seed_gives_the_same_rows_and_another_one_others() -> None:
    model = random_model(7)

    assert cover(model, seed=3).rows == cover(model, seed=3).rows
    wide = ArrayModel(tuple(bytes([1] * 5) for _ in range(6)), (), ((2, tuple(range(6))),))
    assert cover(wide, seed=3).rows != cover(wide, seed=4).rows


def test_too_many_tuples_are_refused_with_the_number_and_the_remedy() -> None:
    model = ArrayModel(tuple(bytes([1] * 200) for _ in range(20)), (), ((4, tuple(range(20))),))

    with pytest.raises(ScopeError, match=r"combinations of 4 choices are more than 40,000,000; use a smaller strength"):
        cover(model)


def test_what_is_found_when_the_time_is_over_is_kept() -> None:
    model = ArrayModel(tuple(bytes([1] * 9) for _ in range(40)), (), ((2, tuple(range(40))),))

    array = cover(model, deadline=Deadline(0.0, 1))

    assert isinstance(array.cut, CutShort)
    assert array.missing == array.tuples


def test_ctrl_c_delivers_the_best_so_far(monkeypatch: pytest.MonkeyPatch) -> None:
    model = ArrayModel(tuple(bytes([1] * 4) for _ in range(8)), (), ((2, tuple(range(8))),))

    def interrupt(stage: str, *numbers: object, of: object = None) -> None:
        if stage == "looking for fewer rows":
            raise KeyboardInterrupt

    monkeypatch.setattr("unlike.covering.arrays.report", interrupt)
    array = cover(model, smallest=True)

    assert array.interrupted
    assert not array.missing


@pytest.mark.corpus
def test_a_solver_is_asked_where_the_budget_of_changes_is_not_enough(monkeypatch: pytest.MonkeyPatch) -> None:
    from unlike.core import FOREVER
    from unlike.solvers.legal_rows import decide_row

    monkeypatch.setattr("unlike.covering.arrays.BUDGET", 1)
    levels, rules = FOUND["CommProtocol"]["levels"], FOUND["CommProtocol"]["rules"]
    model = ArrayModel(
        tuple(bytes([1] * each) for each in levels), clauses_of(levels, rules), ((2, tuple(range(len(levels)))),)
    )
    asked = []

    def decide(cells):  # type: ignore[no-untyped-def]
        asked.append(cells)
        return decide_row(model, cells, FOREVER)

    array = cover(model, decide=decide)

    assert asked
    assert not array.undecided
    assert verify(levels, rules, array.rows, 2) == 35  # as many minimal impossible tuples as without the limit


@pytest.mark.parametrize(
    ("name", "t"), few_of([(name, t) for name in FOUND for t in (2, 3) if len(FOUND[name]["levels"]) < 60 or t == 2], 3)
)
def test_no_tuple_of_a_published_model_is_missing_and_no_row_illegal(name: str, t: int) -> None:
    levels, rules = FOUND[name]["levels"], FOUND[name]["rules"]
    model = ArrayModel(
        tuple(bytes([1] * each) for each in levels), clauses_of(levels, rules), ((t, tuple(range(len(levels)))),)
    )

    array = cover(model)

    verify(levels, rules, array.rows, t)
    if name != "Storage4" and (t == 2 or name not in ("CommProtocol", "Storage5")):
        assert len(array.rows) <= FOUND[name]["sizes"][str(t)]["acts"]


@pytest.mark.corpus
@pytest.mark.parametrize("name", list(smaller_arrays()))
def test_arrays_smaller_than_the_best_published_hold(name: str) -> None:
    rows, (of, t) = smaller_arrays()[name], name.split()
    model = models()[of]

    assert len(rows) < model["sizes"][t]["fastca"]["best"]
    verify(model["levels"], model["rules"], rows, int(t))


def test_rules_mean_what_they_say() -> None:
    rule: ArrayRule = ["or", ["not", ["is", 0, 1]], ["and", ["is", 1, 0], ["is", 2, 0]]]
    clauses = clauses_of([2, 2, 2], [rule])

    for row in itertools.product(range(2), repeat=3):
        assert keeps(rule, row) == all(any(allowed[row[p]] for p, allowed in clause) for clause in clauses)


def test_the_models_are_those_published() -> None:
    file = Path(__file__).parent / "models.json"

    assert len(json.loads(file.read_text())) == 32


@pytest.mark.parametrize("implementation", ["auto", "python"])
def test_time_is_looked_at_while_it_is_found_out_what_is_impossible(implementation: Implementation) -> None:
    # each of 30 parameters of 30 values differs from the next: thousands of changes before anything is decided
    levels = [30] * 30
    differ = [
        ((p, bytes(v != w for v in range(30))), (p + 1, bytes(v == w for v in range(30))))
        for p in range(29)
        for w in range(30)
    ]
    model = ArrayModel(tuple(bytes([1] * each) for each in levels), tuple(differ), ((2, tuple(range(30))),))
    engine = make_engine(model, 0, implementation)
    looks = iter(range(3))

    def look() -> None:
        if next(looks) == 2:
            raise CutShort(Status(Ending.TIMEOUT))

    with pytest.raises(CutShort):
        engine.decide(SAMPLES, BUDGET, look)
    array = cover(model, deadline=Deadline(0.0, 1), implementation=implementation)

    assert isinstance(array.cut, CutShort)
    assert array.possible is None  # nothing is claimed
