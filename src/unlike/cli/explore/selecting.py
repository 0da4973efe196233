"""Which of the objects found are handed out: all, one per shape, some drawn at random, or the one at an index."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import click

from unlike.errors import ScopeError
from unlike.explore import Result
from unlike.indexed import Listed, in_digits
from unlike.suite import Ending, Status, Suite


def options(command: Callable[..., int]) -> Callable[..., int]:
    """Add the options to the command."""
    for option in reversed(
        [
            click.option("--one-per-shape", is_flag=True, help="One object for each abstract state."),
            click.option("--boundary", is_flag=True, help="The same, and the smallest and largest of each value."),
            click.option("--sample", type=click.IntRange(0), metavar="N", help="N objects drawn at random (--seed)."),
            click.option("--at", type=int, metavar="I", help="The object at index I alone; the first is 0."),
        ]
    ):
        command = option(command)
    return command


def select(result: Result, flags: dict[str, Any]) -> None:
    """Make the result hand out what was asked for."""
    if flags["boundary"] or flags["one_per_shape"]:
        result.deliver(result.one_per_shape(boundary=flags["boundary"]))
    if flags["sample"] is not None:
        result.deliver(result.suite.sample(_count(flags["sample"]), flags["seed"]))
    if flags["at"] is not None:
        result.deliver(_single(result.suite, flags["at"]))


def _count(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool) or value < 0:
        raise ScopeError(f"sample={value!r} must be a whole number that is not negative")
    return value


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
