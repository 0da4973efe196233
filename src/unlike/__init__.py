"""Small, provably useful sets of test inputs: space × difference → suite."""

from __future__ import annotations

import importlib
import typing

from unlike.suite import Case, Ending, Status, Suite

if typing.TYPE_CHECKING:
    from unlike.explore import explore, objects
    from unlike.scope import Scope
    from unlike.writers.json_file import load

__version__ = "0.1.0"

__all__ = ["Case", "Ending", "Scope", "Status", "Suite", "explore", "load", "objects"]

# name -> module that defines it, loaded when the name is first used: `import unlike` stays quick
_LAZY = {
    "Scope": "unlike.scope",
    "explore": "unlike.explore",
    "load": "unlike.writers.json_file",
    "objects": "unlike.explore",
}


def __getattr__(name: str) -> object:
    if name not in _LAZY:
        raise AttributeError(f"module 'unlike' has no attribute {name!r}")
    found: object = getattr(importlib.import_module(_LAZY[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_LAZY})
