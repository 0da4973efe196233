"""The verb: two versions of a class or a function -> a verdict; and the assertion that they are the same."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any, Unpack

from unlike.core import (
    Bounds,
    Comparing,
    Exploration,
    Exploring,
    Isolation,
    SameKeywords,
    StateMatching,
    TimeLimit,
    record_of,
    takes,
)
from unlike.diff.functions import compare_functions
from unlike.diff.objects import Compared, compare_classes, compare_members
from unlike.diff.verdict import Verdict
from unlike.errors import TargetError

NOT_TAKEN = (
    *("fields", "preconditions", "invariant", "keys", "state_matching", "workers", "values", "implementation"),
    *("then_random", "reference", "protocols", "git", "inputs"),
)


def compare_versions(compared: Compared, question: Exploration, inputs: object = None) -> Verdict:
    """Return whether two versions of a class or a function can be told apart."""
    if isinstance(compared.old, enum.EnumMeta) and isinstance(compared.new, enum.EnumMeta):
        return compare_members(compared)
    if isinstance(compared.old, type):
        return compare_classes(compared, question)
    return compare_functions(compared, question, inputs)


@takes(Bounds, StateMatching, TimeLimit, Isolation, Exploring, Comparing, without=NOT_TAKEN)
def assert_same(
    old: Callable[..., Any], new: Callable[..., Any], *, inputs: object = None, **keywords: Unpack[SameKeywords]
) -> None:
    """Fail unless two classes, or two functions, can not be told apart by those who use them.

    Classes are explored together within the `scope`: equal results, exceptions of the same type (with `messages` also
    what they say), equal public attributes; what they keep inside may differ. Functions get the same `inputs`: those of
    a spec, a type, a pattern or a schema, or what their annotations say. The message shows the shortest calls, or the
    smallest input, that tell them apart. What could not be decided fails, too.
    """
    for each in (old, new):
        if not callable(each):
            raise TargetError(f"assert_same: {each!r} is neither a class nor a function; pass the thing itself")
    if isinstance(old, type) is not isinstance(new, type):
        raise TargetError(f"assert_same: {old!r} and {new!r} are not of a kind; pass two classes, or two functions")
    messages = record_of(Comparing, keywords).messages
    compared = Compared(old.__name__, old, new, messages=messages)
    verdict = compare_versions(compared, Exploration.of(keywords), inputs)
    names = [f"{each.__module__}:{each.__qualname__}" for each in (old, new)]
    if verdict.difference is not None:
        shown = verdict.difference
        lines = [f"{names[0]} and {names[1]} are different", f"  {shown.sequence}"]
        lines += [f"    {names[0]}: {shown.old}", f"    {names[1]}: {shown.new}"]
        raise AssertionError("\n".join([*lines, *(f"    afterwards {each}" for each in shown.afterwards)]))
    if verdict.status.cut_short:
        raise AssertionError(f"whether {names[0]} and {names[1]} are the same is undecided: {verdict.status}")
