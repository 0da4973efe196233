"""Answers at the edges: nothing said, nothing there, user code that misbehaves."""

import pytest

from unlike import Ending, Int, Spec, Str, and_, differs_by, generate, or_
from unlike.engine.generate import count


@pytest.mark.parametrize("never", [False, lambda x: False, lambda x: or_(), lambda x: x.is_in([])])
@pytest.mark.parametrize("blank", [Int(0, 3), Int(), Str()])
def test_an_assertion_that_speaks_of_no_blank_still_holds_for_every_input(never, blank):
    suite = generate(Spec({"x": blank, "y": Int(0, 3)}, where=never, different=differs_by("y")))

    assert suite.status.ending is Ending.UNSATISFIABLE
    assert suite.status.clash[0] == "False"


def test_an_assertion_that_is_always_true_changes_nothing():
    assert len(generate(Spec({"x": Int(0, 3)}, where=[True, lambda x: and_()]))) == 4


def test_a_contradiction_in_blanks_that_no_difference_speaks_of_is_counted_as_none():
    spec = Spec(
        {"x": Int(), "y": Int(0, 3), "z": Int(0, 3)},
        where=lambda y, z: (y > z) & (z > y),
        different=differs_by("x"),
    )

    number, status = count(spec)

    assert number == 0
    assert status.ending is generate(spec).status.ending is Ending.UNSATISFIABLE
