"""The store of known states, and field extensions."""

import random

import pytest

from unlike.core import Implementation
from unlike.heap.field_values import ObjectLabel, extensions
from unlike.heap.walkers import make_store, make_walker
from unlike.scope import Limits


def test_a_state_is_new_once_and_keeps_its_number_and_origin(implementation: Implementation) -> None:
    states = make_store(implementation)

    assert states.add(b"root") == 0
    assert states.add(b"child", 0, 7) == 1
    assert states.add(b"root", 1, 3) == -1
    assert (states.find(b"child"), states.find(b"none")) == (1, -1)
    assert (states.state(1), states.origin(1), states.origin(0)) == (b"child", (0, 7), (-1, -1))
    assert len(states) == 2


def test_the_store_agrees_with_a_dict_on_many_states(implementation: Implementation) -> None:
    rng = random.Random(4)
    states, model = make_store(implementation), dict[bytes, int]()
    for _ in range(20_000):
        state = rng.randbytes(rng.randrange(3))  # short: many repeat, many share a prefix
        new = state not in model

        assert states.add(state, rng.randrange(2**31)) == (model.setdefault(state, len(model)) if new else -1)

    assert [states.state(number) for number in model.values()] == list(model)


def test_a_number_that_is_not_there_is_an_index_error(implementation: Implementation) -> None:
    states = make_store(implementation)
    states.add(b"root")

    with pytest.raises(IndexError):
        states.state(1)
    with pytest.raises(IndexError):
        states.origin(1)


class Link:
    def __init__(self, value: int, rest: "Link | None") -> None:
        self.value = value
        self.rest = rest


def test_extensions_pair_each_object_with_the_values_of_its_fields(implementation: Implementation) -> None:
    walker = make_walker(Limits(), implementation=implementation)
    chains = [Link(0, None), Link(1, Link(0, None))]

    found = extensions(walker.heap(walker.capture(chain)) for chain in chains)

    first, second = ObjectLabel("Link", 0), ObjectLabel("Link", 1)
    assert found.pairs == {
        "Link.value": ((first, ("int", "0")), (first, ("int", "1")), (second, ("int", "0"))),
        "Link.rest": ((first, None), (first, second), (second, None)),
    }
    assert found.count() == 6
