"""One class with faults, explored in one way, in a process of its own: prints what was seen as one line of JSON.

    python -m bench.faults.driver copy ANSWER.json "replace len" "hang"

    {"states": 13, "ending": "complete", "errors": [["odd0", "…"]], "changed": [], "files": [], "words": ""}

The class has thirteen states without its faults: lists of at most two of 0, 1, 2. The method `odd0` does the first
fault when the list is [1], `odd1` the second one, and so on; a mixture has them at several states.
"""

from __future__ import annotations

import builtins
import importlib
import json
import locale
import os
import resource
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from pathlib import Path
from textwrap import indent
from typing import Any

from bench.faults.table import FAULTS, IMPORTS, Fault

HEAD = f"""{IMPORTS}
COUNT = itertools.count()


def odd_error(names):
    return type("Odd", (Exception,), {{"__module__": "elsewhere", **names}})


class Thing:
    pass


class Pile:
    def __init__(self) -> None:
        self.items: list[int] = []

    def push(self, value: int) -> None:
        if len(self.items) == 2:
            raise ValueError("full")
        self.items.append(value)

    def pop(self) -> int:
        return self.items.pop()

    def _recurse(self) -> None:
        self._recurse()
"""
WAYS: dict[str, dict[str, Any]] = {
    "copy": {"values": "concrete"},
    "usual": {},
    "workers": {"workers": 2, "values": "concrete"},
    "python": {"implementation": "python", "values": "concrete"},
    "open": {"values": "symbolic"},
}
PLACES = ([1], [0], [2], [1, 0], [0, 2], [2, 2], [])


def write_module(faults: list[Fault]) -> str:
    """Return the source of the class: each fault is a method."""
    text = HEAD
    for number, fault in enumerate(faults):
        place = PLACES[number % len(PLACES)]
        text += (
            f"\n    def odd{number}(self) -> None:\n        if self.items == {place}:\n{indent(fault.code, ' ' * 12)}\n"
        )
    return text


def look_around() -> dict[str, object]:
    """Return what this process has that foreign code could change."""
    return {
        "directory": os.getcwd(),  # noqa: PTH109
        "mask": (mask := os.umask(0o22), os.umask(mask))[0],
        "environment": dict(os.environ),
        "locale": locale.setlocale(locale.LC_ALL),
        "limits": [resource.getrlimit(getattr(resource, name)) for name in dir(resource) if name.startswith("RLIMIT_")],
        "handlers": [signal.getsignal(each) for each in signal.Signals],
        "blocked": signal.pthread_sigmask(signal.SIG_BLOCK, ()),
        "timers": [signal.getitimer(each) for each in (0, 1, 2)],
        "builtins": dict(vars(builtins)),
        "os": dict(vars(os)),
        "modules": {name for name in sys.modules if not name.startswith(("unlike", "_"))} & FIRST_MODULES,
        "streams": [sys.stdin, sys.stdout, sys.stderr, sys.excepthook, sys.unraisablehook],
        "hooks": [sys.gettrace(), sys.getprofile()],
        "settings": [sys.getrecursionlimit(), sys.getswitchinterval(), sys.get_int_max_str_digits()],
        "warnings": list(warnings.filters),
        "threads": threading.active_count(),
        "descriptors": len(list(Path("/proc/self/fd").iterdir())),
        "priority": os.getpriority(os.PRIO_PROCESS, 0),
    }  # fmt: skip


FIRST_MODULES = set(sys.modules)


def explore_once(faults: list[Fault], way: str, report: Callable[[dict[str, Any]], None]) -> None:
    """Explore the class with the faults in this way, and report what was seen."""
    Path("pile.py").write_text(write_module(faults))
    sys.path.insert(0, os.getcwd())  # noqa: PTH109
    sys.dont_write_bytecode = True
    pile = importlib.import_module("pile")
    unlike_explore = importlib.import_module("unlike.explore")
    unlike_explore.explore(importlib.import_module("bench.faults.quiet").Quiet, **WAYS[way])  # all is loaded
    before = look_around()
    words = ""
    try:
        result = unlike_explore.explore(
            pile.Pile, protocols=False, seconds_per_call=4, megabytes=300, timeout=60, **WAYS[way]
        )
    except BaseException as error:  # what a user would see
        words, result = f"{type(error).__name__}: {error}", None
    after = look_around()
    changed = [name for name in before if before[name] != after[name]]
    errors = (
        []
        if result is None
        else [[each.operation.split(".")[-1], each.failure.reason, each.failure.exception] for each in result.errors]
    )
    remarks = [] if result is None else [str(each) for each in getattr(result.suite, "remarks", ())]
    report(
        {
            "states": 0 if result is None else result.states,
            "plain": 0 if result is None else count_plain(result),
            "ending": "" if result is None else result.status.ending.value,
            "status": "" if result is None else str(result.status),
            "errors": errors,
            "changed": changed,
            "files": sorted(str(each) for each in Path().rglob("*") if each.name != "pile.py"),
            "words": words,
            "remarks": remarks,
        }
    )


def count_plain(result: Any) -> int:
    """Return how many of the thirteen ordinary lists are among the objects, each made by calls of push alone."""
    found = set()
    for case in result.suite:
        text = str(case.recipe)
        if "odd" not in text and "pop" not in text:
            found.add(text)
    return len(found)


def main() -> None:
    """Explore the faults that are named."""
    way, answer, *names = sys.argv[1:]

    def report(seen: dict[str, Any]) -> None:
        Path(answer).write_text(json.dumps(seen))

    explore_once([FAULTS[name] for name in names], way, report)


if __name__ == "__main__":
    main()
