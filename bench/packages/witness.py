"""Run `unlike explore` and write down which public methods of the class returned, as seen where calls are made.

    python -m bench.packages.witness FILE MODULE:CLASS [FLAG …]

The command does not grade itself: what it makes its calls with is wrapped, in every copy of the process, and a call
that returned something else than NotImplemented marks its method on a page of memory that all copies share. So
methods written in C or by a compiler count like others. Calls that are made for trial, before the exploration, do
not count. Counted are methods with a public name, and operators; comparison, hash, repr, copying and pickling are not,
nor are constructors and properties.
"""

from __future__ import annotations

import importlib
import json
import mmap
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

# the operators that use or change what an object holds
OPERATORS = {
    f"__{name}__"
    for line in (
        "getitem setitem delitem contains iter next len reversed bool call enter exit",
        "neg pos abs invert int float index",
        "add sub mul truediv floordiv mod divmod pow matmul and or xor lshift rshift",
        "iadd isub imul itruediv ifloordiv imod ipow imatmul iand ior ixor ilshift irshift",
    )
    for name in line.split()
}


def main(arguments: list[str]) -> None:
    file, target, *flags = arguments
    module, _, name = target.partition(":")
    cls = getattr(importlib.import_module(module), name)
    methods = find_public_methods(cls)
    page = mmap.mmap(-1, max(1, len(methods)))  # shared with every copy of this process
    watch_calls(cls, methods, page)
    from unlike import cli

    sys.argv = ["unlike", "explore", target, *flags]
    try:
        cli.main()
    finally:
        Path(file).write_text(json.dumps({each: bool(page[place]) for place, each in enumerate(methods)}))


def find_public_methods(cls: type) -> list[str]:
    """Return the names of the methods that are counted."""
    found = []
    for name in dir(cls):
        owner = next((each for each in cls.__mro__ if name in vars(each)), object)
        if owner is object or (name.startswith("_") and name not in OPERATORS):
            continue
        method = vars(owner)[name]
        method = method.__func__ if isinstance(method, (classmethod, staticmethod)) else method
        is_bound_later = (
            not callable(method) and hasattr(type(method), "__get__") and callable(getattr(cls, name, None))
        )
        if (callable(method) or is_bound_later) and not isinstance(method, type):
            found.append(name)
    return found


def watch_calls(cls: type, methods: Sequence[str], page: mmap.mmap) -> None:
    """Let every call that the tool makes mark its method on the page when it has returned."""
    from unlike.classes.guessing import trial
    from unlike.classes.workbench import ReadyCall

    places = {name: place for place, name in enumerate(methods)}
    make_call, try_out, on_trial = ReadyCall.run, trial._try_in, list[bool]()

    def run(self: ReadyCall, objects: Sequence[Any]) -> object:
        result = make_call(self, objects)
        operation = self.template.operation
        is_own = operation.owner is not None and issubclass(cls, operation.owner)
        if is_own and operation.name in places and not on_trial and result is not NotImplemented:
            page[places[operation.name]] = 1
        return result

    def try_in(scratch: str, calls: trial.CallTrial) -> Any:
        on_trial.append(True)  # in a copy that makes nothing but such calls
        return try_out(scratch, calls)

    # a frame of the tool's own: who judges an exception counts those of the code under test
    run.__code__ = run.__code__.replace(co_filename=make_call.__code__.co_filename)
    ReadyCall.run = run  # type: ignore[method-assign]
    ReadyCall.is_quick = property(lambda _: False)  # type: ignore[method-assign,assignment]  # compiled code makes no call by itself
    trial._try_in = try_in


if __name__ == "__main__":
    main(sys.argv[1:])
