"""Beside Hypothesis: a spec as a strategy, and inputs in front of a property as explicit examples."""

import subprocess
import sys

import hypothesis
import pytest
from hypothesis import given, settings, strategies as st

import unlike
from unlike import Int, List, Spec, differs_by, distance

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
