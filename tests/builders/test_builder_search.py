"""The exact search against brute force, and graph search against exploration."""

import importlib
import itertools
import random

import pytest

from unlike.classes.builders.graph import (
    Budget,
    BudgetError,
    Graph,
    Reach,
    best_meeting,
    complete_set,
    is_minimal,
    move_of,
    smallest,
)
from unlike.classes.builders.policies import graph_of
from unlike.classes.builders.verb import BuilderSearch, Finding
from unlike.classes.policy import SearchPolicy, name_of
from unlike.core import Bounds, Exploration
from unlike.errors import TargetError
from unlike.explore import explore


def random_graph(rng: random.Random) -> Graph:
    """Return a graph with constructors, plain moves and calls that need two objects."""
    size, count = rng.randint(4, 9), rng.randint(3, 7)
    moves = []
    for _ in range(count):
        edges: dict[tuple[int, ...], list[int]] = {}
        for _ in range(rng.randint(1, 5)):
            inputs = tuple(rng.randrange(size) for _ in range(rng.choice([0, 1, 1, 1, 1, 2])))
            edges.setdefault(inputs, []).append(rng.randrange(size))
        moves.append(move_of(edges))
    costs = tuple(rng.randint(0, 3) for _ in range(count))
    graph = Graph(size, tuple(moves), costs, (), {})
    reached = Reach(graph).states(range(count))
    goals = tuple(state for state in range(size) if reached[state] and rng.random() < 0.8)
    return Graph(size, tuple(moves), costs, goals, {})


def plainly_reached(graph: Graph, chosen: tuple[int, ...]) -> set[int]:
    """Return what the operations reach, by trying every move until nothing is new."""
    reached: set[int] = set()
    while True:
        before = set(reached)
        for index in chosen:
            move = graph.moves[index]
            reached.update(move.first)
            for state, states in move.unary.items():
                if state in reached:
                    reached.update(states)
            for needed, states in move.joint:
                if reached.issuperset(needed):
                    reached.update(states)
        if reached == before:
            return reached


@pytest.mark.parametrize("seed", range(150))
def test_the_smallest_set_is_the_one_that_brute_force_finds(seed: int) -> None:
    graph = random_graph(random.Random(seed))
    reach = Reach(graph)

    chosen = smallest(reach, graph.candidates, graph.goals, Budget(100_000))

    sufficient = [
        (len(subset), sum(graph.costs[each] for each in subset), subset)
        for count in range(len(graph.moves) + 1)
        for subset in itertools.combinations(range(len(graph.moves)), count)
        if plainly_reached(graph, subset).issuperset(graph.goals)
    ]
    assert chosen == min(sufficient)[2]
    assert is_minimal(reach, chosen, graph.goals, graph.candidates)
    rough = complete_set(reach, (), graph.candidates, graph.goals)
    assert plainly_reached(graph, rough).issuperset(graph.goals)
    assert not any(reach.covers([each for each in rough if each != one], graph.goals) for one in rough)


@pytest.mark.parametrize("seed", range(30))
def test_adding_one_operation_gives_the_same_as_starting_over(seed: int) -> None:
    rng = random.Random(seed)
    graph = random_graph(rng)
    reach, fresh = Reach(graph), Reach(graph)

    chosen: list[int] = []
    for one in rng.sample(range(len(graph.moves)), len(graph.moves)):
        extended = reach.extend(chosen, one)
        chosen.append(one)

        assert extended == fresh.states(chosen)
        assert {state for state in range(graph.size) if extended[state]} == plainly_reached(graph, tuple(chosen))


def test_the_best_set_that_meets_all_demands_is_small_then_simple_then_early() -> None:
    demands = [frozenset({0, 1}), frozenset({1, 2, 3}), frozenset({2, 3, 4})]

    assert best_meeting(demands, [0, 3, 2, 1, 0], Budget(1000)) == (0, 3)  # two suffice, and these cost 1
    assert best_meeting(demands, [1, 1, 1, 1, 1], Budget(1000)) == (0, 2)
    with pytest.raises(BudgetError):
        best_meeting(demands, [1] * 5, Budget(2))


@pytest.mark.corpus
@pytest.mark.parametrize(
    ("place", "samples"),
    [
        ("scheduler:Scheduler", 40),
        pytest.param("binomial_heap:BinomialHeap", 30, marks=pytest.mark.corpus),
        pytest.param("node_caching_linked_list:NodeCachingLinkedList", 25, marks=pytest.mark.corpus),
    ],
)
def test_graph_search_reaches_what_exploring_reaches(place: str, samples: int) -> None:
    module, _, name = place.partition(":")
    cls = getattr(importlib.import_module(f"examples.structures.{module}"), name)
    finding = Finding((cls,), Exploration(bounds=Bounds(scope=3)), BuilderSearch(budget=10**6, steps=1))
    result = finding.record_calls(None)
    graph = graph_of(result)
    reach, rng = Reach(graph), random.Random(1)
    titles = [name_of(each) for each in result.api.operations]

    for _ in range(samples):
        subset = {0, *rng.sample(graph.candidates, rng.randint(1, 6))}
        try:
            explored = explore(
                cls, scope=3, search=SearchPolicy(names=frozenset(titles[each] for each in subset))
            ).states
        except TargetError:
            explored = 0

        assert len(reach.reached_goals(subset)) == explored, [titles[each] for each in subset]
