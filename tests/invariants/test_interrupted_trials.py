"""Ctrl-C while an invariant is tried in a small scope ends the search, and not only the trial."""

import pytest
from examples.structures.binary_search_tree import BinarySearchTree

from unlike import Ending
from unlike.invariants import verbs
from unlike.invariants.search_in_copy import SearchAnswer


@pytest.mark.few(5)
@pytest.mark.parametrize("engine", ["auto", "search", "hybrid"])
@pytest.mark.parametrize("interrupted", range(5))
def test_ctrl_c_is_heard_whichever_search_is_under_way(monkeypatch, engine, interrupted):
    searches = []

    def find(order):
        searches.append(order)
        if len(searches) > interrupted + 1:
            raise AssertionError("it went on after Ctrl-C")
        return SearchAnswer(ended=Ending.INTERRUPTED) if len(searches) == interrupted + 1 else real(order)

    real = verbs.find
    monkeypatch.setattr(verbs, "find", find)
    monkeypatch.setattr(verbs, "FEW_RUNS", 2)

    try:
        ending = verbs.structures(BinarySearchTree, scope=3, engine=engine).status.ending
    except KeyboardInterrupt:
        ending = Ending.INTERRUPTED

    assert (ending is Ending.INTERRUPTED) == (len(searches) == interrupted + 1)
