"""Beside Hypothesis: a spec as a strategy, and inputs in front of a property as explicit examples."""

import inspect
import subprocess
import sys
import uuid
from dataclasses import dataclass
from typing import Literal

import hypothesis
import pytest
from hypothesis import given, settings, strategies as st

import unlike
from unlike import Case, Int, List, Spec, Suite, differs_by, distance
from unlike.recipe import recipe_of

TENS = Spec({"x": Int(0, 99), "items": List(Int(0, 9))}, where=lambda x: x % 10 == 0, different=differs_by("x"))


def test_a_strategy_draws_inputs_of_the_spec_each_a_fresh_object():
    seen = {}

    @given(unlike.as_strategy(TENS))
    @settings(database=None, derandomize=True)
    def prop(drawn):
        assert drawn["x"] % 10 == 0
        assert all(each != "changed" for each in drawn["items"])
        drawn["items"].append("changed")
        seen[drawn["x"]] = drawn

    prop()

    assert set(seen) <= set(range(0, 100, 10))
    assert len(seen) > 5


@pytest.mark.parametrize("above", [True, False])
def test_inputs_stand_in_front_of_a_property_in_order(above):
    tried = []
    wanted = [case.value["x"] for case in unlike.generate(Spec({"x": Int(0, 999)}, different=distance("x", 100)), 5)]
    ours = unlike.examples(5, different=distance("x", 100))
    theirs = given(x=st.integers())

    def prop(x: Int(0, 999)):
        tried.append(x)

    decorated = ours(theirs(prop)) if above else theirs(ours(prop))
    settings(database=None, phases=[hypothesis.Phase.explicit])(decorated)()

    assert tried == wanted


def test_named_blanks_are_filled_and_the_rest_is_left_to_hypothesis():
    tried = []

    @unlike.examples(3, blanks={"x": Int(5, 7), "y": Int(1, 1)})
    @given(x=st.integers(), y=st.integers())
    @settings(database=None, phases=[hypothesis.Phase.explicit])
    def prop(x, y):
        tried.append((x, y))

    prop()

    assert sorted(tried) == [(5, 1), (6, 1), (7, 1)]


def test_a_spec_without_inputs_is_refused():
    with pytest.raises(unlike.SpecError, match="nothing to draw from"):
        unlike.as_strategy(Spec({"x": Int(0, 9)}, where=lambda x: x > 9))


def test_hypothesis_is_loaded_only_when_it_is_used():
    code = "import sys, unlike, unlike.testing.strategies; print('hypothesis' in sys.modules)"

    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "False\n"


@dataclass
class Box:
    id: uuid.UUID
    size: Literal["S", "L"]
    marks: set[Literal["a", "b"]]


def draw_all(strategy):
    found = []

    @given(strategy)
    @settings(database=None, derandomize=True, max_examples=300)
    def prop(drawn):
        found.append(drawn)

    prop()
    return found


@pytest.mark.parametrize("space", [Box, Literal["S", "L"], {"box": Box, "n": Int(0, 3)}, set[bool]])
def test_a_strategy_draws_inputs_of_any_type(space):
    made = unlike.generate(space, 12)

    drawn = draw_all(unlike.as_strategy(space, 12))

    assert all(each in made for each in drawn)
    assert len({repr(each) for each in drawn}) == len(made)


def test_a_strategy_draws_the_cases_of_any_suite_also_of_very_many():
    few = unlike.generate(Box, cover="pairs")
    many = Suite("many", _Counted(10**40), unlike.Status(unlike.Ending.COMPLETE))

    assert {repr(each) for each in draw_all(unlike.as_strategy(few))} == {repr(each) for each in few.values}
    assert draw_all(unlike.as_strategy(few, 1)) == [few[0].value] * len(draw_all(unlike.as_strategy(few, 1)))
    assert max(draw_all(unlike.as_strategy(many))) > 10**30


class _Counted:
    def __init__(self, size):
        self.size = size

    def count(self):
        return self.size

    def at(self, index):
        return Case(recipe_of(index))


def tried_by(ours, theirs, prop):
    tried = []

    def noting(*given, **named):
        tried.append(dict(inspect.signature(prop).bind(*given, **named).arguments))

    noting.__signature__ = inspect.signature(prop)
    noting.__annotations__ = prop.__annotations__
    settings(database=None, phases=[hypothesis.Phase.explicit])(ours(theirs(noting)))()
    return tried


def test_inputs_of_types_stand_in_front_of_a_property():
    def prop(box: Box, number: Int(0, 9)): ...

    theirs = given(box=st.builds(Box), number=st.integers())
    typed = {"box": Box, "number": Int(0, 9)}

    assert tried_by(unlike.examples(6), theirs, prop) == unlike.generate(typed, 6).values
    assert tried_by(unlike.examples("all", spec=TENS), given(x=st.integers(), items=st.none()), lambda x, items: 0)
    pairs = unlike.generate(typed, 20, cover="pairs", where=lambda number: number > 2).values
    ours = unlike.examples(20, cover="pairs", where=lambda number: number > 2)
    assert tried_by(ours, theirs, prop) == pairs


def test_cases_of_a_suite_stand_in_front_of_a_property():
    suite = unlike.generate(Box)
    both = unlike.generate({"box": Box, "number": bool})

    one = tried_by(unlike.examples(suite=suite), given(box=st.builds(Box)), lambda box: 0)
    two = tried_by(
        unlike.examples(2, suite=both), given(box=st.builds(Box), number=st.booleans()), lambda box, number: 0
    )

    assert [each["box"] for each in one] == suite.values
    assert two == both[:2].values
    with pytest.raises(unlike.SpecError, match="does not say which of them it fills"):
        unlike.examples(suite=suite)(lambda box, number: 0)
