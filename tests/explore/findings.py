"""Everything an exploration found, to compare two ways with each other."""

from typing import Any

from unlike.classes.open.result import OpenResult
from unlike.explore import Result


def found(result: Result) -> dict[str, Any]:
    """Return everything a search found, in full."""
    search: Any = result.search.frontier
    return {
        **(_zones(search.states) if isinstance(result, OpenResult) else _states(search)),
        "lengths": list(search.lengths),
        "classes": list(search.classes),
        "outcomes": result.outcomes,
        "by operation": {operation.title: each for operation, each in result.by_operation.items()},
        "observers": [each.title for each in result.observers],
        "outside": result.outside,
        "others": result.others,
        "errors": [(str(error), error.sequence, error.met, error.output) for error in result.errors],
        "status": result.status,
        "by size": result.by_size,
        "noticed": (result.unsteady, result.leaks),
        "suite": [(case.id, case.label) for case in result.suite],
        "guarantee": result.suite.guarantee,
    }


def _states(frontier: Any) -> dict[str, Any]:
    store = frontier.store
    return {
        "states": [(store.state(number), store.origin(number)) for number in range(len(store))],
        "calls": [str(each) for each in frontier.trace.invocations],
    }


def _zones(states: Any) -> dict[str, Any]:
    """Return every shape with its states and how each came about."""
    return {
        states.shape_bytes(shape): [(each, states.zone(each), states.origin(each)) for each in states.of_shape(shape)]
        for shape in range(states.shape_count())
    }
