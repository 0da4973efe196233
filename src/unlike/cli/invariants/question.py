"""Commands that run an invariant; what they have in common."""

from __future__ import annotations

from typing import Any

from unlike.cli.options import AskedFlags, Change
from unlike.cli.target import load_target, target_of
from unlike.core import Bounds, Isolation, StateMatching, TimeLimit
from unlike.core.settings import keywords_of
from unlike.errors import TargetError
from unlike.invariants.verbs import INVARIANT
from unlike.scope import scope_of

RECORDS = (Bounds, StateMatching, TimeLimit, Isolation)
NOT_TAKEN = ("calls", "omit_fields", "preconditions", "dict_order", "state_matching")  # that is for explorations
CHANGE: dict[str, Change] = {
    "invariant": {"help": "The invariant: a method, or MODULE:FUNCTION (rep_ok)."},
    "literals": {"help": "Values of a type or field: int=0,1,2  int=0..9  str=a,b  Node.key=…"},
    "in_process": {"help": "Run the invariant in this process, without limits."},
}


def class_of(target: str) -> type:
    """Return the class that MODULE:CLASS stands for, or one clear message."""
    found = target_of(target)
    if not isinstance(found, type):
        raise TargetError(f"{target!r} is a function; name a class that has an invariant")
    return found


def question_of(asked: AskedFlags, *records: type) -> dict[str, Any]:
    """Return what flags and file ask of a class and its invariant, as keywords of a verb, with records of its own."""
    invariant = asked.record(StateMatching).invariant or INVARIANT
    bounds = asked.record(Bounds)
    question: dict[str, Any] = keywords_of(bounds)
    del question["calls"]  # structures are not built by calls
    if bounds.literals:  # what a file says may be meant for other classes; a flag has to have an effect
        flags = {text.partition("=")[0] for text in asked.flags["literals"]}
        in_file = {name: values for name, values in bounds.literals.items() if name not in flags}
        question["scope"] = scope_of(bounds.scope, literals=in_file)
        question["literals"] = {name: values for name, values in bounds.literals.items() if name in flags}
    for record in records:
        question |= keywords_of(asked.record(record))
    is_function = isinstance(invariant, str) and ":" in invariant
    question["invariant"] = load_target(str(invariant)) if is_function else invariant
    return {**question, **asked.record(Isolation).of_one_process(), "timeout": asked.deadline}
