"""Values that somebody declared for a type keep its rules, too; predicates among these are asked at arm's length."""

import datetime
import time
from typing import Annotated

import pytest
from annotated_types import Ge, MinLen, MultipleOf, Predicate

from unlike.core import Deadline, Isolation
from unlike.types.first_values import NoValuesError, allowed_values, first_values
from unlike.types.read import read_annotation


def is_slow(value: object) -> bool:
    time.sleep(0.1)
    return value == 0


@pytest.mark.parametrize(
    ("annotation", "declared", "kept"),
    [
        (Annotated[int, Ge(1)], [0, 1, 2], (1, 2)),
        (Annotated[datetime.date, Ge(datetime.date(2020, 1, 1))], [datetime.date(2019, 1, 1)], None),
        (Annotated[list, MinLen(1)], [[], [1]], ([1],)),
        (Annotated[object, Ge(1)], [0, 1, None, "a"], (1, None, "a")),  # as in a union: it speaks of numbers alone
        (Annotated[object, MultipleOf(2)], ["a"], None),
        (Annotated[complex, Predicate(lambda value: value.imag > 0)], [1j, 1 + 0j], (1j,)),
    ],
    ids=["int", "date", "list", "anything", "no number", "complex"],
)
def test_declared_values_keep_the_rules_of_their_type(annotation, declared, kept):
    node = read_annotation(annotation)

    if kept is None:
        with pytest.raises(NoValuesError, match=r"keeps >= |does not apply"):
            allowed_values(node, declared)
    else:
        assert allowed_values(node, declared).values == kept


def test_a_predicate_that_hangs_on_a_declared_value_is_stopped():
    node = read_annotation(Annotated[int, Predicate(lambda value: time.sleep(60))])

    with pytest.raises(NoValuesError, match="ended its process on 0: took more than"):
        allowed_values(node, [0, 1], Isolation(seconds_per_call=0.2))


@pytest.mark.parametrize("in_process", [False, True])
def test_predicates_are_asked_as_long_as_there_is_time_and_what_they_let_pass_is_named(in_process):
    node = read_annotation(Annotated[int, Predicate(is_slow)])

    found = first_values(node, 3, Isolation(in_process=in_process), Deadline.of(1))

    assert found is not None
    assert found.values == (0,)  # of a thousand it would have been asked about
    assert "of 1,000 values: the limit of 1 s was reached" in found.cut
