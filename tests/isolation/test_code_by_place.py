"""Code without a name is found by its place: in containers, in defaults, and two on one line."""

from __future__ import annotations

from typing import ClassVar

from unlike.isolation.both_have import name_thing


class Callbacks:
    """Functions that only a tuple, a dict or a default holds."""

    BOTH = (lambda x: x.items(), lambda x: x.keys())
    BY_NAME: ClassVar = {"a": lambda x: x.upper(), "b": lambda x: x.lower()}

    def call(self, function=lambda x: x + 1, *, last=lambda x: x - 1):
        return function, last


def test_each_of_several_functions_without_a_name_goes_by_a_place_of_its_own():
    functions = [*Callbacks.BOTH, *Callbacks.BY_NAME.values(), *Callbacks().call()]

    places = [name_thing(each.__code__) for each in functions]

    assert [kind for kind, _ in places] == ["code"] * 6
    assert len({repr(place) for _, place in places}) == 6
