"""Whether two explorations found the same: states, sequences, errors and outcomes."""

from __future__ import annotations

from unlike.explore import Result
from unlike.explore.outcomes import Outcome

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
    if outcomes_of(concrete) != outcomes_of(opened):
        found.append("other outcomes")
    return found


def errors_of(result: Result) -> set[tuple[object, ...]]:
    """Return every error, with the length of its shortest sequence."""
    return {
        (each.operation, each.failure.reason, each.failure.exception, each.failure.place, each.calls)
        for each in result.errors
    }


def outcomes_of(result: Result) -> set[tuple[str, Outcome]]:
    """Return what each operation came to; whether a state was new depends on the order, and does not count."""
    return {
        (operation.title, Outcome.KNOWN if outcome is Outcome.NEW else outcome)
        for operation, outcomes in result.by_operation.items()
        for outcome, times in outcomes.items()
        if times
    }
