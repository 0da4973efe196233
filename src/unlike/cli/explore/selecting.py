"""Which of the objects found are handed out: all, one per shape, some drawn at random, or the one at an index."""

from __future__ import annotations

from collections.abc import Iterator

from unlike.classes.result import Result
from unlike.core import ObjectChoice
from unlike.errors import ScopeError
from unlike.indexed import Listed, in_digits
from unlike.suite import Ending, Status, Suite


def select(result: Result, choosing: ObjectChoice, seed: int) -> None:
    """Make the result hand out what was asked for."""
    if choosing.boundary or choosing.one_per_shape:
        result.deliver(result.one_per_shape(boundary=choosing.boundary))
    if choosing.sample is not None:
        result.deliver(result.suite.sample(choosing.sample, seed))
    if choosing.at is not None:
        result.deliver(_single(result.suite, choosing.at))


def _single(suite: Suite, index: int) -> Suite:
    if not 0 <= index < suite.count():
        raise ScopeError(
            f"--at {index!r} must be at least 0 and below the number of objects, {in_digits(suite.count())}"
        )
    status = Status(Ending.FOUND, f"number {index:,} of {in_digits(suite.count())}")
    guarantee = f"number {index:,} of {suite.guarantee}"
    return Suite(suite.name, Listed([suite[index]]), status, guarantee, suite.explanation)


def listing(suite: Suite) -> Iterator[str]:
    """Yield the cases as lines of text: the calls, and below them what the object stands for."""
    for case in suite:
        calls, _, stands_for = case.label.partition("\n")
        yield f"{case.id}: {calls}"
        if stands_for:
            yield f"    {stands_for}"
