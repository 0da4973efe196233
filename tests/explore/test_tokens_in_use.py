"""Open values are stand-ins of one kind, compiled or not: whoever explores asks those that this process has."""

import subprocess
import sys

import pytest

from unlike.explore import explore
from unlike.heap.walkers import native_is_built
from unlike.zones import open_values

PROGRAM = """
from unlike.heap import walkers
built, walkers._native = walkers._native, lambda: None
from unlike.zones import open_values  # chooses its tokens while the compiled module cannot be loaded
walkers._native = built
import unlike
from tests.explore import odd_proofs, test_tokens_in_use
for cls in odd_proofs.Frozen, odd_proofs.Members, test_tokens_in_use.Shelf:
    results = [unlike.explore(cls, scope=2, values=values, in_process=True) for values in ("auto", "concrete")]
    found = [(len(list(each.suite)), len(each.errors)) for each in results]
    print(cls.__name__, "same" if found[0] == found[1] else found)
"""


class Shelf:
    """Keeps two numbers, the larger one apart."""

    def __init__(self) -> None:
        self.largest = 0
        self.last: dict[str, int] = {}

    def put(self, number: int) -> None:
        self.last = {"last": number}
        if number > self.largest:
            self.largest = number

    def check(self, number: int) -> bool:
        return number in (self.largest, *self.last.values())


@pytest.mark.few(1)
@pytest.mark.skipif(not native_is_built(), reason="there are no compiled tokens")
def test_a_process_with_plain_tokens_does_not_give_them_to_the_compiled_module():
    command = [sys.executable, "-c", PROGRAM]

    printed = subprocess.run(command, capture_output=True, text=True, timeout=120, check=True).stdout

    assert printed.splitlines() == ["Frozen same", "Members same", "Shelf same"]


def test_the_tokens_are_those_of_the_walk_in_use(walk_in_use):
    compiled = open_values.Token is not open_values.PythonToken
    result = explore(Shelf, scope=3, values="symbolic", in_process=True)

    assert compiled == (walk_in_use == "native")
    assert result.states == explore(Shelf, scope=3, values="concrete", in_process=True).states
