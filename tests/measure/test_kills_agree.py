"""Agreement: kills are those of mutants written to files, and what is proved to be equivalent no random sequence kills."""

from __future__ import annotations

import importlib
import random
import sys
from pathlib import Path
from typing import Any

import pytest
from measured_code import CART

from corpora import few_of
from unlike.core import Exploration, Isolation
from unlike.heap.walkers import make_walker
from unlike.isolation import Answer, call_in_copy
from unlike.measure.kills import record_original, run_mutants
from unlike.measure.measurement import MeasureQuestion, measure_suites
from unlike.measure.mutants.switch import Mutant, mutant_source
from unlike.measure.subject import MeasuredCode, subject_of
from unlike.measure.suites.made import SuiteOrder
from unlike.measure.suites.objects import api_within, drawn_sequence
from unlike.measure.suites.words import make_suite
from unlike.measure.survivors import PROVED, SurvivorQuestion, judge_survivor
from unlike.measure.trials import CodeTrial, Tries
from unlike.recipe import Recipe, run
from unlike.scope import Limits

ROOT = Path(__file__).parents[2]
STRUCTURES = sorted(
    path.stem for path in (ROOT / "examples" / "structures").glob("*.py") if not path.stem.startswith(("__", "test_"))
)
SOME = [each for each in STRUCTURES if each in ("doubly_linked_ring", "sorted_chain")]  # all take a quarter of an hour
QUESTION = Exploration(isolation=Isolation(seconds_per_call=2))
JUDGED = 4  # survivors of each example
TIMES = 10  # as many random sequences as tries were made


def load(module: str, name: str, folder: Path) -> MeasuredCode:
    return subject_of(
        lambda: getattr(importlib.import_module(module), name), (str(folder),), module.partition(".")[0], lambda _: []
    )


def main_class(module: str) -> str:
    """Return the class that an example is about: the last one that is public and has no bug."""
    found = importlib.import_module(f"examples.structures.{module}")
    names = [
        name
        for name, each in vars(found).items()
        if isinstance(each, type) and each.__module__ == found.__name__ and not name.startswith(("_", "Buggy"))
    ]
    return names[-1]


SMALL = """LIMIT = 1


class Box:
    def __init__(self) -> None:
        self.n = 0

    def put(self) -> bool:
        self.n += self.n <= LIMIT
        return self.n > 1
"""


@pytest.mark.parametrize("source", few_of([SMALL, CART], 1, ids=["Box", "Cart"]))
def test_kills_are_the_same_with_and_without_the_switch(source: str, tmp_path: Path) -> None:
    (tmp_path / "shop.py").write_text(source)

    agree(load("shop", "Cart" if source is CART else "Box", tmp_path), "explore:2", tmp_path)


@pytest.mark.corpus
@pytest.mark.parametrize("module", SOME)
def test_kills_of_examples_are_the_same_with_and_without_the_switch(module: str, tmp_path: Path) -> None:
    agree(load(f"examples.structures.{module}", main_class(module), ROOT), "explore:2", tmp_path)


def agree(subject: MeasuredCode, suite: str, folder: Path) -> None:
    """Fail where a mutant is killed behind the switch, and not as a file of its own, or the other way round."""
    with subject.in_place():
        recorded = record_original(
            subject, [make_suite(suite, SuiteOrder(subject, QUESTION))], QUESTION, messages=False
        )
        kills, _ = run_mutants(subject, recorded, QUESTION, matrix=False, messages=False)
        trials = [trial for trial, each in zip(recorded.trials, recorded.came_to, strict=True) if each is not None]
        expected = run_file(subject, None, trials, folder)
        assert isinstance(expected, list)
        switched = {each.mutant.number: each.is_killed for each in kills}
        alone = {each.number: run_file(subject, each, trials, folder) != expected for each in subject.mutants}

    assert {str(each) for each in subject.mutants if switched[each.number] != alone[each.number]} == set()
    assert any(switched.values())


def run_file(subject: MeasuredCode, mutant: Mutant | None, trials: list[CodeTrial], folder: Path) -> object:
    """Return what all tries come to, with the module imported from a file; in words how that ended, if it did not."""
    source = subject.source if mutant is None else mutant_source(subject.source, mutant, subject.owners)
    path = folder / f"mutant_{0 if mutant is None else mutant.number}.py"
    path.write_text(source)

    def work() -> list[str]:
        for name in subject.own_modules():
            sys.modules.pop(name, None)
        spec = importlib.util.spec_from_file_location(subject.module, path)
        assert spec is not None
        assert spec.loader is not None
        module = sys.modules[subject.module] = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        tries = Tries(subject)
        return [repr(tries.views(trial)) for trial in trials]

    found = call_in_copy(work, QUESTION.isolation, in_scratch=True)
    return found.result if isinstance(found, Answer) else str(found)


@pytest.mark.corpus
@pytest.mark.parametrize("module", SOME)
def test_no_random_sequence_within_the_scope_kills_what_is_proved_to_be_equivalent(module: str) -> None:
    subject = load(f"examples.structures.{module}", main_class(module), ROOT)
    with subject.in_place():
        suites = [make_suite("explore:2", SuiteOrder(subject, QUESTION))]
    found = measure_suites(subject, suites, MeasureQuestion(QUESTION, survivors=False))
    asked = SurvivorQuestion(QUESTION, 2, is_tried=True)
    judged_here = [judge_survivor(subject, each, asked) for each in found.survivors[:JUDGED]]
    proved = [each for each in judged_here if each.word == PROVED]
    name = subject.names[0]
    for judged in proved:
        scope = int(judged.why.partition("scope ")[2].partition(";")[0])
        sides, mutated = subject.load_mutant(judged.mutant)
        with sides.in_place():
            told = call_in_copy(
                lambda sides=sides, mutated=mutated, scope=scope: try_at_random(  # type: ignore[misc]
                    subject, name, sides, mutated[name], scope, TIMES * len(suites[0].trials)
                ),
                Isolation(seconds_per_call=120),
            )
        assert isinstance(told, Answer), str(told)
        assert told.result == "", f"{judged.mutant}: {told.result}"


def try_at_random(subject: MeasuredCode, name: str, sides: Any, other: type, scope: int, count: int) -> str:
    """Return a sequence within the scope that tells a mutant from the original, or nothing."""
    cls = subject.originals()[name]
    from unlike.measure.suites.objects import with_scope

    api = api_within(cls, with_scope(QUESTION, scope))
    drawing = random.Random(f"{name} {scope}")
    walker: Any = make_walker(Limits(objects=scope, elements=scope))
    tries = Tries(subject)
    for _ in range(count):
        trial = drawn_sequence(name, api, drawing.choice, drawing.randint(1, 8))
        if trial is None:
            continue
        inside = within(trial, walker)
        one = tries.views(inside)
        with sides.inside_new():
            tries.forget()
            two = tries.views(inside)
        tries.forget()
        if one != two:
            return str(inside)
    del other
    return ""


def within(trial: CodeTrial, walker: Any) -> CodeTrial:
    """Return the first calls of a sequence, up to the one that leaves the scope."""
    steps = trial.recipe.steps
    for count in range(1, len(steps) + 1):
        made = run(Recipe(steps[:count], trial.recipe.result), past_errors=True)
        if not isinstance(walker.walk(made), bytes):
            return CodeTrial(trial.target, Recipe(steps[: max(1, count - 1)], trial.recipe.result))
    return trial
