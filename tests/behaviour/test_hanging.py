"""Code that hangs with many inputs: it costs a counted number of calls, and what was not run is said."""

import time
from collections.abc import Callable

import pytest

from unlike import Int, Spec, generate
from unlike.behaviour.hanging import LEARNT, MOST, HangingInputs
from unlike.behaviour.result import ChosenCases
from unlike.core import Isolation
from unlike.observe.run import Behaviour, CodeCall
from unlike.observe.watched import LEAST_SECONDS, Watched
from unlike.recipe import recipe_of

HANGS, ENDS = Behaviour(results=(("hangs",),)), Behaviour(results=(("returns", "0"),))


def hang_above(number: int) -> str:
    while number > 1_000:
        time.sleep(0.01)
    if number == 77:
        return "found"
    return "usual"


@pytest.mark.corpus
@pytest.mark.usefixtures("few_candidates")
def test_inputs_like_those_that_hang_are_skipped_and_said() -> None:
    suite = generate(Spec({"number": Int(0, 100_000)}), 6, code=hang_above, seconds_per_call=LEAST_SECONDS)

    assert isinstance(suite.cases, ChosenCases)
    assert "found" in {hang_above(each["number"]) for each in suite.values if each["number"] <= 1_000}
    [said] = [each for each in suite.cases.remarks if "not run, like" in each]
    assert int(said.split(" that hang")[0].rpartition(" ")[2]) < MOST, "what they look like was learnt before"
    assert "proved" not in suite.guarantee


def test_the_same_inputs_are_skipped_whatever_the_time() -> None:
    first, second = HangingInputs(), HangingInputs()
    for number in range(LEARNT):
        first.note(recipe_of(10_000 + number), HANGS)
        first.note(recipe_of(number), ENDS)

    assert first.is_near(recipe_of(12_345))
    assert not first.is_near(recipe_of(7))
    assert not second.is_near(recipe_of(12_345)), "before anything hangs, nothing is near"
    for number in range(MOST):
        second.note(recipe_of(number), HANGS)
    assert second.is_near(recipe_of("anything"))
    assert list(first.in_words()) == ["1 candidate not run, like 5 that hang"]


@pytest.mark.corpus
def test_a_call_has_less_time_for_each_few_values_that_hang() -> None:
    watched = Watched([hang_above], limits=Isolation(seconds_per_call=2))

    def calls(number: int) -> Callable[[], list[CodeCall]]:
        return lambda: [CodeCall(hang_above, (number,))]

    runs = watched.see_all([calls(2_000 + each) for each in range(5)])
    given = [watched._limits_now().seconds_per_call for _ in runs]

    assert given == [2, 1, 1, 0.5, 0.5]
