"""From abstract states to the calls that chosen values would have taken: how many, and what they came to.

A call with chosen values is a point: the values of its objects, then its open arguments. Every path of a call on a
shape has a zone of them; zones of the same path may overlap, since zones of a shape may, and each point counts once.
"""

from __future__ import annotations

import collections
import itertools
from collections.abc import Iterator

from unlike.classes.api import Operation
from unlike.classes.judging import Outcome
from unlike.classes.open.leaves import Leaf
from unlike.classes.open.path_caller import OpenRun
from unlike.classes.open.templates import open_arguments
from unlike.classes.workbench import ReadyCall
from unlike.zones import Points, Zone


def calls_by_outcome(search: OpenRun) -> list[dict[Outcome, int]]:
    """Return for each operation how many calls with chosen values come to what; every path is run once more.

    Whether the state that a call leads to is new depends on the order of the calls: here it is known always.
    """
    counts: dict[Operation, collections.Counter[Outcome]] = {
        each: collections.Counter() for each in search.api.operations
    }
    with search.caller.marks.around(search.caller):  # what the calls print stays inside, here too
        for call in search.code.calls:
            for leaf, zones in _paths(search, call):
                outcome = Outcome.KNOWN if leaf.outcome is Outcome.NEW else leaf.outcome
                counts[call.template.operation][outcome] += Points(zones).count()
    search.code.fixtures.restore()
    return [dict(each) for each in counts.values()]


def _paths(search: OpenRun, call: ReadyCall) -> Iterator[tuple[Leaf, list[Zone]]]:
    """Yield what the call comes to along each path, with the zones of the values that take it."""
    ranges = [(each.low, each.high) for each in open_arguments(call.template)]
    for shapes, groups in _alike(search, call).items():
        leaves: dict[int, tuple[Leaf, list[Zone]]] = {}
        forks = search.caller.forks_of(shapes, call)
        for numbers in groups:
            zone = Zone.box()
            for number in numbers:
                zone = zone.beside(search.frontier.states.zone(number))
            for path in forks.paths(zone.extend(*ranges)):
                leaves.setdefault(id(path.result), (path.result, []))[1].append(path.zone)
        yield from leaves.values()
        search.caller.forks.clear()


def _alike(search: OpenRun, call: ReadyCall) -> dict[tuple[int, ...], list[tuple[int, ...]]]:
    """Return the states that the call was made on, by their shapes."""
    states = search.frontier.states
    last = {
        each: search.frontier.lengths[each] for shape in range(states.shape_count()) for each in states.of_shape(shape)
    }
    pools = [
        [each for each in sorted(last) if issubclass(search.frontier.classes[each], wanted)]
        for wanted in call.template.wanted
    ]
    found: dict[tuple[int, ...], list[tuple[int, ...]]] = {}
    for numbers in itertools.product(*pools):
        if search.scope.calls is None or sum(last[each] for each in numbers) < search.scope.calls:
            found.setdefault(tuple(map(states.shape, numbers)), []).append(numbers)
    return found
