"""Everything an exploration found, to compare two ways with each other."""

from typing import Any

from unlike.explore import Result


def found(result: Result) -> dict[str, Any]:
    """Return everything a search found, in full."""
    search = result.search.frontier
    return {
        "states": [(search.store.state(number), search.store.origin(number)) for number in range(len(search.store))],
        "calls": [str(each) for each in search.trace.invocations],
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
