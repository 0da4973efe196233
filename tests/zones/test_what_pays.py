"""Whether leaving values open pays is counted, and the count sees all that is done."""

import heapq

import pytest

from unlike.classes.open.cost_model import BEGINNING, BESIDE_COMPILED, BESIDE_PYTHON, Cost, TooCloseError
from unlike.explore import explore


class Queue:
    """Keeps pairs, and answers with one: what is no plain value is judged in Python."""

    def __init__(self) -> None:
        self.pairs: list[tuple[int, int]] = []

    def push(self, number: int) -> None:
        heapq.heappush(self.pairs, (number, len(self.pairs)))

    def pop(self) -> tuple[int, int]:
        return heapq.heappop(self.pairs)


class Notes:
    """Opens one place after the other: each time the search begins again."""

    def __init__(self) -> None:
        self.first = self.second = self.third = 0

    def put(self, number: int) -> None:
        if self.first == 0:
            self.first = number
        elif self.second == 0:
            self.second = number
        else:
            self.third = number


@pytest.mark.parametrize("costs", [BESIDE_COMPILED, BESIDE_PYTHON])
def test_what_was_done_before_a_search_began_again_counts(costs):
    cost = Cost(most=5 * costs[0] + BEGINNING, costs=costs)

    cost.check(5, 0)
    cost.begin_again(3, 0)
    cost.check(2, 0)

    with pytest.raises(TooCloseError):
        cost.check(3, 0)


def test_runs_that_python_judges_and_paths_that_it_enters_count_as_its_own():
    result = explore(Queue, scope=3, values="symbolic", in_process=True)

    cost, caller = result.search.caller.cost, result.search.caller
    judged = caller.calls if caller.compiled is None else cost.judged
    assert judged >= sum(outcome.get("error", 0) for outcome in result.by_operation.values())
    assert judged > 0
    assert cost.paths > 0


def test_a_search_that_begins_again_is_counted_as_one():
    result = explore(Notes, scope=3, values="symbolic", in_process=True)

    assert result.search.caller.cost.spent >= BEGINNING
    assert result.states == explore(Notes, scope=3, values="concrete").states
