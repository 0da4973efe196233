"""Whether two explorations found the same: states, sequences, errors and outcomes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from unlike.classes.api import Operation
from unlike.classes.judging import Outcome
from unlike.classes.open.result import OpenResult
from unlike.classes.result import Result
from unlike.errors import UnlikeError

MOST_COUNTED = 2_000  # paths that are run again to count the calls they stand for
MOST_COMPARED = 5_000  # states compared one by one; of more, only their number


def differences(concrete: Result, opened: Result) -> list[str]:
    """Return what the two results do not agree on, in words."""
    found = []
    if concrete.states != opened.states:
        found.append(f"{concrete.states:,} states with concrete values, {opened.states:,} with open ones")
    elif concrete.states <= MOST_COMPARED and concrete.lengths() != opened.lengths():
        found.append("other states, or other lengths of sequences")
    if dict(concrete.others) != dict(opened.others):
        found.append(f"found on the way {dict(concrete.others)} and {dict(opened.others)}")
    if errors_of(concrete) != errors_of(opened):
        found.append("other errors")
    if not _same_outcomes(concrete, opened):
        found.append("other outcomes")
    return found


def _same_outcomes(concrete: Result, opened: Result) -> bool:
    """Tell whether as many calls came to the same; where there are very many paths, only whether the same occurred."""
    if not isinstance(opened, OpenResult) or sum(opened.outcomes.values()) > MOST_COUNTED:
        return outcomes_of(concrete) == outcomes_of(opened)
    try:
        return counted(concrete.by_operation) == counted(opened.calls_by_outcome())
    except UnlikeError:
        return False


def errors_of(result: Result) -> set[tuple[object, ...]]:
    """Return every error, with the length of its shortest sequence."""
    return {
        (each.operation, each.failure.reason, each.failure.exception, each.failure.place, each.calls)
        for each in result.errors
    }


def outcomes_of(result: Result) -> set[tuple[str, Outcome]]:
    """Return what each operation came to."""
    return set(counted(result.by_operation))


def counted(outcomes: Mapping[Operation, Mapping[Outcome, int]]) -> dict[tuple[str, Outcome], int]:
    """Return how often each operation came to what; whether a state was new depends on the order: it does not count."""
    counts: Counter[tuple[str, Outcome]] = Counter()
    for operation, came_to in outcomes.items():
        for outcome, times in came_to.items():
            counts[operation.title, Outcome.KNOWN if outcome is Outcome.NEW else outcome] += times
    return {key: times for key, times in counts.items() if times}
