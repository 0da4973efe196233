"""What `explore` finds of an odd class, gone every way: in this process, in a copy, in two; values passed, open, as it pays.

The class is given as MODULE:CLASS of `tests/explore`. What is the same for several ways is written once.
"""

from __future__ import annotations

import hashlib
import importlib
import json
import os
import re
import sys
from pathlib import Path
from typing import Any

from unlike.errors import UnlikeError
from unlike.explore import Result, explore

WAYS: dict[str, dict[str, Any]] = {"in process": {"in_process": True}, "a copy": {}, "two workers": {"workers": 2}}
VALUES = ("concrete", "symbolic", "auto")
SETTINGS: dict[str, dict[str, Any]] = {  # scope 3 otherwise
    "specimens:Broken": {"invariant": "rep_ok", "calls": 4},
    "specimens:Everything": {"scope": 2},
    "specimens:Failing": {"calls": 3},
    "keepers:Area": {"invariant": "is_sound"},
    "keepers:Twig": {"scope": 2},
}


def main(words: list[str]) -> None:
    """Print what is found of the class, as JSON."""
    [target] = words
    cls = class_at(target)
    answers: dict[str, list[str]] = {}
    for way, how in WAYS.items():
        for values in VALUES:
            told = in_a_copy(cls, {"scope": 3} | SETTINGS.get(target, {}) | how | {"values": values})
            answers.setdefault(told, []).append(f"{values}, {way}")
    rows = [{"ways": ways, **json.loads(told)} for told, ways in answers.items()]
    print(json.dumps(rows, indent=1, ensure_ascii=False))


def class_at(target: str) -> type:
    """Return the class at MODULE:CLASS of `tests/explore`."""
    module, _, name = target.partition(":")
    sys.path.insert(0, str(Path(__file__).parent.parent / "explore"))
    cls: type = getattr(importlib.import_module(module), name)
    return cls


def in_a_copy(cls: type, settings: dict[str, Any]) -> str:
    """Explore in a copy of this process: a class may end it, or keep something that the next way would meet."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        os.close(reading)
        with os.fdopen(writing, "w") as out:
            out.write(json.dumps(_found(cls, settings), ensure_ascii=False))
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as answer:
        told = answer.read()
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    return told or json.dumps({"ended with": code})


def _found(cls: type, settings: dict[str, Any]) -> dict[str, Any]:
    try:
        return _told(explore(cls, **settings))
    except UnlikeError as error:
        return {"refused": str(error)}


def _told(result: Result) -> dict[str, Any]:
    return {
        "states": result.states,
        "heaps": _digest(result.all_states()),
        "lengths": dict(result.by_length),
        "sizes": dict(result.by_size),
        "others": dict(result.others),
        "calls": result.calls,
        "by operation": {
            operation.title: ", ".join(f"{number} {outcome.value}" for outcome, number in outcomes.items())
            for operation, outcomes in result.by_operation.items()
        },
        "observers": ", ".join(each.title for each in result.observers),
        "errors": [" | ".join([str(error), error.sequence, error.output]) for error in result.errors],
        "outside": dict(result.outside),
        "leaks": dict(result.leaks),
        "unsteady": list(result.unsteady),
        "status": str(result.status),
        "values": result.values,
        "explanation": result.explanation.splitlines(),
        "suite": _digest([(case.id, case.label) for case in result.suite]),
        "suite status": str(result.suite.status),
        "guarantee": result.suite.guarantee,
    }


def _digest(things: list[Any]) -> str:
    """Return what tells two lists apart, but for where functions that a state holds lie and are written."""
    text = re.sub(r' at 0x[0-9a-f]+|, file "[^"]+", line \d+', "", "\n".join(map(repr, things)))
    return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()
